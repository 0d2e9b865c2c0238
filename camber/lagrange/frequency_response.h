#pragma once

#include <complex>
#include <vector>

#include "camber/lagrange/numeric_state_space.h"

namespace camber::lagrange {

/// Response of states and outputs per unit of one input, in steady oscillation.
struct FrequencyResponse {
  double frequency = 0.0;    // [Hz]
  Eigen::VectorXcd states;   // x / u
  Eigen::VectorXcd outputs;  // y / u
};

/// (2 pi i f E - A) x = B u, y = C x + D u at each frequency (001 section 4.4). At an undamped
/// resonance the response is infinite: all entries are NaN or infinity.
std::vector<FrequencyResponse> calc_frequency_response(const NumericStateSpace& system, int input,
                                                       const std::vector<double>& frequencies);

/// n frequencies from first to last with one ratio between neighbors.
std::vector<double> log_spaced(double first, double last, int n);

}  // namespace camber::lagrange
