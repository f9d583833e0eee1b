// Rules of scenario scripts.

internal import ReelCore

extension Rule {
  static let scriptTime = Rule(
    "script.time", "a line begins with a time in seconds, a fraction or h:mm:ss, not below zero")
  static let scriptCommand = Rule("script.command", "the command is known")
  static let scriptArgument = Rule("script.argument", "the arguments are those of the command")
  static let scriptNumber = Rule("script.number", "the argument is a finite number")
  static let scriptQuote = Rule("script.quote", "a quoted text is closed on its line")
  static let scriptPath = Rule(
    "script.path", "a path is made of M L H V Q C Z and their numbers, and begins with M")
  static let scriptSize = Rule("script.size", "a script has at most 1,000,000 lines")
}
