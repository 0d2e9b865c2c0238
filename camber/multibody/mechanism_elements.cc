#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/multibody/mechanism_parts.h"
#include "camber/multibody/udwadia_kalaba.h"

namespace camber::multibody::internal {

namespace {

/// a, b and a point on each.
template <class Element>
void read_pair(const TomlNode& node, MechanismValues* values, Element* element, double* distance) {
  element->name = node.key();
  if (const auto a = node.find("a")) element->a = values->body(a);
  element->b = values->body(node.at("b"));
  const TomlNode points = node.at("points");
  if (!points) return;
  const std::vector<TomlNode> ends = points.elements();
  if (ends.size() != 2) {
    if (points.is_array())
      points.error(concat("expected two points, on a and on b, found ", ends.size()));
    return;
  }
  const Vector3 p_WP = values->point(ends[0]), p_WQ = values->point(ends[1]);
  element->p_AP_A = values->X_WB(element->a).inverse() * p_WP;
  element->p_BQ_B = values->X_WB(element->b).inverse() * p_WQ;
  *distance = (p_WQ - p_WP).norm();
}

/// Keys relax, friction and slip_speed of a constraint with n rows.
Relaxation read_relaxation(const TomlNode& node, int n, const Mechanism& mechanism,
                           MechanismValues* values) {
  Relaxation relaxation;
  const TomlNode relax = node.find("relax"), friction = node.find("friction");
  if (relax && friction)
    friction.error("cannot be combined with relax: friction already relaxes the constraint");
  if (relax) read_weight(relax, n, coordinate_names(mechanism), values, &relaxation);
  if (friction) {
    relaxation.friction = values->function(friction, coordinate_names(mechanism));
    const double value = value_at_zero(*relaxation.friction);
    if (!(value >= 0)) friction.error(concat("must be >= 0, got ", value));
  }
  if (const auto slip_speed = node.find("slip_speed")) {
    if (!friction) slip_speed.error("requires friction");
    relaxation.slip_speed = values->positive(slip_speed, "m/s");
  }
  return relaxation;
}

/// first = ratio * second; or the teeth of two gears that rotate in opposite directions.
void read_gear(const TomlNode& node, const TomlNode& ratio, const TomlNode& teeth,
               MechanismValues* values, Coupler* coupler) {
  only_one(node, {"ratio", "teeth"}, "the ratio");
  if (teeth) {
    const std::vector<double> count = values->numbers(teeth, 2, "");
    coupler->terms[0].factor = count[0];
    coupler->terms[1].factor = count[1];
  } else {
    if (!ratio) node.find("ratio").error("missing; or give teeth = [first, second]");
    coupler->terms[0].factor = 1;
    coupler->terms[1].factor = ratio ? -values->number(ratio, "") : -1;
  }
}

std::optional<Table> read_table(const TomlNode& node, std::string_view column,
                                std::string_view unit, MechanismValues* values) {
  if (!node) return std::nullopt;
  Table table;
  if (const auto x = node.at(column)) table.x = values->numbers(x, unit);
  if (const auto y = node.at("force")) table.y = values->numbers(y, "N");
  return table;
}

}  // namespace

// --- What closes loops ---

std::vector<std::string> coordinate_names(const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const Joint& joint : mechanism.joints) {
    if (position_count(joint.type) > speed_count(joint.type)) continue;
    for (int i = 0; i < speed_count(joint.type); ++i) names.push_back(axis_name(joint, i));
  }
  return names;
}

void read_weight(const TomlNode& relax, int n, const std::vector<std::string>& coordinates,
                 MechanismValues* values, Relaxation* relaxation) {
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
    relaxation->weight.push_back(values->function(entry, coordinates));
  }
  const int size = relax.is_array() ? n : 1;
  BlockMatrix N(size, size);
  for (int i = 0; i < size * size; ++i) {
    N(i / size, i % size) = value_at_zero(relaxation->weight[i]);
  }
  if (is_positive_semidefinite(N)) return;
  relax.error(concat("must be positive semi-definite",
                     size == 1 ? concat(": >= 0, got ", N(0, 0)) : std::string()));
}

