#include "camber/lagrange/derivation_text.h"

#include <cstdint>
#include <sstream>
#include <utility>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/lagrange/linear_model.h"
#include "camber/lagrange/residual_program.h"
#include "camber/lagrange/state_space.h"
#include "camber/symbolic/count.h"
#include "camber/symbolic/latex.h"
#include "camber/symbolic/sharing.h"
#include "camber/symbolic/simplify.h"

namespace camber::lagrange {
namespace {

using Json = nlohmann::ordered_json;
using symbolic::Expr;

Label label(const Expr& e) { return {e.to_string(), symbolic::to_latex(e)}; }
/// Words, or the name of an equation = 0, which LaTeX does not show.
Label plain(const std::string& text) { return {text, text}; }

}  // namespace

Derivation describe(const LagrangianModel& model, const Equations& equations) {
  Derivation result{
      model.system.name, model.about, {}, {}, make_residual_program(model.system, equations),
      equations.dynamics};
  Section dynamics{plain("Equations of motion"), {}, equations.dynamics};
  for (const Expr& speed : equations.speeds) dynamics.names.push_back(label(speed));
  if (!equations.multipliers.empty()) {
    Label multipliers;
    for (const Expr& lambda : equations.multipliers) {
      multipliers.text += " " + lambda.to_string();
      multipliers.latex += " $" + symbolic::to_latex(lambda) + "$";
    }
    dynamics.title.text += " (with multipliers" + multipliers.text + ")";
    dynamics.title.latex += " (with multipliers" + multipliers.latex + ")";
  }
  result.sections.push_back(std::move(dynamics));
  if (!equations.rates.empty()) {
    Section rates{plain("Rates of coordinates"), {}, {}, false};
    for (const Expr& q : equations.coordinates) {
      const auto rate = equations.rates.find(symbolic::variable(q.name(), 1));
      if (rate == equations.rates.end()) continue;
      rates.names.push_back(label(rate->first));
      rates.expressions.push_back(rate->second);
    }
    result.sections.push_back(std::move(rates));
  }
  if (!equations.constraints.empty()) {
    Section constraints{plain("Constraints"), {}, equations.constraints};
    for (const auto& constraint : model.system.constraints)
      constraints.names.push_back(plain(constraint.name));
    result.sections.push_back(std::move(constraints));
  }
  if (!equations.extra.empty()) {
    Section extra{plain("Further equations"), {}, {}};
    for (const auto& [variable, equation] : equations.extra) {
      extra.names.push_back(label(variable));
      extra.expressions.push_back(equation);
    }
    result.sections.push_back(std::move(extra));
  }
  return result;
}

namespace {

std::string join(const std::vector<Expr>& es) {
  std::string text;
  for (const Expr& e : es) text += (text.empty() ? "" : ", ") + e.to_string();
  return text;
}

void add_matrix(const std::string& name, const symbolic::MatrixX& matrix, Section* section) {
  for (int i = 0; i < matrix.rows(); ++i) {
    for (int j = 0; j < matrix.cols(); ++j) {
      if (matrix(i, j).is_zero()) continue;
      const std::string place = std::to_string(i + 1) + "," + std::to_string(j + 1);
      section->names.push_back({concat(name, "(", place, ")"), concat(name, "_{", place, "}")});
      section->expressions.push_back(matrix(i, j));
    }
  }
}

}  // namespace

Derivation describe_linear(const LagrangianModel& model, const Equations& equations) {
  const LinearModel linear = make_linear_model(model.system, equations, model.linearization);
  const StateSpace space = make_state_space(linear);
  codegen::ProgramBuilder builder(model.system.name + "_linear");
  builder.set_recipe("state space E x' = A x + B u, y = C x + D u of " + model.system.name);
  Section states{{"State space E x' = A x + B u, y = C x + D u; entries not listed are zero",
                  "State space $E\\,\\dot{x} = A\\,x + B\\,u$, $y = C\\,x + D\\,u$; entries not "
                  "listed are zero"},
                 {},
                 {},
                 false};
  const std::vector<std::pair<std::string, const symbolic::MatrixX*>> matrices = {
      {"E", &space.E}, {"A", &space.A}, {"B", &space.B}, {"C", &space.C}, {"D", &space.D}};
  for (const auto& [name, matrix] : matrices) {
    add_matrix(name, *matrix, &states);
    if (matrix->size() > 0) builder.add_output(name, *matrix);
  }
  Derivation result{model.system.name,
                    model.about,
                    {"States x: " + join(space.states), "Inputs u: " + join(space.inputs)},
                    {},
                    builder.add_remaining_inputs().build({.trials = 4}),
                    linear.equations};
  Section equations_of_motion{plain("Linear equations"), {}, linear.equations};
  for (const std::string& name : linear.equation_names)
    equations_of_motion.names.push_back(plain(name));
  result.sections.push_back(std::move(equations_of_motion));
  result.sections.push_back(std::move(states));
  return result;
}

// --- Text ---

namespace {

/// Equations with more operations get names for what they share.
constexpr std::uint64_t kReadable = 150;

std::string print(const Expr& e, Notation notation) {
  return notation == Notation::kLatex ? symbolic::to_latex(e) : e.to_string();
}

void write_section(const Section& section, Notation notation, std::ostream* out) {
  const bool latex = notation == Notation::kLatex;
  const auto line = [&](const std::string& left, const Expr& e, const char* right) {
    *out << (latex ? "\\[ " : "  ") << left << print(e, notation) << right
         << (latex ? " \\]\n" : "\n");
  };
  if (latex) {
    *out << "\\subsection*{" << section.title.latex << "}\n";
  } else {
    *out << section.title.text << "\n";
  }
  std::vector<Expr> short_forms;
  bool readable = true;
  for (const Expr& e : section.expressions) {
    short_forms.push_back(symbolic::count_operations(e).total() <= kReadable ? symbolic::simplify(e)
                                                                             : e);
    readable = readable && symbolic::count_operations(short_forms.back()).total() <= kReadable;
  }
  symbolic::SharedForm form{{}, short_forms};
  if (!readable) form = symbolic::share(short_forms);
  for (const auto& [name, value] : form.definitions)
    line(print(symbolic::symbol(name), notation) + " = ", value, "");
  for (std::size_t i = 0; i < form.results.size(); ++i) {
    const Label& name = section.names[i];
    if (section.is_zero) {
      line(latex ? "" : name.text + ":  ", form.results[i], " = 0");
    } else {
      line((latex ? name.latex : name.text) + " = ", form.results[i], "");
    }
  }
  *out << "\n";
}

/// Every line of a text as a comment of LaTeX.
std::string commented(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) result += "% " + line + "\n";
  return result;
}

}  // namespace

