/// A fenced block of a Markdown document: what its fence says it is, and what stands in it.
package struct MarkdownExample {
  /// What follows the fence, such as `json scenario`.
  package var kind: String
  package var text: String
  /// Where it begins, counted from 1.
  package var line: Int

  /// All blocks of a document, in its order.
  package static func all(in document: String) -> [MarkdownExample] {
    var examples: [MarkdownExample] = []
    var open: MarkdownExample?
    for (index, line) in document.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      if line.hasPrefix("```") {
        if let closed = open { examples.append(closed) }
        open =
          open == nil
          ? MarkdownExample(kind: String(line.dropFirst(3)), text: "", line: index + 1) : nil
      } else {
        open?.text += line + "\n"
      }
    }
    return examples
  }
}
