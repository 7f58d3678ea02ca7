import Foundation
import Hummingbird
import StoreSignatures

/// Names of this machine.
package enum Loopback {
  /// True for `localhost`, `::1`, and every address that begins with `127.`.
  package static func contains(_ host: some StringProtocol) -> Bool {
    let name = host.lowercased()
    if name == "localhost" || name == "::1" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { UInt8($0, radix: 10) != nil }
  }

  /// The host of an authority such as `localhost:8181` or `[::1]:8181`, without port and brackets; nil for anything
  /// else.
  package static func host(of authority: String) -> String? {
    var host = authority[...]
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return nil }
      let rest = host[host.index(after: end)...]
      guard isPort(rest) else { return nil }
      return String(host[host.index(after: host.startIndex)..<end])
    }
    if let colon = host.firstIndex(of: ":") {
      guard isPort(host[colon...]) else { return nil }
      host = host[..<colon]
    }
    return host.isEmpty ? nil : String(host)
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty || text.hasPrefix(":") && UInt16(text.dropFirst(), radix: 10) != nil
  }
}

/// Refuses requests that a web page can have a developer's browser send.
///
/// The Host has to be a name of this machine or of Apple's (a page can point a name of its own at 127.0.0.1), and so
/// has a host in the request line. An Origin, where there is one, has to be a page of this machine.
struct LocalVisitors: RouterMiddleware {
  typealias Context = BasicRequestContext

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    if let why = Self.refusal(
      host: request.head.authority, origin: request.headers[.origin], path: request.head.path,
      isHostGivenTwice: request.headers.contains { $0.name.canonicalName == "host" })
    {
      return Routes.response(.refused(why, status: 403))
    }
    return try await next(request, context)
  }

  /// What is wrong with a visitor; nil for one that is let in.
  static func refusal(
    host: String?, origin: String?, path: String? = nil, isHostGivenTwice: Bool = false
  ) -> String? {
    if isHostGivenTwice { return "Host: found several, expected one" }
    // A request to a proxy has a host in its path too.
    if let path, !path.hasPrefix("/"), path != "*" {
      let asked = URL(string: path)?.host(percentEncoded: false)
      guard let asked, isKnown(asked) else {
        return "the path: found '\(path)', expected one of this machine"
      }
    }
    let name = host.flatMap(Loopback.host)
    guard let name, isKnown(name) else {
      return
        "Host: found '\(host ?? "")', expected localhost, 127.0.0.1, [::1] or a host of Apple's"
    }
    guard let origin else { return nil }
    let page = URL(string: origin)
    guard ["http", "https"].contains(page?.scheme?.lowercased() ?? ""),
      let host = page?.host(percentEncoded: false), Loopback.contains(host)
    else {
      return "Origin: found '\(origin)', expected a page of this machine, or no Origin"
    }
    return nil
  }

  private static func isKnown(_ host: String) -> Bool {
    Loopback.contains(host) || SigningChain.appleHosts.contains(host.lowercased())
  }
}

/// Where notifications may go.
public enum NotificationTarget {
  /// What is wrong with an address; nil where notifications may go there.
  ///
  /// - Parameter hosts: The hosts that are allowed beside this machine.
  public static func problem(with text: String, allowing hosts: Set<String>) -> String? {
    // Clients disagree about a backslash: for some of them it ends the host.
    guard !text.contains("\\"), let url = URL(string: text),
      ["http", "https"].contains(url.scheme?.lowercased() ?? ""),
      let host = url.host(percentEncoded: false), !host.isEmpty
    else { return "found '\(text)', expected an address with http or https" }
    // URL has no port where the number is too large.
    let authority = text.drop { $0 != "/" }.drop { $0 == "/" }.prefix { !"/?#".contains($0) }
    let place = authority.split(separator: "@").last ?? ""
    guard (1...65_535).contains(url.port ?? 80), Loopback.host(of: String(place)) != nil else {
      return "found '\(text)', expected a port from 1 to 65535"
    }
    guard Loopback.contains(host) || hosts.contains(host.lowercased()) else {
      return "found '\(text)', expected an address of this machine; --notify-host \(host) allows it"
    }
    return nil
  }
}
