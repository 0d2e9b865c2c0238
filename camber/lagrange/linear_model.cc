#include "camber/lagrange/linear_model.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/lagrange/linearize.h"
#include "camber/lagrange/model_file.h"
#include "camber/lagrange/simplify_coefficients.h"
#include "camber/symbolic/brief_text.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/linear_solve.h"
#include "camber/symbolic/probe.h"
#include "camber/symbolic/rational.h"

// 001 sections 4.1 and 4.2, from the equations of motion to Sharp's: constraints solved,
// multipliers removed by R^T (eq. 14; the text's R is printed without its transpose), rates in a
// moving frame, trivial equations dropped. One thing differs: the paper puts the moving frame into
// the linear equations, which works for straight running only. Here it goes into the nonlinear
// ones,
//   q' = T(q) w,   T^T (equations of motion) = 0                                    (1)
// whose coefficients are constant in a steady turn too. Where T = 1 along the motion, both give the
// same, as the equations that T multiplies vanish there.

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

/// q' = value: an equation to be added where q itself is needed.
struct Kinematics {
  Expr q;
  Expr value;
  bool is_linear = false;
};

/// The system to be linearized, after the moving frame has been applied.
struct Formulation {
  std::vector<Expr> coordinates;
  std::vector<Expr> speeds;  // these give the equations of motion their names
  std::vector<Expr> dynamics;
  std::vector<Expr> constraints;
  std::vector<Expr> extra;
  std::vector<Expr> outputs;
  /// Velocities of the moving frame x1dot -> x.moving', the rates of coordinates that exist only as
  /// rates. So constraints between velocities are integrated like all others.
  Substitution as_rates;
  std::vector<Kinematics> kinematics;
};

Formulation formulate(const System& system, const Equations& equations) {
  Formulation f{.coordinates = equations.coordinates,
                .speeds = equations.speeds,
                .dynamics = equations.dynamics,
                .constraints = equations.constraints,
                .extra = {},
                .outputs = expressions_of(system.outputs),
                .as_rates = {},
                .kinematics = {}};
  for (const ExtraVariable& extra : equations.extra) f.extra.push_back(extra.equation);
  for (const Expr& q : equations.coordinates) {
    const auto rate = equations.rates.find(variable(q.name(), 1));
    if (rate != equations.rates.end()) f.kinematics.push_back({q, rate->second});
  }
  return f;
}

/// The variables of the moving frame that stand for no other quantity of the system.
std::vector<Expr> new_variables(const System& system, const LinearizationSpec& spec) {
  std::vector<Expr> known = system.coordinates;
  known.insert(known.end(), system.inputs.begin(), system.inputs.end());
  for (const ExtraVariable& extra : system.extra) known.push_back(extra.variable);
  std::vector<Expr> found;
  for (const RateInMovingFrame& moving : spec.moving_frame) {
    for (const Expr& x : variables_of(std::span(&moving.expression, 1))) {
      const Expr base = variable(x.name());
      if (!contains(known, base) && !contains(found, base)) found.push_back(base);
    }
  }
  return found;
}

/// T^T times the equations of motion. (1)
std::vector<Expr> project(std::span<const Expr> dynamics, std::span<const Expr> rates,
                          std::span<const Expr> w) {
  std::vector<std::vector<Expr>> terms(w.size());
  for (const symbolic::Entry& T : symbolic::jacobian(rates, w)) {
    terms[T.col].push_back(T.value * dynamics[T.row]);
  }
  std::vector<Expr> result;
  result.reserve(terms.size());
  for (const auto& equation : terms) result.push_back(symbolic::sum(equation));
  return result;
}

/// The system in terms of velocities in a moving frame.
void put_in_moving_frame(const System& system, const LinearizationSpec& spec, Formulation* f) {
  require(
      system.rates.empty(),
      "make_linear_model: the system has quasi-velocities, it takes no moving frame beside them");
  const std::vector<Expr> fresh = new_variables(system, spec);
  require(fresh.size() == spec.moving_frame.size(), "make_linear_model: ", spec.moving_frame.size(),
          " rates are replaced by ", fresh.size(),
          " new variables of the moving frame, needs as many");
  std::vector<Expr> rates = f->speeds;
  std::vector<Expr> w = f->speeds;
  Substitution replacements;
  for (std::size_t k = 0; k < fresh.size(); ++k) {
    const auto& [rate, expression] = spec.moving_frame[k];
    const auto found = std::find(f->speeds.begin(), f->speeds.end(), rate);
    require(found != f->speeds.end(), "make_linear_model: ", rate,
            " is not the rate of a coordinate");
    const auto i = found - f->speeds.begin();
    replacements.emplace(rate, expression);
    f->kinematics.push_back({f->coordinates[i], expression});
    f->coordinates[i] = variable(concat(rate.name(), ".moving"));
    f->as_rates.emplace(fresh[k], variable(f->coordinates[i].name(), 1));
    rates[i] = expression;
    w[i] = fresh[k];
  }
  f->speeds = w;
  const auto replace = [&](std::vector<Expr>* es) {
    *es = symbolic::substitute_motion(*es, replacements);
  };
  f->dynamics = project(f->dynamics, rates, w);
  for (std::vector<Expr>* es : {&f->dynamics, &f->constraints, &f->extra, &f->outputs}) replace(es);
}

