// Video parameter sets: what of them a decoder of one layer tells on. ISO/IEC 23008-2:2020 §7.3.2.1.

import ReelCore
import ReelVideoCore

/// video_parameter_set_rbsp() up to its timing.
struct VideoParameterSet: Sendable, Hashable {
  /// vps_video_parameter_set_id, 0…15.
  let id: Int
  let profile: ProfileTierLevel
  /// vps_num_units_in_tick and vps_time_scale; 0 when not told.
  private(set) var numUnitsInTick = 0
  private(set) var timeScale = 0

  /// Reads a NAL unit with its header, without emulation prevention.
  init(parsing unit: [UInt8]) throws(MediaError) {
    var reader = SyntaxReader(unit, from: 16)
    id = reader.u(4)
    reader.skip(2 + 6)
    let subLayers = reader.u(3)
    guard subLayers <= 6 else {
      throw MediaError(
        .damaged, .hevcVideoValue, detail: "vps_max_sub_layers_minus1 is \(subLayers)")
    }
    reader.skip(1 + 16)
    profile = try ProfileTierLevel(parsing: &reader, subLayers: subLayers)
    // What follows only tells of timing and layers; a fault there does not change the pictures.
    if let (units, scale) = try? Self.timing(&reader, subLayers) {
      (numUnitsInTick, timeScale) = (units, scale)
    }
  }

  private static func timing(
    _ reader: inout SyntaxReader, _ subLayers: Int
  ) throws(MediaError) -> (Int, Int) {
    let bound = Int(UInt32.max) - 1
    for _ in (reader.flag() ? 0 : subLayers)...subLayers {
      _ = try reader.ue(0...15, "vps_max_dec_pic_buffering_minus1", .hevcVideoValue)
      _ = try reader.ue(0...15, "vps_max_num_reorder_pics", .hevcVideoValue)
      _ = try reader.ue(0...bound, "vps_max_latency_increase_plus1", .hevcVideoValue)
    }
    let maxLayerID = reader.u(6)
    let layerSets = try reader.ue(0...1023, "vps_num_layer_sets_minus1", .hevcVideoValue)
    if layerSets > 0 {
      for _ in 1...layerSets { reader.skip(maxLayerID + 1) }
    }
    guard reader.flag() else { return (0, 0) }
    let units = reader.u(32)
    let scale = reader.u(32)
    try reader.requireNoOverrun()
    return (units, scale)
  }
}
