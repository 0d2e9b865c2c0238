#include "camber/study/samples_table.h"

#include <cmath>

#include "camber/core/require.h"

namespace camber::study {
namespace {

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv_cell(const TableColumn& column, std::size_t row) {
  switch (column.kind) {
    case TableColumn::Kind::kNumber:
      return std::isfinite(column.numbers[row]) ? concat(column.numbers[row]) : "";
    case TableColumn::Kind::kInteger:
      return concat(column.integers[row]);
    case TableColumn::Kind::kBoolean:
      return column.integers[row] != 0 ? "true" : "false";
    case TableColumn::Kind::kText:
      break;
  }
  return csv_text(column.texts[row]);
}

}  // namespace

SamplesTable make_samples_table(const StudyFolder& folder,
                                const std::map<long, SampleResult>& results) {
  using Kind = TableColumn::Kind;
  const Study& study = folder.study();
  SamplesTable table{.rows = results.size(), .columns = {}};
  TableColumn number{"sample", Kind::kInteger}, status{"status", Kind::kText},
      passed{"passed", Kind::kBoolean}, time{"simulated_time", Kind::kNumber},
      hash{"final_state_hash", Kind::kText}, reason{"reason", Kind::kText};
  std::vector<TableColumn> inputs, figures;
  for (const Input& input : study.inputs)
    inputs.push_back({input.name, input.distribution.is_text() ? Kind::kText : Kind::kNumber});
  for (const FigureInfo& figure : folder.facts().figures)
    figures.push_back({figure.name, Kind::kNumber});
  for (const auto& [k, result] : results) {
    number.integers.push_back(k);
    status.texts.emplace_back(name_of(result.status));
    passed.integers.push_back(result.passed ? 1 : 0);
    time.numbers.push_back(result.time);
    hash.texts.push_back(result.hash);
    reason.texts.push_back(result.reason);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Distribution& d = study.inputs[i].distribution;
      const double value = result.values[i];
      if (d.is_text())
        inputs[i].texts.push_back(value_text(study.inputs[i], value));
      else if (d.kind == DistributionKind::kChoice)
        inputs[i].numbers.push_back(d.values[static_cast<std::size_t>(value)]);
      else
        inputs[i].numbers.push_back(value);
    }
    for (std::size_t i = 0; i < figures.size(); ++i)
      figures[i].numbers.push_back(result.figures[i]);
  }
  table.columns = {number, status, passed};
  for (auto* list : {&inputs, &figures})
    table.columns.insert(table.columns.end(), list->begin(), list->end());
  for (const TableColumn* column : {&time, &hash, &reason}) table.columns.push_back(*column);
  return table;
}

std::string to_csv(const SamplesTable& table) {
  std::string text;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    text += (c == 0 ? "" : ",") + csv_text(table.columns[c].name);
  text += '\n';
  for (std::size_t row = 0; row < table.rows; ++row) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (c > 0) text += ',';
      text += csv_cell(table.columns[c], row);
    }
    text += '\n';
  }
  return text;
}

}  // namespace camber::study
