// The structure of a vehicle, found without deriving its code, against the derivation: equal keys
// mean equal code, and parameters are the same numbers.
#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/mechanism_code/vehicle_survey.h"
#include "camber/mechanism_code/write_vehicle.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/vehicle_file.h"
#include "generated/vehicles.h"

namespace camber::mechanism_code {
namespace {

using multibody::Mechanism;

vehicle::Vehicle load(const std::string& name) {
  return vehicle::load_vehicle("models/" + name + ".toml");
}
Mechanism load_mechanism(const std::string& name) { return expand(load(name)).mechanism; }

// Not the truck: its code has another number of parameters for some values (decision 0016).
const std::vector<std::string> kVehicles = {"hmmwv", "hmmwv-3d", "mcpherson-car"};

/// Another vehicle of the same structure: every mass, inertia, rate and hardpoint of one that is
/// neither 0 nor 1 changes.
Mechanism with_other_values(const std::string& name, std::uint64_t seed) {
  RandomStream random(seed);
  const auto scale = [&](double* x) { *x *= random.uniform(0.97, 1.03); };
  vehicle::Vehicle vehicle = load(name);
  const auto change = [&](vehicle::Part* part) {
    const double factor = random.uniform(0.9, 1.1);
    part->mass *= factor;
    part->inertia *= factor;
    for (int k = 0; k < 3; ++k) scale(&part->center[k]);
  };
  change(&vehicle.chassis);
  for (vehicle::Axle& axle : vehicle.axles) {
    for (vehicle::Part* part : all_parts(&axle)) part->mass *= random.uniform(0.9, 1.1);
    scale(&axle.spring.stiffness);
    scale(&axle.wheel.part.mass);
    for (int k = 0; k < 3; ++k) scale(&axle.points.spring_top[k]);
  }
  if (vehicle.steering) scale(&vehicle.steering->damping);
  Mechanism mechanism = expand(vehicle).mechanism;
  for (multibody::SpringDamper& spring : mechanism.springs) {
    scale(&spring.free_length);
    if (spring.damper)
      for (double& force : spring.damper->y) scale(&force);
  }
  return mechanism;
}

void expect_equal(const VehicleLayout& a, const VehicleLayout& b) {
  EXPECT_EQ(a.structure, b.structure);
  EXPECT_EQ(a.parameters, b.parameters);  // to the last bit
  EXPECT_EQ(a.prologue_parameters, b.prologue_parameters);
  EXPECT_EQ(a.epilogue_parameters, b.epilogue_parameters);
  EXPECT_EQ(a.first_prologue_parameter, b.first_prologue_parameter);
  EXPECT_EQ(a.first_epilogue_parameter, b.first_epilogue_parameter);
  EXPECT_EQ(a.nq, b.nq);
  EXPECT_EQ(a.nv, b.nv);
  EXPECT_EQ(a.q_places, b.q_places);
  EXPECT_EQ(a.v_places, b.v_places);
  EXPECT_EQ(a.v_names, b.v_names);
  EXPECT_EQ(a.work_size, b.work_size);
  EXPECT_EQ(a.y_places, b.y_places);
  EXPECT_EQ(a.base_force, b.base_force);
  ASSERT_EQ(a.uses.size(), b.uses.size());
  for (std::size_t i = 0; i < a.uses.size(); ++i) {
    EXPECT_EQ(a.uses[i].name, b.uses[i].name);
    EXPECT_EQ(a.uses[i].first_parameter, b.uses[i].first_parameter);
    EXPECT_EQ(a.uses[i].pair_parameter, b.uses[i].pair_parameter);
    EXPECT_EQ(a.uses[i].partner, b.uses[i].partner);
  }
  ASSERT_EQ(a.forces.size(), b.forces.size());
  for (std::size_t i = 0; i < a.forces.size(); ++i) EXPECT_EQ(a.forces[i].place, b.forces[i].place);
  ASSERT_EQ(a.wheels.size(), b.wheels.size());
  for (std::size_t i = 0; i < a.wheels.size(); ++i) {
    const WheelPlaces &x = a.wheels[i], &y = b.wheels[i];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.axial_inertia, y.axial_inertia);
    for (const auto member :
         {&WheelPlaces::v, &WheelPlaces::axis, &WheelPlaces::center, &WheelPlaces::bias,
          &WheelPlaces::base_force, &WheelPlaces::spin_force})
      EXPECT_EQ(x.*member, y.*member);
    ASSERT_EQ(x.columns.size(), y.columns.size());
    for (std::size_t j = 0; j < x.columns.size(); ++j) {
      EXPECT_EQ(x.columns[j].force, y.columns[j].force);
      EXPECT_EQ(x.columns[j].center_by, y.columns[j].center_by);
      EXPECT_EQ(x.columns[j].turn_by, y.columns[j].turn_by);
    }
  }
}

// The plan comes from the derivation of the first vehicle, through its image as it is stored with
// code; the parameters of the second are compared with those of its own derivation.
TEST(VehicleSurvey, FillsTheParametersOfOtherVehiclesAsTheirDerivationDoes) {
  for (const std::string& name : kVehicles) {
    SCOPED_TRACE(name);
    const codegen::MachineImage image = generate(load_mechanism(name)).plan.to_image();
    const ParameterPlan plan = ParameterPlan::from_image(image.words, image.constants);
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      const Mechanism other = with_other_values(name, seed);
      const VehicleProgram derived = generate(other);
      EXPECT_EQ(derived.structure, VehicleSurvey(load_mechanism(name)).structure());
      EXPECT_EQ(key_of(derived), key_of(generate(load_mechanism(name))));
      expect_equal(VehicleSurvey(other).lay_out(plan), derived);
    }
  }
}

