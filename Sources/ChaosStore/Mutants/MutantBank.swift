/// Every planted defect, to measure a search by.
package enum MutantBank {
  /// One for each defect, in the order of the catalogue.
  package static let mutants = Defect.allCases.map(Mutant.init)
}
