#include "camber/vehicle/rig_sweep.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>

#include "camber/core/require.h"
#include "camber/multibody/linearize.h"

namespace camber::vehicle {

namespace {

constexpr double kTravelStep = 0.005;                   // [m]
constexpr double kPitmanStep = std::numbers::pi / 180;  // [rad] a degree
constexpr double kRackStep = 0.002;                     // [m]
/// How near to where a linkage ends a range goes that nobody asked for: there all gains are
/// infinite.
constexpr double kShare = 0.9;
/// How far before a stop a range ends: at the stop itself the wheel rate has two values.
constexpr double kBeforeStop = 1e-9;  // [m] of the spring

/// For messages: tenths of millimeters, hundredths of degrees.
double rounded(double value) { return std::round(1e4 * value) / 1e4; }

class Sweeper {
 public:
  Sweeper(const Vehicle& vehicle, const RigRequest& request)
      : vehicle_(vehicle), request_(request), rig_(make_rig(vehicle, request)) {}

  RigResult run() {
    result_.corners = rig_.corners();
    for (std::size_t i = 0; i < vehicle_.axles.size(); ++i)
      result_.loaded_radius.push_back(rig_.loaded_radius(static_cast<int>(i)));
    result_.design = measure();
    if (result_.standing) measure_standing(*result_.standing);
    for (std::size_t i = 0; i < vehicle_.axles.size(); ++i) sweep_axle(static_cast<int>(i));
    if (rig_.has_steering()) sweep_steering();
    return std::move(result_);
  }

 private:
  Rig make_rig(const Vehicle& vehicle, const RigRequest& request) {
    RigOptions options;
    result_.standing = find_standing(vehicle);
    for (std::size_t i = 0; i < vehicle.axles.size(); ++i) {
      const Wheel& wheel = vehicle.axles[i].wheel;
      options.loaded_radius.push_back(request.loaded_radius.value_or(
          wheel.radius - (result_.standing
                              ? mean_load(vehicle, static_cast<int>(i)) / wheel.vertical_stiffness
                              : 0)));
    }
    return Rig(vehicle, options);
  }

  double mean_load(const Vehicle& vehicle, int axle) const {
    // Corners come axle by axle, as expand() adds them.
    std::size_t first = 0;
    for (int i = 0; i < axle; ++i) first += vehicle.axles[i].is_mirrored ? 2 : 1;
    const std::vector<double>& load = result_.standing->load;
    return vehicle.axles[axle].is_mirrored ? 0.5 * (load[first] + load[first + 1]) : load[first];
  }

  RigState measure() {
    RigState state = rig_.measure();
    result_.closure_error = std::max(result_.closure_error, state.closure_error);
    return state;
  }

  void measure_standing(const Standing& standing) {
    bool is_there = true;
    for (std::size_t i = 0; i < standing.travel.size(); ++i)
      is_there = is_there && rig_.lift(static_cast<int>(i), standing.travel[i]);
    if (is_there) result_.at_standing = measure();
    rig_.reset();
  }

  // --- Travel ---

  void lift(int corner, double travel) {
    if (corner < 0 || rig_.lift(corner, travel)) return;
    throw std::invalid_argument(concat("a travel of ", rounded(travel),
                                       " m is out of reach: ", rig_.corners()[corner].name,
                                       " ends at ", rounded(rig_.travel(corner)), " m"));
  }

  /// From the design position outward to both sides, so that each position is found from the one
  /// before it.
  std::vector<RigState> sweep(const std::vector<double>& values,
                              const std::function<void(double)>& go_to) {
    std::vector<RigState> states(values.size());
    const auto middle = std::lower_bound(values.begin(), values.end(), 0.0) - values.begin();
    const auto visit = [&](std::ptrdiff_t i) {
      if (request_.between) request_.between();
      go_to(values[i]);
      states[i] = measure();
    };
    rig_.reset();
    for (auto i = middle; i < static_cast<std::ptrdiff_t>(values.size()); ++i) visit(i);
    rig_.reset();
    for (auto i = middle - 1; i >= 0; --i) visit(i);
    rig_.reset();
    return states;
  }

  void sweep_axle(int axle) {
    AxleSweep sweep_of;
    sweep_of.axle = axle;
    for (std::size_t i = 0; i < result_.corners.size(); ++i) {
      if (result_.corners[i].axle == axle)
        (result_.corners[i].is_left ? sweep_of.left : sweep_of.right) = static_cast<int>(i);
    }
    const int left = sweep_of.left, right = sweep_of.right;
    sweep_of.range = choose_travel(left);
    sweep_of.parallel = sweep(values_of(sweep_of.range), [&](double z) {
      lift(left, z);
      lift(right, z);
    });
    const double common = std::min(-sweep_of.range.first, sweep_of.range.last);
    if (right >= 0 && common > 0) {
      sweep_of.opposed = sweep(values_of({-common, common, sweep_of.range.step}), [&](double z) {
        lift(left, z);
        lift(right, -z);
      });
    }
    result_.axles.push_back(std::move(sweep_of));
  }

  RigRange choose_travel(int corner) {
    const double bump = find_end(corner, 1), rebound = find_end(corner, -1);
    const Spring& spring = vehicle_.axles[rig_.corners()[corner].axle].spring;
    if (!request_.travel) {
      require(rebound < bump, rig_.corners()[corner].name,
              ": no travel from stop to stop: toward its rebound length the spring moves the wheel "
              "to ",
              rounded(rebound), " m, toward its bump length to ", rounded(bump),
              " m; are all points where they are meant to be? A range of travel (--travel) shows "
              "what the suspension does");
      return {rebound, bump, kTravelStep};
    }
    const auto note_if = [&](bool is_beyond, double asked, const char* stop, double at) {
      if (is_beyond)
        note(concat(rig_.corners()[corner].name, ": a travel of ", rounded(asked),
                    " m is beyond the ", stop, " stop, which begins at ", rounded(at), " m"));
    };
    note_if(spring.bump_length && request_.travel->last > bump, request_.travel->last, "bump",
            bump);
    note_if(spring.rebound_length && request_.travel->first < rebound, request_.travel->first,
            "rebound", rebound);
    return *request_.travel;
  }

