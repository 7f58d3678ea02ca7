import ChaosSources
import ChaosStore
import Foundation

/// What an app sells, as far as its files say.
struct ProductCatalog {
  struct Product: Equatable {
    let id: String
    /// Whether it can be bought again and again; nil where no file says.
    let isConsumable: Bool?
    /// Whether it is a subscription that is not renewed.
    var isNonRenewing = false
  }

  private(set) var products: [Product] = []
  /// What is in a file and not in the package, with the reason.
  private(set) var leftOut: [String] = []

  /// From `.storekit` files if there is one, else from property lists, else from what the sources name.
  init(storeKitFiles: [(path: String, text: String)], lists: [String], survey: PurchaseSurvey)
    throws(Failure)
  {
    for (path, text) in storeKitFiles { try read(path, text) }
    if products.isEmpty {
      for list in lists {
        for id in Self.identifiers(in: list) where !products.contains(where: { $0.id == id }) {
          products.append(Product(id: id, isConsumable: nil))
        }
      }
    }
    if products.isEmpty {
      // Entitlements are all there is to see where nothing is written down: nothing of it is consumed.
      let isOwned =
        survey.asksForEntitlements && survey.keys.isEmpty && survey.network == nil
        && !survey.keepsRecords
      products = survey.productIDs.map { Product(id: $0, isConsumable: isOwned ? false : nil) }
    }
  }

  /// The identifiers in a property list, or none if it has no such thing.
  static func identifiers(in path: String) -> [String] {
    guard let data = FileManager.default.contents(atPath: path),
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
    else { return [] }
    return texts(in: list).filter(PurchaseSurvey.looksLikeProduct)
  }

  private static func texts(in list: Any) -> [String] {
    if let text = list as? String { return [text] }
    if let items = list as? [Any] { return items.flatMap(texts) }
    if let items = list as? [String: Any] {
      return items.sorted { $0.key < $1.key }.flatMap { texts(in: $0.value) }
    }
    return []
  }

  private mutating func read(_ path: String, _ text: String) throws(Failure) {
    let file: StoreKitFile
    do { file = try StoreKitFile(json: text) } catch { throw .noVerdict("\(path): \(error)") }
    for product in file.products {
      if let renewal = product.renewal {
        leftOut.append(
          "\(product.name): a subscription (\(renewal.period)) needs a world of months, which you write "
            + "with \"storekit\"; Docs/SCENARIOS.md says how")
      } else {
        products.append(
          Product(
            id: product.name, isConsumable: product.isRepeatable,
            isNonRenewing: product.kind == .nonRenewing))
      }
    }
    leftOut += file.remarks.map(\.description)
  }
}
