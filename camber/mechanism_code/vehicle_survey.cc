// docs/decisions/0016-structure-keys.md. The order of constants here is that of the derivation in
// vehicle_program.cc; tests compare the two number by number.
#include "camber/mechanism_code/vehicle_survey.h"

#include <cstdio>
#include <map>
#include <set>

#include "camber/codegen/write.h"
#include "camber/core/require.h"
#include "camber/mechanism_code/assembly.h"
#include "camber/mechanism_code/layout.h"
#include "camber/mechanism_code/load_places.h"

namespace camber::mechanism_code {

namespace {

/// A hash of everything that it is given, in this order.
class StructureHash {
 public:
  void add(std::uint64_t word) { value_ = Fingerprint::mix(value_, word); }
  void add(int number) { add(static_cast<std::uint64_t>(static_cast<std::int64_t>(number))); }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number + 0.0)); }
  void add(Fingerprint x) { add(x.hash()); }
  void add(const std::string& text) {
    add(static_cast<int>(text.size()));
    for (const char c : text) add(static_cast<int>(c));
  }
  template <class X>
  void add(const std::vector<X>& list) {
    add(static_cast<int>(list.size()));
    for (const X& x : list) add(x);
  }
  /// Which constants are 0, 1 or -1: these are numbers in the code, the others are parameters.
  void add_pattern(const std::vector<double>& constants) {
    add(static_cast<int>(constants.size()));
    for (const double c : constants) add(is_plain(c) ? c : 2.0);
  }

  void add_symbols(const std::vector<bool>& is_symbol, const std::vector<double>& constants) {
    add(static_cast<int>(constants.size()));
    for (std::size_t i = 0; i < constants.size(); ++i) add(is_symbol[i] ? 2.0 : constants[i]);
  }

  std::string text() const {
    char hex[17];
    std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(value_));
    return hex;
  }

 private:
  std::uint64_t value_ = 0x6a09e667f3bcc908U;
};

}  // namespace

VehicleSurvey::VehicleSurvey(const multibody::Mechanism& mechanism)
    : VehicleSurvey(multibody::MechanismDynamics(mechanism)) {}

VehicleSurvey::VehicleSurvey(const multibody::MechanismDynamics& dynamics, Wrenches wrenches)
    : sketch_(make_sketch(dynamics, wrenches)) {
  find_structure(find_families(sketch_, &groups_));
}

// Members of a family have the same equations: the first one stands for all. Constants that rounding
// leaves at 1e-14 in one corner and takes away in its mirror image are symbols in both.
void VehicleSurvey::find_structure(const std::vector<Family>& families) {
  StructureHash hash;
  hash.add(sketch_.base != 0 ? 1 : 0);
  for (const int n : {sketch_.ny, sketch_.given}) hash.add(n);
  for (const SketchLink& link : sketch_.links) {
    if (link.y < 0) continue;
    hash.add(link.y);
    hash.add(link.sign);
    hash.add(link.q_ref == 0 ? 1 : 0);
    hash.add(link.role == Role::kGyrostat ? 1 : 0);
  }
  for (const int q : sketch_.q_of_y) hash.add(q >= 0 ? 1 : 0);
  for (const Group& group : sketch_.groups) {
    hash.add(group.own);
    hash.add(group.shared);
    for (const int l : group.gyrostats) hash.add(sketch_.links[l].y);
    for (const int l : group.unround_wheels) hash.add(sketch_.links[l].y);
  }
  for (const Family& family : families) {
    std::vector<int> members;
    for (const Group* group : family.members)
      members.push_back(static_cast<int>(group - sketch_.groups.data()));
    hash.add(members);
    hash.add_symbols(family.own_symbols, groups_[members[0]].own);
    hash.add_symbols(family.shared_symbols, groups_[members[0]].shared);
    hash.add(all_values(groups_[members[0]].equations));
  }
  for (const TracedGroup<Fingerprint>& traced : groups_) {
    if (!lends_coordinates(sketch_, *traced.group)) continue;
    hash.add_pattern(traced.own);
    hash.add_pattern(traced.shared);
    hash.add(all_values(traced.equations));
  }
  hash.add_pattern(base_constants());
  if (sketch_.given > 0) {
    VehicleLayout layout;
    lay_out_state(sketch_, &layout);
    hash.add(codegen::write_source(layout.motions, codegen::Language::kCpp));
  }
  structure_ = hash.text();
}

