#include "camber/multibody/mechanism_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/core/toml_reader.h"
#include "camber/multibody/compile.h"
#include "camber/multibody/mechanism_values.h"
#include "camber/multibody/udwadia_kalaba.h"

namespace camber::multibody {

namespace {

using internal::MechanismValues;
using Part = MechanismProblem::Part;

constexpr double kDegree = std::numbers::pi / 180;

bool has_quaternion(JointType type) { return position_count(type) > speed_count(type); }

/// Whether a speed of the joint is a rate of turn, not of sliding.
bool turns(JointType type, int axis) {
  switch (type) {
    case JointType::kPrismatic:
      return false;
    case JointType::kCylindrical:
      return axis == 0;
    case JointType::kPlanar:
      return axis == 2;
    case JointType::kFree:
      return axis < 3;
    default:
      return true;
  }
}

/// Whether one number can stand for all axes.
bool has_axes_of_one_kind(JointType type) {
  for (int i = 1; i < speed_count(type); ++i) {
    if (turns(type, i) != turns(type, 0)) return false;
  }
  return true;
}

JointType read_joint_type(const TomlNode& node) {
  static const std::map<std::string, JointType> types = {{"fixed", JointType::kFixed},
                                                         {"revolute", JointType::kRevolute},
                                                         {"prismatic", JointType::kPrismatic},
                                                         {"screw", JointType::kScrew},
                                                         {"universal", JointType::kUniversal},
                                                         {"cylindrical", JointType::kCylindrical},
                                                         {"planar", JointType::kPlanar},
                                                         {"spherical", JointType::kSpherical},
                                                         {"free", JointType::kFree}};
  const std::string word = node.choice({"fixed", "revolute", "prismatic", "screw", "cylindrical",
                                        "universal", "planar", "spherical", "free"});
  return types.at(word);
}

class Reader {
 public:
  Reader(const TomlNode& root, Diagnostics* diagnostics)
      : root_(root), diagnostics_(diagnostics), values_(root) {}

  Mechanism read() {
    root_.at("kind").choice({"mechanism"});
    mechanism_.name = root_.at("name").text();
    root_.get("about", std::string()).text();  // for people
    if (const auto gravity = root_.find("gravity"))
      mechanism_.gravity = values_.triple(gravity, "m/s^2");
    mark(Part::kBody, root_, [] {});  // the world
    for (const TomlNode& node : values_.body_nodes())
      mark(Part::kBody, node, [&] { mechanism_.bodies.push_back(read_body(node)); });
    read_list("joints", Part::kJoint, &mechanism_.joints, &Reader::read_joint);
    read_list("rods", Part::kRod, &mechanism_.rods, &Reader::read_rod);
    read_list("couplers", Part::kCoupler, &mechanism_.couplers, &Reader::read_coupler);
    read_list("rolling", Part::kRolling, &mechanism_.rollings, &Reader::read_rolling);
    read_list("springs", Part::kSpring, &mechanism_.springs, &Reader::read_spring);
    read_list("bushings", Part::kBushing, &mechanism_.bushings, &Reader::read_bushing);
    read_list("wrenches", Part::kWrench, &mechanism_.wrenches, &Reader::read_wrench);
    read_independent();
    report_problems();
    return std::move(mechanism_);
  }

 private:
  struct Source {
    TomlNode node;
    bool sound;  // read without a mistake: what find_problems() says of it is no echo of one
  };

  template <class Action>
  void mark(Part part, const TomlNode& node, Action action) {
    const std::size_t errors = diagnostics_->error_count();
    action();
    sources_[part].push_back({node, diagnostics_->error_count() == errors});
  }

  template <class T>
  void read_list(std::string_view key, Part part, std::vector<T>* list,
                 T (Reader::*read_one)(const TomlNode&)) {
    const TomlNode table = root_.find(key);
    if (!table) return;
    for (const TomlNode& node : table.entries())
      mark(part, node, [&] { list->push_back((this->*read_one)(node)); });
  }

