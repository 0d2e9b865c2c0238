#include "camber/vehicle/problems.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "camber/core/require.h"
#include "camber/math/dense.h"

namespace camber::vehicle {

namespace {

constexpr double kShortest = 1e-6;  // [m] no two hardpoints are meant to be nearer
// Beyond these somebody took other units, or numbers lose their digits.
constexpr double kFarthest = 100, kHeaviest = 1e7, kStiffest = 1e12;  // [m], [kg], [N/m]
constexpr double kLongest = 5;  // of a spring, over what it is long in the design position

class Search {
 public:
  explicit Search(const Vehicle& vehicle) : vehicle_(vehicle) {}

  std::vector<VehicleProblem> run() {
    check_part("chassis", vehicle_.chassis);
    if (vehicle_.axles.empty()) note("axles", "a vehicle needs one at least");
    std::set<std::string> names;
    for (const Axle& axle : vehicle_.axles) {
      if (!names.insert(axle.name).second) note("axles." + axle.name, "is there twice");
      check_axle(axle);
    }
    if (vehicle_.steering) check_steering(*vehicle_.steering);
    for (std::size_t i = 0; i < vehicle_.shape.boxes.size(); ++i) {
      const Box& box = vehicle_.shape.boxes[i];
      check_near(concat("shape.box[", i, "].min"), box.min);
      check_near(concat("shape.box[", i, "].max"), box.max);
    }
    if (vehicle_.trailer) check_trailer(*vehicle_.trailer);
    return std::move(problems_);
  }

 private:
  void note(std::string place, std::string text) {
    problems_.push_back({std::move(place), std::move(text)});
  }

  void check_part(const std::string& place, const Part& part) {
    if (!(part.mass > 0 && part.mass <= kHeaviest)) {
      note(place + ".mass", concat("must be > 0 and at most ", kHeaviest, " kg, got ", part.mass));
    }
    const Vector3 moments = math::calc_symmetric_eigen(part.inertia).values;
    if (!(moments[0] > 0)) {
      note(place + ".inertia", concat("must be positive definite, its principal moments are ",
                                      moments[0], ", ", moments[1], ", ", moments[2], " kg m^2"));
    } else if (moments[2] > (moments[0] + moments[1]) * (1 + 1e-6)) {
      note(place + ".inertia", concat("no body has these principal moments: ", moments[0], " + ",
                                      moments[1], " < ", moments[2], " kg m^2"));
    }
  }

  void check_near(const std::string& place, const Vector3& p) {
    const double most = p.cwiseAbs().maxCoeff();
    if (most <= kFarthest) return;
    note(place, concat("is ", most, " m from the vehicle's frame: at most ", kFarthest,
                       " m; points are in meters"));
  }

  void check_apart(const std::string& points, const char* a, const Vector3& p, const char* b,
                   const Vector3& q) {
    if ((p - q).norm() < kShortest) note(points + a, concat("is where ", b, " is"));
  }

  void check_off_axis(const std::string& points, const char* name, const Vector3& p,
                      const Vector3& front, const Vector3& back) {
    const Vector3 axis = (front - back).normalized();
    if ((p - front).cross(axis).norm() < kShortest)
      note(points + name, "is on the axis of the arm's hinge");
  }

  // An arm leads from its hinge to the wheel. One that leads away, as with a sign that is wrong,
  // closes in some other position, where springs are stretched by bump.
  void check_side(const std::string& points, const char* name, const Vector3& ball,
                  const Vector3& front, const Vector3& back, const Vector3& wheel) {
    const Vector3 axis = (front - back).normalized();
    const auto from_hinge = [&](const Vector3& p) {
      return Vector3((p - front) - axis * axis.dot(p - front));
    };
    if (from_hinge(ball).dot(from_hinge(wheel)) < 0) {
      note(points + name,
           concat("the arm leads away from the wheel: its hinge is between ", name, " and wheel"));
    }
  }

