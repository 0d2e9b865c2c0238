#pragma once

#include <string>
#include <vector>

#include "camber/study/study_folder.h"

namespace camber::study {

struct SlurmOptions {
  long chunks = 0;  // tasks of the array; 0: found from the number of samples
  std::string partition = {}, account = {};
  std::string time = {};                // limit of a task, as sbatch has it
  std::vector<std::string> extra = {};  // further options of sbatch
  bool is_one_job = false;              // adaptive plans: all generations in one job
  // For the job that submits the next generation: the last submitted generation, and how often it
  // was submitted.
  int generation = -1, attempt = 0;
};

struct SlurmJobs {
  std::string text;  // "1234 (array of 16), 1235 (merge)"; empty: an adaptive plan has ended
};

/// The scripts for sbatch; for tests and for users who change them. `program` starts camber: its
/// file, or an interpreter and its arguments.
std::string array_script(const StudyFolder& folder, const SlurmOptions& options,
                         const std::vector<std::string>& program, long chunks);
std::string merge_script(const StudyFolder& folder, const SlurmOptions& options,
                         const std::vector<std::string>& program);

/// Writes slurm-array.sh and slurm-merge.sh into the folder and submits them, the second to run
/// when the first has ended, whether or not it succeeded. With an adaptive plan, the array drives
/// one generation, and the second job submits the next one by `camber study submit`, or merges
/// after the last. Studies with a stopping rule are one job that uses all cores of its node. The
/// folder must be on a disk that all nodes see. Throws std::runtime_error with sbatch's own words,
/// or if a generation was submitted five times and is not complete.
SlurmJobs submit_to_slurm(const StudyFolder& folder, const SlurmOptions& options,
                          const std::vector<std::string>& program);

/// Cancels the jobs that were submitted for this folder; their numbers, or nothing.
std::string cancel_slurm_jobs(const StudyFolder& folder);

}  // namespace camber::study
