#pragma once

#include <span>
#include <vector>

#include "camber/codegen/program.h"

namespace camber::codegen {

/// The machine of an interpreter as plain numbers, so that it can be stored and made again without
/// its program.
struct MachineImage {
  std::vector<int> words;
  std::vector<double> constants;
};

/// Runs a program without a compiler. The program becomes a register machine whose registers are
/// reused, so a run touches little memory and allocates none. Holds its registers: one per thread.
/// Functions mean what camber/symbolic/apply.h says.
template <class T>
class Interpreter {
 public:
  /// The program need not outlive the interpreter.
  explicit Interpreter(const Program& program);
  /// Makes the machine of an image that starts at these words and constants, and moves both spans
  /// to what follows it. Throws std::invalid_argument for words that are not an image.
  Interpreter(std::span<const int>* words, std::span<const double>* constants);
  /// Appends this machine to an image. Throws std::invalid_argument if it has guards or calls user
  /// functions. To be taken before the first run.
  void append_to(MachineImage* image) const;

  int input_size() const { return input_size_; }
  int output_size() const { return static_cast<int>(output_registers_.size()); }

  /// Takes all inputs in order and returns all outputs in order (matrices column by column).
  /// Returns 0, or the number of the first guard that failed. Throws std::invalid_argument when a
  /// size is wrong.
  int run(std::span<const T> inputs, std::span<T> outputs);

 private:
  struct Step {
    Op op;
    int target;   // register; the cosine of a kSinCos goes to b
    int a, b, c;  // registers; a of a kCall is its place in calls_
  };
  struct Check {
    Guard kind;
    int source;  // register
  };
  struct Call {
    const symbolic::UserFunction* function;
    std::vector<int> orders;
    std::vector<int> sources;  // registers
  };
  void execute(const Step& step);
  T call(const Call& call);

  int input_size_ = 0;
  std::vector<Step> steps_;
  std::vector<Check> checks_;
  std::vector<Call> calls_;
  std::vector<int> output_registers_;
  std::vector<T> registers_;  // inputs, constants, then those that are reused
  std::vector<T> call_arguments_;
};

extern template class Interpreter<double>;

}  // namespace camber::codegen