  /// The only one of the keys that the table may have; the second one is a mistake.
  std::optional<TomlNode> only_one(const TomlNode& table,
                                   std::initializer_list<std::string_view> keys,
                                   std::string_view what) {
    std::optional<TomlNode> first;
    for (const std::string_view key : keys) {
      const TomlNode node = table.find(key);
      if (!node) continue;
      if (first) {
        node.error(concat("gives ", what, " a second time, after \"", first->key(), "\""));
      } else {
        first = node;
      }
    }
    return first;
  }

  // --- Bodies ---

  Body read_body(const TomlNode& node) {
    Body body;
    body.name = node.key();
    if (body.name == "world") node.error("the world is there already, a body needs another name");
    body.mass = values_.number(node.at("mass"), "kg");
    const Isometry3 X_WB = values_.X_WB(BodyIndex(mechanism_.bodies.size()));
    const auto center = node.find("center");
    if (center) body.p_BoBcm_B = values_.point(center, X_WB);
    Matrix3 R_BE = Matrix3::Identity();
    if (const auto axes = node.find("inertia_axes")) R_BE = values_.rotation(axes, X_WB.linear());
    const auto given =
        only_one(node, {"inertia", "box", "cylinder", "sphere", "rod"}, "the inertia");
    if (!given) return body;
    const std::string key = given->key();
    if (key == "inertia") {
      body.I_BBcm_B = R_BE * read_inertia(*given) * R_BE.transpose();
    } else if (key == "rod") {
      const Vector3 from = values_.point(given->at("from"), X_WB),
                    to = values_.point(given->at("to"), X_WB);
      const double radius = values_.positive(given->at("radius"), "m");
      body.I_BBcm_B = cylinder_inertia(*given, body.mass, radius, to - from);
      if (!center) body.p_BoBcm_B = (from + to) / 2;
    } else {
      body.I_BBcm_B = R_BE * read_shape(*given, key, body.mass) * R_BE.transpose();
    }
    return body;
  }

  Matrix3 read_inertia(const TomlNode& node) {
    const std::vector<TomlNode> parts = node.elements();
    const bool is_rows = !parts.empty() && parts[0].is_array();
    if (is_rows || parts.size() != 6) {
      if (is_rows || parts.size() == 3 || !node.is_array())
        return values_.square(node, 3, "kg m^2");
      node.error(concat("expected 3 numbers (xx yy zz), 6 (and xy xz yz) or 3 rows, found ",
                        parts.size(), parts.size() == 1 ? " number" : " numbers"));
      return Matrix3::Zero();
    }
    const std::vector<double> I = values_.numbers(node, 6, "kg m^2");  // xx yy zz xy xz yz
    Matrix3 result;
    result << I[0], I[3], I[4],  //
        I[3], I[1], I[5],        //
        I[4], I[5], I[2];
    return result;
  }

  Matrix3 read_shape(const TomlNode& node, const std::string& shape, double mass) {
    if (shape == "sphere") {
      const double radius = values_.positive(node, "m");
      return 0.4 * mass * radius * radius * Matrix3::Identity();
    }
    if (shape == "box") {
      const std::vector<double> edges = values_.numbers(node, 3, "m");
      for (const double edge : edges) {
        if (edge < 0) node.error(concat("its edges must be >= 0 m, got ", edge));
      }
      const Vector3 square = Vector3(edges[0], edges[1], edges[2]).array().square();
      return Vector3(mass / 12 * (square.sum() - square.array())).asDiagonal();
    }
    const double radius = values_.positive(node.at("radius"), "m");
    const double length = values_.positive(node.at("length"), "m");
    const auto axis = node.find("axis");
    const Vector3 along = axis ? values_.direction(axis) : Vector3(Vector3::UnitZ());
    return cylinder_inertia(node, mass, radius, length * along);
  }

