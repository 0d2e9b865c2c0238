#include "camber/sim/drive_summary.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace camber::sim {
namespace {

std::uint64_t hash_text(const char* text) {
  return fnv1a64(std::as_bytes(std::span(text, std::strlen(text))));
}

// Numbers of the test vectors that Noll publishes with the hash.
TEST(Fnv1a64, GivesThePublishedNumbers) {
  EXPECT_EQ(hash_text(""), 0xcbf29ce484222325ULL);
  EXPECT_EQ(hash_text("a"), 0xaf63dc4c8601ec8cULL);
  EXPECT_EQ(hash_text("foobar"), 0x85944171f73967e8ULL);
}

TEST(Fnv1a64, IsTheSameOfPieces) {
  const std::string text = "foobar";
  const auto bytes = std::as_bytes(std::span(text));
  EXPECT_EQ(fnv1a64(bytes.last(4), fnv1a64(bytes.first(2))), 0x85944171f73967e8ULL);
}

TEST(HashState, TellsStatesApartThatDifferInOneBit) {
  const std::vector<double> state = {1.25, -3.5, 0.0};
  EXPECT_EQ(hash_state(state), hash_state(std::vector<double>{1.25, -3.5, 0.0}));
  EXPECT_NE(hash_state(state), hash_state(std::vector<double>{1.25, -3.5, -0.0}));
  EXPECT_NE(hash_state(state), hash_state(std::vector<double>{-3.5, 1.25, 0.0}));
  EXPECT_NE(hash_state(state),
            hash_state(std::vector<double>{std::nextafter(1.25, 2.0), -3.5, 0.0}));
  EXPECT_EQ(hash_state({}), "fnv1a64:cbf29ce484222325");
}

// By hand: 1.0 is 3ff0000000000000, so the bytes are six zeros, f0, 3f.
TEST(HashState, TakesTheLeastSignificantByteFirst) {
  std::uint64_t expected = 0xcbf29ce484222325ULL;
  for (const std::uint64_t byte : {0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0xf0, 0x3f}) {
    expected = (expected ^ byte) * 1099511628211ULL;
  }
  char text[32];
  std::snprintf(text, sizeof text, "fnv1a64:%016llx", static_cast<unsigned long long>(expected));
  EXPECT_EQ(hash_state(std::vector<double>{1.0}), text);
}

TEST(DriveSummary, SaysWhatWasDrivenAndWhatCameOut) {
  const RunSource source{
      .model_file = "scenarios/lane-change.toml", .model_text = {}, .program = "camber 0.1.0"};
  const DriveFacts facts{.scenario = "Lane change",
                         .overrides = {"run.step=0.001", "tire.model=fiala"},
                         .vehicle = "models/hmmwv.toml",
                         .tire = "fiala, contact point",
                         .ground = "flat, rigid, friction x 0.7",
                         .formulation = "generated",
                         .method = "rk2",
                         .step = 0.001,
                         .duration = 70,
                         .seed = 18446744073709551615ULL,
                         .warnings = {"the ground is flat"}};
  RunResult result;
  result.time = 70;
  result.samples = 7001;
  result.wall_time = 3.5;
  const std::vector<report::KeyFigure> figures = {
      report::make_key_figure("largest roll angle", 0.031, "rad", {}, 0.07, "[a source]"),
      report::make_key_figure("distance", 1216.4, "m"),
      report::make_key_figure("overshoot", std::numeric_limits<double>::quiet_NaN(), "m", {}, 0.3)};
  const std::vector<double> state = {0.3, 4.1};
  const auto json =
      nlohmann::json::parse(make_drive_summary(source, facts, result, figures, state));
  EXPECT_EQ(json["status"], "done");
  EXPECT_EQ(json["passed"], false);  // overshoot has no value
  EXPECT_EQ(json["scenario"], "Lane change");
  EXPECT_EQ(json["overrides"], (std::vector<std::string>{"run.step=0.001", "tire.model=fiala"}));
  EXPECT_EQ(json["tire"], "fiala, contact point");
  EXPECT_EQ(json["ground"], "flat, rigid, friction x 0.7");
  EXPECT_EQ(json["seed"], 18446744073709551615ULL);
  EXPECT_EQ(json["real_time_factor"], 20);
  EXPECT_EQ(json["final_state_hash"], hash_state(state));
  EXPECT_EQ(json["versions"]["program"], "camber 0.1.0");
  EXPECT_FALSE(json["versions"]["compiler"].get<std::string>().empty());
  EXPECT_EQ(json["warnings"][0], "the ground is flat");
  const auto& roll = json["key_figures"][0];
  EXPECT_EQ(roll["value"], 0.031);
  EXPECT_EQ(roll["upper"], 0.07);
  EXPECT_FALSE(roll.contains("lower"));
  EXPECT_EQ(roll["passed"], true);
  EXPECT_EQ(roll["source"], "[a source]");
  EXPECT_FALSE(json["key_figures"][1].contains("passed"));
  EXPECT_TRUE(json["key_figures"][2]["value"].is_null());
}

TEST(DriveSummary, OfAnEarlyEndHasNotPassed) {
  RunResult result;
  result.status = RunStatus::kFailed;
  result.reason = "the vehicle overturned at t = 3.2 s";
  const auto json = nlohmann::json::parse(make_drive_summary({}, {}, result, {}, {}));
  EXPECT_EQ(json["status"], "failed");
  EXPECT_EQ(json["reason"], "the vehicle overturned at t = 3.2 s");
  EXPECT_EQ(json["passed"], false);
}

}  // namespace
}  // namespace camber::sim
