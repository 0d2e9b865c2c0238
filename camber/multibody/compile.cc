// From bodies and joints to links, rows and clusters. Steps, in the order of the class below:
// 1. the tree: which joint carries each body ([002] 3.1, step 1);
// 2. links: what each joint becomes, with welded bodies merged into their link;
// 3. rows: what each other joint, rod, coupler and rolling wheel asks for;
// 4. clusters: the links between the ends of each row, their common ancestor left out ([002] 3.1,
// step 2); those that
//    share a link are one;
// 5. the final order: depth first, a cluster's links one behind the other.
#include "camber/multibody/compile.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <utility>

#include "camber/core/require.h"
#include "camber/multibody/mechanism_error.h"

namespace camber::multibody {

namespace {

struct Place {
  Matrix3 R = Matrix3::Identity();
  Vector3 p = Vector3::Zero();
};

Place operator*(const Place& a, const Place& b) { return {a.R * b.R, a.p + a.R * b.p}; }
Place place_of(const Isometry3& X) { return {X.linear(), X.translation()}; }
Place inverse(const Place& a) { return {a.R.transpose(), -(a.R.transpose() * a.p)}; }

// Turns z into x, or into y: the axes of joints that are made of simpler ones.
Matrix3 z_to_x() { return (Matrix3() << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished(); }
Matrix3 z_to_y() { return (Matrix3() << 0, 1, 0, 0, 0, 1, 1, 0, 0).finished(); }

// One link of a joint: kind, and how its axis frame stands in the frame of the one before.
struct Step {
  LinkKind kind;
  Matrix3 R;
};

struct Steps {
  std::vector<Step> list;
  Matrix3 R_LM = Matrix3::Identity();  // M on the last link
};

Steps steps_of(JointType type) {
  const Matrix3 one = Matrix3::Identity(), A = z_to_x(), B = z_to_y();
  switch (type) {
    case JointType::kFixed:
      return {};
    case JointType::kRevolute:
      return {{{LinkKind::kRevolute, one}}};
    case JointType::kPrismatic:
      return {{{LinkKind::kPrismatic, one}}};
    case JointType::kScrew:
      return {{{LinkKind::kScrew, one}}};
    case JointType::kCylindrical:
      return {{{LinkKind::kRevolute, one}, {LinkKind::kPrismatic, one}}};
    case JointType::kUniversal:  // Rx(q0) Ry(q1) = A Rz(q0) A^T B Rz(q1) B^T
      return {{{LinkKind::kRevolute, A}, {LinkKind::kRevolute, A.transpose() * B}}, B.transpose()};
    case JointType::kPlanar:
      return {{{LinkKind::kPrismatic, A},
               {LinkKind::kPrismatic, A.transpose() * B},
               {LinkKind::kRevolute, B.transpose()}}};
    case JointType::kSoftHinge:
      return {{{LinkKind::kPrismatic, A},
               {LinkKind::kPrismatic, A.transpose() * B},
               {LinkKind::kPrismatic, B.transpose()},
               {LinkKind::kRevolute, A},
               {LinkKind::kRevolute, A.transpose() * B},
               {LinkKind::kRevolute, B.transpose()}}};
    case JointType::kSpherical:
      return {{{LinkKind::kSpherical, one}}};
    case JointType::kFree:
      return {{{LinkKind::kFree, one}}};
  }
  return {};
}

int link_positions(LinkKind kind) {
  return kind == LinkKind::kSpherical ? 4 : kind == LinkKind::kFree ? 7 : 1;
}
int link_speeds(LinkKind kind) {
  return kind == LinkKind::kSpherical ? 3 : kind == LinkKind::kFree ? 6 : 1;
}

class Compiler {
 public:
  Compiler(const Mechanism& mechanism, TreeKind kind) : kind_(kind) { out_.mechanism = mechanism; }

  CompiledMechanism run() {
    check(m());
    choose_tree();
    make_links();
    make_rows();
    find_clusters();
    put_in_order();
    add_masses();
    mark_branches(&out_.model);
    add_forces();
    fill_names_and_start();
    return std::move(out_);
  }

  std::vector<int> find_relaxed_carriers() {
    choose_tree();
    std::vector<int> found;
    for (int b = 1; b < body_count(); ++b) {
      if (m().joints[carrier_[b]].relaxation.is_given()) found.push_back(carrier_[b]);
    }
    return found;
  }

 private:
  struct DraftLink {
    Link<double> link;
    int joint = 0, first_axis = 0;
  };

  const Mechanism& m() const { return out_.mechanism; }
  int body_count() const { return static_cast<int>(m().bodies.size()); }

  // --- 1. The tree ---

  void choose_tree() {
    carrier_.assign(m().bodies.size(), -1);
    std::vector<bool> reached(m().bodies.size(), false);
    std::deque<int> queue = {0};
    reached[0] = true;
    const auto visit = [&](int joint) {
      const int child = m().joints[joint].child.value;
      carrier_[child] = joint;
      order_.push_back(child);
      reached[child] = true;
      queue.push_back(child);
    };
    const auto spread = [&] {
      while (!queue.empty()) {
        const int body = queue.front();
        queue.pop_front();
        if (kind_ == TreeKind::kAugmented) continue;
        for (int j = 0; j < static_cast<int>(m().joints.size()); ++j) {
          const Joint& joint = m().joints[j];
          if (joint.parent.value == body && !reached[joint.child.value] && !joint.cut) visit(j);
        }
      }
    };
    spread();
    for (;;) {
      const auto next = find_root(reached);
      if (!next) break;
      if (next->second >= 0) {
        visit(next->second);
      } else {
        Joint joint;
        joint.name = unused_joint_name(m().bodies[next->first].name);
        joint.type = JointType::kFree;
        joint.child = BodyIndex(next->first);
        joint.q0 = guess_of_free_body(next->first);
        out_.mechanism.joints.push_back(joint);
        visit(static_cast<int>(m().joints.size()) - 1);
      }
      spread();
    }
  }

  // The next body to start from: one that only joints marked as cut reach (with that joint), or one
  // that no joint reaches, or whose joints are all marked as cut and come from bodies that are not
  // reached either.
  std::optional<std::pair<int, int>> find_root(const std::vector<bool>& reached) const {
    std::optional<std::pair<int, int>> floating;
    std::vector<std::string> circle;
    for (int b = 1; b < body_count(); ++b) {
      if (reached[b]) continue;
      if (kind_ == TreeKind::kAugmented) return std::pair{b, -1};
      bool has_carrier = false;
      for (int j = 0; j < static_cast<int>(m().joints.size()); ++j) {
        const Joint& joint = m().joints[j];
        if (joint.child.value != b) continue;
        if (!joint.cut) has_carrier = true;
        if (joint.cut && reached[joint.parent.value]) return std::pair{b, j};
      }
      if (!has_carrier && !floating) floating = std::pair{b, -1};
      circle.push_back(m().bodies[b].name);
    }
    if (floating || circle.empty()) return floating;
    std::string names;
    for (const std::string& name : circle) names += (names.empty() ? "\"" : ", \"") + name + "\"";
    throw MechanismError(
        concat("mechanism \"", m().name, "\": the bodies ", names,
               " hang on each other in a circle, none on the world; mark one of their joints with "
               "cut = true"),
        concat("body \"", circle.front(), "\""));
  }

  std::string unused_joint_name(const std::string& wish) const {
    std::string name = wish;
    while (m().find_joint(name).valid()) name += "_free";
    return name;
  }

  // In the fully augmented form the joints' guesses place the bodies, along the joints.
  std::vector<double> guess_of_free_body(int body) {
    if (kind_ != TreeKind::kAugmented) return {1, 0, 0, 0, 0, 0, 0};
    if (augmented_guess_.empty()) place_augmented_bodies();
    const Place& X = augmented_guess_[body];
    const Quaternion q(X.R);
    return {q.w(), q.x(), q.y(), q.z(), X.p[0], X.p[1], X.p[2]};
  }
  void place_augmented_bodies();

  // --- 2. Links ---

  void make_links() {
    drafts_.resize(1);
    out_.joints.assign(m().joints.size(), {});
    first_draft_.assign(m().joints.size(), -1);
    body_place_.assign(m().bodies.size(), {});
    body_link_.assign(m().bodies.size(), 0);
    for (const int body : order_) {
      const int j = carrier_[body];
      const Joint& joint = m().joints[j];
      out_.joints[j].in_tree = true;
      const int parent = joint.parent.value;
      Place X_PF = body_place_[parent] * place_of(joint.X_PF);  // on the parent's link
      int link = body_link_[parent];
      const Steps steps = steps_of(joint.type);
      int axis = 0;
      for (const Step& step : steps.list) {
        DraftLink draft;
        draft.link.kind = step.kind;
        draft.link.parent = link;
        draft.link.nv = link_speeds(step.kind);
        draft.link.pitch = joint.pitch;
        draft.link.is_driven = !joint.axes.empty() && joint.axes[0].motion.has_value();
        const Place X = X_PF * Place{step.R, Vector3::Zero()};
        draft.link.R_PF = to_mat3(X.R);
        draft.link.p_PF = to_vec3(X.p);
        draft.joint = j;
        draft.first_axis = axis;
        axis += draft.link.nv;
        drafts_.push_back(draft);
        link = static_cast<int>(drafts_.size()) - 1;
        if (first_draft_[j] < 0) first_draft_[j] = link;
        X_PF = Place();
      }
      body_link_[body] = link;
      body_place_[body] = X_PF * Place{steps.R_LM, Vector3::Zero()} * inverse(place_of(joint.X_BM));
    }
  }

  // --- 3. Rows ---

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
  /// While a relaxed constraint is being made, its rows are its own.
  int add_row(ConstraintRow<double> row) {
    if (relaxed_ != nullptr) {
      relaxed_->rows.push_back(std::move(row));
      return -1;
    }
    out_.model.rows.push_back(std::move(row));
    return static_cast<int>(out_.model.rows.size()) - 1;
  }

  template <class Action>
  void relax_if_given(const Relaxation& relaxation, const std::string& name, Action make) {
    if (!relaxation.is_given()) return make();
    RelaxedConstraint constraint{.name = name, .relaxation = relaxation};
    relaxed_ = &constraint;
    make();
    relaxed_ = nullptr;
    out_.relaxed.push_back(std::move(constraint));
  }

  void make_rows() {
    for (std::size_t j = 0; j < m().joints.size(); ++j) {
      const Joint& joint = m().joints[j];
      const bool closes = !out_.joints[j].in_tree;
      require(
          closes || !joint.relaxation.is_given(), "joint \"", joint.name,
          "\": relax: it carries its child; only a joint that closes a loop relaxes (cut = true "
          "where there is a loop)");
      if (closes) {
        relax_if_given(joint.relaxation, concat("joint \"", joint.name, "\""),
                       [&] { close_with_joint(static_cast<int>(j)); });
      }
    }
    for (const Rod& rod : m().rods) {
      auto row = row_between(RowKind::kDistance, end_of(rod.a, rod.p_AP_A),
                             end_of(rod.b, rod.p_BQ_B), concat("rod \"", rod.name, "\""));
      row.length = rod.length;
      relax_if_given(rod.relaxation, row.name, [&] { add_row(std::move(row)); });
    }
    // Without joint coordinates a coupler is the business of the formulation: fully_augmented.h.
    if (kind_ == TreeKind::kSpanning) {
      for (const Coupler& coupler : m().couplers) {
        relax_if_given(coupler.relaxation, concat("coupler \"", coupler.name, "\""),
                       [&] { couple(coupler); });
      }
    }
    for (const Rolling& rolling : m().rollings) roll(rolling);
  }

  void close_with_joint(int j) {
    static constexpr const char* kAxis[] = {"x", "y", "z"};
    const Joint& joint = m().joints[j];
    const End a = end_of(joint.parent, joint.X_PF), b = end_of(joint.child, joint.X_BM);
    const auto name = [&](const char* what) {
      return concat("joint \"", joint.name, "\", ", what);
    };
    std::vector<int>& rows = out_.joints[j].rows;
    const auto point = [&](int axis) {
      auto row =
          row_between(RowKind::kPoint, a, b, name(concat("point along ", kAxis[axis]).c_str()));
      row.e_A = to_vec3(a.X.R.col(axis));
      rows.push_back(add_row(std::move(row)));
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
      case JointType::kSoftHinge:
        break;
      case JointType::kSpherical:
        for (int i : {0, 1, 2}) point(i);
        break;
      case JointType::kUniversal:
        for (int i : {0, 1, 2}) point(i);
        dot_of(0, 1);
        break;
      case JointType::kRevolute:
        for (int i : {0, 1, 2}) point(i);
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

  void couple(const Coupler& coupler) {
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
      row.terms.push_back({term.joint.value, term.axis, term.factor});  // joint and axis for now
    }
    add_row(std::move(row));
  }

  void roll(const Rolling& rolling) {
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

  // --- 4. Clusters ---

  // Union-find over draft links.
  int find_set(int i) {
    while (set_[i] != i) i = set_[i] = set_[set_[i]];
    return i;
  }

  void find_clusters() {
    set_.resize(drafts_.size());
    std::iota(set_.begin(), set_.end(), 0);
    in_loop_.assign(drafts_.size(), false);
    for (const ConstraintRow<double>& row : out_.model.rows) {
      std::vector<int> ends;
      int root = 0;
      if (row.kind == RowKind::kCoupler) {
        // Each joint's own links move, so the root is above all of them.
        for (const auto& term : row.terms) {
          const int first = first_draft_[term.q];
          const int last =
              first + static_cast<int>(steps_of(m().joints[term.q].type).list.size()) - 1;
          ends.push_back(last);
          root = ends.size() == 1 ? drafts_[first].link.parent
                                  : common_ancestor(root, drafts_[first].link.parent);
        }
      } else {
        ends = {row.a, row.b};
        root = common_ancestor(row.a, row.b);
      }
      int member = -1;
      for (int end : ends) {
        for (int l = end; l != root; l = drafts_[l].link.parent) {
          in_loop_[l] = true;
          if (member >= 0) set_[find_set(l)] = find_set(member);
          member = l;
        }
      }
    }
  }

  int common_ancestor(int a, int b) const {
    while (a != b)
      (a > b ? a : b) = drafts_[std::max(a, b)].link.parent;  // parents come before children
    return a;
  }

  // --- 5. The final order ---

  void put_in_order() {
    const int n = static_cast<int>(drafts_.size());
    // A node is a cluster or a link on its own; its children hang on any of its links.
    std::vector<std::vector<int>> members(drafts_.size()), children(drafts_.size());
    const auto node_of = [&](int l) { return in_loop_[l] ? find_set(l) : l; };
    for (int l = 0; l < n; ++l) members[node_of(l)].push_back(l);
    for (int l = 0; l < n; ++l) {
      if (members[l].empty() || l == 0) continue;
      children[node_of(drafts_[members[l].front()].link.parent)].push_back(l);
    }
    new_place_.assign(drafts_.size(), 0);
    std::vector<int> order;
    std::vector<int> stack = {0};
    while (!stack.empty()) {
      const int node = stack.back();
      stack.pop_back();
      for (const int l : members[node]) order.push_back(l);
      // In the order of their first links, so that what the author wrote first comes first.
      std::sort(children[node].begin(), children[node].end(),
                [&](int x, int y) { return members[x].front() > members[y].front(); });
      for (const int child : children[node]) stack.push_back(child);
    }
    for (int i = 0; i < n; ++i) new_place_[order[i]] = i;

    Model<double>& model = out_.model;
    std::vector<int> cluster_of_set(drafts_.size(), -1);
    for (int i = 0; i < n; ++i) {
      const DraftLink& draft = drafts_[order[i]];
      Link<double> link = draft.link;
      link.parent = new_place_[link.parent];
      int cluster = -1;
      if (i > 0) {
        link.q_start = model.nq;
        link.v_start = model.nv;
        model.nq += link_positions(link.kind);
        model.nv += link.nv;
        auto& place = out_.joints[draft.joint];
        if (draft.first_axis == 0) {
          place.q_start = link.q_start;
          place.v_start = link.v_start;
        }
        if (in_loop_[order[i]]) {
          int& known = cluster_of_set[find_set(order[i])];
          if (known < 0) {
            known = static_cast<int>(model.clusters.size());
            Cluster fresh;
            fresh.first_link = i;
            fresh.v_start = link.v_start;
            model.clusters.push_back(fresh);
          }
          cluster = known;
          model.clusters[cluster].link_count++;
          model.clusters[cluster].nv += link.nv;
        }
        // Not one in a loop: it would move while the loop is being closed.
        if (model.origin_link == 0 && link.kind == LinkKind::kFree && link.parent == 0 &&
            cluster < 0) {
          model.origin_link = i;
        }
      }
      model.cluster_of.push_back(cluster);
      model.links.push_back(link);
    }
    model.gravity = to_vec3(m().gravity);
    for (std::size_t b = 0; b < m().bodies.size(); ++b) {
      model.bodies.push_back(
          {new_place_[body_link_[b]], to_mat3(body_place_[b].R), to_vec3(body_place_[b].p)});
    }
    std::vector<ConstraintRow<double>> rows;
    std::vector<int> new_row(model.rows.size(), -1);
    for (RelaxedConstraint& constraint : out_.relaxed) {
      for (ConstraintRow<double>& row : constraint.rows) put_in_place(&row);
    }
    for (ContactForce<double>& contact : model.contacts) put_in_place(&contact.row);
    for (std::size_t r = 0; r < model.rows.size(); ++r) {
      ConstraintRow<double> row = model.rows[r];
      put_in_place(&row);
      const int link =
          row.kind == RowKind::kCoupler ? link_of_speed(row.terms[0].v) : std::max(row.a, row.b);
      const int cluster = model.cluster_of[link];
      new_row[r] = static_cast<int>(rows.size());
      model.clusters[cluster].rows.push_back(new_row[r]);
      rows.push_back(std::move(row));
    }
    model.rows = std::move(rows);
    for (auto& place : out_.joints) {
      for (int& r : place.rows) r = new_row[r];
    }
  }

  /// From draft links, joints and axes to their final places.
  void put_in_place(ConstraintRow<double>* row) const {
    row->a = new_place_[row->a];
    row->b = new_place_[row->b];
    for (auto& term : row->terms) {
      const auto& place = out_.joints[term.q];
      const int axis = term.v;
      term.q = place.q_start + axis;
      term.v = place.v_start + axis;
    }
    require(row->kind == RowKind::kCoupler || row->a != row->b, "mechanism \"", m().name,
            "\": ", row->name, ": both ends are on the same rigid part");
  }

  int link_of_speed(int v) const {
    for (std::size_t l = 1; l < out_.model.links.size(); ++l) {
      const Link<double>& link = out_.model.links[l];
      if (v >= link.v_start && v < link.v_start + link.nv) return static_cast<int>(l);
    }
    return 0;
  }

  // --- Masses, forces, names ---

  void add_masses() {
    std::vector<double> mass(out_.model.links.size(), 0.0);
    std::vector<Vector3> mc(mass.size(), Vector3::Zero());
    std::vector<Matrix3> I(mass.size(), Matrix3::Zero());
    const auto center_of = [&](std::size_t b) -> Vector3 {
      return body_place_[b].p + body_place_[b].R * m().bodies[b].p_BoBcm_B;
    };
    for (std::size_t b = 1; b < m().bodies.size(); ++b) {
      const int l = new_place_[body_link_[b]];
      mass[l] += m().bodies[b].mass;
      mc[l] += m().bodies[b].mass * center_of(b);
    }
    for (std::size_t b = 1; b < m().bodies.size(); ++b) {
      const Body& body = m().bodies[b];
      const Matrix3& R = body_place_[b].R;
      const int l = new_place_[body_link_[b]];
      if (mass[l] <= 0) continue;
      const Vector3 d = center_of(b) - mc[l] / mass[l];
      I[l] += R * body.I_BBcm_B * R.transpose() +
              body.mass * (d.squaredNorm() * Matrix3::Identity() - d * d.transpose());
    }
    for (std::size_t l = 1; l < mass.size(); ++l) {
      if (mass[l] <= 0) continue;
      Link<double>& link = out_.model.links[l];
      link.has_mass = true;
      link.mass = mass[l];
      link.p_LLcm = to_vec3(mc[l] / mass[l]);
      link.I_LLcm = {I[l](0, 0), I[l](1, 1), I[l](2, 2), I[l](0, 1), I[l](0, 2), I[l](1, 2)};
    }
  }

  void add_forces() {
    Model<double>& model = out_.model;
    for (std::size_t j = 0; j < m().joints.size(); ++j) {
      const Joint& joint = m().joints[j];
      if (!out_.joints[j].in_tree) continue;
      const bool has_coordinates = position_count(joint.type) == speed_count(joint.type);
      for (std::size_t k = 0; k < joint.axes.size(); ++k) {
        const JointAxis& axis = joint.axes[k];
        if (axis.motion) continue;  // whatever force the motion takes
        if (axis.stiffness == 0 && axis.damping == 0 && axis.friction == 0 && axis.force == 0 &&
            !axis.lower && !axis.upper) {
          continue;
        }
        AxisForce<double> force;
        force.q = has_coordinates ? out_.joints[j].q_start + static_cast<int>(k) : -1;
        force.v = out_.joints[j].v_start + static_cast<int>(k);
        force.stiffness = axis.stiffness;
        force.rest = axis.rest;
        force.damping = axis.damping;
        force.friction = axis.friction;
        force.friction_speed = axis.friction_speed;
        force.has_lower = axis.lower.has_value();
        force.has_upper = axis.upper.has_value();
        force.lower = axis.lower.value_or(0);
        force.upper = axis.upper.value_or(0);
        force.stop_stiffness = axis.stop_stiffness;
        force.stop_damping = axis.stop_damping;
        force.force = axis.force;
        model.axes.push_back(force);
      }
    }
    const auto place = [&](const End& end) { return new_place_[end.link]; };
    for (const SpringDamper& spring : m().springs) {
      const End a = end_of(spring.a, spring.p_AP_A), b = end_of(spring.b, spring.p_BQ_B);
      SpringForce<double> force;
      force.a = place(a);
      force.b = place(b);
      force.p_A = to_vec3(a.X.p);
      force.p_B = to_vec3(b.X.p);
      force.free_length = spring.free_length;
      force.stiffness = spring.stiffness;
      force.damping = spring.damping;
      force.preload = spring.preload;
      if (spring.spring) force.spring_x = spring.spring->x, force.spring_y = spring.spring->y;
      if (spring.damper) force.damper_x = spring.damper->x, force.damper_y = spring.damper->y;
      if (spring.ends) {
        force.end_x = spring.ends->damper.x;
        force.end_y = spring.ends->damper.y;
        force.shortest = spring.ends->shortest;
        force.longest = spring.ends->longest;
        force.end_rate = 1 / spring.ends->over;
      }
      model.springs.push_back(std::move(force));
    }
    for (const Bushing& bushing : m().bushings) {
      const End a = end_of(bushing.a, bushing.X_AP), b = end_of(bushing.b, bushing.X_BQ);
      BushingForce<double> force;
      force.a = place(a);
      force.b = place(b);
      force.R_AP = to_mat3(a.X.R);
      force.R_BQ = to_mat3(b.X.R);
      force.p_AP = to_vec3(a.X.p);
      force.p_BQ = to_vec3(b.X.p);
      for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < 6; ++k) {
          force.stiffness[i][k] = bushing.stiffness(i, k);
          force.damping[i][k] = bushing.damping(i, k);
        }
      }
      model.bushings.push_back(force);
    }
    for (const Wrench& wrench : m().wrenches) {
      const End end = end_of(wrench.body, wrench.p_BQ_B);
      WrenchForce<double> force;
      force.link = place(end);
      force.p_L = to_vec3(end.X.p);
      force.in_world = wrench.in_world;
      const Matrix3 R = wrench.in_world ? Matrix3::Identity() : end.X.R;
      force.force = to_vec3(R * wrench.force);
      force.torque = to_vec3(R * wrench.torque);
      model.wrenches.push_back(force);
    }
  }

  void fill_names_and_start() {
    const Model<double>& model = out_.model;
    out_.q_names.resize(static_cast<std::size_t>(model.nq));
    out_.v_names.resize(static_cast<std::size_t>(model.nv));
    out_.is_quaternion.assign(static_cast<std::size_t>(model.nv), false);
    out_.motions.resize(static_cast<std::size_t>(model.nv));
    out_.q0 = VectorX<double>::Zero(model.nq);
    out_.v0 = VectorX<double>::Zero(model.nv);
    for (std::size_t j = 0; j < m().joints.size(); ++j) {
      const Joint& joint = m().joints[j];
      const auto& place = out_.joints[j];
      if (!place.in_tree) continue;
      const int nq = position_count(joint.type), nv = speed_count(joint.type);
      static constexpr const char* kPose[] = {"qw", "qx", "qy", "qz", "x", "y", "z"};
      static constexpr const char* kTwist[] = {"wx", "wy", "wz", "vx", "vy", "vz"};
      for (int i = 0; i < nq; ++i) {
        out_.q_names[place.q_start + i] =
            nq > nv ? concat(joint.name, ".", kPose[i]) : axis_name(joint, i);
        out_.q0[place.q_start + i] =
            joint.q0.empty() ? (nq > nv && i == 0 ? 1.0 : 0.0) : joint.q0[i];
      }
      for (int i = 0; i < nv; ++i) {
        out_.v_names[place.v_start + i] =
            nq > nv ? concat(joint.name, ".", kTwist[i]) : axis_name(joint, i);
        out_.v0[place.v_start + i] = joint.v0.empty() ? 0.0 : joint.v0[i];
        out_.is_quaternion[place.v_start + i] = nq > nv && i < 3;
        if (!joint.axes.empty()) out_.motions[place.v_start + i] = joint.axes[i].motion;
      }
      if (nq > nv) out_.q0.segment<4>(place.q_start).normalize();
    }
  }

  TreeKind kind_;
  CompiledMechanism out_;
  std::vector<int> carrier_;  // joint of each body
  std::vector<int> order_;    // bodies as they were reached
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

// X_FM of a joint at its guess.
Place displacement(const Joint& joint) {
  const auto rotation = [](double angle, const Vector3& axis) {
    return Matrix3(Eigen::AngleAxisd(angle, axis));
  };
  const auto q = [&](int i) { return joint.q0.empty() ? 0.0 : joint.q0[i]; };
  const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
  switch (joint.type) {
    case JointType::kFixed:
      return {};
    case JointType::kRevolute:
      return {rotation(q(0), z), Vector3::Zero()};
    case JointType::kPrismatic:
      return {Matrix3::Identity(), q(0) * z};
    case JointType::kScrew:
      return {rotation(q(0), z), joint.pitch * q(0) * z};
    case JointType::kCylindrical:
      return {rotation(q(0), z), q(1) * z};
    case JointType::kUniversal:
      return {rotation(q(0), x) * rotation(q(1), y), Vector3::Zero()};
    case JointType::kPlanar:
      return {rotation(q(2), z), q(0) * x + q(1) * y};
    case JointType::kSoftHinge:
      return {rotation(q(3), x) * rotation(q(4), y) * rotation(q(5), z), Vector3(q(0), q(1), q(2))};
    case JointType::kSpherical:
    case JointType::kFree: {
      if (joint.q0.empty()) return {};
      const Matrix3 R = Quaternion(q(0), q(1), q(2), q(3)).normalized().toRotationMatrix();
      return {R, joint.type == JointType::kFree ? Vector3(q(4), q(5), q(6)) : Vector3::Zero()};
    }
  }
  return {};
}

void Compiler::place_augmented_bodies() {
  const CompiledMechanism tree = Compiler(m(), TreeKind::kSpanning).run();
  augmented_guess_.assign(m().bodies.size(), {});
  // Tree joints of the spanning tree, a parent's before its children's.
  std::vector<bool> placed(tree.mechanism.bodies.size(), false);
  placed[0] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t j = 0; j < tree.mechanism.joints.size(); ++j) {
      const Joint& joint = tree.mechanism.joints[j];
      if (!tree.joints[j].in_tree || placed[joint.child.value] || !placed[joint.parent.value])
        continue;
      augmented_guess_[joint.child.value] = augmented_guess_[joint.parent.value] *
                                            place_of(joint.X_PF) * displacement(joint) *
                                            inverse(place_of(joint.X_BM));
      placed[joint.child.value] = true;
      changed = true;
    }
  }
}

}  // namespace

std::vector<int> find_relaxed_carriers(const Mechanism& mechanism) {
  const auto relaxes = [](const Joint& joint) { return joint.relaxation.is_given(); };
  if (std::ranges::none_of(mechanism.joints, relaxes)) return {};
  return Compiler(mechanism, TreeKind::kSpanning).find_relaxed_carriers();
}

CompiledMechanism compile(const Mechanism& mechanism, TreeKind kind) {
  return Compiler(mechanism, kind).run();
}

}  // namespace camber::multibody
