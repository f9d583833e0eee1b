// Languages of tracks.

/// Matching of language codes: BCP 47 tags and the three-letter codes of containers.
public enum LanguageTag {
  /// Whether a track's language is what a request asks for: `en` asks for `en`, `en-US` and `eng`,
  /// `en-US` only for `en-US` and longer. Case does not matter. RFC 4647 §3.3.1, after two- and
  /// three-letter codes of the same language have been made one.
  public static func matches(_ request: String, _ language: String?) -> Bool {
    guard let language, !request.isEmpty else { return false }
    let asked = subtags(request)
    let offered = subtags(language)
    return offered.count >= asked.count && zip(asked, offered).allSatisfy { $0 == $1 }
  }

  private static func subtags(_ tag: String) -> [String] {
    var parts = tag.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
    if let first = parts.first, first.count == 3, let short = shortCode(first) { parts[0] = short }
    return parts
  }

  /// The two-letter code of a three-letter one (terminology or bibliography); nil when there is none.
  static func shortCode(_ code: String) -> String? {
    for row in table.split(separator: " ") {
      let columns = row.split(separator: ":")
      if columns.dropFirst().contains(Substring(code)) { return String(columns[0]) }
    }
    return nil
  }

  /// ISO 639-1 codes with their ISO 639-2 codes, terminology first.
  private static let table = """
    aa:aar ab:abk ae:ave af:afr ak:aka am:amh an:arg ar:ara as:asm av:ava ay:aym az:aze ba:bak be:bel \
    bg:bul bi:bis bm:bam bn:ben bo:bod:tib br:bre bs:bos ca:cat ce:che ch:cha co:cos cr:cre cs:ces:cze \
    cu:chu cv:chv cy:cym:wel da:dan de:deu:ger dv:div dz:dzo ee:ewe el:ell:gre en:eng eo:epo es:spa \
    et:est eu:eus:baq fa:fas:per ff:ful fi:fin fj:fij fo:fao fr:fra:fre fy:fry ga:gle gd:gla gl:glg \
    gn:grn gu:guj gv:glv ha:hau he:heb hi:hin ho:hmo hr:hrv ht:hat hu:hun hy:hye:arm hz:her ia:ina \
    id:ind ie:ile ig:ibo ii:iii ik:ipk io:ido is:isl:ice it:ita iu:iku ja:jpn jv:jav ka:kat:geo kg:kon \
    ki:kik kj:kua kk:kaz kl:kal km:khm kn:kan ko:kor kr:kau ks:kas ku:kur kv:kom kw:cor ky:kir la:lat \
    lb:ltz lg:lug li:lim ln:lin lo:lao lt:lit lu:lub lv:lav mg:mlg mh:mah mi:mri:mao mk:mkd:mac ml:mal \
    mn:mon mr:mar ms:msa:may mt:mlt my:mya:bur na:nau nb:nob nd:nde ne:nep ng:ndo nl:nld:dut nn:nno \
    no:nor nr:nbl nv:nav ny:nya oc:oci oj:oji om:orm or:ori os:oss pa:pan pi:pli pl:pol ps:pus pt:por \
    qu:que rm:roh rn:run ro:ron:rum ru:rus rw:kin sa:san sc:srd sd:snd se:sme sg:sag si:sin sk:slk:slo \
    sl:slv sm:smo sn:sna so:som sq:sqi:alb sr:srp ss:ssw st:sot su:sun sv:swe sw:swa ta:tam te:tel \
    tg:tgk th:tha ti:tir tk:tuk tl:tgl tn:tsn to:ton tr:tur ts:tso tt:tat tw:twi ty:tah ug:uig uk:ukr \
    ur:urd uz:uzb ve:ven vi:vie vo:vol wa:wln wo:wol xh:xho yi:yid yo:yor za:zha zh:zho:chi zu:zul
    """
}
