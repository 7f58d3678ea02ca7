import ChaosHost
import Foundation

/// Makes `Bundle.main.appStoreReceiptURL` answer for the simulated process that asks.
///
/// The property is Foundation's own and cannot be declared a second time, so its implementation is
/// replaced, once for the whole program. Outside a simulated process it answers what it always did
/// (on Linux nothing). In one, as with StoreKit, there is a URL even if there is no file; the file's name is `receipt`,
/// or `sandboxReceipt` where no money is real. It is brought up to date whenever the URL is asked for,
/// and at no other time: an app that keeps the URL reads an old receipt. The bytes are the simulated
/// store's own, and only a simulated backend understands them.
enum ReceiptURL {
  /// Whether the property could be replaced. False in a program that is linked statically on Linux;
  /// there it is nil, as Foundation has it.
  static let isSimulated = install()

  /// What is asked of the running process; nil outside one.
  private static var simulated: URL? { StoreSession.running?.receiptURL() }
}

#if canImport(ObjectiveC)
  extension ReceiptURL {
    private static func install() -> Bool {
      let selector = NSSelectorFromString("appStoreReceiptURL")
      guard let method = class_getInstanceMethod(Bundle.self, selector) else { return false }
      typealias Getter = @convention(c) (Bundle, Selector) -> NSURL?
      let original = unsafeBitCast(method_getImplementation(method), to: Getter.self)
      let getter: @convention(block) (Bundle) -> NSURL? = { bundle in
        simulated.map { $0 as NSURL } ?? original(bundle, selector)
      }
      method_setImplementation(method, imp_implementationWithBlock(getter))
      return true
    }
  }
#else
  extension ReceiptURL {
    /// A function as a property keeps it: code, and a context that is passed where a method gets `self`.
    private struct Getter {
      let function: () -> URL?
    }

    private static func install() -> Bool {
      let name = "$s10Foundation6BundleC18appStoreReceiptURL0A10Essentials0F0VSgvg"
      guard let original = dlsym(dlopen(nil, RTLD_NOW), name) else { return false }
      // A function without a context of its own can stand where a method without arguments stood.
      let getter = Getter { simulated }
      let code = unsafeBitCast(
        getter, to: (code: UnsafeRawPointer, context: UnsafeRawPointer?).self)
      guard code.context == nil else { return false }
      return ClassTable(Bundle.self).replace(original, with: code.code)
    }
  }
#endif