  void check_axle(const Axle& axle) {
    const std::string place = "axles." + axle.name, points = place + ".points.",
                      bodies = place + ".bodies.";
    const Hardpoints& p = axle.points;
    Hardpoints all = p;  // those that the type does not use are zero
    for (const auto& [name, point] : all_points(&all)) check_near(points + name, *point);
    if (axle.is_mirrored && p.wheel.y() < 0) {
      note(points + "wheel", concat("is to the right, at y = ", p.wheel.y(),
                                    " m: points are those of the left side, where y > 0; left and "
                                    "right wheels would be exchanged"));
    }
    check_part(place + ".wheel", axle.wheel.part);
    check_tire(place + ".wheel.", axle.wheel);
    if (!(axle.dual_spacing >= 0 && axle.dual_spacing <= 1))
      note(place + ".dual_spacing", concat("must be > 0 and at most 1 m, got ", axle.dual_spacing));
    check_apart(points, "spring_bottom", p.spring_bottom, "spring_top", p.spring_top);
    check_apart(points, "shock_bottom", p.shock_bottom, "shock_top", p.shock_top);
    check_spring(place + ".spring.", axle.spring);
    check_lengths(place + ".spring.", axle);
    check_travel(points, axle);
    check_shock(place + ".shock.", axle.shock);
    if (axle.anti_roll_bar && !axle.is_mirrored)
      note(place + ".anti_roll_bar", "needs a left and a right side: the axle has mirror = false");
    if (axle.type == SuspensionType::kTrailingArm) {
      check_part(bodies + "arm", axle.arm);
      check_apart(points, "arm_outer", p.arm_outer, "arm_inner", p.arm_inner);
      return;
    }
    check_part(bodies + "lower_arm", axle.lower_arm);
    check_part(bodies + "upright", axle.upright);
    check_apart(points, "lower_back", p.lower_back, "lower_front", p.lower_front);
    check_off_axis(points, "lower_ball", p.lower_ball, p.lower_front, p.lower_back);
    check_side(points, "lower_ball", p.lower_ball, p.lower_front, p.lower_back, p.wheel);
    check_apart(points, "tie_rod_outer", p.tie_rod_outer, "tie_rod_inner", p.tie_rod_inner);
    if (axle.has_tie_rod_body) check_part(bodies + "tie_rod", axle.tie_rod);
    const bool is_strut = axle.type == SuspensionType::kMcPherson;
    const Vector3 top = is_strut ? p.strut_top : p.upper_ball;
    check_apart(points, is_strut ? "strut_top" : "upper_ball", top, "lower_ball", p.lower_ball);
    check_off_kingpin(points, p, top);
    if (is_strut) {
      check_part(bodies + "strut", axle.strut);
      check_apart(points, "strut_bottom", p.strut_bottom, "strut_top", p.strut_top);
      return;
    }
    check_part(bodies + "upper_arm", axle.upper_arm);
    check_apart(points, "upper_back", p.upper_back, "upper_front", p.upper_front);
    check_off_axis(points, "upper_ball", p.upper_ball, p.upper_front, p.upper_back);
    check_side(points, "upper_ball", p.upper_ball, p.upper_front, p.upper_back, p.wheel);
    if (axle.type == SuspensionType::kPlanarDoubleWishbone)
      check_part(bodies + "spindle", axle.spindle);
    if (axle.has_shock_bodies) {
      check_part(bodies + "lower_shock", axle.lower_shock);
      check_part(bodies + "upper_shock", axle.upper_shock);
    }
  }

