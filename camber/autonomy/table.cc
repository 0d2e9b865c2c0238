#include "camber/autonomy/table.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "camber/core/require.h"

namespace camber::autonomy {

std::ptrdiff_t find_side(const Table& table, double x) {
  return std::upper_bound(table.x.begin(), table.x.end(), x) - table.x.begin() - 1;
}

double value_at(const Table& table, double x) {
  const std::ptrdiff_t k = find_side(table, x);
  if (k < 0) return table.y.front();
  if (k + 1 >= std::ssize(table.x)) return table.y.back();
  return table.y[k] + slope_at(table, x) * (x - table.x[k]);
}

double slope_at(const Table& table, double x) {
  const std::ptrdiff_t k = find_side(table, x);
  if (k < 0 || k + 1 >= std::ssize(table.x)) return 0;
  return (table.y[k + 1] - table.y[k]) / (table.x[k + 1] - table.x[k]);
}

void require_table(const Table& table, const std::string& name) {
  require(!table.x.empty(), name, ": needs at least one point");
  require(table.x.size() == table.y.size(), name, ": has ", table.x.size(), " places and ",
          table.y.size(), " values");
  for (std::size_t k = 0; k < table.x.size(); ++k) {
    require(std::isfinite(table.x[k]) && std::isfinite(table.y[k]), name, ": point ", k,
            " is not finite");
    require(k == 0 || table.x[k] > table.x[k - 1], name, ": must ascend, has ", table.x[k],
            " after ", table.x[k == 0 ? 0 : k - 1]);
  }
}

}  // namespace camber::autonomy
