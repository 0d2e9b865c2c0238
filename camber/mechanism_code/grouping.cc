#include "camber/mechanism_code/grouping.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace camber::mechanism_code {

namespace {

using Sets = std::vector<std::vector<int>>;

/// The connected sets of `members`, where each entry of `ties` (without `aside`) connects its
/// members.
Sets connect(const std::vector<int>& members, const Sets& ties, int aside) {
  std::map<int, int> root;
  for (const int m : members) root[m] = m;
  const auto find = [&](int m) {
    while (root[m] != m) m = root[m];
    return m;
  };
  for (const auto& tie : ties) {
    int first = -1;
    for (const int m : tie) {
      if (m == aside || !root.contains(m)) continue;
      if (first < 0) {
        first = m;
      } else {
        root[std::max(find(first), find(m))] = std::min(find(first), find(m));
      }
    }
  }
  std::map<int, std::vector<int>> sets;
  for (const int m : members)
    if (m != aside) sets[find(m)].push_back(m);
  Sets result;
  for (auto& [first, set] : sets) result.push_back(std::move(set));
  return result;
}

std::vector<int> joined(const std::vector<int>& a, const std::vector<int>& b) {
  std::set<int> all(a.begin(), a.end());
  all.insert(b.begin(), b.end());
  return {all.begin(), all.end()};
}

class Grouping {
 public:
  explicit Grouping(const Sketch& sketch) : sketch_(sketch) {}

  std::vector<Group> run() {
    std::vector<int> coordinates;
    for (const SketchLink& link : sketch_.links)
      if (link.y >= 0 && link.role != Role::kGyrostat) coordinates.push_back(link.y);
    std::sort(coordinates.begin(), coordinates.end());
    Sets ties;
    for (const SketchLink& link : sketch_.links)
      if (link.role != Role::kGyrostat) ties.push_back(link.movers);
    for (const auto& spring : sketch_.mechanism.model.springs) ties.push_back(movers_of(spring));
    for (const auto& bushing : sketch_.mechanism.model.bushings) ties.push_back(movers_of(bushing));
    for (const auto& set : connect(coordinates, ties, -1)) add_groups(set, ties);
    for (std::size_t l = 0; l < sketch_.links.size(); ++l) place_link(static_cast<int>(l));
    place_forces();
    return std::move(groups_);
  }

 private:
  template <class Element>
  std::vector<int> movers_of(const Element& element) const {
    return joined(sketch_.links[element.a].movers, sketch_.links[element.b].movers);
  }

  void add_groups(const std::vector<int>& set, const Sets& ties) {
    int best = -1;
    Sets parts = {set};
    for (const int y : set) {
      Sets without = connect(set, ties, y);
      if (without.size() > std::max<std::size_t>(1, parts.size())) {
        best = y;
        parts = std::move(without);
      }
    }
    if (best >= 0) groups_.push_back(make_group({best}, {}));
    const std::vector<int> shared = best >= 0 ? std::vector{best} : std::vector<int>{};
    for (const auto& part : parts) groups_.push_back(make_group(part, shared));
  }

  Group make_group(const std::vector<int>& own, const std::vector<int>& shared) const {
    Group group;
    group.own = own;
    group.shared = shared;
    for (const SketchLink& link : sketch_.links)
      if (link.y == own[0]) group.name = link.name;
    return group;
  }

  /// The group whose own coordinates are among the movers; else the one that owns the shared one.
  Group* group_of(const std::vector<int>& movers) {
    Group* found = nullptr;
    for (Group& group : groups_) {
      const bool moves = std::any_of(movers.begin(), movers.end(), [&](int y) {
        return std::find(group.own.begin(), group.own.end(), y) != group.own.end();
      });
      // Groups that share a coordinate come after the group that owns it.
      if (moves) found = &group;
    }
    return found;
  }

  void place_link(int l) {
    const SketchLink& link = sketch_.links[l];
    if (link.role == Role::kStill) return;
    if (link.role == Role::kGyrostat) {
      group_of(sketch_.links[link.parent].movers)->gyrostats.push_back(l);
    } else if (Group* group = group_of(link.movers)) {
      group->links.push_back(l);
      if (link.is_unround_wheel) group->unround_wheels.push_back(l);
    }
  }

  /// An element between the base and the world may belong to any group: it contributes nothing to
  /// its rows.
  Group* group_of_force(const std::vector<int>& movers, bool is_from_outside) {
    if (Group* group = group_of(movers)) return group;
    return is_from_outside && !groups_.empty() ? &groups_.front() : nullptr;
  }
  template <class Element>
  bool is_from_outside(const Element& element) const {
    return sketch_.base != 0 && (element.a == 0) != (element.b == 0);
  }

  void place_forces() {
    const auto& model = sketch_.mechanism.model;
    const auto place = [&](const auto& elements, std::vector<int> Group::*list) {
      for (std::size_t i = 0; i < elements.size(); ++i) {
        const auto& element = elements[i];
        if (Group* group = group_of_force(movers_of(element), is_from_outside(element)))
          (group->*list).push_back(static_cast<int>(i));
      }
    };
    place(model.springs, &Group::springs);
    place(model.bushings, &Group::bushings);
    for (std::size_t i = 0; i < model.wrenches.size(); ++i) {
      const int l = model.wrenches[i].link;
      if (Group* group = group_of_force(sketch_.links[l].movers, l != 0 && sketch_.base != 0))
        group->wrenches.push_back(static_cast<int>(i));
    }
    for (std::size_t i = 0; i < model.axes.size(); ++i) {
      for (const SketchLink& link : sketch_.links) {
        if (link.v != model.axes[i].v) continue;
        const bool is_spin = link.role == Role::kGyrostat;
        if (Group* group = group_of(is_spin ? sketch_.links[link.parent].movers : link.movers))
          group->axes.push_back(static_cast<int>(i));
      }
    }
  }

  const Sketch& sketch_;
  std::vector<Group> groups_;
};

}  // namespace

std::vector<Group> make_groups(const Sketch& sketch) { return Grouping(sketch).run(); }

}  // namespace camber::mechanism_code
