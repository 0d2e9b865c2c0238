// Step 3 of compiler.h: the equations of what closes loops.
#include "camber/core/require.h"
#include "camber/multibody/compiler.h"

namespace camber::multibody::internal {

ConstraintRow<double> Compiler::row_between(RowKind kind, const End& a, const End& b,
                                            std::string name) const {
  ConstraintRow<double> row;
  row.kind = kind;
  row.a = a.link;
  row.b = b.link;
  row.p_A = to_vec3(a.X.p);
  row.p_B = to_vec3(b.X.p);
  row.name = std::move(name);
  return row;
}

/// The rows of a relaxed constraint are stored with it.
int Compiler::add_row(ConstraintRow<double> row) {
  if (relaxed_ != nullptr) {
    relaxed_->rows.push_back(std::move(row));
    return -1;
  }
  out_.model.rows.push_back(std::move(row));
  return static_cast<int>(out_.model.rows.size()) - 1;
}

void Compiler::make_rows() {
  for (std::size_t j = 0; j < m().joints.size(); ++j) {
    const Joint& joint = m().joints[j];
    const bool closes = !out_.joints[j].in_tree;
    require(closes || !joint.relaxation.is_given(), "joint \"", joint.name,
            "\": relax: it carries its child; only a joint that closes a loop relaxes (cut = true "
            "where there is a loop)");
    if (closes) {
      relax_if_given(joint.relaxation, concat("joint \"", joint.name, "\""),
                     [&] { close_with_joint(static_cast<int>(j)); });
    }
  }
  for (const Rod& rod : m().rods) {
    auto row = row_between(RowKind::kDistance, end_of(rod.a, rod.p_AP_A), end_of(rod.b, rod.p_BQ_B),
                           concat("rod \"", rod.name, "\""));
    row.length = rod.length;
    relax_if_given(rod.relaxation, row.name, [&] { add_row(std::move(row)); });
  }
  // Without joint coordinates the formulation handles couplers: fully_augmented.h.
  if (kind_ == TreeKind::kSpanning) {
    for (const Coupler& coupler : m().couplers) {
      relax_if_given(coupler.relaxation, concat("coupler \"", coupler.name, "\""),
                     [&] { couple(coupler); });
    }
  }
  for (const Rolling& rolling : m().rollings) roll(rolling);
}

// Any three axes keep two points together. If a is on a pin, we use the direction in which the pin
// moves the point, and two in which it does not; for a universal joint one axis is the line from
// its center to the point, along which neither axis moves it. Fewer speeds in an equation give
// smaller blocks in Y1 (partition.cc).
Compiler::PointAxes Compiler::point_axes(const End& a) const {
  const Link<double>& link = drafts_[a.link].link;
  const Vector3 &p = a.X.p, z = Vector3::UnitZ(), across = z.cross(p);
  if (relaxed_ != nullptr || link.kind != LinkKind::kRevolute || across.norm() <= 1e-6 * p.norm())
    return {a.X.R, {"point along x", "point along y", "point along z"}};
  const bool is_universal =
      drafts_[link.parent].link.kind == LinkKind::kRevolute && to_eigen(link.p_PF).isZero(0);
  PointAxes axes{{}, {"point along the arm", "point across the arm", "point along the hinge"}};
  axes.R.col(1) = across.normalized();
  axes.R.col(0) = is_universal ? p.normalized() : axes.R.col(1).cross(z);
  axes.R.col(2) = axes.R.col(0).cross(axes.R.col(1));
  return axes;
}

void Compiler::close_with_joint(int j) {
  static constexpr const char* kAxis[] = {"x", "y", "z"};
  const Joint& joint = m().joints[j];
  const End a = end_of(joint.parent, joint.X_PF), b = end_of(joint.child, joint.X_BM);
  const auto name = [&](const char* what) { return concat("joint \"", joint.name, "\", ", what); };
  std::vector<int>& rows = out_.joints[j].rows;
  const auto point = [&](int axis) {
    auto row =
        row_between(RowKind::kPoint, a, b, name(concat("point along ", kAxis[axis]).c_str()));
    row.e_A = to_vec3(a.X.R.col(axis));
    rows.push_back(add_row(std::move(row)));
  };
  const auto whole_point = [&] {
    const PointAxes axes = point_axes(a);
    for (int i : {0, 1, 2}) {
      auto row = row_between(RowKind::kPoint, a, b, name(axes.names[i]));
      row.e_A = to_vec3(axes.R.col(i));
      rows.push_back(add_row(std::move(row)));
    }
  };
  const auto dot_of = [&](int axis_a, int axis_b) {
    auto row =
        row_between(RowKind::kDot, a, b,
                    name(concat("direction ", kAxis[axis_a], " to ", kAxis[axis_b]).c_str()));
    row.e_A = to_vec3(a.X.R.col(axis_a));
    row.e_B = to_vec3(b.X.R.col(axis_b));
    rows.push_back(add_row(std::move(row)));
  };
  switch (joint.type) {
    case JointType::kFree:
    case JointType::kFreeAngles:
    case JointType::kSoftHinge:
      break;
    case JointType::kSpherical:
    case JointType::kSphericalAngles:
      whole_point();
      break;
    case JointType::kUniversal:
      whole_point();
      dot_of(0, 1);
      break;
    case JointType::kRevolute:
      whole_point();
      for (int i : {0, 1}) dot_of(i, 2);
      break;
    case JointType::kCylindrical:
    case JointType::kScrew:
      for (int i : {0, 1}) point(i);
      for (int i : {0, 1}) dot_of(i, 2);
      break;
    case JointType::kPrismatic:
    case JointType::kFixed:
      for (int i : {0, 1}) point(i);
      if (joint.type == JointType::kFixed) point(2);
      for (int i : {0, 1}) dot_of(i, 2);
      dot_of(0, 1);
      break;
    case JointType::kPlanar:
      point(2);
      for (int i : {0, 1}) dot_of(i, 2);
      break;
  }
  if (joint.type == JointType::kScrew) {
    auto row = row_between(RowKind::kScrew, a, b, name("thread"));
    require(joint.pitch != 0, "joint \"", joint.name,
            "\": pitch: a screw that closes a loop needs one, got 0");
    row.e_A = to_vec3(a.X.R.col(2));
    row.f_A = to_vec3(a.X.R.col(0));
    row.e_B = to_vec3(b.X.R.col(0));
    row.pitch = joint.pitch;
    rows.push_back(add_row(std::move(row)));
  }
  for (const JointAxis& axis : joint.axes) {
    const bool acts = axis.stiffness != 0 || axis.damping != 0 || axis.friction != 0 ||
                      axis.force != 0 || axis.lower || axis.upper || axis.motion;
    require(!acts || kind_ == TreeKind::kAugmented, "joint \"", joint.name,
            "\": it closes a loop and has no coordinate, so no spring, damper, stop or motion "
            "can act along it; mark "
            "another joint of the loop with cut = true, or use a spring between two points");
  }
}

void Compiler::couple(const Coupler& coupler) {
  ConstraintRow<double> row;
  row.kind = RowKind::kCoupler;
  row.length = coupler.offset;
  row.name = concat("coupler \"", coupler.name, "\"");
  for (const Coupler::Term& term : coupler.terms) {
    const Joint& joint = m().joints[term.joint.value];
    require(
        out_.joints[term.joint.value].in_tree, "coupler \"", coupler.name, "\": joint \"",
        joint.name,
        "\" closes a loop and has no coordinate; mark another joint of the loop with cut = true");
    row.terms.push_back({term.joint.value, term.axis, term.factor});  // replaced by places later
  }
  add_row(std::move(row));
}

void Compiler::roll(const Rolling& rolling) {
  const Vector3 n = rolling.normal_G.normalized();
  const Vector3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
  const End ground = end_of(rolling.ground, rolling.p_GP_G),
            wheel = end_of(rolling.wheel, rolling.p_BC_B);
  const auto make = [&](RowKind kind, const Vector3& direction, const char* what) {
    auto row = row_between(kind, ground, wheel, concat("rolling \"", rolling.name, "\", ", what));
    row.e_A = to_vec3(ground.X.R * n);
    row.f_A = to_vec3(ground.X.R * direction);
    row.e_B = to_vec3(wheel.X.R * rolling.axis_B.normalized());
    row.length = rolling.radius;
    return row;
  };
  int normal_row = -1, contact = -1;
  if (rolling.stiffness > 0) {
    contact = static_cast<int>(out_.model.contacts.size());
    out_.model.contacts.push_back(
        {make(RowKind::kRollNormal, n, "contact"), rolling.stiffness, rolling.damping});
  } else {
    normal_row = add_row(make(RowKind::kRollNormal, n, "contact"));
  }
  relax_if_given(rolling.relaxation, concat("rolling \"", rolling.name, "\""), [&] {
    add_row(make(RowKind::kRollSlip, t1, "slip in one direction"));
    add_row(make(RowKind::kRollSlip, t2, "slip in the other direction"));
    if (relaxed_ == nullptr) return;
    relaxed_->normal_row = normal_row;
    relaxed_->contact = contact;
  });
}

}  // namespace camber::multibody::internal
