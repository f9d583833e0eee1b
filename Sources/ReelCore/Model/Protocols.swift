// What a container and a codec offer to the layers above.

/// An opened container.
public protocol Demuxer: Sendable {
  /// FFmpeg's short name of the format, such as `mov,mp4,m4a,3gp,3g2,mj2`.
  var formatName: String { get }
  /// All tracks; indices into them name tracks everywhere else.
  var tracks: [Track] { get }
  /// Length of the presentation; indefinite when unknown.
  var duration: MediaTime { get }
  /// Tags of the whole input.
  var tags: [Tag] { get }
  /// What was wrong but could be read past, in order of discovery.
  var warnings: [MediaError] { get }
  /// Packet headers of all tracks are known without reading media data.
  var hasIndex: Bool { get }
  /// What packet times count from where the presentation begins: 0 for files, the first time for
  /// streams that were cut out of a longer one.
  var presentationOrigin: MediaTime { get }
  /// Where packet times count from 0 and the input tells what time that is on the clock of a transport
  /// stream: 90 kHz, 33 bits, as packed audio segments do (RFC 8216 §3.4). Nil otherwise.
  var transportTimestamp: Int64? { get }

  /// Covers and other pictures of the whole input.
  var artwork: [Artwork] { get }
  /// Named parts of the presentation, in order. May read media data.
  func chapters() throws(MediaError) -> [Chapter]

  /// Reads the packets of the tracks with these indices from the start, in file order.
  func makePacketReader(trackIndices: [Int]) throws(MediaError) -> any PacketReader
}

extension Demuxer {
  /// False: only reading tells.
  public var hasIndex: Bool { false }
  /// 0, as in files.
  public var presentationOrigin: MediaTime { .zero }
  /// Nil, as in all but packed audio segments.
  public var transportTimestamp: Int64? { nil }
  /// None.
  public var artwork: [Artwork] { [] }
  /// None.
  public func chapters() throws(MediaError) -> [Chapter] { [] }
}

/// A position in the packets of one or several tracks. Not shared between threads.
public protocol PacketReader: AnyObject {
  /// The next packet, or nil at the end.
  func next() throws(MediaError) -> Packet?
  /// The header of the next packet, or nil at the end; moves on as ``next()`` does. A container with
  /// tables answers without reading the bytes.
  func nextHeader() throws(MediaError) -> PacketHeader?
  /// Moves so that ``next()`` gives the last sync sample of the track whose presentation time is at
  /// or before `ticks`, or the first sync sample when there is none.
  func seek(trackIndex: Int, toSyncAtOrBefore ticks: Int64) throws(MediaError)
}

extension PacketReader {
  /// For containers that have to read a packet to know of it.
  public func nextHeader() throws(MediaError) -> PacketHeader? { try next()?.header }
}

/// A video decoder: packets in, frames out in output order. Synchronous, single owner.
public protocol VideoDecoder: AnyObject {
  /// Decodes one packet (decoding order) and returns the frames that are ready to show.
  ///
  /// - Throws: `.damaged`, `.unsupported`, `.limitExceeded`. The decoder stays usable: the next sync
  ///   packet starts clean.
  func decode(_ packet: Packet) throws(MediaError) -> [VideoFrame]
  /// The frames that are left at the end of the stream, in output order.
  func flush() throws(MediaError) -> [VideoFrame]
  /// Forgets all pictures, as for a seek; parameter sets stay.
  func reset()
}
