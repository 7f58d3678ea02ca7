/// A public report of a bug that a scenario is modelled on.
public struct PublicReport: Sendable, Equatable {
  /// Where it was made, such as `bizz84/SwiftyStoreKit#50` or `Apple forum 816320`.
  public var source: String
  /// What people saw, in a sentence.
  public var said: String

  /// A report by its source.
  public init(source: String, said: String) {
    self.source = source
    self.said = said
  }
}
