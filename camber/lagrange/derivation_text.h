#pragma once

#include <string>
#include <vector>

#include "camber/codegen/program.h"
#include "camber/lagrange/equations.h"
#include "camber/lagrange/model_file.h"
#include "camber/symbolic/expr.h"

namespace camber::lagrange {

/// A heading, or the left side of an equation: as plain text, and for LaTeX.
struct Label {
  std::string text;
  std::string latex;
};

/// Equations under a heading, each with the name of what it belongs to.
struct Section {
  Label title;
  std::vector<Label> names;
  std::vector<symbolic::Expr> expressions;
  bool is_zero = true;  // " = 0" after each expression; else its name and " = " in front
};

/// The equations of a model in a human-readable order, and the program that computes them:
///
///   const LagrangianModel model = load_lagrangian("models/motorcycle.toml");
///   std::cout << to_text(describe(model, derive(model.system)), Notation::kLatex);
struct Derivation {
  std::string name;
  std::string about;
  std::vector<std::string> notes;
  std::vector<Section> sections;
  codegen::Program program;
  std::vector<symbolic::Expr> counted;  // the expressions whose operations are counted
};

/// The equations of motion, rates of coordinates, constraints and further equations.
Derivation describe(const LagrangianModel& model, const Equations& equations);
/// The equations linearized about the motion that the model gives, and their state space.
Derivation describe_linear(const LagrangianModel& model, const Equations& equations);

enum class Notation { kText, kLatex };

/// All of it as human-readable text. Long equations get names for common parts; operation counts
/// are at the end.
std::string to_text(const Derivation& derivation, Notation notation);

/// All of it as JSON, with `code` as a further entry if it is not empty. Ends without a line break.
std::string to_json(const Derivation& derivation, Notation notation, const std::string& code = "");

}  // namespace camber::lagrange
