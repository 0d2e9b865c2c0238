#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/camber/commands.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/symbolic/count.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/expand.h"
#include "camber/symbolic/latex.h"
#include "camber/symbolic/parse.h"
#include "camber/symbolic/print_code.h"
#include "camber/symbolic/simplify.h"

namespace camber::app {
namespace {

using symbolic::Expr;
using symbolic::Language;
using symbolic::Vocabulary;
using Json = nlohmann::ordered_json;

struct ExprOptions {
  std::string text;
  std::vector<std::string> of_time;
  std::vector<std::string> diff;
  bool time_derivative = false;
  bool expand = false;
  bool simplify = false;
  bool latex = false;
  std::string code;
  bool count = false;
  bool value = false;
  std::vector<std::string> at;
  bool json = false;

  bool wants_value() const { return value || !at.empty(); }
  bool wants_other_form() const { return latex || !code.empty() || count || wants_value(); }
};

const std::map<std::string, Language, std::less<>> kLanguages = {
    {"c", Language::kC99}, {"cpp", Language::kCpp}, {"fortran", Language::kFortran}};

/// A symbol or variable of the expression, as an option names it.
Expr parse_leaf(const std::string& text, const Vocabulary& vocabulary, const std::string& option) {
  const Expr leaf = symbolic::parse(text, vocabulary, {.origin = {option, 1, 1}});
  require(leaf.is_leaf(), option, " needs a name of the expression, got \"", text, "\"");
  return leaf;
}

/// "q=0.3" or "q' = pi/4".
void add_binding(const std::string& text, const Vocabulary& vocabulary,
                 symbolic::Bindings* bindings) {
  const auto sign = text.find('=');
  require(sign != std::string::npos, "--at needs NAME=VALUE, got \"", text, "\"");
  const Expr leaf = parse_leaf(text.substr(0, sign), vocabulary, "--at");
  const Expr value = symbolic::parse(text.substr(sign + 1), Vocabulary(),
                                     {.origin = {"--at", 1, static_cast<int>(sign) + 2}});
  const bool is_new = bindings->emplace(leaf, symbolic::evaluate(value, {})).second;
  require(is_new, "--at gives \"", leaf.to_string(), "\" twice");
}

Expr transform(Expr e, const ExprOptions& options, const Vocabulary& vocabulary) {
  for (const std::string& name : options.diff) e = diff(e, parse_leaf(name, vocabulary, "--diff"));
  if (options.time_derivative) e = symbolic::time_derivative(e);
  if (options.expand) e = symbolic::expand(e);
  if (options.simplify) e = symbolic::simplify(e);
  return e;
}

struct ExprResult {
  Expr expression;
  std::optional<double> value;
};

ExprResult calculate(const ExprOptions& options) {
  Vocabulary known = Vocabulary::free();
  for (const std::string& name : options.of_time) known.add_variable(name);
  // Options speak of the names that the text has, so that a misspelled one is found.
  Vocabulary vocabulary;
  const Expr given = symbolic::parse(options.text, known, {.names = &vocabulary});
  for (const std::string& name : options.of_time) {
    require(vocabulary.find(name) != nullptr, "--of-time: the expression has no \"", name, "\"",
            did_you_mean(name, vocabulary.names()));
  }
  ExprResult result{transform(given, options, vocabulary), {}};
  if (!options.wants_value()) return result;
  // A derivative by time brings in q' where the text had q; both go by the name q.
  symbolic::Bindings bindings;
  for (const std::string& text : options.at) add_binding(text, vocabulary, &bindings);
  result.value = evaluate(result.expression, bindings);
  return result;
}

void print_text(const ExprOptions& options, const ExprResult& result) {
  const Expr& e = result.expression;
  if (!options.wants_other_form()) std::cout << e << '\n';
  if (options.latex) std::cout << to_latex(e) << '\n';
  if (!options.code.empty()) std::cout << to_code(e, kLanguages.at(options.code)) << '\n';
  if (options.count) std::cout << count_operations(e).to_string() << '\n';
  if (result.value) std::cout << concat(*result.value) << '\n';
}

void print_json(const ExprOptions& options, const ExprResult& result) {
  const Expr& e = result.expression;
  Json json{{"expression", e.to_string()}};
  if (options.latex) json["latex"] = to_latex(e);
  if (!options.code.empty()) json["code"] = to_code(e, kLanguages.at(options.code));
  if (options.count) {
    const symbolic::OperationCount count = count_operations(e);
    json["operations"] = {{"additions", count.additions},
                          {"multiplications", count.multiplications},
                          {"divisions", count.divisions},
                          {"functions", count.functions}};
  }
  if (result.value) json["value"] = *result.value;
  std::cout << json.dump(2) << '\n';
}

ExitCode run_expr(const ExprOptions& options) {
  try {
    const ExprResult result = calculate(options);
    options.json ? print_json(options, result) : print_text(options, result);
    return kOk;
  } catch (const symbolic::ParseError& error) {
    std::cerr << error.what() << '\n';
    return kBadUsageOrFile;
  }
}

}  // namespace

void add_expr_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<ExprOptions>();
  CLI::App* command =
      app->add_subcommand("expr", "Differentiate, simplify, evaluate and print an expression");
  command->add_option("EXPRESSION", options->text, "In the grammar of docs/manual/expressions.md")
      ->required();
  // One value each: the next word may be the expression.
  command
      ->add_option("--of-time", options->of_time,
                   "Names that depend on time: q,...; those with a prime do anyway")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--diff", options->diff, "Differentiate by this name; repeat for more")
      ->allow_extra_args(false);
  command->add_flag("--time-diff", options->time_derivative,
                    "Differentiate by time: q' becomes q'', and with --of-time q, q becomes q'");
  command->add_flag("--expand", options->expand, "Multiply out products and powers of sums");
  command->add_flag("--simplify", options->simplify, "Look for a form with fewer operations");
  command->add_flag("--latex", options->latex, "Print LaTeX");
  command->add_option("--code", options->code, "Print code: c, cpp or fortran")
      ->type_name("LANGUAGE")
      ->check(CLI::IsMember({"c", "cpp", "fortran"}).description(""));
  command->add_flag("--count", options->count, "Print the number of operations");
  command->add_flag("--value", options->value, "Print the value; names need --at");
  command->add_option("--at", options->at, "Print the value where NAME=VALUE,... holds")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_flag("--json", options->json, "Print all that was asked for as JSON");
  command->footer(
      "Differentiates first, then multiplies out, then simplifies.\n\n"
      "Examples:\n"
      "  camber expr 'm*l*sin(q)^2' --diff q --simplify\n"
      "  camber expr \"m*q'^2/2\" --time-diff --latex\n"
      "  camber expr 'l*sin(q)' --of-time q --time-diff\n"
      "  camber expr '(a + b)^3' --expand --code fortran --count\n"
      "  camber expr --diff x -- '-x^2'\n"
      "  camber expr 'm*g*l*(1 - cos(q))' --at q=pi/6,m=2.5,g=9.81,l=0.4 --json");
  command->callback([=] { *chosen = [=] { return run_expr(*options); }; });
}

}  // namespace camber::app
