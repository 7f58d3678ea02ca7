import Foundation
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import StoreSignatures

/// An HTTP proxy that takes whoever wants to reach Apple to the store instead, and to nobody else but this machine.
///
/// That is how an unmodified backend gets here: its runtime is told of a proxy, and of one more root to trust.
public struct Proxy: Service {
  let host: String
  let port: Int
  let tlsPort: Int

  /// A proxy at a port, in front of the port at which the store speaks TLS.
  public init(host: String, port: Int, tlsPort: Int) {
    self.host = host
    self.port = port
    self.tlsPort = tlsPort
  }

  /// Serves until it is told to stop.
  public func run() async throws {
    let (host, tlsPort) = (host, tlsPort)
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Greeting(host: host, tlsPort: tlsPort))
        }
      }
      .bind(host: host, port: port).get()
    await withGracefulShutdownHandler {
      try? await channel.closeFuture.get()
    } onGracefulShutdown: {
      channel.close(promise: nil)
    }
  }

  /// Where a request line wants to go; nil where nobody is taken there.
  static func destination(_ line: Substring, tlsPort: Int) -> (host: String, port: Int)? {
    let parts = line.split(separator: " ")
    guard parts.count == 3 else { return nil }
    let isTunnel = parts[0] == "CONNECT"
    var target = parts[1]
    if !isTunnel {
      guard target.hasPrefix("http://") else { return nil }
      target = target.dropFirst("http://".count).prefix { $0 != "/" && $0 != "?" }
    }
    let pieces = target.split(separator: ":")
    guard let name = pieces.first,
      let port = pieces.count == 2 ? UInt16(pieces[1], radix: 10) : isTunnel ? 443 : 80
    else { return nil }
    if isTunnel, SigningChain.appleHosts.contains(String(name)) { return ("127.0.0.1", tlsPort) }
    return ["127.0.0.1", "localhost"].contains(name) ? ("127.0.0.1", Int(clamping: port)) : nil
  }
}

/// Reads the first request of a connection, and joins it with where that wants to go.
final class Greeting: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let host: String
  private let tlsPort: Int
  private var received = ByteBuffer()
  private var isConnecting = false
  /// True if the client has closed its side.
  private var isInputClosed = false
  private static let mostBytes = 65_536
  /// The time limit for the first request of a connection.
  private static let patience = TimeAmount.seconds(10)

  init(host: String, tlsPort: Int) {
    self.host = host
    self.tlsPort = tlsPort
  }

  func channelActive(context: ChannelHandlerContext) {
    let me = NIOLoopBound(self, eventLoop: context.eventLoop)
    let channel = context.channel
    context.eventLoop.scheduleTask(in: Self.patience) {
      if !me.value.isConnecting { channel.close(promise: nil) }
    }
    context.fireChannelActive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard let event = event as? ChannelEvent, case .inputClosed = event else { return }
    isInputClosed = true
    if !isConnecting { context.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var buffer = unwrapInboundIn(data)
    received.writeBuffer(&buffer)
    guard !isConnecting else { return }
    // By bytes: what is no text has another length as text.
    let bytes = Array(received.readableBytesView)
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
      if received.readableBytes > Self.mostBytes { refuse(context, "431 Request Header Too Large") }
      return
    }
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)[...]
    guard let (host, port) = Proxy.destination(line, tlsPort: tlsPort) else {
      return refuse(
        context, "403 Forbidden",
        "this proxy leads to the App Store and this machine alone: \(line)\n")
    }
    isConnecting = true
    let isTunnel = line.hasPrefix("CONNECT ")
    if isTunnel { received.moveReaderIndex(forwardBy: end.upperBound) }
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let me = NIOLoopBound(self, eventLoop: context.eventLoop)
    ClientBootstrap(group: context.eventLoop)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .connect(host: host, port: port)
      .whenComplete { result in
        switch result {
        case .success(let other): me.value.join(bound.value, other, isTunnel: isTunnel)
        case .failure:
          me.value.refuse(bound.value, "502 Bad Gateway", "nobody answers at \(host):\(port)\n")
        }
      }
  }

  private func join(_ context: ChannelHandlerContext, _ other: any Channel, isTunnel: Bool) {
    guard context.channel.isActive else { return other.close(promise: nil) }
    let (near, far) = (Glue(), Glue())
    near.partner = far
    far.partner = near
    do {
      if isTunnel {
        context.writeAndFlush(
          wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n")),
          promise: nil)
      }
      try context.pipeline.syncOperations.addHandler(near)
      try other.pipeline.syncOperations.addHandler(far)
      if received.readableBytes > 0 { other.writeAndFlush(received, promise: nil) }
      if isInputClosed { other.close(mode: .output, promise: nil) }
      context.pipeline.syncOperations.removeHandler(self, promise: nil)
    } catch {
      other.close(promise: nil)
      context.close(promise: nil)
    }
  }

  private func refuse(_ context: ChannelHandlerContext, _ status: String, _ body: String = "") {
    let text =
      "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text))).whenComplete { _ in
      channel.close(promise: nil)
    }
  }
}

/// Hands on to its partner what comes in.
private final class Glue: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  var partner: Glue?
  private var context: ChannelHandlerContext?

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    partner = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    partner?.context?.write(data, promise: nil)
  }

  func channelReadComplete(context: ChannelHandlerContext) { partner?.context?.flush() }

  func channelInactive(context: ChannelHandlerContext) { partner?.context?.close(promise: nil) }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, case .inputClosed = event {
      partner?.context?.close(mode: .output, promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
