#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "camber/study/sample.h"
#include "camber/study/study.h"

namespace camber::study {

/// The kernel that drives a study's samples. Results of different kernels differ in their last
/// bits, so a study has one kernel.
enum class KernelKind {
  kScalar,  // one drive after the other, in doubles: the bits of `camber run`
  kLanes,   // drives of one structure side by side in the lanes of registers (run/lane_driver.h)
};
std::string_view name_of(KernelKind kind);

/// A figure of a study's scenario.
struct FigureInfo {
  std::string name, unit;
  std::optional<double> lower = {}, upper = {};
};

/// Common data of all samples of a study, found by reading its scenario once.
struct StudyFacts {
  std::vector<FigureInfo> figures;       // in the order of results
  std::vector<std::string> curve_names;  // "chassis/rates.yaw"
  std::vector<std::string> curve_units;
  double duration = 0;  // [s] that curves cover
  KernelKind kernel = KernelKind::kScalar;
  std::string kernel_note = {};  // why a study that asks for lanes has none: "sensors"
};

struct DriveHooks {
  std::function<void(const Sample&)> begins = {};
  std::function<void(SampleResult)> ends = {};
  /// Checked often; true drops the samples that have not ended.
  std::function<bool()> is_stopped = {};
};

/// Drives samples, in memory, without log or report. Vehicle, tires, ground and code are shared
/// between samples as far as their inputs allow.
class SampleDriver {
 public:
  /// Keeps pointers to both. `lanes` of a study that drives in them: 4 or 8; 0: as many as fill
  /// a register.
  SampleDriver(const Study* study, const StudyFacts* facts, int lanes = 0);
  ~SampleDriver();
  SampleDriver(const SampleDriver&) = delete;
  SampleDriver& operator=(const SampleDriver&) = delete;

  /// Drives a batch, in lanes several samples at once: they start and end in any order. The result
  /// of a sample does not depend on its batch or earlier ones.
  void drive(std::span<const Sample> samples, const DriveHooks& hooks);

 private:
  void drive_in_lanes(std::span<const Sample> samples, const DriveHooks& hooks);

  struct Shared;
  const Study* study_;
  const StudyFacts* facts_;
  int lanes_;
  std::unique_ptr<Shared> shared_;
};

}  // namespace camber::study
