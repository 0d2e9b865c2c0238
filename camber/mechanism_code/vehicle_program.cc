#include "camber/mechanism_code/vehicle_program.h"

#include <algorithm>
#include <map>

#include "camber/codegen/interpreter.h"
#include "camber/core/require.h"
#include "camber/mechanism_code/assembly.h"
#include "camber/mechanism_code/element_forces.h"
#include "camber/mechanism_code/families.h"
#include "camber/mechanism_code/hoist.h"
#include "camber/mechanism_code/layout.h"
#include "camber/mechanism_code/load_places.h"
#include "camber/mechanism_code/moments.h"
#include "camber/mechanism_code/sketch.h"
#include "camber/mechanism_code/vehicle_survey.h"
#include "camber/mechanism_code/write_vehicle.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/substitute.h"

namespace camber::mechanism_code {

using codegen::Guard, codegen::ProgramBuilder;
using multibody::to_eigen;
using symbolic::symbol, symbolic::Substitution;

namespace {

bool has_prefix(const Expr& leaf, std::string_view prefix) {
  const std::string_view name = leaf.name();
  return name.starts_with(prefix) && name.size() > prefix.size() &&
         std::isdigit(static_cast<unsigned char>(name[prefix.size()])) != 0;
}

using Traced = TracedGroup<Expr>;

class Generator {
 public:
  explicit Generator(const multibody::Mechanism& mechanism)
      : dynamics_(mechanism), sketch_(make_sketch(dynamics_)) {}

  VehicleProgram run() {
    lay_out_state(sketch_, &out_);
    q_ = symbols("q", out_.nq + out_.given);
    v_ = symbols("v", out_.nv + 2 * out_.given);
    std::vector<Traced> traced;
    for (const Family& family : find_families(sketch_, &traced)) make_kernel(family);
    make_prologue();
    make_epilogue();
    pair_uses(&out_);
    find_load_places(sketch_, contributions_, inlined_, outputs_, &out_);
    return std::move(out_);
  }

 private:
  bool is_free() const { return sketch_.base != 0; }

  bool is_shared(const Group& group) const { return lends_coordinates(sketch_, group); }

  static std::vector<Expr> symbols(const std::string& prefix, int n) {
    std::vector<Expr> result;
    for (int i = 0; i < n; ++i) result.push_back(symbol(concat(prefix, i)));
    return result;
  }

  // --- Kernels ---

  void make_kernel(const Family& family) {
    const auto index = static_cast<int>(out_.kernels.size());
    const Traced first =
        trace_group<Expr>(sketch_, *family.members[0], family.own_symbols, family.shared_symbols);
    Hoister parameters(
        "p", [](const Expr& leaf) { return has_prefix(leaf, "k"); }, false);
    const std::vector<Expr> outputs = parameters(first.equations.flattened());
    const std::vector<Expr> pivots = parameters(first.equations.pivots);
    const Expr mass = parameters(first.equations.mass);
    Hoister before(
        "x",
        [](const Expr& leaf) {
          const std::string_view name = leaf.name();
          return has_prefix(leaf, "p") || has_prefix(leaf, "g") || name.starts_with("shared_") ||
                 name.starts_with("w_");
        },
        true);
    const std::vector<Expr> values = before(outputs), checks = before(pivots);

    // x: values from the prologue, then the group's own symbols that occur.
    std::vector<Expr> inputs = before.symbols(), own;
    for (const Expr& leaf : leaves_of(values, checks)) {
      const std::string_view name = leaf.name();
      if (has_prefix(leaf, "x") || has_prefix(leaf, "p") || name.starts_with("w_")) continue;
      own.push_back(leaf);
    }
    inputs.insert(inputs.end(), own.begin(), own.end());
    ProgramBuilder builder(concat(out_.name, "_kernel", index));
    builder.add_input("p", or_unused(parameters.symbols()))
        .add_input("x", inputs)
        .add_input("w", {symbol("w_x"), symbol("w_y"), symbol("w_z")});
    builder.add_output("y", std::span<const Expr>(values));
    for (std::size_t i = 0; i < checks.size(); ++i)
      builder.add_guard(checks[i], concat("loop", i), Guard::kPositive);
    builder.set_recipe(concat(
        "what a sub-mechanism brings to the equations: ", identifier_of(family.members[0]->name),
        " and ", family.members.size() - 1, " like it"));
    Kernel kernel{builder.build(options()),
                  static_cast<int>(or_unused(parameters.symbols()).size()),
                  static_cast<int>(inputs.size()), static_cast<int>(values.size())};
    out_.kernels.push_back(std::move(kernel));
    ParameterPlan::Kernel plan;
    for (const Group* member : family.members) {
      plan.members.push_back(static_cast<int>(member - sketch_.groups.data()));
      const Traced traced =
          trace_group<Expr>(sketch_, *member, family.own_symbols, family.shared_symbols);
      if (!plan.formulas) plan.formulas = make_formulas(parameters.definitions(), traced);
      use_kernel(index, *member, traced, plan.formulas, parameters.definitions().size(),
                 before.definitions(), own, mass);
    }
    out_.plan.kernels.push_back(std::move(plan));
  }

