// Names of the numbered genres of ID3v1 and its extensions, which MP4 files use too.

/// Numbered genres.
public enum MusicGenre {
  /// The name of genre `number`; nil for a number without one.
  public static func name(_ number: Int) -> String? {
    names.indices.contains(number) ? names[number] : nil
  }

  /// 0…79 by ID3v1, 80…191 by Winamp.
  private static let names: [String] = [
    "Blues", "Classic Rock", "Country", "Dance", "Disco", "Funk", "Grunge", "Hip-Hop",  // 0
    "Jazz", "Metal", "New Age", "Oldies", "Other", "Pop", "R&B", "Rap",  // 8
    "Reggae", "Rock", "Techno", "Industrial", "Alternative", "Ska", "Death Metal", "Pranks",  // 16
    "Soundtrack", "Euro-Techno", "Ambient", "Trip-Hop", "Vocal", "Jazz+Funk", "Fusion",  // 24
    "Trance", "Classical", "Instrumental", "Acid", "House", "Game", "Sound Clip", "Gospel",  // 31
    "Noise", "AlternRock", "Bass", "Soul", "Punk", "Space", "Meditative",  // 39
    "Instrumental Pop", "Instrumental Rock", "Ethnic", "Gothic", "Darkwave",  // 46
    "Techno-Industrial", "Electronic", "Pop-Folk", "Eurodance", "Dream",  // 51
    "Southern Rock", "Comedy", "Cult", "Gangsta", "Top 40", "Christian Rap", "Pop/Funk",  // 56
    "Jungle", "Native American", "Cabaret", "New Wave", "Psychedelic", "Rave",  // 63
    "Showtunes", "Trailer", "Lo-Fi", "Tribal", "Acid Punk", "Acid Jazz", "Polka", "Retro",  // 69
    "Musical", "Rock & Roll", "Hard Rock", "Folk", "Folk-Rock", "National Folk", "Swing",  // 77
    "Fast Fusion", "Bebop", "Latin", "Revival", "Celtic", "Bluegrass", "Avantgarde",  // 84
    "Gothic Rock", "Progressive Rock", "Psychedelic Rock", "Symphonic Rock",  // 91
    "Slow Rock", "Big Band", "Chorus", "Easy Listening", "Acoustic", "Humour",  // 95
    "Speech", "Chanson", "Opera", "Chamber Music", "Sonata", "Symphony", "Booty Bass",  // 101
    "Primus", "Porn Groove", "Satire", "Slow Jam", "Club", "Tango", "Samba",  // 108
    "Folklore", "Ballad", "Power Ballad", "Rhythmic Soul", "Freestyle", "Duet",  // 115
    "Punk Rock", "Drum Solo", "A Cappella", "Euro-House", "Dance Hall", "Goa",  // 121
    "Drum & Bass", "Club-House", "Hardcore Techno", "Terror", "Indie", "BritPop",  // 127
    "Afro-Punk", "Polsk Punk", "Beat", "Christian Gangsta Rap", "Heavy Metal",  // 133
    "Black Metal", "Crossover", "Contemporary Christian", "Christian Rock", "Merengue",  // 138
    "Salsa", "Thrash Metal", "Anime", "Jpop", "Synthpop", "Abstract", "Art Rock",  // 143
    "Baroque", "Bhangra", "Big Beat", "Breakbeat", "Chillout", "Downtempo", "Dub", "EBM",  // 150
    "Eclectic", "Electro", "Electroclash", "Emo", "Experimental", "Garage", "Global",  // 158
    "IDM", "Illbient", "Industro-Goth", "Jam Band", "Krautrock", "Leftfield", "Lounge",  // 165
    "Math Rock", "New Romantic", "Nu-Breakz", "Post-Punk", "Post-Rock", "Psytrance",  // 172
    "Shoegaze", "Space Rock", "Trop Rock", "World Music", "Neoclassical", "Audiobook",  // 178
    "Audio Theatre", "Neue Deutsche Welle", "Podcast", "Indie Rock", "G-Funk", "Dubstep",  // 184
    "Garage Rock", "Psybient",  // 190
  ]
}
