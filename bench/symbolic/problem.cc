#include "bench/symbolic/problem.h"

#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "bench/symbolic/random_text.h"
#include "camber/core/random.h"
#include "camber/core/require.h"

namespace camber::bench {
namespace {

Problem make_problem(const std::string& name, int n) {
  require(n >= 1, "make_", name, ": the size must be >= 1, got ", n);
  Problem problem;
  problem.name = name;
  problem.n = n;
  return problem;
}

// Seed of the points and the random expressions; any number would do.
constexpr std::uint64_t kSeed = 20120;

class Point {
 public:
  explicit Point(std::map<std::string, double>* values) : values_(values) {}
  void set(const std::string& name, double low, double high) {
    (*values_)[name] = random_.substream(name).uniform(low, high);
  }

 private:
  std::map<std::string, double>* values_;
  RandomStream random_ = RandomStream(kSeed).substream("point");
};

void set_motion(int n, Point* point) {
  point->set("g", 9.0, 10.0);
  for (int i = 0; i < n; ++i) {
    const std::string number = std::to_string(i);
    point->set("q" + number, -1.5, 1.5);
    point->set("qd" + number, -2.0, 2.0);
    point->set("qdd" + number, -3.0, 3.0);
    point->set("m" + number, 0.5, 3.0);
    point->set("l" + number, 0.3, 1.2);
  }
}

}  // namespace

Problem make_pendulum(int n) {
  Problem problem = make_problem("pendulum", n);
  Point point(&problem.point);
  set_motion(n, &point);
  return problem;
}

Problem make_chain(int n) {
  Problem problem = make_problem("chain", n);
  Point point(&problem.point);
  set_motion(n, &point);
  for (int i = 0; i < n; ++i) {
    problem.axes += "zyx"[i % 3];
    const std::string number = std::to_string(i);
    point.set("c" + number, 0.1, 0.6);
    for (const char* inertia : {"Ix", "Iy", "Iz"}) point.set(inertia + number, 0.02, 0.5);
  }
  return problem;
}

Problem make_random(int expressions, int nodes) {
  Problem problem = make_problem("random", expressions);
  problem.symbols = {"a", "b", "c", "u", "v", "w"};
  Point point(&problem.point);
  for (const std::string& symbol : problem.symbols) point.set(symbol, -2.0, 2.0);
  for (int i = 0; i < expressions; ++i) {
    RandomStream random = RandomStream(kSeed).substream("expression", i);
    problem.expressions.push_back(random_expression(problem.symbols, nodes, &random));
  }
  return problem;
}

void write_problem(const Problem& problem, const std::filesystem::path& path) {
  std::ofstream out(path);
  out << nlohmann::json{{"problem", problem.name},
                        {"n", problem.n},
                        {"axes", problem.axes},
                        {"expressions", problem.expressions},
                        {"symbols", problem.symbols},
                        {"point", problem.point},
                        {"repetitions", problem.repetitions},
                        {"thorough", problem.thorough}};
  out.close();
  if (!out) throw std::runtime_error(path.string() + ": cannot write the problem");
}

Problem read_problem(const std::filesystem::path& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path.string() + ": cannot read the problem");
  try {
    const nlohmann::json json = nlohmann::json::parse(in);
    return {.name = json.at("problem"),
            .n = json.at("n"),
            .axes = json.at("axes"),
            .expressions = json.at("expressions"),
            .symbols = json.at("symbols"),
            .point = json.at("point"),
            .repetitions = json.at("repetitions"),
            .thorough = json.at("thorough")};
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(path.string() + ": not a problem: " + error.what());
  }
}

}  // namespace camber::bench