  /// The travel where the stop of one side begins, or the usual one. A range that nobody asked for
  /// goes no further than that: stops out of a wheel's reach would leave the travel that it has a
  /// small part of the plots.
  double find_end(int corner, double side) {
    const Axle& axle = vehicle_.axles[rig_.corners()[corner].axle];
    const auto& length = side > 0 ? axle.spring.bump_length : axle.spring.rebound_length;
    rig_.reset();
    bool is_there = length && rig_.compress(corner, *length + side * kBeforeStop);
    double travel = rig_.travel(corner);
    if (!length || (is_there && side * travel <= 0)) {  // none, or the design position is past it
      rig_.reset();
      is_there = rig_.lift(corner, side * kUsualTravel);
      travel = rig_.travel(corner);
    }
    rig_.reset();
    const double end = is_there ? travel : kShare * travel;
    if (request_.travel) return end;
    const bool is_far = side * end > kUsualTravel * (1 + 1e-9);
    const std::string& name = rig_.corners()[corner].name;
    const double shown = is_far ? side * kUsualTravel : end;
    if (!is_there) {
      note(concat(name, ": the linkage ends at ", rounded(travel),
                  " m of travel, before the stop: shown to ", rounded(shown), " m"));
    } else if (is_far) {
      note(concat(name, ": shown to ", rounded(shown), " m of travel; the ",
                  side > 0 ? "bump" : "rebound", " stop begins at ", rounded(travel),
                  " m, where --travel goes"));
    }
    return shown;
  }

  // --- Steering ---

  void sweep_steering() {
    const bool is_pitman = vehicle_.steering->type == SteeringType::kPitman;
    const double usual = is_pitman ? kUsualPitman : kUsualRack;
    const auto text = [&](double position) {  // as people say it
      return is_pitman ? concat(rounded(position / kPitmanStep), " deg")
                       : concat(rounded(1000 * position), " mm");
    };
    RigRange& range = result_.steering_range;
    range =
        request_.steering.value_or(RigRange{-usual, usual, is_pitman ? kPitmanStep : kRackStep});
    if (!request_.steering) {
      for (double* end : {&range.first, &range.last}) {
        rig_.reset();
        if (rig_.steer(*end)) continue;
        note(concat("the steering's linkage ends at ", text(rig_.steering())));
        *end = kShare * rig_.steering();
      }
    }
    result_.steering = sweep(values_of(range), [&](double position) {
      if (rig_.steer(position)) return;
      throw std::invalid_argument(concat("a steering of ", text(position),
                                         " is out of reach: the linkage ends at ",
                                         text(rig_.steering())));
    });
  }

  void note(std::string text) {
    if (std::find(result_.notes.begin(), result_.notes.end(), text) == result_.notes.end())
      result_.notes.push_back(std::move(text));
  }

  const Vehicle& vehicle_;
  const RigRequest& request_;
  RigResult result_;  // before the rig, whose radii need how the vehicle stands
  Rig rig_;
};

}  // namespace

std::vector<double> values_of(const RigRange& range) {
  require(range.last > range.first && range.step > 0,
          "a range needs first < last and a step > 0, got ", range.first, ":", range.last, ":",
          range.step);
  const double near = 1e-6 * range.step;  // a step that ends on the range's end but for rounding
  std::vector<double> values{range.first};
  const auto first = static_cast<long>(std::ceil((range.first + near) / range.step));
  const auto last = static_cast<long>(std::floor((range.last - near) / range.step));
  for (long i = first; i <= last; ++i) values.push_back(static_cast<double>(i) * range.step);
  values.push_back(range.last);
  return values;
}

std::optional<Standing> find_standing(const Vehicle& vehicle) {
  for (const Axle& axle : vehicle.axles) {
    if (!(axle.wheel.vertical_stiffness > 0)) return std::nullopt;
  }
  const VehicleMechanism parts = expand(vehicle, {.is_standing = true});
  const multibody::MechanismDynamics dynamics(parts.mechanism);
  VectorX<double> q = dynamics.initial_q();
  try {
    if (!find_equilibrium(dynamics.tree(), dynamics.partition(), &q).found) return std::nullopt;
  } catch (const std::domain_error&) {
    return std::nullopt;
  }
  multibody::PositionKinematics<double> pos(dynamics.model());
  calc_position_kinematics(dynamics.model(), q, &pos);
  const auto pose_of = [&](multibody::BodyIndex body) {
    const auto pose = calc_body_pose(dynamics.model(), pos, body);
    Isometry3 X = Isometry3::Identity();
    X.linear() = multibody::to_eigen(pose.R_WB);
    X.translation() = multibody::to_eigen(pose.p_WB);
    return X;
  };
  const Isometry3 X_WV = pose_of(parts.chassis);
  Standing standing;
  for (const Corner& corner : parts.corners) {
    const Wheel& wheel = vehicle.axles[corner.axle].wheel;
    const Vector3 center = pose_of(corner.carrier) * corner.points.wheel;
    standing.travel.push_back((X_WV.inverse() * center)[2] - corner.points.wheel[2]);
    standing.load.push_back((wheel.radius - center[2]) * wheel.vertical_stiffness);
  }
  return standing;
}

RigResult run_rig(const Vehicle& vehicle, const RigRequest& request) {
  return Sweeper(vehicle, request).run();
}

}  // namespace camber::vehicle
