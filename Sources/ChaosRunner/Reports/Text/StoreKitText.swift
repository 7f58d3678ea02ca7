import ChaosStore

/// What `check` says of a `.storekit` file.
struct StoreKitText {
  let text: String

  init(_ file: StoreKitFile, path: String, width: Int) {
    let head =
      "\(path): \(file.products.count.of("product")), \(file.switches.count.of("fault")) switched on, "
      + "\(file.remarks.count.of("thing")) not simulated"
    let switches = file.switches.flatMap { one in
      let fault = one.fault.entry
      let only = one.fault.needsHostedApp ? "; strikes hosted apps" : ""
      return String.hanging(
        "  \(one.path)  ", "\(fault.code) \(fault.name): \(fault.short)\(only)", width: width)
    }
    let remarks = file.remarks.flatMap { remark in
      String.hanging("  \(remark.path)  ", remark.what, width: width)
    }
    text =
      [
        head.wrapped(to: width), Self.section("Sells", Self.products(file)),
        Self.section("Strikes at every chance until the heal", switches),
        Self.section("Not simulated", remarks),
      ].asParagraphs
  }

  private static func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [title] + lines
  }

  private static func products(_ file: StoreKitFile) -> [String] {
    let widest = file.products.map(\.name.count).max() ?? 0
    return file.products.map { product in
      let name = product.name + String(repeating: " ", count: widest - product.name.count)
      let family = product.isFamilyShareable ? ", shared with the family" : ""
      guard let renewal = product.renewal else {
        return "  \(name)  \(product.kindName)" + family
      }
      let grace = renewal.graceDays == 0 ? "" : ", \(renewal.graceDays.of("day")) of grace"
      let offers = renewal.offers.isEmpty ? "" : ", \(renewal.offers.count.of("offer"))"
      let group = renewal.group.map { ", group \($0)" } ?? ""
      return "  \(name)  auto-renewable, \(renewal.period)\(group), level \(renewal.level)"
        + grace + offers + family
    }
  }
}
