#include "camber/core/file_reference.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"

namespace camber {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kNoFile = "cannot read: No such file or directory";

/// Why a path is not that of a regular file; empty if it is.
std::string find_file_problem(const std::string& path) {
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  switch (type) {
    case fs::file_type::regular:
      return "";
    case fs::file_type::not_found:
      return std::string(kNoFile);
    case fs::file_type::none:
      return concat("cannot read: ", error.message());
    case fs::file_type::directory:
      return "is a folder, expected a file";
    default:
      return "is a pipe or a device, expected a file";
  }
}

std::string did_you_mean_file(const fs::path& path) {
  std::vector<std::string> names;
  std::error_code problem;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (const auto& entry : fs::directory_iterator(folder, problem))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return did_you_mean(path.filename().string(), names);
}

void check_kind(const TomlNode& node, const std::string& path, std::string_view kind) {
  try {
    TomlFile file = load_toml(path);
    const TomlNode found = file.root().find("kind");
    const std::string text = found && found.is_text() ? found.text() : "";
    if (text != kind)
      node.error(
          concat(path, " is not of kind \"", kind, "\"", text.empty() ? "" : ", but of ", text));
  } catch (const ModelFileError& error) {
    node.error(to_text(error.diagnostics().front()));
  }
}

}  // namespace

std::string folder_of(const std::string& file) { return fs::path(file).parent_path().string(); }

std::string read_file_reference(const TomlNode& node, const std::string& folder,
                                std::string_view kind) {
  const std::string text = node.text();
  if (text.empty()) {
    if (node.is_text()) node.error("expected the name of a file");
    return "";
  }
  std::string path = (fs::path(folder) / text).lexically_normal().string();
  if (const std::string problem = find_file_problem(path); !problem.empty()) {
    node.error(problem == kNoFile ? concat("there is no file ", path, did_you_mean_file(path))
                                  : concat(path, ": ", problem));
    return path;
  }
  if (!kind.empty()) check_kind(node, path, kind);
  return path;
}

void require_regular_file(const std::string& path) {
  if (const std::string problem = find_file_problem(path); !problem.empty())
    throw FileError(path, problem);
}

}  // namespace camber
