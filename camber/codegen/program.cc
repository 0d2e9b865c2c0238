#include "camber/codegen/program.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "camber/codegen/draft.h"
#include "camber/codegen/network.h"
#include "camber/core/require.h"

namespace camber::codegen {

namespace {

symbolic::OperationCount count_of(std::span<const Instruction> code) {
  symbolic::OperationCount count;
  for (const Instruction& instruction : code) {
    switch (instruction.op) {
      case Op::kConstant:
      case Op::kInput:
      case Op::kTrue:
      case Op::kFalse:
      case Op::kNeg:
        break;
      case Op::kAdd:
      case Op::kSub:
        ++count.additions;
        break;
      case Op::kMul:
        ++count.multiplications;
        break;
      case Op::kDiv:
        ++count.divisions;
        break;
      default:
        ++count.functions;
    }
  }
  return count;
}

void check_name(std::string_view name, const char* what) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const bool ok =
      !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '.';
      });
  require(ok, "ProgramBuilder: ", what, " \"", name,
          "\" must be a letter or '_', then letters, digits, '_' or '.'");
}

/// An argument must be a number, not a condition.
void check_value(const Expr& value, std::string_view name) {
  require(!symbolic::is_condition(value.kind()), "ProgramBuilder: ", name,
          " is a condition, needs a number; use select(condition, 1, 0)");
}

/// How a leaf is known to its user: q'' for the second derivative of q.
std::string leaf_text(const Expr& leaf) {
  std::string text(leaf.name());
  return leaf.kind() == symbolic::Kind::kVariable ? text.append(leaf.order(), '\'') : text;
}

std::vector<Expr> leaves_of(std::span<const Expr> values) {
  std::vector<Expr> leaves;
  std::unordered_set<Expr> seen;
  for (const Expr& value : values) {
    for (const Expr& leaf : value.leaves()) {
      if (seen.insert(leaf).second) {
        leaves.push_back(leaf);
      }
    }
  }
  std::sort(leaves.begin(), leaves.end(), symbolic::canonical_less);
  return leaves;
}

// Each round flattens what the previous one left nested and shares again; most programs gain
// nothing after the second.
constexpr int kMaxRounds = 4;

/// The shortest program found while sharing continues; `best` itself if none is shorter.
internal::Draft share(internal::Network network, internal::TieOrder order, internal::Draft best) {
  for (int round = 0; round < kMaxRounds; ++round) {
    if (round > 0 && !internal::flatten_sums(&network)) {
      break;
    }
    internal::share_sums(&network, order);
    internal::Network with_products = network;
    internal::share_products(&with_products, order);
    internal::Draft draft = internal::emit(with_products);
    // Sharing is greedy: sometimes it costs more than it saves.
    const bool is_better = count_of(draft.code).total() < count_of(best.code).total();
    if (is_better) {
      best = std::move(draft);
    } else if (round > 0) {
      break;
    }
  }
  return best;
}

internal::Draft make_draft(const internal::Network& network, const BuildOptions& options) {
  const internal::Draft plain = internal::emit(network);
  internal::Draft best = plain;
  for (int trial = 0; options.optimize && trial < options.trials; ++trial) {
    internal::Draft draft = share(network, {static_cast<std::uint32_t>(trial)}, plain);
    if (count_of(draft.code).total() < count_of(best.code).total()) {
      best = std::move(draft);
    }
  }
  internal::balance(&best);
  internal::schedule(&best);
  internal::group_sines(&best);
  return best;
}

}  // namespace

symbolic::OperationCount Program::count() const { return count_of(code_); }

int Program::max_live() const { return internal::max_live(code_, calls_); }

