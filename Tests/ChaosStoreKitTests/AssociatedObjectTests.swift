#if !canImport(ObjectiveC)
  import Testing

  @testable import StoreKit

  private class Owner {}

  private final class Watch: @unchecked Sendable {
    weak var owner: Owner?
  }

  nonisolated(unsafe) private var firstKey: UInt8 = 0
  nonisolated(unsafe) private var secondKey: UInt8 = 0

  @Suite("Associated objects")
  struct AssociatedObjectTests {
    @Test("An object has what was associated with it under a key, and no other object does")
    func association() {
      let stage = Stage()
      stage.enter {
        let (owner, other) = (Owner(), Owner())
        let policy = objc_AssociationPolicy.OBJC_ASSOCIATION_RETAIN_NONATOMIC
        objc_setAssociatedObject(owner, &firstKey, "coins", policy)
        objc_setAssociatedObject(owner, &secondKey, 5, policy)
        stage.note("\(objc_getAssociatedObject(owner, &firstKey) as? String ?? "none")")
        stage.note("\(objc_getAssociatedObject(owner, &secondKey) as? Int ?? 0)")
        stage.note("\(objc_getAssociatedObject(other, &firstKey) == nil)")
        objc_setAssociatedObject(owner, &firstKey, nil, policy)
        stage.note("\(objc_getAssociatedObject(owner, &firstKey) == nil)")
        objc_removeAssociatedObjects(owner)
        stage.note("\(objc_getAssociatedObject(owner, &secondKey) == nil)")
      }
      #expect(stage.notes == ["coins", "5", "true", "true", "true"])
    }

    @Test("What was associated goes with the process, and the object with it")
    func end() {
      let stage = Stage()
      let watch = Watch()
      stage.enter {
        let owner = Owner()
        watch.owner = owner
        objc_setAssociatedObject(owner, &firstKey, 1, .OBJC_ASSOCIATION_RETAIN)
      }
      #expect(watch.owner != nil)
      stage.kill()
      #expect(watch.owner == nil)
    }
  }
#endif
