// Tags and Chapters. RFC 9559 §5.1.7, §5.1.8.

public import ReelCore

/// A chapter of an input.
public struct MatroskaChapter: Sendable, Hashable {
  /// In nanoseconds, as chapters are whatever the segment's ticks.
  public var start: MediaTime
  /// Nil when not told.
  public var end: MediaTime?
  /// The first display's text; may be empty.
  public var title: String
  /// ISO 639-2 code of the title; nil when not told.
  public var language: String?
}

/// Tags of the segment and of its tracks.
struct SegmentTags {
  private(set) var tags: [Tag] = []
  private(set) var trackTags: [(uid: UInt64, tag: Tag)] = []

  /// LIMIT: tags; more are left out.
  private static let maximumTags = 1000

  mutating func read(_ element: EBMLElement, _ context: inout EBMLContext) throws(MediaError) {
    var all = self
    defer { self = all }
    try element.forEachChild(&context) { (id, child, context) throws(MediaError) in
      guard id == ElementID.tag else { return }
      var uids: [UInt64] = []
      var concernsOther = false
      var found: [Tag] = []
      try child.forEachChild(&context) { (id, field, context) throws(MediaError) in
        if id == ElementID.targets {
          try field.forEachChild(&context) { (id, value, _) throws(MediaError) in
            switch id {
            case ElementID.tagTrackUID: uids.append(try value.unsigned())
            case ElementID.tagEditionUID, ElementID.tagChapterUID, ElementID.tagAttachmentUID:
              concernsOther = try value.unsigned() != 0 || concernsOther
            default: break
            }
          }
        } else if id == ElementID.simpleTag, let tag = try Self.simpleTag(field, &context) {
          found.append(tag)
        }
      }
      guard !concernsOther else { return }
      all.add(found, uids.filter { $0 != 0 })
    }
  }

  private mutating func add(_ found: [Tag], _ uids: [UInt64]) {
    for tag in found where tags.count + trackTags.count < Self.maximumTags {
      if uids.isEmpty { tags.append(tag) }
      for uid in uids { trackTags.append((uid, tag)) }
    }
  }

  private static func simpleTag(
    _ element: EBMLElement, _ context: inout EBMLContext
  ) throws(MediaError) -> Tag? {
    var (name, value) = ("", String?.none)
    try element.forEachChild(&context) { (id, child, _) throws(MediaError) in
      if id == ElementID.tagName { name = child.text() }
      if id == ElementID.tagString { value = child.text() }
    }
    guard let value, !name.isEmpty else { return nil }
    return Tag(names[name] ?? name, value)
  }

  /// FFmpeg's names of some tags; it keeps the others.
  private static let names = [
    "LEAD_PERFORMER": "performer", "PART_NUMBER": "track", "TITLE": "title",
  ]
}

/// Chapters of the first edition, nested ones in place.
struct Chapters {
  private(set) var list: [MatroskaChapter] = []

  /// LIMIT: chapters; more are left out.
  private static let maximumChapters = 10_000

  mutating func read(_ element: EBMLElement, _ context: inout EBMLContext) throws(MediaError) {
    var list: [MatroskaChapter] = []
    var hasEdition = false
    defer { self.list = list }
    try element.forEachChild(&context) { (id, child, context) throws(MediaError) in
      guard id == ElementID.editionEntry, !hasEdition else { return }
      hasEdition = true
      try Self.readAtoms(child, &list, &context)
    }
  }

  private static func readAtoms(
    _ element: EBMLElement, _ list: inout [MatroskaChapter], _ context: inout EBMLContext
  ) throws(MediaError) {
    // Closures may not hold on to an inout parameter, so the list goes in and out.
    var chapters = list
    defer { list = chapters }
    try element.forEachChild(&context) { (id, child, context) throws(MediaError) in
      guard id == ElementID.chapterAtom, chapters.count < maximumChapters else { return }
      let index = chapters.count
      chapters.append(MatroskaChapter(start: .zero, end: nil, title: "", language: nil))
      var chapter = chapters[index]
      try child.forEachChild(&context) { (id, field, context) throws(MediaError) in
        switch id {
        case ElementID.chapterTimeStart: chapter.start = time(try field.unsigned())
        case ElementID.chapterTimeEnd: chapter.end = time(try field.unsigned())
        case ElementID.chapterDisplay where chapter.title.isEmpty:
          try field.forEachChild(&context) { (id, value, _) throws(MediaError) in
            if id == ElementID.chapString { chapter.title = value.text() }
            if id == ElementID.chapLanguage { chapter.language = value.text() }
          }
        default: break
        }
      }
      chapters[index] = chapter
      try readAtoms(child, &chapters, &context)
    }
  }

  private static func time(_ nanoseconds: UInt64) -> MediaTime {
    MediaTime(value: Int64(clamping: nanoseconds), timescale: 1_000_000_000)
  }
}
