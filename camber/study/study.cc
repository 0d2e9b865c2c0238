#include "camber/study/study.h"

#include <array>

#include "camber/core/random.h"
#include "camber/core/require.h"

namespace camber::study {

std::string_view name_of(PlanKind kind) {
  static constexpr std::array<std::string_view, 13> kNames = {
      "grid",          "list",   "random",   "latin",     "sobol",
      "one_at_a_time", "morris", "saltelli", "factorial", "central_composite",
      "optimize",      "subset", "limit"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<double> values_of(const Study& study, std::vector<double> u) {
  require(u.size() == study.inputs.size(), "values_of: ", u.size(), " numbers for ",
          study.inputs.size(), " inputs");
  study.copula.apply(u);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = quantile(study.inputs[i].distribution, u[i]);
  return u;
}

std::string value_text(const Input& input, double value) {
  const Distribution& d = input.distribution;
  if (d.kind != DistributionKind::kChoice) return concat(value);
  const auto index = static_cast<std::size_t>(value);
  return d.is_text() ? d.texts[index] : concat(d.values[index]);
}

namespace {

std::string quoted(const std::string& text) {
  if (text == "true" || text == "false") return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

}  // namespace

std::vector<std::string> assignments_of(const Study& study, const std::vector<double>& values,
                                        std::optional<std::uint64_t> drive_seed) {
  std::vector<std::string> list = study.assignments;
  for (std::size_t i = 0; i < study.inputs.size(); ++i) {
    const Input& input = study.inputs[i];
    const std::string text = value_text(input, values[i]);
    for (const std::string& key : input.keys)
      list.push_back(concat(key, "=", input.distribution.is_text() ? quoted(text) : text));
  }
  if (drive_seed) list.push_back(concat("run.seed=", *drive_seed));
  return list;
}

std::optional<std::uint64_t> drive_seed(const Study& study, std::uint64_t number) {
  if (study.has_common_seed) return std::nullopt;
  return RandomStream(study.seed).substream("drive", number).bits() >>
         1;  // TOML's integers are signed
}

}  // namespace camber::study
