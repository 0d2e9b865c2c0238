#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "camber/core/toml_reader.h"

namespace camber {

/// Values that replace those of files, as the option --set gives them: "KEY=VALUE" for the file
/// that is loaded, "PART:KEY=VALUE" for a file that it names (a scenario's vehicle, tire, terrain):
///
///   const Overrides overrides({"run.duration=4", "vehicle:axles.front.spring.stiffness=170e3"});
///   TomlFile scenario = load_toml("scenarios/step-steer.toml", overrides);
///   TomlFile vehicle = load_toml("models/hmmwv.toml", overrides, "vehicle");
///
/// Messages about such a value show "--set ASSIGNMENT" as its place.
class Overrides {
 public:
  Overrides() = default;
  /// A part is a word of letters, digits, '_', '-' and '.' before the first ':', which comes before
  /// the '='. Throws std::invalid_argument for a text that is not an assignment.
  explicit Overrides(std::span<const std::string> assignments);
  Overrides(const std::vector<std::string>& assignments)  // NOLINT(google-explicit-constructor)
      : Overrides(std::span(assignments)) {}
  Overrides(std::initializer_list<std::string> assignments)  // NOLINT(google-explicit-constructor)
      : Overrides(std::span(assignments.begin(), assignments.size())) {}

  /// Assignments that a file makes: messages show "FILE:LINE: set ASSIGNMENT" as their place.
  Overrides(std::span<const std::string> assignments, const Position& file);

  bool empty() const { return assignments_.empty(); }
  /// The assignments as they were given.
  std::vector<std::string> texts() const;
  /// The parts that are named, each once, in the order of their first assignments.
  std::vector<std::string> parts() const;

  /// Those of the main file, and those of the parts "NAME.PART" as parts "PART": what concerns one of
  /// several vehicles.
  Overrides of(std::string_view name) const;
  void append(const Overrides& more);

  /// Sets the values of one part in its file, in the order in which they were given; "" is the main
  /// file. To be called before anything is read from the file. Mistakes are noted in the file.
  void apply(std::string_view part, TomlFile* file) const;

  /// Throws ModelFileError at each assignment whose part is not one of `known`.
  void require_parts(std::span<const std::string_view> known) const;
  /// Throws ModelFileError at each assignment of this part, with a reason such as "a .tir file has
  /// no keys that --set could change".
  void refuse(std::string_view part, std::string_view reason) const;

 private:
  struct Assignment {
    std::string text;   // as given
    std::string part;   // empty: the main file
    std::string value;  // KEY=VALUE
    std::string place;  // that messages show
  };
  void add(const std::string& text, std::string_view before);

  std::vector<Assignment> assignments_;
};

/// Reads and parses a file, with the values that overrides set in this part.
TomlFile load_toml(const std::string& path, const Overrides& overrides, std::string_view part = "");

}  // namespace camber
