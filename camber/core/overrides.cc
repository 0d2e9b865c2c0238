#include "camber/core/overrides.h"

#include <algorithm>
#include <stdexcept>

#include "camber/core/diagnostics.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/core/toml_override.h"

namespace camber {
namespace {

bool is_part_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

/// The length of "vehicle" in "vehicle:axles.front.track=1.9"; 0 if the text does not start with a
/// part.
std::size_t part_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && is_part_letter(text[length])) ++length;
  return length < text.size() && text[length] == ':' ? length : 0;
}

}  // namespace

Overrides::Overrides(std::span<const std::string> assignments) {
  for (const std::string& text : assignments) add(text, "--set ");
}

Overrides::Overrides(std::span<const std::string> assignments, const Position& file) {
  for (const std::string& text : assignments)
    add(text, concat(file.file, ":", file.line, ": set "));
}

void Overrides::add(const std::string& text, std::string_view before) {
  Assignment next{.text = text,
                  .part = text.substr(0, part_length(text)),
                  .value = text,
                  .place = concat(before, text)};
  if (!next.part.empty()) next.value.erase(0, next.part.size() + 1);
  require(internal::find_equals(next.value) != std::string::npos, next.place,
          ": expected KEY=VALUE or PART:KEY=VALUE");
  internal::Assignment parsed;
  const std::string problem = internal::parse_assignment(next.value, &parsed);
  require(problem.empty(), next.place, ": ", problem);
  assignments_.push_back(std::move(next));
}

Overrides Overrides::of(std::string_view name) const {
  const std::string prefix = concat(name, ".");
  Overrides result;
  for (Assignment assignment : assignments_) {
    if (assignment.part.starts_with(prefix))
      assignment.part.erase(0, prefix.size());
    else if (!assignment.part.empty())
      continue;
    result.assignments_.push_back(std::move(assignment));
  }
  return result;
}

void Overrides::append(const Overrides& more) {
  assignments_.insert(assignments_.end(), more.assignments_.begin(), more.assignments_.end());
}

std::vector<std::string> Overrides::texts() const {
  std::vector<std::string> result;
  for (const Assignment& assignment : assignments_) result.push_back(assignment.text);
  return result;
}

std::vector<std::string> Overrides::parts() const {
  std::vector<std::string> result;
  for (const Assignment& assignment : assignments_) {
    if (!assignment.part.empty() && std::ranges::find(result, assignment.part) == result.end())
      result.push_back(assignment.part);
  }
  return result;
}

void Overrides::apply(std::string_view part, TomlFile* file) const {
  for (const Assignment& assignment : assignments_) {
    if (assignment.part == part) file->set(assignment.value, assignment.place);
  }
}

void Overrides::require_parts(std::span<const std::string_view> known) const {
  const std::vector<std::string> names(known.begin(), known.end());
  std::string list;
  for (const std::string& name : names) list += concat(list.empty() ? "" : ", ", name);
  Diagnostics diagnostics;
  for (const Assignment& assignment : assignments_) {
    if (assignment.part.empty() || std::ranges::find(names, assignment.part) != names.end())
      continue;
    const std::string hint = did_you_mean(assignment.part, names);
    diagnostics.error({.file = assignment.place},
                      concat("there is no part \"", assignment.part, "\"",
                             names.empty()  ? ": this file names no other files"
                             : hint.empty() ? concat("; it is one of ", list)
                                            : hint));
  }
  diagnostics.throw_if_any();
}

void Overrides::refuse(std::string_view part, std::string_view reason) const {
  Diagnostics diagnostics;
  for (const Assignment& assignment : assignments_) {
    if (assignment.part == part) diagnostics.error({.file = assignment.place}, reason);
  }
  diagnostics.throw_if_any();
}

TomlFile load_toml(const std::string& path, const Overrides& overrides, std::string_view part) {
  TomlFile file = load_toml(path);
  overrides.apply(part, &file);
  return file;
}

}  // namespace camber
