#include "camber/multibody/dynamics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "camber/codegen/program.h"
#include "camber/core/require.h"
#include "camber/multibody/blame.h"
#include "camber/multibody/constraint_row.h"
#include "camber/multibody/fully_augmented.h"
#include "camber/multibody/mass_matrix.h"
#include "camber/multibody/nearness.h"
#include "camber/multibody/reactions.h"
#include "camber/multibody/relaxed_dynamics.h"
#include "camber/multibody/tree_augmented.h"
#include "camber/symbolic/derivative.h"

namespace camber::multibody {

namespace {

void copy(std::span<const double> from, VectorX<double>* to) {
  std::copy(from.begin(), from.end(), to->data());
}
void copy(const VectorX<double>& from, std::span<double> to) {
  std::copy(from.data(), from.data() + from.size(), to.begin());
}

}  // namespace

const char* to_text(Formulation formulation) {
  switch (formulation) {
    case Formulation::kCe:
      return "ce";
    case Formulation::kTa:
      return "ta";
    case Formulation::kFa:
      return "fa";
    case Formulation::kUk:
      return "uk";
  }
  return "";
}

MechanismDynamics::MechanismDynamics(const Mechanism& mechanism, Formulation formulation,
                                     const Stabilization& stabilization)
    : formulation_(formulation), stabilization_(stabilization), tree_(compile(mechanism)) {
  require(tree_.relaxed.empty() || formulation == Formulation::kUk, "mechanism \"", mechanism.name,
          "\": ", tree_.relaxed.empty() ? "" : tree_.relaxed.front().name,
          " relaxes: that needs the formulation uk, not ", to_text(formulation));
  for (const Link<double>& link : tree_.model.links) {
    if (!link.is_driven) continue;  // a driven link has one speed and one coordinate
    driven_.push_back(link.v_start);
    driven_q_.push_back(link.q_start);
  }
  if (!driven_.empty()) {
    const symbolic::Expr t = symbolic::symbol("t");
    codegen::ProgramBuilder program("motions");
    program.add_input(t);
    std::vector<symbolic::Expr> values;
    for (const int k : driven_) {
      const symbolic::Expr position = *tree_.motions[k], speed = symbolic::diff(position, t);
      values.insert(values.end(), {position, speed, symbolic::diff(speed, t)});
    }
    program.add_output("values", std::span<const symbolic::Expr>(values));
    motion_program_.emplace(program.build());
    motion_values_.resize(values.size());
  }
  is_driven_.assign(
      static_cast<std::size_t>(tree_.model.nq) + static_cast<std::size_t>(tree_.model.nv), false);
  for (std::size_t i = 0; i < driven_.size(); ++i)
    is_driven_[driven_q_[i]] = is_driven_[tree_.model.nq + driven_[i]] = true;
  v_dot_driven_ = VectorX<double>::Zero(tree_.model.nv);
  drives_.resize(driven_.size());
  q_ = tree_.q0;
  v_ = tree_.v0;
  assemble_at_start();
  make_formulation();
  check_start();
}

void MechanismDynamics::check_start() {
  q_ = q0_;
  v_ = v0_;
  VectorX<double> v_dot(nv());
  const auto span = [](const VectorX<double>& x) {
    return std::span(x.data(), static_cast<std::size_t>(x.size()));
  };
  if (calc_accelerations(0, span(q0_), span(v0_),
                         std::span(v_dot.data(), static_cast<std::size_t>(v_dot.size())))) {
    // A pivot that is positive only by rounding also gives accelerations, but arbitrary ones.
    if (formulation_ != Formulation::kCe && formulation_ != Formulation::kTa) return;
    const Blame blame =
        find_singular_inertia(tree_, formulation_ == Formulation::kCe ? &partition_ : nullptr, q_);
    if (blame.text.empty()) return;
    throw MechanismError(
        concat("mechanism \"", tree_.mechanism.name, "\": ", blame.text, " at t = 0 s"),
        blame.element);
  }
  // A singular configuration, or an open loop near one, may be only temporary.
  if (status_ != EvaluationStatus::kNoInertia && status_ != EvaluationStatus::kNotFinite) return;
  throw MechanismError(concat("mechanism \"", tree_.mechanism.name, "\": ", why_), blamed_);
}

void MechanismDynamics::set_wrench(int wrench, const Vector3& force, const Vector3& torque) {
  const auto& wrenches = tree_.mechanism.wrenches;
  require(wrench >= 0 && wrench < static_cast<int>(wrenches.size()), "set_wrench: mechanism \"",
          tree_.mechanism.name, "\" has ", wrenches.size(), " wrenches; there is no wrench number ",
          wrench);
  require(wrenches[wrench].in_world, "set_wrench: \"", wrenches[wrench].name,
          "\" is given in the axes of its body");
  const Vec3<double> f = to_vec3(force), t = to_vec3(torque);
  multibody::set_wrench(wrench, f, t, &tree_.model);
  if (tree_augmented_) tree_augmented_->set_wrench(wrench, f, t);
  if (passage_) passage_->set_wrench(wrench, f, t);
  if (fully_augmented_) fully_augmented_->set_wrench(wrench, f, t);
  if (relaxed_) relaxed_->set_wrench(wrench, f, t);
  if (dual_) multibody::set_wrench(wrench, f, t, &dual_->model);
}

void MechanismDynamics::update_drives(double t) {
  if (!motion_program_) return;
  motion_program_->run(std::span(&t, 1), motion_values_);
  for (std::size_t i = 0; i < driven_.size(); ++i) {
    drives_[i] = {motion_values_[3 * i], motion_values_[3 * i + 1], motion_values_[3 * i + 2]};
    v_dot_driven_[driven_[i]] = drives_[i].acceleration;
  }
}

void MechanismDynamics::apply_drives() {
  for (std::size_t i = 0; i < driven_.size(); ++i) {
    q_[driven_q_[i]] = drives_[i].position;
    v_[driven_[i]] = drives_[i].speed;
  }
}

void MechanismDynamics::assemble_at_start() {
  update_drives(0);
  apply_drives();
  // Values given by the author are kept if possible.
  std::vector<bool> fixed(static_cast<std::size_t>(tree_.model.nv), false), given = fixed;
  const Mechanism& mechanism = tree_.mechanism;
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const Joint& joint = mechanism.joints[j];
    if (!tree_.joints[j].in_tree) continue;
    for (int k = 0; k < speed_count(joint.type); ++k) {
      given[tree_.joints[j].v_start + k] = !joint.v0.empty();
    }
  }
  for (int k = 0; k < tree_.model.nv; ++k) {
    const auto& names = mechanism.independent;
    fixed[k] = std::find(names.begin(), names.end(), tree_.v_names[k]) != names.end();
  }
  assembly_ = assemble(tree_, fixed, &q_);
  if (!assembly_.assembled) {
    std::string text = concat(
        "mechanism \"", mechanism.name, "\" cannot be assembled from its initial guess: after ",
        assembly_.iterations, " steps these equations are open, in m or as a cosine:");
    const std::size_t shown = std::min<std::size_t>(assembly_.open.size(), 8);
    for (std::size_t i = 0; i < shown; ++i) {
      text += concat("\n  ", assembly_.open[i].name, ": ", assembly_.open[i].error);
    }
    if (shown < assembly_.open.size())
      text += concat("\n  and ", assembly_.open.size() - shown, " more");
    throw AssemblyError(text, element_of_row(assembly_.open[0].name));
  }
  partition_ = choose_partition(tree_, q_, mechanism.independent, &mobility_);
  motion_check_ = MotionCheck(tree_.model, partition_);
  if (motion_check_.is_needed()) {
    const MotionCheck::Open open =
        motion_check_.find_contradiction(tree_.model, partition_, v_dot_driven_, q_, v_);
    if (open.row >= 0) {
      throw AssemblyError(
          concat("mechanism \"", mechanism.name, "\": ", MotionCheck::describe(tree_, open)),
          element_of_row(tree_.model.rows[open.row].name));
    }
  }
  const VectorX<double> given_v = v_;
  if (make_speeds_consistent(tree_, q_, given, &v_)) return;
  // Which one contradicts those before it.
  std::vector<bool> fewer(given.size(), false);
  std::string element;
  for (std::size_t j = 0; j < mechanism.joints.size() && element.empty(); ++j) {
    const Joint& joint = mechanism.joints[j];
    if (!tree_.joints[j].in_tree || joint.v0.empty()) continue;
    for (int k = 0; k < speed_count(joint.type); ++k) fewer[tree_.joints[j].v_start + k] = true;
    v_ = given_v;
    if (!make_speeds_consistent(tree_, q_, fewer, &v_))
      element = concat("joint \"", joint.name, "\".speed");
  }
  throw AssemblyError(
      concat("mechanism \"", mechanism.name,
             "\": the initial speeds that are given contradict each other: there are only ",
             mobility_.degrees_of_freedom, " degrees of freedom; give fewer"),
      element);
}

