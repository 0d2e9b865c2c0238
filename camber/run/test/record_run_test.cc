#include "camber/run/record_run.h"

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "camber/core/file.h"
#include "camber/record/log_reader.h"

namespace camber::run {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A ball in free fall, sampled every 0.25 s.
class Fall : public Runnable {
 public:
  Fall() {
    facts_ = {.kind = "mechanism",
              .name = "ball",
              .about = "Falls.",
              .formulation = "by hand",
              .method = "exact",
              .step = 0.25,
              .duration = 2,
              .sample_interval = 0.25};
    result_.begin = 0.5;
    result_.time = 0.5;
  }
  double fails_at = 100, breaks_at = 100;  // [s]

  const RunFacts& facts() const override { return facts_; }
  const std::vector<record::Channel>& channels() const override { return channels_; }
  record::Attributes attributes() const override { return {{"start.height", 100.0}}; }
  void set_sink(SampleSink sink) override { sink_ = std::move(sink); }
  void advance() override {
    if (result_.samples == 0) sample();
    result_.time += facts_.step;
    ++result_.statistics.steps;
    if (result_.time > breaks_at)
      throw FileError("log.h5", "cannot write: No space left on device");
    if (result_.time > fails_at) {
      result_.time -= facts_.step;
      result_.status = RunStatus::kFailed;
      result_.reason = "the ball hit the ground at t = 1.3 s";
      return;
    }
    sample();
    if (result_.time >= facts_.duration) result_.status = RunStatus::kDone;
  }
  void stop() override { result_.status = RunStatus::kStopped; }
  RunResult result() const override { return result_; }
  void finish(const record::Table& log, Json* summary, report::PageData* page) override {
    (*summary)["last_height"] = log.find_values("height")->back();
    page->values.push_back({"last height", "some", "m"});
    page->channels = {"speed"};
  }

 private:
  void sample() {
    const double t = result_.time;
    const double values[] = {100 - 0.5 * 9.81 * t * t, -9.81 * t};
    ++result_.samples;
    sink_(t, values);
  }

  RunFacts facts_;
  std::vector<record::Channel> channels_ = {{.name = "height", .units = {"m"}},
                                            {.name = "speed", .units = {"m/s"}}};
  SampleSink sink_;
  RunResult result_;
};

class RecordRun : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "camber_record_run_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  void TearDown() override { fs::remove_all(path_); }

  RunResult record(Fall* fall, const RunHooks& hooks = {}) {
    return record_run({.model_file = "ball.toml",
                       .model_text = "kind = ...",
                       .program = "camber 0.1.0",
                       .overrides = {"mass=3"}},
                      record::RunFolder::make_at(path_), fall, hooks);
  }
  Json summary() const { return Json::parse(read_file(path_ + "/summary.json", 1 << 20)); }
  std::string report() const { return read_file(path_ + "/report.html", 1 << 22); }

  std::string path_;
};

TEST_F(RecordRun, WritesLogSummaryAndReport) {
  Fall fall;
  const RunResult result = record(&fall);
  EXPECT_EQ(result.status, RunStatus::kDone);
  const record::LogReader log(path_ + "/log.h5");
  EXPECT_TRUE(log.is_complete());
  EXPECT_EQ(log.read("time"), (std::vector{0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0}));
  EXPECT_EQ(log.read("speed").back(), -9.81 * 2);
  EXPECT_EQ(std::get<double>(log.attributes().at("start.height")), 100);
  EXPECT_EQ(std::get<double>(log.attributes().at("integrator.step")), 0.25);
  EXPECT_EQ(std::get<std::string>(log.attributes().at("formulation")), "by hand");

  const Json json = summary();
  EXPECT_EQ(json["kind"], "mechanism");
  EXPECT_EQ(json["status"], "done");
  EXPECT_EQ(json["name"], "ball");
  EXPECT_EQ(json["about"], "Falls.");
  EXPECT_EQ(json["file"], "ball.toml");
  EXPECT_EQ(json["overrides"], (std::vector<std::string>{"mass=3"}));
  EXPECT_EQ(json["method"], "exact");
  EXPECT_EQ(json["step"], 0.25);
  EXPECT_FALSE(json.contains("tolerance"));
  EXPECT_EQ(json["restarted_at"], 0.5);
  EXPECT_EQ(json["time"], 2);
  EXPECT_EQ(json["samples"], 7);
  EXPECT_EQ(json["steps"], 6);
  EXPECT_DOUBLE_EQ(json["real_time_factor"].get<double>(), 1.5 / json["wall_time"].get<double>());
  EXPECT_EQ(json["last_height"], 100 - 0.5 * 9.81 * 4);
  EXPECT_EQ(json["versions"]["program"], "camber 0.1.0");

  const std::string page = report();
  EXPECT_NE(page.find("Run of ball"), std::string::npos);
  EXPECT_NE(page.find("last height"), std::string::npos);
  EXPECT_NE(page.find("mass=3"), std::string::npos);
}

// The page comes from the folder alone.
TEST_F(RecordRun, MakesTheSameReportAgainFromTheFolder) {
  Fall fall;
  record(&fall);
  EXPECT_EQ(report::make_folder_report(path_), report());
}

TEST_F(RecordRun, StopsWhereItsUserWishes) {
  Fall fall;
  const RunResult result = record(&fall, {.go_on = [](double t) { return t < 1; }});
  EXPECT_EQ(result.status, RunStatus::kStopped);
  EXPECT_EQ(summary()["status"], "stopped");
  EXPECT_EQ(summary()["time"], 1);
  EXPECT_TRUE(record::LogReader(path_ + "/log.h5").is_complete());
  EXPECT_NE(report().find("The run was stopped at t = 1 s."), std::string::npos);
}

TEST_F(RecordRun, KeepsTheSamplesOfARunThatFails) {
  Fall fall;
  fall.fails_at = 1.3;
  EXPECT_EQ(record(&fall).status, RunStatus::kFailed);
  EXPECT_EQ(summary()["reason"], "the ball hit the ground at t = 1.3 s");
  EXPECT_EQ(summary()["time"], 1.25);
  EXPECT_EQ(record::LogReader(path_ + "/log.h5").read("time").back(), 1.25);
}

// A log that could not be written to its end is not marked as complete; there is a summary all the
// same.
TEST_F(RecordRun, MarksTheLogOfABrokenRunAsIncomplete) {
  Fall fall;
  fall.breaks_at = 1.3;
  const RunResult result = record(&fall);
  EXPECT_EQ(result.status, RunStatus::kFailed);
  EXPECT_TRUE(result.is_broken);
  EXPECT_EQ(summary()["reason"], "log.h5: cannot write: No space left on device");
  const record::LogReader log(path_ + "/log.h5");
  EXPECT_FALSE(log.is_complete());
  EXPECT_EQ(log.read("time").back(), 1.25);
}

}  // namespace
}  // namespace camber::run
