import Invariants

/// Something that makes a run unfit for a verdict.
public struct Problem: Hashable, Sendable {
  /// What kind of thing went wrong.
  public enum Kind: Hashable, Sendable {
    /// Something left the simulation, or came into it: the run may come out differently.
    case leak
    /// The app did what the platform answers with an exception, or a real backend what nothing can be said of.
    case misuse
  }

  /// Whether the run is not to be trusted, or the app did what it must not.
  public var kind: Kind
  /// What has happened, and in which process.
  public var text: String
  /// The number of the event it was first noticed in, from 1; 0 before the first.
  public var event: Int
  /// When that was in virtual time.
  public var at: Instant

  package init(_ kind: Kind, _ text: String, event: Int, at: Instant) {
    self.kind = kind
    self.text = text
    self.event = event
    self.at = at
  }
}

extension Problem: CustomStringConvertible {
  /// What has happened, and when.
  public var description: String {
    let place = event == 0 ? "before the first event" : "in event \(event.grouped)"
    return "\(text), first noticed \(place) at \(at.millis.grouped) ms"
  }
}