  static Matrix3 cylinder_inertia(const TomlNode& node, double mass, double radius,
                                  const Vector3& along) {
    const double length = along.norm();
    if (!(length > 0)) {
      node.error("its ends must be apart");
      return Matrix3::Zero();
    }
    const Vector3 u = along / length;
    const double axial = mass * radius * radius / 2;
    const double across = mass * (3 * radius * radius + length * length) / 12;
    return across * Matrix3::Identity() + (axial - across) * u * u.transpose();
  }

  // --- Joints ---

  Joint read_joint(const TomlNode& node) {
    Joint joint;
    joint.name = node.key();
    if (joint.name.find('.') != std::string::npos)
      node.error("a joint's name must have no '.': \"name.1\" is the second axis of a joint");
    joint.type = read_joint_type(node.at("type"));
    if (const auto parent = node.find("parent")) joint.parent = values_.body(parent);
    joint.child = values_.body(node.at("child"));
    read_joint_frames(node, &joint);
    read_pitch(node, &joint);
    joint.axes = read_axes(node, joint.type);
    if (auto position = read_position(node, joint.type)) joint.q0 = std::move(*position);
    if (const auto speed = node.find("speed"))
      joint.v0 = read_coordinates(speed, speed_count(joint.type), "");
    joint.cut = node.get("cut", false).boolean();
    if (const auto relax = node.find("relax")) read_weight(relax, 1, &joint.relaxation);
    return joint;
  }

  void read_joint_frames(const TomlNode& node, Joint* joint) {
    const Isometry3 X_WP = values_.X_WB(joint->parent), X_WB = values_.X_WB(joint->child);
    const TomlNode parent_frame = node.find("parent_frame"), child_frame = node.find("child_frame"),
                   frame = node.find("frame"), at = node.find("at"), axis = node.find("axis"),
                   second = node.find("second_axis");
    node.find("x_axis");
    if (second && joint->type != JointType::kUniversal)
      second.error("only a universal joint has a second axis");
    if (parent_frame || child_frame) {
      for (const TomlNode& other : {frame, at, axis, second}) {
        if (other)
          other.error(
              "give a joint either by its place in the design configuration (at, axis, frame) or "
              "on each body (parent_frame, child_frame)");
      }
      if (parent_frame) joint->X_PF = values_.frame(parent_frame, X_WP);
      if (child_frame) joint->X_BM = values_.frame(child_frame, X_WB);
      return;
    }
    if (joint->type == JointType::kFree && !frame && !at && !axis) {
      // Its coordinates are the pose of the body itself, which it has in the design configuration.
      const Isometry3 X_PB = X_WP.inverse() * X_WB;
      const Quaternion q(X_PB.linear());
      const Vector3& p = X_PB.translation();
      joint->q0 = {q.w(), q.x(), q.y(), q.z(), p[0], p[1], p[2]};
      return;
    }
    Isometry3 X_WF = Isometry3::Identity();
    if (frame) {
      for (const TomlNode& other : {at, axis, second}) {
        if (other) other.error("gives the joint's frame a second time, after \"frame\"");
      }
      X_WF = values_.frame(frame);
    } else {
      X_WF = read_design_frame(node, *joint, X_WB);
    }
    joint->X_PF = X_WP.inverse() * X_WF;
    joint->X_BM = X_WB.inverse() * X_WF;
  }

  /// From at, axis and what goes with it.
  Isometry3 read_design_frame(const TomlNode& node, const Joint& joint, const Isometry3& X_WB) {
    const JointType type = joint.type;
    Isometry3 X_WF = Isometry3::Identity();
    X_WF.translation() = X_WB.translation();
    const bool needs_place = type == JointType::kRevolute || type == JointType::kScrew ||
                             type == JointType::kCylindrical || type == JointType::kUniversal ||
                             type == JointType::kSpherical;
    const bool needs_axis =
        type != JointType::kFixed && type != JointType::kSpherical && type != JointType::kFree;
    if (const auto at = needs_place ? node.at("at") : node.find("at"))
      X_WF.translation() = values_.point(at);
    const TomlNode axis = needs_axis ? node.at("axis") : node.find("axis");
    if (type == JointType::kUniversal) {
      X_WF.linear() = read_cross(node, axis);
    } else if (axis) {
      X_WF.linear() = values_.rotation(node);
    }
    return X_WF;
  }