Program Program::reordered(std::span<const int> order) const {
  require(order.size() == code_.size(), "Program::reordered: order has ", order.size(),
          " entries, program ", name_, " has ", code_.size(), " instructions");
  std::vector<int> place(code_.size(), -1);
  for (int i = 0; i < static_cast<int>(order.size()); ++i) {
    const int value = order[i];
    bool is_next = value >= 0 && value < static_cast<int>(code_.size()) && place[value] < 0;
    if (is_next) {
      internal::for_each_operand(code_[value], calls_,
                                 [&](int operand) { is_next = is_next && place[operand] >= 0; });
    }
    require(is_next, "Program::reordered: entry ", i, " of the order, instruction ", value,
            ", is out of range, comes twice, or before its operands");
    place[value] = i;
  }
  internal::Draft draft = internal::reordered(
      {.code = code_, .constants = constants_, .calls = calls_, .names = value_names_, .roots = {}},
      place);
  Program result = *this;
  result.code_ = std::move(draft.code);
  result.calls_ = std::move(draft.calls);
  result.value_names_ = std::move(draft.names);
  for (Output& output : result.outputs_) {
    for (int& value : output.values) {
      value = place[value];
    }
  }
  for (GuardedValue& guard : result.guards_) {
    guard.value = place[guard.value];
  }
  return result;
}

ProgramBuilder::ProgramBuilder(std::string_view name) : name_(name) {
  check_name(name, "the program's name");
}

void ProgramBuilder::check_new_argument(std::string_view name) const {
  check_name(name, "the name");
  const bool is_taken =
      std::any_of(inputs_.begin(), inputs_.end(), [&](const Input& i) { return i.name == name; }) ||
      std::any_of(outputs_.begin(), outputs_.end(),
                  [&](const Result& r) { return r.output.name == name; });
  require(!is_taken, "ProgramBuilder: \"", name, "\" is the name of another argument");
}

ProgramBuilder& ProgramBuilder::add_input(const Expr& leaf) {
  require(leaf.is_leaf(), "ProgramBuilder::add_input: ", leaf.to_string(),
          " is not a symbol or variable");
  const std::string text = leaf_text(leaf);
  for (const Input& input : inputs_) {
    require(std::find(input.leaves.begin(), input.leaves.end(), leaf) == input.leaves.end(),
            "ProgramBuilder::add_input: ", text, " is an input already");
    require(input.name != text, "ProgramBuilder: \"", text, "\" is the name of another argument");
  }
  inputs_.push_back({text, {leaf}, false, 0});
  return *this;
}

ProgramBuilder& ProgramBuilder::add_input(std::string_view name, std::span<const Expr> leaves) {
  check_new_argument(name);
  require(!leaves.empty(), "ProgramBuilder::add_input: array ", name, " has no entries");
  std::unordered_set<Expr> known;
  for (const Input& input : inputs_) {
    known.insert(input.leaves.begin(), input.leaves.end());
  }
  for (const Expr& leaf : leaves) {
    require(leaf.is_leaf(), "ProgramBuilder::add_input: ", leaf.to_string(),
            " is not a symbol or variable");
    require(known.insert(leaf).second, "ProgramBuilder::add_input: ", leaf_text(leaf),
            " is an input already");
  }
  inputs_.push_back({std::string(name), {leaves.begin(), leaves.end()}, true, 0});
  return *this;
}

namespace {

std::vector<Expr> leaves_without_input(std::span<const Expr> values,
                                       std::span<const Input> inputs) {
  std::unordered_set<Expr> known;
  for (const Input& input : inputs) {
    known.insert(input.leaves.begin(), input.leaves.end());
  }
  std::vector<Expr> leaves = leaves_of(values);
  std::erase_if(leaves, [&](const Expr& leaf) { return known.contains(leaf); });
  return leaves;
}

}  // namespace

ProgramBuilder& ProgramBuilder::add_remaining_inputs() {
  for (const Expr& leaf : leaves_without_input(roots(), inputs_)) {
    add_input(leaf);
  }
  return *this;
}

ProgramBuilder& ProgramBuilder::add_remaining_inputs(std::string_view array_name) {
  const std::vector<Expr> leaves = leaves_without_input(roots(), inputs_);
  return leaves.empty() ? *this : add_input(array_name, leaves);
}

