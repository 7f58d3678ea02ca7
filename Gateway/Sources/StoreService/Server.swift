import AsyncHTTPClient
import ChaosStore
import Foundation
import Hummingbird
import HummingbirdTLS
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle
import StoreSignatures

/// Posts notifications over HTTP.
struct HTTPPoster: NotificationPoster {
  let client: HTTPClient
  /// How long Apple waits for an answer.
  let patience: TimeAmount

  func post(_ body: [UInt8], to url: String) async -> LiveStore.Answer {
    var request = HTTPClientRequest(url: url)
    request.method = .POST
    request.headers.add(name: "content-type", value: "application/json")
    request.body = .bytes(body)
    do {
      let response = try await client.execute(request, timeout: patience)
      // What it says beside the status Apple does not read either.
      _ = try? await response.body.collect(upTo: 1_000_000)
      return .status(Int(clamping: response.status.code))
    } catch let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout {
      return .timedOut
    } catch {
      return .noResponse
    }
  }
}

/// Lets the time of a shop pass with that of the wall.
struct Ticker: Service {
  let shop: Shop

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        let next = await shop.untilNext() ?? 1000
        try? await Task.sleep(for: .milliseconds(min(max(next, 1), 1000)))
      }
    }
  }
}

/// The store at its ports.
public struct StoreServer: Sendable {
  /// Where it is found.
  public struct Ports: Sendable, Equatable {
    /// The address of this machine that it listens at.
    public var host = "127.0.0.1"
    /// HTTP: Apple's interfaces, the responder of the chain, and whoever drives the store.
    public var plain: Int
    /// HTTPS, in the name of Apple's hosts.
    public var secure: Int
    /// The proxy that takes backends there.
    public var proxy: Int

    /// These ports; one that is 0 becomes some port that is free.
    public init(plain: Int, secure: Int, proxy: Int) throws {
      var free = try Self.free([plain, secure, proxy].count { $0 == 0 })
      self.plain = plain == 0 ? free.removeLast() : plain
      self.secure = secure == 0 ? free.removeLast() : secure
      self.proxy = proxy == 0 ? free.removeLast() : proxy
    }

    /// Ports that nobody listens at now.
    private static func free(_ count: Int) throws -> [Int] {
      let channels = try (0..<count).map { _ in
        try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
          .bind(host: "127.0.0.1", port: 0).wait()
      }
      defer { for channel in channels { try? channel.close().wait() } }
      return channels.compactMap { $0.localAddress?.port }
    }

    /// The one of them that another program listens at; nil where they are free.
    public var taken: Int? {
      [plain, secure, proxy].first { port in
        do {
          try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: host, port: port).wait().close().wait()
          return false
        } catch {
          return (error as? IOError)?.errnoCode == EADDRINUSE
        }
      }
    }

    /// Where revocation is asked.
    public var responder: String { "http://127.0.0.1:\(plain)/ocsp" }
  }

  let shop: Shop
  let chain: SigningChain
  let ports: Ports
  let client: HTTPClient

  /// A store with these settings, that signs with this chain.
  public init(
    _ settings: Shop.Settings, _ chain: SigningChain, _ ports: Ports
  ) throws {
    client = Self.makeClient()
    self.chain = chain
    self.ports = ports
    do {
      shop = try Shop(
        settings, signer: try StoreSigner(chain),
        poster: HTTPPoster(client: client, patience: .seconds(10)))
    } catch {
      // An HTTPClient that is freed without a shutdown ends the program.
      client.shutdown { _ in }
      throw error
    }
  }

  /// What notifications are sent with.
  static func makeClient() -> HTTPClient {
    // The backend may have a certificate of its own making, and be reached by no proxy.
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.certificateVerification = .none
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: tls, redirectConfiguration: .disallow)
    // Where nobody listens a notification has failed at once, as it would for Apple.
    configuration.connectionPool.retryConnectionEstablishment = false
    return HTTPClient(
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
  }

  /// Serves until SIGINT or SIGTERM; says when it listens at all its ports.
  public func run(_ isReady: @escaping @Sendable () -> Void) async throws {
    defer { client.shutdown { _ in } }
    var logger = Logger(label: "chaos-gateway")
    logger.logLevel = .error
    let waiting = Countdown(2, isReady)
    let routes = Routes(shop, chain)
    func configuration(_ port: Int) -> ApplicationConfiguration {
      ApplicationConfiguration(address: .hostname(ports.host, port: port))
    }
    let plain = Application(
      router: routes.router(), configuration: configuration(ports.plain),
      onServerRunning: { _ in waiting.count() }, logger: logger)
    let secure = Application(
      router: routes.router(),
      server: try .tls(.http1(), tlsConfiguration: try chain.serverConfiguration()),
      configuration: configuration(ports.secure),
      onServerRunning: { _ in waiting.count() }, logger: logger)
    let proxy = Proxy(host: ports.host, port: ports.proxy, tlsPort: ports.secure)
    let group = ServiceGroup(
      configuration: .init(
        services: [
          .init(service: plain), .init(service: secure), .init(service: proxy),
          .init(service: Ticker(shop: shop)),
        ], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    try await group.run()
  }
}

/// Calls back once all have come.
private final class Countdown: Sendable {
  private let left: NIOLockedValueBox<Int>
  private let done: @Sendable () -> Void

  init(_ count: Int, _ done: @escaping @Sendable () -> Void) {
    left = NIOLockedValueBox(count)
    self.done = done
  }

  func count() {
    let isLast = left.withLockedValue {
      $0 -= 1
      return $0 == 0
    }
    if isLast { done() }
  }
}

extension SigningChain {
  /// How the store speaks TLS.
  func serverConfiguration() throws -> TLSConfiguration {
    .makeServerConfiguration(
      certificateChain: [
        .certificate(try NIOSSLCertificate(bytes: try server.der(), format: .der))
      ],
      privateKey: .privateKey(
        try NIOSSLPrivateKey(bytes: Array(server.key.derRepresentation), format: .der)))
  }
}
