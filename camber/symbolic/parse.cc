#include "camber/symbolic/parse.h"

#include <algorithm>
#include <charconv>
#include <numbers>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/symbolic/built_in.h"
#include "camber/symbolic/tokens.h"

// Recursive descent, one function per rule of docs/manual/expressions.md, loosest rule first. Sums
// and products are gathered whole before they are built, which keeps a text of n terms linear in n
// and lets numeric factors meet each other before they meet a sum.

namespace camber::symbolic {
namespace {

using internal::describe;
using internal::Token;
using internal::TokenKind;

class Parser {
 public:
  Parser(std::string_view text, const Vocabulary& vocabulary, const ParseOptions& options)
      : text_(text), vocabulary_(vocabulary), options_(options) {
    if (text.size() > options.limits.size) {
      fail(options.limits.size, concat("the text has ", text.size(), " bytes, at most ",
                                       options.limits.size, " are read"));
    }
    tokens_ = internal::tokenize(text, options.origin);
    if (!vocabulary.is_free()) return;
    for (std::size_t i = 1; i < tokens_.size(); ++i) {
      if (tokens_[i].kind == TokenKind::kPrimes) primed_.insert(tokens_[i - 1].text);
    }
  }

  Expr parse_value() {
    const Token start = token();
    return value(parse_all(), start);
  }

  Condition parse_condition() {
    const Token start = token();
    return condition(parse_all(), start);
  }

 private:
  // Tokens.

