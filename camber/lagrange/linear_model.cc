#include "camber/lagrange/linear_model.h"

#include <algorithm>
#include <optional>

#include "camber/core/require.h"
#include "camber/lagrange/linearize.h"
#include "camber/lagrange/simplify_coefficients.h"
#include "camber/symbolic/linear_solve.h"

// 001 sections 4.1 and 4.2 from the linear equations to Sharp's: constraints solved, multipliers
// removed by R^T (eq. 14; the text's R is printed without its transpose), rates in a moving frame,
// trivial equations dropped.

namespace camber::lagrange {

using symbolic::Kind;
using symbolic::variable;

namespace {

bool contains(std::span<const Expr> list, const Expr& e) {
  return std::find(list.begin(), list.end(), e) != list.end();
}

std::vector<std::string> names_of(std::span<const Expr> list) {
  std::vector<std::string> names;
  for (const Expr& e : list) names.emplace_back(e.name());
  return names;
}

std::vector<Expr> expressions_of(std::span<const Output> outputs) {
  std::vector<Expr> result;
  for (const Output& output : outputs) result.push_back(output.expression);
  return result;
}

/// Multipliers that the motion does not name, from the equations of motion along it.
Substitution add_multipliers(const Equations& equations, const Substitution& given,
                             const Expr& time) {
  std::vector<Expr> unknowns;  // symbols: constraint forces of a steady motion are constant
  Substitution motion = given;
  for (const Expr& lambda : equations.multipliers) {
    if (given.contains(lambda)) continue;
    unknowns.push_back(symbolic::symbol(lambda.name()));
    motion.emplace(lambda, unknowns.back());
  }
  const std::vector<Expr> residuals = values_along(equations.dynamics, motion, time);
  const symbolic::LinearSolution solution = symbolic::solve_linear(residuals, unknowns);
  if (!solution.contradictions.empty()) {
    const auto& contradiction = solution.contradictions[0];
    std::string names;
    for (const int i : contradiction.equations) {
      names += (names.empty() ? "\"" : ", \"") + std::string(equations.speeds[i].name()) + '"';
    }
    require(false,
            "make_linear_model: the motion is no solution: no constraint forces satisfy the ",
            "equations of ", names, "; ", contradiction.residual, " is left");
  }
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    const bool is_free = solution.values[i] == unknowns[i];  // a redundant constraint carries none
    motion.insert_or_assign(variable(unknowns[i].name()), is_free ? Expr(0) : solution.values[i]);
  }
  return motion;
}

/// q' = value: an equation to be added where q itself is needed.
struct Kinematics {
  Expr q;
  Expr value;
};

/// A linear model in the making.
class Builder {
 public:
  Builder(const System& system, const Equations& equations, const LinearizationSpec& spec)
      : system_(system), equations_(equations), spec_(spec) {}

  LinearModel build() {
    model_.name = system_.name;
    model_.inputs = system_.inputs;
    model_.motion = add_multipliers(equations_, spec_.motion, system_.time);
    linearize_all();
    if (!equations_.rates.empty()) {
      keep_multipliers();
    } else if (!model_.constraints.empty()) {
      remove_multipliers();
    } else {
      set_equations(equations_.coordinates, model_.dynamics);
    }
    add_extra();
    put_in_moving_frame();
    add_kinematics();
    finish();
    return std::move(model_);
  }

 private:
  std::vector<Expr> linear(std::span<const Expr> es, std::vector<std::string> names,
                           bool must_vanish = true) const {
    LinearizeOptions options{.names = std::move(names), .symbols = {}, .must_vanish = must_vanish};
    for (const Expr& input : system_.inputs) {
      if (input.kind() == Kind::kSymbol) options.symbols.push_back(input);
    }
    return linearize(es, model_.motion, system_.time, options);
  }

  void linearize_all() {
    std::vector<std::string> constraint_names;
    for (const Constraint& c : system_.constraints) constraint_names.push_back(c.name);
    model_.dynamics = linear(equations_.dynamics, names_of(equations_.speeds));
    model_.constraints = linear(equations_.constraints, constraint_names);
    std::vector<std::string> output_names;
    for (const Output& output : system_.outputs) output_names.push_back(output.name);
    const std::vector<Expr> outputs =
        linear(expressions_of(system_.outputs), output_names, /*must_vanish=*/false);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      model_.outputs.push_back({output_names[i], outputs[i]});
    }
  }

  void set_equations(std::span<const Expr> variables, std::span<const Expr> equations) {
    model_.variables.assign(variables.begin(), variables.end());
    model_.equations.assign(equations.begin(), equations.end());
    model_.equation_names = names_of(variables);
  }

