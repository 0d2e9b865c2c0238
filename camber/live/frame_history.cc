#include "camber/live/frame_history.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "camber/core/require.h"
#include "camber/view/clip.h"
#include "camber/view/slices.h"

namespace camber::live {
namespace {

constexpr double kMaxClip = 60;  // [s]
constexpr std::size_t kMaxColumns = 64, kMaxPoints = 20'000;
constexpr const char* kBytes = "application/octet-stream";

server::Answer refuse(std::string text) {
  return {400, "text/plain; charset=utf-8", std::move(text)};
}

std::optional<double> read_number(const view::Address& address, const char* name, double otherwise,
                                  double low, double high) {
  const std::string* text = address.find(name);
  return text == nullptr ? otherwise : view::parse_number(*text, low, high);
}

bool is_other_run(const view::Address& address) {
  const std::string* run = address.find("run");
  return run != nullptr && *run != "0";
}

}  // namespace

void FrameHistory::add(std::span<const std::byte> frame) {
  double time = 0;
  std::memcpy(&time, frame.data() + 8, sizeof time);
  const std::lock_guard lock(lock_);
  while (!frames_.empty() && frames_.back().time >= time) frames_.pop_back();
  frames_.push_back({time, {frame.begin(), frame.end()}});
  while (frames_.size() * frame.size() > max_bytes_) frames_.pop_front();
}

std::size_t FrameHistory::size() const {
  const std::lock_guard lock(lock_);
  return frames_.size();
}

server::Answer FrameHistory::answer_clip(const view::Address& address) const {
  if (is_other_run(address)) return refuse("run: a live drive has run 0 only");
  const auto from = read_number(address, "from", 0, -1e12, 1e12);
  if (!from) return refuse("from: expected a time in s");
  const auto to = read_number(address, "to", *from + kMaxClip, -1e12, 1e12);
  const auto rate = read_number(address, "rate", 60, 0.1, 1e6);
  if (!to || !rate) return refuse("to, rate: expected a time in s and a rate in Hz");
  if (*to > *from + kMaxClip + 1e-6)
    return refuse(concat("to: expected at most ", kMaxClip, " s after from"));
  view::ClipWriter clip(layout_, 0);
  {
    const std::lock_guard lock(lock_);
    double next = *from;
    for (const Kept& frame : frames_) {
      if (frame.time < next - 1e-9 || frame.time > *to + 1e-9) continue;
      clip.append_frame(frame.bytes);
      next = frame.time + 0.7 / *rate;  // frames come at times of their own
    }
  }
  if (clip.count() == 0) return {204, kBytes, ""};
  return {200, kBytes, clip.finish()};
}

server::Answer FrameHistory::answer_slice(const view::Address& address) const {
  if (is_other_run(address)) return refuse("run: a live drive has run 0 only");
  const std::string *column_text = address.find("column"), *points_text = address.find("points");
  const auto columns =
      column_text == nullptr
          ? std::nullopt
          : view::parse_integers(*column_text, 0, layout_.sample_size - 1, kMaxColumns);
  if (!columns)
    return refuse(concat("column: expected up to ", kMaxColumns, " numbers from 0 to ",
                         layout_.sample_size - 1, ": column=3,4"));
  const auto points = points_text == nullptr
                          ? 1000
                          : view::parse_integer(*points_text, 2, static_cast<int>(kMaxPoints));
  if (!points) return refuse(concat("points: expected 2 to ", kMaxPoints));
  const auto from = read_number(address, "from", 0, -1e12, 1e12);
  const auto to = read_number(address, "to", 1e12, -1e12, 1e12);
  if (!from || !to) return refuse("from, to: expected times in s");
  std::vector<double> times;
  std::vector<std::vector<double>> values(columns->size());
  {
    const std::lock_guard lock(lock_);
    const std::size_t sample_at =
        layout_.size() - static_cast<std::size_t>(layout_.sample_size) * sizeof(float);
    for (const Kept& frame : frames_) {
      times.push_back(frame.time);
      for (std::size_t c = 0; c < columns->size(); ++c) {
        float value = 0;
        const auto column = static_cast<std::size_t>((*columns)[c]);
        std::memcpy(&value, frame.bytes.data() + sample_at + column * sizeof value, sizeof value);
        values[c].push_back(value);
      }
    }
  }
  if (times.empty()) return {204, kBytes, ""};
  std::string out;
  for (const std::vector<double>& column : values)
    view::append_slice(times, view::ColumnPyramid(column, 1), *from, *to,
                       static_cast<std::size_t>(*points), &out);
  return {200, kBytes, std::move(out)};
}

}  // namespace camber::live
