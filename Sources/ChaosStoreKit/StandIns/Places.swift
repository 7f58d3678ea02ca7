#if os(Linux)
  import Foundation

  // What Foundation has on Apple's platforms alone. In a hosted app these are its own places.

  extension URL {
    private static func first(_ directory: FileManager.SearchPathDirectory) -> URL {
      FileManager.default.urls(for: directory, in: .userDomainMask).first ?? homeDirectory
    }

    /// The folder for what the person has made.
    public static var documentsDirectory: URL { first(.documentDirectory) }
    /// The folder for what the app keeps; it is there once the app has made it.
    public static var applicationSupportDirectory: URL { first(.applicationSupportDirectory) }
    /// The folder for what can be made again.
    public static var cachesDirectory: URL { first(.cachesDirectory) }
    /// The folder that has those of the app's own files in it.
    public static var libraryDirectory: URL { first(.libraryDirectory) }
  }
#endif
