#include "camber/run/lane_batch.h"

#include <algorithm>
#include <array>
#include <utility>

#include "camber/core/require.h"
#include "camber/run/lane_group.h"

namespace camber::run {
namespace {

class OneInDoubles : public LaneBatch::Part {
 public:
  OneInDoubles(std::size_t member, Simulation* simulation)
      : member_(member), simulation_(simulation) {}
  void advance(std::span<const double> until) override { simulation_->advance_to(until[member_]); }
  void tell(std::size_t) override {}
  void reload(std::size_t) override {}

 private:
  std::size_t member_;
  Simulation* simulation_;
};

template <int N>
class ManyInLanes : public LaneBatch::Part {
 public:
  explicit ManyInLanes(Simulation* like) : group_(internal::lane_vehicle_of(like)) {}

  bool is_full() const { return count_ == N; }
  bool fits(Simulation* simulation) const { return group_.fits(simulation); }
  void add(std::size_t member, Simulation* simulation) {
    members_[count_] = member;
    simulations_[count_] = simulation;
    group_.put(static_cast<int>(count_), simulation);
    ++count_;
  }

  void advance(std::span<const double> until) override {
    typename internal::LaneGroup<N>::Times times = {};
    for (std::size_t i = 0; i < count_; ++i) times[i] = until[members_[i]];
    while (group_.step(times)) {
    }
    // A drive that has ended leaves its lane, where it could fail again and again.
    for (std::size_t i = 0; i < count_; ++i)
      if (simulations_[i]->is_done() && group_.at(static_cast<int>(i)) != nullptr)
        group_.take_out(static_cast<int>(i));
  }
  void tell(std::size_t member) override {
    const int lane = lane_of(member);
    if (group_.at(lane) != nullptr) group_.tell(lane);
  }
  void reload(std::size_t member) override {
    const int lane = lane_of(member);
    if (group_.at(lane) != nullptr) {
      group_.reload(lane);
    } else {
      group_.put(lane, simulations_[static_cast<std::size_t>(lane)]);
    }
  }

 private:
  int lane_of(std::size_t member) const {
    return static_cast<int>(std::ranges::find(members_, member) - members_.begin());
  }

  internal::LaneGroup<N> group_;
  std::array<std::size_t, N> members_ = {};
  std::array<Simulation*, N> simulations_ = {};  // a lane's own, in the lane or not
  std::size_t count_ = 0;
};

}  // namespace

LaneBatch::LaneBatch(std::vector<std::unique_ptr<Simulation>> members, int lanes) {
  require(lanes == 0 || lanes == 4 || lanes == 8, "LaneBatch: lanes must be 0, 4 or 8, got ",
          lanes);
  std::vector<std::size_t> in_lanes;
  for (std::size_t i = 0; i < members.size(); ++i) {
    Place& place = places_.emplace_back(Place{.simulation = std::move(members[i])});
    place.hindrance =
        lanes == 0 ? "doubles were asked for" : find_lane_hindrance(place.simulation.get(), lanes);
    if (place.hindrance.empty()) {
      in_lanes.push_back(i);
      continue;
    }
    parts_.push_back(std::make_unique<OneInDoubles>(i, place.simulation.get()));
    place.part = parts_.back().get();
  }
  lanes == 4 ? fill_lanes<4>(in_lanes) : fill_lanes<8>(in_lanes);
}

LaneBatch::~LaneBatch() = default;

template <int N>
void LaneBatch::fill_lanes(const std::vector<std::size_t>& members) {
  std::vector<ManyInLanes<N>*> open;  // that have room: one per structure
  for (const std::size_t i : members) {
    Simulation* simulation = places_[i].simulation.get();
    const auto found =
        std::ranges::find_if(open, [&](const auto* part) { return part->fits(simulation); });
    ManyInLanes<N>* part = found != open.end() ? *found : nullptr;
    if (part == nullptr) {
      auto made = std::make_unique<ManyInLanes<N>>(simulation);
      part = made.get();
      open.push_back(part);
      parts_.push_back(std::move(made));
    }
    part->add(i, simulation);
    places_[i].part = part;
    if (part->is_full()) std::erase(open, part);
  }
}

Simulation& LaneBatch::member(std::size_t i) {
  Place& place = places_.at(i);
  place.part->tell(i);
  return *place.simulation;
}

void LaneBatch::advance_part(std::size_t part, std::span<const double> until) {
  require(until.size() == size(), "LaneBatch::advance_part: ", until.size(), " times for ", size(),
          " members");
  parts_.at(part)->advance(until);
}

void LaneBatch::restore(std::size_t i, const SimulationState& state) {
  member(i).restore(state);
  places_[i].part->reload(i);
}

}  // namespace camber::run
