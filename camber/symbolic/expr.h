#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "camber/symbolic/number.h"

namespace camber::symbolic {

class UserFunction;

/// What an expression is at its top. The order is part of the canonical order of terms.
enum class Kind : std::uint8_t {
  kNumber,
  kSymbol,    // a parameter, input or independent variable, known by its name
  kVariable,  // a function of time or one of its derivatives: q, q', q''
  kNamed,     // a quantity with a name of its own that stands for an expression, kept whole
  kSum,       // constant + sum of coefficient * term
  kProduct,   // product of base ^ exponent, no numeric factor; a power is a product of one
  // functions of one argument
  kExp,
  kLog,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kTanh,
  kAbs,
  kSign,  // -1, 0, 1
  // of two
  kAtan2,
  kMin,
  kMax,
  // select(condition, value if true, value if false)
  kSelect,
  kCall,  // a user function (a table, or code) or one of its partial derivatives
  // conditions
  kTrue,
  kFalse,
  kLess,
  kLessEqual,
  kEqual,
  kNot,
  kAnd,
  kOr,
};

/// "sin", "atan2", "select", "<", ...
std::string_view kind_name(Kind kind);
inline bool is_condition(Kind kind) { return kind >= Kind::kTrue; }
/// exp .. select: a function with arguments(), neither sum, product, call nor condition.
inline bool is_elementary_function(Kind kind) {
  return kind >= Kind::kExp && kind <= Kind::kSelect;
}

namespace internal {
struct Node;
}

class Terms;
class Factors;
class Condition;

/// An expression: a value, 8 bytes, copied like a pointer.
///
/// Expressions are immutable and hash-consed: equal expressions are the same node, so `a == b` is
/// one comparison and common sub-expressions are common from the start. Sums and products are
/// canonical (flat, sorted, like terms collected), whatever the order of construction. Any thread
/// may build and read expressions at any time. Nodes live until the process ends; building the same
/// model again makes no new ones (docs/decisions/0003-immortal-nodes.md).
class Expr {
 public:
  Expr();  // 0
  template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
  // NOLINTNEXTLINE(google-explicit-constructor)
  Expr(Integer value) : Expr(Number(value)) {}
  /// A whole number is exact, any other stays a double; NaN and infinity throw
  /// std::invalid_argument.
  Expr(double value);         // NOLINT(google-explicit-constructor)
  Expr(const Number& value);  // NOLINT(google-explicit-constructor)

  inline Kind kind() const;
  inline bool is_number() const;
  inline bool is_zero() const;  // the number 0
  inline bool is_one() const;   // the number 1
  /// A leaf that a derivative may be taken by: kSymbol or kVariable.
  inline bool is_leaf() const;

  // What it is made of. Each is for the kinds named; others get an empty result or fail an assert.
  const Number& number() const;    // kNumber
  std::string_view name() const;   // kSymbol, kVariable, kNamed, kCall
  int order() const;               // kVariable: 0 for q, 1 for q', ...
  Expr definition() const;         // kNamed: what the name stands for
  const Number& constant() const;  // kSum
  Terms terms() const;             // kSum
  Factors factors() const;         // kProduct
  std::span<const Expr> arguments()
      const;  // functions, calls, conditions (a select's first is its condition)
  const UserFunction& function() const;            // kCall
  std::span<const int> derivative_orders() const;  // kCall: one per argument

  /// A hash of structure and names, not of addresses: the same on every machine and in every run.
  inline std::uint64_t hash() const;
  /// The symbols and variables that occur in it, inside named quantities too; each once, in
  /// canonical order. Known when the node is made; costs nothing.
  std::span<const Expr> leaves() const;
  /// Whether `leaf` (kSymbol or kVariable) occurs.
  bool depends_on(const Expr& leaf) const;
  /// Whether any variable of time (kVariable) occurs.
  bool depends_on_time() const;

  /// As text that parse() reads back to the same expression (print.h has the other languages).
  std::string to_string() const;

  Expr& operator+=(const Expr& b);
  Expr& operator-=(const Expr& b);
  Expr& operator*=(const Expr& b);
  Expr& operator/=(const Expr& b);

