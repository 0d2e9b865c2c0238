#include "camber/scene/material.h"

namespace camber::scene {

double Material::reflectivity_at(double wavelength) const {
  if (reflectivity.empty()) return color.mean();
  if (wavelength <= reflectivity.front().first) return reflectivity.front().second;
  for (std::size_t k = 1; k < reflectivity.size(); ++k) {
    const auto& [x0, y0] = reflectivity[k - 1];
    const auto& [x1, y1] = reflectivity[k];
    if (wavelength < x1) return y0 + (y1 - y0) * (wavelength - x0) / (x1 - x0);
  }
  return reflectivity.back().second;
}

}  // namespace camber::scene
