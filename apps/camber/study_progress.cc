#include "apps/camber/study_progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <unistd.h>

#include <sys/ioctl.h>

#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::app {
namespace {

std::string time_left(double seconds) {
  char text[32];
  const long s = std::lround(std::min(seconds, 1e8));
  if (s >= 3600)
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
  else
    std::snprintf(text, sizeof text, "%ld:%02ld", s / 60, s % 60);
  return text;
}

int terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string study_progress_text(long done, long total, long done_here, double wall, long passed,
                                long answers, const std::string& tail) {
  constexpr int kBar = 16;
  const int filled = total > 0 ? static_cast<int>(kBar * done / total) : 0;
  std::string text =
      concat("[", std::string(static_cast<std::size_t>(filled), '#'),
             std::string(static_cast<std::size_t>(kBar - filled), ' '), "]  ", done, " of ", total);
  if (done_here > 0 && wall > 0) {
    const double rate = static_cast<double>(done_here) / wall;
    text += concat("  ", short_text(rate, 3), " / s  ",
                   time_left(static_cast<double>(total - done) / rate), " left");
  }
  if (answers > 0)
    text += concat(
        "  ", short_text(100.0 * static_cast<double>(passed) / static_cast<double>(answers), 3),
        " % pass");
  return tail.empty() ? text : concat(text, "  ", tail);
}

StudyProgress::StudyProgress(const study::Study& study, const study::StudyFacts& facts)
    : is_shown_(isatty(STDERR_FILENO) == 1), start_(Clock::now()), next_draw_{} {
  // The figure that the study asks for first, or the first of the scenario.
  if (!facts.figures.empty()) figure_ = facts.figures.front().name;
  if (!study.mentions.empty()) figure_ = study.mentions.front().figure;
  while (figure_at_ < facts.figures.size() && facts.figures[figure_at_].name != figure_)
    ++figure_at_;
  if (figure_at_ == facts.figures.size()) figure_.clear();
}

StudyProgress::~StudyProgress() { clear(); }

void StudyProgress::update(const study::Progress& progress) {
  if (!is_shown_) return;
  if (progress.total != last_total_ || progress.done < first_done_) {
    last_total_ = progress.total;
    first_done_ = progress.done;
    start_ = Clock::now();
  }
  const auto now = Clock::now();
  if (now < next_draw_) return;
  long answers = 0, passed = 0;
  std::vector<double> values;
  for (const auto& [k, result] : progress.merged->results) {
    if (!result.is_answer()) continue;
    ++answers;
    passed += result.passed ? 1 : 0;
    if (!figure_.empty() && std::isfinite(result.figures[figure_at_]))
      values.push_back(result.figures[figure_at_]);
  }
  std::string tail = progress.note;
  if (tail.empty() && values.size() >= 3) {
    std::ranges::sort(values);
    const auto at = [&](double p) {
      return short_text(study::quantile_of(values, p, 0.95).value, 3);
    };
    tail = concat(figure_, " 5/50/95 %: ", at(0.05), " ", at(0.5), " ", at(0.95));
  }
  const double wall = std::chrono::duration<double>(now - start_).count();
  std::string text = study_progress_text(progress.done, progress.total, progress.done - first_done_,
                                         wall, passed, answers, tail);
  const auto width = static_cast<std::size_t>(std::max(20, terminal_width() - 1));
  if (text.size() > width) text.resize(width);
  std::cerr << '\r' << text << "\033[K" << std::flush;
  is_drawn_ = true;
  // Percentiles of a million samples take a while: 2 % of the time at most.
  const auto end = Clock::now();
  next_draw_ = end + std::max<Clock::duration>(std::chrono::milliseconds(200), 50 * (end - now));
}

void StudyProgress::clear() {
  if (is_drawn_) std::cerr << "\r\033[K" << std::flush;
  is_drawn_ = false;
}

}  // namespace camber::app