  /// The same expression (not: equal for all values).
  friend bool operator==(const Expr& a, const Expr& b) { return a.node_ == b.node_; }

  /// For hash tables and traversals that key on identity.
  const internal::Node* node() const { return node_; }
  explicit Expr(const internal::Node* node) : node_(node) {}

 private:
  const internal::Node* node_;
};
static_assert(std::is_trivially_copyable_v<Expr>);

namespace internal {

struct LeafSet;

/// One expression; its arguments follow it in memory. Here only so that looking at an expression
/// needs no call; pool.h makes nodes.
struct Node {
  enum class Value : std::uint8_t { kZero, kOne, kOther };

  std::uint64_t hash = 0;
  std::uint64_t order =
      0;  // first characters of the leading name, then 255 - degree: the order that people use
  const LeafSet* leaves = nullptr;
  const void* payload = nullptr;  // Number, NameAndOrder or CallTarget
  std::uint32_t size = 0;         // arguments
  Kind kind = Kind::kNumber;
  Value value = Value::kOther;
  bool primitive = true;  // a sum: first coefficient > 0, and no common numeric divisor

  const Expr* args() const { return reinterpret_cast<const Expr*>(this + 1); }
  const Number& number() const { return *static_cast<const Number*>(payload); }
  int degree() const { return 255 - static_cast<int>(order & 255U); }
};

}  // namespace internal

Kind Expr::kind() const { return node_->kind; }
bool Expr::is_number() const { return node_->kind == Kind::kNumber; }
bool Expr::is_zero() const { return node_->value == internal::Node::Value::kZero; }
bool Expr::is_one() const { return node_->value == internal::Node::Value::kOne; }
bool Expr::is_leaf() const { return kind() == Kind::kSymbol || kind() == Kind::kVariable; }
std::uint64_t Expr::hash() const { return node_->hash; }

/// One term of a sum or one factor of a product.
struct Term {
  Expr term;
  Number coefficient;
};
struct Factor {
  Expr base;
  Expr exponent;
};

namespace internal {
/// A view of consecutive pairs of expressions as `Item`s made on the fly.
template <class Item>
class PairView {
 public:
  class Iterator {
   public:
    using value_type = Item;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    explicit Iterator(const Expr* at) : at_(at) {}
    Item operator*() const;
    Iterator& operator++() {
      at_ += 2;
      return *this;
    }
    Iterator operator++(int) {
      Iterator old = *this;
      at_ += 2;
      return old;
    }
    friend bool operator==(Iterator a, Iterator b) { return a.at_ == b.at_; }