void MechanismDynamics::make_formulation() {
  v_dot_ = VectorX<double>::Zero(tree_.model.nv);
  embedded_.emplace(tree_.model, partition_);
  q0_ = q_;
  v0_ = v_;
  // A fraction of nearly zero energy is meaningless: near rest the reference is a hundredth of the
  // energy of a fall by the mechanism's own length.
  double mass = 0;
  for (const Link<double>& link : tree_.model.links) mass += link.mass;
  const Vec3<double>& g = tree_.model.gravity;
  largest_energy_ = 0.01 * mass * std::sqrt(dot(g, g)) * tree_.model.length;
  switch (formulation_) {
    case Formulation::kCe: {
      VectorX<double> v_dot = v_dot_;
      const Evaluation evaluation = calc_embedded_dynamics(
          tree_.model, partition_, known_accelerations(), &*embedded_, &q_, &v_, &v_dot);
      note(evaluation.status, &evaluation.closure, 0);
      if (tree_.mechanism.independent.empty() &&
          exchange_speeds(tree_, q_, embedded_->loops, &partition_)) {
        embedded_.emplace(tree_.model, partition_);
        calc_embedded_dynamics(tree_.model, partition_, known_accelerations(), &*embedded_, &q_,
                               &v_, &v_dot);
      }
      start_gains_.resize(tree_.model.clusters.size());
      gains_ = start_gains_;
      best_pivots_.assign(tree_.model.clusters.size(), 0);
      largest_pivots_ = best_pivots_;
      calc_gains(tree_.model, partition_, embedded_->loops, &start_gains_);
      q0_ = q_;
      v0_ = v_;
      break;
    }
    case Formulation::kTa:
      tree_augmented_ = std::make_unique<TreeAugmented>(tree_, q_, stabilization_);
      break;
    case Formulation::kFa:
      fully_augmented_ = std::make_unique<FullyAugmented>(tree_, q_, stabilization_);
      fully_augmented_->take_state(tree_, q_, v_, &q0_, &v0_);
      q_ = q0_;
      v_ = v0_;
      v_dot_ = VectorX<double>::Zero(v_.size());
      break;
    case Formulation::kUk:
      relaxed_ = std::make_unique<RelaxedDynamics>(tree_, q_, stabilization_);
      break;
  }
}