// A rest of an equation at the parameters' values that is less than this share of its largest term
// is rounding: values in files have their full digits where they were calculated.
constexpr double kVanishes = 1e-9;
// Dimensions that were measured or published meet a relation as well as their digits allow.
constexpr double kRelationHolds = 1e-3;

/// Values of all parameters, as numbers; empty where one has none.
std::unordered_map<Expr, double> numbers_of(const Substitution& values) {
  std::unordered_map<Expr, double> numbers;
  for (const auto& [symbol, value] : values) {
    if (value.is_number()) numbers.emplace(symbol, value.number().to_double());
  }
  return numbers;
}

/// Whether e is zero at these values, and at any time.
bool vanishes_at(const Expr& e, std::unordered_map<Expr, double> numbers, const Expr& time,
                 double tolerance) {
  for (const double t : {0.0, 0.371, 2.93}) {
    numbers.insert_or_assign(time, t);
    if (symbolic::internal::evaluate_cancelling(e, numbers, tolerance) != 0) return false;
  }
  return true;
}

/// Decides whether what a motion leaves of an equation is zero although it is not for all values of
/// the parameters.
class MotionCheck {
 public:
  explicit MotionCheck(const System& system) : time_(system.time) {
    try {
      numbers_ = numbers_of(parameter_values(system));
    } catch (const std::exception&) {  // parameters without values: a proof is needed
    }
    for (const Parameter& parameter : system.parameters) {
      if (!parameter.value.is_number()) definitions_.emplace(parameter.symbol, parameter.value);
    }
  }

  /// The note and the condition go into the model.
  bool vanishes(const std::string& name, const Expr& rest, LinearModel* model) const {
    if (std::ranges::any_of(model->conditions, [&](const auto& c) { return c.zero == rest; }))
      return true;
    Expr defined = rest;
    for (std::size_t round = 0; round < definitions_.size(); ++round) {
      const Expr next = symbolic::substitute(defined, definitions_);
      if (next == defined) break;
      defined = next;
    }
    const bool is_proven = symbolic::is_proven_zero(defined);
    if (!is_proven && !vanishes_at(rest, numbers_, time_, kVanishes)) return false;
    const std::string text = "the equation of " + name + " along the motion";
    model->conditions.push_back({rest, text});
    model->notes.push_back(
        is_proven
            ? concat("the motion is a solution by the definitions of the parameters (equation of ",
                     name, ")")
            : concat("the motion is a solution at the values of the parameters, not shown for "
                     "others (equation of ",
                     name, ")"));
    return true;
  }

 private:
  Expr time_;
  std::unordered_map<Expr, double> numbers_;
  Substitution definitions_;
};

/// Multipliers that the motion does not name, from the equations of motion along it.
Substitution add_multipliers(const Formulation& f, std::span<const Expr> multipliers,
                             const Substitution& given, const Expr& time, const MotionCheck& check,
                             LinearModel* model) {
  std::vector<Expr> unknowns;  // symbols: constraint forces of a steady motion are constant
  Substitution motion = given;
  for (const Expr& lambda : multipliers) {
    if (given.contains(lambda)) continue;
    unknowns.push_back(symbolic::symbol(lambda.name()));
    motion.emplace(lambda, unknowns.back());
  }
  std::vector<Expr> residuals = values_along(f.dynamics, motion, time);
  symbolic::LinearSolution solution = symbolic::solve_linear(residuals, unknowns);
  while (!solution.contradictions.empty()) {
    const auto contradiction = solution.contradictions[0];
    std::string names;
    for (const int i : contradiction.equations) {
      names += (names.empty() ? "\"" : ", \"") + std::string(f.speeds[i].name()) + '"';
    }
    const Expr rest = -contradiction.residual;
    require(check.vanishes(names, rest, model), "make_linear_model: the motion is not a solution: ",
            multipliers.empty() ? "" : "no constraint forces satisfy ",
            contradiction.equations.size() > 1 ? "the equations of " : "the equation of ", names,
            multipliers.empty() ? " does not hold" : "", "; ", symbolic::internal::brief_text(rest),
            " is left");
    // One of the dependent equations adds nothing to the others.
    residuals[contradiction.equations.back()] = Expr(0);
    solution = symbolic::solve_linear(residuals, unknowns);
  }
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    const bool is_free = solution.values[i] == unknowns[i];  // a redundant constraint carries none
    motion.insert_or_assign(variable(unknowns[i].name()), is_free ? Expr(0) : solution.values[i]);
  }
  return motion;
}