  void check_tire(const std::string& place, const Wheel& wheel) {
    if (!(wheel.vertical_stiffness >= 0 && wheel.vertical_stiffness <= kStiffest)) {
      note(place + "vertical_stiffness",
           concat("must be >= 0 and at most ", kStiffest, " N/m, got ", wheel.vertical_stiffness));
      return;
    }
    if (!wheel.tire) {
      if (wheel.parking_brake > 0) note(place + "parking_brake", "goes with a tire");
      return;
    }
    if (!(wheel.tire->friction >= 0))
      note(place + "tire.friction", concat("must be >= 0, got ", wheel.tire->friction));
    if (!(wheel.tire->slip_speed > 0))
      note(place + "tire.slip_speed", concat("must be > 0 m/s, got ", wheel.tire->slip_speed));
    if (!(wheel.vertical_stiffness > 0)) {
      note(place + "vertical_stiffness",
           concat("a tire needs one > 0 N/m, got ", wheel.vertical_stiffness));
    }
    if (!(wheel.vertical_damping >= 0)) {
      note(place + "vertical_damping", concat("must be >= 0 N s/m, got ", wheel.vertical_damping));
    }
  }

  // A tie rod that ends on the kingpin holds nothing, nor does one that points at it.
  void check_off_kingpin(const std::string& points, const Hardpoints& p, const Vector3& upper) {
    const Vector3 axis = (upper - p.lower_ball).normalized();
    const Vector3 arm = axis.cross(p.tie_rod_outer - p.lower_ball);
    const double lever = arm.dot((p.tie_rod_outer - p.tie_rod_inner).normalized());
    if (arm.norm() < kShortest) {
      note(points + "tie_rod_outer", "is on the kingpin's axis");
    } else if (std::abs(lever) < kShortest) {
      note(points + "tie_rod_inner",
           "the tie rod points at the kingpin's axis: it does not hold the wheel");
    }
  }

  static bool is_upside_down(const Spring& spring) {
    return spring.bump_length && spring.rebound_length &&
           !(*spring.bump_length < *spring.rebound_length);
  }

  // In the design position the stops may press, as far as somebody said how hard.
  void check_travel(const std::string& points, const Axle& axle) {
    const Spring& spring = axle.spring;
    if (!spring.stop || spring.stop->x.empty()) return;
    const double length = (axle.points.spring_top - axle.points.spring_bottom).norm(),
                 depth = spring.stop->x.back();
    if (length < kShortest || is_upside_down(spring)) return;  // said elsewhere
    const auto note_stop = [&](const char* stop, double limit) {
      note(points + "spring_top",
           concat("the wheel is outside its travel: the spring is ", std::round(1e4 * length) / 1e4,
                  " m long in the design position, its ", stop, " stop begins at ", limit,
                  " m and its table ends ", depth, " m beyond that"));
    };
    if (spring.bump_length && length < *spring.bump_length - depth)
      note_stop("bump", *spring.bump_length);
    if (spring.rebound_length && length > *spring.rebound_length + depth)
      note_stop("rebound", *spring.rebound_length);
  }

  void check_spring(const std::string& place, const Spring& spring) {
    if (!(spring.stiffness >= 0 && spring.stiffness <= kStiffest)) {
      note(place + "stiffness",
           concat("must be >= 0 and at most ", kStiffest, " N/m, got ", spring.stiffness));
    }
    if (!(spring.free_length > 0))
      note(place + "free_length", concat("must be > 0 m, got ", spring.free_length));
    if (is_upside_down(spring)) {
      note(place + "bump_length", concat("must be below rebound_length, ", *spring.rebound_length,
                                         " m, got ", *spring.bump_length));
    }
  }

  // Millimeters instead of meters: 300 times the spring's force, and no vehicle.
  void check_lengths(const std::string& place, const Axle& axle) {
    const Spring& spring = axle.spring;
    const double length = (axle.points.spring_top - axle.points.spring_bottom).norm();
    if (length < kShortest) return;  // said elsewhere
    const auto check = [&](const char* key, double value) {
      if (value <= kLongest * length) return;
      note(place + key,
           concat("is more than ", kLongest, " times the ", std::round(1e4 * length) / 1e4,
                  " m from spring_top to spring_bottom: lengths are in meters, got ", value));
    };
    check("free_length", spring.free_length);
    check("bump_length", spring.bump_length.value_or(0));
    check("rebound_length", spring.rebound_length.value_or(0));
  }