void MechanismDynamics::from_tree(std::span<const double> tree_q, std::span<const double> tree_v,
                                  std::span<double> q, std::span<double> v) {
  if (formulation_ != Formulation::kFa) {
    std::ranges::copy(tree_q, q.begin());
    std::ranges::copy(tree_v, v.begin());
    return;
  }
  VectorX<double> from_q(tree_.model.nq), from_v(tree_.model.nv);
  copy(tree_q, &from_q);
  copy(tree_v, &from_v);
  fully_augmented_->take_state(tree_, from_q, from_v, &q_, &v_);
  copy(q_, q);
  copy(v_, v);
}

void MechanismDynamics::to_tree(std::span<const double> q, std::span<const double> v,
                                std::span<double> tree_q, std::span<double> tree_v) {
  if (formulation_ != Formulation::kFa) {
    std::ranges::copy(q, tree_q.begin());
    std::ranges::copy(v, tree_v.begin());
    return;
  }
  VectorX<double> to_q(tree_.model.nq), to_v(tree_.model.nv);
  copy(tree_q, &to_q);
  copy(q, &q_);
  copy(v, &v_);
  fully_augmented_->give_state(tree_, q_, v_, &to_q, &to_v);
  copy(to_q, tree_q);
  copy(to_v, tree_v);
}

