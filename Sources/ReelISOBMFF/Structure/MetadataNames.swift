// Names of metadata codes, as FFmpeg spells them.

import ReelCore

/// Which tag a metadata code is.
enum MetadataNames {
  /// Items of `ilst`.
  static let items: [FourCC: String] = [
    "\u{A9}nam": "title", "\u{A9}ART": "artist", "aART": "album_artist", "\u{A9}alb": "album",
    "\u{A9}wrt": "composer", "\u{A9}day": "date", "\u{A9}gen": "genre", "gnre": "genre",
    "\u{A9}too": "encoder", "\u{A9}cmt": "comment", "cprt": "copyright", "desc": "description",
    "ldes": "synopsis", "\u{A9}lyr": "lyrics", "\u{A9}grp": "grouping", "tvsh": "show",
    "tven": "episode_id", "tvnn": "network", "tves": "episode_sort", "tvsn": "season_number",
    "stik": "media_type", "trkn": "track", "disk": "disc", "tmpo": "tempo",
    "cpil": "compilation", "pgap": "gapless_playback", "pcst": "podcast", "hdvd": "hd_video",
    "rtng": "rating", "akID": "account_type", "apID": "account_id", "cnID": "catalog_id",
    "sonm": "sort_name", "soar": "sort_artist", "soal": "sort_album", "soco": "sort_composer",
    "soaa": "sort_album_artist", "sosn": "sort_show", "catg": "category", "keyw": "keywords",
    "purd": "purchase_date", "purl": "podcast_url", "\u{A9}xyz": "location",
    "\u{A9}mak": "make", "\u{A9}mod": "model", "\u{A9}swr": "encoder", "\u{A9}enc": "encoder",
    "\u{A9}dir": "director", "\u{A9}prd": "producer", "\u{A9}src": "original_source",
    "\u{A9}fmt": "original_format", "\u{A9}cpy": "copyright", "\u{A9}st3": "subtitle",
    "\u{A9}mvn": "movement_name",
  ]

  /// Items of QuickTime's user data and of 3GPP TS 26.244 §8.
  static let userData: [FourCC: String] = [
    "\u{A9}aut": "artist", "\u{A9}chp": "chapter", "\u{A9}dis": "disclaimer",
    "\u{A9}ed1": "edit_date", "\u{A9}hst": "host_computer", "\u{A9}inf": "comment",
    "\u{A9}key": "keywords", "\u{A9}url": "URL", "\u{A9}PRD": "producer",
    "\u{A9}req": "playback_requirements", "\u{A9}wrn": "warning", "\u{A9}isr": "isrc",
    "\u{A9}lab": "label", "\u{A9}lal": "label_url", "\u{A9}mal": "make_url",
    "\u{A9}nak": "keywords_url", "\u{A9}prf": "performers", "\u{A9}prk": "performer_keywords",
    "\u{A9}prl": "performer_url", "\u{A9}sne": "sound_engineer", "\u{A9}snm": "sort_name",
    "\u{A9}trk": "track", "\u{A9}com": "composer", "\u{A9}arg": "arranger",
    "titl": "title", "auth": "author", "perf": "performer", "dscp": "description",
    "albm": "album", "yrrc": "date",
  ]

  static func userData(_ type: FourCC) -> String? { userData[type] ?? items[type] }
}

/// The upper half of the Macintosh Roman character set, 0x80…0xFF.
enum MacintoshRoman {
  private static let upperHalf: [Unicode.Scalar] = Array(
    ("ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ"
      + "⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ").unicodeScalars)

  static func string(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes {
      text.unicodeScalars.append(byte < 0x80 ? Unicode.Scalar(byte) : upperHalf[Int(byte) - 0x80])
    }
    return text
  }
}
