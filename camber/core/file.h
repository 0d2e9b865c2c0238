#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

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

/// The whole file, unchanged. Throws FileError if it is missing, a folder, unreadable, or longer
/// than max_bytes; no more than max_bytes are ever held in memory.
std::string read_file(const std::string& path, std::size_t max_bytes);

/// Reads a file of any length piece by piece. A piece is valid until the next one is read.
void read_file_in_pieces(const std::string& path,
                         const std::function<void(std::span<const std::byte>)>& take);

/// Records which files this thread reads during the lifetime of the object, so that a result can be
/// tied to its input files. Objects may be nested; each of them records.
class FileWatch {
 public:
  FileWatch();
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  /// The files, each once, in the order of their first reading.
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  friend void note_reading(const std::string& path);
  FileWatch* outer_;
  std::vector<std::string> paths_;
};

/// Adds a file to every active FileWatch. read_file() calls it; code that opens a file by other
/// means, or passes its name to a library, must call it too. Reading in pieces (for a hash) is not
/// recorded.
void note_reading(const std::string& path);

/// Makes `path` hold `text`, or throws FileError and leaves the old content: the text is written to
/// a new file beside it, synced to disk, and only then renamed. A link keeps pointing where it did;
/// a device or pipe (/dev/stdout) is written to directly.
void write_file_atomically(const std::string& path, std::string_view text);

/// Makes the folder and those above it, where they are missing. Throws FileError.
void make_folders(const std::string& path);

}  // namespace camber
