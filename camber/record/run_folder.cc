#include "camber/record/run_folder.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <utility>

#include "camber/core/file.h"
#include "camber/core/require.h"

namespace camber::record {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxNumber = 999'999;

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw FileError(path, "cannot make the folder: " + reason);
}

void make_parents(const std::string& path) {
  std::error_code error;
  const fs::path parent = fs::path(path).parent_path();
  if (!parent.empty()) fs::create_directories(parent, error);
  if (error) fail(path, error.message());
}

// False if something is there.
bool make_new(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) == 0) return true;
  if (errno == EEXIST) return false;
  fail(path, std::generic_category().message(errno));
}

// 12 of "mule-012", 0 of what is named otherwise.
int number_of(std::string_view entry, const std::string& name) {
  if (!entry.starts_with(name + "-")) return 0;
  const std::string_view digits = entry.substr(name.size() + 1);
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  return whole && number <= kMaxNumber ? number : 0;
}

std::string numbered(const std::string& name, int number) {
  std::string digits = std::to_string(number);
  digits.insert(0, digits.size() < 3 ? 3 - digits.size() : 0, '0');
  return name + "-" + digits;
}

}  // namespace

RunFolder::RunFolder(std::string path) : path_(std::move(path)) {}

RunFolder RunFolder::make_numbered(const std::string& parent, const std::string& name) {
  require(!name.empty() && name.find('/') == std::string::npos, "run folder: \"", name,
          "\" is not a name");
  const fs::path folder = parent.empty() ? "." : parent;
  make_parents((folder / name).string());
  std::error_code error;
  int highest = 0;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    highest = std::max(highest, std::abs(number_of(entry.path().filename().string(), name)));
  }
  if (error) fail(folder.string(), error.message());
  for (int number = highest + 1; number <= kMaxNumber; ++number) {
    const std::string path = (folder / numbered(name, number)).string();
    if (make_new(path)) return RunFolder(path);
  }
  fail((folder / name).string(), "no number is left");
}

RunFolder RunFolder::make_at(const std::string& path) {
  require(!path.empty(), "run folder: the path is empty");
  make_parents(path);
  if (!make_new(path)) {
    std::error_code error;
    require(fs::is_directory(path, error), path, ": is there and no folder");
    const bool empty = fs::is_empty(path, error);
    if (error) fail(path, error.message());
    require(empty, path, ": the folder is not empty; remove it or choose another");
  }
  return RunFolder(path);
}

void RunFolder::write_summary(std::string_view json) const {
  write_file_atomically(summary_path(), json);
}

void RunFolder::write_report(std::string_view html) const {
  write_file_atomically(report_path(), html);
}

}  // namespace camber::record