  // As its rates must not be negative. Gas under pressure adds a force that is the same at all
  // speeds.
  void check_shock(const std::string& place, const Shock& shock) {
    if (!shock.table || shock.table->x.size() < 2) return;
    const std::vector<double>&x = shock.table->x, &y = shock.table->y;
    std::size_t i = 1;  // the piece at rest, or the one that is nearest to it and goes on there
    while (i + 1 < x.size() && x[i] < 0) ++i;
    const double at_rest = y[i] - x[i] * (y[i] - y[i - 1]) / (x[i] - x[i - 1]);
    for (std::size_t k = 0; k < x.size(); ++k) {
      if ((y[k] - at_rest) * x[k] >= -1e-9 * std::abs(y[k] * x[k])) continue;
      note(place + "table",
           concat("drives instead of damping: ", y[k], " N at ", x[k], " m/s, ", at_rest,
                  " N at rest; where the shock gets longer (speed > 0) it pulls (force > 0)"));
      return;
    }
  }

  void check_trailer(const Trailer& trailer) {
    check_near("trailer.hitch", trailer.hitch);
    if (trailer.vehicle == nullptr) {
      note("trailer", "has no vehicle");
      return;
    }
    if (!trailer.vehicle->drawbar) note("trailer.file", "has no [drawbar]");
    if (trailer.vehicle->trailer) note("trailer.file", "has a trailer itself");
    if (trailer.vehicle->steering) note("trailer.file", "has [steering]: a trailer is drawn");
    for (const VehicleProblem& problem : find_problems(*trailer.vehicle))
      note("trailer.file", problem.place + ": " + problem.text);
  }

  void check_steered_axle(const std::string& place, const std::string& name) {
    const auto axle = std::find_if(vehicle_.axles.begin(), vehicle_.axles.end(),
                                   [&](const Axle& a) { return a.name == name; });
    if (axle == vehicle_.axles.end()) {
      note(place, concat("there is no axle \"", name, "\""));
    } else if (axle->type == SuspensionType::kTrailingArm) {
      note(place, concat("axle \"", name, "\" has trailing arms: no tie rods"));
    }
  }

  void check_steering(const Steering& steering) {
    check_steered_axle("steering.axle", steering.axle);
    std::set<std::string> steered = {steering.axle};
    for (std::size_t i = 0; i < steering.linked.size(); ++i) {
      const LinkedSteering& linked = steering.linked[i];
      const std::string place = concat("steering.linked[", i, "]");
      check_steered_axle(place + ".axle", linked.axle);
      check_part(place + ".rack", linked.rack);
      if (!steered.insert(linked.axle).second)
        note(place + ".axle", concat("axle \"", linked.axle, "\" is steered twice"));
      if (linked.ratio == 0 || !std::isfinite(linked.ratio))
        note(place + ".ratio", concat("must be finite and not 0, got ", linked.ratio));
    }
    if (steering.type == SteeringType::kRack) {
      check_part("steering.rack", steering.rack);
    } else {
      check_part("steering.pitman", steering.pitman);
      check_part("steering.idler", steering.idler);
      check_part("steering.link", steering.link);
      const auto check_arm = [&](const char* name, const Vector3& pivot, const Vector3& end) {
        if ((end - pivot).cross(steering.axis.normalized()).norm() < kShortest)
          note(concat("steering.", name), "is on the arm's axis");
      };
      check_arm("pitman_end", steering.pitman_pivot, steering.pitman_end);
      check_arm("idler_end", steering.idler_pivot, steering.idler_end);
    }
    if (steering.motion && steering.column)
      note("steering.motion", "the column turns the steering: give one of them");
  }

