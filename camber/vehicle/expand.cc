#include "camber/vehicle/expand.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "camber/core/require.h"
#include "camber/vehicle/corner_builder.h"
#include "camber/vehicle/problems.h"

namespace camber::vehicle {

using internal::CornerBuilder, internal::frame_at;
using multibody::Body, multibody::BodyIndex, multibody::Joint, multibody::JointAxis,
    multibody::JointIndex, multibody::JointType, multibody::kWorld, multibody::Mechanism;

namespace {

Body body_of(std::string name, const Part& part) {
  return Body{std::move(name), part.mass, part.center, part.inertia};
}

class Expansion {
 public:
  Expansion(const Vehicle& vehicle, const ExpandOptions& options)
      : vehicle_(vehicle), options_(options), axles_(all_axles(vehicle)) {}

  VehicleMechanism run() {
    m().name = vehicle_.name;
    m().gravity = vehicle_.gravity;
    add_chassis();
    if (vehicle_.steering) add_steering(*vehicle_.steering);
    for (std::size_t i = 0; i < axles_.size(); ++i) {
      if (i == vehicle_.axles.size()) {
        if (options_.has_fixed_chassis) break;  // on a rig a trailer has no effect
        add_trailer(*vehicle_.trailer);
      }
      const Axle& axle = axles_[i];
      add_corner(static_cast<int>(i), true);
      if (axle.is_mirrored) add_corner(static_cast<int>(i), false);
      if (axle.anti_roll_bar) add_anti_roll_bar(static_cast<int>(i), *axle.anti_roll_bar);
    }
    return std::move(out_);
  }

 private:
  Mechanism& m() { return out_.mechanism; }

  JointIndex join(JointType type, std::string name, BodyIndex parent, BodyIndex child,
                  const Isometry3& X, bool closes = false) {
    Joint joint;
    joint.name = std::move(name);
    joint.type = type;
    joint.parent = parent;
    joint.child = child;
    joint.X_PF = joint.X_BM = X;
    joint.cut = closes;
    return m().add(joint);
  }

  void add_chassis() {
    out_.chassis = base_ = m().add(body_of("chassis", vehicle_.chassis));
    Joint joint;
    joint.name = "chassis";
    joint.type = options_.has_fixed_chassis ? JointType::kFixed : JointType::kFree;
    joint.child = out_.chassis;
    joint.X_PF.translation() = Vector3(0, 0, vehicle_.height);
    m().add(joint);
  }

  // The trailer's frame is its own: points of its file count from there.
  void add_trailer(const Trailer& trailer) {
    base_ = m().add(body_of("trailer_chassis", trailer.vehicle->chassis));
    offset_ = trailer.offset();
    Joint joint;
    joint.name = "trailer_chassis";
    joint.type = JointType::kSpherical;
    joint.parent = out_.chassis;
    joint.child = base_;
    joint.X_PF.translation() = trailer.hitch;
    joint.X_BM.translation() = *trailer.vehicle->drawbar;
    out_.hitch = m().add(joint);
  }

  void add_steering(const Steering& steering) {
    if (steering.type == SteeringType::kPitman) {
      const BodyIndex pitman = m().add(body_of("pitman", steering.pitman));
      const BodyIndex idler = m().add(body_of("idler", steering.idler));
      tie_rod_base_ = m().add(body_of("steering_link", steering.link));
      out_.steering = join(JointType::kRevolute, "pitman", out_.chassis, pitman,
                           frame_at(steering.pitman_pivot, steering.axis));
      join(JointType::kRevolute, "idler", out_.chassis, idler,
           frame_at(steering.idler_pivot, steering.axis));
      join(JointType::kRevolute, "steering_link", pitman, tie_rod_base_,
           frame_at(steering.pitman_end, steering.axis));
      join(JointType::kRevolute, "idler_end", idler, tie_rod_base_,
           frame_at(steering.idler_end, steering.axis), true);
    } else {
      tie_rod_base_ = m().add(body_of("rack", steering.rack));
      out_.steering = join(JointType::kPrismatic, "rack", out_.chassis, tie_rod_base_,
                           frame_at(steering.rack.center, Vector3::UnitY()));
    }
    Joint& joint = m().joints[out_.steering.value];
    joint.axes.assign(1, JointAxis{});
    joint.axes[0].damping = steering.damping;
    joint.axes[0].motion = steering.motion;
    if (!steering.motion) m().independent.push_back(joint.name);
    if (steering.column) add_column(steering, *steering.column);
    for (const LinkedSteering& linked : steering.linked) add_linked(linked);
  }

