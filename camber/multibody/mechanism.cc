#include "camber/multibody/mechanism.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "camber/core/require.h"
#include "camber/math/dense.h"

namespace camber::multibody {

namespace {

using Part = MechanismProblem::Part;

struct JointTraits {
  const char* name;
  int nq, nv;
};

JointTraits traits(JointType type) {
  switch (type) {
    case JointType::kFixed:
      return {"fixed", 0, 0};
    case JointType::kRevolute:
      return {"revolute", 1, 1};
    case JointType::kPrismatic:
      return {"prismatic", 1, 1};
    case JointType::kScrew:
      return {"screw", 1, 1};
    case JointType::kCylindrical:
      return {"cylindrical", 2, 2};
    case JointType::kUniversal:
      return {"universal", 2, 2};
    case JointType::kPlanar:
      return {"planar", 3, 3};
    case JointType::kSoftHinge:
      return {"soft_hinge", 6, 6};
    case JointType::kSpherical:
      return {"spherical", 4, 3};
    case JointType::kFree:
      return {"free", 7, 6};
    case JointType::kSphericalAngles:
      return {"spherical", 3, 3};
    case JointType::kFreeAngles:
      return {"free", 6, 6};
  }
  return {"", 0, 0};
}

bool is_finite(const Isometry3& X) { return X.matrix().allFinite(); }

// Collects problems, part by part.
class Checker {
 public:
  explicit Checker(const Mechanism& mechanism) : m_(mechanism) {}

  std::vector<MechanismProblem> run() {
    if (!m_.gravity.allFinite()) add(Part::kMechanism, 0, "gravity", "must be finite");
    if (m_.bodies.empty() || m_.bodies[0].mass != 0) {
      add(Part::kMechanism, 0, "bodies", "the first body must be the world, without mass");
      return std::move(problems_);
    }
    check_names();
    for (int i = 1; i < size(m_.bodies); ++i) check_body(i);
    for (int i = 0; i < size(m_.joints); ++i) check_joint(i);
    for (int i = 0; i < size(m_.rods); ++i) check_rod(i);
    for (int i = 0; i < size(m_.couplers); ++i) check_coupler(i);
    for (int i = 0; i < size(m_.rollings); ++i) check_rolling(i);
    for (int i = 0; i < size(m_.springs); ++i) check_spring(i);
    for (int i = 0; i < size(m_.bushings); ++i) check_bushing(i);
    for (int i = 0; i < size(m_.wrenches); ++i) check_wrench(i);
    return std::move(problems_);
  }

 private:
  template <class List>
  static int size(const List& list) {
    return static_cast<int>(list.size());
  }
  template <class... Words>
  void add(Part part, int index, const char* key, const Words&... words) {
    problems_.push_back({part, index, key, concat(words...)});
  }
  template <class Value>
  void expect(bool holds, Part part, int index, const char* key, const char* what,
              const Value& got) {
    if (!holds) add(part, index, key, "must be ", what, ", got ", got);
  }

  void check_names() {
    const auto check_list = [&](Part part, const auto& list) {
      std::set<std::string> seen;
      for (int i = 0; i < size(list); ++i) {
        if (list[i].name.empty()) add(part, i, "name", "must not be empty");
        if (!seen.insert(list[i].name).second)
          add(part, i, "name", "\"", list[i].name, "\" is used twice");
      }
    };
    check_list(Part::kBody, m_.bodies);
    check_list(Part::kJoint, m_.joints);
    check_list(Part::kRod, m_.rods);
    check_list(Part::kCoupler, m_.couplers);
    check_list(Part::kRolling, m_.rollings);
    check_list(Part::kSpring, m_.springs);
    check_list(Part::kBushing, m_.bushings);
    check_list(Part::kWrench, m_.wrenches);
  }

  void check_body(int i) {
    const Body& body = m_.bodies[i];
    // Products of three of them, such as m c^2, stay finite.
    constexpr double kMost = 1e60;
    expect(body.mass >= 0, Part::kBody, i, "mass", ">= 0 kg", body.mass);
    expect(!(body.mass > kMost), Part::kBody, i, "mass", "<= 1e60 kg", body.mass);
    if (!(body.p_BoBcm_B.norm() <= kMost))
      add(Part::kBody, i, "center", "must be within 1e60 m, got ", body.p_BoBcm_B.norm());
    const Matrix3& I = body.I_BBcm_B;
    if (!(I.norm() <= kMost))
      return add(Part::kBody, i, "inertia", "must be within 1e60 kg m^2, got ", I.norm());
    const double scale = I.norm();
    if ((I - I.transpose()).norm() > 1e-9 * scale)
      return add(Part::kBody, i, "inertia", "must be symmetric");
    const Vector3 principal = math::calc_symmetric_eigenvalues(I);  // increasing
    if (principal[0] < -1e-9 * scale) {
      add(Part::kBody, i, "inertia",
          "must not be negative about any axis, its smallest principal moment is ", principal[0],
          " kg m^2");
    }
  }

