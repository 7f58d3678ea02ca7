import ChaosRunner
import ChaosStore

Runner.main(systems: [AnySystem(CornerShop.self)])
