// Paint on streets: center and lane lines, bays, stop lines, zebra crossings.
#include <algorithm>
#include <cmath>

#include "camber/city/kerb_ring.h"
#include "camber/city/make_block.h"

namespace camber::city::internal {
namespace {

constexpr double kLift = 0.003;  // thickness of thermoplastic paint [m]
constexpr double kLine = 0.12;   // width of a line [m]
constexpr double kBay = 6.0;     // length of a parking bay [m]

class Painter {
 public:
  Painter(const StreetPlan& plan, const Junction& from, const Arm& arm, Block* block)
      : crown_(plan.spec().crown), from_(from), arm_(arm), block_(block) {}

  /// A rectangle from s0 to s1 along the street; it must not reach over the crown.
  void rectangle(double s0, double s1, double left0, double left1, Surface surface) {
    const auto at = [&](double s, double left) {
      return on_street(from_, arm_, s, left, crown_, kLift);
    };
    add_quad(at(s0, left0), at(s1, left0), at(s1, left1), at(s0, left1), surface, &block_->faces);
  }
  void line(double s0, double s1, double left, Surface surface) {
    if (s1 > s0) rectangle(s0, s1, left - 0.5 * kLine, left + 0.5 * kLine, surface);
  }
  void dashes(double s0, double s1, double left, double dash, double gap, Surface surface) {
    const int count = static_cast<int>((s1 - s0 + gap) / (dash + gap));
    const double start = s0 + 0.5 * (s1 - s0 - count * (dash + gap) + gap);
    for (int k = 0; k < count; ++k) {
      line(start + k * (dash + gap), start + k * (dash + gap) + dash, left, surface);
    }
  }

 private:
  double crown_;
  const Junction& from_;
  const Arm& arm_;
  Block* block_;
};

}  // namespace

void add_markings(const StreetPlan& plan, const Junction& from, const Arm& arm, const Junction& to,
                  const Arm& back, Block* block) {
  Painter paint(plan, from, arm, block);
  const Profile& profile = arm.profile;
  const double half = profile.half_width(), lanes = profile.lanes * profile.lane_width;
  double a = arm.mouth, b = arm.length - back.mouth;
  const double mouth_a = a, mouth_b = b;
  constexpr double kStop = kZebraGap + kZebra + 1.0;  // of the stop line from the mouth [m]
  // Zebra: bars along the street, none over the crown.
  const auto add_zebra = [&](double s0) {
    for (double left = 0.25; left + 0.5 < half; left += 1.0) {
      paint.rectangle(s0, s0 + kZebra, left, left + 0.5, Surface::kWhitePaint);
      paint.rectangle(s0, s0 + kZebra, -left - 0.5, -left, Surface::kWhitePaint);
    }
  };
  if (from.is_crossing()) {
    add_zebra(mouth_a + kZebraGap);
    // Traffic drives on the right: what comes to `from` is left of its arm.
    paint.rectangle(mouth_a + kStop, mouth_a + kStop + 0.4, 0.2, lanes, Surface::kWhitePaint);
    a = mouth_a + kStop;
  }
  if (to.is_crossing()) {
    add_zebra(mouth_b - kZebraGap - kZebra);
    paint.rectangle(mouth_b - kStop - 0.4, mouth_b - kStop, -lanes, -0.2, Surface::kWhitePaint);
    b = mouth_b - kStop;
  }
  if (profile.is_avenue) {
    paint.line(a, b, 0.15, Surface::kYellowPaint);
    paint.line(a, b, -0.15, Surface::kYellowPaint);
  } else {
    // The crown is in the middle: one half of each dash on either side.
    for (const double left : {0.25 * kLine, -0.25 * kLine}) {
      const double width = 0.25 * kLine;
      for (double s = a + 1; s + 3 < b; s += 9) {
        paint.rectangle(s, s + 3, left - width, left + width, Surface::kWhitePaint);
      }
    }
  }
  for (int k = 1; k < profile.lanes; ++k) {
    for (const int side : {1, -1}) {
      paint.dashes(a, b, side * k * profile.lane_width, 3, 6, Surface::kWhitePaint);
    }
  }
  if (profile.parking > 0) {
    const double s0 = arm.mouth + kKeepFree, s1 = arm.length - back.mouth - kKeepFree;
    const int bays = static_cast<int>((s1 - s0) / kBay);
    const double start = s0 + 0.5 * (s1 - s0 - bays * kBay);
    for (const int side : {1, -1}) {
      if (bays > 0) paint.line(start, start + bays * kBay, side * lanes, Surface::kWhitePaint);
      for (int k = 0; k <= bays; ++k) {
        const double s = start + k * kBay;
        const double inner = lanes, outer = half - 0.1;
        paint.rectangle(s - 0.5 * kLine, s + 0.5 * kLine, side * inner, side * outer,
                        Surface::kWhitePaint);
      }
    }
  }
}

}  // namespace camber::city::internal