  // A rack of another axle, whose travel is in proportion to that of the steering.
  void add_linked(const LinkedSteering& linked) {
    const BodyIndex rack = m().add(body_of(linked.axle + "_rack", linked.rack));
    const JointIndex joint = join(JointType::kPrismatic, linked.axle + "_rack", out_.chassis, rack,
                                  frame_at(linked.rack.center, Vector3::UnitY()));
    m().couplers.push_back({linked.axle + "_steering_link",
                            {{joint, 0, 1.0}, {out_.steering, 0, -linked.ratio}},
                            0.0});
    linked_racks_[linked.axle] = rack;
  }

  // What the inner ends of an axle's tie rods are on.
  BodyIndex find_tie_rod_base(const Axle& axle) const {
    if (vehicle_.steering && vehicle_.steering->axle == axle.name) return tie_rod_base_;
    const auto linked = linked_racks_.find(axle.name);
    return linked == linked_racks_.end() ? base_ : linked->second;
  }

  // The gear's input shaft rotates with the pitman arm or rack; the steering wheel sits on it with
  // the column's stiffness between.
  void add_column(const Steering& steering, const SteeringColumn& column) {
    const Vector3 place =
        steering.type == SteeringType::kPitman ? steering.pitman_pivot : steering.rack.center;
    // The share of the column below its soft part.
    Part shaft{0.1, place, Matrix3::Identity() * (0.05 * column.inertia)};
    Part wheel{1.0, place, Matrix3::Identity() * column.inertia};
    const BodyIndex input = m().add(body_of("steering_shaft", shaft));
    const BodyIndex hand_wheel = m().add(body_of("hand_wheel", wheel));
    const Isometry3 X = frame_at(place, steering.axis);
    const JointIndex shaft_joint =
        join(JointType::kRevolute, "steering_shaft", out_.chassis, input, X);
    const JointIndex wheel_joint = join(JointType::kRevolute, "hand_wheel", input, hand_wheel, X);
    m().joints[wheel_joint.value].axes.assign(1, JointAxis{});
    m().joints[wheel_joint.value].axes[0].stiffness = column.stiffness;
    m().joints[wheel_joint.value].axes[0].damping = column.damping;
    m().couplers.push_back(
        {"steering_gear", {{shaft_joint, 0, 1.0}, {out_.steering, 0, -column.ratio}}, 0.0});
  }

  void add_corner(int axle_index, bool is_left) {
    const Axle& axle = axles_[axle_index];
    CornerBuilder builder(axle, axle_index, is_left, base_, find_tie_rod_base(axle), &m());
    const std::size_t first_joint = m().joints.size();
    Corner corner;
    switch (axle.type) {
      case SuspensionType::kDoubleWishbone:
        corner = build_double_wishbone(&builder);
        break;
      case SuspensionType::kPlanarDoubleWishbone:
        corner = build_planar_double_wishbone(&builder);
        break;
      case SuspensionType::kMcPherson:
        corner = build_mcpherson(&builder);
        break;
      case SuspensionType::kTrailingArm:
        corner = build_trailing_arm(&builder);
        break;
    }
    choose_independent(first_joint, &corner);
    if (options_.is_standing) {
      stand(axle, corner);
    } else if (axle.wheel.tire && !options_.has_fixed_chassis) {
      roll(axle.wheel, corner);
    }
    corner.dual_spacing = axle.dual_spacing;
    corner.base = base_;
    corner.is_towed = base_ != out_.chassis;
    if (vehicle_.steering && vehicle_.steering->axle == axle.name)
      out_.steered.push_back(static_cast<int>(out_.corners.size()));
    out_.corners.push_back(std::move(corner));
  }

  // The travel, and all that bushings hold: an upper arm's turn about its hinge, its last
  // coordinate, follows as that of an ideal hinge does, so that loops keep their closed form.
  void choose_independent(std::size_t first_joint, Corner* corner) {
    for (std::size_t j = first_joint; j < m().joints.size(); ++j) {
      const Joint& joint = m().joints[j];
      const bool is_travel = static_cast<int>(j) == corner->travel.value;
      const int n = multibody::speed_count(joint.type);
      const int count = is_travel ? n : joint.type == JointType::kSoftHinge ? n - 1 : 0;
      for (int i = 0; i < count; ++i) corner->coordinates.push_back(axis_name(joint, i));
    }
    m().independent.insert(m().independent.end(), corner->coordinates.begin(),
                           corner->coordinates.end());
  }

