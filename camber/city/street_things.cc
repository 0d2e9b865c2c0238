// Parked cars, trees, lamps, signs, barriers and cylinders of a street, each drawn from the stream
// of its street.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/city/kerb_ring.h"
#include "camber/city/make_block.h"
#include "camber/city/things.h"

namespace camber::city::internal {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kBay = 6.0;  // length of a parking bay [m]

class Street {
 public:
  Street(const StreetPlan& plan, const Junction& from, const Arm& arm, const Junction& to,
         const Arm& back, double kerb_left, double kerb_right, Block* block)
      : spec_(plan.spec()),
        from_(from),
        arm_(arm),
        to_(to),
        back_(back),
        kerb_{kerb_right, kerb_left},
        block_(block),
        stream_(plan.stream(arm.heading == kEast ? "street x" : "street y", from.node)) {}

  void fill() {
    s0_ = arm_.mouth + kKeepFree, s1_ = arm_.length - back_.mouth - kKeepFree;
    const bool is_site = stream_.substream("site").uniform() < spec_.construction && s1_ - s0_ > 40;
    for (const int side : {1, -1}) {
      if (arm_.profile.parking > 0) park(side, is_site && side < 0);
      plant(side);
      light(side);
      furnish(side);
    }
    if (is_site) close_lane();
    drop_cylinders(is_site);
    add_lights();
  }

 private:
  void add(ThingKind kind, double s, double left, double yaw, double scale = 1, int variant = 0) {
    const Point p = arm_.at(from_.place, s, left);
    const double half = arm_.profile.half_width();
    const double z =
        std::abs(left) <= half ? spec_.crown * (half - std::abs(left)) : kerb_[left > 0 ? 1 : 0];
    block_->things.push_back({kind, p.x, p.y, z, arm_.angle + yaw, scale, variant});
  }
  RandomStream stream(const char* what, int side) const {
    return stream_.substream(what, side > 0 ? 1 : 0);
  }
  /// From the street's middle to a place behind the kerb.
  double behind(double depth) const { return arm_.profile.half_width() + depth; }

  void park(int side, bool is_closed) {
    RandomStream own = stream("park", side);
    const Profile& p = arm_.profile;
    const int bays = static_cast<int>((s1_ - s0_) / kBay);
    const double start = s0_ + 0.5 * (s1_ - s0_ - bays * kBay);
    for (int k = 0; k < bays; ++k) {
      const bool is_taken = own.uniform() < spec_.parked;
      const double along = own.uniform(-0.35, 0.35), aside = own.uniform(-0.1, 0.1);
      const int variant = static_cast<int>(own.integer(0, kCarVariants - 1));
      const double turn = own.uniform(-0.03, 0.03);
      if (!is_taken || is_closed) continue;
      const double left = side * (p.lanes * p.lane_width + 0.5 * p.parking + aside);
      // Traffic drives on the right, and cars park in its direction.
      add(ThingKind::kCar, start + (k + 0.5) * kBay + along, left, (side > 0 ? kPi : 0) + turn, 1,
          variant);
    }
  }

  void plant(int side) {
    if (spec_.tree_spacing <= 0) return;
    RandomStream own = stream("trees", side);
    if (own.uniform() < 0.2) return;  // a side without trees
    for (double s = s0_ + own.uniform(0.5, 4); s < s1_;
         s += own.uniform(0.85, 1.15) * spec_.tree_spacing) {
      const double scale = own.uniform(0.75, 1.2), yaw = own.uniform(-kPi, kPi);
      const int variant = static_cast<int>(own.integer(0, kTreeVariants - 1));
      if (own.uniform() < 0.12) continue;
      add(ThingKind::kTree, s, side * behind(1.0), yaw, scale, variant);
    }
  }

  void light(int side) {
    if (spec_.lamp_spacing <= 0) return;
    const int count = static_cast<int>((s1_ - s0_) / spec_.lamp_spacing) + 1;
    const double gap = (s1_ - s0_) / count;
    for (int k = 0; k < count; ++k) {
      const double s = s0_ + (k + (side > 0 ? 0.25 : 0.75)) * gap;
      if (is_near_tree(s, side)) continue;
      // Its arm reaches over the street.
      add(ThingKind::kLamp, s, side * behind(0.5), side > 0 ? -0.5 * kPi : 0.5 * kPi);
    }
  }
  bool is_near_tree(double s, int side) const {
    const Point p = arm_.at(from_.place, s, side * behind(0.5));
    return std::ranges::any_of(block_->things, [&](const Thing& t) {
      return t.kind == ThingKind::kTree && std::hypot(t.x - p.x, t.y - p.y) < 1.2;
    });
  }

