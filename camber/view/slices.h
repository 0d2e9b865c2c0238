#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace camber::view {

/// A channel's column over time, for plots: exact if few samples are requested, else min and max.
/// Blocks of 64 samples have their min and max ready, so that the cost of a slice hardly depends on
/// its length.
class ColumnPyramid {
 public:
  /// Values `values[k * stride]`; NaN counts as a gap.
  ColumnPyramid(std::span<const double> values, std::size_t stride);

  struct Range {
    float low = 0, high = 0;  // NaN: only gaps
  };
  Range find_range(std::size_t first, std::size_t last) const;  // of samples [first, last)
  float value(std::size_t k) const { return values_[k]; }
  std::size_t size() const { return values_.size(); }

 private:
  static constexpr std::size_t kBlock = 64;
  std::vector<float> values_;
  std::vector<Range> blocks_;
};

/// The bytes of one column of /api/slice: at most `points` exact samples of [from, to], or ranges of
/// min and max, with the time of the middle sample of each. One sample before and after are
/// included, so that lines extend to the edges.
void append_slice(std::span<const double> times, const ColumnPyramid& column, double from,
                  double to, std::size_t points, std::string* out);

}  // namespace camber::view