  /// x along the first axis, y along the second.
  Matrix3 read_cross(const TomlNode& node, const TomlNode& axis) {
    const Vector3 x = values_.direction(axis);
    Vector3 y = internal::off_axis(x, Vector3::UnitY(), Vector3::UnitZ());
    if (const auto second = node.find("second_axis")) {
      y = values_.direction(second);
      if (std::abs(x.dot(y)) > 1e-3) {
        second.error(concat(
            "must be perpendicular to axis, got ",
            std::round(std::acos(std::clamp(x.dot(y), -1.0, 1.0)) / kDegree * 10) / 10, " deg"));
        y = internal::off_axis(x, Vector3::UnitY(), Vector3::UnitZ());
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
                       ? values_.number(*given, "m/rad")
                       : values_.number(*given, "m/turn") / (2 * std::numbers::pi);
  }

  /// A coordinate in its own unit, or an angle in degrees under KEY_deg.
  std::optional<double> read_coordinate(const TomlNode& table, const std::string& key,
                                        bool is_angle) {
    const auto given = only_one(table, {key, key + "_deg"}, key);
    if (!given) return std::nullopt;
    if (given->key() == key) return values_.number(*given, is_angle ? "rad" : "m");
    if (!is_angle) given->error("this axis slides, it has no angle");
    return values_.number(*given, "deg") * kDegree;
  }

  /// Nothing if the table has none of an axis's keys.
  std::optional<JointAxis> read_axis(const TomlNode& table, bool is_angle) {
    JointAxis axis;
    bool any = false;
    const auto number = [&](std::string_view key, std::string_view unit, double* value) {
      const TomlNode node = table.find(key);
      if (!node) return;
      any = true;
      *value = values_.number(node, unit);
    };
    number("stiffness", is_angle ? "N m/rad" : "N/m", &axis.stiffness);
    number("damping", is_angle ? "N m s/rad" : "N s/m", &axis.damping);
    number("friction", is_angle ? "N m" : "N", &axis.friction);
    number("friction_speed", is_angle ? "rad/s" : "m/s", &axis.friction_speed);
    number("stop_stiffness", is_angle ? "N m/rad" : "N/m", &axis.stop_stiffness);
    number("stop_damping", is_angle ? "N m s/rad" : "N s/m", &axis.stop_damping);
    number(is_angle ? "torque" : "force", is_angle ? "N m" : "N", &axis.force);
    if (const auto other = table.find(is_angle ? "force" : "torque"))
      other.error(is_angle ? "this axis turns, it takes a torque"
                           : "this axis slides, it takes a force");
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
      axis.motion = values_.motion(motion);
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
                          " joint turn and some slide: give each its own, axes = [{ ... }, ...]"));
      }
      return std::vector<JointAxis>(static_cast<std::size_t>(nv), *common);
    }
    if (common) list.error("what acts on the axes is given a second time");
    std::vector<JointAxis> axes;
    for (const TomlNode& element : list.elements()) {
      const int i = static_cast<int>(axes.size());
      axes.push_back(read_axis(element, turns(type, i)).value_or(JointAxis()));
    }
    return axes;  // their number is checked with everything else
  }

  std::vector<double> read_coordinates(const TomlNode& node, int count, std::string_view unit) {
    if (count == 1 && !node.is_array()) return {values_.number(node, unit)};
    return values_.numbers(node, static_cast<std::size_t>(count), unit);
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
    if (!has_quaternion(type) || !given->is_table()) return read_coordinates(*given, nq, "");
    const Isometry3 X_FM = values_.frame(*given);
    const Quaternion r(X_FM.linear());
    std::vector<double> q = {r.w(), r.x(), r.y(), r.z()};
    if (type == JointType::kFree)
      q.insert(q.end(), X_FM.translation().begin(), X_FM.translation().end());
    return q;
  }