MechanismDynamics::~MechanismDynamics() = default;
MechanismDynamics::MechanismDynamics(MechanismDynamics&&) noexcept = default;
MechanismDynamics::MechanismDynamics(const MechanismDynamics&) = default;
MechanismDynamics& MechanismDynamics::operator=(MechanismDynamics&&) noexcept = default;

const MechanismTree& MechanismDynamics::coordinates() const {
  return formulation_ == Formulation::kFa ? fully_augmented_->mechanism() : tree_;
}

int MechanismDynamics::coordinate_count() const {
  return formulation_ == Formulation::kCe ? partition_.ny() : model().nv;
}

int MechanismDynamics::constraint_count() const {
  switch (formulation_) {
    case Formulation::kCe:
      return 0;
    case Formulation::kTa:
      return tree_augmented_->constraint_count();
    case Formulation::kFa:
      return fully_augmented_->constraint_count();
    case Formulation::kUk:
      return relaxed_->constraint_count();
  }
  return 0;
}

bool MechanismDynamics::note(EvaluationStatus status, const ClosureResult* closure, double t) {
  status_ = status;
  if (status == EvaluationStatus::kOk) return true;
  Blame blame;
  if (status == EvaluationStatus::kNotFinite)
    blame = find_not_finite(tree_, model(), driven_, motion_values_, q_, v_);
  if (status == EvaluationStatus::kNoInertia && formulation_ != Formulation::kFa) {
    blame =
        find_without_inertia(tree_, formulation_ == Formulation::kCe ? &partition_ : nullptr, q_);
  }
  blamed_ = blame.element;
  why_ = concat(blame.text.empty() ? to_text(status) : blame.text, " at t = ", t, " s");
  if (status == EvaluationStatus::kLoopOpen && closure != nullptr && closure->cluster >= 0) {
    const Cluster& cluster = tree_.model.clusters[closure->cluster];
    why_ += concat(": ", tree_.model.rows[cluster.rows[0]].name,
                   " and the equations tied to it stay open by ", closure->error);
  }
  if (status == EvaluationStatus::kSingular) {
    const auto& clusters = tree_.model.clusters;
    const auto pivot = [&](std::size_t c) { return embedded_->loops.clusters[c].least_pivot; };
    std::size_t worst = 0;
    for (std::size_t c = 1; c < clusters.size() && formulation_ == Formulation::kCe; ++c)
      if (!(pivot(c) >= pivot(worst))) worst = c;
    if (formulation_ == Formulation::kCe || clusters.size() == 1)
      why_ += concat(", in the loop of ", tree_.model.rows[clusters[worst].rows[0]].name);
  }
  if (!warning().empty()) why_ += "; before that, " + warning();
  return false;
}

std::string MechanismDynamics::warning() const {
  constexpr double kLargeLoss = 1e-3;
  return largest_loss_ > kLargeLoss ? describe_loss(largest_loss_, time_of_loss_) : "";
}

std::string MechanismDynamics::describe_loss(double share, double t) {
  const double percent = 100 * share;  // two digits of it
  const double digits = percent < 1 ? 100 : percent < 10 ? 10 : 1;
  return concat("projecting the speeds onto the constraints removed ",
                std::round(digits * percent) / digits, " % of the kinetic energy at t = ", t,
                " s: near a dead point, the steps are too long");
}

bool MechanismDynamics::note_relaxed(EvaluationStatus status, double t) {
  if (relaxed_->why().empty()) return note(status, nullptr, t);
  why_ = concat(relaxed_->why(), " at t = ", t, " s");
  return false;
}

