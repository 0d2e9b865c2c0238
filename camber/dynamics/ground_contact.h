#pragma once

// Contact of a wheel with the ground (docs/theory/tires.md, section 3).

#include <string>

#include "camber/math/vec3.h"
#include "camber/terrain/terrain.h"

namespace camber::dynamics {

using math::Vec3;

/// Model of a wheel for its contact with the ground.
enum class ContactMode {
  kPoint,       // a thin disc on the tangent plane: for ground that is smooth over the contact
  kFourPoints,  // a disc on the mean plane of four points: evens out facets
  kEnvelope,    // discs side by side that overlap with the ground: cleats, kerbs, half-rounds
};

struct ContactOptions {
  ContactMode mode = ContactMode::kPoint;
  int samples = 100;  // of the envelope along a disc
  int planes = 3;     // of the envelope across the tread
  bool operator==(const ContactOptions&) const = default;
};

/// The free tire.
struct WheelSize {
  double radius = 0, width = 0;  // [m]
};

/// The contact frame C: x along the wheel's plane on the ground, y to the left, z along its normal.
template <class T>
struct GroundContact {
  Vec3<T> along, across, normal;  // axes of C, in W
  Vec3<T> arm;                    // from the wheel's center to the contact point, in W [m]
  T deflection;                   // of the tire along the normal; negative above the ground [m]
  T sin_camber, cos_camber;       // of the axis to the ground, positive where it points up
  T friction;                     // of the ground, 1 on a dry road [-]
};

/// For double, tire::Dual, Lanes<4> and tire::Lanes. Allocates nothing.
template <class T>
GroundContact<T> find_contact(const WheelSize& wheel, const ContactOptions& options,
                              const terrain::Terrain& terrain, terrain::TerrainCache* cache,
                              const Vec3<T>& center, const Vec3<T>& axis);

/// A plane with one friction everywhere: in lanes, one for each.
template <class T>
struct PlaneGround {
  T height{0}, slope_x{0}, slope_y{0};  // of the plane z = height + slope_x x + slope_y y [m], [-]
  T friction{1};
};
/// The result of find_contact() with ContactMode::kPoint on such ground.
template <class T>
GroundContact<T> find_contact_on_plane(const WheelSize& wheel, const PlaneGround<T>& plane,
                                       const Vec3<T>& center, const Vec3<T>& axis);
/// Whether find_contact() gives the same as find_contact_on_plane().
bool is_contact_on_plane(const ContactOptions& options, const terrain::Terrain& terrain);
/// Where it is so.
PlaneGround<double> plane_of(const terrain::Terrain& terrain);

/// The mode of a file's key: "point", "four_points", "envelope". Throws std::invalid_argument with
/// the name that was likely meant.
ContactMode parse_contact_mode(const std::string& name);

}  // namespace camber::dynamics