  // --- What closes loops ---

  /// a, b and a point on each.
  template <class Element>
  void read_pair(const TomlNode& node, Element* element, double* distance) {
    element->name = node.key();
    if (const auto a = node.find("a")) element->a = values_.body(a);
    element->b = values_.body(node.at("b"));
    const TomlNode points = node.at("points");
    if (!points) return;
    const std::vector<TomlNode> ends = points.elements();
    if (ends.size() != 2) {
      if (points.is_array())
        points.error(concat("expected two points, on a and on b, found ", ends.size()));
      return;
    }
    const Vector3 p_WP = values_.point(ends[0]), p_WQ = values_.point(ends[1]);
    element->p_AP_A = values_.X_WB(element->a).inverse() * p_WP;
    element->p_BQ_B = values_.X_WB(element->b).inverse() * p_WQ;
    *distance = (p_WQ - p_WP).norm();
  }

  Rod read_rod(const TomlNode& node) {
    Rod rod;
    double distance = 0;
    read_pair(node, &rod, &distance);
    rod.length = values_.number_or(node, "length", "m", distance);
    rod.relaxation = read_relaxation(node, 1);
    return rod;
  }

  /// "crank", or "knuckle.1" for the second axis of a joint with several.
  std::optional<Coupler::Term> find_axis(const std::string& name, const TomlNode& node) {
    JointIndex joint = mechanism_.find_joint(name);
    int axis = 0;
    const std::size_t dot = name.rfind('.');
    if (!joint.valid() && dot != std::string::npos) {
      const char* end = name.data() + name.size();
      const auto [rest, error] = std::from_chars(name.data() + dot + 1, end, axis);
      if (error == std::errc() && rest == end && axis >= 0)
        joint = mechanism_.find_joint(name.substr(0, dot));
    } else if (joint.valid()) {
      const Joint& found = mechanism_.joints[static_cast<std::size_t>(joint.value)];
      const int count = speed_count(found.type);
      if (count > 1) {
        node.error(concat("joint \"", name, "\" has ", count, " axes: name one of them, \"", name,
                          ".0\" to \"", name, ".", count - 1, "\""));
        return std::nullopt;
      }
    }
    if (!joint.valid()) {
      std::vector<std::string> names;
      for (const Joint& each : mechanism_.joints) {
        for (int i = 0; i < speed_count(each.type); ++i) names.push_back(axis_name(each, i));
      }
      node.error(concat("no joint axis \"", name, "\"", did_you_mean(name, names)));
      return std::nullopt;
    }
    const Joint& found = mechanism_.joints[static_cast<std::size_t>(joint.value)];
    if (axis >= speed_count(found.type)) {
      node.error(concat("joint \"", found.name, "\" is ", to_text(found.type), ", it has ",
                        speed_count(found.type), " axes, there is no axis ", axis));
      return std::nullopt;
    }
    return Coupler::Term{joint, axis, 0};
  }

  Coupler read_coupler(const TomlNode& node) {
    Coupler coupler;
    coupler.name = node.key();
    coupler.offset = values_.number_or(node, "offset", "", 0);
    coupler.relaxation = read_relaxation(node, 1);
    const auto given = only_one(node, {"terms", "gear"}, "what is coupled");
    const TomlNode ratio = node.find("ratio"), teeth = node.find("teeth");
    if (!given) {
      node.find("terms").error(
          "missing; or give gear = [\"first\", \"second\"] with ratio or teeth");
      return coupler;
    }
    if (given->key() == "terms") {
      for (const TomlNode& entry : given->entries()) {
        auto term = find_axis(entry.key(), entry);
        const double factor = values_.number(entry, "");
        if (!term) continue;
        term->factor = factor;
        coupler.terms.push_back(*term);
      }
      for (const TomlNode& other : {ratio, teeth}) {
        if (other) other.error("goes with gear, not with terms");
      }
      return coupler;
    }
    const std::vector<TomlNode> names = given->elements();
    if (given->is_array() && names.size() != 2)
      given->error(concat("expected two joints, found ", names.size()));
    for (const TomlNode& name : names) {
      if (auto term = find_axis(name.text(), name)) coupler.terms.push_back(*term);
    }
    if (coupler.terms.size() == 2) read_gear(node, ratio, teeth, &coupler);
    return coupler;
  }