std::vector<double> VehicleSurvey::base_constants() const {
  Parameters<Fingerprint> constants("b");
  name_base_constants(sketch_, &constants);
  return constants.values();
}

VehicleLayout VehicleSurvey::lay_out(const ParameterPlan& plan) const {
  VehicleLayout layout;
  lay_out_state(sketch_, &layout);
  layout.structure = structure_;
  std::vector<double> constants;  // of prologue and epilogue
  std::set<int> known_coordinates;
  std::map<std::vector<int>, std::size_t> known_shared;
  const auto add_coordinates = [&](const Group& group) {
    const auto add = [&](int y) {
      if (!known_coordinates.insert(y).second) return;
      const double start = find_link(sketch_, y).q_ref;
      if (start != 0) constants.push_back(start);
    };
    for (const auto* list : {&group.own, &group.shared})
      for (const int y : *list) add(y);
    for (const int l : group.gyrostats) add(sketch_.links[l].y);
  };
  const auto add_shared = [&](const std::vector<int>& coordinates,
                              const std::vector<double>& shared) {
    std::size_t& known = known_shared[coordinates];
    for (; known < shared.size(); ++known) constants.push_back(shared[known]);
  };
  const auto add_parameters = [&](const std::vector<double>& values) {
    layout.parameters.insert(layout.parameters.end(), values.begin(), values.end());
    return static_cast<int>(values.size());
  };

  std::vector<Contribution<Fingerprint>> contributions;
  std::vector<Fingerprint> inlined;
  std::vector<std::vector<Fingerprint>> outputs;
  const auto name_values = [&](int g, std::vector<Fingerprint>* all) {
    const Group& group = sketch_.groups[g];
    const GroupEquations<Fingerprint>& equations = groups_[g].equations;
    std::vector<Fingerprint> own;
    const auto size = static_cast<std::size_t>(equations.flattened().size());
    for (std::size_t i = 0; i < size; ++i)
      own.push_back(Fingerprint::of_symbol(concat("y", g, "_"), i));
    contributions.push_back({&group, equations.with(own)});
    all->insert(all->end(), own.begin(), own.end());
  };

  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    for (const int g : plan.kernels[k].members) {
      require(g < static_cast<int>(groups_.size()), "VehicleSurvey: the plan of another structure");
      const Group& group = sketch_.groups[g];
      std::vector<double> own = groups_[g].own;
      own.insert(own.end(), groups_[g].shared.begin(), groups_[g].shared.end());
      const std::vector<double> values = calc_parameters(plan.kernels[k].formulas, own);
      KernelUse use{static_cast<int>(k), group.name, static_cast<int>(layout.parameters.size())};
      use.parameters = add_parameters(values);
      layout.uses.push_back(std::move(use));
      add_coordinates(group);
      if (plan.kernels[k].formulas) constants.insert(constants.end(), values.begin(), values.end());
      add_shared(group.shared, groups_[g].shared);
      outputs.emplace_back();
      name_values(g, &outputs.back());
    }
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = sketch_.groups[g];
    if (!lends_coordinates(sketch_, group)) continue;
    add_coordinates(group);
    constants.insert(constants.end(), groups_[g].own.begin(), groups_[g].own.end());
    add_shared(group.own, groups_[g].shared);
    name_values(static_cast<int>(g), &inlined);
  }
  layout.first_prologue_parameter = static_cast<int>(layout.parameters.size());
  layout.prologue_parameters = add_parameters(calc_parameters(plan.prologue, constants));
  const std::vector<double> base = base_constants();
  constants.insert(constants.end(), base.begin(), base.end());
  layout.first_epilogue_parameter = static_cast<int>(layout.parameters.size());
  layout.epilogue_parameters = add_parameters(calc_parameters(plan.epilogue, constants));
  pair_uses(&layout);
  find_load_places(sketch_, contributions, inlined, outputs, &layout);
  return layout;
}

}  // namespace camber::mechanism_code
