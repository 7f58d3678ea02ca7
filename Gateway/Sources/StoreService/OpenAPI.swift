/// What each call of those who drive the store takes and answers, as OpenAPI 3.1.
enum OpenAPI {
  static let text = "{}"
}