  // A vertical spring from the ground to the wheel's center, whose free length is the tire's
  // radius.
  void stand(const Axle& axle, const Corner& corner) {
    multibody::Bushing tire;
    tire.name = corner.name + "_tire";
    tire.a = kWorld;
    tire.b = corner.carrier;
    tire.X_BQ.translation() = corner.points.wheel;
    tire.X_AP.translation() = Vector3(offset_[0] + corner.points.wheel[0],
                                      offset_[1] + corner.points.wheel[1], axle.wheel.radius);
    tire.stiffness(5, 5) = axle.wheel.vertical_stiffness;
    tire.damping(5, 5) = axle.wheel.vertical_damping;
    m().bushings.push_back(tire);
  }

  // The tire as a rolling constraint with friction, and the brake as another on the wheel's spin.
  void roll(const Wheel& wheel, const Corner& corner) {
    multibody::Rolling tire;
    tire.name = corner.name + "_tire";
    tire.wheel = corner.wheel;
    tire.p_BC_B = corner.points.wheel;
    tire.axis_B = corner.wheel_axis;
    tire.radius = wheel.radius;
    tire.stiffness = wheel.vertical_stiffness;
    tire.damping = wheel.vertical_damping;
    tire.relaxation.friction = symbolic::Expr(wheel.tire->friction);
    tire.relaxation.slip_speed = wheel.tire->slip_speed;
    m().rollings.push_back(tire);
    if (wheel.parking_brake == 0) return;
    multibody::Coupler brake;
    brake.name = corner.name + "_parking_brake";
    brake.terms = {{corner.spin, 0, 1.0}};
    brake.relaxation.friction = symbolic::Expr(wheel.parking_brake);
    brake.relaxation.slip_speed = wheel.tire->slip_speed / wheel.radius;  // [rad/s]
    m().couplers.push_back(brake);
  }

  // Two halves that turn on the chassis about the line across it, with the bar's stiffness between
  // them and drop links to the lower arms.
  void add_anti_roll_bar(int axle_index, const AntiRollBar& bar) {
    const Axle& axle = axles_[axle_index];
    require(axle.is_mirrored, "axle \"", axle.name, "\": an anti-roll bar needs a mirrored axle");
    const Vector3 mirror(1, -1, 1);
    const auto half = [&](bool is_left) {
      const auto here = [&](const Vector3& p) {
        return is_left ? p : Vector3(p.cwiseProduct(mirror));
      };
      // A slender arm from pivot to end.
      const Vector3 arm = bar.arm_end - bar.pivot;
      Part part{bar.mass, 0.5 * (here(bar.pivot) + here(bar.arm_end)),
                Matrix3::Identity() * (bar.mass * arm.squaredNorm() / 12)};
      return m().add(body_of(axle.name + (is_left ? "_left" : "_right") + "_anti_roll_bar", part));
    };
    const BodyIndex left = half(true), right = half(false);
    const Vector3 across(bar.pivot[0], 0, bar.pivot[2]);
    join(JointType::kRevolute, m().bodies[left.value].name, base_, left,
         frame_at(across, Vector3::UnitY()));
    const JointIndex twist = join(JointType::kRevolute, m().bodies[right.value].name, left, right,
                                  frame_at(across, Vector3::UnitY()));
    m().joints[twist.value].axes.assign(1, JointAxis{});
    m().joints[twist.value].axes[0].stiffness = bar.stiffness;
    for (const bool is_left : {true, false}) {
      const Vector3 side = is_left ? Vector3(1, 1, 1) : mirror;
      const Corner& corner = out_.corners[out_.corners.size() - (is_left ? 2 : 1)];
      multibody::Rod link;
      link.name = corner.name + "_drop_link";
      link.a = is_left ? left : right;
      link.b = m().joints[corner.travel.value].child;
      link.p_AP_A = bar.arm_end.cwiseProduct(side);
      link.p_BQ_B = bar.link_end.cwiseProduct(side);
      link.length = (bar.arm_end - bar.link_end).norm();
      m().rods.push_back(link);
    }
  }

  const Vehicle& vehicle_;
  const ExpandOptions& options_;
  std::vector<Axle> axles_;
  VehicleMechanism out_;
  BodyIndex base_;                    // chassis of the vehicle, then of its trailer
  Vector3 offset_ = Vector3::Zero();  // of the base's frame in the vehicle's
  BodyIndex tie_rod_base_;
  std::map<std::string, BodyIndex> linked_racks_;  // by axle
};

}  // namespace

VehicleMechanism expand(const Vehicle& vehicle, const ExpandOptions& options) {
  std::string text;
  for (const VehicleProblem& problem : find_problems(vehicle))
    text += concat(text.empty() ? "" : "\n", problem.place, ": ", problem.text);
  if (!text.empty()) throw std::invalid_argument("vehicle \"" + vehicle.name + "\": " + text);
  return Expansion(vehicle, options).run();
}

}  // namespace camber::vehicle