Rod read_rod(const TomlNode& node, const Mechanism& mechanism, MechanismValues* values) {
  Rod rod;
  double distance = 0;
  read_pair(node, values, &rod, &distance);
  rod.length = values->number_or(node, "length", "m", distance);
  rod.relaxation = read_relaxation(node, 1, mechanism, values);
  return rod;
}

/// "crank", or "knuckle.1" for the second axis of a joint with several.
std::optional<Coupler::Term> find_axis(const std::string& name, const Mechanism& mechanism,
                                       const TomlNode& node) {
  JointIndex joint = mechanism.find_joint(name);
  int axis = 0;
  const std::size_t dot = name.rfind('.');
  if (!joint.valid() && dot != std::string::npos) {
    const char* end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + dot + 1, end, axis);
    if (error == std::errc() && rest == end && axis >= 0)
      joint = mechanism.find_joint(name.substr(0, dot));
  } else if (joint.valid()) {
    const Joint& found = mechanism.joints[static_cast<std::size_t>(joint.value)];
    const int count = speed_count(found.type);
    if (count > 1) {
      node.error(concat("joint \"", name, "\" has ", count, " axes: name one of them, \"", name,
                        ".0\" to \"", name, ".", count - 1, "\""));
      return std::nullopt;
    }
  }
  if (!joint.valid()) {
    std::vector<std::string> names;
    for (const Joint& each : mechanism.joints) {
      for (int i = 0; i < speed_count(each.type); ++i) names.push_back(axis_name(each, i));
    }
    node.error(concat("no joint axis \"", name, "\"", did_you_mean(name, names)));
    return std::nullopt;
  }
  const Joint& found = mechanism.joints[static_cast<std::size_t>(joint.value)];
  if (axis >= speed_count(found.type)) {
    node.error(concat("joint \"", found.name, "\" is ", to_text(found.type), ", it has ",
                      speed_count(found.type), " axes, there is no axis ", axis));
    return std::nullopt;
  }
  return Coupler::Term{joint, axis, 0};
}

Coupler read_coupler(const TomlNode& node, const Mechanism& mechanism, MechanismValues* values) {
  Coupler coupler;
  coupler.name = node.key();
  coupler.offset = values->number_or(node, "offset", "", 0);
  coupler.relaxation = read_relaxation(node, 1, mechanism, values);
  const auto given = only_one(node, {"terms", "gear"}, "what is coupled");
  const TomlNode ratio = node.find("ratio"), teeth = node.find("teeth");
  if (!given) {
    node.find("terms").error("missing; or give gear = [\"first\", \"second\"] with ratio or teeth");
    return coupler;
  }
  if (given->key() == "terms") {
    for (const TomlNode& entry : given->entries()) {
      auto term = find_axis(entry.key(), mechanism, entry);
      const double factor = values->number(entry, "");
      if (!term) continue;
      term->factor = factor;
      coupler.terms.push_back(*term);
    }
    for (const TomlNode& other : {ratio, teeth}) {
      if (other) other.error("belongs to gear, not to terms");
    }
    return coupler;
  }
  const std::vector<TomlNode> names = given->elements();
  if (given->is_array() && names.size() != 2)
    given->error(concat("expected two joints, found ", names.size()));
  for (const TomlNode& name : names) {
    if (auto term = find_axis(name.text(), mechanism, name)) coupler.terms.push_back(*term);
  }
  if (coupler.terms.size() != 2) return coupler;
  if (coupler.terms[0].joint == coupler.terms[1].joint &&
      coupler.terms[0].axis == coupler.terms[1].axis)
    names[1].error("is the same as the first; a gear couples two different joints");
  read_gear(node, ratio, teeth, values, &coupler);
  return coupler;
}

