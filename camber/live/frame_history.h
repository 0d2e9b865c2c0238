#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <span>
#include <vector>

#include "camber/server/answer.h"
#include "camber/view/address.h"
#include "camber/view/state_frame.h"

namespace camber::live {

/// The last frames of a drive, for clips and plots of what has just been. One thread adds, another
/// asks.
class FrameHistory {
 public:
  explicit FrameHistory(view::FrameLayout layout, std::size_t max_bytes = std::size_t{48} << 20)
      : layout_(std::move(layout)), max_bytes_(max_bytes) {}

  /// A frame of an earlier time than the last one means that the drive went back: later frames are
  /// removed. Frames of a pause are kept once.
  void add(std::span<const std::byte> frame);
  std::size_t size() const;

  /// The answer to /api/clip or /api/slice; 204 if there is nothing of that time.
  server::Answer answer_clip(const view::Address& address) const;
  server::Answer answer_slice(const view::Address& address) const;

 private:
  struct Kept {
    double time = 0;
    std::vector<std::byte> bytes;
  };

  view::FrameLayout layout_;
  std::size_t max_bytes_;
  mutable std::mutex lock_;
  std::deque<Kept> frames_;
};

}  // namespace camber::live
