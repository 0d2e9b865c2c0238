#include "camber/study/merge.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::study {
namespace {

constexpr int kMaxKilled = 8;

/// What an attempt could not finish; another attempt may, and reasons may differ.
bool is_given_up(const SampleResult& result) {
  return result.status == SampleStatus::kCrashed || result.status == SampleStatus::kTimedOut;
}

}  // namespace

void add_result(SampleResult result, const std::string& journal, Merged* merged) {
  const long k = result.k;
  const auto [at, is_new] = merged->results.try_emplace(k, std::move(result));
  if (is_new) return;
  // try_emplace has left `result` alone, as the sample was there.
  SampleResult& known = at->second;
  const bool is_conflict =
      !is_given_up(known) && !is_given_up(result) && to_text(known) != to_text(result);
  if (is_conflict) {
    merged->conflicts.push_back({.k = k, .first = "", .second = journal});
    return;
  }
  ++merged->repeats;
  // An answer counts more than a sample that was given up.
  if (is_given_up(known) && !is_given_up(result)) known = std::move(result);
}

Merged merge_journals(const StudyFolder& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder.journals()))
    if (entry.path().extension() == ".jsonl") paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  Merged merged;
  std::map<long, std::string> origins;
  for (const std::string& path : paths) {
    Journal journal = read_journal(path);
    ++merged.journals;
    merged.torn += journal.is_torn ? 1 : 0;
    merged.damaged += journal.damaged;
    if (journal.head.study.empty()) continue;  // died before its first line
    require(journal.head.study == folder.id(), path, ": is a journal of another study (",
            journal.head.study, ", not ", folder.id(), ")");
    merged.builds.insert(journal.head.build);
    merged.kernels.insert(journal.head.kernel);
    merged.instructions.insert(journal.head.instructions);
    merged.hosts.insert(journal.head.host);
    for (const auto& [k, count] : journal.died) merged.died[k] += count;
    for (const auto& [k, count] : journal.begun) merged.begun[k] += count;
    for (SampleResult& result : journal.results) {
      const long k = result.k;
      const std::size_t conflicts = merged.conflicts.size();
      add_result(std::move(result), path, &merged);
      if (merged.conflicts.size() > conflicts) merged.conflicts.back().first = origins[k];
      origins.try_emplace(k, path);
    }
  }
  return merged;
}

std::string find_crash(const Study& study, const Merged& merged, long k) {
  const auto count = [&](const std::map<long, int>& list) {
    const auto at = list.find(k);
    return at == list.end() ? 0 : at->second;
  };
  const int died = count(merged.died), begun = count(merged.begun);
  if (died > study.failure.retries) return concat("ended its worker ", count_text(died, "time"));
  if (begun >= kMaxKilled)
    return concat("its worker was killed ", count_text(begun, "time"), " while it was driven");
  return "";
}

SampleResult make_crashed(const StudyFacts& facts, const Sample& sample, std::string reason) {
  SampleResult result{.k = sample.k,
                      .status = SampleStatus::kCrashed,
                      .reason = std::move(reason),
                      .values = sample.values};
  result.figures.assign(facts.figures.size(), std::numeric_limits<double>::quiet_NaN());
  return result;
}

}  // namespace camber::study
