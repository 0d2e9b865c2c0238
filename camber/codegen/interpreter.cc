#include "camber/codegen/interpreter.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "camber/codegen/registers.h"
#include "camber/core/require.h"
#include "camber/symbolic/apply.h"
#include "camber/symbolic/user_function.h"

namespace camber::codegen {

template <class T>
Interpreter<T>::Interpreter(const Program& program) : input_size_(program.input_size()) {
  const internal::RegisterPlan plan(program);
  const auto reg = [&](int value) { return value >= 0 ? plan.of_value[value] : -1; };
  registers_.assign(plan.count, T(std::nan("")));
  const auto code = program.code();
  for (int i = 0; i < static_cast<int>(code.size()); ++i) {
    const Instruction& in = code[i];
    if (in.op == Op::kConstant) {
      const Number& constant = program.constants()[in.index];
      registers_[reg(i)] = T(constant.fits_double() ? constant.to_double() : std::nan(""));
    } else if (in.op == Op::kTrue || in.op == Op::kFalse) {
      registers_[reg(i)] = T(in.op == Op::kTrue ? 1 : 0);
    } else if (in.op == Op::kCosOfPair) {
      steps_.back().b = reg(i);
    } else if (in.op == Op::kCall) {
      steps_.push_back({in.op, reg(i), in.index, -1, -1});
    } else if (in.op != Op::kInput) {
      steps_.push_back({in.op, reg(i), reg(in.a), reg(in.b), reg(in.c)});
    }
  }
  std::size_t max_arguments = 0;
  for (const CallSite& site : program.calls()) {
    Call call{site.function, site.orders, {}};
    std::transform(site.arguments.begin(), site.arguments.end(), std::back_inserter(call.sources),
                   reg);
    max_arguments = std::max(max_arguments, call.sources.size());
    calls_.push_back(std::move(call));
  }
  call_arguments_.resize(max_arguments);
  for (const Output& output : program.outputs()) {
    std::transform(output.values.begin(), output.values.end(),
                   std::back_inserter(output_registers_), reg);
  }
  for (const GuardedValue& guard : program.guards()) {
    checks_.push_back({guard.kind, reg(guard.value)});
  }
}

// Words: inputs, registers, constants, steps and outputs by their numbers, then the register of each
// constant, the five numbers of each step and the register of each output.
template <class T>
Interpreter<T>::Interpreter(std::span<const int>* words, std::span<const double>* constants) {
  const auto check = [](bool is_valid) { require(is_valid, "Interpreter: not an image"); };
  const auto take = [&] {
    check(!words->empty());
    const int word = words->front();
    *words = words->subspan(1);
    return word;
  };
  input_size_ = take();
  const int registers = take(), constant_count = take(), step_count = take(), outputs = take();
  for (const int n : {input_size_, constant_count, step_count, outputs}) check(n >= 0);
  check(registers >= input_size_ && constants->size() >= static_cast<std::size_t>(constant_count));
  const auto take_register = [&](int lowest) {
    const int index = take();
    check(index >= lowest && index < registers);
    return index;
  };
  registers_.assign(static_cast<std::size_t>(registers), T(std::nan("")));
  for (int i = 0; i < constant_count; ++i) registers_[take_register(0)] = T((*constants)[i]);
  *constants = constants->subspan(static_cast<std::size_t>(constant_count));
  for (int i = 0; i < step_count; ++i) {
    const int op = take();
    check(op >= 0 && op <= static_cast<int>(Op::kOr) && op != static_cast<int>(Op::kCall));
    const int target = take_register(0), a = take_register(-1), b = take_register(-1),
              c = take_register(-1);
    steps_.push_back({static_cast<Op>(op), target, a, b, c});
  }
  for (int i = 0; i < outputs; ++i) output_registers_.push_back(take_register(0));
}

template <class T>
void Interpreter<T>::append_to(MachineImage* image) const {
  require(calls_.empty() && checks_.empty(),
          "Interpreter: a program with user functions or guards has no image");
  std::vector<int> places;
  for (int i = input_size_; i < static_cast<int>(registers_.size()); ++i) {
    const double value = static_cast<double>(registers_[i]);
    if (std::isnan(value)) continue;
    places.push_back(i);
    image->constants.push_back(value);
  }
  std::vector<int>& words = image->words;
  for (const std::size_t n : {static_cast<std::size_t>(input_size_), registers_.size(),
                              places.size(), steps_.size(), output_registers_.size()})
    words.push_back(static_cast<int>(n));
  words.insert(words.end(), places.begin(), places.end());
  for (const Step& step : steps_)
    words.insert(words.end(), {static_cast<int>(step.op), step.target, step.a, step.b, step.c});
  words.insert(words.end(), output_registers_.begin(), output_registers_.end());
}

template <class T>
int Interpreter<T>::run(std::span<const T> inputs, std::span<T> outputs) {
  require(inputs.size() == static_cast<std::size_t>(input_size_),
          "Interpreter::run: ", inputs.size(), " inputs, the program has ", input_size_);
  require(outputs.size() == output_registers_.size(), "Interpreter::run: room for ", outputs.size(),
          " outputs, the program has ", output_registers_.size());
  std::copy(inputs.begin(), inputs.end(), registers_.begin());
  for (const Step& step : steps_) {
    execute(step);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i] = registers_[output_registers_[i]];
  }
  for (std::size_t i = 0; i < checks_.size(); ++i) {
    const T& value = registers_[checks_[i].source];
    const bool ok = value > T(0) || (checks_[i].kind == Guard::kNonzero && value < T(0));
    if (!ok) {
      return static_cast<int>(i) + 1;
    }
  }
  return 0;
}

