#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "camber/analysis/rig_compare.h"
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

void write_tables(const RigStudy& study, const std::string& folder) {
  std::filesystem::create_directories(folder);
  for (const auto& [file, text] : make_csv_tables(study))
    std::ofstream(std::filesystem::path(folder) / file) << text;
}

// The rig's own table as a reference: it goes to the same positions and finds the same values.
TEST_F(RigPages, TakeTheirOwnTablesAsReference) {
  const TemporaryFolder folder;
  write_tables(study(), folder.path().string());
  for (const char* file : {"front_parallel.csv", "rear_parallel.csv", "steering.csv"}) {
    SCOPED_TRACE(file);
    std::vector<std::string> notes;
    const auto comparisons =
        compare_with_table((folder.path() / file).string(), study().car, study().result, &notes);
    ASSERT_GT(comparisons.size(), 3u);
    for (const RigComparison& c : comparisons) {
      double largest = 1e-6;
      for (const double y : c.y) largest = std::max(largest, std::abs(y));
      EXPECT_LT(std::abs(c.difference), 1e-6 * largest) << c.column.key;
    }
  }
}

// A stiffer spring changes loads and rates of its axle by formulas, and no angle.
TEST_F(RigPages, AreComparedBeforeAndAfterAChange) {
  const TemporaryFolder folder;
  const std::string before = folder.path().string() + "/before",
                    after = folder.path().string() + "/after";
  write_tables(study(), before);
  RigStudy changed = study();
  const double factor = 1.3;
  changed.car.axles[0].spring.stiffness *= factor;
  changed.result = vehicle::run_rig(changed.car, {});
  write_tables(changed, after);

  EXPECT_TRUE(is_rig_folder(before));
  EXPECT_FALSE(is_rig_folder(folder.path().string()));
  const auto differences = compare_rigs({load_rig_folder(before), load_rig_folder(after)});
  bool has_rate = false;
  for (const RigDifference& d : differences) {
    SCOPED_TRACE(d.table + " " + d.key);
    if (d.table == "front_parallel" && d.key == "load_N") {
      EXPECT_NE(d.largest, 0);
    }
    if (d.table == "front_parallel" && d.key == "wheel_rate_N_per_m") {
      has_rate = true;
      EXPECT_GT(d.other, d.first);
      EXPECT_NEAR(d.other - d.first, d.largest, 1e-9 * d.other);
    }
    if (d.table == "rear_parallel" || d.key == "camber_deg" || d.key == "toe_deg") {
      EXPECT_LT(std::abs(d.largest), 1e-3 * (1 + std::abs(d.first)));
    }
  }
  EXPECT_TRUE(has_rate);
  EXPECT_GE(differences.front().share, differences.back().share);
  const auto same = compare_rigs({load_rig_folder(before), load_rig_folder(before)});
  EXPECT_TRUE(make_rig_differences_table(same).rows.empty());
  EXPECT_NE(make_rig_compare_report({load_rig_folder(before), load_rig_folder(after)}, differences)
                .find("front parallel"),
            std::string::npos);
}

TEST_F(RigPages, RefuseTablesThatCannotBeCompared) {
  const TemporaryFolder folder;
  EXPECT_THROW(load_rig_folder(folder.path().string()), ModelFileError);
  const auto message = [&](const std::string& text) -> std::string {
    std::ofstream(folder.path() / "front_parallel.csv") << text;
    try {
      load_rig_folder(folder.path().string());
    } catch (const ModelFileError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("travel_m,camber_deg\n0,1\n1,x\n").find("front_parallel.csv:3: camber_deg"),
            std::string::npos);
  EXPECT_NE(message("travel_m,camber_deg\n0,1\n1\n").find("must have 2 cells"), std::string::npos);
  EXPECT_NE(message("travel_m,camber_deg\n1,1\n0,2\n").find("must ascend"), std::string::npos);
  EXPECT_NE(message("travel_m\n1\n2\n").find("must have two columns"), std::string::npos);
}

}  // namespace
}  // namespace camber::analysis
