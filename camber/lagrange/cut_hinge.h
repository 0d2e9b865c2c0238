#pragma once

#include <string_view>

#include "camber/lagrange/system.h"

namespace camber::lagrange {

/// The hinge that closes a loop where it was cut (003, "closed-loop constraints").
enum class Hinge {
  kSpherical,    // origins coincide
  kFixed,        // origins and axes coincide
  kRevolute,     // origins coincide, free rotation about one axis
  kPrismatic,    // axes coincide, free translation along one axis
  kCylindrical,  // free translation along and rotation about one axis
  kUniversal,    // origins coincide; `axis` of the first frame is normal to the next axis of the
                 // second
  kPlanar,       // free translation normal to an axis and rotation about it
};

/// Closes a loop between two frames, one fixed to each body of the cut hinge: adds holonomic
/// constraints NAME.x, NAME.y, NAME.z (distance of the origins, in the axes of `inboard`) and
/// NAME.rx, NAME.ry, NAME.rz (angles between axes).
///
/// 003 eq. 29-32 reduce a loop to the velocity of the one body that both sides share, and put the
/// hinge rates along the path into the right side b, although they are unknowns. Here the
/// constraint is the closure itself, and its Jacobian B has the columns of all hinges on both
/// sides.
void close_loop(System* system, std::string_view name, const Frame& inboard, const Frame& outboard,
                Hinge hinge, Axis axis = Axis::kZ);

/// Only the translations along these axes of `inboard`: a planar loop would have three redundant
/// constraints otherwise.
void close_loop_in_plane(System* system, std::string_view name, const Frame& inboard,
                         const Frame& outboard, Axis normal);

}  // namespace camber::lagrange
