//
//  Wallet.swift
//  Lanternfall
//

import Combine
import Foundation

final class Wallet: ObservableObject {

    static let catalog: [String: Int] = [
        "lanternfall.embers.small": 80,
        "lanternfall.embers.large": 500
    ]

    @Published private(set) var embers: Int

    private let defaults: UserDefaults
    private var bag = Set<AnyCancellable>()

    init(defaults: UserDefaults = .standard) {
        self.defaults = defaults
        embers = defaults.integer(forKey: "wallet.embers")

        $embers
            .dropFirst()
            .removeDuplicates()
            .sink { defaults.set($0, forKey: "wallet.embers") }
            .store(in: &bag)
    }

    func deliver(_ productID: String) {
        guard let amount = Self.catalog[productID] else { return }
        embers += amount
    }

    func spend(_ amount: Int) -> Bool {
        guard embers >= amount else { return false }
        embers -= amount
        return true
    }
}
