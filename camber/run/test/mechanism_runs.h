#pragma once

// Runs of mechanisms in memory.

#include <functional>

#include "camber/run/mechanism_run.h"
#include "camber/run/record_run.h"

namespace camber::run {

struct MechanismOutcome : RunResult, MechanismFigures {};

struct MechanismWatch {
  std::function<void(double t, const multibody::Observation&)> sample = {};
  std::function<bool(double t)> go_on = {};
};

inline MechanismOutcome run_mechanism(const RunOptions& options,
                                      multibody::MechanismDynamics* dynamics,
                                      const MechanismWatch& watch = {}) {
  MechanismRun run(options, dynamics);
  run.set_sink([&](double t, std::span<const double>) {
    if (watch.sample) watch.sample(t, run.observation());
  });
  while (!run.is_done()) {
    run.advance();
    const RunResult now = run.result();
    if (now.status == RunStatus::kRunning && watch.go_on && !watch.go_on(now.time)) run.stop();
  }
  return {run.result(), run.figures()};
}

}  // namespace camber::run
