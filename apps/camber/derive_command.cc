#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/camber/arguments.h"
#include "apps/camber/commands.h"
#include "apps/camber/model_source.h"
#include "camber/codegen/program.h"
#include "camber/codegen/write.h"
#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/lagrange/equations.h"
#include "camber/lagrange/linear_model.h"
#include "camber/lagrange/model_file.h"
#include "camber/lagrange/residual_program.h"
#include "camber/lagrange/state_space.h"
#include "camber/symbolic/count.h"
#include "camber/symbolic/latex.h"
#include "camber/symbolic/sharing.h"
#include "camber/symbolic/simplify.h"

namespace camber::app {
namespace {

using Json = nlohmann::ordered_json;
using symbolic::Expr;

struct DeriveOptions {
  std::string model;
  std::string print = "text";
  std::string code;
  std::string method = "momentum";
  std::string directory;
  std::vector<std::string> overrides;
  bool linear = false;
  bool json = false;
};

/// What a heading or the left side of an equation says: plain, and for LaTeX to set.
struct Label {
  std::string text;
  std::string latex;
};

/// Equations under a heading, each with what it belongs to.
struct Section {
  Label title;
  std::vector<Label> names;
  std::vector<Expr> expressions;
  bool is_zero = true;  // " = 0" behind each; else its name and " = " in front
};

struct Derivation {
  std::string name;
  std::string about;
  std::vector<std::string> notes;
  std::vector<Section> sections;
  codegen::Program program;
  std::vector<Expr> counted;  // what operation counts speak of
};

lagrange::DerivationOptions::Method method_named(const std::string& name) {
  using Method = lagrange::DerivationOptions::Method;
  if (name == "lagrangian") return Method::kLagrangian;
  return name == "vakonomic" ? Method::kVakonomic : Method::kMomentum;
}

Label label(const Expr& e) { return {e.to_string(), symbolic::to_latex(e)}; }
/// Words alone, or the name of an equation = 0, which LaTeX does not show.
Label plain(const std::string& text) { return {text, text}; }

Derivation derive_nonlinear(const lagrange::LagrangianModel& model,
                            const lagrange::Equations& equations) {
  Derivation result{model.system.name,
                    model.about,
                    {},
                    {},
                    lagrange::make_residual_program(model.system, equations),
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

Derivation derive_linear(const lagrange::LagrangianModel& model,
                         const lagrange::Equations& equations) {
  const lagrange::LinearModel linear =
      lagrange::make_linear_model(model.system, equations, model.linearization);
  const lagrange::StateSpace space = lagrange::make_state_space(linear);
  codegen::ProgramBuilder builder(model.system.name + "_linear");
  builder.set_recipe("state space A x' = B x + C u, y = D x + E u of " + model.system.name);
  Section states{{"State space A x' = B x + C u, y = D x + E u; entries not listed are zero",
                  "State space $A\\,\\dot{x} = B\\,x + C\\,u$, $y = D\\,x + E\\,u$; entries not "
                  "listed are zero"},
                 {},
                 {},
                 false};
  const std::vector<std::pair<std::string, const symbolic::MatrixX*>> matrices = {
      {"A", &space.A}, {"B", &space.B}, {"C", &space.C}, {"D", &space.D}, {"E", &space.E}};
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

/// Longer equations, by operations, get names for what they share.
constexpr std::uint64_t kReadable = 150;

std::string print(const Expr& e, bool latex) {
  return latex ? symbolic::to_latex(e) : e.to_string();
}

void write_section(const Section& section, bool latex, std::ostream* out) {
  const auto line = [&](const std::string& left, const Expr& e, const char* right) {
    *out << (latex ? "\\[ " : "  ") << left << print(e, latex) << right
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
    line(print(symbolic::symbol(name), latex) + " = ", value, "");
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

/// Every line of it as a comment of LaTeX.
std::string commented(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) result += "% " + line + "\n";
  return result;
}

std::string to_text(const Derivation& derivation, bool latex) {
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
  for (const Section& section : derivation.sections) write_section(section, latex, &out);
  out << (latex ? commented(counts.str()) : counts.str());
  return out.str();
}

Json count_json(const symbolic::OperationCount& count) {
  return {{"additions", count.additions},
          {"multiplications", count.multiplications},
          {"divisions", count.divisions},
          {"functions", count.functions},
          {"total", count.total()}};
}

Json to_json(const Derivation& derivation, bool latex) {
  Json sections = Json::array();
  for (const Section& section : derivation.sections) {
    const symbolic::SharedForm form = symbolic::share(section.expressions);
    Json definitions = Json::array();
    for (const auto& [name, value] : form.definitions)
      definitions.push_back({{"name", name}, {"value", print(value, latex)}});
    Json equations = Json::array();
    for (std::size_t i = 0; i < form.results.size(); ++i) {
      equations.push_back(
          {{"name", section.names[i].text}, {"value", print(form.results[i], latex)}});
    }
    sections.push_back(
        {{"title", section.title.text}, {"definitions", definitions}, {"equations", equations}});
  }
  return {{"model", derivation.name},
          {"notes", derivation.notes},
          {"sections", sections},
          {"operations",
           {{"as_written", count_json(symbolic::count_operations(derivation.counted))},
            {"shared", count_json(symbolic::count_shared_operations(derivation.counted))},
            {"program", count_json(derivation.program.count())}}}};
}

// --- Files ---

struct CodeLanguage {
  symbolic::Language language;
  std::string ending;
};

CodeLanguage language_named(const std::string& name) {
  if (name == "c") return {symbolic::Language::kC99, ".c"};
  if (name == "cpp") return {symbolic::Language::kCpp, ".h"};
  return {symbolic::Language::kFortran, ".f90"};
}

/// Equations and source side by side; prints where they are.
void write_files(const DeriveOptions& options, const Derivation& derivation,
                 const std::string& source, const std::string& source_ending) {
  const bool latex = options.print == "latex";
  const std::filesystem::path stem =
      std::filesystem::path(options.directory) / derivation.program.name();
  std::vector<std::string> files;
  const auto write = [&](const std::string& ending, const std::string& content) {
    files.push_back(stem.string() + ending);
    write_file_atomically(files.back(), content);
  };
  make_folders(options.directory);
  if (options.json) {
    write(".json", to_json(derivation, latex).dump(2) + "\n");
  } else {
    write(latex ? ".tex" : ".txt", to_text(derivation, latex));
  }
  if (!source.empty()) write(source_ending, source);
  if (options.json) {
    std::cout << Json{{"files", files}}.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  } else {
    for (const std::string& file : files) std::cout << file << '\n';
  }
}

ExitCode run_derive(const DeriveOptions& options) {
  std::error_code error;
  require(!std::filesystem::exists(options.directory, error) ||
              std::filesystem::is_directory(options.directory, error),
          options.directory, " exists and is not a directory");
  ModelSource file(options.model, Overrides(options.overrides));
  if (file.kind() != "lagrangian") {
    file.refuse_kind(
        "camber derive takes models of kind \"lagrangian\", camber generate vehicles and "
        "mechanisms");
  }
  const lagrange::LagrangianModel model = file.read_lagrangian();
  const lagrange::Equations equations =
      lagrange::derive(model.system, {method_named(options.method)});
  const Derivation derivation =
      options.linear ? derive_linear(model, equations) : derive_nonlinear(model, equations);
  const bool latex = options.print == "latex";
  const CodeLanguage language = language_named(options.code);
  const std::string source =
      options.code.empty() ? "" : codegen::write_source(derivation.program, language.language);
  if (!options.directory.empty()) {
    write_files(options, derivation, source, language.ending);
  } else if (options.json) {
    Json json = to_json(derivation, latex);
    if (!source.empty()) json["code"] = source;
    std::cout << json.dump(2) << '\n';
  } else {
    std::cout << to_text(derivation, latex) << (source.empty() ? "" : "\n") << source;
  }
  return kOk;
}

}  // namespace

void add_derive_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<DeriveOptions>();
  CLI::App* command = app->add_subcommand(
      "derive", "Derive the equations of a Lagrangian model, and code for them");
  command->add_option("MODEL", options->model, "A model of kind \"lagrangian\" (TOML)")->required();
  command->add_option("--print", options->print, "How to write equations: text (default) or latex")
      ->check(CLI::IsMember({"text", "latex"}));
  command->add_option("--code", options->code, "Also write code: c, cpp or fortran")
      ->check(CLI::IsMember({"c", "cpp", "fortran"}));
  command->add_flag("--linear", options->linear, "Linearize about the motion that the model gives");
  command
      ->add_option("--method", options->method,
                   "momentum (default), lagrangian, or vakonomic: multipliers inside the "
                   "Lagrangian, wrong for "
                   "nonholonomic constraints, only to reproduce a paper")
      ->check(CLI::IsMember({"momentum", "lagrangian", "vakonomic"}));
  add_set_option(command, &options->overrides);
  command->add_option("-o,--output", options->directory,
                      "Write files into this folder instead of to stdout");
  command->add_flag("--json", options->json, "Print equations, operation counts and code as JSON");
  command->footer(
      "Examples:\n"
      "  camber derive models/motorcycle.toml\n"
      "  camber derive models/motorcycle.toml --linear --print latex\n"
      "  camber derive models/motorcycle.toml --code c -o build/motorcycle");
  command->callback([=] { *chosen = [=] { return run_derive(*options); }; });
}

}  // namespace camber::app
