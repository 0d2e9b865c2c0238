#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace camber {

/// A file that cannot be read or written: "runs/a.csv: cannot write: No space left on device".
class FileError : public std::runtime_error {
 public:
  FileError(const std::string& path, const std::string& reason)
      : std::runtime_error(path + ": " + reason), reason_(reason) {}

  /// The message without the file's name.
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

/// The whole file as it is. Throws FileError when it is missing, a folder, unreadable, or longer
/// than max_bytes; no more than that is ever held.
std::string read_file(const std::string& path, std::size_t max_bytes);

/// Makes `path` hold `text`, or throws FileError and leaves what was there, whatever happens in
/// between: the text goes to a new file beside it, to the disk, and only then takes the name.
/// A link keeps pointing where it did; a device or pipe (/dev/stdout) is written to directly.
void write_file_atomically(const std::string& path, std::string_view text);

/// Makes the folder and those above it, where they are missing. Throws FileError.
void make_folders(const std::string& path);

}  // namespace camber
