#pragma once

// The folder of a study. It is self-contained: it can be mailed, and driven on another machine.
//   study.json       what the study is: id, files with hashes, figures, program, machine
//   files/           copies of all files that the study reads
//   journal/         one file per attempt of a worker: the only truth about what was driven
//   generations/     samples of adaptive plans, one file per generation
//   samples.csv, samples.parquet, summary.json, report.html: made from the above at any time
//   runs/            samples that were driven again, with log and report

#include <memory>
#include <string>
#include <vector>

#include "camber/study/check_study.h"
#include "camber/study/journal.h"
#include "camber/study/sample.h"

namespace camber::study {

/// The program and machine that produce results: written into the study's folder and each journal.
struct Maker {
  std::string program;            // "camber 0.1.0"
  std::string build = {};         // hash of the file of the program, or of the module
  std::string instructions = {};  // "avx512", "avx2", "sse2"
  std::string host = {};          // name of the machine
  std::string machine = {};       // its processor
};
/// Of this process.
Maker find_maker(const std::string& program);

class StudyFolder {
 public:
  /// Makes the folder, or takes it if it is empty or holds the same study. Throws
  /// std::invalid_argument if it holds something else, FileError if it cannot be written.
  static StudyFolder create(const std::string& path, const CheckedStudy& checked,
                            const Maker& maker);
  /// Reads a study from its own copies. Throws std::invalid_argument if the folder holds no study.
  static StudyFolder open(const std::string& path);

  const std::string& path() const { return path_; }
  const std::string& id() const { return id_; }
  const Study& study() const { return study_; }
  const StudyFacts& facts() const { return facts_; }

  std::string journals() const { return path_ + "/journal"; }
  std::string generations() const { return path_ + "/generations"; }
  std::string stop_path() const { return path_ + "/stop"; }
  JournalHead journal_head(const Maker& maker) const;
  /// The command that drives sample k again, with log and report.
  std::string rerun_command(long k) const;

  /// Generation files of adaptive plans.
  void write_generation(int number, const std::vector<Sample>& samples) const;
  /// Samples of all generations so far.
  std::vector<Sample> read_generations() const;
  /// Numbers of the samples of the last generation so far.
  std::vector<long> last_generation() const;

 private:
  std::string path_, id_;
  Study study_;
  StudyFacts facts_;
};

/// Makes any sample of a study that is known so far.
class SampleMaker {
 public:
  explicit SampleMaker(const StudyFolder* folder);
  ~SampleMaker();
  SampleMaker(SampleMaker&&) noexcept;
  /// Throws std::invalid_argument if there is no such sample.
  Sample sample(long k);
  /// Samples that are known: all of a plan, or those of the generations so far.
  long size();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace camber::study
