#include "apps/camber/interrupt.h"

#include <cmath>
#include <iterator>

#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::app {
namespace {

volatile std::sig_atomic_t noted_signal = 0;

void note(int signal) { noted_signal = signal; }

const char* signal_name(int signal) {
  switch (signal) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    case SIGHUP:
      return "SIGHUP";
    default:
      return "signal";
  }
}

}  // namespace

int InterruptGuard::signal() { return noted_signal; }

void InterruptGuard::forget() { noted_signal = 0; }

InterruptGuard::InterruptGuard() {
  noted_signal = 0;
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    struct sigaction action {};
    sigemptyset(&action.sa_mask);
    if (kSignals[i] == SIGXFSZ) {
      action.sa_handler = SIG_IGN;
    } else {
      action.sa_handler = note;
      action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    }
    ::sigaction(kSignals[i], &action, &before_[i]);
    // What the parent ignores (nohup) stays ignored.
    if (before_[i].sa_handler == SIG_IGN) ::sigaction(kSignals[i], &before_[i], nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    ::sigaction(kSignals[i], &before_[i], nullptr);
  }
}

std::string interrupted_text(int signal, double time, double duration) {
  std::string text =
      concat("interrupted (", signal_name(signal), ") at t = ", short_text(time), " s");
  if (duration > 0.0) {
    text +=
        concat(" of ", short_text(duration), " s (", std::floor(100.0 * time / duration), " %)");
  }
  return text;
}

}  // namespace camber::app
