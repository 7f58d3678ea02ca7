extension AccessGap {
  /// One sentence for each of the two; `name` is what the purchase is called.
  func sentences(_ name: String) -> [String] {
    var sentences: [String] = []
    if lackMillis > 0 {
      sentences.append(
        "\(name): who had paid could not use it for \(TimeText.words(lackMillis)) "
          + "in which an app ran and nothing struck.")
    }
    if excessMillis > 0 {
      sentences.append(
        "\(name): it could be used for \(TimeText.words(excessMillis)) without being paid for, "
          + "while an app ran and nothing struck.")
    }
    return sentences
  }
}
