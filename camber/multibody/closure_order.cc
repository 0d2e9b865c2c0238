// Turns a plan (which coordinate follows from which) into steps that are cheap to execute.
#include <algorithm>

#include "camber/multibody/closed_form.h"

namespace camber::multibody {

namespace {

using Kind = ClosedFormStep::Kind;
using Point = ClosedFormStep::Point;

class Orderer {
 public:
  Orderer(const Model<double>& model, const Cluster& cluster) : model_(model), cluster_(cluster) {}

  ClosureOrder run(const std::vector<ClosedFormStep>& plan) {
    ClosureOrder order;
    order.steps = plan;
    for (ClosedFormStep& step : order.steps) simplify(&step);
    join_ball_steps(&order.steps);
    sort_by_level(&order.steps);
    leave_out_placements(&order);
    return order;
  }

 private:
  int parent(int link) const { return model_.links[link].parent; }

  bool carries(int link, int other) const {
    while (other > link) other = parent(other);
    return other == link;
  }

  // The origin of a link that only rotates is a point of its parent.
  void move_inward(int last, Point* point) const {
    while (point->link != last && point->link != 0 && point->p.isZero(0)) {
      const Link<double>& link = model_.links[point->link];
      if (link.kind != LinkKind::kRevolute && link.kind != LinkKind::kSpherical) return;
      *point = {link.parent, to_eigen(link.p_PF)};
    }
  }

  // Whether a link that another one carries only rotates about the other's origin, as that of a
  // universal joint does: its points keep their distance from there.
  bool turns_about_origin(int carrier, int l) const {
    for (; l != carrier; l = parent(l)) {
      const Link<double>& link = model_.links[l];
      const bool turns = link.kind == LinkKind::kRevolute || link.kind == LinkKind::kSpherical;
      if (!turns || !to_eigen(link.p_PF).isZero(0)) return false;
    }
    return true;
  }

  void simplify(ClosedFormStep* step) const {
    move_inward(step->link, &step->P);
    move_inward(step->link, &step->spin_end);
    move_inward(parent(step->link), &step->Q);
    if (!step->has_length_points) return;
    const int pivot = step->length_from.link;
    step->length_is_carried = carries(pivot, step->length_to.link);
    move_inward(step->length_is_carried ? pivot : 0, &step->length_to);
    const bool turns =
        step->length_is_carried && !step->planar && turns_about_origin(pivot, step->length_to.link);
    if (step->length_to.link != pivot && !turns) return;
    const Vector3& x = step->length_to.p;
    step->has_length_points = false;
    step->length = step->planar ? x.head<2>().norm() : x.norm();
  }

  // If no step uses a ball-jointed link between its two steps, and the points that these put in
  // place are fixed on it, both are executed at the second.
  void join_ball_steps(std::vector<ClosedFormStep>* steps) const {
    for (std::size_t i = 0; i < steps->size(); ++i) {
      const ClosedFormStep point = (*steps)[i];
      const auto is_spin = [&](const ClosedFormStep& s) {
        return s.is_spin && s.link == point.link;
      };
      const auto spin =
          std::find_if(steps->begin() + static_cast<std::ptrdiff_t>(i), steps->end(), is_spin);
      if (point.kind != Kind::kPoint || spin == steps->end() || spin->planar) continue;
      const bool are_fixed = point.P.link == point.link && spin->P.link == point.link;
      const bool is_looked_at = std::any_of(
          steps->begin() + static_cast<std::ptrdiff_t>(i) + 1, spin, [&](const ClosedFormStep& s) {
            const std::vector<int> links = sources(s);
            return std::any_of(links.begin(), links.end(),
                               [&](int l) { return carries(point.link, l); });
          });
      const Vector3 x = point.P.p.normalized(), across = spin->P.p - x * x.dot(spin->P.p);
      if (!are_fixed || is_looked_at || across.norm() < 1e-3 * spin->P.p.norm()) continue;
      spin->kind = Kind::kSettle;
      spin->is_spin = false;
      spin->end_target = point.Q;
      spin->axes << x, across.normalized(), x.cross(across).normalized();
      spin->along = x.dot(spin->P.p);
      spin->across = across.norm();
      steps->erase(steps->begin() + static_cast<std::ptrdiff_t>(i));
      --i;
    }
  }

