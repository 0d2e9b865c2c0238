#include "camber/lagrange/frequency_response.h"

#include <cmath>
#include <numbers>

#include "camber/core/require.h"
#include "camber/math/dense.h"

namespace camber::lagrange {

std::vector<FrequencyResponse> calc_frequency_response(const NumericStateSpace& system, int input,
                                                       const std::vector<double>& frequencies) {
  require(input >= 0 && input < system.B.cols(), "calc_frequency_response: input ", input,
          " of a system with ", system.B.cols());
  // Without scaling, rows in newtons beside rows in radians would mislead the choice of pivots.
  const Eigen::VectorXd row_scale =
      (system.E.cwiseAbs() + system.A.cwiseAbs()).rowwise().sum().cwiseInverse();
  const Eigen::MatrixXcd E = (row_scale.asDiagonal() * system.E).cast<std::complex<double>>();
  const Eigen::MatrixXcd A = (row_scale.asDiagonal() * system.A).cast<std::complex<double>>();
  const Eigen::VectorXcd u =
      (row_scale.asDiagonal() * system.B.col(input)).cast<std::complex<double>>();
  std::vector<FrequencyResponse> result;
  for (const double f : frequencies) {
    require(std::isfinite(f) && f >= 0.0, "calc_frequency_response: a frequency of ", f, " Hz");
    const std::complex<double> s(0.0, 2.0 * std::numbers::pi * f);
    FrequencyResponse response;
    response.frequency = f;
    response.states = math::solve_square(s * E - A, u);
    response.outputs = system.C * response.states + system.D.col(input);
    result.push_back(std::move(response));
  }
  return result;
}

std::vector<double> log_spaced(double first, double last, int n) {
  require(first > 0.0 && last > first && n >= 2, "log_spaced: ", n, " values from ", first, " to ",
          last, ", needs 0 < first < last and at least two");
  std::vector<double> values;
  for (int i = 0; i < n; ++i) {
    values.push_back(first * std::pow(last / first, static_cast<double>(i) / (n - 1)));
  }
  values.back() = last;
  return values;
}

}  // namespace camber::lagrange
