#include "camber/report/drive_report.h"

#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "camber/report/ground_chart.h"

namespace camber::report {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(KeyFigure, PassesWithinItsBoundsAndOnThem) {
  EXPECT_TRUE(make_key_figure("a", 3.7, "m").passed);
  EXPECT_FALSE(make_key_figure("a", 3.7, "m").is_judged());
  EXPECT_TRUE(make_key_figure("a", 3.7, "m", 3.7, 4.1).passed);
  EXPECT_TRUE(make_key_figure("a", 4.1, "m", 3.7, 4.1).passed);
  EXPECT_FALSE(make_key_figure("a", 4.11, "m", 3.7, 4.1).passed);
  EXPECT_FALSE(make_key_figure("a", -2, "m", -1.5).passed);
  EXPECT_FALSE(make_key_figure("a", kNaN, "m", -1.5).passed);
  EXPECT_FALSE(make_key_figure("a", kNaN, "m", {}, 1.5).passed);
}

TEST(KeyFigure, SaysItsBounds) {
  EXPECT_EQ(bounds_text(make_key_figure("a", 1, "m", 0.25, 4.5)), "0.25 to 4.5");
  EXPECT_EQ(bounds_text(make_key_figure("a", 1, "m", 0.25)), "at least 0.25");
  EXPECT_EQ(bounds_text(make_key_figure("a", 1, "m", {}, 4.5)), "at most 4.5");
  EXPECT_EQ(bounds_text(make_key_figure("a", 1, "m")), "");
}

TEST(DriveReport, GivesItsVerdict) {
  DriveReport report{.scenario = "a"};
  EXPECT_EQ(verdict_text(report), "Completed; no requirements set");
  report.figures = {make_key_figure("a", 1.5, "m", 1.0), make_key_figure("b", 2.5, "m")};
  EXPECT_EQ(verdict_text(report), "Passed: its requirement is met");
  report.figures.push_back(make_key_figure("c", 2.5, "m", 3.0));
  EXPECT_EQ(verdict_text(report), "Failed: 1 of 2 requirements is not met");
  EXPECT_FALSE(has_passed(report));
  report.figures.back().passed = true;
  EXPECT_EQ(verdict_text(report), "Passed: all 2 requirements are met");
  EXPECT_TRUE(has_passed(report));
  report.failure = "a tire left its data at t = 3.2 s";
  EXPECT_EQ(verdict_text(report), "Failed: a tire left its data at t = 3.2 s");
  EXPECT_FALSE(has_passed(report));
}

// Bytes of a picture are in the page itself, as base64: "Man" is "TWFu" [RFC 4648].
TEST(DriveReport, HasThePicturesOfSensorsInItself) {
  DriveReport report{.scenario = "a"};
  EXPECT_EQ(make_drive_report(report).find("What the sensors saw"), std::string::npos);
  report.pictures = {{"lidar <1>", "Man"}};
  const std::string html = make_drive_report(report);
  EXPECT_NE(html.find("data:image/png;base64,TWFu\""), std::string::npos);
  EXPECT_NE(html.find("<figcaption>lidar &lt;1&gt;</figcaption>"), std::string::npos);
}

TEST(DriveReport, DrawsTheChannelsThatAreThere) {
  const DriveReport report{.scenario = "<drive>",
                           .times = {0.5, 1.5},
                           .channels = {{.name = "chassis/rates",
                                         .names = {"roll", "pitch", "yaw"},
                                         .units = {"rad/s"},
                                         .values = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}}}};
  const std::string html = make_drive_report(report);
  EXPECT_NE(html.find("id=\"yaw-rate\""), std::string::npos);
  EXPECT_NE(html.find("[deg/s]"), std::string::npos);
  EXPECT_EQ(html.find("id=\"speed\""), std::string::npos);
  EXPECT_EQ(html.find("id=\"path\""), std::string::npos);
  EXPECT_NE(html.find("<h1>&lt;drive&gt;</h1>"), std::string::npos);
}

// On one axis a turn by 80 degrees made a flat line of a roll of 1.5 degrees.
TEST(DriveReport, DrawsHeadingApartFromRollAndPitch) {
  const DriveReport report{.scenario = "a",
                           .times = {0.5, 1.5},
                           .channels = {{.name = "chassis/attitude",
                                         .names = {"roll", "pitch", "yaw"},
                                         .units = {"rad"},
                                         .values = {0.011, -0.004, 0.2, 0.026, 0.007, 1.4}}}};
  const std::string html = make_drive_report(report);
  const std::size_t attitude = html.find("id=\"attitude\""), heading = html.find("id=\"heading\"");
  ASSERT_NE(attitude, std::string::npos);
  ASSERT_NE(heading, std::string::npos);
  ASSERT_LT(attitude, heading);
  const std::string charts = html.substr(attitude, heading - attitude);
  EXPECT_NE(charts.find("roll"), std::string::npos);
  EXPECT_NE(charts.find("pitch"), std::string::npos);
  EXPECT_EQ(charts.find("</i>yaw"), std::string::npos);
  EXPECT_NE(html.find("</i>yaw", heading), std::string::npos);
}

TEST(DriveReport, IsThereWithoutSamplesAndWithOne) {
  EXPECT_NE(make_drive_report({.scenario = "a"}).find("no samples"), std::string::npos);
  const DriveReport one{.scenario = "a",
                        .times = {0.5},
                        .channels = {{.name = "chassis/position",
                                      .names = {"x", "y", "z"},
                                      .units = {"m"},
                                      .values = {3, 4, 5}}}};
  EXPECT_NE(make_drive_report(one).find("id=\"path\""), std::string::npos);
}

TEST(DriveReport, NeedsAValuePerTimeAndColumn) {
  EXPECT_THROW(make_drive_report({.scenario = "a",
                                  .times = {0.5, 1},
                                  .channels = {{.name = "c", .names = {""}, .values = {1}}}}),
               std::invalid_argument);
}

TEST(GroundCharts, EnlargeWhatIsLongAndNarrow) {
  const std::vector<double> times = {0, 1, 2.5};
  const auto round = make_ground_charts(times, {0, 30, 25}, {3, 8, 21}, {});
  ASSERT_EQ(round.size(), 1U);
  EXPECT_TRUE(round[0].equal_axes);
  EXPECT_EQ(round[0].tracked, 0);
  const auto narrow = make_ground_charts(times, {0, 300, 620}, {3, 8, 2}, {});
  ASSERT_EQ(narrow.size(), 2U);
  EXPECT_FALSE(narrow[1].equal_axes);
  EXPECT_TRUE(make_ground_charts(times, {kNaN, kNaN, kNaN}, {3, 8, 2}, {}).empty());
}

TEST(GroundCharts, FollowTheWayEvenlyInTime) {
  const auto charts = make_ground_charts({0, 1, 5}, {0, 30, 25}, {3, 8, 21}, {});
  const ChartCurve& track = charts.at(0).curves.at(0);
  const std::size_t k = track.x.size() / 5;  // t = 5 k / (n - 1)
  const double t = 5.0 * static_cast<double>(k) / static_cast<double>(track.x.size() - 1);
  EXPECT_NEAR(track.x[k], 30 + (t - 1) / 4 * -5, 0.2);
  EXPECT_EQ(track.x.back(), 25);
  EXPECT_EQ(track.y.back(), 21);
}

}  // namespace
}  // namespace camber::report
