"use strict";
// Steps through a run: marks the line, and shows what was durable then.
const stepThrough = (scrub) => {
  const range = scrub.querySelector("input");
  const said = scrub.querySelector("output");
  const rows = [...scrub.parentElement.querySelectorAll("svg .row")];
  const items = [...scrub.parentElement.querySelectorAll("ol > li")];
  const cells = [...scrub.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("td")]);
  const changes = JSON.parse(scrub.querySelector("script").textContent);
  let shown = null;

  const show = (line) => {
    if (shown !== null) rows[shown].classList.remove("now");
    shown = line;
    rows[line].classList.add("now");
    said.textContent = items[line].textContent;
    const state = cells.map((row) => row.map(() => ""));
    const changed = new Set();
    for (const [at, purchases] of changes) {
      if (at > line) break;
      for (const [place, ...words] of purchases) {
        words.forEach((word, column) => {
          if (at === line && state[place][column] !== word) changed.add(place + "/" + column);
          state[place][column] = word;
        });
      }
    }
    cells.forEach((row, place) => row.forEach((cell, column) => {
      cell.textContent = state[place][column];
      cell.classList.toggle("changed", changed.has(place + "/" + column));
    }));
  };

  range.addEventListener("input", () => show(Number(range.value)));
  for (const row of rows) {
    row.addEventListener("click", () => {
      range.value = row.dataset.line;
      show(Number(row.dataset.line));
    });
  }
};
document.querySelectorAll(".scrub").forEach(stepThrough);

// Draws a picture that the page has as text: whoever has no script has it drawn.
const draw = (section) => {
  const picture = section.querySelector(":scope > noscript");
  if (!picture) return;
  picture.insertAdjacentHTML("afterend", picture.textContent);
  picture.remove();
  section.querySelectorAll(".scrub").forEach(stepThrough);
};
const undrawn = () => document.querySelector(".failure > noscript");

const near = new IntersectionObserver(
  (seen) => seen.filter((one) => one.isIntersecting).forEach((one) => draw(one.target)),
  {rootMargin: "1000px"});
document.querySelectorAll(".failure").forEach((section) => near.observe(section));

// The others follow while there is nothing else to do.
const later = window.requestIdleCallback || ((call) => setTimeout(call, 50));
const drawNext = () => {
  const picture = undrawn();
  if (!picture) return;
  draw(picture.parentElement);
  later(drawNext);
};
later(drawNext);

addEventListener("beforeprint", () => {
  for (let picture = undrawn(); picture; picture = undrawn()) draw(picture.parentElement);
});
