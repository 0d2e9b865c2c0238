#include "camber/run/lane_driver.h"

#include <array>
#include <exception>
#include <list>
#include <utility>

#include "camber/core/hash.h"
#include "camber/core/require.h"
#include "camber/dynamics/lane_vehicles.h"
#include "camber/run/drive_run.h"
#include "camber/scenario/parts_cache.h"

namespace camber::run {

using dynamics::GeneratedVehicle, dynamics::LaneVehicles;

namespace {

/// Drives of another structure than the one that is driven wait, up to this number.
constexpr std::size_t kMaxWaiting = 32;

GeneratedVehicle* vehicle_of(Simulation* simulation) {
  return dynamic_cast<GeneratedVehicle*>(&simulation->world().vehicle(0));
}

void drive_in_doubles(const LaneHooks& hooks, long number, Simulation* simulation) {
  while (!simulation->is_done()) {
    if (hooks.is_stopped && hooks.is_stopped(number)) simulation->stop();
    const double before = simulation->time();
    simulation->advance_to(simulation->next_tick());
    if (simulation->time() == before) break;
  }
}

/// N drives of one structure.
template <int N>
class Group {
 public:
  Group(const LaneHooks* hooks, GeneratedVehicle* like) : hooks_(hooks), vehicles_(like) {}

  bool has_room() const { return count_ < N; }
  bool is_empty() const { return count_ == 0; }
  const dynamics::LaneStructure& structure() const { return vehicles_.structure(); }

  void add(LaneJob job) {
    int lane = 0;
    while (lanes_[static_cast<std::size_t>(lane)].simulation) ++lane;
    Lane& at = lanes_[static_cast<std::size_t>(lane)];
    at = {};
    at.number = job.number;
    at.simulation = std::move(job.simulation);
    at.vehicle = vehicle_of(at.simulation.get());
    at.vehicle->prepare_for_lanes();
    at.state = at.vehicle->state();
    ++count_;
    vehicles_.put(lane, at.vehicle);
    open(lane);
  }

  /// Until a lane is free.
  void run() {
    const int before = count_;
    while (count_ == before) step();
  }

 private:
  struct Lane {
    long number = 0;
    std::unique_ptr<Simulation> simulation;  // null: the lane is free
    GeneratedVehicle* vehicle = nullptr;
    Simulation::StepPlan plan;
    long done = 0;    // steps of the interval
    double time = 0;  // [s]
    dynamics::DriveState state;
    LaneOutcome outcome;
  };

  void step() {
    for (int i = 0; i < N; ++i) {
      const Lane& lane = lanes_[static_cast<std::size_t>(i)];
      if (lane.simulation) vehicles_.set_step(i, lane.plan.end_of(lane.done) - lane.time);
    }
    const auto has_value = vehicles_.step();
    for (int i = 0; i < N; ++i) {
      const auto at = static_cast<std::size_t>(i);
      Lane& lane = lanes_[at];
      if (!lane.simulation) continue;
      if (!has_value[at]) {
        drive_interval_in_doubles(i);
        continue;
      }
      lane.time = lane.plan.end_of(lane.done);
      if (++lane.done == lane.plan.count) finish(i);
    }
  }

  void finish(int i) {
    Lane& lane = lanes_[static_cast<std::size_t>(i)];
    vehicles_.write_state(i, &lane.state);
    lane.vehicle->arrive(lane.plan.end, lane.state, lane.plan.count,
                         lane.plan.count * vehicles_.evaluations_per_step());
    lane.simulation->finish_interval();
    open(i);
  }

  /// A lane without a value: the vehicle in doubles has one, or it says why there is none.
  void drive_interval_in_doubles(int i) {
    Lane& lane = lanes_[static_cast<std::size_t>(i)];
    ++lane.outcome.scalar_intervals;
    lane.simulation->advance_to(lane.plan.end);
    if (!lane.simulation->is_done()) vehicles_.take_state(i);
    open(i);
  }

  void open(int i) {
    Lane& lane = lanes_[static_cast<std::size_t>(i)];
    if (hooks_->is_stopped && hooks_->is_stopped(lane.number)) lane.simulation->stop();
    const std::optional<Simulation::StepPlan> plan =
        lane.simulation->is_done() ? std::nullopt : lane.simulation->begin_interval();
    if (plan) {
      lane.plan = *plan;
      lane.done = 0;
      lane.time = plan->begin;
      vehicles_.take_inputs(i);
      return;
    }
    hooks_->ended(lane.number, *lane.simulation, lane.outcome);
    vehicles_.take_out(i);
    lane.simulation.reset();
    --count_;
  }

