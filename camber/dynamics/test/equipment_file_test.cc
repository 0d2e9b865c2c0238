#include "camber/dynamics/equipment_file.h"

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace camber::dynamics {
namespace {

/// All its numbers, one behind the other; those that no file has would be equal anyway.
std::vector<double> list_numbers(const Equipment& e) {
  const driveline::Driveline& d = e.driveline;
  const SteeringGear& s = e.steering;
  std::vector<double> all = {d.engine.inertia,
                             d.engine.idle_speed,
                             d.gearbox.reverse_ratio,
                             d.gearbox.hysteresis,
                             d.gearbox.shift_time,
                             d.transfer_high,
                             d.transfer_low,
                             d.axle_ratio,
                             d.hub_ratio,
                             d.efficiency,
                             d.center.bias,
                             d.front.bias,
                             d.rear.bias,
                             e.brake_lag,
                             s.lag,
                             s.greatest_rate,
                             s.stiffness,
                             s.damping,
                             s.greatest_torque,
                             s.lock,
                             e.air.drag_area,
                             e.air.density,
                             e.air.center[0],
                             e.air.center[1],
                             e.air.center[2]};
  for (const auto* list :
       {&d.engine.torque.x(), &d.engine.torque.y(), &d.engine.motoring.x(), &d.engine.motoring.y(),
        &d.converter.torque_ratio.x(), &d.converter.torque_ratio.y(), &d.converter.capacity.y(),
        &d.gearbox.ratios, &d.gearbox.upshift_closed, &d.gearbox.upshift_full}) {
    all.push_back(static_cast<double>(list->size()));
    all.insert(all.end(), list->begin(), list->end());
  }
  for (const driveline::Brake& brake : e.brakes)
    all.insert(all.end(), {brake.capacity, brake.twist, brake.damping, brake.soft_speed});
  return all;
}

TEST(EquipmentFile, ShipsTheHmmwvAsItIsBuiltIn) {
  const Equipment file = load_equipment("models/equipment/hmmwv.toml");
  const Equipment built_in = make_hmmwv_equipment();
  const std::vector<double> from_file = list_numbers(file), numbers = list_numbers(built_in);
  ASSERT_EQ(from_file.size(), numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(from_file[i], numbers[i]) << i;
  EXPECT_EQ(file.has_parking_brake, built_in.has_parking_brake);
}

TEST(EquipmentFile, SaysWhichAxlesAreDriven) {
  EXPECT_EQ(load_equipment("models/equipment/mcpherson-car.toml").driveline.center.first_share, 1);
  std::ifstream in("models/equipment/hmmwv.toml");
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const auto read = [&](const std::string& line) {
    std::string all = text;
    all.insert(all.find("transfer_high"), line + "\n");
    return read_equipment(parse_toml(all, "e.toml"));
  };
  EXPECT_EQ(read("front_share = 0.35").driveline.center.first_share, 0.35);
  EXPECT_EQ(read("").driveline.center.first_share, 0.5);
  try {
    read("driven = \"rear\"");
    ADD_FAILURE() << "locks an axle that is not driven";
  } catch (const ModelFileError& error) {
    const std::string message = error.what();
    for (const char* key : {"driveline.center_bias: is for driven = \"all\"",
                            "driveline.low_range_lock: is for driven = \"all\""})
      EXPECT_NE(message.find(key), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace camber::dynamics
