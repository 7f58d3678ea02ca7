/// `; did you mean 'x'?` where one of the candidates is close to what was written, else nothing.
package func suggestion(for written: String, among candidates: [String]) -> String {
  let limit = max(2, written.count / 3)
  let ranked = candidates.map { (name: $0, distance: editDistance(written, $0)) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= limit else {
    return ""
  }
  return "; did you mean '\(best.name)'?"
}

/// How many insertions, deletions and replacements turn one text into the other.
private func editDistance(_ a: String, _ b: String) -> Int {
  let b = Array(b)
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
