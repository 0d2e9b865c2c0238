// Any bytes are an expression or a ParseError. An expression prints to a text that reads back to
// the same node, and every other printer either prints it or says that it is too large or no
// double.

#include <cstdio>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "camber/symbolic/latex.h"
#include "camber/symbolic/parse.h"
#include "camber/symbolic/print.h"
#include "camber/symbolic/print_code.h"
#include "camber/symbolic/user_function.h"
#include "tests/fuzz/targets.h"

namespace camber::symbolic {
namespace {

void register_functions() {
  const CodeEvaluator nothing = [](std::span<const double>, std::span<const int>) { return 0.0; };
  register_code("f", 1, 9, nothing);
  register_code("map.2", 2, 9, nothing);
}

void check_round_trip(const Expr& e) {
  const std::string text = to_text(e);
  ParseOptions options;
  options.limits.depth *= 2;  // a/b/(c + d) is printed as a/(b*(c + d)), which nests deeper
  // Numbers may have grown: 9^1000 is six characters in and a thousand out.
  if (text.size() > options.limits.size) return;
  std::string read;
  try {
    const Expr again = parse(text, vocabulary_of(e), options);
    if (again == e) return;
    read = to_text(again);
  } catch (const ParseError& error) {
    read = error.what();
  }
  std::fprintf(stderr, "printed as  %s\nread as     %s\n", text.c_str(), read.c_str());
  std::abort();
}

void print_otherwise(const Expr& e) {
  for (const Language language : {Language::kC99, Language::kCpp, Language::kFortran}) {
    try {
      to_code(e, language);
    } catch (const std::length_error&) {      // a small graph, a huge tree
    } catch (const std::invalid_argument&) {  // a number beyond double
    }
  }
  to_latex(e);
}

}  // namespace
}  // namespace camber::symbolic

void camber::fuzz::read_expression(std::string_view bytes) {
  using namespace camber::symbolic;
  static const bool registered = (register_functions(), true);
  static_cast<void>(registered);
  try {
    const Expr e = parse(bytes);
    check_round_trip(e);
    print_otherwise(e);
  } catch (const ParseError&) {
  }
}