  static codegen::BuildOptions options() { return {}; }

  // Code without parameters gets one unused parameter, so that all functions have the same form.
  static std::vector<Expr> or_unused(std::vector<Expr> symbols) {
    if (symbols.empty()) symbols.push_back(symbol("unused"));
    return symbols;
  }

  static std::vector<Expr> leaves_of(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    std::vector<Expr> all;
    for (const auto* values : {&a, &b})
      for (const Expr& e : *values)
        for (const Expr& leaf : e.leaves())
          if (std::find(all.begin(), all.end(), leaf) == all.end()) all.push_back(leaf);
    std::sort(all.begin(), all.end(), symbolic::canonical_less);
    return all;
  }

  // Parameter expressions as functions of a group's constants.
  static ParameterPlan::Formulas make_formulas(const std::vector<Expr>& definitions,
                                               const Traced& traced) {
    if (definitions.empty()) return {};
    std::vector<Expr> leaves = symbols("k", static_cast<int>(traced.own.size()));
    const std::vector<Expr> more = symbols("g", static_cast<int>(traced.shared.size()));
    leaves.insert(leaves.end(), more.begin(), more.end());
    if (leaves.empty()) leaves = symbols("k", 1);
    ProgramBuilder builder("parameters");
    builder.add_input("k", leaves).add_output("p", std::span<const Expr>(definitions));
    return codegen::Interpreter<double>(builder.build({.optimize = false}));
  }

  void use_kernel(int index, const Group& group, const Traced& traced,
                  const ParameterPlan::Formulas& formulas, std::size_t parameters,
                  const std::vector<Expr>& before, const std::vector<Expr>& own, const Expr& mass) {
    const auto number = out_.uses.size();
    KernelUse use{index, group.name, static_cast<int>(out_.parameters.size())};
    std::vector<double> constants = traced.own;
    constants.insert(constants.end(), traced.shared.begin(), traced.shared.end());
    const std::vector<double> values = calc_parameters(formulas, constants);
    use.parameters = add_values(values);
    // In the prologue the same parameters have names specific to this use.
    Substitution names = coordinate_symbols(group);
    for (std::size_t i = 0; i < parameters; ++i)
      names.emplace(symbol(concat("p", i)), raw_parameter(values[i]));
    name_shared(group.shared, traced, &names);
    std::vector<Expr> inputs = symbolic::substitute(before, names);
    const std::vector<Expr> more = symbolic::substitute(own, names);
    inputs.insert(inputs.end(), more.begin(), more.end());
    inputs_.push_back(std::move(inputs));
    outputs_.push_back(symbols(concat("y", number, "_"), out_.kernels[index].outputs));
    contributions_.push_back({&group, traced.equations.with(outputs_.back())});
    contributions_.back().equations.mass = symbolic::substitute(mass, names);
    out_.uses.push_back(std::move(use));
  }

  // A number of the prologue or epilogue that belongs to the vehicle's parameters.
  Expr raw_parameter(double value) {
    raw_.push_back(value);
    return symbol(concat("k", raw_.size() - 1));
  }

  // Parameters of links that several groups trace are the same symbols for all of them.
  void name_shared(const std::vector<int>& coordinates, const Traced& traced, Substitution* names) {
    std::vector<Expr>& known = shared_[coordinates];
    for (std::size_t i = 0; i < traced.shared.size(); ++i) {
      if (known.size() == i) known.push_back(raw_parameter(traced.shared[i]));
      names->emplace(symbol(concat("g", i)), known[i]);
    }
  }

