// Study files and journals, chosen by the first byte. A study may be refused by ModelFileError, a
// journal by std::invalid_argument (its version); samples of a study that was read must be possible
// to make.

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace camber;  // NOLINT(google-build-using-namespace): one function
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 0) {
    try {
      const study::Study study = study::parse_study(std::string(text), folder() + "/fuzz.toml");
      if (is_adaptive(study.plan.kind) || study.plan.samples > 10000) return 0;
      const study::Plan plan(&study);
      for (long k = 0; k < std::min(plan.size(), 3L); ++k) {
        const study::Sample sample = plan.sample(k);
        if (assignments_of(study, sample.values, sample.drive_seed).empty()) std::abort();
      }
    } catch (const ModelFileError&) {
    }
    return 0;
  }
  try {
    study::parse_journal(text, "fuzz.jsonl");
    // Records with a right checksum, too.
    study::parse_journal(study::journal_line(text), "fuzz.jsonl");
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
