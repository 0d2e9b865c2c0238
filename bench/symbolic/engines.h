#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/symbolic/problem.h"

namespace camber::bench {

/// A program that solves problems: takes the name of a problem file, prints one JSON object (see
/// measure()).
struct Engine {
  std::string name;
  std::vector<std::string> command;  // the problem file follows it; empty if the engine is missing
  std::string missing;               // then: why
};

/// A peer's script, with the Python that runs it.
Engine find_sympy(const std::filesystem::path& script);

/// camber's own program `self` by both routes, GiNaC's program and SymPy's script from the folder
/// beside it.
std::vector<Engine> find_engines(const std::filesystem::path& self);

/// The engine's figures of the problem, from a process of its own. Throws std::runtime_error when
/// it fails.
nlohmann::json run_engine(const Engine& engine, const Problem& problem);

}  // namespace camber::bench