  const LaneHooks* hooks_;
  LaneVehicles<N> vehicles_;
  std::array<Lane, N> lanes_;
  int count_ = 0;
};

template <int N>
void drive_in_lanes(const LaneHooks& hooks) {
  std::list<LaneJob> waiting;  // of other structures than the one that is driven
  bool has_more = true;
  const auto pull = [&]() -> std::optional<LaneJob> {
    while (has_more) {
      std::optional<LaneJob> job = hooks.next();
      has_more = job.has_value();
      if (!has_more) break;
      LaneOutcome outcome{.hindrance = find_lane_hindrance(job->simulation.get())};
      if (outcome.hindrance.empty()) return job;
      outcome.is_in_lanes = false;
      drive_in_doubles(hooks, job->number, job->simulation.get());
      hooks.ended(job->number, *job->simulation, outcome);
    }
    return std::nullopt;
  };
  for (;;) {
    if (waiting.empty()) {
      std::optional<LaneJob> job = pull();
      if (!job) return;
      waiting.push_back(std::move(*job));
    }
    Group<N> group(&hooks, vehicle_of(waiting.front().simulation.get()));
    const auto fits = [&](const LaneJob& job) {
      return group.structure() == dynamics::LaneStructure(vehicle_of(job.simulation.get()));
    };
    for (;;) {
      for (auto it = waiting.begin(); it != waiting.end() && group.has_room();) {
        if (!fits(*it)) {
          ++it;
          continue;
        }
        group.add(std::move(*it));
        it = waiting.erase(it);
      }
      while (group.has_room() && waiting.size() < kMaxWaiting) {
        std::optional<LaneJob> job = pull();
        if (!job) break;
        if (fits(*job)) {
          group.add(std::move(*job));
        } else {
          waiting.push_back(std::move(*job));
        }
      }
      if (group.is_empty()) break;
      group.run();
    }
  }
}

}  // namespace

int default_lanes() {
#if defined(__AVX512F__)
  return 8;
#else
  return 4;
#endif
}

std::string_view lane_instruction_set() {
#if defined(__AVX512F__)
  return "AVX-512";
#elif defined(__AVX2__)
  return "AVX2";
#elif defined(__AVX__)
  return "AVX";
#elif defined(__SSE2__)
  return "SSE2";
#else
  return "none";
#endif
}

std::string describe_lanes(int lanes) {
  return concat("lanes of ", lanes, " (", lane_instruction_set(), ")");
}

std::string find_lane_hindrance(Simulation* simulation) {
  if (simulation->world().vehicle_count() != 1) return "several vehicles";
  if (!simulation->sensors().empty()) return "sensors";
  if (simulation->has_observers()) return "observers";
  GeneratedVehicle* vehicle = vehicle_of(simulation);
  if (vehicle == nullptr) {
    const scenario::VehicleSetup& setup = simulation->scenario().vehicle;
    if (setup.level != scenario::VehicleLevel::kFull)
      return concat("vehicle.level = \"", word_of(setup.level, scenario::kVehicleLevelWords), "\"");
    return concat("vehicle.formulation = \"",
                  word_of(setup.formulation, scenario::kFormulationWords), "\"");
  }
  return dynamics::find_lane_hindrance(vehicle);
}

LaneDriver::LaneDriver(LaneOptions options) : options_(options) {
  require(options_.lanes == 4 || options_.lanes == 8, "LaneDriver: lanes must be 4 or 8, got ",
          options_.lanes);
}

void LaneDriver::drive(const LaneHooks& hooks) const {
  require(hooks.next && hooks.ended, "LaneDriver::drive: needs hooks for next and ended");
  if (options_.lanes == 4) {
    drive_in_lanes<4>(hooks);
  } else {
    drive_in_lanes<8>(hooks);
  }
}

std::vector<BatchDrive> drive_batch(const std::string& scenario,
                                    const std::vector<Overrides>& overrides,
                                    const LaneOptions& options) {
  std::vector<BatchDrive> drives(overrides.size());
  scenario::PartsCache cache;
  std::size_t next = 0;
  LaneHooks hooks;
  hooks.next = [&]() -> std::optional<LaneJob> {
    while (next < overrides.size()) {
      const std::size_t k = next++;
      BatchDrive& drive = drives[k];
      try {
        auto simulation =
            std::make_unique<Simulation>(Simulation::load(scenario, overrides[k], &cache));
        drive.log = record::Table(simulation->channels());
        simulation->set_recorder(
            [&drive](double time, std::span<const double> row) { drive.log.append(time, row); });
        return LaneJob{static_cast<long>(k), std::move(simulation)};
      } catch (const std::exception& error) {
        drive.problem = error.what();
      }
    }
    return std::nullopt;
  };
  hooks.ended = [&](long number, Simulation& simulation, const LaneOutcome& outcome) {
    BatchDrive& drive = drives[static_cast<std::size_t>(number)];
    drive.result = simulation.result();
    drive.figures = calc_figures(simulation.built(), drive.log);
    drive.findings = simulation.findings();
    drive.final_state_hash = hash_values(simulation.state_values());
    drive.outcome = outcome;
    if (!options.keeps_logs) drive.log = record::Table();
  };
  LaneDriver(options).drive(hooks);
  return drives;
}

}  // namespace camber::run