  void add_equation(const Expr& variable, const Expr& equation) {
    model_.variables.push_back(variable);
    model_.equations.push_back(equation);
    model_.equation_names.emplace_back(variable.name());
  }

  /// Quasi-velocities are variables of their own, the coordinates follow from them; constraints
  /// stay beside the equations of motion.
  void keep_multipliers() {
    std::vector<Expr> variables;
    for (std::size_t i = 0; i < equations_.speeds.size(); ++i) {
      const bool is_rate = equations_.speeds[i].order() > 0;
      variables.push_back(is_rate ? equations_.coordinates[i] : equations_.speeds[i]);
    }
    set_equations(variables, model_.dynamics);
    for (std::size_t i = 0; i < equations_.multipliers.size(); ++i) {
      add_equation(equations_.multipliers[i], model_.constraints[i]);
    }
    for (const Expr& q : equations_.coordinates) {
      const Expr rate = variable(q.name(), 1);
      const auto found = equations_.rates.find(rate);
      if (found == equations_.rates.end()) continue;
      const Expr equation = rate - found->second;
      const Expr linear_equation = linear(std::span(&equation, 1), {std::string(q.name())})[0];
      kinematics_.push_back({q, rate - linear_equation});
    }
  }

  /// R^T times the equations of motion, in independent coordinates.
  void remove_multipliers() {
    std::vector<std::string> names;
    for (const Constraint& c : system_.constraints) names.push_back(c.name);
    model_.reduction = find_independent_coordinates(model_.constraints, names,
                                                    equations_.coordinates, spec_.independent);
    const IndependentCoordinates& reduction = model_.reduction;
    const std::vector<Expr> reduced = eliminate_dependent(model_.dynamics, reduction);
    std::vector<Expr> projected;
    for (int j = 0; j < reduction.R.cols(); ++j) {
      std::vector<Expr> terms;
      for (int i = 0; i < reduction.R.rows(); ++i) terms.push_back(reduction.R(i, j) * reduced[i]);
      projected.push_back(symbolic::sum(terms));
    }
    set_equations(reduction.independent, projected);
    for (const Expr& q : equations_.coordinates) {
      const auto rate = reduction.rates.find(variable(q.name(), 1));
      if (rate != reduction.rates.end()) kinematics_.push_back({q, rate->second});
    }
    replace_in_outputs(
        [&](std::span<const Expr> es) { return eliminate_dependent(es, reduction); });
    model_.notes = reduction.notes;
  }

  void add_extra() {
    std::vector<Expr> equations;
    std::vector<Expr> variables;
    for (const ExtraVariable& extra : equations_.extra) {
      equations.push_back(extra.equation);
      variables.push_back(extra.variable);
    }
    const std::vector<Expr> linear_equations =
        eliminate_dependent(linear(equations, names_of(variables)), model_.reduction);
    for (std::size_t i = 0; i < variables.size(); ++i) {
      add_equation(variables[i], linear_equations[i]);
    }
  }

  /// The variables of the moving frame that stand for no other quantity of the system yet.
  std::vector<Expr> new_variables() const {
    std::vector<Expr> found;
    for (const RateInMovingFrame& moving : spec_.moving_frame) {
      for (const Expr& x : variables_of(std::span(&moving.expression, 1))) {
        const Expr base = variable(x.name());
        const bool known = contains(system_.coordinates, base) || contains(system_.inputs, base) ||
                           contains(model_.variables, base) || contains(found, base);
        if (!known) found.push_back(base);
      }
    }
    return found;
  }