  // Links whose places or coordinates a step depends on, with what carries them.
  std::vector<int> sources(const ClosedFormStep& step) const {
    std::vector<int> links = {step.link, step.P.link, step.Q.link};
    if (step.is_spin) links.push_back(step.spin_end.link);
    if (step.kind == Kind::kSettle) links.push_back(step.end_target.link);
    if (step.planar || step.kind == Kind::kLevel) links.push_back(step.other_axis);
    if (step.has_length_points)
      links.insert(links.end(), {step.length_from.link, step.length_to.link});
    if (step.kind == Kind::kCouple) {
      for (const CouplerTerm<double>& term : model_.rows[step.row].terms) {
        for (int l = cluster_.first_link; l < cluster_.first_link + cluster_.link_count; ++l) {
          if (model_.links[l].q_start == term.q) links.push_back(l);
        }
      }
    }
    return links;
  }

  // Steps with equally many predecessors are placed side by side, and a processor works on several
  // at a time: on those of the left wheel while a square root of the right one is being computed.
  void sort_by_level(std::vector<ClosedFormStep>* steps) const {
    std::vector<int> levels;
    for (const ClosedFormStep& step : *steps) {
      int level = 0;
      for (std::size_t i = 0; i < levels.size(); ++i) {
        const int earlier = (*steps)[i].link;
        for (const int l : sources(step)) {
          if (carries(earlier, l)) level = std::max(level, levels[i] + 1);
        }
      }
      levels.push_back(level);
    }
    std::vector<ClosedFormStep> sorted;
    for (int level = 0; sorted.size() < steps->size(); ++level) {
      for (std::size_t i = 0; i < levels.size(); ++i) {
        if (levels[i] == level) sorted.push_back((*steps)[i]);
      }
    }
    *steps = std::move(sorted);
  }

  static bool places_its_link(const ClosedFormStep& step) {
    return step.kind == Kind::kSettle ||
           ((step.kind == Kind::kDistance || step.kind == Kind::kAim) && !step.is_spin);
  }

  // Links that must be in place when a step starts (closed_form.cc).
  std::vector<int> looked_at(const ClosedFormStep& step) const {
    if (step.kind == Kind::kCouple) return {};
    const int carrier = parent(step.link);
    std::vector<int> links;
    if (step.kind == Kind::kLevel) {
      links = {parent(step.other_axis), step.Q.link};
    } else if (step.kind != Kind::kSlide || step.Q.link != carrier) {
      links = {carrier, step.Q.link};
    } else if (step.planar && step.other_axis != carrier) {
      links = {carrier};
    }
    if (step.kind == Kind::kSlide && step.planar) links.push_back(parent(step.other_axis));
    if (step.kind == Kind::kSettle) links.push_back(step.end_target.link);
    if (step.has_length_points && !step.length_is_carried)
      links.insert(links.end(), {parent(step.length_from.link), step.length_to.link});
    return links;
  }

  // Backwards from the end, where all links are needed.
  void leave_out_placements(ClosureOrder* order) const {
    std::vector<bool> is_needed(model_.links.size(), true);
    const auto keep = [&](std::vector<int>* placed) {
      std::vector<int> kept;
      for (auto l = placed->rbegin(); l != placed->rend(); ++l) {
        if (!is_needed[*l]) continue;
        kept.push_back(*l);
        is_needed[*l] = false;
        is_needed[parent(*l)] = true;
      }
      placed->assign(kept.rbegin(), kept.rend());
    };
    for (auto step = order->steps.rbegin(); step != order->steps.rend(); ++step) {
      if (places_its_link(*step)) std::erase(step->moved, step->link);
      keep(&step->moved);
      if (places_its_link(*step)) is_needed[step->link] = false;
      for (const int l : looked_at(*step)) is_needed[l] = true;
    }
    for (int l = cluster_.first_link; l < cluster_.first_link + cluster_.link_count; ++l)
      order->placed_first.push_back(l);
    keep(&order->placed_first);
  }

  const Model<double>& model_;
  const Cluster& cluster_;
};

}  // namespace

ClosureOrder order_steps(const Model<double>& model, const Cluster& cluster,
                         const std::vector<ClosedFormStep>& plan) {
  return Orderer(model, cluster).run(plan);
}

void add_in_turn(const ClosureOrder& other, ClosureOrder* order) {
  order->placed_first.insert(order->placed_first.end(), other.placed_first.begin(),
                             other.placed_first.end());
  const std::vector<ClosedFormStep> own = std::move(order->steps);
  const std::size_t n = own.size(), m = other.steps.size();
  order->steps.clear();
  for (std::size_t i = 0, k = 0; i + k < n + m;) {
    const bool takes_own = k == m || (i < n && i * m <= k * n);
    order->steps.push_back(takes_own ? own[i++] : other.steps[k++]);
  }
}

}  // namespace camber::multibody