TEST(VehicleSurvey, FindsTheStructureOfTheLibrarysCode) {
  EXPECT_EQ(VehicleSurvey(with_other_values("hmmwv", 3)).structure(),
            generated_code::hmmwv_structure());
  EXPECT_NE(VehicleSurvey(load_mechanism("hmmwv-3d")).structure(),
            generated_code::hmmwv_structure());
}

TEST(VehicleSurvey, TakesMechanismsThatAreNoVehicles) {
  const Mechanism four_bar = multibody::load_mechanism("models/four-bar.toml");
  const VehicleProgram derived = generate(four_bar);
  expect_equal(VehicleSurvey(four_bar).lay_out(derived.plan), derived);
}

/// Changes of a vehicle that may change its code.
using Change = std::function<void(Mechanism*)>;
std::vector<Change> make_changes() {
  std::vector<Change> changes;
  const auto add = [&](Change change) { changes.push_back(std::move(change)); };
  add([](Mechanism*) {});
  // Values: no change of structure.
  add([](Mechanism* m) { m->bodies[1].mass *= 1.1; });
  add([](Mechanism* m) { m->springs[0].stiffness *= 1.2; });
  // Values that become 0, 1 or -1, or cease to be.
  add([](Mechanism* m) { m->bodies[1].p_BoBcm_B[1] = 0; });
  add([](Mechanism* m) { m->springs[0].preload = 120; });
  add([](Mechanism* m) { m->springs[1].damping = 33; });
  add([](Mechanism* m) { m->springs[0].stiffness = 1; });
  add([](Mechanism* m) { m->gravity = {0.3, -0.2, -9.7}; });
  add([](Mechanism* m) { m->gravity = {0, 0, -1}; });
  // Laws.
  add([](Mechanism* m) { m->springs[0].spring = {{-0.1, 0.02, 0.11}, {-900, 10, 800}}; });
  add([](Mechanism* m) { m->springs[0].spring = {{-0.1, 0.02, 0.07, 0.11}, {-900, 10, 90, 800}}; });
  add([](Mechanism* m) { m->springs.pop_back(); });
  add([](Mechanism* m) { m->springs[0].p_BQ_B += Vector3(0.01, 0.02, 0.03); });
  const auto with_axis = [&](const std::function<void(multibody::JointAxis*)>& set) {
    add([set](Mechanism* m) {
      for (multibody::Joint& joint : m->joints) {
        if (joint.type != multibody::JointType::kRevolute) continue;
        joint.axes.resize(1);
        set(joint.axes.data());
        return;
      }
    });
  };
  with_axis([](multibody::JointAxis* axis) { axis->stiffness = 70; });
  with_axis([](multibody::JointAxis* axis) { axis->friction = 7; });
  with_axis([](multibody::JointAxis* axis) {
    axis->upper = 0.3;
    axis->stop_stiffness = 900;
  });
  with_axis([](multibody::JointAxis* axis) {
    axis->lower = -0.3;
    axis->stop_stiffness = 900;
  });
  // Bodies and elements.
  add([](Mechanism* m) { m->bodies.back().p_BoBcm_B += Vector3(0.013, 0.004, -0.007); });
  add([](Mechanism* m) {
    m->bodies.back().I_BBcm_B(0, 1) += 0.003, m->bodies.back().I_BBcm_B(1, 0) += 0.003;
  });
  const auto with_bushing = [&](int i, int j) {
    add([i, j](Mechanism* m) {
      multibody::Bushing bushing;
      bushing.name = "mount";
      bushing.a = multibody::BodyIndex(1);
      bushing.b = multibody::BodyIndex(2);
      bushing.stiffness(i, j) = 3000;
      m->bushings.push_back(bushing);
    });
  };
  with_bushing(5, 5);
  with_bushing(4, 4);
  with_bushing(1, 1);
  add([](Mechanism* m) {
    multibody::Wrench wrench;
    wrench.name = "wind";
    wrench.body = multibody::BodyIndex(1);
    wrench.force = {30, -20, 10};
    m->wrenches.push_back(wrench);
  });
  return changes;
}