  /// first = ratio * second; or teeth of two wheels that turn against each other.
  void read_gear(const TomlNode& node, const TomlNode& ratio, const TomlNode& teeth,
                 Coupler* coupler) {
    only_one(node, {"ratio", "teeth"}, "the ratio");
    if (teeth) {
      const std::vector<double> count = values_.numbers(teeth, 2, "");
      coupler->terms[0].factor = count[0];
      coupler->terms[1].factor = count[1];
    } else {
      if (!ratio) node.find("ratio").error("missing; or give teeth = [first, second]");
      coupler->terms[0].factor = 1;
      coupler->terms[1].factor = ratio ? -values_.number(ratio, "") : -1;
    }
  }

  Rolling read_rolling(const TomlNode& node) {
    Rolling rolling;
    rolling.name = node.key();
    rolling.wheel = values_.body(node.at("wheel"));
    if (const auto ground = node.find("ground")) rolling.ground = values_.body(ground);
    const Isometry3 X_BW = values_.X_WB(rolling.wheel).inverse(),
                    X_GW = values_.X_WB(rolling.ground).inverse();
    rolling.p_BC_B = X_BW * values_.point(node.at("center"));
    rolling.axis_B = X_BW.linear() * values_.direction(node.at("axis"));
    rolling.radius = values_.number(node.at("radius"), "m");
    if (const auto plane = node.find("plane")) {
      rolling.p_GP_G = X_GW * values_.point(plane);
    } else {
      rolling.p_GP_G = X_GW.translation();
    }
    const auto normal = node.find("normal");
    rolling.normal_G =
        X_GW.linear() * (normal ? values_.direction(normal) : Vector3(Vector3::UnitZ()));
    rolling.stiffness = values_.number_or(node, "stiffness", "N/m", 0);
    rolling.damping = values_.number_or(node, "damping", "N s/m", 0);
    rolling.relaxation = read_relaxation(node, 2);
    return rolling;
  }

  std::vector<std::string> coordinate_names() const {
    std::vector<std::string> names;
    for (const Joint& joint : mechanism_.joints) {
      if (position_count(joint.type) > speed_count(joint.type)) continue;
      for (int i = 0; i < speed_count(joint.type); ++i) names.push_back(axis_name(joint, i));
    }
    return names;
  }

  /// Keys relax, friction and slip_speed of a constraint with n rows.
  Relaxation read_relaxation(const TomlNode& node, int n) {
    Relaxation relaxation;
    const TomlNode relax = node.find("relax"), friction = node.find("friction");
    if (relax && friction) friction.error("goes without relax: friction relaxes by itself");
    if (relax) read_weight(relax, n, &relaxation);
    if (friction) {
      relaxation.friction = values_.function(friction, coordinate_names());
      const double value = internal::value_at_zero(*relaxation.friction);
      if (!(value >= 0)) friction.error(concat("must be >= 0, got ", value));
    }
    if (const auto slip_speed = node.find("slip_speed")) {
      if (!friction) slip_speed.error("goes with friction");
      relaxation.slip_speed = values_.positive(slip_speed, "m/s");
    }
    return relaxation;
  }

