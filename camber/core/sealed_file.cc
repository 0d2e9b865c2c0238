#include "camber/core/sealed_file.h"

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "camber/core/file.h"
#include "camber/core/hash.h"
#include "camber/core/require.h"

namespace camber {
namespace {

constexpr std::string_view kMark = "\ncamber seal ";
constexpr std::size_t kMaxBytes = std::size_t{1} << 28;

std::string make_seal(std::string_view contents) {
  const std::uint64_t hash = fnv1a64(std::as_bytes(std::span(contents)));
  return concat(kMark, contents.size(), " ", hash_text(hash), "\n");
}

std::string mode_text(mode_t mode) {
  char text[16];
  std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(mode & 07777));
  return text;
}

/// Whether users other than the effective one can write. The group counts unless it is the user's
/// own: systems that give each user a group of the same number let that group write.
bool is_open_to_others(const struct stat& status) {
  const bool is_own_group = status.st_gid == ::getegid() && ::getegid() == ::geteuid();
  return (status.st_mode & S_IWOTH) != 0 || ((status.st_mode & S_IWGRP) != 0 && !is_own_group);
}

/// read_file() would count the file among those that a result depends on.
std::string read_contents(const std::filesystem::path& path) {
  std::string text;
  read_file_in_pieces(path.string(), [&](std::span<const std::byte> piece) {
    if (text.size() + piece.size() > kMaxBytes) throw FileError(path.string(), "is too long");
    text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  return text;
}

}  // namespace

std::optional<std::string> find_risk(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::path at = std::filesystem::canonical(folder, error);
  if (error) return concat(folder.string(), ": ", error.message());
  for (bool is_first = true;; is_first = false, at = at.parent_path()) {
    struct stat status {};
    if (::lstat(at.c_str(), &status) != 0)
      return concat(at.string(), ": ", std::generic_category().message(errno));
    const bool has_owner = status.st_uid == ::geteuid() || (!is_first && status.st_uid == 0);
    if (!has_owner)
      return concat(at.string(), " belongs to another user (user id ", status.st_uid, ")");
    const bool is_sticky = !is_first && (status.st_mode & S_ISVTX) != 0;
    if (is_open_to_others(status) && !is_sticky)
      return concat(at.string(), " can be written by others (mode ", mode_text(status.st_mode),
                    ")");
    if (!at.has_relative_path()) return {};
  }
}

void seal_file(const std::filesystem::path& path) {
  const std::string contents = read_contents(path);
  write_file_atomically(path.string(), contents + make_seal(contents));
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 ||
      ::chmod(path.c_str(), status.st_mode & ~(S_IWGRP | S_IWOTH)) != 0)
    throw FileError(path.string(), std::generic_category().message(errno));
}

bool is_sealed(const std::filesystem::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_uid != ::geteuid() || is_open_to_others(status))
    return false;
  std::string text;
  try {
    text = read_contents(path);
  } catch (const FileError&) {
    return false;
  }
  const std::size_t mark = text.rfind(kMark);
  if (mark == std::string::npos) return false;
  return std::string_view(text).substr(mark) == make_seal(std::string_view(text).substr(0, mark));
}

}  // namespace camber