  // The values of a group's coordinate symbols as functions of q and v.
  Substitution coordinate_symbols(const Group& group) {
    Substitution names;
    const auto add = [&](const std::string& kind, const std::vector<int>& ys) {
      for (std::size_t j = 0; j < ys.size(); ++j) {
        const auto [turn, rate] = coordinate_of(ys[j]);
        names.emplace(symbol(concat(kind, "turn", j)), turn);
        names.emplace(symbol(concat(kind, "sine", j)), symbolic::sin(turn));
        names.emplace(symbol(concat(kind, "cosine", j)), symbolic::cos(turn));
        names.emplace(symbol(concat(kind, "rate", j)), rate);
      }
    };
    add("own_", group.own);
    add("shared_", group.shared);
    for (std::size_t i = 0; i < group.gyrostats.size(); ++i) {
      const SketchLink& wheel = sketch_.links[group.gyrostats[i]];
      names.emplace(spin_rate<Expr>(static_cast<int>(i)), coordinate_of(wheel.y).second);
      names.emplace(symbol(concat("spin_angle", i)), q_of(wheel.y));
    }
    const Vec<Expr> w = base_spin<Expr>();
    for (int i = 0; i < 3; ++i) names.emplace(w[i], is_free() ? v_[i] : Expr(0));
    if (is_free()) name_pose(&names);
    return names;
  }

  void name_pose(Substitution* names) const {
    const Mat<Expr> R_FB = math::rotation_of_quaternion<Expr>(q_[0], q_[1], q_[2], q_[3]);
    const Vec<Expr> p_BF = -transpose_times(R_FB, Vec<Expr>(q_[4], q_[5], q_[6]));
    const BasePose<Expr> pose = base_pose<Expr>();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) names->emplace(pose.R_BF(i, j), R_FB(j, i));
      names->emplace(pose.p_BF[i], p_BF[i]);
      names->emplace(pose.velocity[i], v_[3 + i]);
    }
  }

  Expr q_of(int y) const {
    if (y >= out_.nv) return q_[out_.nq + y - out_.nv];
    return q_[is_free() ? y + 1 : y];
  }

  // The rotation from the reference, and its rate, about the axis of the equations.
  std::pair<Expr, Expr> coordinate_of(int y) {
    const auto found = coordinates_.find(y);
    if (found != coordinates_.end()) return found->second;
    const SketchLink& link = find_link(sketch_, y);
    const Expr sign(link.sign);
    const Expr start = link.q_ref == 0 ? Expr(0) : raw_parameter(link.q_ref);
    const std::pair<Expr, Expr> result{sign * (q_of(y) - start), sign * v_[y]};
    return coordinates_.emplace(y, result).first->second;
  }

  // --- Prologue and epilogue ---

  void make_prologue() {
    std::vector<Expr> inlined;
    for (const Group& group : sketch_.groups) {
      if (!is_shared(group)) continue;
      Traced traced = trace_group<Expr>(sketch_, group);
      Substitution names = coordinate_symbols(group);
      for (std::size_t i = 0; i < traced.own.size(); ++i)
        names.emplace(symbol(concat("k", i)), raw_parameter(traced.own[i]));
      name_shared(group.own, traced, &names);
      const std::vector<Expr> values = symbolic::substitute(traced.equations.flattened(), names);
      for (const Expr& pivot : symbolic::substitute(traced.equations.pivots, names))
        pivots_.push_back(pivot);
      const std::vector<Expr> outputs =
          symbols(concat("z", inlined.size(), "_"), static_cast<int>(values.size()));
      contributions_.push_back({&group, traced.equations.with(outputs)});
      contributions_.back().equations.mass = symbolic::substitute(traced.equations.mass, names);
      inlined.insert(inlined.end(), values.begin(), values.end());
      inlined_.insert(inlined_.end(), outputs.begin(), outputs.end());
    }
    std::vector<Expr> all = inlined;
    for (const auto& inputs : inputs_) all.insert(all.end(), inputs.begin(), inputs.end());
    const std::size_t pivot_start = all.size();
    all.insert(all.end(), pivots_.begin(), pivots_.end());
    Hoister parameters(
        "p", [](const Expr& leaf) { return has_prefix(leaf, "k"); }, false);
    all = parameters(all);
    ProgramBuilder builder(out_.name + "_prologue");
    builder.add_input("p", or_unused(parameters.symbols())).add_input("q", q_).add_input("v", v_);
    auto at = all.begin();
    const auto add = [&](const std::string& name, std::size_t n) {
      builder.add_output(name, std::span<const Expr>(&*at, n));
      at += static_cast<std::ptrdiff_t>(n);
    };
    if (!inlined.empty()) add("z", inlined.size());
    for (std::size_t i = 0; i < inputs_.size(); ++i) add(concat("x", i), inputs_[i].size());
    for (std::size_t i = pivot_start; i < all.size(); ++i)
      builder.add_guard(all[i], concat("loop", i - pivot_start), Guard::kPositive);
    builder.set_recipe("coordinates and what the sub-mechanisms share");
    out_.prologue = builder.build(options());
    out_.first_prologue_parameter = static_cast<int>(out_.parameters.size());
    out_.plan.prologue = make_formulas(parameters.definitions());
    out_.prologue_parameters = add_values(calc_parameters(out_.plan.prologue, raw_));
  }

