/// What every page has around it: one file that needs nothing else, and may fetch nothing.
struct PageFrame {
  var title: String
  /// What stands above everything, in marks.
  var head: String
  /// What it says, in marks.
  var sections: [String]
  /// What gives the same page again, such as `The same files and options`.
  var cause: String
  /// Whether it can be stepped through.
  var hasScript = false

  var text: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/>
    <meta name="color-scheme" content="light dark"/>
    <meta http-equiv="Content-Security-Policy" content="\(policy)"/>
    <title>\(title.html)</title>
    <style>
    \(Self.text(of: PackageResources.report_css))</style>
    </head>
    <body>
    \(head)
    <main>
    \(sections.joined(separator: "\n"))
    </main>
    <footer><p>Written by ChaosStore \(Runner.version.html). \
    \(cause.html) give the same page.</p></footer>
    \(script)</body>
    </html>

    """
  }

  private var policy: String {
    "default-src 'none'; style-src 'unsafe-inline'"
      + (hasScript ? "; script-src 'unsafe-inline'; img-src data:" : "")
  }

  private var script: String {
    hasScript ? "<script>\n\(Self.text(of: PackageResources.report_js))</script>\n" : ""
  }

  private static func text(of bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