bool MechanismDynamics::is_closed(const PositionKinematics<double>& pos, double t) {
  const ConstraintRow<double>* worst = nullptr;
  double most = kLargestRowError;  // over its unit
  for (const ConstraintRow<double>& row : model().rows) {
    const double share = std::abs(calc_row(row, pos, q_).error) / row.unit;
    if (share <= most) continue;  // a NaN is the worst
    worst = &row;
    most = share;
  }
  if (worst == nullptr) return true;
  why_ = concat(to_text(EvaluationStatus::kLoopOpen), " at t = ", t, " s: ", worst->name,
                " stays open by ", most * worst->unit);
  if (!warning().empty()) why_ += "; before that, " + warning();
  return false;
}

bool MechanismDynamics::calc_accelerations(double t, std::span<const double> q,
                                           std::span<const double> v, std::span<double> v_dot) {
  copy(q, &q_);
  copy(v, &v_);
  update_drives(t);
  if (formulation_ != Formulation::kFa) apply_drives();
  EvaluationStatus status = EvaluationStatus::kOk;
  ClosureResult closure;
  switch (formulation_) {
    case Formulation::kCe: {
      if (passage_) {
        status = passage_->calc_accelerations(q_, v_, known_accelerations(), &v_dot_);
        break;
      }
      const Evaluation evaluation = calc_embedded_dynamics(
          tree_.model, partition_, known_accelerations(), &*embedded_, &q_, &v_, &v_dot_);
      status = evaluation.status;
      closure = evaluation.closure;
      break;
    }
    case Formulation::kTa:
      status = tree_augmented_->calc_accelerations(q_, v_, known_accelerations(), &v_dot_);
      break;
    case Formulation::kFa:
      status = fully_augmented_->calc_accelerations(q_, v_, drives_, &v_dot_);
      break;
    case Formulation::kUk:
      status = relaxed_->calc_accelerations(t, q_, v_, known_accelerations(), &v_dot_);
      copy(v_dot_, v_dot);
      return note_relaxed(status, t);
  }
  copy(v_dot_, v_dot);
  return note(status, &closure, t);
}

MechanismDynamics::DualDynamics::DualDynamics(const Model<double>& real, const Partition& partition)
    : model(cast_model<Dual>(real)),
      work(model, partition),
      q(real.nq),
      v(real.nv),
      v_dot(real.nv),
      v_dot_driven(real.nv) {}

bool MechanismDynamics::calc_jacobian(double t, std::span<const double> q,
                                      std::span<const double> v, std::span<double> J) {
  copy(q, &q_);
  copy(v, &v_);
  update_drives(t);
  if (formulation_ == Formulation::kFa)
    return note(fully_augmented_->calc_jacobian(q_, v_, drives_, J), nullptr, t);
  apply_drives();
  if (formulation_ == Formulation::kUk) {
    return note_relaxed(relaxed_->calc_jacobian(t, q_, v_, known_accelerations(), is_driven_, J),
                        t);
  }
  if (TreeAugmented* solver =
          formulation_ == Formulation::kTa ? tree_augmented_.get() : passage_.get())
    return note(solver->calc_jacobian(q_, v_, known_accelerations(), is_driven_, J), nullptr, t);
  if (!dual_) dual_ = std::make_unique<DualDynamics>(tree_.model, partition_);
  DualDynamics& d = *dual_;
  d.v_dot_driven = v_dot_driven_.cast<Dual>();
  const int nq = tree_.model.nq, nv = tree_.model.nv;
  for (int first = 0; first < nq + nv; first += kDirections) {
    const int count = std::min(kDirections, nq + nv - first);
    d.q = q_.cast<Dual>();
    d.v = v_.cast<Dual>();
    for (int k = 0; k < count; ++k) {
      const int column = first + k;
      (column < nq ? d.q[column] : d.v[column - nq]).set_partial(k, 1);
    }
    for (std::size_t i = 0; i < driven_.size(); ++i) {  // their motion is given
      d.q[driven_q_[i]] = Dual(drives_[i].position);
      d.v[driven_[i]] = Dual(drives_[i].speed);
    }
    const Evaluation evaluation =
        calc_embedded_dynamics(d.model, partition_, &d.v_dot_driven, &d.work, &d.q, &d.v, &d.v_dot);
    if (!note(evaluation.status, &evaluation.closure, t)) return false;
    for (int k = 0; k < count; ++k) {
      for (int i = 0; i < nv; ++i) J[(first + k) * nv + i] = d.v_dot[i].partial(k);
    }
  }
  return true;
}