/// A linear model under construction.
class Builder {
 public:
  Builder(const System& system, const Equations& equations, const LinearizationSpec& spec)
      : system_(system), equations_(equations), spec_(spec), check_(system) {}

  LinearModel build() {
    formulation_ = formulate(system_, equations_);
    if (!spec_.moving_frame.empty()) put_in_moving_frame(system_, spec_, &formulation_);
    model_.name = system_.name;
    model_.inputs = system_.inputs;
    model_.motion = add_multipliers(formulation_, equations_.multipliers, spec_.motion,
                                    system_.time, check_, &model_);
    linearize_all();
    if (!system_.rates.empty()) {
      keep_multipliers();
    } else if (!model_.constraints.empty()) {
      remove_multipliers();
    } else {
      set_equations(formulation_.coordinates, model_.dynamics);
    }
    add_extra();
    add_kinematics();
    name_velocities();
    finish();
    return std::move(model_);
  }

 private:
  std::vector<Expr> linear(std::span<const Expr> es, std::vector<std::string> names,
                           bool must_vanish = true) {
    LinearizeOptions options{.names = names, .symbols = {}, .must_vanish = must_vanish};
    options.vanishes = [&](std::size_t i, const Expr& rest) {
      return check_.vanishes('"' + names[i] + '"', rest, &model_);
    };
    for (const Expr& input : system_.inputs) {
      if (input.kind() == Kind::kSymbol) options.symbols.push_back(input);
    }
    return symbolic::substitute_motion(linearize(es, model_.motion, system_.time, options),
                                       formulation_.as_rates);
  }

  void linearize_all() {
    std::vector<std::string> constraint_names;
    for (const Constraint& c : system_.constraints) constraint_names.push_back(c.name);
    model_.dynamics = linear(formulation_.dynamics, names_of(formulation_.speeds));
    model_.constraints = linear(formulation_.constraints, constraint_names);
    std::vector<std::string> output_names;
    for (const Output& output : system_.outputs) output_names.push_back(output.name);
    const std::vector<Expr> outputs =
        linear(formulation_.outputs, output_names, /*must_vanish=*/false);
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
  }

  /// The analyst's independent coordinates, in terms of the moving frame.
  std::vector<Expr> chosen_coordinates() const {
    std::vector<Expr> chosen;
    for (const Expr& z : spec_.independent) {
      const auto& given = equations_.coordinates;
      const auto found = std::find(given.begin(), given.end(), z);
      chosen.push_back(found == given.end() ? z : formulation_.coordinates[found - given.begin()]);
    }
    return chosen;
  }

  /// R^T times the equations of motion, in independent coordinates.
  void remove_multipliers() {
    std::vector<std::string> names;
    for (const Constraint& c : system_.constraints) names.push_back(c.name);
    model_.reduction = find_independent_coordinates(model_.constraints, names,
                                                    formulation_.coordinates, chosen_coordinates());
    const IndependentCoordinates& reduction = model_.reduction;
    const std::vector<Expr> reduced = eliminate_dependent(model_.dynamics, reduction);
    std::vector<Expr> projected;
    for (int j = 0; j < reduction.R.cols(); ++j) {
      std::vector<Expr> terms;
      terms.reserve(reduced.size());
      for (int i = 0; i < reduction.R.rows(); ++i) terms.push_back(reduction.R(i, j) * reduced[i]);
      projected.push_back(symbolic::sum(terms));
    }
    set_equations(reduction.independent, projected);
    for (const Expr& q : formulation_.coordinates) {
      const auto rate = reduction.rates.find(variable(q.name(), 1));
      if (rate != reduction.rates.end()) {
        formulation_.kinematics.push_back({q, rate->second, /*is_linear=*/true});
      }
    }
    replace_in_outputs(
        [&](std::span<const Expr> es) { return eliminate_dependent(es, reduction); });
    model_.notes.insert(model_.notes.end(), reduction.notes.begin(), reduction.notes.end());
  }

