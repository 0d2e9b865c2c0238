#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/camber/commands.h"
#include "apps/camber/drive_sample.h"
#include "apps/camber/interrupt.h"
#include "apps/camber/program.h"
#include "apps/camber/study_progress.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/study/coordinator.h"
#include "camber/study/slurm.h"
#include "camber/study/worker.h"

namespace camber::app {
namespace {

namespace fs = std::filesystem;
using study::Maker, study::StudyEnd, study::StudyFolder, study::StudyOutcome, study::StudySummary;

constexpr const char* kProgram = "camber " CAMBER_VERSION;
constexpr std::size_t kMaxFileBytes = 64 << 20;

struct StudyOptions {
  std::string file, folder;
  int workers = 0;  // 0: one per core
  bool json = false;
  // work
  long chunk = -1, chunks = 0;
  bool is_piped = false;
  int lanes = 0;  // as many as fill a register
  // drive
  std::vector<long> samples;
  bool worst = false;
  study::SlurmOptions slurm;
  bool use_slurm = false;
};

/// What workers and jobs run.
std::vector<std::string> own_program() {
  if (!program_words().empty()) return program_words();
  return {fs::read_symlink("/proc/self/exe").string()};
}

int core_count() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

std::string new_folder(const std::string& study_file) {
  const std::string stem = fs::path(study_file).stem().string();
  for (int i = 1;; ++i) {
    char number[16];
    std::snprintf(number, sizeof number, "-%03d", i);
    const std::string path = concat("runs/study-", stem, number);
    if (!fs::exists(path)) return path;
  }
}

void print_summary(const StudyFolder& folder, const StudyOutcome& outcome,
                   const StudySummary& summary) {
  std::cout << folder.study().name << ": "
            << count_text(static_cast<long>(outcome.merged.results.size()), "sample");
  if (summary.planned > 0) std::cout << " of " << summary.planned;
  if (outcome.end == StudyEnd::kByRule)
    std::cout << ", ended by the rule \"" << folder.study().stop->text << '"';
  std::cout << '\n';
  if (summary.answers > 0 && is_drawn(folder.study().plan.kind))
    std::cout << "  pass rate  " << short_text(100 * summary.pass_rate.value, 4) << " %  ("
              << short_text(100 * summary.pass_rate.low, 4) << " to "
              << short_text(100 * summary.pass_rate.high, 4) << " % with 95 %)\n";
  std::size_t width = 0;
  const bool is_search = is_adaptive(folder.study().plan.kind);
  if (outcome.strategy)
    for (const auto& [name, value] : outcome.strategy->findings())
      std::cout << "  " << name << ": " << value << '\n';
  for (const study::FigureSummary& figure : summary.figures)
    width = std::max(width, figure.info.name.size());
  for (const study::FigureSummary& figure : summary.figures) {
    if (figure.sorted.empty() || is_search) continue;
    const auto at = [&](double p) {
      for (const study::Percentile& one : figure.percentiles)
        if (one.probability == p) return short_text(one.estimate.value, 4);
      return std::string();
    };
    std::cout << "  " << padded(figure.info.name, static_cast<int>(width) + 1) << " mean "
              << short_text(figure.mean.value, 4) << ", 5 to 95 %: " << at(0.05) << " to "
              << at(0.95);
    if (figure.info.unit != "1") std::cout << ' ' << figure.info.unit;
    std::cout << '\n';
  }
  std::cout << "report: " << folder.path() << "/report.html\n";
}

void print_doubts(const StudyFolder& folder, const StudyOutcome& outcome,
                  const StudySummary& summary) {
  for (const study::Conflict& conflict : outcome.merged.conflicts)
    std::cerr << "camber: sample " << conflict.k << " has two different results: " << conflict.first
              << ", " << conflict.second << '\n';
  if (outcome.merged.kernels.size() > 1)
    std::cerr
        << "camber: results of different kernels are mixed, which differ in their last bits\n";
  if (outcome.merged.instructions.size() > 1 || outcome.merged.builds.size() > 1)
    std::cerr
        << "note: results come from different builds of camber or kinds of processors, which may "
           "differ in their last bits\n";
  const long left_out = static_cast<long>(outcome.merged.results.size()) - summary.answers;
  if (left_out > 0)
    std::cerr << (summary.too_many_left_out ? "camber: " : "note: ")
              << count_text(left_out, "sample") << " of " << outcome.merged.results.size()
              << " gave no answer, the first of them sample " << summary.left_out_samples.front()
              << ": " << outcome.merged.results.at(summary.left_out_samples.front()).reason
              << "\n  drive it again: " << folder.rerun_command(summary.left_out_samples.front())
              << '\n';
}

/// 0 only for a study that is whole: complete, without conflicts, with few samples left out.
ExitCode exit_code(const StudyOutcome& outcome, const StudySummary& summary) {
  return outcome.end != StudyEnd::kStopped && outcome.merged.conflicts.empty() &&
                 outcome.merged.kernels.size() <= 1 && !summary.too_many_left_out
             ? kOk
             : kRunFailed;
}

ExitCode finish(const StudyFolder& folder, const StudyOutcome& outcome, bool json) {
  const StudySummary summary = write_outputs(folder, outcome);
  if (json) {
    std::cout << read_file(folder.path() + "/summary.json", kMaxFileBytes);
  } else {
    print_summary(folder, outcome, summary);
  }
  print_doubts(folder, outcome, summary);
  return exit_code(outcome, summary);
}

void drive_again(const StudyFolder& folder, long k) {
  std::cout << drive_sample(folder, k) << "/report.html\n";
}

ExitCode run_folder(const StudyFolder& folder, const StudyOptions& options) {
  fs::remove(folder.stop_path());
  const InterruptGuard interrupt;
  StudyProgress progress(folder.study(), folder.facts());
  study::RunStudyOptions run;
  run.workers = options.workers > 0 ? options.workers : core_count();
  run.worker_command = own_program();
  for (const std::string& word :
       {std::string("study"), std::string("work"), folder.path(), std::string("--pipe")})
    run.worker_command.push_back(word);
  if (options.lanes > 0)
    for (const std::string& word : {std::string("--lanes"), std::to_string(options.lanes)})
      run.worker_command.push_back(word);
  run.maker = study::find_maker(kProgram);
  run.on_progress = [&](const study::Progress& p) { progress.update(p); };
  run.go_on = [&] { return !InterruptGuard::requested() && !fs::exists(folder.stop_path()); };
  run.on_refresh = [&](const study::Merged& merged) {
    StudyOutcome so_far{.end = StudyEnd::kStopped, .merged = merged};
    write_outputs(folder, so_far);
  };
  const StudyOutcome outcome = study::run_study(folder, run);
  progress.clear();
  const ExitCode code = finish(folder, outcome, options.json);
  if (outcome.end == StudyEnd::kStopped) {
    std::cerr << "camber: stopped; `camber study resume " << folder.path() << "` goes on\n";
    return code;
  }
  if (!folder.study().keep.worst.empty() || folder.study().keep.failed > 0) {
    const StudySummary summary = summarize(folder, outcome.merged.results);
    for (const long k : find_worst(folder, summary)) drive_again(folder, k);
    write_outputs(folder, outcome);  // with links to them
  }
  return code;
}

StudyFolder create(const StudyOptions& options) {
  const study::CheckedStudy checked = study::check_study(options.file);
  const std::string path = options.folder.empty() ? new_folder(options.file) : options.folder;
  return StudyFolder::create(path, checked, study::find_maker(kProgram));
}

ExitCode run_status(const StudyOptions& options) {
  const StudyFolder folder = StudyFolder::open(options.folder);
  const StudyOutcome outcome = read_study_outcome(folder);
  const StudySummary summary = summarize(folder, outcome.merged.results);
  std::cout << folder.study().name << ": " << outcome.merged.results.size();
  if (summary.planned > 0) std::cout << " of " << summary.planned;
  std::cout << " samples";
  if (outcome.end == StudyEnd::kComplete) std::cout << ", complete";
  if (outcome.end == StudyEnd::kByRule) std::cout << ", ended by its rule";
  std::cout << '\n';
  for (const auto& [status, count] : summary.counts)
    std::cout << "  " << padded(std::string(name_of(status)), 10) << count << '\n';
  std::cout << "  journals  " << outcome.merged.journals << " (" << outcome.merged.torn
            << " with a torn last line, " << outcome.merged.damaged << " damaged lines), "
            << count_text(outcome.merged.repeats, "repeat") << ", "
            << count_text(static_cast<long>(outcome.merged.conflicts.size()), "conflict") << '\n';
  if (outcome.strategy) std::cout << "  " << outcome.strategy->progress() << '\n';
  return outcome.merged.conflicts.empty() ? kOk : kRunFailed;
}

long environment_number(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const char* text = std::getenv(name)) return std::stol(text);
  return -1;
}

ExitCode run_work(StudyOptions options) {
  const StudyFolder folder = StudyFolder::open(options.folder);
  const Maker maker = study::find_maker(kProgram);
  if (options.is_piped) {
    study::work_for_pool(folder, maker, options.lanes);
    return kOk;
  }
  // Rank and size as array jobs and MPI launchers tell them.
  if (options.chunk < 0)
    options.chunk =
        environment_number({"SLURM_ARRAY_TASK_ID", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                            "SLURM_PROCID", "PBS_ARRAY_INDEX", "PBS_ARRAYID", "PARALLEL_SEQ"});
  if (options.chunks <= 0)
    options.chunks = environment_number({"CAMBER_CHUNKS", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                         "SLURM_ARRAY_TASK_COUNT", "SLURM_NTASKS"});
  require(options.chunk >= 0 && options.chunks > 0,
          "work: give --chunk K and --chunks N, or start it by mpirun, srun or an array job");
  // Of an adaptive plan, the last generation: the next one comes when all its results are there.
  const std::vector<long> samples =
      is_adaptive(folder.study().plan.kind)
          ? study::chunk_samples(folder.last_generation(), options.chunk, options.chunks)
          : study::chunk_samples(study::SampleMaker(&folder).size(), options.chunk, options.chunks);
  const study::WorkResult result =
      work_on(folder, maker, concat("chunk", options.chunk), samples, options.lanes);
  std::cerr << "chunk " << options.chunk << " of " << options.chunks << ": "
            << count_text(result.driven, "sample") << (result.was_stopped ? ", stopped" : "")
            << '\n';
  return result.is_out_of_time ? kOutOfTime : kOk;
}

ExitCode run_drive_command(const StudyOptions& options) {
  const StudyFolder folder = StudyFolder::open(options.folder);
  std::vector<long> samples = options.samples;
  if (options.worst) {
    const StudyOutcome outcome = read_study_outcome(folder);
    for (const long k : find_worst(folder, summarize(folder, outcome.merged.results)))
      samples.push_back(k);
    require(!samples.empty(), "drive: the study names no worst runs (keep.runs)");
  }
  require(!samples.empty(), "drive: give numbers of samples, or --worst");
  for (const long k : samples) drive_again(folder, k);
  return kOk;
}

ExitCode run_submit(const StudyOptions& options) {
  require(options.use_slurm,
          "submit: give --slurm; for other queues start `camber study work DIR "
          "--chunk K --chunks N` there");
  const bool is_folder = fs::is_directory(options.file);
  const StudyFolder folder = is_folder ? StudyFolder::open(options.file) : create(options);
  const bool is_next = options.slurm.generation >= 0;  // by the job after a generation
  if (is_next && fs::exists(folder.stop_path()))
    return finish(folder, read_study_outcome(folder), options.json);
  fs::remove(folder.stop_path());
  const study::SlurmJobs jobs = submit_to_slurm(folder, options.slurm, own_program());
  if (jobs.text.empty()) return finish(folder, read_study_outcome(folder), options.json);
  std::cout << folder.path() << "\njobs: " << jobs.text << '\n';
  return kOk;
}

void add_folder(CLI::App* command, StudyOptions* options) {
  command->add_option("DIR", options->folder, "The study's folder")->required();
}

}  // namespace

