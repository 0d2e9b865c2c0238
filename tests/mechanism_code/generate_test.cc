#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

#include "camber/core/file.h"
#include "camber/core/process.h"
#include "camber/core/random.h"
#include "camber/mechanism_code/compiled_vehicle.h"
#include "camber/mechanism_code/write_vehicle.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/vehicle_file.h"
#include "generated/vehicles.h"
#include "tests/mechanism_code/reference.h"

namespace camber::mechanism_code {
namespace {

using multibody::Mechanism;

constexpr int kStates = 25;
Mechanism load(const std::string& name) {
  return vehicle::expand(vehicle::load_vehicle("models/" + name + ".toml")).mechanism;
}

TEST(Generate, GivesTheAccelerationsOfConstraintEmbeddingForThePlanarHmmwv) {
  expect_equal_to_ce(load("hmmwv"));
}
TEST(Generate, GivesTheAccelerationsOfConstraintEmbeddingForTheSpatialHmmwv) {
  expect_equal_to_ce(load("hmmwv-3d"));
}
TEST(Generate, GivesTheAccelerationsOfConstraintEmbeddingForStrutsAndTrailingArms) {
  expect_equal_to_ce(load("mcpherson-car"));
}

// No wheel is round, no body symmetric, no center on a line: what is structure in the data is
// general here.
TEST(Generate, StaysRightWhereNothingIsSymmetric) {
  Mechanism mechanism = load("hmmwv");
  RandomStream random(11);
  for (std::size_t i = 1; i < mechanism.bodies.size(); ++i) {
    multibody::Body& body = mechanism.bodies[i];
    for (int k = 0; k < 3; ++k) body.p_BoBcm_B[k] += random.uniform(-0.02, 0.02);
    const double scale = 0.1 * body.I_BBcm_B.trace();
    const Vector3 e(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    body.I_BBcm_B += scale * (e.squaredNorm() * Matrix3::Identity() - e * e.transpose());
  }
  expect_equal_to_ce(mechanism);
}

TEST(Generate, HoldsTheChassisWhereTheVehicleDoes) {
  const auto held = vehicle::expand(vehicle::load_vehicle("models/hmmwv.toml"),
                                    {.has_fixed_chassis = true, .is_standing = false});
  expect_equal_to_ce(held.mechanism);
}

TEST(Generate, TakesMechanismsThatAreNoVehicles) {
  expect_equal_to_ce(multibody::load_mechanism("models/four-bar.toml"));
}

TEST(Generate, SharesOneKernelBetweenTheSidesOfAnAxle) {
  const VehicleProgram program = generate(load("hmmwv"));
  ASSERT_EQ(program.uses.size(), 4u);
  EXPECT_EQ(program.kernels.size(), 2u);
  EXPECT_EQ(program.uses[0].kernel, program.uses[1].kernel);
  EXPECT_EQ(program.uses[2].kernel, program.uses[3].kernel);
  EXPECT_LT(program.count().total(), 10000);
}

TEST(Generate, SaysWhatItCannotGenerate) {
  const Mechanism mechanism = multibody::load_mechanism("models/screw-jack.toml");
  try {
    generate(mechanism);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("cannot be generated: it is a screw"),
              std::string::npos)
        << error.what();
  }
}

// A name is whatever a person wrote.
TEST(Generate, LetsNoNameBecomeCode) {
  EXPECT_EQ(identifier_of("x\"; int main() {//"), "x_int_main");
  EXPECT_EQ(identifier_of("3\n#include"), "vehicle_3_include");
  EXPECT_EQ(identifier_of("\xc3\xa4"), "vehicle");
}

// --- The code that is part of the library ---

/// The text before, and the numbers in, the array of parameters.
std::pair<std::string, std::vector<double>> take_apart(const std::string& text) {
  const std::string start = "_parameters[] = {";
  const std::size_t at = text.find(start), end = text.find("};", at);
  std::string numbers = text.substr(at + start.size(), end - at - start.size());
  std::replace(numbers.begin(), numbers.end(), ',', ' ');
  std::istringstream in(numbers);
  const std::vector<double> values(std::istream_iterator<double>(in), {});
  return {text.substr(0, at) + text.substr(end), values};
}

// The code to the last letter. Its parameters come from floating-point arithmetic, whose last
// digits depend on the processor.
TEST(GeneratedLibrary, IsWhatTheGeneratorWritesToday) {
  std::ifstream file("generated/hmmwv.h");
  std::stringstream text;
  text << file.rdbuf();
  const auto [committed, values] = take_apart(text.str());
  const auto [today, values_today] =
      take_apart(write_vehicle(generate(load("hmmwv")), "camber generate: hmmwv"));
  EXPECT_EQ(committed, today) << "camber generate models/hmmwv.toml -o generated/hmmwv.h";
  ASSERT_EQ(values.size(), values_today.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], values_today[i], 1e-12 * (1 + std::abs(values[i]))) << "parameter " << i;
}

TEST(GeneratedLibrary, GivesTheAccelerationsOfConstraintEmbedding) {
  const Mechanism mechanism = load("hmmwv");
  const VehicleProgram program = generate(mechanism);
  Reference reference(mechanism, program);
  std::vector<double> a(static_cast<std::size_t>(program.nv));
  for (int i = 0; i < kStates; ++i) {
    SCOPED_TRACE(testing::Message() << "seed 7, state " << i);
    reference.move_to(i);
    ASSERT_EQ(generated_code::hmmwv(generated_code::hmmwv_parameters().data(), reference.q().data(),
                                    reference.v().data(), a.data()),
              0);
    reference.compare(a);
  }
}

// Eight vehicles: the chassis' masses and the springs differ, and so do the states.
TEST(GeneratedLibrary, RunsEightDifferentVehiclesInLanes) {
  using generated_code::Lanes;
  const vehicle::Vehicle vehicle = vehicle::load_vehicle("models/hmmwv.toml");
  std::vector<VehicleProgram> programs;
  std::vector<Mechanism> mechanisms;
  for (int lane = 0; lane < 8; ++lane) {
    vehicle::Vehicle other = vehicle;
    other.chassis.mass *= 1 + 0.03 * lane;
    for (vehicle::Axle& axle : other.axles) {
      axle.spring.stiffness *= 1 - 0.05 * lane;
      axle.points.spring_top[2] += 0.004 * lane;
      axle.wheel.part.mass *= 1 + 0.02 * lane;
    }
    mechanisms.push_back(vehicle::expand(other).mechanism);
    programs.push_back(generate(mechanisms.back()));
    ASSERT_EQ(programs[lane].parameters.size(), programs[0].parameters.size());
  }
  std::vector<Lanes> p(programs[0].parameters.size()), q(16), v(15), a(15);
  std::vector<std::unique_ptr<Reference>> references;
  for (int lane = 0; lane < 8; ++lane) {
    references.push_back(std::make_unique<Reference>(mechanisms[lane], programs[lane]));
    references[lane]->move_to(lane);
    for (std::size_t i = 0; i < p.size(); ++i) p[i].set_lane(lane, programs[lane].parameters[i]);
    for (std::size_t i = 0; i < q.size(); ++i) q[i].set_lane(lane, references[lane]->q()[i]);
    for (std::size_t i = 0; i < v.size(); ++i) v[i].set_lane(lane, references[lane]->v()[i]);
  }
  ASSERT_EQ(generated_code::hmmwv(p.data(), q.data(), v.data(), a.data()), 0);
  for (int lane = 0; lane < 8; ++lane) {
    SCOPED_TRACE(testing::Message() << "lane " << lane);
    std::vector<double> own;
    for (const Lanes& x : a) own.push_back(x.lane(lane));
    references[lane]->compare(own);
  }
}

// --- Compiled at run time ---

class CompiledVehicleTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "camber-generate-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(CompiledVehicleTest, IsCompiledOnceAndAgainWhereItWasDamaged) {
  const Mechanism mechanism = load("mcpherson-car");
  const VehicleProgram program = generate(mechanism);
  Reference reference(mechanism, program);
  reference.move_to(0);
  std::vector<double> a(static_cast<std::size_t>(program.nv));
  const auto check = [&](bool is_compiled) {
    const CompiledVehicle code(program, {.compiler = "c++", .folder = folder_});
    EXPECT_EQ(code.was_compiled(), is_compiled);
    EXPECT_GT(code.code_bytes(), 1000u);
    ASSERT_TRUE(code.calc_accelerations(reference.q().data(), reference.v().data(), a.data()));
    reference.compare(a);
  };
  std::filesystem::path path;
  {
    const CompiledVehicle code(program, {.compiler = "c++", .folder = folder_});
    path = code.path();
    EXPECT_TRUE(code.was_compiled());
  }
  check(false);
  std::ofstream(path) << "no library";
  check(true);
  // Nothing is left of how it was made.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

// The lanes of a vehicle's code, each at a state of its own, against the same code for one vehicle.
template <int N>
void expect_lanes_of_compiled_code(const std::filesystem::path& folder) {
  using Numbers = math::Lanes<N>;
  const Mechanism mechanism = load("mcpherson-car");
  const VehicleProgram program = generate(mechanism);
  const CompileOptions options{.compiler = "c++", .folder = folder};
  EXPECT_FALSE(CompiledLanes::find(program.structure, N, options).has_value());
  EXPECT_TRUE(CompiledLanes(program, N, options).was_compiled());
  const auto lanes = CompiledLanes::find(program.structure, N, options);
  ASSERT_TRUE(lanes.has_value());
  EXPECT_FALSE(lanes->was_compiled());
  const auto motion =
      reinterpret_cast<int (*)(const Numbers*, const Numbers*, const Numbers*, Numbers*)>(
          lanes->motion());
  const auto solve = reinterpret_cast<int (*)(const Numbers*, const Numbers*, const Numbers*,
                                              const Numbers*, Numbers*)>(lanes->solve());
  std::vector<Numbers> p(program.parameters.begin(), program.parameters.end()),
      q(static_cast<std::size_t>(program.nq)), v(static_cast<std::size_t>(program.nv)),
      a = v, work(static_cast<std::size_t>(program.work_size));
  std::vector<std::unique_ptr<Reference>> references;
  for (int lane = 0; lane < N; ++lane) {
    references.push_back(std::make_unique<Reference>(mechanism, program));
    references.back()->move_to(lane);
    for (std::size_t k = 0; k < q.size(); ++k) q[k].set_lane(lane, references.back()->q()[k]);
    for (std::size_t k = 0; k < v.size(); ++k) v[k].set_lane(lane, references.back()->v()[k]);
  }
  ASSERT_EQ(motion(p.data(), q.data(), v.data(), work.data()), 0);
  ASSERT_EQ(solve(p.data(), q.data(), v.data(), work.data(), a.data()), 0);
  for (int lane = 0; lane < N; ++lane) {
    SCOPED_TRACE(testing::Message() << "lane " << lane << " of " << N);
    std::vector<double> own;
    for (const Numbers& x : a) own.push_back(x.lane(lane));
    references[static_cast<std::size_t>(lane)]->compare(own);
  }
}
TEST_F(CompiledVehicleTest, HasLanes) {
  expect_lanes_of_compiled_code<4>(folder_);
  expect_lanes_of_compiled_code<8>(folder_);
  EXPECT_THROW(
      CompiledLanes(generate(load("mcpherson-car")), 5, {.compiler = "c++", .folder = folder_}),
      std::invalid_argument);
}

// Before code was checked, 23 of 40 flipped bits ended in a crash and 9 in other numbers.
TEST_F(CompiledVehicleTest, IsNeverLoadedWhenDamagedOrOpenToOthers) {
  const Mechanism mechanism = load("mcpherson-car");
  const VehicleProgram program = generate(mechanism);
  const auto compile = [&] {
    return CompiledVehicle(program, {.compiler = "c++", .folder = folder_});
  };
  const auto find = [&] { return CompiledVehicle::find(program.structure, {.folder = folder_}); };
  const std::filesystem::path path = compile().path();
  const std::string whole = read_file(path.string(), std::size_t{1} << 26);
  ASSERT_TRUE(find().has_value());
  RandomStream random(40);
  for (int i = 0; i < 40; ++i) {
    std::string text = whole;
    const auto at = static_cast<std::size_t>(random.uniform() * static_cast<double>(text.size()));
    text[at] = static_cast<char>(text[at] ^ (1 << (i % 8)));
    write_file_atomically(path.string(), text);
    EXPECT_FALSE(find().has_value()) << "byte " << at << ", bit " << i % 8;
  }
  write_file_atomically(path.string(), whole.substr(0, whole.size() / 2));
  EXPECT_TRUE(compile().was_compiled());
  EXPECT_FALSE(compile().was_compiled());

  // A library that writes a file as soon as it is loaded.
  const std::filesystem::path source = folder_ / "foreign.cc", trace = folder_ / "trace";
  write_file_atomically(source.string(),
                        "#include <cstdio>\n__attribute__((constructor)) static void run() { "
                        "std::fclose(std::fopen(\"" +
                            trace.string() + "\", \"w\")); }\n");
  ASSERT_EQ(run_process({"c++", "-shared", "-fPIC", "-o", path.string(), source.string()}).status,
            0);
  EXPECT_FALSE(find().has_value());
  EXPECT_FALSE(std::filesystem::exists(trace));

  using std::filesystem::perms;
  std::filesystem::permissions(folder_, perms::all);
  EXPECT_FALSE(find().has_value());
  try {
    compile();
    FAIL();
  } catch (const CompileError& error) {
    EXPECT_NE(std::string(error.what()).find("can be written by others (mode 0777)"),
              std::string::npos)
        << error.what();
  }
}

// Any text that a person may write is a name; identifiers are made from it.
TEST(VehicleName, BecomesAnIdentifier) {
  for (const auto& [name, identifier] : std::vector<std::pair<std::string, std::string>>{
           {"hmmwv", "hmmwv"},
           {"truck - 4x4", "truck_4x4"},
           {"my car (v2)", "my_car_v2"},
           {"\xc3\x9cnimog", "nimog"},
           {"a__b", "a_b"},
           {"_x_", "vehicle_x"},
           {"int", "vehicle_int"},
           {"class", "vehicle_class"},
           {"T", "vehicle_T"},
           {"NAN", "vehicle_NAN"},
           {"M_PI", "vehicle_M_PI"},
           {"std", "vehicle_std"},
           {"generated", "vehicle_generated"},
           {"6x6", "vehicle_6x6"},
           {"", "vehicle"},
           {"-", "vehicle"},
           {std::string(3000, 'z'), std::string(32, 'z')}}) {
    EXPECT_EQ(identifier_of(name), identifier) << name;
  }
}

TEST_F(CompiledVehicleTest, TakesAnyName) {
  for (const char* name : {"truck - 4x4 \"x\" \\", "class", "M_PI", "T"}) {
    Mechanism mechanism = load("mcpherson-car");
    mechanism.name = name;
    const VehicleProgram program = generate(mechanism);
    const CompiledVehicle code(program,
                               {.compiler = "c++", .folder = folder_ / std::to_string(name[0])});
    EXPECT_TRUE(code.was_compiled()) << name;
  }
}

TEST_F(CompiledVehicleTest, SaysWhatIsWrongWithACompiler) {
  const VehicleProgram program = generate(load("mcpherson-car"));
  const auto message = [&](const std::string& compiler) -> std::string {
    try {
      CompiledVehicle(program, {.compiler = compiler, .folder = folder_});
    } catch (const CompileError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("no-such-compiler").find("cannot run the compiler \"no-such-compiler\""),
            std::string::npos);
  EXPECT_NE(message("false").find("\"false\" ended with status 1"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
}  // namespace camber::mechanism_code