  void make_epilogue() {
    const VehicleState state{q_, v_, {v_.end() - out_.given, v_.end()}};
    Parameters<Expr> base("b");
    EpilogueEquations equations = assemble_and_solve(sketch_, contributions_, state, &base);
    Substitution names;
    for (std::size_t i = 0; i < base.values().size(); ++i)
      names.emplace(symbol(base.name(i)), raw_parameter(base.values()[i]));
    std::vector<Expr> values = symbolic::substitute(equations.accelerations, names);
    const std::vector<Expr> pivots = symbolic::substitute(equations.pivots, names);
    values.insert(values.end(), pivots.begin(), pivots.end());
    Hoister parameters(
        "p", [](const Expr& leaf) { return has_prefix(leaf, "k"); }, false);
    values = parameters(values);
    ProgramBuilder builder(out_.name + "_epilogue");
    builder.add_input("p", or_unused(parameters.symbols())).add_input("q", q_).add_input("v", v_);
    if (!inlined_.empty()) builder.add_input("z", inlined_);
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      builder.add_input(concat("y", i), outputs_[i]);
    const auto n = static_cast<std::size_t>(out_.nv);
    builder.add_output("a", std::span<const Expr>(values.data(), n));
    for (std::size_t i = n; i < values.size(); ++i)
      builder.add_guard(values[i], concat("pivot", i - n), Guard::kPositive);
    builder.set_recipe(
        "the equations of motion, eliminated sub-mechanism by sub-mechanism, then the base");
    out_.epilogue = builder.build(options());
    out_.first_epilogue_parameter = static_cast<int>(out_.parameters.size());
    out_.plan.epilogue = make_formulas(parameters.definitions());
    out_.epilogue_parameters = add_values(calc_parameters(out_.plan.epilogue, raw_));
  }

  // The vehicle as a whole.
  ParameterPlan::Formulas make_formulas(const std::vector<Expr>& definitions) const {
    Traced raw;
    raw.own = raw_;
    return make_formulas(definitions, raw);
  }

  int add_values(const std::vector<double>& values) {
    out_.parameters.insert(out_.parameters.end(), values.begin(), values.end());
    return static_cast<int>(values.size());
  }

  multibody::MechanismDynamics dynamics_;
  Sketch sketch_;
  VehicleProgram out_;
  std::vector<Expr> q_, v_, pivots_, inlined_;
  std::vector<double> raw_;
  std::map<int, std::pair<Expr, Expr>> coordinates_;
  std::map<std::vector<int>, std::vector<Expr>> shared_;
  std::vector<std::vector<Expr>> inputs_, outputs_;  // of each use
  std::vector<Contribution<Expr>> contributions_;
};

}  // namespace

symbolic::OperationCount VehicleProgram::count() const {
  symbolic::OperationCount total = prologue.count();
  total += epilogue.count();
  for (const KernelUse& use : uses) total += kernels[use.kernel].program.count();
  return total;
}

VehicleProgram generate(const multibody::Mechanism& mechanism) {
  VehicleProgram program = Generator(mechanism).run();
  program.structure = VehicleSurvey(mechanism).structure();
  return program;
}

}  // namespace camber::mechanism_code
