#include "camber/multibody/model.h"

#include <algorithm>
#include <cmath>

#include "camber/multibody/scalars.h"

namespace camber::multibody {

namespace {

template <class T>
std::vector<T> cast_list(const std::vector<double>& list) {
  return std::vector<T>(list.begin(), list.end());
}

template <class T>
SymMat3<T> cast_symmetric(const SymMat3<double>& S) {
  return {T(S(0, 0)), T(S(1, 1)), T(S(2, 2)), T(S(0, 1)), T(S(0, 2)), T(S(1, 2))};
}

template <class T>
ConstraintRow<T> cast_row(const ConstraintRow<double>& row) {
  ConstraintRow<T> copy{row.kind,
                        row.a,
                        row.b,
                        cast<T>(row.p_A),
                        cast<T>(row.p_B),
                        cast<T>(row.e_A),
                        cast<T>(row.f_A),
                        cast<T>(row.e_B),
                        T(row.length),
                        T(row.pitch),
                        {},
                        row.name,
                        row.unit};
  for (const CouplerTerm<double>& term : row.terms)
    copy.terms.push_back({term.q, term.v, T(term.factor)});
  return copy;
}

// Whether a link's inertia is unchanged by rotation about z, to rounding.
bool is_round(const Link<double>& link) {
  constexpr double kRounding = 1e-14;
  const auto& I = link.I_LLcm;
  const auto is_small = [](double x, double size) { return std::abs(x) <= kRounding * size; };
  const double reach = std::sqrt(I(2, 2) / link.mass);  // [m]
  return is_small(link.p_LLcm[0], reach) && is_small(link.p_LLcm[1], reach) && I(2, 2) > 0 &&
         is_small(I(0, 0) - I(1, 1), I(2, 2)) && is_small(I(0, 1), I(2, 2)) &&
         is_small(I(0, 2), I(2, 2)) && is_small(I(1, 2), I(2, 2));
}

// Inertia of a link with one speed along that speed, without other links.
double own_inertia(const Link<double>& link) {
  const Vec3<double>& c = link.p_LLcm;
  const double about_z = link.I_LLcm(2, 2) + link.mass * (c[0] * c[0] + c[1] * c[1]);
  if (link.kind == LinkKind::kPrismatic) return link.mass;
  return about_z + (link.kind == LinkKind::kScrew ? link.mass * link.pitch * link.pitch : 0);
}

}  // namespace

void mark_branches(Model<double>* model) {
  auto& links = model->links;
  for (auto& link : links) {
    link.is_simple_tip = link.continues_sum = link.has_branches = link.is_first_branch = false;
    link.is_rotor = false;
    link.rotor = 0;
  }
  int running = 0;  // the link whose branches are being summed
  for (int l = static_cast<int>(links.size()) - 1; l > 0; --l) {
    Link<double>& link = links[l];
    const int c = model->cluster_of[l];
    link.is_simple_tip = c < 0 && running != l && !link.has_branches && link.has_mass &&
                         link.nv == 1 && !link.is_driven;
    Link<double>& carrier = links[link.parent];
    if (link.is_simple_tip && link.kind == LinkKind::kRevolute && is_round(link) &&
        model->cluster_of[link.parent] >= 0 && carrier.has_mass && carrier.rotor == 0) {
      link.is_rotor = true;
      carrier.rotor = l;
      continue;  // no sum comes from it
    }
    link.continues_sum = c < 0 && (running == l || (link.is_simple_tip && running == link.parent));
    if (!link.continues_sum && running > 0) {
      link.is_first_branch = !links[running].has_branches;
      links[running].has_branches = true;
    }
    if (c >= 0) l = model->clusters[c].first_link;
    running = links[l].parent;
  }
}

double unit_of(const ConstraintRow<double>& row, const Model<double>& model) {
  if (row.kind == RowKind::kDot) return 1;
  if (row.kind != RowKind::kCoupler) return model.length;
  double most = 0;
  for (const CouplerTerm<double>& term : row.terms)
    most = std::max(most, std::abs(term.factor) * model.speed_units[term.v]);
  return most > 0 ? most : 1;
}

void measure_by(double length, Model<double>* model) {
  model->length = length;
  model->speed_units.assign(static_cast<std::size_t>(model->nv), 1.0);
  for (const Link<double>& link : model->links) {
    if (link.kind == LinkKind::kPrismatic) model->speed_units[link.v_start] = length;
    for (int k = 3; k < 6 && link.kind == LinkKind::kFree; ++k)
      model->speed_units[link.v_start + k] = length;
  }
  for (ConstraintRow<double>& row : model->rows) row.unit = unit_of(row, *model);
  constexpr double kSure = 1e-12;  // fraction of the total: rounding is far below
  double mass = 0;
  for (const Link<double>& link : model->links) mass += link.mass;
  for (Link<double>& link : model->links) {
    const double most = link.kind == LinkKind::kPrismatic ? mass : mass * length * length;
    link.has_sure_pivot = link.nv == 1 && own_inertia(link) > kSure * most;
  }
}

template <class T>
Model<T> cast_model(const Model<double>& model) {
  Model<T> out;
  using Constant = math::Constant<T>;
  for (const Link<double>& link : model.links) {
    out.links.push_back({link.kind,
                         link.has_mass,
                         link.is_driven,
                         link.is_simple_tip,
                         link.continues_sum,
                         link.has_branches,
                         link.is_first_branch,
                         link.is_rotor,
                         link.has_sure_pivot,
                         link.parent,
                         link.q_start,
                         link.v_start,
                         link.nv,
                         link.rotor,
                         cast<Constant>(link.R_PF),
                         cast<Constant>(link.p_PF),
                         Constant(link.pitch),
                         Constant(link.mass),
                         cast<Constant>(link.p_LLcm),
                         cast_symmetric<Constant>(link.I_LLcm),
                         Constant(link.middle),
                         cast<Constant>(link.larger),
                         cast<Constant>(link.smaller)});
  }
  out.clusters = model.clusters;
  out.cluster_of = model.cluster_of;
  for (const ConstraintRow<double>& row : model.rows) out.rows.push_back(cast_row<T>(row));
  for (const BodyPlace<double>& body : model.bodies) {
    out.bodies.push_back({body.link, cast<T>(body.R_LB), cast<T>(body.p_LB)});
  }
  for (const AxisForce<double>& f : model.axes) out.axes.push_back(cast<T>(f));
  for (const SpringForce<double>& f : model.springs) {
    out.springs.push_back({f.a, f.b, cast<T>(f.p_A), cast<T>(f.p_B), T(f.free_length),
                           T(f.stiffness), T(f.damping), T(f.preload), cast_list<T>(f.spring_x),
                           cast_list<T>(f.spring_y), cast_list<T>(f.damper_x),
                           cast_list<T>(f.damper_y), cast_list<T>(f.end_x), cast_list<T>(f.end_y),
                           T(f.shortest), T(f.longest), T(f.end_rate)});
  }
  for (const BushingForce<double>& f : model.bushings) {
    BushingForce<T> copy;
    copy.a = f.a;
    copy.b = f.b;
    copy.R_AP = cast<T>(f.R_AP);
    copy.R_BQ = cast<T>(f.R_BQ);
    copy.p_AP = cast<T>(f.p_AP);
    copy.p_BQ = cast<T>(f.p_BQ);
    for (int i = 0; i < 6; ++i) {
      for (int k = 0; k < 6; ++k) {
        copy.stiffness[i][k] = T(f.stiffness[i][k]);
        copy.damping[i][k] = T(f.damping[i][k]);
      }
    }
    out.bushings.push_back(copy);
  }
  for (const WrenchForce<double>& f : model.wrenches) {
    out.wrenches.push_back(
        {f.link, cast<T>(f.p_L), cast<T>(f.force), cast<T>(f.torque), f.in_world});
  }
  for (const ContactForce<double>& f : model.contacts)
    out.contacts.push_back({cast_row<T>(f.row), T(f.stiffness), T(f.damping)});
  out.gravity = cast<T>(model.gravity);
  out.nq = model.nq;
  out.nv = model.nv;
  out.origin_link = model.origin_link;
  out.p_WO = cast<Constant>(model.p_WO);
  out.length = model.length;
  out.speed_units = model.speed_units;
  return out;
}

#define CAMBER_INSTANTIATE(T) template Model<T> cast_model<T>(const Model<double>&);
CAMBER_FOR_EACH_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::multibody
