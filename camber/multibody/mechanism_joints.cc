#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "camber/core/require.h"
#include "camber/multibody/mechanism_parts.h"

namespace camber::multibody::internal {

namespace {

constexpr double kDegree = std::numbers::pi / 180;

bool has_quaternion(JointType type) { return position_count(type) > speed_count(type); }

/// Whether a speed of the joint is angular, not linear.
bool turns(JointType type, int axis) {
  switch (type) {
    case JointType::kPrismatic:
      return false;
    case JointType::kCylindrical:
      return axis == 0;
    case JointType::kPlanar:
      return axis == 2;
    case JointType::kSoftHinge:
    case JointType::kFreeAngles:
      return axis >= 3;
    case JointType::kFree:
      return axis < 3;
    default:
      return true;
  }
}

/// Whether one number can apply to all axes.
bool has_axes_of_one_kind(JointType type) {
  for (int i = 1; i < speed_count(type); ++i) {
    if (turns(type, i) != turns(type, 0)) return false;
  }
  return true;
}

JointType read_joint_type(const TomlNode& node) {
  static const std::map<std::string, JointType> types = {
      {"fixed", JointType::kFixed},         {"revolute", JointType::kRevolute},
      {"prismatic", JointType::kPrismatic}, {"screw", JointType::kScrew},
      {"universal", JointType::kUniversal}, {"cylindrical", JointType::kCylindrical},
      {"planar", JointType::kPlanar},       {"soft_hinge", JointType::kSoftHinge},
      {"spherical", JointType::kSpherical}, {"free", JointType::kFree}};
  const std::string word = node.choice({"fixed", "revolute", "prismatic", "screw", "cylindrical",
                                        "universal", "planar", "soft_hinge", "spherical", "free"});
  return types.at(word);
}

class JointReader {
 public:
  explicit JointReader(MechanismValues* values) : values_(values) {}

  Joint read(const TomlNode& node, const Mechanism& mechanism) {
    Joint joint;
    joint.name = node.key();
    if (joint.name.find('.') != std::string::npos)
      node.error("a joint's name must have no '.': \"name.1\" is the second axis of a joint");
    joint.type = read_joint_type(node.at("type"));
    if (const auto parent = node.find("parent")) joint.parent = values_->body(parent);
    joint.child = values_->body(node.at("child"));
    read_joint_frames(node, &joint);
    read_pitch(node, &joint);
    joint.axes = read_axes(node, joint.type);
    if (auto position = read_position(node, joint.type)) joint.q0 = std::move(*position);
    if (const auto speed = node.find("speed"))
      joint.v0 = read_coordinates(speed, speed_count(joint.type), "");
    joint.cut = node.get("cut", false).boolean();
    if (const auto relax = node.find("relax"))
      read_weight(relax, 1, coordinate_names(mechanism), values_, &joint.relaxation);
    return joint;
  }

 private:
  void read_joint_frames(const TomlNode& node, Joint* joint) {
    const Isometry3 X_WP = values_->X_WB(joint->parent), X_WB = values_->X_WB(joint->child);
    const TomlNode parent_frame = node.find("parent_frame"), child_frame = node.find("child_frame"),
                   frame = node.find("frame"), at = node.find("at"), axis = node.find("axis"),
                   second = node.find("second_axis"), x_axis = node.find("x_axis");
    if (second && joint->type != JointType::kUniversal)
      second.error("only a universal joint has a second axis");
    if (parent_frame || child_frame) {
      for (const TomlNode& other : {frame, at, axis, second, x_axis}) {
        if (other)
          other.error(
              "give a joint either by its place in the design configuration (at, axis, frame) or "
              "on each body (parent_frame, child_frame)");
      }
      if (parent_frame) joint->X_PF = values_->frame(parent_frame, X_WP);
      if (child_frame) joint->X_BM = values_->frame(child_frame, X_WB);
      if (joint->type == JointType::kUniversal) {
        joint->X_PF.linear() = cross_of(joint->X_PF.linear());
        joint->X_BM.linear() = cross_of(joint->X_BM.linear());
      }
      return;
    }
    if (joint->type == JointType::kFree && !frame && !at && !axis) {
      if (x_axis) x_axis.error("requires axis");
      // Its coordinates are the pose of the body itself in the design configuration.
      const Isometry3 X_PB = X_WP.inverse() * X_WB;
      const Quaternion q(X_PB.linear());
      const Vector3& p = X_PB.translation();
      joint->q0 = {q.w(), q.x(), q.y(), q.z(), p[0], p[1], p[2]};
      return;
    }
    Isometry3 X_WF = Isometry3::Identity();
    if (frame) {
      for (const TomlNode& other : {at, axis, second, x_axis}) {
        if (other) other.error("gives the joint's frame again; it is already given by \"frame\"");
      }
      X_WF = values_->frame(frame);
      if (joint->type == JointType::kUniversal) X_WF.linear() = cross_of(X_WF.linear());
    } else {
      if (x_axis && (!axis || joint->type == JointType::kUniversal))
        x_axis.error("requires axis, and is not for a universal joint, which has second_axis");
      X_WF = read_design_frame(node, *joint, X_WB);
    }
    joint->X_PF = X_WP.inverse() * X_WF;
    joint->X_BM = X_WB.inverse() * X_WF;
  }