  void furnish(int side) {
    RandomStream own = stream("furniture", side);
    const double s = side > 0 ? arm_.length - back_.mouth - 4.6 : arm_.mouth + 4.6;
    // A sign faces those who come on its side of the street.
    add(ThingKind::kSign, side > 0 ? arm_.mouth + 5.4 : arm_.length - back_.mouth - 5.4,
        side * behind(0.45), side > 0 ? 0 : kPi, 1,
        static_cast<int>(own.integer(0, kSignVariants - 1)));
    if (own.uniform() < 0.5) add(ThingKind::kBin, s, side * behind(0.6), 0);
    if (own.uniform() < 0.35)
      add(ThingKind::kHydrant, 0.5 * (s0_ + s1_) + 1.3, side * behind(0.45), 0);
    if (own.uniform() < 0.4) {
      add(ThingKind::kBench, own.uniform(s0_, s1_), side * behind(spec_.sidewalk - 0.4),
          side > 0 ? kPi : 0);
    }
  }

  /// The right lane next to the bays is closed by barriers, and tapered by cones.
  void close_lane() {
    const Profile& p = arm_.profile;
    RandomStream own = stream_.substream("barriers");
    const double start = s0_ + own.uniform(4, 8), length = std::min(24.0, s1_ - start - 8);
    const double edge = -(p.lanes - 1) * p.lane_width - (p.lanes == 1 ? 1.6 : 0.2);
    for (double s = start; s < start + length; s += 2.1) {
      add(ThingKind::kBarrier, s, edge, 0, 1, 0);
    }
    for (double left = edge - 1.0; left > -behind(-0.6); left -= 2.1) {
      add(ThingKind::kBarrier, start - 1.2, left, 0.5 * kPi, 1, 0);
      add(ThingKind::kBarrier, start + length, left, 0.5 * kPi, 1, 0);
    }
    for (int k = 1; k <= 4; ++k) add(ThingKind::kCone, start - 1.6 - 1.8 * k, edge - 0.35 * k, 0);
  }

  void drop_cylinders(bool is_site) {
    if (spec_.cylinders <= 0 || is_site) return;
    RandomStream own = stream_.substream("cylinders");
    const double expected = spec_.cylinders * 1e-3 * (s1_ - s0_);
    const int count =
        static_cast<int>(expected) + (own.uniform() < expected - std::floor(expected) ? 1 : 0);
    const double lanes = arm_.profile.lanes * arm_.profile.lane_width;
    for (int k = 0; k < count; ++k) {
      const double s = own.uniform(s0_, s1_), left = own.uniform(-lanes + 0.8, lanes - 0.8);
      add(ThingKind::kCylinder, s, left, 0, own.uniform(0.8, 1.25));
    }
  }

  /// At crossings of avenues.
  void add_lights() {
    const auto has_lights = [](const Junction& junction) {
      return junction.is_crossing() && std::ranges::count_if(junction.arms, [](const Arm& a) {
                                         return a.profile.is_avenue;
                                       }) >= 2;
    };
    // What comes to `from` is left of the arm; its signal stands before the zebra.
    if (has_lights(from_)) add(ThingKind::kTrafficLight, arm_.mouth + 4.3, behind(0.5), 0);
    if (has_lights(to_))
      add(ThingKind::kTrafficLight, arm_.length - back_.mouth - 4.3, -behind(0.5), kPi);
  }

  const CitySpec& spec_;
  const Junction& from_;
  const Arm& arm_;
  const Junction& to_;
  const Arm& back_;
  double kerb_[2];  // right, left [m]
  Block* block_;
  RandomStream stream_;
  double s0_ = 0, s1_ = 0;
};

}  // namespace

void add_street_things(const StreetPlan& plan, const Junction& from, const Arm& arm,
                       const Junction& to, const Arm& back, double kerb_left, double kerb_right,
                       Block* block) {
  Street(plan, from, arm, to, back, kerb_left, kerb_right, block).fill();
}

}  // namespace camber::city::internal
