// Study files and journals. A journal may be refused by std::invalid_argument (its version); samples
// of a study that was read can be made.

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/temporary_folder.h"
#include "camber/study/journal.h"
#include "camber/study/plan.h"
#include "camber/study/study_file.h"
#include "tests/fuzz/targets.h"

namespace {

/// A folder with a scenario, s.toml, that studies may name.
const std::string& folder() {
  static const camber::TemporaryFolder kFolder;
  static const std::string kPath = [] {
    camber::write_file_atomically((kFolder.path() / "s.toml").string(), "kind = \"scenario\"\n");
    return kFolder.path().string();
  }();
  return kPath;
}

}  // namespace

void camber::fuzz::read_study(std::string_view bytes) {
  const study::Study study = study::parse_study(std::string(bytes), folder() + "/fuzz.toml");
  if (is_adaptive(study.plan.kind) || study.plan.samples > 10000) return;
  const study::Plan plan(&study);
  for (long k = 0; k < std::min(plan.size(), 3L); ++k) {
    const study::Sample sample = plan.sample(k);
    if (assignments_of(study, sample.values, sample.drive_seed).empty()) std::abort();
  }
}

void camber::fuzz::read_journal(std::string_view bytes) {
  try {
    study::parse_journal(bytes, "fuzz.jsonl");
    // Records with a right checksum, too.
    study::parse_journal(study::journal_line(bytes), "fuzz.jsonl");
  } catch (const std::invalid_argument&) {
  }
}
