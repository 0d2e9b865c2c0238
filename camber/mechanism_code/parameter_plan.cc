#include "camber/mechanism_code/parameter_plan.h"

#include "camber/core/require.h"

namespace camber::mechanism_code {

namespace {

void append(const ParameterPlan::Formulas& formulas, codegen::MachineImage* image) {
  image->words.push_back(formulas ? 1 : 0);
  if (formulas) formulas->append_to(image);
}

class PlanReader {
 public:
  PlanReader(std::span<const int> words, std::span<const double> constants)
      : words_(words), constants_(constants) {}

  ParameterPlan read() {
    ParameterPlan plan;
    plan.kernels.resize(take_count());
    for (ParameterPlan::Kernel& kernel : plan.kernels) {
      kernel.members.resize(take_count());
      for (int& member : kernel.members) member = static_cast<int>(take_count());
      kernel.formulas = take_formulas();
    }
    plan.prologue = take_formulas();
    plan.epilogue = take_formulas();
    require(words_.empty() && constants_.empty(), "ParameterPlan: its image is too long");
    return plan;
  }

 private:
  std::size_t take_count() {
    require(!words_.empty() && words_.front() >= 0 && words_.front() < 1 << 16,
            "ParameterPlan: not an image");
    const auto count = static_cast<std::size_t>(words_.front());
    words_ = words_.subspan(1);
    return count;
  }
  ParameterPlan::Formulas take_formulas() {
    if (take_count() == 0) return {};
    return codegen::Interpreter<double>(&words_, &constants_);
  }

  std::span<const int> words_;
  std::span<const double> constants_;
};

}  // namespace

codegen::MachineImage ParameterPlan::to_image() const {
  codegen::MachineImage image;
  image.words.push_back(static_cast<int>(kernels.size()));
  for (const Kernel& kernel : kernels) {
    image.words.push_back(static_cast<int>(kernel.members.size()));
    image.words.insert(image.words.end(), kernel.members.begin(), kernel.members.end());
    append(kernel.formulas, &image);
  }
  append(prologue, &image);
  append(epilogue, &image);
  return image;
}

ParameterPlan ParameterPlan::from_image(std::span<const int> words,
                                        std::span<const double> constants) {
  return PlanReader(words, constants).read();
}

std::vector<double> calc_parameters(ParameterPlan::Formulas formulas,
                                    std::span<const double> constants) {
  if (!formulas) return {0.0};
  std::vector<double> values(static_cast<std::size_t>(formulas->output_size()));
  const double none = 0;  // formulas without constants have one input that they do not use
  formulas->run(constants.empty() ? std::span(&none, 1) : constants, values);
  return values;
}

}  // namespace camber::mechanism_code