  const Token& token() const { return tokens_[at_]; }
  bool at_sign(std::string_view sign) const {
    return token().kind == TokenKind::kSign && token().text == sign;
  }
  bool at_word(std::string_view word) const {
    return token().kind == TokenKind::kName && token().text == word;
  }
  Token take() { return tokens_[at_++]; }
  bool accept(std::string_view sign) {
    if (!at_sign(sign)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view sign) {
    if (accept(sign)) return;
    fail_if_adjacent();
    fail(token(), concat("expected '", sign, "', found ", describe(token())));
  }

  // Errors.

  [[noreturn]] void fail(std::size_t offset, std::string message) const {
    throw ParseError(text_, std::min(offset, text_.size()), options_.origin, std::move(message));
  }
  [[noreturn]] void fail(const Token& where, std::string message) const {
    fail(where.offset, std::move(message));
  }

  /// Reports that an operator was expected; two adjacent values get a message of their own.
  void fail_if_adjacent() const {
    if (token().kind == TokenKind::kSign && token().text != "(" && token().text != "'") return;
    if (token().kind == TokenKind::kEnd || at_ == 0 || is_reserved_word(token().text)) return;
    if (token().text == "'")
      fail(token(), "a prime must follow the name of a variable directly: q'");
    fail(token(), concat("expected an operator between ", describe(tokens_[at_ - 1]), " and ",
                         describe(token()), "; a product needs its '*'"));
  }

  /// Calls `make`. A mistake that only shows during construction is reported at `where`.
  template <class Make>
  Expr build(const Token& where, const Make& make) {
    try {
      return counted(make(), where);
    } catch (const std::domain_error& error) {
      fail(where, error.what());
    } catch (const std::overflow_error& error) {
      fail(where, error.what());
    } catch (const std::invalid_argument& error) {
      fail(where, error.what());
    }
  }

  /// Nodes live as long as the process, so what a text may build is bounded.
  Expr counted(const Expr& e, const Token& where) {
    work_ += 1 + e.leaves().size();
    if (e.kind() == Kind::kProduct) work_ += e.factors().size();
    if (e.kind() == Kind::kSum) {
      for (const Term& term : e.terms()) work_ += work_of(term.coefficient);
    }
    if (work_ > options_.limits.work) fail(where, "the expression is too large");
    return e;
  }

  /// Measured: a coefficient beyond 64 bits costs about as much as a hundred others.
  static std::size_t work_of(const Number& coefficient) {
    if (!coefficient.is_exact()) return 1;
    const bool small =
        coefficient.numerator().fits_int64() && coefficient.denominator().fits_int64();
    return small ? 1 : 100;
  }

  /// Counts one level of nesting while it lives.
  class Level {
   public:
    Level(Parser* parser, const Token& where) : parser_(parser) {
      if (++parser_->depth_ > parser_->options_.limits.depth) parser_->fail_too_deep(where);
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --parser_->depth_; }

   private:
    Parser* parser_;
  };
  [[noreturn]] void fail_too_deep(const Token& where) const {
    fail(where, concat("nested deeper than ", options_.limits.depth, " levels"));
  }
  void check_chain(std::size_t links, const Token& where) const {
    if (links > static_cast<std::size_t>(options_.limits.depth)) fail_too_deep(where);
  }

  /// `e`, which starts at `start`, if it is a value; otherwise an error.
  Expr value(const Expr& e, const Token& start) const {
    if (is_condition(e.kind())) fail(start, "expected a value, found a condition");
    return e;
  }
  Condition condition(const Expr& e, const Token& start) const {
    if (!is_condition(e.kind())) {
      fail(start, "expected a condition such as x < 1, found a value");
    }
    return Condition(e);
  }

  // Rules.

  Expr parse_all() {
    if (token().kind == TokenKind::kEnd) fail(token(), "expected an expression, found nothing");
    const Expr result = parse_any();
    if (token().kind != TokenKind::kEnd) {
      fail_if_adjacent();
      if (at_sign(")") || at_sign("]")) fail(token(), concat(describe(token()), " closes nothing"));
      fail(token(), concat("expected an operator or the end, found ", describe(token())));
    }
    return result;
  }

  // any = conjunction { "or" conjunction }
  Expr parse_any() {
    return parse_chain(
        "or", [this] { return parse_conjunction(); },
        [](const Condition& a, const Condition& b) { return a || b; });
  }

  // conjunction = negation { "and" negation }
  Expr parse_conjunction() {
    return parse_chain(
        "and", [this] { return parse_negation(); },
        [](const Condition& a, const Condition& b) { return a && b; });
  }

  template <class ParsePart, class Join>
  Expr parse_chain(std::string_view word, const ParsePart& parse_part, const Join& join) {
    const Token start = token();
    Expr result = parse_part();
    for (std::size_t links = 1; at_word(word); ++links) {
      const Token where = take();
      check_chain(links, where);
      const Condition left = condition(result, start);
      const Token right_start = token();
      const Condition right = condition(parse_part(), right_start);
      result = build(where, [&] { return join(left, right).expr(); });
    }
    return result;
  }

  // negation = "not" negation | comparison
  Expr parse_negation() {
    if (!at_word("not")) return parse_comparison();
    const Token where = take();
    const Level level(this, where);
    const Token start = token();
    const Condition operand = condition(parse_negation(), start);
    return build(where, [&] { return (!operand).expr(); });
  }

  // comparison = sum [ ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) sum ]
  Expr parse_comparison() {
    const Token start = token();
    const Expr left = parse_sum();
    if (!at_comparison()) return left;
    const Token sign = take();
    value(left, start);
    const Token right_start = token();
    const Expr right = value(parse_sum(), right_start);
    if (at_comparison()) fail(token(), "comparisons do not chain; write a < b and b < c");
    return build(sign, [&] { return compare(left, sign.text, right).expr(); });
  }

  bool at_comparison() const {
    return at_sign("<") || at_sign("<=") || at_sign(">") || at_sign(">=") || at_sign("==") ||
           at_sign("!=");
  }

  static Condition compare(const Expr& a, std::string_view sign, const Expr& b) {
    if (sign == "<") return a < b;
    if (sign == "<=") return a <= b;
    if (sign == ">") return a > b;
    if (sign == ">=") return a >= b;
    return sign == "==" ? equal(a, b) : !equal(a, b);
  }

  // sum = product { ( "+" | "-" ) product }
  Expr parse_sum() {
    const Token start = token();
    const Expr first = parse_product(false);
    if (!at_sign("+") && !at_sign("-")) return first;
    std::vector<Expr> summands = {value(first, start)};
    while (at_sign("+") || at_sign("-")) {
      const bool minus = take().text == "-";
      const Token part_start = token();
      summands.push_back(value(parse_product(minus), part_start));
    }
    return build(start, [&] { return sum(summands); });
  }

  // product = signed { ( "*" | "/" ) signed }
  Expr parse_product(bool negative) {
    const Token start = token();
    const Expr first = parse_signed();
    const bool alone = !at_sign("*") && !at_sign("/");
    if (alone && !negative) return first;
    Number coefficient = negative ? -1 : 1;
    std::vector<Expr> factors;
    multiply(value(first, start), start, &coefficient, &factors);
    while (at_sign("*") || at_sign("/")) {
      const Token sign = take();
      const Token part_start = token();
      const Expr factor = value(parse_signed(), part_start);
      if (sign.text == "*") {
        multiply(factor, sign, &coefficient, &factors);
      } else {
        divide(factor, sign, &coefficient, &factors);
      }
    }
    return build(start, [&] { return Expr(coefficient) * product(factors); });
  }

  void multiply(const Expr& factor, const Token& where, Number* coefficient,
                std::vector<Expr>* factors) {
    if (factor.is_number()) {
      *coefficient = build(where, [&] { return Expr(*coefficient * factor.number()); }).number();
    } else {
      factors->push_back(factor);
    }
  }

  void divide(const Expr& factor, const Token& where, Number* coefficient,
              std::vector<Expr>* factors) {
    if (factor.is_number()) {
      *coefficient = build(where, [&] { return Expr(*coefficient / factor.number()); }).number();
    } else {
      factors->push_back(build(where, [&] { return pow(factor, -1); }));
    }
  }

  // signed = ( "+" | "-" ) signed | power. No level: what is printed has signs that a text may
  // have as differences, (-(-x^a)^a)^a for (0-(0-x^a)^a)^a.
  Expr parse_signed() {
    if (!at_sign("+") && !at_sign("-")) return parse_power();
    const Token sign = token();
    bool negative = false;
    while (at_sign("+") || at_sign("-")) negative ^= take().text == "-";
    const Token start = token();
    const Expr operand = value(parse_power(), start);
    return negative ? build(sign, [&] { return -operand; }) : operand;
  }

  // power = atom [ ( "^" | "**" ) signed ]
  Expr parse_power() {
    const Token start = token();
    const Expr base = parse_atom();
    if (!at_sign("^") && !at_sign("**")) return base;
    value(base, start);
    const Token sign = take();
    const Level level(this, sign);
    const Token exponent_start = token();
    const Expr exponent = value(parse_signed(), exponent_start);
    return build(sign, [&] { return pow(base, exponent); });
  }

  // atom = number | "true" | "false" | "(" any ")" | name [ primes ] | function
  Expr parse_atom() {
    switch (token().kind) {
      case TokenKind::kInteger:
        return parse_integer();
      case TokenKind::kDecimal:
        return parse_decimal();
      case TokenKind::kName:
        return parse_word();
      default:
        break;
    }
    if (!at_sign("(")) fail(token(), concat("expected a value, found ", describe(token())));
    const Level level(this, take());
    const Expr inside = parse_any();
    expect(")");
    return inside;
  }

  Expr parse_integer() {
    const Token digits = take();
    if (digits.text.size() > options_.limits.digits) {
      fail(digits, concat("the number has ", digits.text.size(), " digits, at most ",
                          options_.limits.digits, " are read"));
    }
    return build(digits, [&] { return Expr(Number::from_digits(digits.text)); });
  }

  Expr parse_decimal() {
    const Token digits = take();
    double result = 0;
    const char* const end = digits.text.data() + digits.text.size();
    const auto [rest, error] = std::from_chars(digits.text.data(), end, result);
    if (error != std::errc() || rest != end)
      fail(digits, concat(describe(digits), " is outside the range of double"));
    return build(digits, [&] { return Expr(result); });
  }

  Expr parse_word() {
    const Token word = token();
    if (word.text == "true" || word.text == "false") return Condition(take().text == "true").expr();
    if (is_reserved_word(word.text))
      fail(word, concat("expected a value, found '", word.text, "'"));
    take();
    if (at_sign("(") || at_sign("[")) return parse_function(word);
    const int order = token().kind == TokenKind::kPrimes ? count_primes(take()) : 0;
    return build(word, [&] { return meaning(word, order); });
  }

  int count_primes(const Token& primes) const {
    constexpr std::size_t kMaxOrder = 1000;  // as variable() has it
    if (primes.text.size() > kMaxOrder)
      fail(primes, concat("a derivative of order ", primes.text.size(), ", at most ", kMaxOrder,
                          " is possible"));
    return static_cast<int>(primes.text.size());
  }

  // Names.

  Expr meaning(const Token& name, int order) const {
    if (const Expr* known = vocabulary_.find(name.text)) {
      note_name(name, *known);
      if (order == 0) return *known;
      if (known->kind() == Kind::kVariable) return variable(known->name(), known->order() + order);
      fail(name, concat("\"", name.text, "\" is not a function of time, so it has no derivative ",
                        name.text, "'"));
    }
    if (name.text == "pi" && order == 0) return std::numbers::pi;
    if (internal::is_built_in_function(name.text))
      fail(name, concat("\"", name.text, "\" is a function: write ", name.text, "(...)"));
    if (vocabulary_.find_function(name.text) != nullptr) {
      fail(name, concat("\"", name.text, "\" is a function and needs its arguments"));
    }
    if (!vocabulary_.is_free()) {
      fail(name, concat("unknown name \"", name.text, "\"",
                        did_you_mean(name.text, vocabulary_.names())));
    }
    const bool is_variable = primed_.contains(name.text);
    note_name(name, is_variable ? variable(name.text) : symbol(name.text));
    return is_variable ? variable(name.text, order) : symbol(name.text);
  }
  void note_name(const Token& name, const Expr& what) const {
    if (options_.names != nullptr) options_.names->add(name.text, what);
  }

  // Functions.

  // function = name [ "[" integer { "," integer } "]" ] "(" any { "," any } ")"
  Expr parse_function(const Token& name) {
    const UserFunction* function =
        internal::is_built_in_function(name.text) ? nullptr : vocabulary_.find_function(name.text);
    if (function == nullptr && !internal::is_built_in_function(name.text))
      fail_unknown_function(name);
    std::vector<int> orders;
    if (at_sign("[")) {
      if (function == nullptr)
        fail(token(), concat(name.text, " takes no derivative orders in brackets"));
      orders = parse_orders();
    }
    const std::vector<Expr> arguments = parse_arguments(name);
    if (function == nullptr) return build(name, [&] { return apply(name, arguments); });
    for (const Expr& argument : arguments) value(argument, name);
    return build(name, [&] { return call(*function, arguments, orders); });
  }

  [[noreturn]] void fail_unknown_function(const Token& name) const {
    if (vocabulary_.find(name.text) != nullptr) {
      fail(name, concat("\"", name.text, "\" is not a function; a product needs its '*'"));
    }
    std::vector<std::string> known = internal::built_in_functions();
    for (std::string& user : vocabulary_.function_names()) known.push_back(std::move(user));
    fail(name, concat("unknown function \"", name.text, "\"", did_you_mean(name.text, known)));
  }

  std::vector<int> parse_orders() {
    constexpr int kMaxOrder = 1000;
    std::vector<int> orders;
    expect("[");
    do {
      int order = 0;
      const Token digits = take_or_end();
      const char* const end = digits.text.data() + digits.text.size();
      const bool read = digits.kind == TokenKind::kInteger &&
                        std::from_chars(digits.text.data(), end, order).ec == std::errc();
      if (!read || order > kMaxOrder) {
        fail(digits, concat("expected the order of a derivative, 0 to ", kMaxOrder, ", found ",
                            describe(digits)));
      }
      orders.push_back(order);
    } while (accept(","));
    expect("]");
    return orders;
  }

  Token take_or_end() { return token().kind == TokenKind::kEnd ? token() : take(); }

  std::vector<Expr> parse_arguments(const Token& name) {
    const Level level(this, name);
    std::vector<Expr> arguments;
    expect("(");
    if (!at_sign(")")) {
      do {
        arguments.push_back(parse_any());
      } while (accept(","));
    }
    expect(")");
    return arguments;
  }

  Expr apply(const Token& name, const std::vector<Expr>& arguments) {
    if (name.text == "select") {
      check_count(name, arguments, 3);
      return select(condition(arguments[0], name), value(arguments[1], name),
                    value(arguments[2], name));
    }
    for (const Expr& argument : arguments) value(argument, name);
    if (name.text == "min")
      return fold(name, arguments, [](const Expr& a, const Expr& b) { return min(a, b); });
    if (name.text == "max")
      return fold(name, arguments, [](const Expr& a, const Expr& b) { return max(a, b); });
    if (name.text == "atan2") {
      check_count(name, arguments, 2);
      return atan2(arguments[0], arguments[1]);
    }
    check_count(name, arguments, 1);
    return internal::apply_unary(name.text, arguments[0]);
  }

  template <class Join>
  Expr fold(const Token& name, const std::vector<Expr>& arguments, const Join& join) {
    if (arguments.empty()) fail(name, concat(name.text, " takes at least 1 argument, got none"));
    check_chain(arguments.size() - 1, name);
    Expr result = arguments[0];
    for (std::size_t i = 1; i < arguments.size(); ++i)
      result = counted(join(result, arguments[i]), name);
    return result;
  }

  void check_count(const Token& name, const std::vector<Expr>& arguments, std::size_t count) const {
    if (arguments.size() == count) return;
    fail(name, concat(name.text, " takes ", count, count == 1 ? " argument" : " arguments",
                      ", got ", arguments.size()));
  }

  std::string_view text_;
  const Vocabulary& vocabulary_;
  const ParseOptions& options_;
  std::vector<Token> tokens_;
  std::set<std::string_view> primed_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::size_t work_ = 0;
};

}  // namespace

Expr parse(std::string_view text, const Vocabulary& vocabulary, const ParseOptions& options) {
  return Parser(text, vocabulary, options).parse_value();
}

Expr parse(std::string_view text) { return parse(text, Vocabulary::free()); }

Condition parse_condition(std::string_view text, const Vocabulary& vocabulary,
                          const ParseOptions& options) {
  return Parser(text, vocabulary, options).parse_condition();
}

}  // namespace camber::symbolic
