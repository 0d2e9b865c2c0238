#pragma once

#include <span>
#include <string>

namespace camber::sensors {

/// Pictures one after the other as one animated PNG (third edition of the PNG specification, W3C
/// 2025: chunks acTL, fcTL, fdAT), repeated forever; viewers that know no animation show the first.
/// Pixels are taken over as they are compressed. Throws std::invalid_argument if there is no picture,
/// if one is not a PNG or is damaged, or if sizes or kinds of pixels differ.
std::string join_png(std::span<const std::string> pictures, double seconds_per_picture);

}  // namespace camber::sensors
