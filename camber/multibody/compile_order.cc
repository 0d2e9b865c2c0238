// Steps 4 and 5 of compiler.h: clusters, and the order of all links.
#include <algorithm>
#include <numeric>

#include "camber/core/require.h"
#include "camber/multibody/compiler.h"

namespace camber::multibody::internal {

namespace {

int link_positions(LinkKind kind) {
  return kind == LinkKind::kSpherical ? 4 : kind == LinkKind::kFree ? 7 : 1;
}

}  // namespace

void Compiler::find_clusters() {
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

int Compiler::common_ancestor(int a, int b) const {
  while (a != b)
    (a > b ? a : b) = drafts_[std::max(a, b)].link.parent;  // parents come before children
  return a;
}

void Compiler::put_in_order() {
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
    // In the order of their first links, so that the author's order is kept.
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
      // Not a link in a loop: it would move while the loop is being closed.
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

/// Maps draft links, joints and axes to their final places.
void Compiler::put_in_place(ConstraintRow<double>* row) const {
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

int Compiler::link_of_speed(int v) const {
  for (std::size_t l = 1; l < out_.model.links.size(); ++l) {
    const Link<double>& link = out_.model.links[l];
    if (v >= link.v_start && v < link.v_start + link.nv) return static_cast<int>(l);
  }
  return 0;
}

}  // namespace camber::multibody::internal
