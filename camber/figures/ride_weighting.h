#pragma once

#include <span>
#include <vector>

namespace camber::figures::internal {

/// An acceleration after ISO 2631-1's weighting W_k, which has the sensitivity of a seated person
/// to vertical vibration; the filter starts at rest. Samples are joined by lines, so what is above
/// a third of the sampling rate is damped.
std::vector<double> weigh_vertical(std::span<const double> t, std::span<const double> acceleration);

}  // namespace camber::figures::internal