  void read_weight(const TomlNode& relax, int n, Relaxation* relaxation) {
    std::vector<TomlNode> entries;
    if (!relax.is_array()) {
      entries = {relax};
    } else {
      for (const TomlNode& row : relax.elements()) {
        for (const TomlNode& entry : row.elements()) entries.push_back(entry);
      }
      if (entries.size() != static_cast<std::size_t>(n * n)) {
        relax.error(concat("expected a number or ", n, " rows of ", n, ", found ", entries.size(),
                           " entries"));
        return;
      }
    }
    for (const TomlNode& entry : entries) {
      relaxation->weight.push_back(values_.function(entry, coordinate_names()));
    }
    const int size = relax.is_array() ? n : 1;
    BlockMatrix N(size, size);
    for (int i = 0; i < size * size; ++i) {
      N(i / size, i % size) = internal::value_at_zero(relaxation->weight[i]);
    }
    if (is_positive_semidefinite(N)) return;
    relax.error(concat("must be positive semi-definite",
                       size == 1 ? concat(": >= 0, got ", N(0, 0)) : std::string()));
  }

  void read_independent() {
    const TomlNode list = root_.find("independent");
    if (!list) return;
    std::set<std::pair<int, int>> seen;
    for (const TomlNode& element : list.elements()) {
      const std::string name = element.text();
      if (!element.is_text()) continue;
      const auto term = find_axis(name, element);
      if (term && !seen.insert({term->joint.value, term->axis}).second)
        element.error("is named twice");
      mechanism_.independent.push_back(name);
    }
  }

  // --- What pushes ---

  SpringDamper read_spring(const TomlNode& node) {
    SpringDamper spring;
    double distance = 0;
    read_pair(node, &spring, &distance);
    spring.free_length = values_.number_or(node, "free_length", "m", distance);
    spring.stiffness = values_.number_or(node, "stiffness", "N/m", 0);
    spring.damping = values_.number_or(node, "damping", "N s/m", 0);
    spring.preload = values_.number_or(node, "preload", "N", 0);
    spring.spring = read_table(node.find("spring"), "deflection", "m");
    spring.damper = read_table(node.find("damper"), "speed", "m/s");
    return spring;
  }

  std::optional<Table> read_table(const TomlNode& node, std::string_view column,
                                  std::string_view unit) {
    if (!node) return std::nullopt;
    Table table;
    if (const auto x = node.at(column)) table.x = values_.numbers(x, unit);
    if (const auto y = node.at("force")) table.y = values_.numbers(y, "N");
    return table;
  }

  Bushing read_bushing(const TomlNode& node) {
    Bushing bushing;
    bushing.name = node.key();
    if (const auto a = node.find("a")) bushing.a = values_.body(a);
    bushing.b = values_.body(node.at("b"));
    const Isometry3 X_WA = values_.X_WB(bushing.a), X_WB = values_.X_WB(bushing.b);
    const TomlNode frame = node.find("frame"), a_frame = node.find("a_frame"),
                   b_frame = node.find("b_frame");
    if (a_frame || b_frame) {
      if (frame) frame.error("gives the bushing's frame a second time, after a_frame or b_frame");
      if (a_frame) bushing.X_AP = values_.frame(a_frame, X_WA);
      if (b_frame) bushing.X_BQ = values_.frame(b_frame, X_WB);
    } else {
      const Isometry3 X_WP = values_.frame(node.at("frame"));
      bushing.X_AP = X_WA.inverse() * X_WP;
      bushing.X_BQ = X_WB.inverse() * X_WP;
    }
    bushing.stiffness = values_.square(node.at("stiffness"), 6, "");
    if (const auto damping = node.find("damping")) bushing.damping = values_.square(damping, 6, "");
    return bushing;
  }

  Wrench read_wrench(const TomlNode& node) {
    Wrench wrench;
    wrench.name = node.key();
    wrench.body = values_.body(node.at("body"));
    const Isometry3 X_WB = values_.X_WB(wrench.body);
    if (const auto at = node.find("at")) wrench.p_BQ_B = X_WB.inverse() * values_.point(at);
    if (const auto force = node.find("force")) wrench.force = values_.triple(force, "N");
    if (const auto torque = node.find("torque")) wrench.torque = values_.triple(torque, "N m");
    wrench.in_world = node.get("in", std::string("world")).choice({"world", "body"}) == "world";
    return wrench;
  }

