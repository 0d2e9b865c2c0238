#pragma once

// The samples of a study behind the page: `camber view DIR`. A click on a sample drives it again, if
// that was not done before, and shows it as any recorded run. The addresses of docs/theory/page-protocol.md, section 9.

#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "camber/server/answer.h"
#include "camber/study/study_folder.h"
#include "camber/view/replay.h"

namespace camber::app {

class StudyView {
 public:
  /// Throws std::invalid_argument if the folder holds no study.
  StudyView(const std::string& folder, std::string program);

  /// One thread at a time.
  server::Answer answer(std::string_view target);

  /// Whether a folder is that of a study.
  static bool is_study(const std::string& folder);

 private:
  static constexpr std::size_t kOpen = 3;           // samples in memory
  static constexpr std::size_t kMaxListed = 20000;  // samples in the list

  std::string list_samples() const;
  view::Replay* open(long k);

  study::StudyFolder folder_;
  std::string program_;
  std::list<std::pair<long, std::unique_ptr<view::Replay>>>
      open_;  // the last one that was used is first
};

}  // namespace camber::app
