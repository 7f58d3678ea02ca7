import Combine
import Foundation
import os

// Ordinary code that needs Combine and os. Nothing in this file knows of the simulator.

final class Settings: ObservableObject {
  @Published var volume = 1
  @Published private(set) var name = "none"
  let saved = PassthroughSubject<String, Never>()
  private let logger = Logger(subsystem: "com.example.coins", category: "settings")
  private var cancellables: Set<AnyCancellable> = []

  func rename(_ name: String) {
    logger.info("renamed to \(name, privacy: .public), volume \(self.volume, format: .decimal)")
    self.name = name
    saved.send(name)
  }

  func follow(_ note: @escaping (String) -> Void) {
    objectWillChange.sink { note("will change") }.store(in: &cancellables)
    $volume.dropFirst().removeDuplicates().map { "volume \($0)" }.sink(receiveValue: note)
      .store(in: &cancellables)
    saved.eraseToAnyPublisher().sink { note("saved \($0)") }.store(in: &cancellables)
  }

  func forget() {
    cancellables.removeAll()
  }
}
