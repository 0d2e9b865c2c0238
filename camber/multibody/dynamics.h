#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "camber/codegen/interpreter.h"
#include "camber/core/require.h"
#include "camber/multibody/assembly.h"
#include "camber/multibody/compile.h"
#include "camber/multibody/constraint_embedding.h"
#include "camber/multibody/joint_coordinate.h"
#include "camber/multibody/mechanism_error.h"
#include "camber/multibody/motion_check.h"
#include "camber/multibody/partition.h"
#include "camber/multibody/scalars.h"
#include "camber/multibody/stabilization.h"

namespace camber::multibody {

class FullyAugmented;   // fully_augmented.h
class RelaxedDynamics;  // relaxed_dynamics.h
class TreeAugmented;    // tree_augmented.h
struct SpeedCorrection;

enum class Formulation {
  kCe,  // constraint embedding: independent coordinates only
  kTa,  // tree augmented: the tree's coordinates, multipliers for the cut joints
  kFa,  // fully augmented: poses of all bodies, multipliers for all joints
  kUk,  // Udwadia-Kalaba: the tree's coordinates, generalized inverse of all rows; relaxed ones,
        // too
};
const char* to_text(Formulation formulation);

/// Quantities of a state for logs and reports.
struct Observation {
  std::vector<double> q, v, v_dot;  // of the formulation's coordinates
  std::vector<double> poses;        // 7 per body: position in W, quaternion (w, x, y, z)
  /// 6 per joint: force, then torque (reactions.h); NaN for a joint that welds two bodies. Empty if
  /// the formulation does not compute them.
  std::vector<double> reactions;
  double position_error = 0, speed_error = 0;  // of all constraints, redundant ones included
  double kinetic_energy = 0, gravity_energy = 0, elastic_energy = 0;  // [J]
};

namespace internal {

/// A part that cannot be copied; its owner can be copied only without it.
template <class T>
class SolePart : public std::unique_ptr<T> {
 public:
  using std::unique_ptr<T>::unique_ptr;
  using std::unique_ptr<T>::operator=;
  SolePart() = default;
  SolePart(SolePart&&) noexcept = default;
  SolePart& operator=(SolePart&&) noexcept = default;
  SolePart(const SolePart& other) : std::unique_ptr<T>() {
    require(other == nullptr, "MechanismDynamics: only \"ce\" at its start can be copied");
  }
  SolePart& operator=(const SolePart&) = delete;
  ~SolePart() = default;
};

}  // namespace internal

/// One mechanism in one formulation, assembled and ready to be integrated: q' = N(q) v, v' =
/// calc_accelerations(). The state of `ce` is that of the tree, of which only the independent part
/// counts: the rest is kept as a starting value and corrected. Not thread-safe: use one per thread.
class MechanismDynamics {
 public:
  /// Throws std::invalid_argument for a wrong description, MechanismError if a part is to blame,
  /// AssemblyError if loops do not close or given motions contradict each other.
  explicit MechanismDynamics(const Mechanism& mechanism, Formulation formulation = Formulation::kCe,
                             const Stabilization& stabilization = {});
  ~MechanismDynamics();
  MechanismDynamics(MechanismDynamics&&) noexcept;
  /// For `ce` only, of one that has not moved yet: it saves the assembly. Throws
  /// std::invalid_argument for others.
  MechanismDynamics(const MechanismDynamics&);
  MechanismDynamics& operator=(MechanismDynamics&&) noexcept;

  Formulation formulation() const { return formulation_; }
  const MechanismTree& tree() const { return tree_; }
  const Mobility& mobility() const { return mobility_; }
  const AssemblyResult& assembly() const { return assembly_; }
  /// The model of the formulation's own coordinates: for `fa` all bodies, else the tree.
  const MechanismTree& coordinates() const;
  const Model<double>& model() const { return coordinates().model; }
  int nq() const { return model().nq; }
  int nv() const { return model().nv; }
  /// Coordinates and constraints that the formulation solves for.
  int coordinate_count() const;
  int constraint_count() const;

  const VectorX<double>& initial_q() const { return q0_; }
  const VectorX<double>& initial_v() const { return v0_; }

  /// Converts a state of the tree to one of the formulation, and back, where angles are those
  /// nearest to tree_q. The two differ only for `fa`.
  void from_tree(std::span<const double> tree_q, std::span<const double> tree_v,
                 std::span<double> q, std::span<double> v);
  void to_tree(std::span<const double> q, std::span<const double> v, std::span<double> tree_q,
               std::span<double> tree_v);

  /// Sets the load of Mechanism::wrenches[wrench], whose axes must be those of W: external
  /// disturbances, between steps or within them. [N], [N m]
  void set_wrench(int wrench, const Vector3& force, const Vector3& torque = Vector3::Zero());