// Two routes to one answer: all pairs of vehicles are derived, and their codes compared to the last
// letter. Names are equal, so that nothing but the structure tells them apart.
TEST(VehicleSurvey, HasDifferentKeysForDifferentCode) {
  std::vector<std::string> structures, codes;
  const std::vector<Change> changes = make_changes();
  for (const char* name : {"hmmwv", "mcpherson-car"}) {
    for (const Change& change : changes) {
      Mechanism mechanism = load_mechanism(name);
      mechanism.name = "vehicle";
      change(&mechanism);
      codes.push_back(key_of(generate(mechanism)));
      structures.push_back(VehicleSurvey(mechanism).structure());
    }
  }
  const auto count = [](const std::vector<std::string>& list) {
    return std::set(list.begin(), list.end()).size();
  };
  EXPECT_GT(count(codes), changes.size());  // or nothing is shown
  for (std::size_t i = 0; i < codes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_TRUE(codes[i] == codes[j] || structures[i] != structures[j]) << i << " and " << j;
  // Values alone change neither.
  for (const std::size_t i : {1U, 2U}) {
    EXPECT_EQ(codes[i], codes[0]);
    EXPECT_EQ(structures[i], structures[0]);
  }
}

// kGeneratorVersion keeps compiled code of an older generator from being used.
TEST(GeneratorVersion, IsThatOfTodaysGenerator) {
  EXPECT_EQ(kGeneratorVersion, key_of(generate(load_mechanism("hmmwv"))))
      << "set kGeneratorVersion in camber/mechanism_code/write_vehicle.h to the second";
  EXPECT_EQ(kGeneratorVersion, generated_code::hmmwv_key());
}

TEST(ParameterPlan, RefusesNumbersThatAreNoPlan) {
  const codegen::MachineImage image = generate(load_mechanism("hmmwv")).plan.to_image();
  std::vector<int> words = image.words;
  words.pop_back();
  EXPECT_THROW(ParameterPlan::from_image(words, image.constants), std::invalid_argument);
  words = image.words;
  words[8] = 1 << 20;  // a register that does not exist, or a count
  EXPECT_THROW(ParameterPlan::from_image(words, image.constants), std::invalid_argument);
  EXPECT_THROW(ParameterPlan::from_image(image.words, {}), std::invalid_argument);
}

}  // namespace
}  // namespace camber::mechanism_code
