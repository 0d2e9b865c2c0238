#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/camber/commands.h"
#include "camber/codegen/program.h"
#include "camber/codegen/write.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/linear_solve.h"
#include "camber/symbolic/simplify.h"

namespace camber::app {
namespace {

using codegen::Program;
using symbolic::Expr;
using symbolic::Language;

struct DemoOptions {
  Language language = Language::kC99;
  bool json = false;
};

struct Demo {
  Expr lagrangian;
  std::vector<Expr> equations;  // = 0
  Program program;
};

/// The derivation of examples/double_pendulum.cc, with what is shown on the way.
Demo derive_double_pendulum() {
  using symbolic::symbol;
  using symbolic::variable;
  const Expr m1 = symbol("m1"), m2 = symbol("m2"), l1 = symbol("l1"), l2 = symbol("l2");
  const Expr g = symbol("g"), q1 = variable("q1"), q2 = variable("q2");
  const Expr x1 = l1 * sin(q1), y1 = -l1 * cos(q1);
  const Expr x2 = x1 + l2 * sin(q2), y2 = y1 - l2 * cos(q2);
  const auto d = [](const Expr& e) { return symbolic::time_derivative(e); };
  const Expr T = (m1 * (pow(d(x1), 2) + pow(d(y1), 2)) + m2 * (pow(d(x2), 2) + pow(d(y2), 2))) / 2;
  const Expr L = T - g * (m1 * y1 + m2 * y2);

  std::vector<Expr> equations;
  for (const Expr& q : {q1, q2})
    equations.push_back(symbolic::simplify(d(diff(L, d(q))) - diff(L, q)));
  const auto a = symbolic::solve_linear(equations, std::vector{d(d(q1)), d(d(q2))});

  codegen::ProgramBuilder program("double_pendulum");
  program.add_input("q", {q1, q2}).add_input("v", {d(q1), d(q2)}).add_output("a", a.values);
  program.add_remaining_inputs().set_recipe("examples/double_pendulum.cc");
  return {symbolic::simplify(L), equations, program.build()};
}

void print_text(const Demo& demo, const std::string& code) {
  std::cout << "A double pendulum: masses m1, m2 on rods l1, l2 at the angles q1, q2.\n\n"
            << "Lagrangian\n  L = " << demo.lagrangian.to_string() << "\n\nEquations of motion\n";
  for (const Expr& equation : demo.equations) std::cout << "  " << equation.to_string() << " = 0\n";
  std::cout << "\nCode for q1'' and q2''\n\n" << code;
}

void print_json(const Demo& demo, const std::string& code, Language language) {
  using Json = nlohmann::ordered_json;
  Json equations = Json::array();
  for (const Expr& equation : demo.equations) equations.push_back(equation.to_string());
  const symbolic::OperationCount count = demo.program.count();
  const Json result = {{"lagrangian", demo.lagrangian.to_string()},
                       {"equations", equations},
                       {"operations",
                        {{"additions", count.additions},
                         {"multiplications", count.multiplications},
                         {"divisions", count.divisions},
                         {"functions", count.functions},
                         {"total", count.total()}}},
                       {"language", symbolic::language_name(language)},
                       {"code", code}};
  std::cout << result.dump(2) << '\n';
}

ExitCode run_demo(const DemoOptions& options) {
  const Demo demo = derive_double_pendulum();
  const std::string code = codegen::write_source(demo.program, options.language);
  if (options.json) {
    print_json(demo, code, options.language);
  } else {
    print_text(demo, code);
  }
  return kOk;
}

}  // namespace

void add_demo_command(CLI::App* app, Command* chosen) {
  CLI::App* command = app->add_subcommand("demo", "Derive a double pendulum and print its code");
  const auto options = std::make_shared<DemoOptions>();
  const std::map<std::string, Language> languages = {
      {"c", Language::kC99}, {"cpp", Language::kCpp}, {"fortran", Language::kFortran}};
  command->add_option("--language", options->language, "Language of the code: c, cpp or fortran")
      ->transform(CLI::CheckedTransformer(languages).description("LANGUAGE"));
  command->add_flag("--json", options->json, "Print the result as JSON");
  command->footer(
      "Examples:\n"
      "  camber demo\n"
      "  camber demo --language fortran");
  command->callback([options, chosen] { *chosen = [options] { return run_demo(*options); }; });
}

}  // namespace camber::app
