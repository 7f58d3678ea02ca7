/// Every planted defect, to measure a search by.
public enum MutantBank {
  /// One for each defect, in the order of the catalogue.
  public static let mutants = Defect.allCases.map(Mutant.init)
}
