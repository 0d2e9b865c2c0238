#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace camber::autonomy {

/// A polygon through (x[k], y[k]), constant outside of its points. One point is a constant. Looked
/// up by bisection: tables may be long.
struct Table {
  std::vector<double> x, y;
};

double value_at(const Table& table, double x);
/// Slope of the side that x is on, to the right at a corner; 0 outside.
double slope_at(const Table& table, double x);

/// Number of the side that x is on; -1 before the first point, size - 1 from the last on.
std::ptrdiff_t find_side(const Table& table, double x);

/// Throws std::invalid_argument with `name` unless there is at least one point, x ascends and all
/// values are finite.
void require_table(const Table& table, const std::string& name);

}  // namespace camber::autonomy
