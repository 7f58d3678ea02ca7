import Combine
import Testing

@Suite("The stand-ins for Combine")
struct StandInTests {
  @Test("An ObservableObject tells who subscribed of changes before they happen, until they cancel")
  func settings() {
    let settings = Settings()
    var notes: [String] = []
    settings.follow { notes.append($0) }
    settings.volume = 2
    settings.volume = 2
    settings.rename("anna")
    #expect(
      notes == ["will change", "volume 2", "will change", "will change", "saved anna"])
    settings.forget()
    settings.volume = 3
    #expect(notes.count == 5)
    #expect(settings.volume == 3)
  }

  @Test("A CurrentValueSubject gives a new subscriber the present value, and nothing after the end")
  func current() {
    let subject = CurrentValueSubject<Int, Never>(1)
    var notes: [String] = []
    let first = subject.sink {
      notes.append("ended \($0)")
    } receiveValue: {
      notes.append("\($0)")
    }
    subject.value = 2
    subject.send(completion: .finished)
    subject.send(3)
    let second = subject.sink { _ in
      notes.append("over")
    } receiveValue: { _ in
      notes.append("?")
    }
    #expect(notes == ["1", "2", "ended finished", "over"])
    #expect(subject.value == 2)
    withExtendedLifetime((first, second)) {}
  }
}
