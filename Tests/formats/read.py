"""Reads the files of two reports: of a campaign that is as expected, and of a run that broke something."""

import sys
from pathlib import Path

from junitparser import Error, Failure, JUnitXml
from markdown_it import MarkdownIt
from sarif_pydantic import Sarif


def junit(folder):
    """How many cases there are, and how many fail, as junitparser counts them itself."""
    suites = JUnitXml.fromfile(str(folder / "junit.xml"))
    cases = [case for suite in suites for case in suite]
    failed = [case for case in cases if any(isinstance(one, (Failure, Error)) for one in case.result)]
    assert suites.tests == len(cases), (suites.tests, len(cases))
    assert suites.failures + suites.errors == len(failed), (suites.failures, suites.errors, len(failed))
    assert all(case.classname and case.name and case.time is not None for case in cases)
    return len(cases), len(failed)


def sarif(folder):
    """How many results there are that are not suppressed, and how many that are."""
    log = Sarif.model_validate_json((folder / "results.sarif").read_text())
    assert log.version == "2.1.0"
    results = log.runs[0].results or []
    rules = {rule.id for rule in log.runs[0].tool.driver.rules or []}
    assert all(result.rule_id is None or result.rule_id in rules for result in results)
    assert all(result.message.text and result.locations for result in results)
    errors = [result for result in results if result.level and result.level.value == "error"]
    return len(errors), len(results) - len(errors)


def summary(folder):
    """The headings, as a reader of CommonMark with GitHub's tables finds them."""
    tokens = MarkdownIt("commonmark").enable("table").parse((folder / "summary.md").read_text())
    headings = [
        after.content for token, after in zip(tokens, tokens[1:]) if token.type == "heading_open"]
    fences = [token.content for token in tokens if token.type == "fence"]
    tables = sum(token.type == "table_open" for token in tokens)
    return headings, fences, tables


fine, red = map(Path, sys.argv[1:3])
cases, failed = junit(fine)
assert cases > 1 and failed == 0, (cases, failed)
assert junit(red) == (1, 1), junit(red)
print("junitparser: %d cases, none fails; 1 case of the other, which does" % cases)
errors, suppressed = sarif(fine)
assert errors == 0 and suppressed > 0, (errors, suppressed)
errors, suppressed = sarif(red)
assert errors > 0 and suppressed == 0, (errors, suppressed)
print("sarif-pydantic: both logs are valid; %d errors in the second" % errors)
headings, fences, tables = summary(fine)
assert headings == ["ChaosStore: as expected"] and tables == 1, (headings, tables)
headings, fences, tables = summary(red)
assert headings[0] == "ChaosStore: not as expected" and len(headings) == 2, headings
assert fences and all("--seed 0x2" in fence for fence in fences), fences
print("markdown-it: headings, lines to paste and a table, as they should be")
