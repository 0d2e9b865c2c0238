#pragma once

// Simulations that are stepped together, by a policy or a learning algorithm: in lanes if possible.
//
//   run::LaneBatch batch(std::move(simulations));
//   for (std::size_t part = 0; part < batch.part_count(); ++part)   // on as many threads as one likes
//     batch.advance_part(part, times);
//   batch.member(7).world().vehicle(0).view();
//
// The result of a member depends neither on its neighbors nor on how the caller divides time, bit
// for bit. Compared with a drive in doubles, the last digits differ (docs/theory/lanes.md).

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "camber/run/lane_driver.h"
#include "camber/run/simulation.h"

namespace camber::run {

class LaneBatch {
 public:
  /// Lanes are 4 or 8; 0: all members are driven in doubles, with the bits of `camber run`.
  explicit LaneBatch(std::vector<std::unique_ptr<Simulation>> members, int lanes = default_lanes());
  ~LaneBatch();
  LaneBatch(const LaneBatch&) = delete;
  LaneBatch& operator=(const LaneBatch&) = delete;

  std::size_t size() const { return places_.size(); }
  /// A member, to be observed, commanded, saved or stopped; advance_part() advances its time.
  Simulation& member(std::size_t i);
  /// Why a member is driven in doubles; empty if it is in a lane.
  const std::string& hindrance(std::size_t i) const { return places_[i].hindrance; }

  /// Parts have no member in common: different threads may advance different parts.
  std::size_t part_count() const { return parts_.size(); }
  /// Makes every integration step of the part's members that ends by the member's time [s].
  void advance_part(std::size_t part, std::span<const double> until);

  /// Continues a member from a state of its scenario.
  void restore(std::size_t i, const SimulationState& state);

  /// Members that share lanes, or one in doubles.
  class Part {
   public:
    virtual ~Part() = default;
    virtual void advance(std::span<const double> until) = 0;
    virtual void tell(std::size_t member) = 0;
    virtual void reload(std::size_t member) = 0;
  };

 private:
  struct Place {
    std::unique_ptr<Simulation> simulation;
    std::string hindrance = {};
    Part* part = nullptr;
  };

  template <int N>
  void fill_lanes(const std::vector<std::size_t>& members);

  std::vector<Place> places_;
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace camber::run
