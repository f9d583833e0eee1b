// Waiting for lines of reference pictures that other threads decode.

import ReelCore

extension MacroblockDecoder {
  /// Looks up how far each reference is at the start of the slice.
  func findKnownLines() {
    // Entries that no list has are never waited for.
    knownLines.fill(with: .max)
    for list in 0..<2 {
      for i in 0..<min(referenceCounts[list], 32) {
        refreshKnownLines(list * 32 + i)
        guard isMbaff, i < 16 else { continue }
        for set in 1...2 {
          refreshKnownLines((set * 2 + list) * 32 + 2 * i)
          refreshKnownLines((set * 2 + list) * 32 + 2 * i + 1)
        }
      }
    }
  }

  /// The picture and the part of it that an entry of ``references`` views.
  private func source(_ entry: Int) -> (Picture, PictureStructure)? {
    let list = entry >> 5 & 1
    let set = entry >> 6
    let index = set == 0 ? entry & 31 : (entry & 31) >> 1
    let entries = list == 0 ? input.referenceList0 : input.referenceList1
    guard index < entries.count else { return nil }
    if set == 0 { return (entries[index].picture, entries[index].structure) }
    return (entries[index].picture, references[entry].isBottomField ? .bottomField : .topField)
  }

  private func refreshKnownLines(_ entry: Int) {
    guard let (picture, structure) = source(entry) else { return }
    knownLines[entry] = picture.progress.lines(structure)
  }

  /// Waits until a reference is final down to line `bottom` (exclusive; of the field for fields).
  @inline(never)
  func waitForLines(_ entry: Int, _ bottom: Int) {
    let needed = min(bottom, references[entry].y.height)
    guard needed > knownLines[entry], let (picture, structure) = source(entry) else { return }
    picture.progress.wait(until: needed, structure)
    refreshKnownLines(entry)
  }

  /// Waits until the co-located picture's motion is there for the current macroblock or its pair.
  func waitForColocated() {
    guard let colocated, !colocated.isKnownComplete else { return }
    // Motion is written before the samples of its row are final.
    if header.fieldPicFlag && colocated.coding == .fields {
      // Only this field: the other may be the one that is decoded here.
      colocated.picture.progress.wait(
        until: min((mbY + 1) * 16, heightInMbs * 16),
        colocated.parity == 0 ? .topField : .bottomField)
      return
    }
    let row = header.fieldPicFlag ? 2 * mbY + 1 : mbY | 1
    let lines = min((row + 1) * 16, heightInMbs * (header.fieldPicFlag ? 32 : 16))
    colocated.picture.progress.wait(until: lines, .frame)
  }
}
