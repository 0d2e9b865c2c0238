// [003], "10-Body HMMWV model and simulation results", which is empty there.
#include "bench/vehicle/ten_body_table.h"

#include <memory>
#include <optional>
#include <stdexcept>

#include "bench/symbolic/measure.h"
#include "bench/vehicle/compiled_program.h"
#include "bench/vehicle/mass_matrix_race.h"
#include "bench/vehicle/ten_body.h"
#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/lagrange/forward_dynamics.h"
#include "camber/lagrange/model_file.h"
#include "camber/symbolic/evaluate.h"

namespace camber::bench {
namespace {

using codegen::Language;
using multibody::MechanismDynamics;

constexpr int kSpeeds = 15, kStates = 2 * kSpeeds, kWheels = 4;
constexpr std::uint64_t kSeed = 10;

std::span<double> span_of(VectorX<double>* x) {
  return {x->data(), static_cast<std::size_t>(x->size())};
}

/// The vehicle as generated code and as a mechanism.
class TenBodies {
 public:
  TenBodies(const std::string& file, std::vector<TenBodyFigure>* figures) {
    derive_in_time(file, figures);
    compile_in_time(figures);
    const auto values = lagrange::parameter_values(model_.system);
    known_.resize(1 + kStates + kWheels);
    for (const symbolic::Expr& parameter : equations_.parameters)
      known_.push_back(symbolic::evaluate(values.at(parameter), {}));
    results_.resize(program_->output_size());
    recursion_.emplace(make_ten_body_mechanism(model_.system));
    order_.emplace(equations_, recursion_->tree(),
                   symbolic::evaluate(values.at(symbolic::symbol("steer")), {}));
  }

  const lagrange::System& system() const { return model_.system; }
  const lagrange::AccelerationEquations& equations() const { return equations_; }
  const TenBodyOrder& order() const { return *order_; }

  /// t, x, inputs, parameters.
  const std::vector<double>& known(double t, std::span<const double> x) {
    known_[0] = t;
    std::copy(x.begin(), x.end(), known_.begin() + 1);
    for (int i = 0; i < kWheels; ++i) known_[1 + kStates + i] = calc_disturbance(i, t);
    return known_;
  }
  /// x', then u', or an empty span where a pivot is not positive.
  std::span<const double> run(Language language, const std::vector<double>& known) {
    const CompiledProgram& compiled = language == Language::kCpp ? *cpp_ : *fortran_;
    if (compiled.run(known, results_) != 0) return {};
    return results_;
  }

  struct TreeState {
    double t;
    VectorX<double> q, v;
  };
  TreeState tree_state(const std::vector<double>& known) const {
    TreeState state{known[0], {}, {}};
    order_->to_mechanism(Eigen::Map<const VectorX<double>>(known.data() + 1, kStates), &state.q,
                         &state.v);
    return state;
  }
  const VectorX<double>& recur(TreeState* state) {
    v_dot_.resize(recursion_->nv());
    for (int k = 0; k < kWheels; ++k)
      recursion_->set_wrench(k, {0, 0, calc_disturbance(k, state->t)});
    const bool ok = recursion_->calc_accelerations(state->t, span_of(&state->q), span_of(&state->v),
                                                   span_of(&v_dot_));
    require(ok, recursion_->why());
    return v_dot_;
  }

 private:
  void derive_in_time(const std::string& file, std::vector<TenBodyFigure>* figures);
  void compile_in_time(std::vector<TenBodyFigure>* figures);

