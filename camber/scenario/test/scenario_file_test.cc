#include "camber/scenario/scenario_file.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/figures/key_figures.h"
#include "camber/scenario/load_parts.h"
#include "camber/scenario/notes.h"

namespace camber::scenario {
namespace {

namespace fs = std::filesystem;

constexpr double kDegree = std::numbers::pi / 180;

// As if it lay in scenarios/; line 1 is empty.
constexpr const char* kDrive = R"(
kind = "scenario"
name = "drive"
about = "all that there is"
[vehicle]
model = "../models/hmmwv.toml"
level = "full"
formulation = "ce"
payload = [{ mass = 340.5, at = [-0.7, 0.1, 0.4] }]
center_of_mass_height = 0.81
start = { x = 3.5, y = -2.25, heading_deg = 30, speed = 7.5, gear = 2 }
[tire]
model = "magic_formula"
file = "../models/tires/hmmwv.tir"
contact = "envelope"
[ground]
terrain = "flat"
friction = 0.7
slope = 0.12
slope_heading_deg = 90
soil = "LETE_sand"
soil_level = "grid"
soil_spacing = 0.03
bump = [{ shape = "half_round", x = 12, height = 0.15, radius = 0.2 }]
[driver]
sample_time = 0.02
range = "low"
parking_brake = true
[driver.steering]
kind = "stanley"
gain = 1.7
soft_speed = 0.6
yaw_damping = 0.04
max_rate_deg = 25
[driver.path]
kind = "lane_change"
change = [{ distance = 40, offset = 3.25, duration = 2.5 }, { distance = 90, offset = -3.25, duration = 3.5 }]
[driver.speed]
kind = "profile"
table = [[0, 4], [6, 12.5]]
[run]
duration = 45
step = 0.002
sample_interval = 0.05
seed = 77
method = "rk4"
[[stop]]
when = "roll_above_deg"
value = 45
after = 2
then = "fails"
[[figures]]
figure = "time_to_speed"
name = "sprint"
speed = 11
after = 1
before = 30
min = 2.5
max = 9
source = "a book"
)";

std::string message_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse_scenario(text, "scenarios/drive.toml", overrides);
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

/// The same for what is found when the files that it names are loaded.
std::string load_message_of(const std::string& text, const std::vector<std::string>& overrides) {
  try {
    load_parts(parse_scenario(text, "scenarios/drive.toml", overrides));
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

/// kDrive with one piece of text for another.
std::string changed(const std::string& old_text, const std::string& new_text) {
  std::string text = kDrive;
  const std::size_t at = text.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  return text.replace(at, old_text.size(), new_text);
}

TEST(ScenarioFile, ReadsEverything) {
  const Scenario s = parse_scenario(kDrive, "scenarios/drive.toml");
  EXPECT_EQ(s.name, "drive");
  EXPECT_EQ(s.about, "all that there is");
  EXPECT_EQ(s.vehicle.model, "models/hmmwv.toml");
  EXPECT_EQ(s.vehicle.formulation, Formulation::kCe);
  ASSERT_EQ(s.vehicle.payload.size(), 1U);
  EXPECT_EQ(s.vehicle.payload[0].mass, 340.5);
  EXPECT_EQ(s.vehicle.payload[0].at, (std::array<double, 3>{-0.7, 0.1, 0.4}));
  EXPECT_EQ(s.vehicle.center_of_mass_height, 0.81);
  EXPECT_EQ(s.vehicle.start.y, -2.25);
  EXPECT_DOUBLE_EQ(s.vehicle.start.heading, 30 * kDegree);
  EXPECT_EQ(s.vehicle.start.gear, 2);
  EXPECT_EQ(s.tire.model, TireModel::kMagicFormula);
  EXPECT_EQ(s.tire.file, "models/tires/hmmwv.tir");
  EXPECT_EQ(s.tire.contact, dynamics::ContactMode::kEnvelope);
  EXPECT_EQ(s.ground.terrain, "");
  EXPECT_EQ(s.ground.slope, 0.12);
  EXPECT_DOUBLE_EQ(s.ground.slope_heading, 90 * kDegree);
  EXPECT_EQ(s.ground.soil, "LETE_sand");
  EXPECT_EQ(s.ground.soil_level, SoilLevel::kGrid);
  EXPECT_EQ(s.ground.soil_spacing, 0.03);
  ASSERT_EQ(s.ground.bumps.size(), 1U);
  EXPECT_EQ(s.ground.bumps[0].radius, 0.2);
  EXPECT_EQ(s.driver.sample_time, 0.02);
  EXPECT_TRUE(s.vehicle.start.is_low_range);
  EXPECT_TRUE(s.driver.has_parking_brake);
  EXPECT_EQ(std::get<autonomy::Stanley>(s.driver.steering).soft_speed, 0.6);
  EXPECT_DOUBLE_EQ(s.driver.max_rate.value_or(0), 25 * kDegree);
  EXPECT_FALSE(s.driver.max_angle);
  const auto& changes = std::get<LaneChangePath>(s.driver.path).changes;
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[1].distance, 90);
  EXPECT_FALSE(changes[1].time);
  EXPECT_EQ(changes[1].offset, -3.25);
  EXPECT_EQ(std::get<autonomy::SpeedProfile>(s.driver.speed).speed.y,
            (std::vector<double>{4, 12.5}));
  EXPECT_EQ(s.run.seed, 77U);
  EXPECT_EQ(s.run.method, integrate::FixedStep::kRungeKutta4);
  ASSERT_EQ(s.stops.size(), 1U);
  EXPECT_DOUBLE_EQ(s.stops[0].value, 45 * kDegree);
  EXPECT_EQ(s.stops[0].outcome, StopOutcome::kFails);
  ASSERT_EQ(s.figures.size(), 1U);
  EXPECT_EQ(s.figures[0].figure, "time_to_speed");
  EXPECT_EQ(s.figures[0].name, "sprint");
  EXPECT_EQ(s.figures[0].parameters.at("speed"), 11);
  EXPECT_EQ(s.figures[0].min, 2.5);
  EXPECT_EQ(s.figures[0].source, "a book");
}

TEST(ScenarioFile, NeedsLittle) {
  const Scenario s = parse_scenario(
      "kind = \"scenario\"\nname = \"n\"\n[vehicle]\nmodel = \"../models/hmmwv.toml\"\n[run]\n"
      "duration = 3\n",
      "scenarios/n.toml");
  EXPECT_EQ(s.vehicle.formulation, Formulation::kGenerated);
  EXPECT_EQ(s.tire.model, TireModel::kTmeasy);
  EXPECT_EQ(s.ground.soil, "rigid");
  EXPECT_TRUE(std::holds_alternative<NoPedals>(s.driver.speed));
  EXPECT_EQ(s.run.step, 0.001);
}

TEST(ScenarioFile, ReadsARollingConstraint) {
  const std::string text =
      "kind = \"scenario\"\nname = \"n\"\n[vehicle]\nmodel = \"../models/hmmwv.toml\"\n[run]\n"
      "duration = 3\n[tire]\nmodel = \"relaxed_rolling\"\nfriction = 0.55\nslip_speed = 0.3\n";
  const Scenario s = parse_scenario(text, "scenarios/n.toml");
  EXPECT_EQ(s.tire.model, TireModel::kRelaxedRolling);
  EXPECT_EQ(s.tire.friction, 0.55);
  EXPECT_EQ(s.tire.slip_speed, 0.3);
  const std::string where = "\"relaxed_rolling\" is for the full vehicle on rigid ground";
  for (const char* setting : {"ground.soil=LETE_sand", "vehicle.level=single_track"}) {
    const std::string message = load_message_of(text, {setting});
    EXPECT_EQ(message.rfind("scenarios/drive.toml:8:9: tire.model: " + where, 0), 0U) << message;
  }
  EXPECT_NE(message_of(text, {"tire.slip_speed=0"}).find("tire.slip_speed: must be from 1e-06"),
            std::string::npos);
}

TEST(ScenarioFile, ReadsEverySteering) {
  const std::string stanley =
      "kind = \"stanley\"\ngain = 1.7\nsoft_speed = 0.6\nyaw_damping = 0.04";
  const auto read = [&](const std::string& body) {
    return parse_scenario(changed(stanley, body), "scenarios/drive.toml").driver.steering;
  };
  using namespace autonomy;
  EXPECT_TRUE(std::holds_alternative<SteerStraight>(read("kind = \"none\"")));
  EXPECT_DOUBLE_EQ(
      std::get<SteerTable>(read("kind = \"table\"\ntable_deg = [[1, 3], [2, -4]]")).angle.y[1],
      -4 * kDegree);
  const auto step =
      std::get<SteerStep>(read("kind = \"step\"\nstart = 2\nangle_deg = 3\nrise = 0.2"));
  EXPECT_EQ(step.start, 2);
  EXPECT_DOUBLE_EQ(step.angle, 3 * kDegree);
  EXPECT_EQ(step.rise_time, 0.2);
  const auto ramp = std::get<SteerRamp>(read("kind = \"ramp\"\nangle_deg = 9\nrate_deg = 4"));
  EXPECT_EQ(ramp.start, 0);
  EXPECT_DOUBLE_EQ(ramp.rate, 4 * kDegree);
  const std::string sine = "kind = \"sine\"\nangle_deg = 9\nfrequency = 0.4\n";
  EXPECT_EQ(std::get<SteerSine>(read(sine + "cycles = 3")).periods, 3);
  EXPECT_GT(std::get<SteerSine>(read(sine + "cycles = 0")).periods, 1e8);  // without end
  const auto dwell =
      std::get<SteerSineWithDwell>(read("kind = \"sine_with_dwell\"\nangle_deg = 9"));
  EXPECT_EQ(dwell.frequency, 0.7);
  EXPECT_EQ(dwell.dwell, 0.5);
  EXPECT_EQ(
      std::get<PurePursuit>(read("kind = \"pure_pursuit\"\nlook_ahead_min = 30")).max_distance, 30);
  EXPECT_EQ(std::get<PreviewFigures>(read("kind = \"preview\"\npreview_time = 0.7")).horizon, 0.7);
}

TEST(ScenarioFile, ReadsEveryPathAndSpeed) {
  const std::string path =
      "kind = \"lane_change\"\nchange = [{ distance = 40, offset = 3.25, duration = 2.5 }, { "
      "distance = 90, offset = -3.25, duration = 3.5 }]";
  const auto read_path = [&](const std::string& body) {
    return parse_scenario(changed(path, body), "scenarios/drive.toml").driver.path;
  };
  EXPECT_TRUE(std::holds_alternative<StraightPath>(read_path("kind = \"straight\"")));
  EXPECT_EQ(
      std::get<CirclePath>(read_path("kind = \"circle\"\nradius = 35\nturn = \"right\"")).radius,
      -35);
  EXPECT_EQ(std::get<Iso3888Path>(read_path("kind = \"iso3888_1\"\nentry = 20\nvehicle_width = 2\n"
                                            "vehicle_length = 4"))
                .vehicle_width,
            2);
  const auto points = std::get<PointPath>(
      read_path("kind = \"points\"\npoints = [[0, 1], [5, 3], [2, 9]]\nclosed = true"));
  EXPECT_EQ(points.points[2][1], 9);
  EXPECT_TRUE(points.is_closed);

  const auto read_speed = [&](const std::string& body) {
    return parse_scenario(changed("kind = \"profile\"\ntable = [[0, 4], [6, 12.5]]", body),
                          "scenarios/drive.toml")
        .driver.speed;
  };
  EXPECT_EQ(std::get<HoldSpeed>(read_speed("kind = \"hold\"\ntarget = 9")).target, 9);
  const auto open =
      std::get<autonomy::Pedals>(read_speed("kind = \"open\"\nthrottle = [[0, 0.4]]"));
  EXPECT_EQ(open.throttle.y, std::vector<double>{0.4});
  EXPECT_EQ(open.brake.y, std::vector<double>{0});
}

// Points that turn back, or lie too close for their bends, gave paths of kilometers and NaN.
TEST(ScenarioFile, RefusesPointsThatAreNoPath) {
  const auto message = [](const std::string& path) {
    return message_of(
        "kind = \"scenario\"\nname = \"d\"\n[vehicle]\nmodel = \"../models/hmmwv.toml\"\n"
        "[driver.steering]\nkind = \"stanley\"\n[driver.path]\nkind = \"points\"\n" +
        path + "\n[run]\nduration = 3\n");
  };
  EXPECT_EQ(message("points = [[0, 0], [20, 0], [30, 5], [60, 5]]"), "");
  EXPECT_EQ(message("points = [[0, 0],\n [40, 0],\n [0, 0]]"),
            "scenarios/drive.toml:10:2: driver.path.points[1]: must turn by at most 175 degrees at "
            "a point, turns back by 180 at point 2 (40, 0): lead it around by more points");
  EXPECT_EQ(message("points = [[0, 0], [20, 0],\n [20, 0.2], [40, 0.2]]"),
            "scenarios/drive.toml:9:19: driver.path.points[1]: the curve through the points must "
            "have a radius of at least 0.5 m, has 0.083 m between point 2 (20, 0) and point 3 (20, "
            "0.2): set points farther apart, or smooth recorded ones");
  EXPECT_EQ(message("closed = true\npoints = [[5, 1], [9, 2]]"),
            "scenarios/drive.toml:10:11: driver.path.points[0]: needs at least 3 points, got 2");
  EXPECT_EQ(message("points = [[5, 1], [9, 2, 3], [9, 2]]"),
            "scenarios/drive.toml:9:19: driver.path.points[1]: expected 2 numbers, found 3");
}

TEST(ScenarioFile, NamesPlaceKeyAndRemedyOfMistakes) {
  struct Case {
    std::string old_text, new_text, message;
  };
  for (const Case& c : std::vector<Case>{
           {"models/hmmwv.toml", "models/hmmvw.toml",
            "scenarios/drive.toml:6:9: vehicle.model: there is no file models/hmmvw.toml; did you "
            "mean \"hmmwv.toml\"?"},
           {"models/hmmwv.toml", "models/four-bar.toml",
            "vehicle.model: models/four-bar.toml is not of kind \"vehicle\", but of mechanism"},
           {"\"../models/hmmwv.toml\"", "\"\"", "vehicle.model: expected the name of a file"},
           {"\"magic_formula\"", "\"tmeazy\"", "; did you mean \"tmeasy\"?"},
           {"../models/tires/hmmwv.tir", "../models/hmmwv.toml",
            "tire.file: models/hmmwv.toml is not of kind \"tire\", but of vehicle"},
           {"hmmwv.tir", "hmmwvv.tir", "tire.file: there is no file models/tires/hmmwvv.tir; did "},
           {"terrain = \"flat\"", "terrain = \"../terrains/hils.toml\"",
            "ground.terrain: there is no file terrains/hils.toml; did you mean \"hills.toml\"?"},
           {"terrain = \"flat\"", "terrain = \"../terrains/hills.toml\"",
            "scenarios/drive.toml:19:9: ground.slope: is for flat ground"},
           {"LETE_sand", "LETE_snad",
            "ground.soil: no soil \"LETE_snad\"; did you mean \"LETE_sand\"?"},
           {"soil = \"LETE_sand\"", "soil = \"rigid\"", "ground.soil_level: needs a soil"},
           {"gain = 1.7", "gian = 1.7",
            "driver.steering.gian: unknown key; did you mean \"gain\"?"},
           {"gear = 2", "gear = -1",
            "driver.speed.table: must be <= 0 m/s with vehicle.start.gear = -1, which drives "
            "backward, got 4"},
           {"gear = 2", "gear = -1", "driver.steering.kind: follows a path forward"},
           {"[6, 12.5]]", "[6, -12.5]]",
            "driver.speed.table: must be >= 0 m/s, got -12.5; to drive backward, "
            "vehicle.start.gear = -1"},
           {"{ distance = 90,", "{ time = 90,",
            "all lane changes of a path start by time, or all by"},
           {"{ distance = 90,", "{ ",
            "driver.path.change[1]: starts at a time [s] or at a distance"},
           {"{ distance = 90,", "{ distance = 9,", "starts at 9 m, but the previous one at 40 m"},
           {"[6, 12.5]]", "[-6, 12.5]]", "times must increase, got -6 after 0"},
           {"[6, 12.5]]", "[6]]", "driver.speed.table[1]: expected [time, value], found 1 values"},
           {"[[0, 4], [6, 12.5]]", "[]", "driver.speed.table: needs at least one [time"},
           {"duration = 45", "duration = 0.5", "figures[0].after: the run lasts 0.5 s"},
           {"duration = 45", "duration = -45",
            "run.duration: must be from 0.001 to 1e+06 s, got -45"},
           {"step = 0.002", "step = \"fast\"", "run.step: expected a number [s], found text"},
           {"then = \"fails\"", "then = \"fail\"",
            "stop[0].then: must be one of \"ends\", \"fails\""},
           {"\"time_to_speed\"", "\"time_to_sped\"",
            "figures[0].figure: no key figure \"time_to_sped\"; did you mean \"time_to_speed\"?"},
           {"\nspeed = 11", "", "figures[0].speed: missing"},
           {"\nspeed = 11", "\nspede = 11",
            "figures[0].spede: unknown key; did you mean \"speed\"?"},
           {"\"time_to_speed\"", "\"cone_margin\"",
            "needs driver.path.kind = \"iso3888_1\" or \"iso3888_2\""},
           {"max = 9", "max = 1", "figures[0].max: must be >= min = 2.5"},
           {"before = 30", "before = 0.5", "figures[0].before: must be > after = 1 s"},
           {"shape = \"half_round\"", "shape = \"halfround\"", "ground.bump[0].shape: must be one"},
           {"[driver.path]", "[driver.pth]",
            "steering follows a path: [driver.path] is missing"}}) {
    const std::string message = message_of(changed(c.old_text, c.new_text));
    EXPECT_NE(message.find(c.message), std::string::npos) << c.new_text << "\n" << message;
  }
}

// The reader's own replacement came back as "must be >= 0 m/s, got -200".
TEST(ScenarioFile, SaysOneThingAboutASpeedOutOfRange) {
  const std::string message = message_of(changed("[[0, 4], [6, 12.5]]", "[[0, 300], [6, 12.5]]"));
  EXPECT_NE(message.find("must be from -200 to 200 m/s, got 300"), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST(ScenarioFile, OldNamesNameTheNewOnes) {
  const std::string stanley =
      "kind = \"stanley\"\ngain = 1.7\nsoft_speed = 0.6\nyaw_damping = 0.04";
  struct Case {
    std::string old_text, new_text, message;
  };
  for (const Case& c : std::vector<Case>{
           {"min = 2.5", "least = 2.5", "figures[0].least: renamed to \"min\""},
           {"max = 9", "most = 9", "figures[0].most: renamed to \"max\""},
           {"\"time_to_speed\"", "\"least_speed\"",
            "figures[0].figure: \"least_speed\" was renamed to \"min_speed\""},
           {"\"time_to_speed\"", "\"least_clearance\"", "was renamed to \"min_clearance\""},
           {"\"time_to_speed\"", "\"least_wheel_load\"", "was renamed to \"min_wheel_load\""},
           {"max_rate_deg", "greatest_rate_deg",
            "driver.steering.greatest_rate_deg: renamed to \"max_rate_deg\""},
           {"max_rate_deg", "greatest_angle_deg",
            "driver.steering.greatest_angle_deg: renamed to \"max_angle_deg\""},
           {stanley, "kind = \"step\"\nangle_deg = 3\nat = 2",
            "driver.steering.at: renamed to \"start\""},
           {stanley, "kind = \"pure_pursuit\"\nlook_ahead_least = 3",
            "driver.steering.look_ahead_least: renamed to \"look_ahead_min\""},
           {stanley, "kind = \"pure_pursuit\"\nlook_ahead_most = 30",
            "driver.steering.look_ahead_most: renamed to \"look_ahead_max\""},
           {stanley, "kind = \"preview\"\npreview_least = 3",
            "driver.steering.preview_least: renamed to \"preview_min\""}}) {
    const std::string message = message_of(changed(c.old_text, c.new_text));
    EXPECT_NE(message.find(c.message), std::string::npos) << c.new_text << "\n" << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << "one mistake: " << message;
  }
}

// Steps end at samples: an interval of 0.0003 s made 3400 steps of a second of "0.001 s".
TEST(ScenarioFile, TakesNoSamplesWithinAStep) {
  const std::string drive =
      "kind = \"scenario\"\nname = \"d\"\n[vehicle]\nmodel = \"../models/hmmwv.toml\"\n"
      "[driver]\nsample_time = 0.06\n[run]\nduration = 3\n";
  EXPECT_NE(message_of(drive + "sample_interval = 0.0003\n")
                .find("scenarios/drive.toml:9:19: run.sample_interval: must be >= run.step = 0.001 "
                      "s, got 3e-04"),
            std::string::npos)
      << message_of(drive + "sample_interval = 0.0003\n");
  const auto read = [&](const std::string& run) {
    return parse_scenario(drive + run, "scenarios/drive.toml");
  };
  EXPECT_EQ(read("step = 0.03\n").run.sample_interval, 0.03);
  EXPECT_EQ(read("").run.sample_interval, 0.01);
  for (const char* fits : {"", "step = 0.002\n", "sample_interval = 0.001\n",
                           "step = 0.003\nsample_interval = 0.021\n", "step = 0.06\n"})
    EXPECT_TRUE(find_notes(read(fits)).empty()) << fits;
  const std::vector<std::string> notes = find_notes(read("step = 0.004\n"));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("run.sample_interval of 0.01 s is not a multiple of run.step of 0.004 s"),
            std::string::npos)
      << notes[0];
}

// They were read, and did nothing.
TEST(ScenarioFile, NotesKeysWithoutEffect) {
  struct Case {
    std::vector<std::string> overrides;
    std::string note;  // how the only one begins; "": there is none
  };
  const std::string on_grid = "ground.soil_level=grid";
  for (const Case& c : std::vector<Case>{
           {{}, ""},
           {{"tire.friction=0.4"}, "tire.friction is not used: it is for \"relaxed_rolling\""},
           {{"tire.slip_speed=0.4"}, "tire.slip_speed is not used: "},
           {{"tire.model=relaxed_rolling", "tire.friction=0.4", "tire.slip_speed=0.4"}, ""},
           {{"tire.contact=envelope"}, ""},
           {{"ground.soil=LETE_sand", on_grid}, ""},
           {{"ground.soil=LETE_sand", on_grid, "ground.soil_spacing=0.03"}, ""},
           {{"ground.soil=LETE_sand", on_grid, "tire.contact=envelope"},
            "tire.contact is not used: on ground.soil_level = \"grid\""},
           {{"ground.soil=LETE_sand", "ground.soil_spacing=0.03"},
            "ground.soil_spacing is not used: "},
           {{"vehicle.level=point_mass"}, ""},
           {{"vehicle.level=point_mass", "vehicle.formulation=ce"},
            "vehicle.formulation is not used: vehicle.level is \"point_mass\""},
           {{"vehicle.level=single_track", "tire.contact=four_points"},
            "tire.contact is not used: vehicle.level is \"single_track\""},
           {{"vehicle.level=single_track", "run.method=midpoint"}, "run.method is not used: "},
           {{"vehicle.level=single_track", "run.method=rk4"}, ""},
           {{"vehicle.formulation=fa"}, "vehicle.formulation = \"fa\" needs run.method = \"rk4\""},
           {{"vehicle.formulation=fa", "run.method=rk4"}, ""},
           {{"driver.speed.kind=hold", "driver.speed.target=0"}, ""},
           {{"driver.speed.kind=hold", "driver.speed.target=0.2"}, ""},
           {{"driver.speed.kind=hold", "driver.speed.target=0.1"},
            "driver.speed.target of 0.1 m/s: the driver takes less than 0.2 m/s for a stop"},
           {{"driver.path.kind=points", "driver.path.points=[[0, 0], [20, 0], [30, 5], [60, 5]]"},
            ""},
           {{"driver.path.kind=points", "driver.path.points=[[0, 0], [20, 0], [20, 4], [40, 4]]"},
            "driver.path.points bend with a radius of 1.2 m: few vehicles turn in less than 4 "
            "m"}}) {
    SCOPED_TRACE(testing::PrintToString(c.overrides));
    const Scenario scenario = parse_scenario(
        "kind = \"scenario\"\nname = \"d\"\n[vehicle]\nmodel = \"../models/hmmwv.toml\"\n"
        "[run]\nduration = 3\n",
        "scenarios/drive.toml", c.overrides);
    const std::vector<std::string> notes = find_notes(scenario);
    EXPECT_EQ(notes.size(), c.note.empty() ? 0U : 1U);
    for (const std::string& note : notes) EXPECT_EQ(note.rfind(c.note, 0), 0U) << note;
  }
}

TEST(ScenarioFile, ReportsAllMistakesAtOnce) {
  std::string text = changed("LETE_sand", "LETE_snad");
  text.replace(text.find("\"stanley\""), 9, "\"stanly\"");
  text.replace(text.find("friction = 0.7"), 14, "friction = -7 ");
  const std::string message = message_of(text);
  for (const char* part : {"LETE_snad", "stanley", "ground.friction: must be from 0 to 10"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(ScenarioFile, TakesOverrides) {
  const std::vector<std::string> overrides = {"tire.model=fiala",
                                              "tire.file=../models/tires/hmmwv-fiala.toml",
                                              "driver.speed={ kind = \"hold\", target = 15 }",
                                              "driver.path.change[1].offset=-3",
                                              "figures[0].speed=14",
                                              "run.seed=5"};
  const Scenario s = parse_scenario(kDrive, "scenarios/drive.toml", overrides);
  EXPECT_EQ(s.tire.model, TireModel::kFiala);
  EXPECT_EQ(s.tire.file, "models/tires/hmmwv-fiala.toml");
  EXPECT_EQ(std::get<HoldSpeed>(s.driver.speed).target, 15);
  EXPECT_EQ(std::get<LaneChangePath>(s.driver.path).changes[1].offset, -3);
  EXPECT_EQ(s.figures[0].parameters.at("speed"), 14);
  EXPECT_EQ(s.run.seed, 5U);
  EXPECT_EQ(message_of(kDrive, {"driver.stering.gain=2"}),
            "--set driver.stering.gain=2: driver.stering: unknown key; did you mean \"steering\"?");
  EXPECT_EQ(message_of(kDrive, {"tire.model=fialla"}),
            "--set tire.model=fialla: tire.model: must be one of \"tmeasy\", \"fiala\", \"brush\", "
            "\"magic_formula\", \"rigid\", \"relaxed_rolling\", got text \"fialla\"; did you mean "
            "\"fiala\"?");
}

// A file says what it is of; a scenario that says another thing is wrong, whichever was meant.
TEST(ScenarioFile, TireModelAgreesWithItsFile) {
  const std::string text =
      "kind = \"scenario\"\nname = \"n\"\n[vehicle]\nmodel = \"../models/hmmwv.toml\"\n[run]\n"
      "duration = 3\n";
  const auto model_of = [&](const std::string& file) {
    const std::vector<std::string> overrides = {"tire.file=../models/tires/" + file};
    return parse_scenario(text, "scenarios/n.toml", overrides).tire.model;
  };
  EXPECT_EQ(model_of("hmmwv-fiala.toml"), TireModel::kFiala);
  EXPECT_EQ(model_of("hmmwv-brush.toml"), TireModel::kBrush);
  EXPECT_EQ(model_of("hmmwv.tir"), TireModel::kMagicFormula);
  EXPECT_EQ(
      message_of(text, {"tire.file=../models/tires/hmmwv-brush.toml", "tire.model=fiala"}),
      "--set tire.model=fiala: tire.model: is \"fiala\", but models/tires/hmmwv-brush.toml is "
      "of \"brush\": expected the same, no tire.model, or another tire.file");
  EXPECT_NE(message_of(text, {"tire.file=../models/tires/hmmwv.tir", "tire.model=tmeasy"})
                .find("models/tires/hmmwv.tir is of \"magic_formula\""),
            std::string::npos);
  // A rolling constraint has the size and spring of any tire.
  EXPECT_EQ(message_of(text, {"tire.file=../models/tires/hmmwv.tir", "tire.model=relaxed_rolling"}),
            "");
}

std::vector<std::string> shipped_scenarios() {
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator("scenarios")) {
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (text.find("kind = \"scenario\"") != std::string::npos) paths.push_back(entry.path());
  }
  return paths;
}

TEST(ScenarioFile, HasEveryWordInTheManual) {
  std::ifstream file("docs/manual/scenarios.md");
  const std::string manual{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  for (const auto& words : std::initializer_list<std::span<const std::string_view>>{
           kVehicleLevelWords, kFormulationWords, kTireModelWords, kContactModeWords,
           kSoilLevelWords, kSteeringWords, kPathWords, kSpeedWords, kMethodWords, kStopKindWords,
           kStopOutcomeWords}) {
    for (const std::string_view word : words)
      EXPECT_NE(manual.find("`" + std::string(word) + "`"), std::string::npos) << word;
  }
  for (const std::string& path : shipped_scenarios())
    EXPECT_NE(manual.find("`" + fs::path(path).filename().string() + "`"), std::string::npos)
        << path;
}

TEST(ScenarioFile, ShipsScenariosThatAreGood) {
  const std::vector<std::string> paths = shipped_scenarios();
  EXPECT_GE(paths.size(), 14U);
  for (const std::string& path : paths) {
    SCOPED_TRACE(path);
    Scenario s;
    ASSERT_NO_THROW(s = load_scenario(path));
    EXPECT_EQ(s.name, fs::path(path).stem());
    EXPECT_FALSE(s.figures.empty());
    for (const figures::FigureRequest& figure : s.figures) {
      const bool has_bounds = figure.min || figure.max;
      EXPECT_EQ(has_bounds, !figure.source.empty()) << figure.name << ": bounds have a source";
    }
  }
}

/// Gives two lines each other's values: still TOML, but hardly a scenario.
void swap_values(RandomStream* random, std::string* text) {
  std::vector<std::pair<std::size_t, std::size_t>> values;  // begin, length
  for (std::size_t at = text->find(" = "); at != std::string::npos;
       at = text->find(" = ", at + 1)) {
    const std::size_t end = text->find('\n', at);
    values.emplace_back(at + 3, end - at - 3);
    at = end;
  }
  const auto last = static_cast<std::int64_t>(values.size()) - 1;
  auto a = values[static_cast<std::size_t>(random->integer(0, last))];
  auto b = values[static_cast<std::size_t>(random->integer(0, last))];
  if (a.first > b.first) std::swap(a, b);
  if (a.first == b.first) return;
  const std::string of_a = text->substr(a.first, a.second), of_b = text->substr(b.first, b.second);
  text->replace(b.first, b.second, of_a);
  text->replace(a.first, a.second, of_b);
}

void change_letters(RandomStream* random, std::string* text) {
  constexpr std::string_view kLetters = "=[]{}\".,#\n-_0123456789aekxz\\ ";
  const auto index = [&](std::size_t size) {
    return static_cast<std::size_t>(random->integer(0, static_cast<std::int64_t>(size) - 1));
  };
  const std::size_t at = index(text->size());
  switch (random->integer(0, 3)) {
    case 0:
      (*text)[at] = kLetters[index(kLetters.size())];
      break;
    case 1:
      text->erase(at, 1 + index(12));
      break;
    case 2:
      text->insert(index(text->size()), text->substr(at, 1 + index(60)));
      break;
    default:
      text->resize(std::max(at, text->size() / 2));
      break;
  }
}

// What comes out is a scenario or a message.
TEST(ScenarioFile, SurvivesMutations) {
  int were_toml = 0;
  for (std::uint64_t seed = 0; seed < 900; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random = RandomStream(seed).substream("mutation");
    std::string text = kDrive;
    for (std::int64_t n = random.integer(1, 3); n > 0; --n)
      seed % 3 == 0 ? change_letters(&random, &text) : swap_values(&random, &text);
    if (message_of(text).find("not valid TOML") == std::string::npos) ++were_toml;
  }
  EXPECT_GT(were_toml, 600);
}

}  // namespace
}  // namespace camber::scenario
