#include "camber/run/lane_driver.h"

#include <array>
#include <exception>
#include <limits>
#include <list>
#include <utility>

#include "camber/core/hash.h"
#include "camber/core/require.h"
#include "camber/run/drive_run.h"
#include "camber/run/lane_group.h"
#include "camber/scenario/parts_cache.h"

namespace camber::run {

namespace {

/// Drives of another structure than the one that is driven wait, up to this number.
constexpr std::size_t kMaxWaiting = 32;

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
  Group(const LaneHooks* hooks, Simulation* like)
      : hooks_(hooks), group_(internal::lane_vehicle_of(like), [this](int lane) {
          const LaneJob& job = jobs_[static_cast<std::size_t>(lane)];
          if (hooks_->is_stopped && hooks_->is_stopped(job.number)) job.simulation->stop();
        }) {
    until_.fill(std::numeric_limits<double>::infinity());
  }

  bool has_room() const { return group_.find_room() >= 0; }
  bool is_empty() const { return group_.is_empty(); }
  bool fits(const LaneJob& job) const { return group_.fits(job.simulation.get()); }

  void add(LaneJob job) {
    const int lane = group_.find_room();
    group_.put(lane, job.simulation.get());
    jobs_[static_cast<std::size_t>(lane)] = std::move(job);
  }

  /// Until a lane is free.
  void run() {
    for (bool has_ended = false; !has_ended;) {
      group_.step(until_);
      for (int i = 0; i < N; ++i) {
        if (group_.at(i) == nullptr || group_.was_active(i)) continue;
        LaneJob& job = jobs_[static_cast<std::size_t>(i)];
        hooks_->ended(job.number, *job.simulation,
                      {.scalar_intervals = group_.scalar_intervals(i)});
        group_.take_out(i);
        job = {};
        has_ended = true;
      }
    }
  }

 private:
  const LaneHooks* hooks_;
  internal::LaneGroup<N> group_;
  std::array<LaneJob, N> jobs_;
  typename internal::LaneGroup<N>::Times until_;
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
      LaneOutcome outcome{.hindrance = find_lane_hindrance(job->simulation.get(), N)};
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
    Group<N> group(&hooks, waiting.front().simulation.get());
    for (;;) {
      for (auto it = waiting.begin(); it != waiting.end() && group.has_room();) {
        if (!group.fits(*it)) {
          ++it;
          continue;
        }
        group.add(std::move(*it));
        it = waiting.erase(it);
      }
      while (group.has_room() && waiting.size() < kMaxWaiting) {
        std::optional<LaneJob> job = pull();
        if (!job) break;
        if (group.fits(*job)) {
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

std::string find_lane_hindrance(Simulation* simulation, int lanes) {
  if (simulation->world().vehicle_count() != 1) return "several vehicles";
  if (!simulation->sensors().empty()) return "sensors";
  if (simulation->has_observers()) return "observers";
  dynamics::GeneratedVehicle* vehicle = internal::lane_vehicle_of(simulation);
  if (vehicle == nullptr) {
    const scenario::VehicleSetup& setup = simulation->scenario().vehicle;
    if (setup.level != scenario::VehicleLevel::kFull)
      return concat("vehicle.level = \"", word_of(setup.level, scenario::kVehicleLevelWords), "\"");
    return concat("vehicle.formulation = \"",
                  word_of(setup.formulation, scenario::kFormulationWords), "\"");
  }
  return dynamics::find_lane_hindrance(vehicle, lanes);
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
