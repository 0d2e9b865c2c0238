#pragma once

// The part of a disc below the ground, by columns of ground side by side along it.

#include "camber/dynamics/scalars.h"
#include "camber/math/vec3.h"
#include "camber/terrain/terrain.h"

namespace camber::dynamics {

using math::Vec3;

/// In the axes (t forward, u up) of the disc's plane.
template <class T>
struct Overlap {
  T area{0};     // int f dt, f the depth of the rim below the ground [m^2]
  T length{0};   // int w dt, w from 0 to 1 with the depth: how far the tread has come down [m]
  T rise{0};     // int w dh, over the ground's heights [m]
  T slope_x{0};  // int w h_x dt, int w h_y dt [m]
  T slope_y{0};
  T highest{-1e3};  // the ground's overlap at the sample where it is largest [m]
};

/// The disc's plane: center + t forward + z up.
template <class T>
struct DiscPlane {
  Vec3<T> center, forward, up;
};

/// For double, tire::Dual, Lanes<4> and Lanes<8>, of which each lane is a disc; `skip` the lanes
/// that are not needed. Allocates nothing.
template <class T>
Overlap<T> calc_overlap(const DiscPlane<T>& disc, double radius, int samples,
                        const terrain::Terrain& terrain, terrain::TerrainCache* cache,
                        const decltype(T() < T())& skip);

}  // namespace camber::dynamics