template <class T>
T Interpreter<T>::call(const Call& call) {
  std::transform(call.sources.begin(), call.sources.end(), call_arguments_.begin(),
                 [&](int source) { return registers_[source]; });
  return call.function->evaluate(std::span(call_arguments_).first(call.sources.size()),
                                 call.orders);
}

template <class T>
void Interpreter<T>::execute(const Step& step) {
  using std::sqrt, std::pow, std::exp, std::log, std::sin, std::cos, std::tan, std::asin, std::acos,
      std::atan, std::sinh, std::cosh, std::tanh, std::abs;
  using symbolic::internal::atan2, symbolic::internal::max, symbolic::internal::min,
      symbolic::internal::sign;
  const auto value = [&](int source) -> const T& { return registers_[source]; };
  const auto truth = [](bool condition) { return T(condition ? 1 : 0); };
  T& target = registers_[step.target];
  // clang-format off
  switch (step.op) {
    case Op::kAdd: target = value(step.a) + value(step.b); break;
    case Op::kSub: target = value(step.a) - value(step.b); break;
    case Op::kMul: target = value(step.a) * value(step.b); break;
    case Op::kDiv: target = value(step.a) / value(step.b); break;
    case Op::kNeg: target = -value(step.a); break;
    case Op::kSqrt: target = sqrt(value(step.a)); break;
    case Op::kPow: target = pow(value(step.a), value(step.b)); break;
    case Op::kExp: target = exp(value(step.a)); break;
    case Op::kLog: target = log(value(step.a)); break;
    case Op::kSin: target = sin(value(step.a)); break;
    case Op::kCos: target = cos(value(step.a)); break;
    case Op::kSinCos: {
      const T angle = value(step.a);
      target = sin(angle);
      registers_[step.b] = cos(angle);
      break;
    }
    case Op::kTan: target = tan(value(step.a)); break;
    case Op::kAsin: target = asin(value(step.a)); break;
    case Op::kAcos: target = acos(value(step.a)); break;
    case Op::kAtan: target = atan(value(step.a)); break;
    case Op::kSinh: target = sinh(value(step.a)); break;
    case Op::kCosh: target = cosh(value(step.a)); break;
    case Op::kTanh: target = tanh(value(step.a)); break;
    case Op::kAbs: target = abs(value(step.a)); break;
    case Op::kSign: target = sign(value(step.a)); break;
    case Op::kAtan2: target = atan2(value(step.a), value(step.b)); break;
    case Op::kMin: target = min(value(step.a), value(step.b)); break;
    case Op::kMax: target = max(value(step.a), value(step.b)); break;
    case Op::kSelect: target = value(step.a) != T(0) ? value(step.b) : value(step.c); break;
    case Op::kCall: target = call(calls_[step.a]); break;
    case Op::kLess: target = truth(value(step.a) < value(step.b)); break;
    case Op::kLessEqual: target = truth(value(step.a) <= value(step.b)); break;
    case Op::kEqual: target = truth(value(step.a) == value(step.b)); break;
    case Op::kNot: target = truth(value(step.a) == T(0)); break;
    case Op::kAnd: target = truth(value(step.a) != T(0) && value(step.b) != T(0)); break;
    case Op::kOr: target = truth(value(step.a) != T(0) || value(step.b) != T(0)); break;
    case Op::kConstant: case Op::kInput: case Op::kCosOfPair: case Op::kTrue: case Op::kFalse:
      break;  // no steps for these
  }
  // clang-format on
}

template class Interpreter<double>;

}  // namespace camber::codegen
