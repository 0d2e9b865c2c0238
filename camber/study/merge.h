#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "camber/study/journal.h"
#include "camber/study/study_folder.h"

namespace camber::study {

/// Two different results of one sample: another build, another kind of processor, a broken machine.
struct Conflict {
  long k = 0;
  std::string first, second;  // paths of the journals
};

/// All journals of a study as one.
struct Merged {
  std::map<long, SampleResult> results;
  long repeats = 0;                      // equal results that were dropped
  std::vector<Conflict> conflicts = {};  // the first result is kept
  long torn = 0;                         // journals whose last line is not whole
  long damaged = 0;                      // lines elsewhere that are not whole
  long journals = 0;
  std::map<long, int> died = {};   // samples that ended their worker, and how often
  std::map<long, int> begun = {};  // samples whose worker was ended from outside, and how often
  std::set<std::string> builds = {}, kernels = {}, instructions = {}, hosts = {};
};

/// Reads every journal of the study. Idempotent, in the order of names. Throws std::invalid_argument
/// if a journal belongs to another study.
Merged merge_journals(const StudyFolder& folder);

/// Adds one result, as reading it from `journal` would.
void add_result(SampleResult result, const std::string& journal, Merged* merged);

/// Whether a sample without a result has ended its worker too often: by its own signal more often
/// than failure.retries, or without a record (killed, out of memory) eight times. The reason, or
/// nothing.
std::string find_crash(const Study& study, const Merged& merged, long k);

/// The result of such a sample.
SampleResult make_crashed(const StudyFacts& facts, const Sample& sample, std::string reason);

}  // namespace camber::study
