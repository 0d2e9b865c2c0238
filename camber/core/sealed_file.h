#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace camber {

/// Files that a program writes for itself and will trust later, such as compiled code: a seal (a
/// checksum of the contents) is the last line of such a file, and only the user who runs the program
/// can have written it. The seal finds damage; owner and mode keep other users out.

/// Why `folder` is not safe for files that will be trusted, as a phrase such as "/tmp/x can be
/// written by others (mode 0777)"; nothing if it is safe. Safe: the folder belongs to the effective
/// user, all folders above it to that user or root, and no other user can write to any of them
/// (folders above may have the sticky bit instead, as /tmp has).
std::optional<std::string> find_risk(const std::filesystem::path& folder);

/// Appends the seal to a file and takes write permission for others away. Throws FileError.
void seal_file(const std::filesystem::path& path);

/// Whether `path` is a file, not a link, of the effective user, that no other user can write and
/// whose contents have the checksum of its seal.
bool is_sealed(const std::filesystem::path& path);

}  // namespace camber
