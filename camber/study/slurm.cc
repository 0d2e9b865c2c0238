// Slurm places, queues, limits and restarts tasks; what was driven is in the journals alone. Slurm
// runs tasks twice (a node that is declared down while its job lives) and forgets arrays (a controller
// that is killed seconds after sbatch), so that nobody asks it what was done.

#include "camber/study/slurm.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "camber/core/file.h"
#include "camber/core/process.h"
#include "camber/core/require.h"
#include "camber/study/coordinator.h"
#include "camber/study/plan.h"

namespace camber::study {
namespace {

namespace fs = std::filesystem;

constexpr long kMaxTasks = 1000;      // MaxArraySize is 1001 by default
constexpr long kSamplesPerTask = 64;  // a task should take seconds: starting one takes 0.14 s
// A generation is waited for as a whole: more tasks, though each of them starts for fewer drives.
constexpr long kSamplesPerSearchTask = 4;
constexpr int kMaxAttempts = 5;  // at one generation
constexpr std::size_t kMaxBytes = 1 << 20;

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) c == '\'' ? result += "'\\''" : result += c;
  return result + "'";
}

std::string quoted(const std::vector<std::string>& words) {
  std::string result;
  for (const std::string& word : words) result += (result.empty() ? "" : " ") + quoted(word);
  return result;
}

std::string head(const SlurmOptions& options, const std::string& name) {
  std::string text = concat("#!/bin/bash\n#SBATCH --job-name=", name, "\n");
  if (!options.partition.empty()) text += concat("#SBATCH --partition=", options.partition, "\n");
  if (!options.account.empty()) text += concat("#SBATCH --account=", options.account, "\n");
  if (!options.time.empty()) text += concat("#SBATCH --time=", options.time, "\n");
  for (const std::string& option : options.extra) text += concat("#SBATCH ", option, "\n");
  return text;
}

std::string absolute(const StudyFolder& folder) {
  return fs::absolute(folder.path()).lexically_normal().string();
}

std::string sbatch(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {"sbatch", "--parsable"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const ProcessResult result = run_process(command, ErrorOutput::kWithOutput);
  if (result.status == 127)
    throw std::runtime_error("sbatch: not found; is this machine a login node of a Slurm cluster?");
  if (result.status != 0) throw std::runtime_error("sbatch: " + result.output);
  // "1234" or "1234;cluster"
  const std::string id = result.output.substr(0, result.output.find_first_of(";\n"));
  if (id.empty() || id.find_first_not_of("0123456789") != std::string::npos)
    throw std::runtime_error("sbatch: " + result.output);
  return id;
}

bool is_one_job(const StudyFolder& folder, const SlurmOptions& options) {
  return (is_adaptive(folder.study().plan.kind) && options.is_one_job) ||
         folder.study().stop.has_value();
}

/// `camber study submit` for the next generation, with the options of this one.
std::string next_script(const StudyFolder& folder, const SlurmOptions& options,
                        const std::vector<std::string>& program, int generation) {
  const std::string path = absolute(folder);
  std::vector<std::string> command = program;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) command.push_back(concat("--", name, "=", value));
  };
  for (const char* word : {"study", "submit"}) command.emplace_back(word);
  command.push_back(path);
  command.emplace_back("--slurm");
  add("chunks", options.chunks > 0 ? concat(options.chunks) : "");
  add("partition", options.partition);
  add("account", options.account);
  add("time", options.time);
  for (const std::string& option : options.extra) add("sbatch", option);
  add("generation", concat(generation));
  add("attempt", concat(options.generation == generation ? options.attempt + 1 : 0));
  return concat(head(options, "camber-next"), "#SBATCH --ntasks=1\n#SBATCH --output=", path,
                "/slurm/next-%j.log\n", quoted(command), "\n");
}

}  // namespace

