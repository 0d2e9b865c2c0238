#pragma once

// Readers of the tables of a study's file, for study_file.cc.

#include <string>
#include <string_view>
#include <vector>

#include "camber/core/toml_reader.h"
#include "camber/study/study.h"

namespace camber::study::internal {

inline constexpr long kMaxSamples = 100'000'000;

/// A file that is being read, and the study that it becomes.
struct Reading {
  TomlNode root;
  Study* study;

  void mention(const TomlNode& node, const std::string& figure) const {
    study->mentions.push_back({figure, node.position()});
  }
  std::string read_figure(const TomlNode& table, const char* key = "figure") const {
    const TomlNode node = table.at(key);
    const std::string figure = node.text();
    mention(node, figure);
    return figure;
  }
};

/// The number of the input of this name, or with this key; -1 if there is none.
int find_input(const Study& study, const std::string& name);
std::vector<std::string> input_names(const Study& study);

/// [plan]; inputs and correlations are read before.
void read_plan(const Reading& in);

}  // namespace camber::study::internal
