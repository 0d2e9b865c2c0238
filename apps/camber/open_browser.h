#pragma once

#include <memory>
#include <string>

namespace camber::app {

/// A file that only its owner can read and that leads a browser to an address. An address on the
/// command line of a browser would be seen by all users of the machine, with its token. The file
/// goes with this object.
class RedirectFile {
 public:
  /// Throws FileError.
  explicit RedirectFile(const std::string& url);
  ~RedirectFile();
  RedirectFile(const RedirectFile&) = delete;
  RedirectFile& operator=(const RedirectFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string folder_, path_;
};

/// Opens the address in the user's browser, if there is a screen and xdg-open; null otherwise.
std::unique_ptr<RedirectFile> open_browser(const std::string& url);

}  // namespace camber::app