  /// Returns false if there is no value; why() has the reason. Allocates only when `ta` and `fa`
  /// choose other equations among redundant ones, near a configuration where those in use become
  /// insufficient.
  bool calc_accelerations(double t, std::span<const double> q, std::span<const double> v,
                          std::span<double> v_dot);
  /// dv'/d[q; v] column by column, exact, by dual numbers. Derivatives by a quaternion are along
  /// its unit sphere. Allocates in the first call, and after `ce` has changed its independent
  /// coordinates or the others their rows.
  bool calc_jacobian(double t, std::span<const double> q, std::span<const double> v,
                     std::span<double> J);
  /// Closes the loops and makes the speeds consistent, driven joints included. `ce` chooses other
  /// independent coordinates near a configuration where those in use no longer determine the rest,
  /// and other rows where those in use become dependent; it allocates then.
  bool project(double t, std::span<double> q, std::span<double> v);
  /// Only closes the loops, `ce` with the coordinates that were independent at the start: those
  /// that the author named keep their values in q, even if the choice has changed since. Used by
  /// the search for an equilibrium.
  bool close(double t, std::span<double> q);
  const std::string& why() const { return why_; }
  /// Whether `ce` is near a configuration that is singular for any choice of independent
  /// coordinates, and passes it as `ta` does; and how often that has happened.
  bool is_passing() const { return passage_ != nullptr; }
  int passages() const { return passages_; }
  /// Whether a (projected) state is near such a configuration, for every formulation; for step size
  /// control. May allocate.
  bool is_near_singular(std::span<const double> q, std::span<const double> v);
  /// The largest fraction of the kinetic energy that a projection of speeds has removed, and when.
  /// The reference is the largest energy so far, or a hundredth of that of a fall by the
  /// mechanism's own length. More than a thousandth means that the steps are too long to follow the
  /// motion. 0 for `ce` unless it passes a singular configuration.
  double largest_loss() const { return largest_loss_; }
  double last_loss() const { return last_loss_; }  // of the last project()
  double time_of_loss() const { return time_of_loss_; }
  /// A warning about that loss; empty below a thousandth.
  std::string warning() const;
  static std::string describe_loss(double share, double t);
  /// How often `ce` has changed its independent coordinates.
  int partition_changes() const { return partition_changes_; }
  const Partition& partition() const { return partition_; }
  /// `uk` only: constraint forces of the last accelerations; null for the others.
  const RelaxedDynamics* relaxed() const { return relaxed_.get(); }

  /// For `ce` and `ta` only. The coordinates of `fa` are not those of joints, and relaxed
  /// constraints exert forces outside the loop equations.
  bool has_reactions() const {
    return formulation_ == Formulation::kCe || formulation_ == Formulation::kTa;
  }
  /// Returns false if the accelerations have no value: they and the reactions are NaN then, the
  /// rest is valid.
  bool observe(double t, std::span<const double> q, std::span<const double> v,
               Observation* observation);

 private:
  void assemble_at_start();
  void make_formulation();
  /// Evaluates the motion of the driven joints at t, also into q_ and v_ of the tree's coordinates.
  void update_drives(double t);
  void apply_drives();
  /// Accelerations of the driven joints; null if there are none, so that trees take the fastest
  /// path.
  const VectorX<double>* known_accelerations() const {
    return driven_.empty() ? nullptr : &v_dot_driven_;
  }
  void choose_rows_where_due();
  void choose_again_if_near_singular();
  bool project_state(double t);  // q_ and v_
  /// Whether the given motions are still consistent, at q_ after projection.
  bool drives_fit(double t);
  /// Throws if the accelerations have no value at the start and cannot have one later.
  void check_start();
  void enter_passage_if_singular();
  bool project_by_multipliers(TreeAugmented* solver, double t);
  void leave_passage_if_regular();
  void note_loss(const SpeedCorrection& correction, double t);
  /// Starts to use a partition at q_.
  void use_partition(Partition fresh);
  bool note(EvaluationStatus status, const ClosureResult* closure, double t);
  bool note_relaxed(EvaluationStatus status, double t);
  /// Whether all rows are closed with the links where they are, redundant ones included; if not,
  /// why() names the worst one.
  bool is_closed(const PositionKinematics<double>& pos, double t);

  Formulation formulation_;
  Stabilization stabilization_;
  MechanismTree tree_;
  Mobility mobility_;
  AssemblyResult assembly_;
  Partition partition_;
  /// Largest entries of G: when the partition was chosen, and now.
  std::vector<double> start_gains_, gains_;
  /// For clusters with redundant rows: the largest least_pivot since their rows were chosen.
  std::vector<double> best_pivots_;
  std::vector<double> largest_pivots_;  // of every cluster's Y1, so far
  bool is_near_ = false;                // of is_near_singular()
  VectorX<double> near_q_, near_v_;     // the tree's, there
  int partition_changes_ = 0, passages_ = 0;
  double largest_energy_ = 0, largest_loss_ = 0, last_loss_ = 0, time_of_loss_ = 0;
  struct Named {  // once the choice has changed: that of the start
    Partition partition;
    ClosureWork<double> work;
    PositionKinematics<double> pos;
  };
  std::optional<Named> named_;

  // Driven speeds, and the program that gives their motion.
  std::vector<int> driven_, driven_q_;  // places in v and q
  std::vector<bool> is_driven_;         // of the tree's [q; v]
  std::optional<codegen::Interpreter<double>> motion_program_;
  std::vector<double> motion_values_;
  VectorX<double> v_dot_driven_;
  std::vector<GivenMotion> drives_;
  MotionCheck motion_check_;

  /// The dynamics in dual numbers, for the Jacobian.
  struct DualDynamics {
    DualDynamics(const Model<double>& real, const Partition& partition);
    Model<Dual> model;
    EmbeddedWork<Dual> work;
    VectorX<Dual> q, v, v_dot, v_dot_driven;
  };

  std::optional<EmbeddedWork<double>> embedded_;
  internal::SolePart<DualDynamics> dual_;
  internal::SolePart<TreeAugmented> tree_augmented_;
  internal::SolePart<TreeAugmented> passage_;  // of `ce`, while it is near a singular configuration
  internal::SolePart<FullyAugmented> fully_augmented_;
  internal::SolePart<RelaxedDynamics> relaxed_;
  VectorX<double> q_, v_, v_dot_, q0_, v0_;
  std::string why_;
  EvaluationStatus status_ = EvaluationStatus::kOk;  // of the last note()
  std::string blamed_;                               // element, where it is known
};

}  // namespace camber::multibody
