#pragma once

#include "camber/scene/material.h"

namespace camber::scene::internal {

/// A material at a point, with its pattern.
struct Look {
  Vector3 color = Vector3::Zero();
  double gloss = 0.0;  // 0: none, 1: as glass
};

/// `range` is the distance from the eye: patterns fade where they are finer than a pixel.
Look calc_look(const Material& material, const Vector3& point, const Vector3& normal, double range);

}  // namespace camber::scene::internal