ProgramBuilder& ProgramBuilder::add_output(std::string_view name, const Expr& value) {
  check_new_argument(name);
  check_value(value, name);
  outputs_.push_back({{.name = std::string(name), .values = {}}, {value}});
  return *this;
}

ProgramBuilder& ProgramBuilder::add_output(std::string_view name, std::span<const Expr> values) {
  check_new_argument(name);
  require(!values.empty(), "ProgramBuilder::add_output: ", name, " has no entries");
  std::for_each(values.begin(), values.end(), [&](const Expr& v) { check_value(v, name); });
  outputs_.push_back({{.name = std::string(name),
                       .shape = Output::Shape::kVector,
                       .rows = static_cast<int>(values.size()),
                       .values = {}},
                      {values.begin(), values.end()}});
  return *this;
}

ProgramBuilder& ProgramBuilder::add_output(std::string_view name, int rows, int cols,
                                           std::span<const Expr> values) {
  require(rows > 0 && cols > 0 &&
              values.size() == static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols),
          "ProgramBuilder::add_output: ", name, " has ", values.size(), " entries, needs ", rows,
          " x ", cols);
  add_output(name, values);
  Output& output = outputs_.back().output;
  output.shape = Output::Shape::kMatrix;
  output.rows = rows;
  output.cols = cols;
  return *this;
}

ProgramBuilder& ProgramBuilder::add_guard(const Expr& value, std::string_view name, Guard kind) {
  check_name(name, "the guard's name");
  check_value(value, name);
  guards_.push_back({{.name = std::string(name), .kind = kind}, value});
  return *this;
}

ProgramBuilder& ProgramBuilder::set_recipe(std::string_view recipe) {
  recipe_ = recipe;
  return *this;
}

std::vector<Expr> ProgramBuilder::roots() const {
  std::vector<Expr> roots;
  for (const Result& result : outputs_) {
    roots.insert(roots.end(), result.values.begin(), result.values.end());
  }
  for (const Check& check : guards_) {
    roots.push_back(check.value);
  }
  return roots;
}

Program ProgramBuilder::build(const BuildOptions& options) const {
  require(options.trials > 0, "program ", name_, ": trials must be > 0, got ", options.trials);
  const std::vector<Expr> roots = this->roots();
  std::string missing;
  for (const Expr& leaf : leaves_without_input(roots, inputs_)) {
    missing += (missing.empty() ? "" : ", ") + leaf_text(leaf);
  }
  require(missing.empty(), "program ", name_, ": not declared as inputs: ", missing);

  Program program;
  program.name_ = name_;
  program.recipe_ = recipe_;
  program.inputs_ = inputs_;
  std::unordered_map<Expr, int> flat_input;
  for (Input& input : program.inputs_) {
    input.first = program.input_size_;
    for (const Expr& leaf : input.leaves) {
      flat_input.emplace(leaf, program.input_size_++);
    }
  }
  internal::Draft draft = make_draft(internal::make_network(roots, flat_input), options);
  int root = 0;
  for (const Result& result : outputs_) {
    Output output = result.output;
    output.first = root;
    for (std::size_t i = 0; i < result.values.size(); ++i) {
      output.values.push_back(draft.roots[root++]);
    }
    program.outputs_.push_back(std::move(output));
  }
  program.output_size_ = root;
  for (const Check& check : guards_) {
    program.guards_.push_back(check.guard);
    const int value = draft.roots[root++];
    program.guards_.back().value = value;
    if (draft.names[value].empty()) {
      draft.names[value] = check.guard.name;
    }
  }
  program.code_ = std::move(draft.code);
  program.constants_ = std::move(draft.constants);
  program.calls_ = std::move(draft.calls);
  program.value_names_ = std::move(draft.names);
  return program;
}

}  // namespace camber::codegen
