/// The `.storekit` files that a scenario file names, each of them read once.
final class StoreKitFiles {
  private let contents: ((_ path: String) throws -> String?)?
  private var known: [String: StoreKitFile] = [:]

  /// `contents` gives the text of a file by its path, and nil where there is none; nil where no file can be looked
  /// for.
  init(_ contents: ((_ path: String) throws -> String?)?) { self.contents = contents }

  /// The file that a key names. What is wrong with it is said with its path before the place in it.
  func file(_ node: JSONNode) throws(ScenarioError) -> StoreKitFile {
    let expected = "the path of a .storekit file, from this file's folder on"
    let path = try node.string(expected)
    if let file = known[path] { return file }
    let text = try text(path, node, expected)
    do throws(ScenarioError) {
      let file = try StoreKitFile(json: text)
      guard !file.products.isEmpty else {
        throw ScenarioError(
          keyPath: "products", found: "nothing that is simulated",
          expected: "at least one product here or in subscriptionGroups")
      }
      known[path] = file
      return file
    } catch {
      let place = error.keyPath.isEmpty ? path.shortened : "\(path.shortened): \(error.keyPath)"
      throw ScenarioError(keyPath: place, found: error.found, expected: error.expected)
    }
  }

  private func text(
    _ path: String, _ node: JSONNode, _ expected: String
  ) throws(ScenarioError) -> String {
    guard let contents else {
      throw node.error(expected: "products in its place, as no file can be read from here")
    }
    let text: String?
    do { text = try contents(path) } catch {
      throw node.error(
        found: "'\(path.shortened)', which cannot be read: \(error)", expected: expected)
    }
    guard let text else {
      throw node.error(found: "'\(path.shortened)', which is not there", expected: expected)
    }
    return text
  }
}
