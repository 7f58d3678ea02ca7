//
//  ReceiptValidator.swift
//  Fernweh
//

import Foundation

struct ValidationRequest: Encodable {
    let signedTransaction: String
    let bundleId: String
}

struct ValidationResponse: Decodable {
    let valid: Bool
    let productId: String?
}

enum ValidationError: Error {
    case badStatus(Int)
    case rejected
}

protocol ReceiptValidating: Sendable {
    func validate(jws: String) async throws -> ValidationResponse
}

struct ServerReceiptValidator: ReceiptValidating {

    var endpoint = URL(string: "https://api.example.com/verify")!
    var session: URLSession = .shared

    func validate(jws: String) async throws -> ValidationResponse {
        var request = URLRequest(url: endpoint)
        request.httpMethod = "POST"
        request.timeoutInterval = 20
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(
            ValidationRequest(signedTransaction: jws,
                              bundleId: Bundle.main.bundleIdentifier ?? "")
        )

        let (data, response) = try await session.data(for: request)

        if let http = response as? HTTPURLResponse, !(200..<300).contains(http.statusCode) {
            throw ValidationError.badStatus(http.statusCode)
        }

        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(ValidationResponse.self, from: data)
    }
}
