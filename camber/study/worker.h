#pragma once

#include <string>
#include <vector>

#include "camber/study/study_folder.h"

namespace camber::study {

/// Part `chunk` of `chunks` equal parts of a study's samples.
std::vector<long> chunk_samples(long size, long chunk, long chunks);
/// The same of given samples.
std::vector<long> chunk_samples(const std::vector<long>& samples, long chunk, long chunks);

/// How many of the samples that are left an idle worker is given at once: several while there are many, few at
/// the end, so that workers end together. Eight lanes take little longer than one, so a worker is given less
/// only if other workers are `idle`, too, and there are not enough for all. Lanes that end early are filled
/// again from the same batch. `idle` counts the worker itself.
std::size_t find_batch_size(std::size_t left, std::size_t workers, std::size_t idle,
                            KernelKind kernel);

struct WorkResult {
  long driven = 0;
  bool was_stopped = false;     // by a signal, or by `camber study stop`
  bool is_out_of_time = false;  // by SIGUSR1, which queues send before a time limit
};

/// Drives those of the samples that no journal has yet, and appends them to a journal of its own.
/// SIGTERM, SIGINT, SIGHUP and SIGUSR1 drop the present sample and end the work; a sample that ends
/// the process by a fault leaves a note in the journal. Changes the process's signal handlers: call
/// it from a program that does nothing else. `lanes`: 4 or 8 drives at once of a study that drives in lanes;
/// 0: as many as fill a register. Results do not depend on it. Throws FileError if the journal cannot be written.
WorkResult work_on(const StudyFolder& folder, const Maker& maker, const std::string& label,
                   const std::vector<long>& samples, int lanes = 0);

/// The same for samples whose numbers come on stdin, a line of them at a time; lines on stdout
/// report the progress (worker_pool.cc). Ends at the end of stdin.
void work_for_pool(const StudyFolder& folder, const Maker& maker, int lanes = 0);

}  // namespace camber::study
