// `import StoreKit` brings Foundation with it, and files rely on that.
@_exported import Foundation
