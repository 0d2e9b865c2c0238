#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "camber/study/merge.h"
#include "camber/study/study_folder.h"

namespace camber::study {

/// Worker processes on this machine. Processes rather than threads: a sample that crashes costs one
/// sample and not the study.
class WorkerPool {
 public:
  /// `command` starts a worker: program and arguments. Keeps a pointer to the folder. Workers start
  /// when there is work.
  WorkerPool(const StudyFolder* folder, Maker maker, std::vector<std::string> command, int workers);
  /// Ends the workers.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Drives these samples and adds their results to `merged`. `on_result` is called with each; `wait`
  /// about ten times a second, and false ends the work. Returns false then. A worker that dies is
  /// replaced, and its samples are assigned again. Throws std::runtime_error if workers cannot
  /// work: a full disk, a program that does not start.
  bool drive(const std::vector<long>& samples, Merged* merged,
             const std::function<void(const SampleResult&)>& on_result,
             const std::function<bool()>& go_on);

  int worker_count() const { return count_; }
  /// Workers that died and were replaced.
  long deaths() const { return deaths_; }

 private:
  struct Process;
  void start(Process* process);
  void give(Process* process);
  /// Reads the output of a worker; false if it has ended.
  bool listen(Process* process);
  void take_line(Process* process, const std::string& line);
  void bury(Process* process);
  void give_up(long k, const std::string& reason);

  const StudyFolder* folder_;
  Maker maker_;
  std::vector<std::string> command_;
  int count_;
  std::vector<std::unique_ptr<Process>> processes_;
  std::vector<long> queue_;  // last first
  std::set<long> suspects_;  // under way together when a worker ended: driven one by one
  long left_ = 0;
  long deaths_ = 0;
  int idle_deaths_ = 0;  // in a row, of workers that had not begun a sample
  Merged* merged_ = nullptr;
  std::function<void(const SampleResult&)> on_result_;
  std::unique_ptr<JournalWriter> journal_;  // of samples that are given up
};

}  // namespace camber::study
