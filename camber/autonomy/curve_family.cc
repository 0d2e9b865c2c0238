#include "camber/autonomy/curve_family.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "camber/core/require.h"

namespace camber::autonomy {

struct CurveFamily::Shared {
  std::vector<double> x;
  std::size_t count;
  Calc calc;
  std::vector<double> values;  // point by point
  std::vector<std::once_flag> is_known;

  Shared(std::vector<double> points, std::size_t curves, Calc calculation)
      : x(std::move(points)),
        count(curves),
        calc(std::move(calculation)),
        values(x.size() * curves),
        is_known(x.size()) {}
};

CurveFamily::CurveFamily(std::vector<double> x, std::size_t count, Calc calc)
    : shared_(std::make_shared<Shared>(std::move(x), count, std::move(calc))) {}

CurveFamily::CurveFamily(std::span<const Table> tables) {
  require(!tables.empty(), "CurveFamily: needs at least one curve");
  for (const Table& table : tables) {
    require(table.x == tables[0].x, "CurveFamily: curves must be over the same points");
    require(table.y.size() == table.x.size(), "CurveFamily: ", table.x.size(), " points, ",
            table.y.size(), " values");
  }
  const std::vector<Table> known(tables.begin(), tables.end());
  *this = CurveFamily(known[0].x, known.size(), [known](std::size_t k, std::span<double> values) {
    for (std::size_t i = 0; i < known.size(); ++i) values[i] = known[i].y[k];
  });
}

std::size_t CurveFamily::size() const { return shared_ ? shared_->count : 0; }

const double* CurveFamily::values_at(std::size_t k) const {
  Shared& s = *shared_;
  const std::span<double> values(s.values.data() + k * s.count, s.count);
  std::call_once(s.is_known[k], [&] {
    s.calc(k, values);
    require(std::ranges::all_of(values, [](double v) { return std::isfinite(v); }),
            "CurveFamily: a value at ", s.x[k], " is not finite");
  });
  return values.data();
}

// As value_at() of a Table.
double CurveFamily::at(std::size_t curve, double x) const {
  const std::vector<double>& points = shared_->x;
  const std::ptrdiff_t k = std::ranges::upper_bound(points, x) - points.begin() - 1;
  if (k < 0) return values_at(0)[curve];
  const auto low = static_cast<std::size_t>(k);
  if (k + 1 >= std::ssize(points)) return values_at(points.size() - 1)[curve];
  const double before = values_at(low)[curve], after = values_at(low + 1)[curve];
  const double slope = (after - before) / (points[low + 1] - points[low]);
  return before + slope * (x - points[low]);
}

void CurveFamily::require_points(const std::string& name) const {
  require(shared_ != nullptr && !shared_->x.empty(), name, ": needs at least one point");
  const std::vector<double>& x = shared_->x;
  for (std::size_t k = 0; k < x.size(); ++k)
    require(std::isfinite(x[k]) && (k == 0 || x[k] > x[k - 1]), name,
            ": points must be finite and ascend, point ", k, " is ", x[k]);
}

}  // namespace camber::autonomy
