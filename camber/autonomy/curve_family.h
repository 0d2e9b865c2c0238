#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "camber/autonomy/table.h"

namespace camber::autonomy {

/// Curves over the same points x, each a polygon as a Table is. The values at a point are computed
/// when they are first needed: a drive needs few of the points that a table of all speeds has.
/// Copies share what was computed; threads may share them.
class CurveFamily {
 public:
  /// Writes the value of each curve at point k, in their order.
  using Calc = std::function<void(std::size_t k, std::span<double> values)>;

  CurveFamily() = default;
  CurveFamily(std::vector<double> x, std::size_t count, Calc calc);
  /// Curves that are known. Throws std::invalid_argument if their points differ.
  explicit CurveFamily(std::span<const Table> tables);
  CurveFamily(std::initializer_list<Table> tables)  // NOLINT(google-explicit-constructor)
      : CurveFamily(std::span(tables.begin(), tables.size())) {}

  /// How many curves.
  std::size_t size() const;
  /// The value of a curve; constant outside of its points. Throws std::invalid_argument if what was
  /// computed is not finite.
  double at(std::size_t curve, double x) const;

  /// Throws std::invalid_argument with `name` unless there is at least one point and x ascends.
  void require_points(const std::string& name) const;

 private:
  struct Shared;
  const double* values_at(std::size_t k) const;

  std::shared_ptr<Shared> shared_;
};

}  // namespace camber::autonomy