void add_study_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<StudyOptions>();
  CLI::App* command = app->add_subcommand(
      "study",
      "Many drives from one page: samples, optimization, rare events; on all cores or a cluster");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* about, auto action) {
    CLI::App* sub = command->add_subcommand(name, about);
    sub->callback([=] { *chosen = [=] { return action(*options); }; });
    return sub;
  };
  const auto add_lanes = [&](CLI::App* sub) {
    sub->add_option(
           "--lanes", options->lanes,
           "Vehicles per register of a study with kernel = \"lanes\", 4 or 8: as many as fill "
           "it if not given. Results do not depend on it")
        ->check(CLI::IsMember({4, 8}));
  };
  const auto add_workers = [&](CLI::App* sub) {
    add_lanes(sub);
    sub->add_option("-j,--workers", options->workers, "Worker processes; one per core if not given")
        ->check(CLI::Range(1, 4096));
    sub->add_flag("--json", options->json, "Print summary.json");
  };

  CLI::App* run = add("run", "Check a study, then drive it on this machine",
                      [](const StudyOptions& o) { return run_folder(create(o), o); });
  run->add_option("STUDY", options->file, "File of kind \"study\" (TOML)")->required();
  run->add_option(
      "-o,--output", options->folder,
      "The study's folder, new or of the same study; runs/study-NAME-001 and so on if not given");
  add_workers(run);

  CLI::App* resume = add("resume", "Drive what is missing", [](const StudyOptions& o) {
    return run_folder(StudyFolder::open(o.folder), o);
  });
  add_folder(resume, options.get());
  add_workers(resume);

  CLI::App* check = add("check", "Check a study without driving it", [](const StudyOptions& o) {
    const study::CheckedStudy checked = study::check_study(o.file);
    std::cout << checked.study.name << ": ok, "
              << count_text(static_cast<long>(checked.study.inputs.size()), "input") << ", plan "
              << name_of(checked.study.plan.kind) << ", "
              << count_text(static_cast<long>(checked.facts.figures.size()), "figure") << '\n';
    return kOk;
  });
  check->add_option("STUDY", options->file, "File of kind \"study\" (TOML)")->required();

  CLI::App* submit = add("submit", "Check a study and hand it to a cluster's queue",
                         [](const StudyOptions& o) { return run_submit(o); });
  submit->add_option("STUDY", options->file, "File of kind \"study\", or the folder of a study")
      ->required();
  submit->add_option("-o,--output", options->folder,
                     "The study's folder, on a disk that all nodes see");
  submit->add_flag("--slurm", options->use_slurm,
                   "A Slurm job array, and a job after it that merges");
  submit->add_option("--chunks", options->slurm.chunks,
                     "Tasks of the array; found from the number of samples if not given");
  submit->add_option("--partition", options->slurm.partition, "Partition of the cluster");
  submit->add_option("--account", options->slurm.account, "Account that pays");
  submit->add_option("--time", options->slurm.time, "Time limit of a task, as sbatch has it");
  submit->add_option("--sbatch", options->slurm.extra, "A further option for sbatch; repeatable");
  submit->add_flag("--one-job", options->slurm.is_one_job,
                   "Adaptive plans: all generations in one job that uses all cores of its node");
  submit->add_option("--generation", options->slurm.generation)->group("");  // for its own jobs
  submit->add_option("--attempt", options->slurm.attempt)->group("");

  add_folder(
      add("status", "How far a study is", [](const StudyOptions& o) { return run_status(o); }),
      options.get());
  add_folder(add("stop", "Ask workers and jobs of a study to end; `resume` goes on later",
                 [](const StudyOptions& o) {
                   const StudyFolder folder = StudyFolder::open(o.folder);
                   write_file_atomically(folder.stop_path(), "stop\n");
                   const std::string jobs = study::cancel_slurm_jobs(folder);
                   std::cout << "asked to stop" << (jobs.empty() ? "" : "; canceled jobs " + jobs)
                             << '\n';
                   return kOk;
                 }),
             options.get());
  for (const char* name : {"merge", "report"}) {
    CLI::App* sub =
        add(name,
            name == std::string("merge") ? "Read all journals and write samples, summary and report"
                                         : "Write the report again, from what there is",
            [](const StudyOptions& o) {
              const StudyFolder folder = StudyFolder::open(o.folder);
              return finish(folder, read_study_outcome(folder), o.json);
            });
    add_folder(sub, options.get());
    sub->add_flag("--json", options->json, "Print summary.json");
  }
  CLI::App* drive =
      add("drive",
          "Drive samples again, with log and report: the same bits, if the study is not in lanes",
          [](const StudyOptions& o) { return run_drive_command(o); });
  add_folder(drive, options.get());
  drive->add_option("SAMPLE", options->samples, "Numbers of samples");
  drive->add_flag("--worst", options->worst, "Those that keep.runs of the study names");

  CLI::App* work = add("work", "One part of a study: what every worker runs, under any queue",
                       [](const StudyOptions& o) { return run_work(o); });
  add_folder(work, options.get());
  work->add_option("--chunk", options->chunk,
                   "Which part, from 0; from the environment of Slurm, MPI and PBS if not given");
  work->add_option("--chunks", options->chunks,
                   "Of how many; CAMBER_CHUNKS or MPI's size if not given");
  add_lanes(work);
  work->add_flag("--pipe", options->is_piped)->group("");  // for `run` itself

  command->footer(
      "Examples:\n"
      "  camber study run studies/step-steer.toml\n"
      "  camber study run studies/step-steer.toml -o steer --workers 8\n"
      "  camber study resume steer\n"
      "  camber study drive steer 17\n"
      "  camber study submit studies/step-steer.toml -o steer --slurm --partition short\n"
      "  mpirun -n 16 camber study work steer && camber study merge steer");
}

}  // namespace camber::app
