import Foundation

/// Numbers in a file that two processes have in memory, so that they outlive a crash of one.
final class Board {
  private let numbers: UnsafeMutablePointer<Int>
  private static let size = 4096

  /// The board of a path; made where there is none.
  init(_ path: String) throws {
    let file = open(path, O_RDWR | O_CREAT, 0o600)
    guard file >= 0, ftruncate(file, off_t(Self.size)) == 0,
      let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
      memory != MAP_FAILED
    else { throw CorpusError(description: "\(path) cannot be written") }
    close(file)
    numbers = memory.bindMemory(to: Int.self, capacity: Self.size / MemoryLayout<Int>.size)
  }

  deinit { munmap(numbers, Self.size) }

  /// The case under way.
  var current: Int {
    get { numbers[0] }
    set { numbers[0] = newValue }
  }

  /// Whether no further case is to begin.
  var isStopped: Bool {
    get { numbers[1] != 0 }
    set { numbers[1] = newValue ? 1 : 0 }
  }

  func count(_ surface: Surface) -> Int { numbers[Self.place(of: surface)] }
  func accepted(_ surface: Surface) -> Int { numbers[Self.place(of: surface) + 1] }

  func began(_ surface: Surface) { numbers[Self.place(of: surface)] += 1 }
  func accepted(one surface: Surface) { numbers[Self.place(of: surface) + 1] += 1 }

  private static func place(of surface: Surface) -> Int {
    8 + 2 * Surface.allCases.firstIndex(of: surface)!
  }
}
