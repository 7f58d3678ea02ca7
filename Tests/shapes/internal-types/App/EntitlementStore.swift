//
//  EntitlementStore.swift
//  Fernweh
//

import Foundation

struct Entitlements: Codable, Equatable {
    var offlineMaps = false
    var routeCredits = 0
    var processed: Set<UInt64> = []
}

final class EntitlementStore {

    private let fileURL: URL
    private let lock = NSLock()
    private var state: Entitlements

    init(directory: URL = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]) {
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        fileURL = directory.appendingPathComponent("entitlements.json")
        if let data = try? Data(contentsOf: fileURL),
           let saved = try? JSONDecoder().decode(Entitlements.self, from: data) {
            state = saved
        } else {
            state = Entitlements()
        }
    }

    var current: Entitlements {
        lock.lock()
        defer { lock.unlock() }
        return state
    }

    func update(_ change: (inout Entitlements) -> Void) throws {
        lock.lock()
        defer { lock.unlock() }
        var copy = state
        change(&copy)
        try JSONEncoder().encode(copy).write(to: fileURL, options: .atomic)
        state = copy
    }
}
