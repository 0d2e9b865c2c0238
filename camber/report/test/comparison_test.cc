#include "camber/report/comparison.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "camber/report/compare_report.h"

namespace camber::report {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// x = 2 t^2 + offset and y = 3 - t, sampled.
ComparedRun make_run(const std::string& name, double offset, const std::vector<double>& times) {
  ComparedRun run{.name = name, .times = times};
  RunChannel channel{.name = "q", .names = {"x", "y"}, .units = {"m", "rad"}};
  for (const double t : times) {
    channel.values.push_back(2 * t * t + offset * t);
    channel.values.push_back(3 - t);
  }
  run.channels = {channel};
  run.figures = {{.name = "end", .value = channel.values.back(), .unit = "m"}};
  return run;
}

TEST(Interpolate, GoesStraightBetweenSamples) {
  const auto values = interpolate({1, 2, 4}, {10, 30, 20}, {0.5, 1, 1.5, 2, 3.5, 4, 4.5});
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_EQ(std::vector<double>(values.begin() + 1, values.end() - 1),
            (std::vector<double>{10, 20, 30, 22.5, 20}));
  EXPECT_TRUE(std::isnan(values[6]));
}

TEST(CompareRuns, FindsTheLargestDifferenceAndItsTime) {
  const std::vector<ComparedRun> runs = {make_run("a", 0, {0, 0.5, 1, 1.5}),
                                         make_run("b", -0.3, {0, 0.5, 1, 1.5}),
                                         make_run("c", 0.4, {0, 0.5, 1, 1.5})};
  const Comparison comparison = compare_runs(runs);
  EXPECT_TRUE(comparison.notes.empty());
  ASSERT_EQ(comparison.columns.size(), 2U);
  const ColumnComparison& x = comparison.columns[0];
  EXPECT_EQ(x.unit, "m");
  EXPECT_DOUBLE_EQ(x.range, 4.5);
  ASSERT_EQ(x.runs.size(), 2U);
  EXPECT_DOUBLE_EQ(x.runs[0].difference, -0.45);
  EXPECT_DOUBLE_EQ(x.runs[0].time, 1.5);
  EXPECT_DOUBLE_EQ(x.runs[0].first_value, 4.5);
  EXPECT_DOUBLE_EQ(x.runs[1].difference, 0.6);
  EXPECT_EQ(comparison.columns[1].runs[0].difference, 0);
  ASSERT_EQ(comparison.figures.size(), 1U);
  EXPECT_EQ(comparison.figures[0].values, (std::vector<double>{1.5, 1.5, 1.5}));
}

TEST(CompareRuns, TakesTheCommonTimeAndSaysSo) {
  const std::vector<ComparedRun> runs = {make_run("a", 0, {0, 0.5, 1, 1.5}),
                                         make_run("b", 1, {0.5, 1, 1.2})};
  const Comparison comparison = compare_runs(runs);
  EXPECT_EQ(comparison.first_time, 0.5);
  EXPECT_EQ(comparison.last_time, 1.2);
  EXPECT_EQ(comparison.columns[0].runs[0].time, 1);  // the last sample of a before 1.2 s
  ASSERT_EQ(comparison.notes.size(), 2U);
  EXPECT_NE(comparison.notes[0].find("a goes from 0 to 1.5 s, b goes from 0.5 to 1.2 s."),
            std::string::npos);
  EXPECT_NE(comparison.notes[1].find("straight lines"), std::string::npos);
}

TEST(CompareRuns, PassesOverWhatHasNoValue) {
  std::vector<ComparedRun> runs = {make_run("a", 0, {0, 0.5, 1}), make_run("b", 1, {0, 0.5, 1})};
  runs[1].channels[0].values[4] = kNaN;  // x at 1 s
  EXPECT_EQ(compare_runs(runs).columns[0].runs[0].time, 0.5);
  for (double& value : runs[1].channels[0].values) value = kNaN;
  const Comparison comparison = compare_runs(runs);
  EXPECT_TRUE(std::isnan(comparison.columns[0].runs[0].difference));
  EXPECT_NE(make_compare_report(runs, comparison).find("Largest differences"), std::string::npos);
}

// A channel that is NaN in one run gave blank cells and no word.
TEST(CompareRuns, NotesValuesThatOneRunLacks) {
  std::vector<ComparedRun> runs = {make_run("a", 0, {0, 0.5, 1}), make_run("b", 1, {0, 0.5, 1})};
  runs[0].channels[0].values[2] = kNaN;                                  // x at 0.5 s
  runs[1].channels[0].values[4] = kNaN;                                  // x at 1 s
  runs[0].channels[0].values[5] = runs[1].channels[0].values[5] = kNaN;  // y at 1 s, in both
  const Comparison comparison = compare_runs(runs);
  ASSERT_EQ(comparison.notes.size(), 1U);
  EXPECT_EQ(comparison.notes[0],
            "q x: 2 of 3 samples have no finite value in a or in b, but not in both; the others "
            "are compared.");
}

TEST(CompareRuns, NotesUnitsThatDifferAndLogsThatEndEarly) {
  std::vector<ComparedRun> runs = {make_run("a", 0, {0, 0.5}), make_run("b", 0, {0, 0.5})};
  runs[1].channels[0].units = {"mm", "rad"};
  runs[1].is_complete = false;
  const Comparison comparison = compare_runs(runs);
  ASSERT_EQ(comparison.columns.size(), 1U);
  EXPECT_EQ(comparison.columns[0].column, "y");
  std::string notes;
  for (const std::string& note : comparison.notes) notes += note + "\n";
  EXPECT_NE(notes.find("The log of b is incomplete"), std::string::npos) << notes;
  EXPECT_NE(notes.find("q x is in [m] in a and in [mm] in b"), std::string::npos) << notes;
}

TEST(CompareRuns, RefusesWhatCannotBeCompared) {
  const auto message_of = [](const std::vector<ComparedRun>& runs) {
    try {
      compare_runs(runs);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const ComparedRun a = make_run("a", 0, {0, 0.5});
  EXPECT_NE(message_of({a}).find("two runs or more, got 1"), std::string::npos);
  ComparedRun other = make_run("b", 0, {0, 0.5});
  other.channels[0].name = "p";
  EXPECT_NE(message_of({a, other}).find("no channel with the same name"), std::string::npos);
  EXPECT_NE(message_of({a, make_run("b", 0, {1, 2})}).find("no time in common"), std::string::npos);
  EXPECT_NE(message_of({a, {.name = "b"}}).find("no samples"), std::string::npos);
  EXPECT_NE(message_of({a, make_run("b", 0, {0, kNaN})}).find("time nan of sample 2"),
            std::string::npos);
  EXPECT_NE(message_of({a, make_run("b", 0, {0, 0})}).find("time 0 of sample 2"),
            std::string::npos);
}

TEST(CompareReport, LeavesOutChartsOfEqualConstants) {
  std::vector<ComparedRun> runs = {make_run("a", 0, {0, 0.5}), make_run("<b>", 1, {0, 0.5})};
  for (ComparedRun& run : runs) {
    run.channels.push_back({.name = "still", .names = {""}, .values = {7, 7}});
  }
  const std::string html = make_compare_report(runs, compare_runs(runs));
  EXPECT_EQ(html.find("id=\"channel-still-\""), std::string::npos);
  EXPECT_NE(html.find("id=\"channel-q-x\""), std::string::npos);
  EXPECT_NE(html.find("Not drawn: 1 "), std::string::npos);
  EXPECT_NE(html.find("Comparison of a and &lt;b&gt;"), std::string::npos);
}

}  // namespace
}  // namespace camber::report
