#include "camber/report/run_report.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace camber::report {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

RunReport make_report() {
  return {.title = "Run of <mule>",
          .notes = {"A & B"},
          .summary = {{"largest load", "8123", "N"}},
          .settings = {{"formulation", "ce", ""}},
          .times = {0.5, 0.75, 1.25},
          .channels = {{.name = "coordinates/q",
                        .names = {"x", "psi", "y"},
                        .units = {"m", "rad", "m"},
                        .values = {1.5, 0.1, -2, 1.25, kNaN, 7, 1.75, 0.3, 2.5}},
                       {.name = "energy", .names = {""}, .units = {"J"}, .values = {9, 8, 7}}}};
}

TEST(RunReport, DrawsColumnsOfOneUnitTogether) {
  const std::string html = make_run_report(make_report());
  EXPECT_EQ(count(html, "class=\"plot\""), 3U);  // x and y, psi, energy
  EXPECT_EQ(count(html, "[m]<"), 1U);
  EXPECT_EQ(count(html, "psi [rad]<"), 1U);
  EXPECT_EQ(count(html, "energy [J]<"), 1U);
  EXPECT_NE(html.find("<title>Run of &lt;mule&gt;</title>"), std::string::npos);
  EXPECT_EQ(count(html, "<script"), 0U);
  EXPECT_EQ(count(html, "src="), 0U);
  EXPECT_EQ(count(html, "href="), 0U);
}

TEST(RunReport, ListsTheRangeOfEachColumn) {
  const std::string html = make_run_report(make_report());
  std::string row = "<tr><td>coordinates/<wbr>q</td><td>y</td><td>m</td>";
  for (const char* cell : {"-2", "2.5", "-2", "0.5", "7", "0.75"}) {
    row += std::string("<td class=\"number\">") + cell + "</td>";
  }
  EXPECT_NE(html.find(row), std::string::npos);
  EXPECT_NE(html.find("<td class=\"number\">1</td></tr>"), std::string::npos);  // psi's NaN
}

TEST(RunReport, NeedsAValuePerTimeAndColumn) {
  RunReport report = make_report();
  report.channels[0].values.pop_back();
  try {
    make_run_report(report);
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "run report: channel \"coordinates/q\" has 8 values, 3 times of 3 columns need 9");
  }
}

TEST(RunReport, SaysWhenThereIsNothingToDraw) {
  RunReport report = make_report();
  report.times.clear();
  for (RunChannel& channel : report.channels) channel.values.clear();
  EXPECT_NE(make_run_report(report).find("The run has no samples."), std::string::npos);
}

TEST(RunReport, StaysReadableWithManyColumns) {
  RunReport report{.title = "wide", .times = {0.0, 1.5}};
  RunChannel channel{.name = "bodies", .names = {}, .units = {"m"}, .values = {}};
  for (int i = 0; i < 1000; ++i) channel.names.push_back("c" + std::to_string(i));
  channel.values.assign(2000, 0.25);
  report.channels = {channel};
  const std::string html = make_run_report(report);
  EXPECT_EQ(count(html, "class=\"plot\""), 80U);
  EXPECT_NE(html.find("360 more columns"), std::string::npos);
}

TEST(ThinOut, KeepsPeaksAndGaps) {
  std::vector<double> x, y;
  for (int i = 0; i < 100'000; ++i) {
    x.push_back(0.001 * i);
    y.push_back(std::sin(0.0007 * i));
  }
  y[34'567] = 12.5;
  y[81'001] = -7.25;
  for (int i = 50'000; i < 52'000; ++i) y[static_cast<std::size_t>(i)] = kNaN;
  const Series thin = thin_out(x, y, 500);
  EXPECT_LE(thin.x.size(), 1000U);
  ASSERT_EQ(thin.x.size(), thin.y.size());
  bool has_peak = false;
  bool has_valley = false;
  int gaps = 0;
  for (std::size_t i = 0; i < thin.x.size(); ++i) {
    has_peak = has_peak || (thin.x[i] == x[34'567] && thin.y[i] == 12.5);
    has_valley = has_valley || (thin.x[i] == x[81'001] && thin.y[i] == -7.25);
    gaps += std::isnan(thin.y[i]) ? 1 : 0;
    if (i > 0) {
      EXPECT_GT(thin.x[i], thin.x[i - 1]);
    }
  }
  EXPECT_TRUE(has_peak && has_valley);
  EXPECT_EQ(gaps, 10);
  EXPECT_EQ(thin_out({1.5, 2.5}, {3.5, 4.5}, 7).y, (std::vector<double>{3.5, 4.5}));
}

}  // namespace
}  // namespace camber::report