  bool check_reference(Part part, int i, const char* key, BodyIndex body) {
    const bool exists = body.valid() && body.value < size(m_.bodies);
    if (!exists) add(part, i, key, "there is no such body");
    return exists;
  }
  // Both bodies of something that acts between two.
  void check_pair(Part part, int i, const char* key_a, BodyIndex a, const char* key_b,
                  BodyIndex b) {
    const bool has_a = check_reference(part, i, key_a, a);
    const bool has_b = check_reference(part, i, key_b, b);
    if (has_a && has_b && a == b)
      add(part, i, key_b, "must not be the same body as ", key_a, ", \"", m_.bodies[a.value].name,
          "\"");
  }

  void check_joint(int i) {
    const Joint& joint = m_.joints[i];
    check_pair(Part::kJoint, i, "parent", joint.parent, "child", joint.child);
    if (joint.child == kWorld && joint.parent != kWorld)
      add(Part::kJoint, i, "child", "must not be the world");
    if (!is_finite(joint.X_PF)) add(Part::kJoint, i, "parent_frame", "must be finite");
    if (!is_finite(joint.X_BM)) add(Part::kJoint, i, "child_frame", "must be finite");
    expect(std::isfinite(joint.pitch), Part::kJoint, i, "pitch", "finite", joint.pitch);
    const int nq = position_count(joint.type), nv = speed_count(joint.type);
    const auto check_start = [&](const char* key, const std::vector<double>& values, int n) {
      if (!values.empty() && size(values) != n)
        add(Part::kJoint, i, key, "must have ", n, " entries, got ", values.size());
      for (double value : values)
        expect(std::isfinite(value), Part::kJoint, i, key, "finite", value);
    };
    check_start("position", joint.q0, nq);
    check_start("speed", joint.v0, nv);
    if (nq > nv && size(joint.q0) == nq) {
      const double norm = Eigen::Map<const Eigen::Vector4d>(joint.q0.data()).norm();
      expect(norm > 1e-6, Part::kJoint, i, "position",
             "a quaternion other than zero first, its length", norm);
    }
    if (!joint.axes.empty() && size(joint.axes) != nv) {
      return add(Part::kJoint, i, "axes", "must have ", nv, " entries, got ", joint.axes.size());
    }
    for (const JointAxis& axis : joint.axes) check_axis(i, axis, nq > nv);
  }

  void check_axis(int i, const JointAxis& axis, bool has_quaternion) {
    const auto not_negative = [&](const char* key, double value) {
      expect(std::isfinite(value) && value >= 0, Part::kJoint, i, key, ">= 0", value);
    };
    not_negative("stiffness", axis.stiffness);
    not_negative("damping", axis.damping);
    not_negative("friction", axis.friction);
    not_negative("stop_stiffness", axis.stop_stiffness);
    not_negative("stop_damping", axis.stop_damping);
    expect(axis.friction_speed > 0, Part::kJoint, i, "friction_speed", "> 0", axis.friction_speed);
    expect(std::isfinite(axis.rest), Part::kJoint, i, "rest", "finite", axis.rest);
    expect(std::isfinite(axis.force), Part::kJoint, i, "force", "finite", axis.force);
    if (axis.lower && axis.upper && !(*axis.lower < *axis.upper)) {
      add(Part::kJoint, i, "limits", "the lower one must be below the upper, got ", *axis.lower,
          " and ", *axis.upper);
    }
    if (has_quaternion && (axis.stiffness != 0 || axis.lower || axis.upper)) {
      add(Part::kJoint, i, "axes", "springs and limits need a coordinate; a ",
          to_text(m_.joints[i].type),
          " joint takes damping, friction, force and motion only (a bushing holds a body "
          "elastically)");
    }
    if (axis.motion) {
      for (const symbolic::Expr& leaf : axis.motion->leaves()) {
        if (leaf != symbolic::symbol("t")) {
          add(Part::kJoint, i, "motion", "must be a function of t alone, has ", leaf.name());
        }
      }
    }
  }

  void check_rod(int i) {
    const Rod& rod = m_.rods[i];
    check_pair(Part::kRod, i, "a", rod.a, "b", rod.b);
    expect(std::isfinite(rod.length) && rod.length > 0, Part::kRod, i, "length", "> 0 m",
           rod.length);
    if (!rod.p_AP_A.allFinite() || !rod.p_BQ_B.allFinite())
      add(Part::kRod, i, "points", "must be finite");
  }

