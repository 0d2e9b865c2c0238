#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "camber/analysis/rig_reference.h"
#include "camber/analysis/rig_report.h"
#include "camber/analysis/rig_text.h"
#include "camber/core/diagnostics.h"
#include "camber/core/temporary_folder.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber::analysis {
namespace {

using Json = nlohmann::ordered_json;

class RigPages : public testing::Test {
 protected:
  static RigStudy make_study() {
    RigStudy study;
    study.car = vehicle::load_vehicle("models/mcpherson-car.toml");
    study.result = vehicle::run_rig(study.car, {});
    return study;
  }
  static const RigStudy& study() {
    static const RigStudy kStudy = make_study();
    return kStudy;
  }
};

TEST_F(RigPages, ShowWhatTheRigMeasured) {
  const vehicle::WheelState& wheel = study().result.design.wheels[study().result.axles[0].left];
  const Json json = Json::parse(to_json(study()));
  EXPECT_EQ(json["model"], "mcpherson_car");
  const Json& front = json["axles"]["front"];
  EXPECT_NEAR(front["design"]["camber_deg"].get<double>(), wheel.camber * 180 / std::numbers::pi,
              1e-12);
  EXPECT_NEAR(front["design"]["wheel_rate_N_per_m"].get<double>(), wheel.rate, 1e-9 * wheel.rate);
  EXPECT_EQ(front["parallel"]["travel_m"].size(), study().result.axles[0].parallel.size());
  EXPECT_EQ(front["suspension"], "mcpherson");
  EXPECT_EQ(json["steering"]["steering_m"].size(), study().result.steering.size());
}

TEST_F(RigPages, HaveATablePerSweep) {
  const std::vector<NamedText> tables = make_csv_tables(study());
  std::vector<std::string> names;
  for (const NamedText& table : tables) names.push_back(table.file);
  EXPECT_EQ(names,
            (std::vector<std::string>{"front_parallel.csv", "front_opposed.csv",
                                      "rear_parallel.csv", "rear_opposed.csv", "steering.csv"}));
  const auto lines = std::count(tables[0].text.begin(), tables[0].text.end(), '\n');
  EXPECT_EQ(static_cast<std::size_t>(lines), 1 + study().result.axles[0].parallel.size());
}

TEST_F(RigPages, AlignTheColumnsOfText) {
  const std::string text = to_text(study());
  EXPECT_EQ(text.find("mcpherson_car: loops close within "), 0U);
  const std::size_t start = text.find("front axle, mcpherson: both wheels alike\n");
  ASSERT_NE(start, std::string::npos);
  std::size_t at = text.find('\n', start) + 1, width = 0;
  for (int line = 0; text[at] != '\n'; ++line) {
    const std::size_t end = text.find('\n', at);
    if (line == 0) width = end - at;
    EXPECT_EQ(end - at, width);
    at = end + 1;
  }
}

TEST_F(RigPages, AreWholePages) {
  const std::string page = make_rig_report(study());
  for (const char* part : {"<title>Suspension and steering of mcpherson_car", "Wheel travel",
                           "Roll: one wheel up, the other down", "Steering", "</html>"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

// A table that the rig wrote agrees with the rig; one that was changed differs by the change.
TEST_F(RigPages, CompareWithATable) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "table.csv").string();
  const auto& axle = study().result.axles[0];
  const double camber = axle.parallel[3].wheels[axle.left].camber * 180 / std::numbers::pi;
  const double travel = axle.parallel[3].wheels[axle.left].travel;
  std::ofstream out(path);
  out.precision(17);
  out << "axle,travel_m,camber_deg\nfront," << travel << ',' << camber << "\nfront,0.0,";
  out << axle.parallel[3].wheels[axle.left].camber << '\n';
  out.close();
  std::vector<std::string> notes;
  const auto comparisons = compare_with_table(path, study().car, study().result, &notes);
  ASSERT_EQ(comparisons.size(), 1U);
  EXPECT_EQ(comparisons[0].column.key, "camber_deg");
  ASSERT_EQ(comparisons[0].y.size(), 2U);
  const double at_design = study().result.design.wheels[axle.left].camber * 180 / std::numbers::pi;
  EXPECT_NEAR(comparisons[0].difference, at_design - axle.parallel[3].wheels[axle.left].camber,
              1e-9);
  EXPECT_NEAR(comparisons[0].at, 0, 1e-9);
  std::ofstream(path) << "axle,travel_m,camber_deg\nfront,x,0\n";
  try {
    compare_with_table(path, study().car, study().result, &notes);
    FAIL() << "no error";
  } catch (const ModelFileError& error) {
    EXPECT_EQ(std::string(error.what()), path + ":2: travel_m: \"x\" is not a number");
  }
}

}  // namespace
}  // namespace camber::analysis
