#if os(Linux)
  import Foundation

  /// Sees responses being put into a `URLCache` by code on a simulated thread: `URLCache.shared` is one for the
  /// program, so that other simulations, and processes that begin later, would find them there.
  ///
  /// Nothing else comes into it, as no transfer of a `URLSession` begins.
  enum SharedCache {
    private typealias Code = UnsafeMutableRawPointer

    /// A method of two objects, each of which is passed by its address.
    private struct Store {
      let function: (UnsafeRawPointer, UnsafeRawPointer) -> Void
    }

    private static let cache = "$s20FoundationNetworking8URLCacheC"
    nonisolated(unsafe) private static var originalForRequest: Code?
    nonisolated(unsafe) private static var originalForTask: Code?

    /// In a program that has Foundation's networking.
    static func replaceMethods() {
      let store = "\(cache)19storeCachedResponse_3foryAA0E11URLResponseC_AA"
      guard let metadata = Symbols.address(of: "\(cache)N") else { return }
      let table = ClassTable(metadata)
      originalForRequest = Symbols.address(of: "\(store)10URLRequestVtF")
      originalForTask = Symbols.address(of: "\(store)18URLSessionDataTaskCtF")
      if let originalForRequest, let code = MethodCode.ofMade(storeForRequest) {
        table.replace(originalForRequest, with: code)
      }
      if let originalForTask, let code = MethodCode.ofMade(storeForTask) {
        table.replace(originalForTask, with: code)
      }
    }

    @inline(never)
    private static func storeForRequest(_ cache: AnyObject) -> Store {
      Store { store($0, $1, in: cache, originalForRequest) }
    }

    @inline(never)
    private static func storeForTask(_ cache: AnyObject) -> Store {
      Store { store($0, $1, in: cache, originalForTask) }
    }

    private static func store(
      _ response: UnsafeRawPointer, _ key: UnsafeRawPointer, in cache: AnyObject, _ original: Code?
    ) {
      Host.note(.programState, "storing a response in a URLCache")
      guard let original else { return }
      MethodCode.closure(original, of: cache, as: Store.self).function(response, key)
    }
  }
#endif