  // --- Problems of the whole, at their places ---

  /// The keys of the file that a field of the description may come from, beside its own name.
  static std::vector<std::string_view> keys_for(const std::string& key) {
    if (key == "inertia") return {"inertia", "box", "cylinder", "sphere", "rod"};
    if (key == "parent_frame" || key == "child_frame") return {key, "frame", "at", "axis"};
    if (key == "position") return {"position", "position_deg"};
    if (key == "rest") return {"rest", "rest_deg"};
    if (key == "limits") return {"lower", "lower_deg", "upper", "upper_deg"};
    if (key == "force") return {"force", "torque"};
    if (key == "pitch") return {"pitch", "lead"};
    if (key == "axes") return {"axes", "motion", "stiffness", "lower", "upper"};
    if (key == "frames") return {"frame", "a_frame", "b_frame"};
    if (key == "terms") return {"terms", "gear"};
    if (key == "length" || key == "free_length") return {key, "points"};
    if (key == "factor") return {"terms", "ratio", "teeth"};
    if (key == "name") return {};
    return {key};
  }

  static TomlNode locate(const TomlNode& node, Part part, const std::string& key) {
    if (part == Part::kMechanism) {
      const TomlNode found = node.find(key);
      return found ? found : node;
    }
    for (const std::string_view each : keys_for(key)) {
      if (const auto found = node.find(each)) return found;
    }
    if (part != Part::kJoint) return node;
    const TomlNode axes = node.find("axes");
    if (!axes) return node;
    for (const TomlNode& element : axes.elements()) {
      for (const std::string_view each : keys_for(key)) {
        if (const auto found = element.find(each)) return found;
      }
    }
    return axes;
  }

  bool is_echo(const MechanismProblem& problem) const {
    if (problem.part == Part::kMechanism) return false;
    const auto i = static_cast<std::size_t>(problem.index);
    if (!sources_.at(problem.part)[i].sound) return true;
    if (problem.part != Part::kCoupler) return false;
    return std::any_of(mechanism_.couplers[i].terms.begin(), mechanism_.couplers[i].terms.end(),
                       [&](const Coupler::Term& term) {
                         const auto joint = static_cast<std::size_t>(term.joint.value);
                         return !sources_.at(Part::kJoint)[joint].sound;
                       });
  }

  void report_problems() {
    for (const MechanismProblem& problem : find_problems(mechanism_)) {
      if (is_echo(problem)) continue;
      const TomlNode& owner =
          problem.part == Part::kMechanism
              ? root_
              : sources_[problem.part][static_cast<std::size_t>(problem.index)].node;
      locate(owner, problem.part, problem.key).error(problem.text);
    }
    if (diagnostics_->error_count() == 0) report_relaxed_carriers();
  }

  /// Joints that relax must close a loop: which of them do is seen in the finished mechanism.
  void report_relaxed_carriers() {
    for (const int j : find_relaxed_carriers(mechanism_)) {
      sources_[Part::kJoint][static_cast<std::size_t>(j)].node.find("relax").error(
          "this joint carries its child; only a joint that closes a loop relaxes (cut = true where "
          "there is a loop)");
    }
  }

  TomlNode root_;
  Diagnostics* diagnostics_;
  MechanismValues values_;
  Mechanism mechanism_;
  std::map<Part, std::vector<Source>> sources_;  // in the order of the mechanism's lists
};

}  // namespace

Mechanism read_mechanism(TomlFile file) {
  Reader reader(file.root(), &file.diagnostics());
  Mechanism mechanism = reader.read();
  file.finish();
  return mechanism;
}

Mechanism load_mechanism(const std::string& path) { return read_mechanism(load_toml(path)); }

Mechanism parse_mechanism(std::string text, std::string file) {
  return read_mechanism(parse_toml(std::move(text), std::move(file)));
}

}  // namespace camber::multibody