  void put_in_moving_frame() {
    if (spec_.moving_frame.empty()) return;
    const std::vector<Expr> fresh = new_variables();
    require(fresh.size() == spec_.moving_frame.size(),
            "make_linear_model: ", spec_.moving_frame.size(), " rates are replaced by ",
            fresh.size(), " new variables of the moving frame, needs as many");
    Substitution replacements;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      const auto& [rate, expression] = spec_.moving_frame[i];
      const auto place =
          std::find(model_.variables.begin(), model_.variables.end(), variable(rate.name()));
      require(rate.order() == 1 && place != model_.variables.end(), "make_linear_model: ", rate,
              " is no rate of an independent coordinate");
      const Expr equation = rate - expression;
      const Expr value = rate - linear(std::span(&equation, 1), {rate.to_string()})[0];
      replacements.emplace(rate, value);
      kinematics_.push_back({*place, value});
      *place = fresh[i];
    }
    const auto replace = [&](std::span<const Expr> es) {
      return symbolic::substitute_motion(es, replacements);
    };
    model_.equations = replace(model_.equations);
    replace_in_outputs(replace);
    for (Kinematics& k : kinematics_) k.value = replace(std::span(&k.value, 1))[0];
  }

  /// Coordinates that occur themselves although other variables stand for their rates.
  void add_kinematics() {
    while (true) {
      const auto needed = std::find_if(kinematics_.begin(), kinematics_.end(), [&](const auto& k) {
        return occurs(k.q) && !contains(model_.variables, k.q);
      });
      if (needed == kinematics_.end()) return;
      add_equation(needed->q, variable(needed->q.name(), 1) - needed->value);
    }
  }

  bool occurs(const Expr& x) const {
    const auto has = [&](const Expr& e) { return e.depends_on(x); };
    return std::any_of(model_.equations.begin(), model_.equations.end(), has) ||
           std::any_of(model_.outputs.begin(), model_.outputs.end(),
                       [&](const Output& output) { return has(output.expression); });
  }

  void finish() {
    model_.equations = simplify_coefficients(model_.equations, spec_.relations);
    while (drop_trivial_equation()) {
    }
    check_multipliers();
  }

  /// An equation c w^(n) = 0 says that a perturbation stays at zero, or grows from constants that
  /// do not belong to it: it goes with w, unless a lower derivative of w is needed.
  bool drop_trivial_equation() {
    for (std::size_t i = 0; i < model_.equations.size() && model_.equations.size() > 1; ++i) {
      const std::optional<Expr> w = only_unknown(model_.equations[i]);
      if (!w || needs_below(*w)) continue;
      model_.notes.push_back(concat("equation of ", model_.equation_names[i], " dropped: ",
                                    model_.equations[i], " = 0 says no more than ", *w, " = 0"));
      const auto at =
          std::find(model_.variables.begin(), model_.variables.end(), variable(w->name()));
      model_.variables.erase(at);
      model_.equations.erase(model_.equations.begin() + static_cast<std::ptrdiff_t>(i));
      model_.equation_names.erase(model_.equation_names.begin() + static_cast<std::ptrdiff_t>(i));
      const Substitution zero{{*w, Expr(0)}};
      const auto replace = [&](std::span<const Expr> es) {
        return symbolic::substitute_motion(es, zero);
      };
      model_.equations = replace(model_.equations);
      replace_in_outputs(replace);
      return true;
    }
    return false;
  }

  /// The leaf w^(n) of c w^(n) = 0.
  std::optional<Expr> only_unknown(const Expr& equation) const {
    const std::vector<Expr> leaves = variables_of(std::span(&equation, 1));
    const bool has_symbol_input =
        std::any_of(model_.inputs.begin(), model_.inputs.end(),
                    [&](const Expr& u) { return equation.depends_on(u); });
    if (leaves.size() != 1 || has_symbol_input) return std::nullopt;
    return contains(model_.variables, variable(leaves[0].name())) ? std::optional(leaves[0])
                                                                  : std::nullopt;
  }

  bool needs_below(const Expr& w) const {
    for (int order = 0; order < w.order(); ++order) {
      if (occurs(variable(w.name(), order))) return true;
    }
    return false;
  }

  void check_multipliers() const {
    for (const Expr& lambda : equations_.multipliers) {
      if (contains(model_.variables, lambda)) continue;
      for (const Output& output : model_.outputs) {
        require(!output.expression.depends_on(lambda), "make_linear_model: output \"", output.name,
                "\" has the constraint force ", lambda, ", which the linear model leaves out");
      }
      for (std::size_t i = 0; i < model_.equations.size(); ++i) {
        require(!model_.equations[i].depends_on(lambda), "make_linear_model: the projection does ",
                "not remove ", lambda, " from the equation of ", model_.equation_names[i]);
      }
    }
  }

  template <class Replace>
  void replace_in_outputs(const Replace& replace) {
    const std::vector<Expr> replaced = replace(expressions_of(model_.outputs));
    for (std::size_t i = 0; i < replaced.size(); ++i) model_.outputs[i].expression = replaced[i];
  }

  const System& system_;
  const Equations& equations_;
  const LinearizationSpec& spec_;
  LinearModel model_;
  std::vector<Kinematics> kinematics_;
};

}  // namespace

LinearModel make_linear_model(const System& system, const Equations& equations,
                              const LinearizationSpec& spec) {
  require(equations.dynamics.size() == system.speeds.size(), "make_linear_model: system \"",
          system.name, "\" has ", system.speeds.size(), " speeds, its equations are ",
          equations.dynamics.size());
  return Builder(system, equations, spec).build();
}

LinearModel make_linear_model(const System& system, const LinearizationSpec& spec,
                              const DerivationOptions& options) {
  return make_linear_model(system, derive(system, options), spec);
}

}  // namespace camber::lagrange
