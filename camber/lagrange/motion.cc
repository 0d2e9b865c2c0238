#include "camber/lagrange/motion.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "camber/codegen/interpreter.h"
#include "camber/core/require.h"
#include "camber/lagrange/consistent_state.h"
#include "camber/symbolic/evaluate.h"

namespace camber::lagrange {

integrate::Ode make_ode(SimulationModel* model) {
  integrate::Ode ode;
  ode.size = model->state_size();
  ode.names = model->state_names();
  ode.f = [model](double t, std::span<const double> x, std::span<double> x_dot) {
    return model->calc_state_rate(t, x, x_dot);
  };
  ode.jacobian = [model](double t, std::span<const double> x, std::span<double> J) {
    return model->calc_jacobian(t, x, J);
  };
  ode.why = [model] { return model->why(); };
  if (model->constraints().velocity_count() > 0) {
    ode.project = [model](double t, std::span<double> x) { return model->project(t, x); };
  }
  return ode;
}

namespace {

using QuantityKind = Quantity::Kind;

Expr variable_named(std::string_view name) {
  int order = 0;
  for (; name.ends_with('\''); ++order) name.remove_suffix(1);
  return symbolic::variable(name, order);
}

std::vector<InitialValue> initial_values(const LagrangianModel& model,
                                         const MotionOptions& options) {
  std::vector<InitialValue> values;
  for (const auto& [name, value] : options.initial) {
    values.push_back({variable_named(name), value, /*fixed=*/true});
  }
  const symbolic::Substitution parameters = parameter_values(model.system, options.parameters);
  for (const auto& [variable, value] : model.initial) {
    if (std::ranges::find(values, variable, &InitialValue::variable) != values.end()) continue;
    values.push_back({variable, symbolic::evaluate(symbolic::substitute(value, parameters), {})});
  }
  // A Substitution has no order of its own.
  std::ranges::sort(values, [](const InitialValue& a, const InitialValue& b) {
    return symbolic::canonical_less(a.variable, b.variable);
  });
  return values;
}

/// The same message with its place in the file: that of the constraint named last, which is the
/// redundant one, else that of a coordinate.
[[noreturn]] void throw_at_place(const LagrangianModel& model, const std::invalid_argument& error) {
  const std::string text = error.what();
  const Position* place = nullptr;
  std::size_t last = 0;
  for (const auto& [name, position] : model.places) {
    for (const std::string& spelled : {'"' + name + '"', name + "''"}) {
      const std::size_t at = text.rfind(spelled);
      if (at == std::string::npos || at < last) continue;
      last = at;
      place = &position;
    }
  }
  if (place == nullptr) throw error;
  throw ModelFileError(*place, text);
}

SimulationModel make_model(const LagrangianModel& model, const SimulationOptions& options) {
  try {
    return SimulationModel(model.system, options);
  } catch (const std::invalid_argument& error) {
    throw_at_place(model, error);
  }
}

void check_method(const System& system, integrate::Method method) {
  require(method != integrate::Method::kAdams || system.constraints.empty(), "model \"",
          system.name,
          "\" has constraints, on which steps of adams cannot be projected: take dopri or bdf");
}

void set_inputs(const System& system, const MotionOptions& options, SimulationModel* model) {
  for (const auto& [name, function] : options.inputs) {
    const auto found = std::ranges::find(system.inputs, std::string_view(name), &Expr::name);
    require(found != system.inputs.end(), "Motion: model \"", system.name, "\" has no input \"",
            name, "\"");
    model->set_input(*found, function);
  }
}

}  // namespace

/// What is sampled: names, and one program for all values.
class Motion::Sampler {
 public:
  Sampler(const System& system, SimulationModel* model) : model_(*model) {
    const AccelerationEquations& equations = model->equations();
    add_all(equations.coordinates, QuantityKind::kCoordinate);
    add_all(equations.speeds, QuantityKind::kSpeed);
    add_all(equations.extra_states, QuantityKind::kExtra);
    add_all(equations.algebraic, QuantityKind::kExtra);
    add_all(equations.multiplier_states, QuantityKind::kMultiplier);
    for (const Expr& lambda : equations.multipliers) {
      if (lambda.order() == 0) add(text_of(lambda), QuantityKind::kMultiplier, lambda);
    }
    add_all(system.inputs, QuantityKind::kInput);
    for (const Output& output : system.outputs) {
      add("output." + output.name, QuantityKind::kOutput, in_speeds(output.expression, system));
    }
    add_energies(system);
    unknowns_.resize(equations.unknowns().size());
    interpreter_.emplace(start_program(equations, "samples")
                             .add_input("unknowns", equations.unknowns())
                             .add_output("values", std::span<const Expr>(expressions_))
                             .build());
    quantities_.push_back({"constraint_error", QuantityKind::kQuality});
    values_.resize(quantities_.size());
  }

