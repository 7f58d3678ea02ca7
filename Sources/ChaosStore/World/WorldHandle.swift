/// The one way in which ports, engine and observers reach the world of a simulation.
///
/// A world is a plain struct that is shared without reference counting: the engine that made it owns
/// it and outlives every handle that is lent to a handler.
struct WorldHandle: WorldUser {
  var handle: WorldHandle { self }
  fileprivate let pointer: UnsafeMutablePointer<World>

  /// Gives a world its place in memory, until ``destroy()``.
  init(_ world: consuming World) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: world)
  }

  /// Ends the world; no handle may be used any more.
  func destroy() {
    pointer.pointee.deallocate()
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}

/// Whoever works on a world through a handle, and calls it `world`.
protocol WorldUser {
  var handle: WorldHandle { get }
}

extension WorldUser {
  @inline(__always) var world: World {
    unsafeAddress { UnsafePointer(handle.pointer) }
    nonmutating unsafeMutableAddress { handle.pointer }
  }
}
