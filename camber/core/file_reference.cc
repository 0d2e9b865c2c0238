#include "camber/core/file_reference.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "camber/core/require.h"
#include "camber/core/suggestion.h"

namespace camber {

namespace fs = std::filesystem;

namespace {

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
  std::error_code problem;
  if (!fs::is_regular_file(path, problem)) {
    node.error(concat("there is no file ", path, did_you_mean_file(path)));
    return path;
  }
  if (!kind.empty()) check_kind(node, path, kind);
  return path;
}

}  // namespace camber
