import ChaosStore
import CoinShopSimulation
import HeldBackends

/// `hosted-client backend.json`: as `chaos-gateway run`, with `"client": "coin-shop"` in the file.
@main
enum Main {
  static func main() {
    BackendCampaign.main(clients: [AnySystem(CoinShop2.self), AnySystem(CoinShop1.self)])
  }
}
