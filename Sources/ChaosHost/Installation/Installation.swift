/// What is done once in an operating system process, when its first host is made.
enum Installation {
  static func install() { _ = once }

  private static let once: Void = {
    CurrentHost.prepare()
    RuntimeJob.prepare()
    _ = (SimulatedMain.reference, SimulatedPool.reference, SimulatedEnd.reference)
    RuntimeHooks.install()
    ReceiptShadow.install()
    #if os(Linux)
      var list = ReplacementList()
      TaskCreation.addReplacements(to: &list)
      VirtualClock.addReplacements(to: &list)
      VirtualRandom.addReplacements(to: &list)
      DispatchShadow.addReplacements(to: &list)
      DispatchWaiting.addReplacements(to: &list)
      ConditionWaiting.addReplacements(to: &list)
      DefaultsShadow.addReplacements(to: &list)
      FileCalls.prepare()
      RealFiles.addReplacements(to: &list)
      FileQuestions.addReplacements(to: &list)
      FileClosing.addReplacements(to: &list)
      FolderReading.addReplacements(to: &list)
      FolderWalks.addReplacements(to: &list)
      HomeShadow.addReplacements(to: &list)
      WholeFiles.addReplacements(to: &list)
      RealThreads.addReplacements(to: &list)
      RunLoopShadow.addReplacements(to: &list)
      RealNetwork.addReplacements(to: &list)
      OutputShadow.addReplacements(to: &list)
      SharedObjects.addReplacements(to: &list)
      SharedCache.replaceMethods()
      ProgramState.addReplacements(to: &list)
      let replaced = ImportTables.replace(list)
      InstalledHooks.seeTasksCreated =
        RuntimeJob.isLayoutKnown && replaced.contains("swift_task_create")
    #endif
  }()
}

extension Host {
  /// Makes a host; the first one of an operating system process also installs the hooks.
  package convenience init() {
    Installation.install()
    self.init(inbox: ForeignInbox())
  }
}
