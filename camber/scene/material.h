#pragma once

#include <string>
#include <utility>
#include <vector>

#include "camber/math/types.h"

namespace camber::scene {

/// Pattern that a renderer lays over the color, in the coordinates of the world.
enum class Texture { kPlain, kAsphalt, kBrick, kWindows, kVegetation };

/// How a surface looks to sensors.
struct Material {
  std::string name = "default";
  Vector3 color = Vector3(0.5, 0.5, 0.5);  // linear RGB reflectance, 0..1
  /// Diffuse reflectivity by wavelength: pairs (wavelength [m], 0..1), wavelengths ascending.
  /// Linear between them, constant beyond; empty: the mean of the color.
  std::vector<std::pair<double, double>> reflectivity = {};
  double roughness = 1.0;        // 0: a mirror, 1: Lambert's law
  double retroreflection = 0.0;  // part that goes back to the source, as a license plate [-]
  Texture texture = Texture::kPlain;

  /// Diffuse reflectivity at a wavelength [m], 0..1.
  double reflectivity_at(double wavelength) const;
};

}  // namespace camber::scene
