#include "apps/camber/drive_sample.h"

#include <filesystem>
#include <iostream>
#include <vector>

#include "camber/core/text.h"
#include "camber/run/drive_run.h"
#include "camber/run/record_run.h"
#include "camber/run/simulation.h"
#include "camber/study/study.h"

namespace camber::app {

std::string drive_sample(const study::StudyFolder& folder, long k) {
  study::SampleMaker maker(&folder);
  const study::Sample sample = maker.sample(k);
  const std::vector<std::string> overrides =
      study::assignments_of(folder.study(), sample.values, sample.drive_seed);
  std::string path = concat(folder.path(), "/runs/sample-", k);
  if (std::filesystem::exists(path + "/report.html")) return path;
  run::Simulation simulation = run::Simulation::load(folder.study().scenario, overrides);
  if (folder.facts().kernel == study::KernelKind::kLanes)
    std::cerr
        << "note: the study drove in lanes; this drive in doubles differs in the last digits\n";
  std::filesystem::remove_all(path);
  const record::RunFolder run_folder = record::RunFolder::make_at(path);
  const run::RunSource source{.model_file = folder.study().scenario,
                              .model_text = simulation.scenario().source.text,
                              .program = "camber " CAMBER_VERSION,
                              .overrides = overrides};
  run::DriveRun drive(&simulation);
  run::record_run(source, run_folder, &drive);
  return path;
}

}  // namespace camber::app
