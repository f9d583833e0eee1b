// Key systems. ISO/IEC 23001-7:2016 §8.1 (pssh).

import ReelCore

/// ProtectionSystemSpecificHeaderBox (`pssh`): what a key system needs to find the keys.
struct ProtectionSystemBox {
  /// 16 bytes that name the key system.
  let systemID: [UInt8]
  /// Keys that the data is for (version 1), 16 bytes each.
  let keyIDs: [[UInt8]]
  let dataByteCount: Int

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    let version = try reader.readVersion(upTo: 1, &context).version
    systemID = try reader.readBytes(16)
    var keyIDs: [[UInt8]] = []
    if version >= 1 {
      let count = try reader.readEntryCount(entryByteCount: 16, &context)
      for _ in 0..<count { keyIDs.append(try reader.readBytes(16)) }
    }
    self.keyIDs = keyIDs
    dataByteCount = Int(try reader.read(UInt32.self))
  }
}