std::string array_script(const StudyFolder& folder, const SlurmOptions& options,
                         const std::vector<std::string>& program, long chunks) {
  const std::string path = absolute(folder);
  std::string text = head(options, "camber-study");
  text += concat("#SBATCH --output=", path,
                 "/slurm/%A_%a.log\n#SBATCH --requeue\n#SBATCH --open-mode=append\n");
  if (is_one_job(folder, options)) {
    text +=
        "#SBATCH --exclusive\n"
        "# SIGTERM half a minute before the time limit: nothing that was driven is lost.\n"
        "#SBATCH --signal=TERM@30\n";
    return text + concat("srun --ntasks=1 --cpus-per-task=\"${SLURM_CPUS_ON_NODE:-1}\" ",
                         quoted(program), " study resume ", quoted(path),
                         " --workers \"${SLURM_CPUS_ON_NODE:-1}\"\n");
  }
  text += concat(
      "#SBATCH --array=0-", chunks - 1, "\n#SBATCH --ntasks=1\n",
      R"(# SIGUSR1 comes half a minute before the time limit: the worker drops its present sample and ends with status 75, and
# the task is queued again.
#SBATCH --signal=B:USR1@30
)",
      "export CAMBER_CHUNKS=", chunks, "\n", quoted(program), " study work ", quoted(path),
      R"( &
worker=$!
trap 'kill -USR1 $worker' USR1
trap 'kill -TERM $worker' TERM
wait $worker; status=$?
while [ "$status" -gt 128 ] && kill -0 $worker 2>/dev/null; do wait $worker; status=$?; done
wait $worker 2>/dev/null; last=$?; [ "$last" = 127 ] || status=$last
if [ "$status" = 75 ]; then scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"; fi
exit "$status"
)");
  return text;
}

std::string merge_script(const StudyFolder& folder, const SlurmOptions& options,
                         const std::vector<std::string>& program) {
  const std::string path = absolute(folder);
  return concat(head(options, "camber-merge"), "#SBATCH --ntasks=1\n#SBATCH --output=", path,
                "/slurm/merge.log\n", quoted(program), " study merge ", quoted(path), "\n");
}

SlurmJobs submit_to_slurm(const StudyFolder& folder, const SlurmOptions& options,
                          const std::vector<std::string>& program) {
  const std::string path = absolute(folder);
  const bool is_one = is_one_job(folder, options);
  const bool is_search = is_adaptive(folder.study().plan.kind) && !is_one;
  long size = 1;
  std::optional<Generation> generation;
  if (is_search) {
    generation = open_generation(folder);
    if (!generation) return {};
    size = static_cast<long>(generation->samples.size());
    if (generation->number == options.generation && options.attempt >= kMaxAttempts)
      throw std::runtime_error(concat("generation ", generation->number, " was submitted ",
                                      kMaxAttempts, " times and is not complete; see ", path,
                                      "/slurm/*.log"));
  } else if (!is_one) {
    size = Plan(&folder.study()).size();
  }
  const long per_task = is_search ? kSamplesPerSearchTask : kSamplesPerTask;
  require(options.chunks <= kMaxTasks, "--chunks: at most ", kMaxTasks,
          " (Slurm's MaxArraySize), got ", options.chunks);
  const long chunks = options.chunks > 0
                          ? std::min(options.chunks, size)
                          : std::clamp((size + per_task - 1) / per_task, 1L, kMaxTasks);
  make_folders(path + "/slurm");
  const std::string array = path + "/slurm/array.sh";
  const std::string after = concat(path, "/slurm/", is_search ? "next.sh" : "merge.sh");
  write_file_atomically(array, array_script(folder, options, program, chunks));
  write_file_atomically(after, is_search ? next_script(folder, options, program, generation->number)
                                         : merge_script(folder, options, program));
  const std::string first = sbatch({array});
  const std::string second = sbatch({concat("--dependency=afterany:", first), after});
  const std::string jobs_path = path + "/slurm/jobs";
  const std::string before = fs::exists(jobs_path) ? read_file(jobs_path, kMaxBytes) : "";
  write_file_atomically(jobs_path, concat(before, first, "\n", second, "\n"));
  const std::string what = is_one ? "" : concat(" (array of ", chunks, ")");
  return {.text = concat(first, what, ", ", second, is_search ? " (next generation)" : " (merge)")};
}

std::string cancel_slurm_jobs(const StudyFolder& folder) {
  const std::string path = folder.path() + "/slurm/jobs";
  if (!fs::exists(path)) return "";
  std::vector<std::string> command = {"scancel"};
  std::string text, line;
  for (const char c : read_file(path, kMaxBytes)) {
    if (c != '\n') {
      line += c;
      continue;
    }
    text += (text.empty() ? "" : " ") + line;
    command.push_back(line);
    line.clear();
  }
  const ProcessResult result = run_process(command, ErrorOutput::kWithOutput);
  return result.status == 0 ? text : concat(text, " (scancel: ", result.output, ")");
}

}  // namespace camber::study
