#include "camber/analysis/data_sheet.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "camber/vehicle/rig.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber::analysis {
namespace {

using Json = nlohmann::ordered_json;

DataSheet sheet_of(const std::string& file, const std::vector<std::string>& overrides = {}) {
  return make_data_sheet(vehicle::load_vehicle(file, Overrides(overrides)));
}

// Loads come from the equilibrium of the whole mechanism, masses and center from sums over bodies:
// the two meet in the balance of forces and moments.
TEST(DataSheet, CarriesItsWeightWhereTheCenterIs) {
  for (const char* file :
       {"models/mcpherson-car.toml", "models/hmmwv.toml", "models/truck-6x6.toml"}) {
    SCOPED_TRACE(file);
    const DataSheet sheet = sheet_of(file);
    double load = 0, moment = 0, share = 0;
    for (const AxleSheet& axle : sheet.axles) {
      load += axle.load;
      moment += axle.load * axle.position;
      share += axle.load_share;
    }
    EXPECT_NEAR(load, 9.81 * sheet.mass, 1e-6 * load);
    EXPECT_NEAR(share, 1, 1e-6);
    // The wheels stay within centimeters of their design position, the chassis within a degree.
    EXPECT_NEAR(moment / load, sheet.center[0], 0.02);
  }
}

// With a wheel rate k, a tire of kt and the mass that both carry, f = sqrt(k kt / (k + kt) / m) /
// (2 pi) by hand. A corner's sprung mass is what its spring carries.
TEST(DataSheet, HasTheRideFrequencyOfSpringsAndTiresInSeries) {
  const DataSheet sheet = sheet_of("models/mcpherson-car.toml");
  for (const AxleSheet& axle : sheet.axles) {
    SCOPED_TRACE(axle.name);
    const double k = axle.wheel_rate * axle.tire_rate / (axle.wheel_rate + axle.tire_rate);
    const double sprung = (axle.load / 9.81 - axle.mass) / 2;
    const double expected = std::sqrt(k / sprung) / (2 * std::numbers::pi);
    // Arms and springs count with a part of their mass only: the two agree to some percent.
    EXPECT_NEAR(axle.ride_frequency, expected, 0.04 * expected);
  }
}

TEST(DataSheet, IsThatOfTheSameCarWithHeavierWheels) {
  const DataSheet before = sheet_of("models/mcpherson-car.toml");
  const DataSheet after = sheet_of("models/mcpherson-car.toml", {"axles.front.wheel.mass=31.7"});
  const double added = after.mass - before.mass;
  EXPECT_NEAR(after.axles[0].mass - before.axles[0].mass, added, 1e-9);
  EXPECT_NEAR(after.axles[1].mass, before.axles[1].mass, 1e-12);
  // Added at the front wheels, all of it rests on them: a lever over the rear axle.
  EXPECT_NEAR(after.axles[0].load - before.axles[0].load, 9.81 * added, 0.02 * 9.81 * added);
  const double x = before.axles[0].position;
  EXPECT_NEAR(after.center[0], (before.mass * before.center[0] + added * x) / after.mass, 1e-9);
  EXPECT_GT(after.inertia(2, 2), before.inertia(2, 2));
}

// A frame elsewhere in the vehicle changes coordinates, not the vehicle.
TEST(DataSheet, DoesNotDependOnTheFilesOrigin) {
  vehicle::Vehicle car = vehicle::load_vehicle("models/mcpherson-car.toml");
  const DataSheet before = make_data_sheet(car);
  const Vector3 shift(1.37, 0, -0.21);
  car.chassis.center += shift;
  car.height -= shift[2];
  for (vehicle::Axle& axle : car.axles) {
    for (const vehicle::NamedPoint& point : all_points(&axle.points)) *point.point += shift;
    for (vehicle::Part* part : all_parts(&axle)) part->center += shift;
    if (axle.anti_roll_bar) {
      axle.anti_roll_bar->pivot += shift;
      axle.anti_roll_bar->arm_end += shift;
      axle.anti_roll_bar->link_end += shift;
    }
  }
  if (car.steering) {
    for (vehicle::Part* part :
         {&car.steering->pitman, &car.steering->idler, &car.steering->link, &car.steering->rack})
      part->center += shift;
  }
  const DataSheet after = make_data_sheet(car);
  EXPECT_NEAR(after.mass, before.mass, 1e-9);
  EXPECT_LT((after.center - before.center - shift).norm(), 1e-9);
  EXPECT_LT((after.inertia - before.inertia).norm(), 1e-8 * before.inertia.norm());
  EXPECT_NEAR(after.center_height, before.center_height, 1e-6);
  for (std::size_t i = 0; i < before.axles.size(); ++i) {
    EXPECT_NEAR(after.axles[i].load, before.axles[i].load, 1e-5 * before.axles[i].load);
    EXPECT_NEAR(after.axles[i].wheel_rate, before.axles[i].wheel_rate, 1);
    EXPECT_NEAR(after.axles[i].toe, before.axles[i].toe, 1e-7);
  }
}

TEST(DataSheet, SaysWhenStopsCarryWeight) {
  EXPECT_TRUE(sheet_of("models/hmmwv.toml").notes.empty());
  // As it would hang on its rebound stops behind with the data set's springs (docs/validation/hmmwv.md).
  const DataSheet hmmwv = sheet_of("models/hmmwv.toml", {"axles.rear.at_rest.travel=-0.1019"});
  EXPECT_GT(hmmwv.axles[1].into_rebound_stop, 0);
  ASSERT_FALSE(hmmwv.notes.empty());
  EXPECT_NE(hmmwv.notes[0].find("the rear axle rests on its rebound stops"), std::string::npos);
  EXPECT_TRUE(sheet_of("models/mcpherson-car.toml").notes.empty());
  // A tenth of the spring: the car sinks onto its bump stops.
  const DataSheet soft =
      sheet_of("models/mcpherson-car.toml", {"axles.front.spring.stiffness=2400"});
  bool is_noted = false;
  for (const std::string& note : soft.notes)
    is_noted = is_noted || note.find("the front axle rests on its bump stops") == 0;
  EXPECT_TRUE(is_noted);
}

TEST(DataSheet, IsPrintedAndMadeIntoJsonWithTheSameNumbers) {
  const DataSheet sheet = sheet_of("models/mcpherson-car.toml");
  const Json json = Json::parse(to_json(sheet));
  EXPECT_EQ(json["mass_kg"].get<double>(), sheet.mass);
  EXPECT_EQ(json["axles"].size(), 2u);
  EXPECT_EQ(json["axles"][0]["load_N"].get<double>(), sheet.axles[0].load);
  const std::string text = to_text(sheet);
  EXPECT_NE(text.find("wheel rate [N/mm]"), std::string::npos);
  EXPECT_EQ(text.find("nan"), std::string::npos);
}

// The rig moves the rack by a small distance; column.ratio turns that into a steering wheel's angle.
TEST(DataSheet, HasTheSteeringRatioOfTheRig) {
  const vehicle::Vehicle car = vehicle::load_vehicle("models/mcpherson-car.toml");
  vehicle::Rig rig(car);
  constexpr double kTravel = 1e-4;  // [m]
  double angle = 0;
  for (const double side : {1.0, -1.0}) {
    ASSERT_TRUE(rig.steer(side * kTravel));
    const vehicle::RigState state = rig.measure();
    angle += side * (state.wheels[0].steer + state.wheels[1].steer) / 2;
  }
  const double ratio = std::abs(car.steering->column->ratio * 2 * kTravel / angle);
  const DataSheet sheet = make_data_sheet(car);
  ASSERT_TRUE(sheet.steering_ratio.has_value());
  EXPECT_NEAR(*sheet.steering_ratio, ratio, 1e-4 * ratio);
  EXPECT_FALSE(sheet_of("models/hmmwv.toml").steering_ratio.has_value());  // no column
}

TEST(DataSheet, OfATrailerHasNoLoads) {
  const DataSheet sheet = sheet_of("models/box-trailer.toml");
  EXPECT_TRUE(std::isnan(sheet.axles[0].load));
  EXPECT_NE(sheet.notes.at(0).find("does not stand by itself"), std::string::npos);
  EXPECT_TRUE(Json::parse(to_json(sheet))["axles"][0]["load_N"].is_null());
}

TEST(DataSheet, LeavesATrailerOutAndSaysSo) {
  const DataSheet sheet = sheet_of("models/mcpherson-car-with-trailer.toml");
  EXPECT_EQ(sheet.axles.size(), 2u);
  EXPECT_EQ(sheet.notes.front(), "measured without its trailer");
}

}  // namespace
}  // namespace camber::analysis