  void check_coupler(int i) {
    const Coupler& coupler = m_.couplers[i];
    if (coupler.terms.empty()) add(Part::kCoupler, i, "terms", "must not be empty");
    for (const Coupler::Term& term : coupler.terms) {
      if (!term.joint.valid() || term.joint.value >= size(m_.joints)) {
        add(Part::kCoupler, i, "terms", "there is no such joint");
        continue;
      }
      const Joint& joint = m_.joints[term.joint.value];
      if (position_count(joint.type) > speed_count(joint.type)) {
        add(Part::kCoupler, i, "terms", "joint \"", joint.name, "\" is ", to_text(joint.type),
            ", it has no coordinate to couple");
      } else if (term.axis < 0 || term.axis >= speed_count(joint.type)) {
        add(Part::kCoupler, i, "terms", "joint \"", joint.name, "\" has ", speed_count(joint.type),
            " axes, there is no axis ", term.axis);
      }
      expect(std::isfinite(term.factor) && term.factor != 0, Part::kCoupler, i, "factor",
             "finite and not 0", term.factor);
    }
    expect(std::isfinite(coupler.offset), Part::kCoupler, i, "offset", "finite", coupler.offset);
  }

  void check_rolling(int i) {
    const Rolling& rolling = m_.rollings[i];
    check_pair(Part::kRolling, i, "wheel", rolling.wheel, "ground", rolling.ground);
    expect(std::isfinite(rolling.radius) && rolling.radius > 0, Part::kRolling, i, "radius",
           "> 0 m", rolling.radius);
    expect(rolling.axis_B.norm() > 0 && rolling.axis_B.allFinite(), Part::kRolling, i, "axis",
           "a direction, its length", rolling.axis_B.norm());
    expect(rolling.normal_G.norm() > 0 && rolling.normal_G.allFinite(), Part::kRolling, i, "normal",
           "a direction, its length", rolling.normal_G.norm());
    expect(std::isfinite(rolling.stiffness) && rolling.stiffness >= 0, Part::kRolling, i,
           "stiffness", ">= 0 N/m", rolling.stiffness);
    expect(std::isfinite(rolling.damping) && rolling.damping >= 0, Part::kRolling, i, "damping",
           ">= 0 N s/m", rolling.damping);
    if (rolling.stiffness > 0 && !rolling.relaxation.friction)
      add(Part::kRolling, i, "stiffness",
          "requires friction: a wheel that lifts off transmits no force");
    if (rolling.damping > 0 && !(rolling.stiffness > 0))
      add(Part::kRolling, i, "damping", "requires stiffness");
  }

  void check_table(int i, const char* key, const std::optional<Table>& table) {
    if (!table) return;
    if (table->x.size() < 2 || table->x.size() != table->y.size()) {
      return add(Part::kSpring, i, key, "needs two columns of the same length >= 2, got ",
                 table->x.size(), " and ", table->y.size());
    }
    for (std::size_t k = 0; k < table->x.size(); ++k) {
      expect(std::isfinite(table->x[k]) && std::isfinite(table->y[k]), Part::kSpring, i, key,
             "finite", table->y[k]);
      if (k > 0)
        expect(table->x[k] > table->x[k - 1], Part::kSpring, i, key,
               "increasing in its first column", table->x[k]);
    }
  }

  void check_spring(int i) {
    const SpringDamper& spring = m_.springs[i];
    check_pair(Part::kSpring, i, "a", spring.a, "b", spring.b);
    expect(std::isfinite(spring.free_length) && spring.free_length >= 0, Part::kSpring, i,
           "free_length", ">= 0 m", spring.free_length);
    expect(std::isfinite(spring.stiffness) && spring.stiffness >= 0, Part::kSpring, i, "stiffness",
           ">= 0 N/m", spring.stiffness);
    expect(std::isfinite(spring.damping) && spring.damping >= 0, Part::kSpring, i, "damping",
           ">= 0 N s/m", spring.damping);
    expect(std::isfinite(spring.preload), Part::kSpring, i, "preload", "finite", spring.preload);
    check_table(i, "spring", spring.spring);
    check_table(i, "damper", spring.damper);
    if (spring.ends) {
      check_table(i, "ends.damper", spring.ends->damper);
      if (!(spring.ends->over > 0)) add(Part::kSpring, i, "ends.over", "must be > 0 m");
      if (!(spring.ends->shortest < spring.ends->longest))
        add(Part::kSpring, i, "ends.shortest", "must be below ends.longest");
    }
  }

