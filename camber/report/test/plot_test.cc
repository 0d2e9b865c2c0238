#include "camber/report/plot.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

namespace camber::report {
namespace {

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Ticks, AreRoundNumbersInsideTheRange) {
  EXPECT_EQ(linear_ticks(-0.3, 10.7, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(linear_ticks(1012, 1047, 7),
            (std::vector<double>{1015, 1020, 1025, 1030, 1035, 1040, 1045}));
  EXPECT_EQ(log_ticks(0.07, 300).size(), 4U);  // 0.1, 1, 10, 100
  EXPECT_EQ(log_ticks(3, 70).size(), 4U);      // 5, 10, 20, 50
}

TEST(Ticks, RefuseRangesThatHaveNone) {
  EXPECT_THROW(linear_ticks(3.5, 3.5, 4), std::invalid_argument);
  EXPECT_THROW(log_ticks(-2.5, 7), std::invalid_argument);
}

Plot make_plot() {
  Plot plot{.title = "Speed & <load>", .x = {.label = "t [s]"}, .y = {.label = "v [m/s]"}};
  plot.series.push_back({.label = "front \"left\"", .x = {0.5, 1.5, 2.5, 3.5}, .y = {2, 7, 3, 5}});
  return plot;
}

TEST(Plot, IsWellFormedWhateverTheTextsAre) {
  const std::string svg = to_svg(make_plot());
  EXPECT_NE(svg.find("Speed &amp; &lt;load&gt;"), std::string::npos);
  EXPECT_NE(svg.find("front &quot;left&quot;"), std::string::npos);
  EXPECT_EQ(count(svg, "<svg"), count(svg, "</svg>"));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Plot, BreaksTheLineWhereThereIsNoValue) {
  Plot plot = make_plot();
  plot.series[0].y[1] = std::numeric_limits<double>::quiet_NaN();
  const std::string svg = to_svg(plot);
  const std::string path = svg.substr(svg.find("<path"), svg.find("/>", svg.find("<path")));
  EXPECT_EQ(count(path.substr(0, path.find("/>")), "M"), 2);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Plot, LeavesOutWhatALogAxisCannotShow) {
  Plot plot = make_plot();
  plot.y.is_log = true;
  plot.series[0].y = {0.02, -4, 0, 300};
  plot.series[0].style = Series::Style::kPoints;
  const std::string svg = to_svg(plot);
  EXPECT_EQ(count(svg, "<circle"), 2);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(Plot, PutsAPointWhereTheAxesSay) {
  Plot plot{.title = "p",
            .x = {.label = "x", .first = 10, .last = 20},
            .y = {.label = "y", .is_log = true, .first = 1, .last = 100}};
  plot.series.push_back({.x = {15}, .y = {10}, .style = Series::Style::kPoints});
  // Without a legend the plot reaches from 78 to width - 18 and from 34 to height - 50 pixels.
  const std::string svg = to_svg(plot);
  EXPECT_NE(svg.find("cx=\"390\" cy=\"202\""), std::string::npos) << svg;
}

TEST(Plot, CanBeEmptyOrConstant) {
  Plot plot{.title = "nothing"};
  EXPECT_EQ(to_svg(plot).find("nan"), std::string::npos);
  plot.series.push_back({.label = "constant", .x = {3.5, 3.5}, .y = {-7.25, -7.25}});
  EXPECT_EQ(to_svg(plot).find("nan"), std::string::npos);
}

TEST(Plot, NamesTheSeriesWhoseLengthsDiffer) {
  Plot plot = make_plot();
  plot.series[0].y.pop_back();
  try {
    to_svg(plot);
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "to_svg: series \"front \"left\"\" of plot \"Speed & <load>\" has 4 x and 3 y");
  }
}

}  // namespace
}  // namespace camber::report