  const Vehicle& vehicle_;
  std::vector<VehicleProblem> problems_;
};

}  // namespace

std::vector<VehicleProblem> find_problems(const Vehicle& vehicle) { return Search(vehicle).run(); }

namespace {

/// What figures of vehicles from a go-kart to a mining truck are between, and units that are taken
/// for the right one.
struct Range {
  double from, to;
  const char* unit;        // that is expected
  const char* if_less;     // what a value below may be in
  const char* if_greater;  // what a value above may be in
};
constexpr Range kChassisMass = {50, 3e5, "kg", "t", "g or lb"};
constexpr Range kWheelMass = {1, 5000, "kg", "t", "g"};
constexpr Range kRadius = {0.1, 2.5, "m", "", "mm, cm or in"};
constexpr Range kHeight = {0.02, 5, "m", "", "mm or cm"};
constexpr Range kSpringStiffness = {1500, 5e6, "N/m", "N/mm or kN/m", ""};
constexpr Range kTireStiffness = {2e4, 1e7, "N/m", "N/mm or kN/m", ""};
constexpr Range kFreeLength = {0.04, 3, "m", "", "mm or cm"};
constexpr Range kGyration = {0.05, 10, "m", "", ""};

class Doubts {
 public:
  std::vector<VehicleProblem> found;

  void check(const std::string& place, double value, const Range& range) {
    if (value >= range.from && value <= range.to) return;
    const bool is_less = value < range.from;
    const std::string unit = is_less ? range.if_less : range.if_greater;
    found.push_back({place, concat("is ", value, " ", range.unit, ", and vehicles have ",
                                   range.from, " to ", range.to, " ", range.unit,
                                   unit.empty() ? "" : concat(": is it in ", unit, "?"))});
  }
};

}  // namespace

std::vector<VehicleProblem> find_unlikely(const Vehicle& vehicle) {
  Doubts doubts;
  const Part& chassis = vehicle.chassis;
  doubts.check("chassis.mass", chassis.mass, kChassisMass);
  if (chassis.mass > 0) {
    const Vector3 moments = math::calc_symmetric_eigen(chassis.inertia).values;
    const double gyration = std::sqrt(std::max(0.0, moments[2]) / chassis.mass);
    if (!(gyration >= kGyration.from && gyration <= kGyration.to))
      doubts.found.push_back(
          {"chassis.inertia", concat("belongs to a radius of gyration of ", gyration,
                                     " m: is it in kg m^2, or is chassis.mass wrong?")});
  }
  if (vehicle.height != 0) doubts.check("height", vehicle.height, kHeight);
  for (const Axle& axle : vehicle.axles) {
    const std::string place = "axles." + axle.name;
    doubts.check(place + ".wheel.mass", axle.wheel.part.mass, kWheelMass);
    if (axle.wheel.radius > 0) doubts.check(place + ".wheel.radius", axle.wheel.radius, kRadius);
    if (axle.wheel.vertical_stiffness > 0)
      doubts.check(place + ".wheel.vertical_stiffness", axle.wheel.vertical_stiffness,
                   kTireStiffness);
    if (axle.spring.stiffness > 0)
      doubts.check(place + ".spring.stiffness", axle.spring.stiffness, kSpringStiffness);
    if (axle.spring.free_length > 0)
      doubts.check(place + ".spring.free_length", axle.spring.free_length, kFreeLength);
    // Tie rods reach into the wheel, not through it.
    const Hardpoints& p = axle.points;
    const double reach = 1.5 * std::max(axle.wheel.radius, 0.3);
    if (axle.type != SuspensionType::kTrailingArm && (p.tie_rod_outer - p.wheel).norm() > reach)
      doubts.found.push_back(
          {place + ".points.tie_rod_outer",
           concat("is ", (p.tie_rod_outer - p.wheel).norm(), " m from the wheel's center")});
  }
  return std::move(doubts.found);
}

}  // namespace camber::vehicle