std::string to_text(const Derivation& derivation, Notation notation) {
  const bool latex = notation == Notation::kLatex;
  const std::string about = derivation.about.empty() ? "" : ": " + derivation.about;
  std::ostringstream head;
  head << derivation.name << about << "\n" << (latex ? "" : "\n");
  for (const std::string& note : derivation.notes) head << note << "\n";
  std::ostringstream counts;
  counts << "Operations as written: " << symbolic::count_operations(derivation.counted).to_string()
         << "\n"
         << "Shared parts once:     "
         << symbolic::count_shared_operations(derivation.counted).to_string() << "\n"
         << "Generated program:     " << derivation.program.count().to_string()
         << " (everything above)\n";
  std::ostringstream out;
  out << (latex ? commented(head.str()) : head.str()) << (derivation.notes.empty() ? "" : "\n");
  for (const Section& section : derivation.sections) write_section(section, notation, &out);
  out << (latex ? commented(counts.str()) : counts.str());
  return out.str();
}

namespace {

Json count_json(const symbolic::OperationCount& count) {
  return {{"additions", count.additions},
          {"multiplications", count.multiplications},
          {"divisions", count.divisions},
          {"functions", count.functions},
          {"total", count.total()}};
}

}  // namespace

std::string to_json(const Derivation& derivation, Notation notation, const std::string& code) {
  Json sections = Json::array();
  for (const Section& section : derivation.sections) {
    const symbolic::SharedForm form = symbolic::share(section.expressions);
    Json definitions = Json::array();
    for (const auto& [name, value] : form.definitions)
      definitions.push_back({{"name", name}, {"value", print(value, notation)}});
    Json equations = Json::array();
    for (std::size_t i = 0; i < form.results.size(); ++i) {
      equations.push_back(
          {{"name", section.names[i].text}, {"value", print(form.results[i], notation)}});
    }
    sections.push_back(
        {{"title", section.title.text}, {"definitions", definitions}, {"equations", equations}});
  }
  Json result = {{"model", derivation.name},
                 {"notes", derivation.notes},
                 {"sections", sections},
                 {"operations",
                  {{"as_written", count_json(symbolic::count_operations(derivation.counted))},
                   {"shared", count_json(symbolic::count_shared_operations(derivation.counted))},
                   {"program", count_json(derivation.program.count())}}}};
  if (!code.empty()) result["code"] = code;
  return result.dump(2);
}

}  // namespace camber::lagrange