  void add_extra() {
    std::vector<Expr> variables;
    for (const ExtraVariable& extra : equations_.extra) variables.push_back(extra.variable);
    const std::vector<Expr> equations =
        eliminate_dependent(linear(formulation_.extra, names_of(variables)), model_.reduction);
    for (std::size_t i = 0; i < variables.size(); ++i) add_equation(variables[i], equations[i]);
  }

  /// Coordinates that occur themselves although other variables stand for their rates.
  void add_kinematics() {
    while (true) {
      const auto& all = formulation_.kinematics;
      const auto needed = std::find_if(all.begin(), all.end(), [&](const Kinematics& k) {
        return occurs(k.q) && !contains(model_.variables, k.q);
      });
      if (needed == all.end()) return;
      const Expr rate = variable(needed->q.name(), 1);
      Expr equation = rate - needed->value;
      if (!needed->is_linear) {
        equation = linear(std::span(&equation, 1), {rate.to_string()})[0];
        equation = eliminate_dependent(std::span(&equation, 1), model_.reduction)[0];
      }
      add_equation(needed->q, equation);
    }
  }

  bool occurs(const Expr& x) const {
    const auto has = [&](const Expr& e) { return e.depends_on(x); };
    return std::any_of(model_.equations.begin(), model_.equations.end(), has) ||
           std::any_of(model_.outputs.begin(), model_.outputs.end(),
                       [&](const Output& output) { return has(output.expression); });
  }

  /// x.moving' is x1dot again, unless x.moving itself is needed (a wheel's angle as an output).
  void name_velocities() {
    Substitution names;
    for (const auto& [velocity, rate] : formulation_.as_rates) {
      const Expr path = variable(rate.name());
      if (occurs(path)) continue;
      std::replace(model_.variables.begin(), model_.variables.end(), path, velocity);
      std::replace(model_.equation_names.begin(), model_.equation_names.end(),
                   std::string(path.name()), std::string(velocity.name()));
      names.emplace(rate, velocity);
    }
    const auto replace = [&](std::span<const Expr> es) {
      return symbolic::substitute_motion(es, names);
    };
    model_.equations = replace(model_.equations);
    replace_in_outputs(replace);
  }

  void finish() {
    model_.equations = simplify_coefficients(model_.equations, spec_.relations);
    while (drop_trivial_equation()) {
    }
    check_multipliers();
    for (const Expr& symbol : sorted(spec_.relations)) {
      model_.conditions.push_back(
          {symbol - spec_.relations.at(symbol),
           concat("the relation ", symbol, " = ",
                  symbolic::internal::brief_text(spec_.relations.at(symbol))),
           kRelationHolds});
    }
  }

  static std::vector<Expr> sorted(const Substitution& relations) {
    std::vector<Expr> keys;
    for (const auto& [key, value] : relations) keys.push_back(key);
    std::sort(keys.begin(), keys.end(), symbolic::canonical_less);
    return keys;
  }

  /// An equation c w^(n) = 0 means that a perturbation stays zero or grows only from its
  /// integration constants: it is dropped together with w, unless a lower derivative of w is
  /// needed.
  bool drop_trivial_equation() {
    for (std::size_t i = 0; i < model_.equations.size() && model_.equations.size() > 1; ++i) {
      const std::optional<Expr> w = only_unknown(model_.equations[i]);
      if (!w || needs_below(*w)) continue;
      model_.notes.push_back(concat("equation of ", model_.equation_names[i], " dropped: ",
                                    symbolic::internal::brief_text(model_.equations[i]),
                                    " = 0 only means ", *w, " = 0"));
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
  MotionCheck check_;
  Formulation formulation_;
  LinearModel model_;
};

}  // namespace

void check_conditions(const LinearModel& model, const Substitution& values) {
  const std::unordered_map<Expr, double> numbers = numbers_of(values);
  for (const LinearModel::Condition& condition : model.conditions) {
    require(vanishes_at(condition.zero, numbers, symbolic::symbol("t"), condition.tolerance),
            "model \"", model.name, "\": the values of its parameters break ", condition.text,
            ", which the linear model is made with; ",
            short_text(symbolic::internal::evaluate_cancelling(condition.zero, numbers, 0), 3),
            " is left of it");
  }
}

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
