#include "camber/report/chart.h"

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

namespace camber::report {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

/// What the lines between the kept points say at x[i].
double line_at(const std::vector<double>& x, const std::vector<double>& y,
               const std::vector<std::size_t>& kept, std::size_t i) {
  std::size_t k = 0;
  while (kept[k + 1] < i) ++k;
  const double part = (x[i] - x[kept[k]]) / (x[kept[k + 1]] - x[kept[k]]);
  return y[kept[k]] + part * (y[kept[k + 1]] - y[kept[k]]);
}

TEST(NeededPoints, LeaveNoPointFartherThanTheTolerance) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 engine(seed);
    const auto random = [&] { return static_cast<double>(engine() % 100000) * 1e-5; };
    std::vector<double> x, y;
    double at = 3.7, value = -2.1;
    const double roughness = random();
    for (int i = 0; i < 400; ++i) {
      at += 0.01 + random();
      value += std::sin(0.05 * i) + roughness * (random() - 0.5);
      x.push_back(at);
      y.push_back(value);
    }
    const double tolerance = 0.03 + 0.5 * random();
    const auto kept = internal::needed_points(x, y, tolerance);
    ASSERT_EQ(kept.front(), 0U);
    ASSERT_EQ(kept.back(), x.size() - 1);
    for (std::size_t i = 1; i < x.size(); ++i) {
      ASSERT_NEAR(line_at(x, y, kept, i), y[i], tolerance * (1 + 1e-9)) << "point " << i;
    }
    EXPECT_LT(kept.size(), x.size());
  }
}

TEST(NeededPoints, KeepOnlyTheEndsAndCornersOfStraightLines) {
  const std::vector<double> x = {0, 1, 2.5, 3, 4, 5.5, 6};
  const std::vector<double> y = {1, 2, 3.5, 4, 3, 1.5, 1};
  EXPECT_EQ(internal::needed_points(x, y, 1e-9), (std::vector<std::size_t>{0, 3, 6}));
}

TEST(NeededPoints, KeepBothEndsOfAJump) {
  EXPECT_EQ(internal::needed_points({0, 1, 1, 2}, {3, 3, 7, 7}, 0.1),
            (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(internal::needed_points({2.5}, {3}, 0.1), (std::vector<std::size_t>{0}));
  EXPECT_TRUE(internal::needed_points({}, {}, 0.1).empty());
}

TEST(Chart, WritesWholeNumbersInStepsFromPointToPoint) {
  const std::string html = to_html(Chart{.id = "a",
                                         .title = "A",
                                         .curves = {{.x = {0, 2, 4}, .y = {1, 3, 2}}},
                                         .x = {.first = 0, .last = 4},
                                         .y = {.first = 1, .last = 3}});
  // 50000 across, 10000 down.
  EXPECT_NE(html.find("d=\"M0 10000l25000-10000 25000 5000\""), std::string::npos) << html;
}

TEST(Chart, BreaksALineWhereThereIsNoValue) {
  const std::string html =
      to_html(Chart{.curves = {{.x = {0, 1, 2, 3, 4}, .y = {1, 2, kNaN, 3, 1}}},
                    .x = {.first = 0, .last = 4},
                    .y = {.first = 1, .last = 3}});
  EXPECT_NE(html.find("d=\"M0 10000l12500-5000M37500 0l12500 10000\""), std::string::npos) << html;
}

TEST(Chart, StaysSmallForLongNoisyRuns) {
  std::mt19937 engine(5);
  Chart chart{.curves = {{.label = "noise"}}};
  for (int i = 0; i < 200'000; ++i) {
    chart.curves[0].x.push_back(0.01 * i);
    chart.curves[0].y.push_back(static_cast<double>(engine() % 1000));
  }
  EXPECT_LT(to_html(chart).size(), 30'000U);
}

TEST(Chart, EscapesTextAndRaisesPowers) {
  const std::string html = to_html(Chart{.id = "b",
                                         .title = "<b>",
                                         .unit = "m/s^2",
                                         .curves = {{.label = "a&b", .x = {1}, .y = {2}}}});
  EXPECT_EQ(count(html, "<b>"), 1U);  // the place of the value
  EXPECT_NE(html.find("a&amp;b"), std::string::npos);
  EXPECT_NE(html.find("[m/s\u00b2]"), std::string::npos);
}

TEST(Chart, LeavesOutLabelsThatWouldOverlap) {
  Chart chart{.curves = {{.x = {0, 10}, .y = {0, 10}}}, .is_over_time = false};
  for (int i = 0; i < 20; ++i) chart.labels.push_back({5, 5, "the same place"});
  EXPECT_EQ(count(to_html(chart), "the same place"), 4U);  // one on each side
}

TEST(Chart, NeedsAsManyXAsY) {
  EXPECT_THROW(to_html(Chart{.curves = {{.x = {1, 2}, .y = {1}}}}), std::invalid_argument);
}

}  // namespace
}  // namespace camber::report
