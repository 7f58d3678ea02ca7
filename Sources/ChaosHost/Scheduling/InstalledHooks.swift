/// What of Swift's runtime is led to hosts; found out once, before there is a host.
enum InstalledHooks {
  /// Whether the runtime has the two hooks without which nothing is simulated.
  @exclusivity(unchecked) nonisolated(unsafe) static var takeTasks = false
  /// Whether every task that is created on a simulated thread is seen being created.
  @exclusivity(unchecked) nonisolated(unsafe) static var seeTasksCreated = false
}
