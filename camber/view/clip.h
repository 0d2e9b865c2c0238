#pragma once

// The codec of clips: columns of numbers over time as small integers, second differences, bytes by
// significance, deflated (docs/theory/page-protocol.md, section 4). The page decodes it.
//
//   ClipWriter clip(layout, 0);
//   for (...) clip.append(time, values);        // values as decode_frame() gives them
//   std::string bytes = clip.finish();

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "camber/view/state_frame.h"

namespace camber::view {

/// A column of numbers over time.
struct ClipColumn {
  std::string name;
  std::vector<double> values;  // NaN: a gap
  /// Largest error, as long as the range has less than 2^30 of it; 0: 12 bits of the column's
  /// range, or better.
  double quantum = 0;
};

/// Positions of bodies to 0.1 mm (steps of 0.2 mm), quaternions to 3e-5, times to 0.5 us.
inline constexpr double kPositionStep = 2e-4, kQuaternionStep = 6e-5, kTimeStep = 1e-6;

/// The bytes of a clip. `compression` is zlib's level, 1 to 9. Throws std::invalid_argument for columns of different lengths, and if
/// zlib has no memory.
std::string encode_clip(int run, const std::vector<ClipColumn>& columns, int compression = 6);

/// Decodes the bytes of a clip, for tests and for readers of exported files. Throws
/// std::invalid_argument for invalid bytes; the message gives the position.
struct Clip {
  int run = 0;
  std::vector<ClipColumn> columns;
};
Clip decode_clip(std::string_view bytes);

/// Gathers frames of one layout.
class ClipWriter {
 public:
  ClipWriter(const FrameLayout& layout, int run);

  /// One frame: values in the order of decode_frame().
  void append(double time, std::span<const double> values);
  /// A state frame as it was sent.
  void append_frame(std::span<const std::byte> frame);
  std::size_t count() const { return columns_.front().values.size(); }
  std::string finish(int compression = 6) const;

 private:
  FrameLayout layout_;
  int run_;
  std::vector<ClipColumn> columns_;  // time first
  std::vector<double> values_;
};

}  // namespace camber::view
