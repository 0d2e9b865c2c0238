#pragma once

// Reference tables of test/data.

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace camber::terrain {

using CsvRow = std::vector<std::string>;

/// Rows after the heading; lines that start with # are comments, commas inside quotes are text.
inline std::vector<CsvRow> read_table(const std::string& name) {
  std::ifstream file("camber/terrain/test/data/" + name);
  EXPECT_TRUE(file.good()) << name;
  std::vector<CsvRow> rows;
  bool heading = true;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    CsvRow row(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        row.emplace_back();
      } else {
        row.back() += c;
      }
    }
    if (!heading) rows.push_back(row);
    heading = false;
  }
  EXPECT_FALSE(rows.empty()) << name;
  return rows;
}

/// "name": { "key": number, ... } of a JSON file as flat as ref_rigid_wheel_cases.json.
inline double json_number(const std::string& text, const std::string& object,
                          const std::string& key) {
  const std::size_t at = text.find('"' + object + '"');
  EXPECT_NE(at, std::string::npos) << object;
  const std::size_t k = text.find('"' + key + '"', at);
  EXPECT_NE(k, std::string::npos) << key;
  return std::stod(text.substr(text.find(':', k) + 1));
}

}  // namespace camber::terrain
