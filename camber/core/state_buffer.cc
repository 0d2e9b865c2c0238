#include "camber/core/state_buffer.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"

namespace camber {

std::span<const double> StateReader::take(std::size_t count) {
  require(count <= values_.size(), "the saved state ends too early: ", count,
          " more numbers needed, ", values_.size(), " left");
  const std::span<const double> taken = values_.first(count);
  values_ = values_.subspan(count);
  return taken;
}

double StateReader::read() { return take(1)[0]; }

int StateReader::read_int() {
  const double value = read();
  require(std::abs(value) < 1e9 && value == std::trunc(value), "the saved state has ", value,
          " where an integer is expected");
  return static_cast<int>(value);
}

bool StateReader::read_bool() {
  const double value = read();
  require(value == 0 || value == 1, "the saved state has ", value, " where 0 or 1 is expected");
  return value == 1;
}

void StateReader::read(std::span<double> values) {
  std::ranges::copy(take(values.size()), values.begin());
}

std::vector<double> StateReader::read_list() {
  const double count = read();
  require(count >= 0 && count <= static_cast<double>(values_.size()) && count == std::trunc(count),
          "the saved state has ", count, " where the length of a list is expected; ",
          values_.size(), " numbers are left");
  const std::span<const double> values = take(static_cast<std::size_t>(count));
  return {values.begin(), values.end()};
}

std::span<const double> StateReader::read_rest() { return take(values_.size()); }

void StateReader::finish() const {
  require(values_.empty(), "the saved state has ", values_.size(),
          " numbers more than this model needs");
}

}  // namespace camber
