// `import StoreKit` brings Foundation with it, and on Apple platforms a purchase manager finds
// `ObservableObject` without another import. Files rely on both.
@_exported import Foundation

#if !canImport(Combine)
  @_exported import ChaosCombine
#endif
