#include "camber/report/load_run.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include <gtest/gtest.h>

#include "camber/core/file.h"
#include "camber/record/log_writer.h"

namespace camber::report {
namespace {

namespace fs = std::filesystem;

class LoadRun : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "camber_load_run_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Two samples of a channel with one axis, one with two, and one that is a number.
  std::string write(const std::string& name, const std::string& summary) const {
    const fs::path folder = folder_ / name;
    fs::create_directories(folder);
    record::LogLayout layout;
    layout.channels = {{.name = "wheels/load", .shape = {2}, .units = {"N"}, .names = {"l", "r"}},
                       {.name = "bodies/poses",
                        .shape = {2, 2},
                        .units = {"m", "1"},
                        .names = {"x", "q"},
                        .row_names = {"axle", "hub"}},
                       {.name = "gear"}};
    record::LogWriter log((folder / "log.h5").string(), layout);
    const double loads[] = {1, 2}, poses[] = {3, 4, 5, 6}, gear[] = {7};
    log.append(0.5, {loads, poses, gear});
    log.append(0.75, {loads, poses, gear});
    log.close();
    if (!summary.empty()) write_file_atomically((folder / "summary.json").string(), summary);
    return folder.string();
  }

  static std::string message_of(const std::string& folder) {
    try {
      load_run(folder);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
};

TEST_F(LoadRun, MakesColumnsOfAllEntries) {
  const report::ComparedRun run = load_run(write("a", ""));
  EXPECT_EQ(run.name, "a");
  EXPECT_TRUE(run.is_complete);
  EXPECT_EQ(run.times, (std::vector<double>{0.5, 0.75}));
  ASSERT_EQ(run.channels.size(), 3U);  // in the order of the alphabet
  EXPECT_EQ(run.channels[0].names,
            (std::vector<std::string>{"axle x", "axle q", "hub x", "hub q"}));
  EXPECT_EQ(run.channels[0].units, (std::vector<std::string>{"m", "1", "m", "1"}));
  EXPECT_EQ(run.channels[1].names, std::vector<std::string>{""});
  EXPECT_EQ(run.channels[2].units, (std::vector<std::string>{"N", "N"}));
  EXPECT_EQ(run.channels[2].values, (std::vector<double>{1, 2, 1, 2}));
  EXPECT_TRUE(run.figures.empty());
}

TEST_F(LoadRun, TakesKeyFiguresOrAllNumbers) {
  const auto driven = load_run(write("a", R"({"time": 3.5, "seed": 7, "key_figures": [
      {"name": "roll", "value": 0.25, "unit": "rad"}, {"name": "none", "value": null}]})"));
  ASSERT_EQ(driven.figures.size(), 3U);
  EXPECT_EQ(driven.figures[0].name, "roll");
  EXPECT_EQ(driven.figures[0].unit, "rad");
  EXPECT_TRUE(std::isnan(driven.figures[1].value));
  EXPECT_EQ(driven.figures[2].name, "time");
  const auto run =
      load_run(write("b", R"({"status": "done", "steps": 12, "energy": {"drift": 0.5}})"));
  ASSERT_EQ(run.figures.size(), 2U);
  EXPECT_EQ(run.figures[1].name, "energy.drift");
  EXPECT_EQ(run.figures[1].value, 0.5);
}

TEST_F(LoadRun, TakesAFigureWithAnOddUnit) {
  const ComparedRun run =
      load_run(write("a", R"({"key_figures":[{"name":"f","value":1,"unit":[2]}]})"));
  ASSERT_EQ(run.figures.size(), 1U);
  EXPECT_EQ(run.figures[0].unit, "");
}

TEST_F(LoadRun, TellsRunsOfOneNameApart) {
  const auto runs = load_runs({write("new/a", ""), write("old/a", ""), write("new/b", "") + "/"});
  EXPECT_EQ(runs[0].name, "new/a");
  EXPECT_EQ(runs[1].name, "old/a");
  EXPECT_EQ(runs[2].name, "new/b");
  const std::string twice = write("c", "");
  EXPECT_EQ(load_runs({twice, twice})[1].name, "c (2)");
}

TEST_F(LoadRun, SaysWhatIsWrongWithAFolder) {
  EXPECT_NE(message_of((folder_ / "none").string()).find("no such folder"), std::string::npos);
  EXPECT_NE(message_of(folder_.string()).find("no log.h5 in it"), std::string::npos);
  const std::string run = write("a", "[1, 2");
  EXPECT_NE(message_of(run).find("summary.json: is not a JSON object"), std::string::npos);
  EXPECT_NE(message_of(run + "/log.h5").find("is a file"), std::string::npos);
  const auto repeated = [](const char* part) {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += part;
    return text;
  };
  const std::string deep =
      write("b", R"({"key_figures":[{"name":"f","value":)" + repeated("[") + repeated("]") + "}]}");
  EXPECT_NE(message_of(deep).find("summary.json: nests deeper than 100 levels"), std::string::npos);
  write_file_atomically(run + "/log.h5", "no HDF5");
  EXPECT_NE(message_of(run).find("log.h5"), std::string::npos);
}

}  // namespace
}  // namespace camber::report