Rolling read_rolling(const TomlNode& node, const Mechanism& mechanism, MechanismValues* values) {
  Rolling rolling;
  rolling.name = node.key();
  rolling.wheel = values->body(node.at("wheel"));
  if (const auto ground = node.find("ground")) rolling.ground = values->body(ground);
  const Isometry3 X_BW = values->X_WB(rolling.wheel).inverse(),
                  X_GW = values->X_WB(rolling.ground).inverse();
  rolling.p_BC_B = X_BW * values->point(node.at("center"));
  rolling.axis_B = X_BW.linear() * values->direction(node.at("axis"));
  rolling.radius = values->number(node.at("radius"), "m");
  if (const auto plane = node.find("plane")) {
    rolling.p_GP_G = X_GW * values->point(plane);
  } else {
    rolling.p_GP_G = X_GW.translation();
  }
  const auto normal = node.find("normal");
  rolling.normal_G =
      X_GW.linear() * (normal ? values->direction(normal) : Vector3(Vector3::UnitZ()));
  rolling.stiffness = values->number_or(node, "stiffness", "N/m", 0);
  rolling.damping = values->number_or(node, "damping", "N s/m", 0);
  rolling.relaxation = read_relaxation(node, 2, mechanism, values);
  return rolling;
}

// --- What pushes ---

SpringDamper read_spring(const TomlNode& node, MechanismValues* values) {
  SpringDamper spring;
  double distance = 0;
  read_pair(node, values, &spring, &distance);
  spring.free_length = values->number_or(node, "free_length", "m", distance);
  spring.stiffness = values->number_or(node, "stiffness", "N/m", 0);
  spring.damping = values->number_or(node, "damping", "N s/m", 0);
  spring.preload = values->number_or(node, "preload", "N", 0);
  spring.spring = read_table(node.find("spring"), "deflection", "m", values);
  spring.damper = read_table(node.find("damper"), "speed", "m/s", values);
  return spring;
}

Bushing read_bushing(const TomlNode& node, MechanismValues* values) {
  Bushing bushing;
  bushing.name = node.key();
  if (const auto a = node.find("a")) bushing.a = values->body(a);
  bushing.b = values->body(node.at("b"));
  const Isometry3 X_WA = values->X_WB(bushing.a), X_WB = values->X_WB(bushing.b);
  const TomlNode frame = node.find("frame"), a_frame = node.find("a_frame"),
                 b_frame = node.find("b_frame");
  if (a_frame || b_frame) {
    if (frame)
      frame.error("gives the bushing's frame again; it is already given by a_frame or b_frame");
    if (a_frame) bushing.X_AP = values->frame(a_frame, X_WA);
    if (b_frame) bushing.X_BQ = values->frame(b_frame, X_WB);
  } else {
    const Isometry3 X_WP = values->frame(node.at("frame"));
    bushing.X_AP = X_WA.inverse() * X_WP;
    bushing.X_BQ = X_WB.inverse() * X_WP;
  }
  bushing.stiffness = values->square(node.at("stiffness"), 6, "");
  if (const auto damping = node.find("damping")) bushing.damping = values->square(damping, 6, "");
  return bushing;
}

Wrench read_wrench(const TomlNode& node, MechanismValues* values) {
  Wrench wrench;
  wrench.name = node.key();
  wrench.body = values->body(node.at("body"));
  const Isometry3 X_WB = values->X_WB(wrench.body);
  if (const auto at = node.find("at")) wrench.p_BQ_B = X_WB.inverse() * values->point(at);
  if (const auto force = node.find("force")) wrench.force = values->triple(force, "N");
  if (const auto torque = node.find("torque")) wrench.torque = values->triple(torque, "N m");
  wrench.in_world = node.get("in", std::string("world")).choice({"world", "body"}) == "world";
  return wrench;
}

}  // namespace camber::multibody::internal