  // Otherwise it has no energy, or is an unlimited source of energy.
  void check_bushing_matrix(int i, const char* key, const Matrix6& K) {
    if (!K.allFinite()) return add(Part::kBushing, i, key, "must be finite");
    const double scale = K.norm();
    for (int r = 0; r < 6; ++r) {
      for (int c = 0; c < r; ++c) {
        if (std::abs(K(r, c) - K(c, r)) <= 1e-9 * scale) continue;
        return add(Part::kBushing, i, key, "must be symmetric, got ", K(r, c), " in row ", r + 1,
                   ", column ", c + 1, " and ", K(c, r), " in row ", c + 1, ", column ", r + 1);
      }
    }
    const double least = math::calc_symmetric_eigenvalues(K)[0];
    if (least < -1e-9 * scale) {
      add(Part::kBushing, i, key,
          "must not be negative in any direction, its smallest eigenvalue is ", least);
    }
  }

  void check_bushing(int i) {
    const Bushing& bushing = m_.bushings[i];
    check_pair(Part::kBushing, i, "a", bushing.a, "b", bushing.b);
    if (!is_finite(bushing.X_AP) || !is_finite(bushing.X_BQ))
      add(Part::kBushing, i, "frames", "must be finite");
    check_bushing_matrix(i, "stiffness", bushing.stiffness);
    check_bushing_matrix(i, "damping", bushing.damping);
  }

  void check_wrench(int i) {
    const Wrench& wrench = m_.wrenches[i];
    check_reference(Part::kWrench, i, "body", wrench.body);
    if (!wrench.force.allFinite() || !wrench.torque.allFinite() || !wrench.p_BQ_B.allFinite()) {
      add(Part::kWrench, i, "force", "must be finite");
    }
  }

  const Mechanism& m_;
  std::vector<MechanismProblem> problems_;
};

}  // namespace

int position_count(JointType type) { return traits(type).nq; }
int speed_count(JointType type) { return traits(type).nv; }
const char* to_text(JointType type) { return traits(type).name; }

BodyIndex Mechanism::add(Body body) {
  bodies.push_back(std::move(body));
  return BodyIndex(bodies.size() - 1);
}

JointIndex Mechanism::add(Joint joint) {
  joints.push_back(std::move(joint));
  return JointIndex(joints.size() - 1);
}

BodyIndex Mechanism::find_body(std::string_view body_name) const {
  const auto found = std::find_if(bodies.begin(), bodies.end(),
                                  [&](const Body& b) { return b.name == body_name; });
  return found == bodies.end() ? BodyIndex() : BodyIndex(static_cast<int>(found - bodies.begin()));
}

JointIndex Mechanism::find_joint(std::string_view joint_name) const {
  const auto found = std::find_if(joints.begin(), joints.end(),
                                  [&](const Joint& j) { return j.name == joint_name; });
  return found == joints.end() ? JointIndex()
                               : JointIndex(static_cast<int>(found - joints.begin()));
}

std::string axis_name(const Joint& joint, int axis) {
  static constexpr const char* kAxes[] = {"x", "y", "z", "rx", "ry", "rz"};
  if (joint.type == JointType::kFreeAngles) return concat(joint.name, ".", kAxes[axis]);
  if (joint.type == JointType::kSphericalAngles) return concat(joint.name, ".", kAxes[axis + 3]);
  return speed_count(joint.type) == 1 ? joint.name : concat(joint.name, ".", axis);
}

std::vector<MechanismProblem> find_problems(const Mechanism& mechanism) {
  return Checker(mechanism).run();
}

void check(const Mechanism& mechanism) {
  const std::vector<MechanismProblem> problems = find_problems(mechanism);
  if (problems.empty()) return;
  const auto name_of = [&](const MechanismProblem& problem) -> std::string {
    const auto i = static_cast<std::size_t>(problem.index);
    switch (problem.part) {
      case Part::kMechanism:
        return "";
      case Part::kBody:
        return concat("body \"", mechanism.bodies[i].name, "\": ");
      case Part::kJoint:
        return concat("joint \"", mechanism.joints[i].name, "\": ");
      case Part::kRod:
        return concat("rod \"", mechanism.rods[i].name, "\": ");
      case Part::kCoupler:
        return concat("coupler \"", mechanism.couplers[i].name, "\": ");
      case Part::kRolling:
        return concat("rolling \"", mechanism.rollings[i].name, "\": ");
      case Part::kSpring:
        return concat("spring \"", mechanism.springs[i].name, "\": ");
      case Part::kBushing:
        return concat("bushing \"", mechanism.bushings[i].name, "\": ");
      case Part::kWrench:
        return concat("wrench \"", mechanism.wrenches[i].name, "\": ");
    }
    return "";
  };
  std::string text = concat("mechanism \"", mechanism.name, "\":");
  for (const MechanismProblem& problem : problems) {
    text += concat("\n  ", name_of(problem), problem.key, ": ", problem.text);
  }
  require(false, text);
}

}  // namespace camber::multibody
