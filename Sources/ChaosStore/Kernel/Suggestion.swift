/// `; did you mean 'x'?` where one of the candidates is close to what was written, else nothing.
///
/// Names are compared while they are short enough to be typed, and no more of them than take a moment.
package func suggestion(for written: String, among candidates: [String]) -> String {
  let longest = 100
  let text = Array(written.unicodeScalars.prefix(longest + 1))
  guard text.count <= longest else { return "" }
  let limit = max(2, text.count / 3)
  var best: (name: String, distance: Int)?
  for name in candidates.prefix(10_000) where name.utf8.count <= longest {
    let other = Array(name.unicodeScalars)
    guard abs(other.count - text.count) <= limit else { continue }
    let distance = editDistance(text, other)
    if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
  }
  return best.map { "; did you mean '\($0.name)'?" } ?? ""
}

/// More names than that are not listed.
let mostListed = 30

/// `one of a, b, c`, or the only one; names too many to read are only counted.
func oneOf(_ names: [String], _ what: String, most: Int = mostListed) -> String {
  switch names.count {
  case 1: names[0]
  case 2...most: "one of \(names.joined(separator: ", "))"
  default: "one of the \(names.count) \(what)"
  }
}

/// How many insertions, deletions and replacements turn one text into the other.
private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
  var row = Array(0...b.count)
  for (i, character) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for j in b.indices {
      let replaced = diagonal + (character == b[j] ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
    }
  }
  return row[b.count]
}
