#pragma once

#include "camber/math/wgs84.h"

namespace camber::sensors {

using math::Geodetic;
using math::kWgs84Axis;
using math::kWgs84Flattening;
using math::LocalFrame;
using math::Mat3;
using math::to_ecef;
using math::to_geodetic;
using math::Vec3;

}  // namespace camber::sensors