  /// The joint's frame from at, axis and related keys.
  Isometry3 read_design_frame(const TomlNode& node, const Joint& joint, const Isometry3& X_WB) {
    const JointType type = joint.type;
    Isometry3 X_WF = Isometry3::Identity();
    X_WF.translation() = X_WB.translation();
    const bool needs_place = type == JointType::kRevolute || type == JointType::kScrew ||
                             type == JointType::kCylindrical || type == JointType::kUniversal ||
                             type == JointType::kSoftHinge || type == JointType::kSpherical;
    const bool needs_axis =
        type != JointType::kFixed && type != JointType::kSpherical && type != JointType::kFree;
    if (const auto at = needs_place ? node.at("at") : node.find("at"))
      X_WF.translation() = values_->point(at);
    const TomlNode axis = needs_axis ? node.at("axis") : node.find("axis");
    if (type == JointType::kUniversal) {
      X_WF.linear() = read_cross(node, axis);
    } else if (axis) {
      X_WF.linear() = values_->rotation(node);
    }
    return X_WF;
  }

  /// In a file, the axis of a frame is its z; Joint has the first axis along x, the second along y.
  static Matrix3 cross_of(const Matrix3& R) {
    Matrix3 cross;
    cross << R.col(2), R.col(0), R.col(1);
    return cross;
  }

  /// x along the first axis, y along the second.
  Matrix3 read_cross(const TomlNode& node, const TomlNode& axis) {
    const Vector3 x = values_->direction(axis);
    Vector3 y = off_axis(x, Vector3::UnitY(), Vector3::UnitZ());
    if (const auto second = node.find("second_axis")) {
      y = values_->direction(second);
      if (std::abs(x.dot(y)) > 1e-3) {
        second.error(concat(
            "must be perpendicular to axis, got ",
            std::round(std::acos(std::clamp(x.dot(y), -1.0, 1.0)) / kDegree * 10) / 10, " deg"));
        y = off_axis(x, Vector3::UnitY(), Vector3::UnitZ());
      }
    }
    y = (y - y.dot(x) * x).normalized();
    Matrix3 R;
    R << x, y, x.cross(y);
    return R;
  }

  void read_pitch(const TomlNode& node, Joint* joint) {
    const auto given = only_one(node, {"pitch", "lead"}, "the pitch");
    if (joint->type != JointType::kScrew) {
      if (given) given->error("only a screw has one");
      return;
    }
    if (!given) return node.find("pitch").error("missing");
    joint->pitch = given->key() == "pitch"
                       ? values_->number(*given, "m/rad")
                       : values_->number(*given, "m/turn") / (2 * std::numbers::pi);
  }

  /// A coordinate in its own unit, or an angle in degrees under KEY_deg.
  std::optional<double> read_coordinate(const TomlNode& table, const std::string& key,
                                        bool is_angle) {
    const auto given = only_one(table, {key, key + "_deg"}, key);
    if (!given) return std::nullopt;
    if (given->key() == key) return values_->number(*given, is_angle ? "rad" : "m");
    if (!is_angle) given->error("this axis is translational and has no angle");
    return values_->number(*given, "deg") * kDegree;
  }

