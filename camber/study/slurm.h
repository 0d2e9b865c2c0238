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
};

struct SlurmJobs {
  std::string text;  // "1234 (array of 16), 1235 (merge)"
};

/// The scripts that sbatch gets; for tests and for people who change them.
std::string array_script(const StudyFolder& folder, const SlurmOptions& options,
                         const std::string& program, long chunks);
std::string merge_script(const StudyFolder& folder, const SlurmOptions& options,
                         const std::string& program);

/// Writes slurm-array.sh and slurm-merge.sh into the folder and submits them, the second to run when
/// the first has ended, however it ended. Adaptive plans and studies with a stopping rule are one job
/// that uses all cores of its node. The folder must be on a disk that all nodes see. Throws
/// std::runtime_error with sbatch's own words.
SlurmJobs submit_to_slurm(const StudyFolder& folder, const SlurmOptions& options,
                          const std::string& program);

/// Cancels the jobs that were submitted for this folder; their numbers, or nothing.
std::string cancel_slurm_jobs(const StudyFolder& folder);

}  // namespace camber::study
