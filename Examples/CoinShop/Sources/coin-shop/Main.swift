import ChaosRunner
import ChaosStore
import CoinShopSimulation

@main
enum Main {
  static func main() {
    Runner.main(systems: [
      AnySystem(CoinShop2.self), AnySystem(CoinShop1.self), AnySystem(HastyCoinShop.self),
      AnySystem(MemberShop.self), AnySystem(TrustingMemberShop.self),
    ])
  }
}
