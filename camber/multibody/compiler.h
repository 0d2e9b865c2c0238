#pragma once

// How compile() works: one class, whose steps are in files of their own. Steps, in this order:
// 1. the tree: which joint carries each body ([002] 3.1, step 1): compile_tree.cc;
// 2. links: what each joint becomes, with welded bodies merged into their link: compile_tree.cc;
// 3. rows: the equations of each other joint, rod, coupler and rolling wheel: compile_rows.cc;
// 4. clusters: the links between the ends of each row, their common ancestor left out ([002] 3.1,
//    step 2); those that share a link are one: compile_order.cc;
// 5. the final order: depth first, the links of a cluster consecutive: compile_order.cc; before
// these steps, angles for driven joints that have quaternions, and after them masses and forces, in
// compile_forces.cc; names, initial values, O and the mechanism's length, in compile.cc.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "camber/multibody/compile.h"

namespace camber::multibody::internal {

struct Place {
  Matrix3 R = Matrix3::Identity();
  Vector3 p = Vector3::Zero();
};

inline Place operator*(const Place& a, const Place& b) { return {a.R * b.R, a.p + a.R * b.p}; }
inline Place place_of(const Isometry3& X) { return {X.linear(), X.translation()}; }
inline Place inverse(const Place& a) { return {a.R.transpose(), -(a.R.transpose() * a.p)}; }

// One link of a joint: kind, and orientation of its axis frame in the frame of the previous one.
struct Step {
  LinkKind kind;
  Matrix3 R;
};

struct Steps {
  std::vector<Step> list;
  Matrix3 R_LM = Matrix3::Identity();  // M on the last link
};

Steps steps_of(JointType type);

class Compiler {
 public:
  Compiler(const Mechanism& mechanism, TreeKind kind) : kind_(kind) { out_.mechanism = mechanism; }

  MechanismTree run();
  std::vector<int> find_relaxed_carriers();

 private:
  void use_angles_where_driven();

  struct DraftLink {
    Link<double> link;
    int joint = 0, first_axis = 0;
  };

  const Mechanism& m() const { return out_.mechanism; }
  int body_count() const { return static_cast<int>(m().bodies.size()); }

  // 1. The tree.
  void choose_tree();
  std::optional<std::pair<int, int>> find_root(const std::vector<bool>& reached) const;
  std::string unused_joint_name(const std::string& wish) const;
  std::vector<double> guess_of_free_body(int body);
  void place_augmented_bodies();

  // 2. Links.
  void make_links();

  // 3. Rows.
  struct End {
    int link;
    Place X;  // of a frame on it
  };
  End end_of(BodyIndex body, const Isometry3& X) const {
    return {body_link_[body.value], body_place_[body.value] * place_of(X)};
  }
  End end_of(BodyIndex body, const Vector3& p) const {
    Isometry3 X = Isometry3::Identity();
    X.translation() = p;
    return end_of(body, X);
  }
  ConstraintRow<double> row_between(RowKind kind, const End& a, const End& b,
                                    std::string name) const;
  int add_row(ConstraintRow<double> row);
  template <class Action>
  void relax_if_given(const Relaxation& relaxation, const std::string& name, Action make) {
    if (!relaxation.is_given()) return make();
    RelaxedConstraint constraint{.name = name, .relaxation = relaxation};
    relaxed_ = &constraint;
    make();
    relaxed_ = nullptr;
    out_.relaxed.push_back(std::move(constraint));
  }
  void make_rows();
  struct PointAxes {
    Matrix3 R;  // on link a
    const char* names[3];
  };
  PointAxes point_axes(const End& a) const;
  void close_with_joint(int j);
  void couple(const Coupler& coupler);
  void roll(const Rolling& rolling);

  // 4. Clusters.
  // Union-find over draft links.
  int find_set(int i) {
    while (set_[i] != i) i = set_[i] = set_[set_[i]];
    return i;
  }
  void find_clusters();
  int common_ancestor(int a, int b) const;

  // 5. The final order.
  void put_in_order();
  void put_in_place(ConstraintRow<double>* row) const;
  int link_of_speed(int v) const;

  // Masses and forces on the links.
  void add_masses();
  void add_forces();
  void fill_names_and_start();
  void measure();

  TreeKind kind_;
  MechanismTree out_;
  std::vector<int> carrier_;  // joint of each body
  std::vector<int> order_;    // bodies in the order in which they were reached
  std::vector<DraftLink> drafts_;
  std::vector<int> first_draft_;   // of each joint
  std::vector<Place> body_place_;  // on its link
  std::vector<int> body_link_;     // draft
  std::vector<int> set_;
  std::vector<bool> in_loop_;
  std::vector<int> new_place_;            // of each draft
  RelaxedConstraint* relaxed_ = nullptr;  // the one that is being made
  std::vector<Place> augmented_guess_;
};

}  // namespace camber::multibody::internal
