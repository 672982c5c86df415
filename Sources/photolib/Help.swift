/// The texts of `--help`.
enum Help {
  static let version = "photolib 0.1.0"

  /// What `photolib --help` prints.
  static func overview() -> String {
    var text = """
      photolib: a photo library whose clients see only what its owner selected for them.

      usage: photolib [GLOBAL OPTIONS] COMMAND [OPTIONS] [ARGUMENTS]

      commands:

      """
    for command in Invocation.commands {
      text += "  \(pad(command.name, toColumns: 8)) \(command.summary)\n"
    }
    text += "\nglobal options:\n" + list(Option.global)
    text += """

      A first round:
        photolib add ~/Pictures/holiday       # makes the library, adds what is in the folder
        photolib select --limited *.jpg       # local.default now sees only these
        photolib fetch --thumbs               # and gets thumbnails of only these
        photolib select --full                # and everything again

      exit status: 0 done, 1 done in part, 64 usage, 65 damaged data, 66 no such input or asset,
        69 no library, 73 cannot create, 74 I/O error, 75 busy, 77 not permitted,
        130 and 143 interrupted.
        A reader that closes the pipe early ends a command quietly, with 0.

      photolib COMMAND --help says more.

      """
    return text
  }

  /// What `photolib COMMAND --help` prints.
  static func text(of command: any Command.Type) -> String {
    var text = "\(command.summary.prefix(1).uppercased())\(command.summary.dropFirst()).\n\n"
    for (index, form) in command.forms.enumerated() {
      let lead = index == 0 ? "usage: " : "       "
      text += "\(lead)photolib \(command.name)\(form.isEmpty ? "" : " " + form)\n"
    }
    if !command.options.isEmpty { text += "\noptions:\n" + list(command.options) }
    text += "\n\(command.details)\n"
    text += "\nglobal options:\n" + list(globalOptions(of: command))
    return text
  }

  /// The global options that a command takes.
  static func globalOptions(of command: any Command.Type) -> [Option] {
    Option.global.filter { option in
      switch option.name {
      case .client: command.actor != .ownerOnly
      case .owner: command.actor == .reads
      default: true
      }
    }
  }

  private static func list(_ options: [Option]) -> String {
    let names = options.map { option in
      let letter = option.letter.map { "-\($0), " } ?? "    "
      return letter + option.name.text + (option.value.map { " \($0)" } ?? "")
    }
    let width = min(26, names.map(displayWidth).max() ?? 0)
    return zip(names, options).map { name, option in
      let lines = wrap(option.help, columns: 96 - width)
      let indent = "\n" + String(repeating: " ", count: width + 4)
      let gap = displayWidth(name) > width ? indent : "  "
      return "  " + pad(name, toColumns: width) + gap + lines.joined(separator: indent) + "\n"
    }.joined()
  }

  /// Breaks a text at blanks into lines of at most so many columns.
  private static func wrap(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, displayWidth(last) + 1 + displayWidth(String(word)) <= columns {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
