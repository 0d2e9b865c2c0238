#include "camber/view/slices.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "camber/view/bytes.h"

namespace camber::view {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

/// NaN loses against any number.
ColumnPyramid::Range join(const ColumnPyramid::Range& a, const ColumnPyramid::Range& b) {
  if (std::isnan(a.low)) return b;
  if (std::isnan(b.low)) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

}  // namespace

ColumnPyramid::ColumnPyramid(std::span<const double> values, std::size_t stride) {
  for (std::size_t k = 0; k < values.size(); k += stride)
    values_.push_back(static_cast<float>(values[k]));
  for (std::size_t k = 0; k < values_.size(); k += kBlock) {
    Range range{kNone, kNone};
    for (std::size_t i = k; i < std::min(k + kBlock, values_.size()); ++i)
      range = join(range, {values_[i], values_[i]});
    blocks_.push_back(range);
  }
}

ColumnPyramid::Range ColumnPyramid::find_range(std::size_t first, std::size_t last) const {
  Range range{kNone, kNone};
  while (first < last) {
    if (first % kBlock == 0 && first + kBlock <= last) {
      range = join(range, blocks_[first / kBlock]);
      first += kBlock;
    } else {
      range = join(range, {values_[first], values_[first]});
      ++first;
    }
  }
  return range;
}

void append_slice(std::span<const double> times, const ColumnPyramid& column, double from,
                  double to, std::size_t points, std::string* out) {
  auto first = static_cast<std::size_t>(std::ranges::lower_bound(times, from) - times.begin());
  auto last = static_cast<std::size_t>(std::ranges::upper_bound(times, to) - times.begin());
  if (first > 0) --first;
  if (last < times.size()) ++last;
  const std::size_t samples = last > first ? last - first : 0;
  const bool is_exact = samples <= points;
  const std::size_t count = is_exact ? samples : points;
  internal::append(static_cast<std::uint32_t>(count), out);
  internal::append(std::uint32_t{is_exact ? 0U : 1U}, out);
  const auto begin_of = [&](std::size_t bucket) { return first + bucket * samples / count; };
  for (std::size_t k = 0; k < count; ++k)
    internal::append(is_exact ? times[first + k] : times[(begin_of(k) + begin_of(k + 1)) / 2], out);
  for (std::size_t k = 0; k < count; ++k) {
    if (is_exact) {
      internal::append(column.value(first + k), out);
      continue;
    }
    const ColumnPyramid::Range range = column.find_range(begin_of(k), begin_of(k + 1));
    internal::append(range.low, out);
    internal::append(range.high, out);
  }
}

}  // namespace camber::view
