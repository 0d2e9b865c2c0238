#include "apps/camber/open_browser.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "camber/core/file.h"

namespace camber::app {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != 0;
}

}  // namespace

RedirectFile::RedirectFile(const std::string& url) {
  std::string parent = "/tmp";
  for (const char* variable : {"TMPDIR", "XDG_RUNTIME_DIR"})
    if (is_set(variable)) parent = std::getenv(variable);
  std::string folder = parent + "/camber-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr)  // mode 0700
    throw FileError(folder, std::string("cannot make the folder: ") + std::strerror(errno));
  folder_ = folder;
  path_ = folder + "/open.html";
  const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) throw FileError(path_, std::string("cannot write: ") + std::strerror(errno));
  // The address has nothing but digits, letters and :/#=.
  const std::string text =
      "<!doctype html><meta charset=\"utf-8\"><title>camber</title>"
      "<meta http-equiv=\"refresh\" content=\"0; url=" +
      url + "\"><a href=\"" + url + "\">camber</a>\n";
  const bool is_whole =
      ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(file);
  if (!is_whole) throw FileError(path_, "cannot write");
}

RedirectFile::~RedirectFile() {
  ::unlink(path_.c_str());
  ::rmdir(folder_.c_str());
}

std::unique_ptr<RedirectFile> open_browser(const std::string& url) {
  if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) return nullptr;
  auto redirect = std::make_unique<RedirectFile>(url);
  // Twice, so that the browser is nobody's child and nobody waits for it.
  const pid_t child = ::fork();
  if (child == 0) {
    ::setsid();
    if (::fork() == 0) {
      const int nothing = ::open("/dev/null", O_RDWR);
      for (const int file : {0, 1, 2}) ::dup2(nothing, file);
      ::execlp("xdg-open", "xdg-open", redirect->path().c_str(), nullptr);
      ::_exit(127);
    }
    ::_exit(0);
  }
  if (child > 0) ::waitpid(child, nullptr, 0);
  return redirect;
}

}  // namespace camber::app