   private:
    const Expr* at_;
  };
  PairView() = default;
  PairView(const Expr* first, std::size_t pairs) : first_(first), size_(pairs) {}
  Iterator begin() const { return Iterator(first_); }
  Iterator end() const { return Iterator(first_ + 2 * size_); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Item operator[](std::size_t i) const { return *Iterator(first_ + 2 * i); }

 private:
  const Expr* first_ = nullptr;
  std::size_t size_ = 0;
};
}  // namespace internal

class Terms : public internal::PairView<Term> {
  using PairView::PairView;
};
class Factors : public internal::PairView<Factor> {
  using PairView::PairView;
};

// Leaves. The same name gives the same leaf.

/// A name is a letter or '_', then letters, digits, '_' or '.'; anything else throws
/// std::invalid_argument.
Expr symbol(std::string_view name);
/// A function of time, or its derivative of the given order (0 ... 1000).
Expr variable(std::string_view name, int order = 0);
/// A quantity that keeps its name and is not taken apart: in sums and products it acts as one atom,
/// derivatives see through it, and generated code computes it once under this name. Numbers and
/// leaves need no other name and are returned unchanged.
Expr named(std::string_view name, const Expr& definition);

// Arithmetic.

Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
Expr operator/(const Expr& a, const Expr& b);  // by the number 0: std::domain_error
Expr operator-(const Expr& a);
inline Expr operator+(const Expr& a) { return a; }
/// All at once: linear in the number of terms, where adding one by one is quadratic.
Expr sum(std::span<const Expr> summands);
Expr product(std::span<const Expr> factors);
/// constant + sum of coefficient * term.
Expr linear_combination(const Number& constant, std::span<const Term> terms);

// Functions. Values at exact arguments are folded only where the result is exact (sin(0),
// sqrt(9/4)); at doubles always. Odd and even functions take the sign out of their argument.

Expr pow(const Expr& base, const Expr& exponent);
Expr sqrt(const Expr& a);
Expr exp(const Expr& a);
Expr log(const Expr& a);
Expr sin(const Expr& a);
Expr cos(const Expr& a);
Expr tan(const Expr& a);
Expr asin(const Expr& a);
Expr acos(const Expr& a);
Expr atan(const Expr& a);
Expr atan2(const Expr& y, const Expr& x);
Expr sinh(const Expr& a);
Expr cosh(const Expr& a);
Expr tanh(const Expr& a);
Expr abs(const Expr& a);
Expr sign(const Expr& a);
Expr min(const Expr& a, const Expr& b);
Expr max(const Expr& a, const Expr& b);
/// A user function at these arguments; `orders` (one per argument, or empty) asks for a partial
/// derivative. The function must outlive all expressions: see user_function.h, which registers it
/// permanently.
Expr call(const UserFunction& function, std::span<const Expr> arguments,
          std::span<const int> orders = {});

/// A truth value that may depend on symbols.
class Condition {
 public:
  Condition(bool value);  // NOLINT(google-explicit-constructor)
  explicit Condition(const Expr& expr);
  /// The condition as a node (kLess, kAnd, ...), to walk through it.
  const Expr& expr() const { return expr_; }
  bool is_known() const { return expr_.kind() == Kind::kTrue || expr_.kind() == Kind::kFalse; }
  /// Throws std::logic_error that names the condition when its truth depends on a symbol: code that
  /// would branch on it must use select().
  explicit operator bool() const;
  std::string to_string() const { return expr_.to_string(); }
  friend bool operator==(const Condition& a, const Condition& b) { return a.expr_ == b.expr_; }

 private:
  Expr expr_;
};

Condition operator<(const Expr& a, const Expr& b);
Condition operator<=(const Expr& a, const Expr& b);
Condition operator>(const Expr& a, const Expr& b);
Condition operator>=(const Expr& a, const Expr& b);
/// a = b in value (operator== asks whether they are the same expression).
Condition equal(const Expr& a, const Expr& b);
Condition operator&&(const Condition& a, const Condition& b);
Condition operator||(const Condition& a, const Condition& b);
Condition operator!(const Condition& a);
Expr select(const Condition& condition, const Expr& if_true, const Expr& if_false);

/// The node of the given kind with new arguments, canonicalized: for functions (kExp .. kSelect),
/// calls and conditions. Rebuilding sums and products goes through linear_combination() and pow().
Expr with_arguments(const Expr& original, std::span<const Expr> arguments);
/// `original` with each direct child c replaced by f(c): terms of a sum, bases and exponents of a
/// product, arguments, definition of a named quantity (which keeps its name). Leaves and numbers
/// are returned unchanged.
Expr map_children(const Expr& original, const std::function<Expr(const Expr&)>& f);
/// Direct children in canonical order, numeric coefficients left out (an exponent that is a number
/// is a child).
std::vector<Expr> children(const Expr& e);

/// The canonical order: by leading name, then higher degree first, then structure. Not by address.
bool canonical_less(const Expr& a, const Expr& b);

std::ostream& operator<<(std::ostream& out, const Expr& e);
std::ostream& operator<<(std::ostream& out, const Condition& c);

/// Number of nodes and memory of all expressions of the process.
struct PoolStatistics {
  std::size_t nodes = 0;
  std::size_t bytes = 0;
};
PoolStatistics pool_statistics();

struct ExprHash {
  std::size_t operator()(const Expr& e) const { return static_cast<std::size_t>(e.hash()); }
};

namespace internal {
template <>
Term PairView<Term>::Iterator::operator*() const;
template <>
Factor PairView<Factor>::Iterator::operator*() const;
}  // namespace internal

}  // namespace camber::symbolic

template <>
struct std::hash<camber::symbolic::Expr> : camber::symbolic::ExprHash {};
