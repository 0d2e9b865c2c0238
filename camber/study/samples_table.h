#pragma once

#include <map>
#include <string>
#include <vector>

#include "camber/study/study_folder.h"

namespace camber::study {

/// A column of numbers, whole numbers, words or truth values.
struct TableColumn {
  enum class Kind { kNumber, kInteger, kText, kBoolean };
  std::string name;
  Kind kind = Kind::kNumber;
  std::vector<double> numbers = {};         // kNumber, NaN: none
  std::vector<std::int64_t> integers = {};  // kInteger, kBoolean
  std::vector<std::string> texts = {};      // kText
};

/// One row per sample: its number, status, inputs, figures, how long it drove, the hash of its final
/// state.
struct SamplesTable {
  std::size_t rows = 0;
  std::vector<TableColumn> columns;
};

SamplesTable make_samples_table(const StudyFolder& folder,
                                const std::map<long, SampleResult>& results);

/// After RFC 4180, with a line of names; numbers read back to the same bits, none is empty.
std::string to_csv(const SamplesTable& table);

}  // namespace camber::study