  lagrange::LagrangianModel model_;
  lagrange::AccelerationEquations equations_;
  std::optional<codegen::Program> program_;
  std::unique_ptr<CompiledProgram> cpp_, fortran_;
  std::vector<double> known_, results_;
  std::optional<MechanismDynamics> recursion_;
  std::optional<TenBodyOrder> order_;
  VectorX<double> v_dot_;
};

void TenBodies::derive_in_time(const std::string& file, std::vector<TenBodyFigure>* figures) {
  Stopwatch watch;
  const auto add = [&](const char* name) {
    figures->push_back({"generation", name, watch.lap(), "s"});
  };
  model_ = lagrange::load_lagrangian(file);
  add("read the file");
  equations_ = make_acceleration_equations(model_.system, derive(model_.system));
  add("equations of motion");
  const auto dynamics = make_forward_dynamics(equations_, {});
  require(dynamics.has_value(), file, ": the equations cannot be eliminated");
  program_ = dynamics->program;
  add("mass matrix, L D L^T, program");
  write_source(*program_, Language::kCpp);
  add("C++ text");
  write_source(*program_, Language::kFortran);
  add("Fortran text");
  const auto count = program_->count();
  for (const auto& [name, n] :
       {std::pair{"additions", count.additions},
        std::pair{"multiplications", count.multiplications},
        std::pair{"divisions", count.divisions}, std::pair{"sines and cosines", count.functions},
        std::pair{"all", count.total()}})
    figures->push_back({"operations", name, static_cast<double>(n), ""});
}

void TenBodies::compile_in_time(std::vector<TenBodyFigure>* figures) {
  const auto compile = [&](const std::string& name, Language language) {
    auto compiled = std::make_unique<CompiledProgram>(*program_, language);
    const auto bytes = [](std::size_t n) { return static_cast<double>(n); };
    figures->push_back({"code", name + " text", bytes(compiled->source_bytes()), "bytes"});
    figures->push_back({"code", name + " compiled", bytes(compiled->machine_bytes()), "bytes"});
    figures->push_back({"code", name + " to compile", compiled->compile_seconds(), "s"});
    return compiled;
  };
  cpp_ = compile("C++", Language::kCpp);
  fortran_ = compile("Fortran", Language::kFortran);
}

// As large as those of the other vehicles.
std::vector<std::vector<double>> make_states(int count, TenBodies* bodies) {
  std::vector<std::vector<double>> states;
  for (int i = 0; i < count; ++i) {
    RandomStream random = RandomStream(kSeed).substream("state", static_cast<std::uint64_t>(i));
    std::vector<double> x(kStates);
    for (int k = 0; k < kStates; ++k) x[k] = (k < kSpeeds ? 0.06 : 1.0) * random.uniform(-1, 1);
    states.push_back(bodies->known(0.1 * (i + 1), x));
  }
  return states;
}

// Generated code and the recursion on the same ten bodies.
void race_accelerations(const RaceOptions& options, TenBodies* bodies, TenBodyTable* table) {
  const std::vector<std::vector<double>> states = make_states(options.states, bodies);
  std::vector<TenBodies::TreeState> tree_states;
  for (const auto& known : states) tree_states.push_back(bodies->tree_state(known));
  const auto generated = [&](const char* name, Language language) {
    Contestant contestant;
    contestant.engine = name;
    contestant.evaluate = [&states, bodies, language](int i) { bodies->run(language, states[i]); };
    return contestant;
  };
  Contestant recursion;
  recursion.engine = "recursion";
  recursion.evaluate = [&](int i) { bodies->recur(&tree_states[i]); };
  const std::vector<Contestant> contestants = {generated("generated C++", Language::kCpp),
                                               generated("generated Fortran", Language::kFortran),
                                               recursion};
  double worst = 0;
  for (int i = 0; i < options.states; ++i) {
    const VectorX<double> expected = bodies->order().accelerations(bodies->recur(&tree_states[i]));
    for (const Language language : {Language::kCpp, Language::kFortran}) {
      const auto results = bodies->run(language, states[i]);
      require(!results.empty(), "ten bodies: a pivot is not positive");
      const Eigen::Map<const VectorX<double>> u_dot(results.data() + kStates, kSpeeds);
      worst = std::max(worst, (u_dot - expected).lpNorm<Eigen::Infinity>() /
                                  (1 + expected.lpNorm<Eigen::Infinity>()));
    }
  }
  table->checks.push_back({"values: ten bodies, generated and recursion", worst, 1e-10});
  const std::vector<Timing> timings = race(contestants, options);
  for (std::size_t i = 0; i < timings.size(); ++i)
    table->figures.push_back({"evaluation", contestants[i].engine, timings[i].seconds, "s"});
}

/// Through time: the recursion, and generated code from the same state at rest.
std::vector<SuspendedVehicle> make_suspended_ten(const std::shared_ptr<TenBodies>& bodies) {
  const multibody::Mechanism mechanism = make_ten_body_mechanism(bodies->system());
  SuspendedVehicle recursion =
      make_suspended(mechanism, {mechanism.find_body("chassis")}, multibody::Formulation::kCe, {});
  recursion.engine = "10-body recursion";
  recursion.bodies = 10;  // without the massless arms

  SuspendedVehicle generated = recursion;
  generated.engine = "10-body generated";
  generated.q.clear();
  const VectorX<double> x = bodies->order().from_mechanism(
      Eigen::Map<const VectorX<double>>(recursion.q.data(), std::ssize(recursion.q)),
      Eigen::Map<const VectorX<double>>(recursion.v.data(), std::ssize(recursion.v)));
  generated.v.assign(x.begin(), x.end());
  integrate::Ode ode;
  ode.size = kStates;
  ode.f = [bodies](double t, std::span<const double> state, std::span<double> rate) {
    const auto results = bodies->run(Language::kCpp, bodies->known(t, state));
    if (results.empty()) return false;
    std::copy_n(results.begin(), kStates, rate.begin());
    return true;
  };
  generated.system = make_first_order_system(std::move(ode));
  generated.places = [bodies](double, const std::vector<double>&, const std::vector<double>& now) {
    const int* at = bodies->order().position();
    return std::vector<double>{now[at[0]], now[at[1]], now[at[2]]};
  };
  generated.errors = [](double, const std::vector<double>&, const std::vector<double>&) {
    return multibody::ConstraintErrors{};
  };
  return {generated, recursion};
}

}  // namespace

TenBodyTable make_ten_body_table(const std::string& file, const RaceOptions& options) {
  TenBodyTable table;
  const auto bodies = std::make_shared<TenBodies>(file, &table.figures);
  race_mass_matrices(bodies->equations(), make_states(options.states, bodies.get()), options,
                     &table);
  race_accelerations(options, bodies.get(), &table);
  table.suspended = make_suspended_ten(bodies);
  return table;
}

}  // namespace camber::bench
