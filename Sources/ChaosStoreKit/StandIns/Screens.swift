#if !canImport(UIKit)
  /// Screens are not simulated.
  @available(
    *, unavailable,
    message: "screens are not simulated: keep what needs a scene in files of its own"
  )
  open class UIWindowScene {}

  /// Screens are not simulated.
  @available(
    *, unavailable,
    message: "screens are not simulated: keep view controllers in files of their own"
  )
  open class UIViewController {}
#endif
