import ChaosRunner

Runner.main()