bool MechanismDynamics::drives_fit(double t) {
  if (!motion_check_.is_needed()) return true;
  // Baumgarte's method leaves loops open by more than the check allows.
  if (formulation_ != Formulation::kCe && stabilization_.kind != Stabilization::Kind::kProjection)
    return true;
  if (formulation_ == Formulation::kFa) {
    why_ = fully_augmented_->find_contradiction(drives_);
    if (why_.empty()) return true;
    why_ += concat(" at t = ", t, " s");
    return false;
  }
  calc_position_kinematics(tree_.model, q_, &embedded_->pos);
  const MotionCheck::Open open = motion_check_.find_open(tree_.model, embedded_->pos, q_);
  if (open.row < 0) return true;
  why_ = concat(MotionCheck::describe(tree_, open), " at t = ", t, " s");
  return false;
}

bool MechanismDynamics::project_by_multipliers(TreeAugmented* solver, double t) {
  const bool is_projected = solver->project(&q_, &v_);
  if (!is_closed(solver->position_kinematics(), t)) return false;
  if (!is_projected) return note(EvaluationStatus::kSingular, nullptr, t);
  note_loss(solver->speed_correction(), t);
  return true;
}

void MechanismDynamics::note_loss(const SpeedCorrection& correction, double t) {
  largest_energy_ = std::max(largest_energy_, correction.energy);
  last_loss_ = largest_energy_ > 0 ? correction.taken / largest_energy_ : 0;
  if (!(last_loss_ > largest_loss_)) return;
  largest_loss_ = last_loss_;
  time_of_loss_ = t;
}

bool MechanismDynamics::project(double t, std::span<double> q, std::span<double> v) {
  copy(q, &q_);
  copy(v, &v_);
  update_drives(t);
  if (formulation_ != Formulation::kFa) apply_drives();
  last_loss_ = 0;
  const bool is_projected = project_state(t);
  // Given motions that contradict each other leave loops open: report these motions instead.
  if (!drives_fit(t) || !is_projected) return false;
  copy(q_, q);
  copy(v_, v);
  return true;
}

bool MechanismDynamics::project_state(double t) {
  switch (formulation_) {
    case Formulation::kCe: {
      if (tree_.model.clusters.empty()) break;
      if (passage_) {
        if (!project_by_multipliers(passage_.get(), t)) return false;
        leave_passage_if_regular();
        break;
      }
      const ClosureResult closure =
          close_loops(tree_.model, partition_, &embedded_->closure, &q_, &embedded_->pos);
      if (!closure.closed) return note(EvaluationStatus::kLoopOpen, &closure, t);
      // Rows in use are closed, and redundant ones with them, except at a singular configuration.
      if (!mobility_.redundant.empty() && !is_closed(embedded_->pos, t)) return false;
      calc_loop_matrices(tree_.model, partition_, embedded_->pos, &embedded_->loops);
      gather_speeds(partition_, v_, &embedded_->y);
      expand_speeds(tree_.model, partition_, embedded_->y, &embedded_->loops, &v_);
      choose_rows_where_due();
      choose_again_if_near_singular();
      enter_passage_if_singular();
      break;
    }
    case Formulation::kTa:
      if (stabilization_.kind != Stabilization::Kind::kProjection) break;
      if (!project_by_multipliers(tree_augmented_.get(), t)) return false;
      break;
    case Formulation::kFa:
      if (stabilization_.kind != Stabilization::Kind::kProjection) break;
      if (!fully_augmented_->project(drives_, &q_, &v_)) {
        return is_closed(fully_augmented_->position_kinematics(), t) &&
               note(EvaluationStatus::kSingular, nullptr, t);
      }
      if (!is_closed(fully_augmented_->position_kinematics(), t)) return false;
      note_loss(fully_augmented_->speed_correction(), t);
      break;
    case Formulation::kUk:
      if (stabilization_.kind != Stabilization::Kind::kProjection) break;
      if (!relaxed_->project(&q_, &v_)) return note_relaxed(EvaluationStatus::kNotFinite, t);
      note_loss(relaxed_->speed_correction(), t);
      break;
  }
  return true;
}

