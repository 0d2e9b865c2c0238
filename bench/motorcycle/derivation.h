#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "camber/lagrange/equations.h"
#include "camber/lagrange/linear_model.h"
#include "camber/lagrange/model_file.h"
#include "camber/lagrange/state_space.h"

namespace camber::bench {

/// A model from its file to the text of its state space, with what was derived on the way.
struct MotorcycleDerivation {
  lagrange::LagrangianModel model;
  lagrange::Equations equations;
  lagrange::LinearModel linear;
  lagrange::StateSpace space;
  std::string text;        // one line per entry that is not zero
  nlohmann::json seconds;  // processor time of each stage, "total_s" of all
};

MotorcycleDerivation derive_motorcycle(const std::filesystem::path& model);

/// The seconds of derivations in processes of their own, as medians. Within one process every later
/// derivation would find the expressions of the first one in the tables of nodes.
nlohmann::json measure_derivation(const std::filesystem::path& program,
                                  const std::filesystem::path& model, int repetitions);

}  // namespace camber::bench
