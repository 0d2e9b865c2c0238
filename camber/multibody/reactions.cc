// With tau the forces along the tree's speeds that the motion needs in addition to springs and the
// like (inverse dynamics), and multipliers lambda of the rows Y v = 0,
//   tau = Y^T lambda + drives.
// The dependent speeds have no drives: Y1^T lambda = tau_1 gives lambda, and the rest along a
// driven speed is its drive. A joint of the tree transmits what its outer side needs minus the
// forces of the rows there.
#include "camber/multibody/reactions.h"

#include "camber/core/require.h"
#include "camber/math/dense.h"
#include "camber/multibody/constraint_row.h"
#include "camber/multibody/forces.h"
#include "camber/multibody/inverse_dynamics.h"

namespace camber::multibody {

namespace {

class ReactionFinder {
 public:
  ReactionFinder(const MechanismTree& mechanism, const Partition& partition,
                 const VectorX<double>& q, const VectorX<double>& v, const VectorX<double>& v_dot)
      : mechanism_(mechanism),
        model_(mechanism.model),
        partition_(partition),
        q_(q),
        pos_(model_),
        vel_(model_),
        forces_(model_) {
    calc_position_kinematics(model_, q, &pos_);
    calc_velocity_kinematics(model_, pos_, v, &v_dot, &vel_);
    calc_forces(model_, pos_, vel_, q, v, &forces_);
  }

  Reactions run() {
    Reactions out;
    out.multipliers = VectorX<double>::Zero(static_cast<int>(model_.rows.size()));
    out.drives = VectorX<double>::Zero(model_.nv);
    row_forces_.assign(model_.rows.size(), Spatial<double>());
    VectorX<double> tau;
    std::vector<Spatial<double>> carried;
    calc_inverse_dynamics(model_, pos_, vel_, forces_, &carried, &tau);
    for (std::size_t c = 0; c < model_.clusters.size(); ++c)
      find_multipliers(model_.clusters[c], partition_.parts[c], &tau, &out.multipliers);
    for (std::size_t r = 0; r < model_.rows.size(); ++r) {
      const ConstraintRow<double>& row = model_.rows[r];
      if (row.kind == RowKind::kCoupler || out.multipliers[static_cast<int>(r)] == 0) continue;
      row_forces_[r] = calc_row(row, pos_, q_).F * out.multipliers[static_cast<int>(r)];
      add_along_tree(row.b, -row_forces_[r], &carried);
      add_along_tree(row.a, row_forces_[r], &carried);
    }
    for (const Link<double>& link : model_.links) {
      for (int k = link.v_start; link.is_driven && k < link.v_start + link.nv; ++k)
        out.drives[k] = tau[k];
    }
    for (std::size_t j = 0; j < mechanism_.joints.size(); ++j)
      out.joints.push_back(find_joint(j, carried));
    return out;
  }

 private:
  // Subtracts the forces of the rows from tau.
  void find_multipliers(const Cluster& cluster, const Partition::Part& part, VectorX<double>* tau,
                        VectorX<double>* multipliers) const {
    const int n = static_cast<int>(part.rows.size());
    if (n == 0) return;
    MatrixX<double> Y(n, cluster.nv), dependent(n, n);
    for (int r = 0; r < n; ++r) {
      const ConstraintRow<double>& row = model_.rows[part.rows[r]];
      fill_jacobian_row(model_, cluster, row, calc_row(row, pos_, q_).F, pos_, &Y(r, 0), n);
    }
    VectorX<double> tau1(n);
    for (int i = 0; i < n; ++i) {
      dependent.col(i) = Y.col(part.dependent[i] - cluster.v_start);
      tau1[i] = (*tau)[part.dependent[i]];
    }
    const VectorX<double> lambda = math::solve_transposed(dependent, tau1);
    for (int r = 0; r < n; ++r) (*multipliers)[part.rows[r]] = lambda[r];
    tau->segment(cluster.v_start, cluster.nv) -= Y.transpose() * lambda;
  }

  // A force that a link receives elsewhere is not transmitted by the joints inward of it.
  void add_along_tree(int link, const Spatial<double>& F,
                      std::vector<Spatial<double>>* carried) const {
    for (int l = link; l != 0; l = model_.links[l].parent) (*carried)[l] += F;
  }

  std::optional<Reactions::Wrench> find_joint(std::size_t j,
                                              const std::vector<Spatial<double>>& carried) const {
    const MechanismTree::JointPlace& place = mechanism_.joints[j];
    const Joint& joint = mechanism_.mechanism.joints[j];
    Spatial<double> F;
    if (!place.in_tree) {
      // Rows go from the parent (a) to the child (b).
      for (const int r : place.rows) F += row_forces_[r];
    } else {
      const int link = link_of(place, joint);
      if (link == 0) return std::nullopt;
      F = carried[link];
    }
    const BodyPose<double> child = calc_body_pose(model_, pos_, joint.child);
    const Vec3<double> p_OM =
        child.p_WB - pos_.p_WO + child.R_WB * to_vec3(joint.X_BM.translation());
    return Reactions::Wrench{to_eigen(F.bottom()), to_eigen(F.top() - cross(p_OM, F.bottom()))};
  }

  // The first link of a joint, or 0 for one without motion.
  int link_of(const MechanismTree::JointPlace& place, const Joint& joint) const {
    if (speed_count(joint.type) == 0) return 0;
    for (std::size_t l = 1; l < model_.links.size(); ++l) {
      if (model_.links[l].v_start == place.v_start) return static_cast<int>(l);
    }
    return 0;
  }

  const MechanismTree& mechanism_;
  const Model<double>& model_;
  const Partition& partition_;
  const VectorX<double>& q_;
  PositionKinematics<double> pos_;
  VelocityKinematics<double> vel_;
  Forces<double> forces_;
  std::vector<Spatial<double>> row_forces_;
};

}  // namespace

Reactions calc_reactions(const MechanismTree& mechanism, const Partition& partition,
                         const VectorX<double>& q, const VectorX<double>& v,
                         const VectorX<double>& v_dot) {
  const Model<double>& model = mechanism.model;
  require(q.size() == model.nq && v.size() == model.nv && v_dot.size() == model.nv,
          "calc_reactions: q, v, v' have ", q.size(), ", ", v.size(), ", ", v_dot.size(),
          " entries, the model needs ", model.nq, " and ", model.nv);
  return ReactionFinder(mechanism, partition, q, v, v_dot).run();
}

}  // namespace camber::multibody
