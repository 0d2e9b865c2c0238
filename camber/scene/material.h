#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "camber/math/types.h"

namespace camber::scene {

/// Pattern that a renderer lays over the color, in the coordinates of the world.
enum class Texture {
  kPlain,
  kAsphalt,
  kBrick,
  kWindows,
  kVegetation,
  kFacade,     // plaster or stone with windows, each storey a row
  kOffice,     // bands of glass
  kShopfront,  // panes between pillars
  kPaving,     // slabs with joints
  kTiles,      // rows of roof tiles
};

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
  /// Width and height of one window, pane or slab of the texture; 0: the texture's own [m].
  std::array<double, 2> pattern = {0, 0};

  /// Diffuse reflectivity at a wavelength [m], 0..1.
  double reflectivity_at(double wavelength) const;
};

}  // namespace camber::scene