bool MechanismDynamics::close(double t, std::span<double> q) {
  if (formulation_ != Formulation::kCe || !named_) {
    VectorX<double> v = VectorX<double>::Zero(nv());
    return project(t, q, std::span(v.data(), static_cast<std::size_t>(v.size())));
  }
  copy(q, &q_);
  update_drives(t);
  apply_drives();
  const ClosureResult closure =
      close_loops(tree_.model, named_->partition, &named_->work, &q_, &named_->pos);
  if (!closure.closed) return note(EvaluationStatus::kLoopOpen, &closure, t);
  copy(q_, q);
  return true;
}

bool MechanismDynamics::observe(double t, std::span<const double> q, std::span<const double> v,
                                Observation* observation) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  VectorX<double> v_dot(nv());
  bool is_known =
      calc_accelerations(t, q, v, std::span(v_dot.data(), static_cast<std::size_t>(v_dot.size())));
  if (!is_known) {  // the rest needs none; the attempt left q and v invalid
    copy(q, &q_);
    copy(v, &v_);
    v_dot.setConstant(kNaN);
  }
  const Model<double>& m = model();
  PositionKinematics<double> pos(m);
  VelocityKinematics<double> vel(m);
  calc_position_kinematics(m, q_, &pos);
  calc_velocity_kinematics(m, pos, v_, static_cast<const VectorX<double>*>(nullptr), &vel);
  observation->poses.clear();
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const BodyPose<double> pose = calc_body_pose(m, pos, BodyIndex(b));
    const Quaternion rotation(to_eigen(pose.R_WB));
    for (int i = 0; i < 3; ++i) observation->poses.push_back(pose.p_WB[i]);
    for (const double x : {rotation.w(), rotation.x(), rotation.y(), rotation.z()})
      observation->poses.push_back(x);
  }
  // The state of `ce` has closed loops, or is invalid.
  if (is_known && formulation_ == Formulation::kCe) is_known = is_closed(pos, t);
  const ConstraintErrors errors = calc_constraint_errors(m, pos, vel, q_, v_);
  observation->position_error = errors.position;
  observation->speed_error = errors.speed;
  observation->kinetic_energy = calc_kinetic_energy(m, pos, vel);
  observation->gravity_energy = calc_gravity_energy(m, pos);
  observation->elastic_energy = calc_elastic_energy(m, pos, q_);
  if (formulation_ == Formulation::kFa)
    observation->elastic_energy += fully_augmented_->calc_joint_energy();
  observation->reactions.clear();
  if (has_reactions() && !is_known) {
    observation->reactions.assign(6 * tree_.mechanism.joints.size(), kNaN);
  } else if (has_reactions()) {
    for (const auto& joint : calc_reactions(tree_, partition_, q_, v_, v_dot).joints) {
      const Reactions::Wrench wrench =
          joint.value_or(Reactions::Wrench{Vector3::Constant(kNaN), Vector3::Constant(kNaN)});
      observation->reactions.insert(observation->reactions.end(), wrench.force.begin(),
                                    wrench.force.end());
      observation->reactions.insert(observation->reactions.end(), wrench.torque.begin(),
                                    wrench.torque.end());
    }
  }
  const auto keep = [](const VectorX<double>& x) {
    return std::vector<double>(x.data(), x.data() + x.size());
  };
  observation->q = keep(q_);
  observation->v = keep(v_);
  observation->v_dot = keep(v_dot);
  return is_known;
}

}  // namespace camber::multibody
