import ChaosRunner

Runner.main(reporters: Reporters.builtIn + [MarkdownReporter()])
