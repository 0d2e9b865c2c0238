#include "apps/camber/progress_bar.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unistd.h>

#include <sys/ioctl.h>

namespace camber::app {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr int kMaxBar = 30;

// Past the C++ streams, so that nothing is held back and stdout is never touched. A terminal that
// is gone must not end a run.
void write_to_terminal(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

bool can_draw() {
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

int terminal_width() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

template <class... Values>
std::string print(const char* format, Values... values) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

std::string clock_text(double seconds) {
  constexpr double kYear = 365.25 * 86400;
  if (!(seconds < kYear)) return "a long time";
  const long s = std::lround(seconds);
  if (s < 3600) return print("%ld:%02ld", s / 60, s % 60);
  return print("%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace

std::string progress_text(double time, double duration, double wall, int width) {
  const bool is_known = duration > 0.0 && std::isfinite(duration);
  const double fraction = is_known ? std::clamp(time / duration, 0.0, 1.0) : 0.0;
  std::string text = print("t = %.6g s", time);
  if (wall > 0.0 && time > 0.0) {
    text += print("  %.3g x real time", time / wall);
    if (is_known && fraction > 0.0) {
      text.append("  ").append(clock_text(wall * (1.0 - fraction) / fraction)).append(" left");
    }
  }
  if (is_known) {
    text = print("%3d %%  ", static_cast<int>(100.0 * fraction)) + text;
    const int room = std::min(kMaxBar, width - static_cast<int>(text.size()) - 4);
    if (room >= 5) {
      // Appended, where g++ 12 warns at -O3 of text put in front (gcc.gnu.org/PR105651).
      const auto full = static_cast<std::size_t>(room * fraction);
      std::string bar = "[";
      bar.append(full, '#').append(static_cast<std::size_t>(room) - full, ' ').append("] ");
      text = bar.append(text);
    }
  }
  // One column stays free: a full line would wrap, and could not be taken back.
  text.resize(std::min(text.size(), static_cast<std::size_t>(std::max(0, width - 1))));
  return text;
}

ProgressBar::ProgressBar(double duration)
    : duration_(duration),
      is_shown_(can_draw()),
      start_(Clock::now()),
      last_draw_(start_ - kInterval) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::draw_if_due(double time) {
  const auto now = Clock::now();
  if (now - last_draw_ < kInterval) return;
  last_draw_ = now;
  is_drawn_ = true;
  const double wall = std::chrono::duration<double>(now - start_).count();
  // Back to the first column, the text, and nothing after it.
  std::string line = "\r";
  line.append(progress_text(time, duration_, wall, terminal_width())).append("\x1b[K");
  write_to_terminal(line);
}

void ProgressBar::clear() {
  if (is_drawn_) write_to_terminal("\r\x1b[K");
  is_drawn_ = false;
}

}  // namespace camber::app
