#include "camber/core/run_table.h"

namespace camber {

RunTable read_run_table(const TomlNode& root) {
  RunTable table;
  const TomlNode run = root.find("run");
  if (!run) return table;
  const auto read = [&](const char* key, const char* unit, std::optional<double>* value) {
    if (const TomlNode node = run.find(key)) *value = node.positive(unit);
  };
  const auto read_word = [&](const char* key, std::initializer_list<std::string_view> words,
                             std::string* value) {
    if (const TomlNode node = run.find(key)) *value = node.choice(words);
  };
  read("duration", "s", &table.duration);
  read("step", "s", &table.step);
  read("sample_interval", "s", &table.sample_interval);
  read("tolerance", "", &table.tolerance);
  read_word("method", {"rk4", "euler", "midpoint", "dopri", "adams", "bdf"}, &table.method);
  read_word("formulation", {"ce", "ta", "fa", "uk", "generated"}, &table.formulation);
  read_word("stabilization", {"projection", "baumgarte", "none"}, &table.stabilization);
  read("stabilization_rate", "1/s", &table.stabilization_rate);
  if (const TomlNode rate = run.find("stabilization_rate");
      rate && table.stabilization != "baumgarte")
    rate.error("goes with run.stabilization = \"baumgarte\"");
  return table;
}

}  // namespace camber
