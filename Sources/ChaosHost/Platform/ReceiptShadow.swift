import Foundation

/// `Bundle.main.appStoreReceiptURL`, as code on a simulated thread finds it: the process that is running
/// answers.
///
/// The property is Foundation's own and cannot be declared a second time, so its implementation is
/// replaced, once for the whole program. Outside a simulated process, and in one without stand-ins, it
/// answers what it always did; on Linux that is nothing.
enum ReceiptShadow {
  private static var simulated: URL? { Host.standIns?.receiptURL() }

  #if canImport(ObjectiveC)
    static func install() {
      let selector = NSSelectorFromString("appStoreReceiptURL")
      guard let method = class_getInstanceMethod(Bundle.self, selector) else { return }
      typealias Getter = @convention(c) (Bundle, Selector) -> NSURL?
      let original = unsafeBitCast(method_getImplementation(method), to: Getter.self)
      let getter: @convention(block) (Bundle) -> NSURL? = { bundle in
        simulated.map { $0 as NSURL } ?? original(bundle, selector)
      }
      method_setImplementation(method, imp_implementationWithBlock(getter))
    }
  #else
    /// A function as a property keeps it: code, and a context that is passed where a method gets `self`.
    private struct Getter {
      let function: () -> URL?
    }

    static func install() {
      let name = "$s10Foundation6BundleC18appStoreReceiptURL0A10Essentials0F0VSgvg"
      guard let original = Symbols.address(of: name) else { return }
      // A function without a context of its own can stand where a method without arguments stood.
      guard let code = MethodCode.ofFree(Getter { simulated }) else { return }
      ClassTable(Bundle.self).replace(original, with: code)
    }
  #endif
}