  std::span<const double> sample(double t, std::span<const double> x) {
    if (!model_.calc_unknowns(t, x, unknowns_)) std::ranges::fill(unknowns_, std::nan(""));
    const auto known = model_.known(t, x);
    arguments_.assign(known.begin(), known.end());
    arguments_.insert(arguments_.end(), unknowns_.begin(), unknowns_.end());
    interpreter_->run(arguments_, std::span(values_).first(expressions_.size()));
    values_.back() = model_.constraint_error(t, x);
    return values_;
  }

  const std::vector<Quantity>& quantities() const { return quantities_; }

 private:
  static Expr in_speeds(const Expr& e, const System& system) {
    return system.rates.empty() ? e : symbolic::substitute(e, system.rates);
  }

  void add(std::string name, QuantityKind kind, const Expr& expression) {
    quantities_.push_back({std::move(name), kind});
    expressions_.push_back(expression);
  }

  void add_all(const std::vector<Expr>& variables, QuantityKind kind) {
    for (const Expr& variable : variables) add(text_of(variable), kind, variable);
  }

  void add_energies(const System& system) {
    Expr kinetic;
    Expr potential;
    for (const Body& body : system.bodies) {
      kinetic += kinetic_energy(body);
      potential += gravity_energy(body, system.gravity);
    }
    for (const Potential& p : system.potentials) potential += p.energy;
    kinetic = in_speeds(kinetic, system);
    add("energy.kinetic", QuantityKind::kEnergy, kinetic);
    add("energy.potential", QuantityKind::kEnergy, potential);
    add("energy.total", QuantityKind::kEnergy, kinetic + potential);
  }

  SimulationModel& model_;
  std::vector<Quantity> quantities_;
  std::vector<Expr> expressions_;
  std::optional<codegen::Interpreter<double>> interpreter_;
  std::vector<double> unknowns_, arguments_, values_;
};

void check_dynamics(const LagrangianModel& model) {
  SimulationModel numbers = make_model(model, {.eliminate_symbolically = false});
  try {
    find_consistent_state(&numbers, 0.0, initial_values(model, {}));
  } catch (const std::invalid_argument& error) {
    throw_at_place(model, error);
  }
}

Motion::Motion(const LagrangianModel& model, const MotionOptions& options)
    : model_(std::make_unique<SimulationModel>(
          make_model((check_method(model.system, options.integrator.method), model),
                     {.derivation = options.derivation, .parameters = options.parameters}))) {
  set_inputs(model.system, options, model_.get());
  const std::vector<double> x0 =
      find_consistent_state(model_.get(), 0.0, initial_values(model, options));
  sampler_ = std::make_unique<Sampler>(model.system, model_.get());
  integrator_.emplace(make_ode(model_.get()), options.integrator);
  integrator_->start(0.0, x0);
}

Motion::~Motion() = default;

const std::vector<Quantity>& Motion::quantities() const { return sampler_->quantities(); }

std::span<const double> Motion::sample() {
  return sampler_->sample(integrator_->time(), integrator_->x());
}

}  // namespace camber::lagrange