  /// Empty if the table has none of an axis's keys.
  std::optional<JointAxis> read_axis(const TomlNode& table, bool is_angle) {
    JointAxis axis;
    bool any = false;
    const auto number = [&](std::string_view key, std::string_view unit, double* value) {
      const TomlNode node = table.find(key);
      if (!node) return;
      any = true;
      *value = values_->number(node, unit);
    };
    number("stiffness", is_angle ? "N m/rad" : "N/m", &axis.stiffness);
    number("damping", is_angle ? "N m s/rad" : "N s/m", &axis.damping);
    number("friction", is_angle ? "N m" : "N", &axis.friction);
    number("friction_speed", is_angle ? "rad/s" : "m/s", &axis.friction_speed);
    number("stop_stiffness", is_angle ? "N m/rad" : "N/m", &axis.stop_stiffness);
    number("stop_damping", is_angle ? "N m s/rad" : "N s/m", &axis.stop_damping);
    number(is_angle ? "torque" : "force", is_angle ? "N m" : "N", &axis.force);
    if (const auto other = table.find(is_angle ? "force" : "torque"))
      other.error(is_angle ? "this axis is rotational: give a torque"
                           : "this axis is translational: give a force");
    if (const auto rest = read_coordinate(table, "rest", is_angle)) {
      any = true;
      axis.rest = *rest;
    }
    axis.lower = read_coordinate(table, "lower", is_angle);
    axis.upper = read_coordinate(table, "upper", is_angle);
    if (axis.lower || axis.upper) {
      any = true;
      table.at("stop_stiffness");
    }
    if (const auto motion = table.find("motion")) {
      any = true;
      axis.motion = values_->motion(motion);
    }
    if (!any) return std::nullopt;
    return axis;
  }

  std::vector<JointAxis> read_axes(const TomlNode& node, JointType type) {
    const int nv = speed_count(type);
    const std::optional<JointAxis> common = read_axis(node, turns(type, 0));
    const TomlNode list = node.find("axes");
    if (!list) {
      if (!common) return {};
      if (nv == 0) {
        node.error("a fixed joint has no axis for springs, dampers, stops or motions");
        return {};
      }
      if (!has_axes_of_one_kind(type)) {
        node.error(concat("some axes of a ", to_text(type),
                          " joint are rotational and some translational: give each its own, axes = "
                          "[{ ... }, ...]"));
      }
      return std::vector<JointAxis>(static_cast<std::size_t>(nv), *common);
    }
    if (common) list.error("the loads of the axes are already given");
    std::vector<JointAxis> axes;
    for (const TomlNode& element : list.elements()) {
      const int i = static_cast<int>(axes.size());
      axes.push_back(read_axis(element, turns(type, i)).value_or(JointAxis()));
    }
    return axes;  // their number is checked with everything else
  }

  std::vector<double> read_coordinates(const TomlNode& node, int count, std::string_view unit) {
    if (count == 1 && !node.is_array()) return {values_->number(node, unit)};
    return values_->numbers(node, static_cast<std::size_t>(count), unit);
  }

  std::optional<std::vector<double>> read_position(const TomlNode& node, JointType type) {
    const auto given = only_one(node, {"position", "position_deg"}, "the position");
    if (!given) return std::nullopt;
    const int nq = position_count(type);
    if (given->key() == "position_deg") {
      if (has_quaternion(type) || !has_axes_of_one_kind(type) || !turns(type, 0))
        given->error("the coordinates of this joint are not all angles");
      std::vector<double> q = read_coordinates(*given, nq, "deg");
      for (double& angle : q) angle *= kDegree;
      return q;
    }
    if (!has_quaternion(type)) return read_coordinates(*given, nq, "");
    if (!given->is_table()) {
      const std::vector<double> q = read_coordinates(*given, nq, "");
      // As for frames: rounded figures have this length, a mistake has not.
      const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
      if (given->is_array() && std::abs(length - 1) > 1e-3)
        given->error(concat("begins with a quaternion, whose length must be 1, got ", length));
      return q;
    }
    const Isometry3 X_FM = values_->frame(*given);
    const Quaternion r(X_FM.linear());
    std::vector<double> q = {r.w(), r.x(), r.y(), r.z()};
    if (type == JointType::kFree)
      q.insert(q.end(), X_FM.translation().begin(), X_FM.translation().end());
    return q;
  }

  MechanismValues* values_;
};

}  // namespace

Joint read_joint(const TomlNode& node, const Mechanism& mechanism, MechanismValues* values) {
  return JointReader(values).read(node, mechanism);
}

}  // namespace camber::multibody::internal
