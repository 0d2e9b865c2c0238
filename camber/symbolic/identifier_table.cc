#include "camber/symbolic/identifier_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "camber/core/require.h"

namespace camber::symbolic {
namespace {

// Fortran 2008 allows 63 characters (3.2.2), C99 tells apart the first 63 (5.2.4.1).
constexpr std::size_t kMaxLength = 63;

// Functions that generated code may call, and those that a local name would shadow with a warning
// or worse. C99 7.12 (math.h) and 7.3 (complex.h's I), POSIX's Bessel functions.
constexpr std::array kMathNames = {
    "acos",      "acosh",    "asin",  "asinh", "atan",     "atan2",     "atanh",     "cbrt",
    "ceil",      "copysign", "cos",   "cosh",  "erf",      "erfc",      "exp",       "exp2",
    "expm1",     "abs",      "fabs",  "fdim",  "floor",    "fma",       "fmax",      "fmin",
    "fmod",      "frexp",    "gamma", "hypot", "ilogb",    "j0",        "j1",        "jn",
    "ldexp",     "lgamma",   "log",   "log10", "log1p",    "log2",      "logb",      "lround",
    "lrint",     "max",      "min",   "modf",  "nan",      "nearbyint", "nextafter", "pow",
    "remainder", "rint",     "round", "scalb", "scalbln",  "select",    "sign",      "signbit",
    "sin",       "sincos",   "sinh",  "sqrt",  "tan",      "tanh",      "tgamma",    "trunc",
    "y0",        "y1",       "yn",    "I",     "INFINITY", "NAN",       "NULL",      "errno",
    "exit",      "free",     "index", "main",  "malloc",   "div",       "time",      "signal",
    "bool",      "true",     "false", "unix",  "linux",    "std"};

// C99 6.4.1; C++20 [lex.key] with the alternative tokens. Both lists hold for both languages: a C
// kernel is also compiled as C++.
constexpr std::array kCKeywords = {"alignas",
                                   "alignof",
                                   "and",
                                   "and_eq",
                                   "asm",
                                   "auto",
                                   "bitand",
                                   "bitor",
                                   "break",
                                   "case",
                                   "catch",
                                   "char",
                                   "char16_t",
                                   "char32_t",
                                   "char8_t",
                                   "class",
                                   "co_await",
                                   "co_return",
                                   "co_yield",
                                   "compl",
                                   "concept",
                                   "const",
                                   "const_cast",
                                   "consteval",
                                   "constexpr",
                                   "constinit",
                                   "continue",
                                   "decltype",
                                   "default",
                                   "delete",
                                   "do",
                                   "double",
                                   "dynamic_cast",
                                   "else",
                                   "enum",
                                   "explicit",
                                   "export",
                                   "extern",
                                   "float",
                                   "for",
                                   "friend",
                                   "goto",
                                   "if",
                                   "inline",
                                   "int",
                                   "long",
                                   "mutable",
                                   "namespace",
                                   "new",
                                   "noexcept",
                                   "not",
                                   "not_eq",
                                   "nullptr",
                                   "operator",
                                   "or",
                                   "or_eq",
                                   "private",
                                   "protected",
                                   "public",
                                   "register",
                                   "reinterpret_cast",
                                   "requires",
                                   "restrict",
                                   "return",
                                   "short",
                                   "signed",
                                   "sizeof",
                                   "static",
                                   "static_assert",
                                   "static_cast",
                                   "struct",
                                   "switch",
                                   "template",
                                   "this",
                                   "thread_local",
                                   "throw",
                                   "try",
                                   "typedef",
                                   "typeid",
                                   "typename",
                                   "union",
                                   "unsigned",
                                   "using",
                                   "virtual",
                                   "void",
                                   "volatile",
                                   "wchar_t",
                                   "while",
                                   "xor",
                                   "xor_eq"};

// Fortran reserves no word, but a variable called `end` or `real` is a trap for reader and compiler
// alike: statement keywords, types, and the intrinsics that generated code uses (Fortran
// 2008, 13.5).
constexpr std::array kFortranWords = {
    "allocatable", "allocate",   "associate", "block",    "call",      "case",        "character",
    "class",       "common",     "complex",   "contains", "continue",  "cycle",       "data",
    "dble",        "deallocate", "dimension", "do",       "double",    "else",        "elseif",
    "elsewhere",   "end",        "enddo",     "endif",    "entry",     "equivalence", "exit",
    "external",    "format",     "function",  "go",       "goto",      "if",          "implicit",
    "import",      "in",         "include",   "inout",    "inquire",   "int",         "integer",
    "intent",      "interface",  "intrinsic", "kind",     "logical",   "merge",       "mod",
    "module",      "namelist",   "none",      "nullify",  "only",      "open",        "optional",
    "out",         "parameter",  "pause",     "pointer",  "precision", "print",       "private",
    "procedure",   "program",    "public",    "pure",     "read",      "real",        "real64",
    "recursive",   "result",     "return",    "rewind",   "save",      "size",        "stop",
    "subroutine",  "target",     "then",      "to",       "type",      "use",         "where",
    "while",       "write"};

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
bool is_alphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Letters, digits and single '_' alone; a letter first.
std::string legal(std::string_view wanted) {
  std::string result;
  if (wanted.empty() || !std::isalpha(static_cast<unsigned char>(wanted[0]))) result = 'x';
  for (const char c : wanted) {
    const char next = is_alphanumeric(c) ? c : '_';
    if (next == '_' && result.back() == '_') continue;
    result += next;
  }
  return result;
}

std::unordered_set<std::string> make_reserved(Language language) {
  std::unordered_set<std::string> words(kMathNames.begin(), kMathNames.end());
  if (language != Language::kFortran) {
    words.insert(kCKeywords.begin(), kCKeywords.end());
    return words;
  }
  words.insert(kFortranWords.begin(), kFortranWords.end());
  std::unordered_set<std::string> folded;
  for (std::string word : words) {
    std::transform(word.begin(), word.end(), word.begin(), lower);
    folded.insert(word);
  }
  return folded;
}

/// Words that no identifier may be, as the language compares them.
bool is_reserved(Language language, const std::string& key) {
  static const std::unordered_set<std::string> c = make_reserved(Language::kC99);
  static const std::unordered_set<std::string> fortran = make_reserved(Language::kFortran);
  return (language == Language::kFortran ? fortran : c).contains(key);
}

std::string derivative_name(std::string_view name, int order) {
  if (order == 0) return std::string(name);
  if (order == 1) return concat(name, "_dot");
  if (order == 2) return concat(name, "_ddot");
  return concat(name, "_d", order);
}

}  // namespace

std::string_view language_name(Language language) {
  switch (language) {
    case Language::kC99:
      return "C99";
    case Language::kCpp:
      return "C++";
    case Language::kFortran:
      return "Fortran";
  }
  return "";
}

std::string IdentifierTable::key(std::string_view identifier) const {
  std::string result(identifier);
  if (language_ == Language::kFortran)
    std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

bool IdentifierTable::reserve(std::string_view identifier) {
  std::string name = key(identifier);
  return !is_reserved(language_, name) && taken_.insert(std::move(name)).second;
}

std::string IdentifierTable::make(std::string_view wanted) {
  std::string plain = legal(wanted);
  if (plain.size() <= kMaxLength && reserve(plain)) return plain;
  // Ten characters are left for the suffix; more than 10^8 names of one stem do not fit in memory.
  const std::string stem = plain.substr(0, kMaxLength - 10);
  for (int& suffix = next_suffix_.try_emplace(key(stem), 2).first->second;; ++suffix) {
    std::string candidate = concat(stem, stem.back() == '_' ? "" : "_", suffix);
    if (reserve(candidate)) return candidate;
  }
}

const std::string& IdentifierTable::of(const Expr& e) {
  const auto found = of_.find(e);
  if (found != of_.end()) return found->second;
  require(e.is_leaf() || e.kind() == Kind::kNamed,
          "IdentifierTable: only symbols, variables and named quantities have identifiers, got ",
          kind_name(e.kind()));
  const int order = e.kind() == Kind::kVariable ? e.order() : 0;
  return of_.emplace(e, make(derivative_name(e.name(), order))).first->second;
}

std::string function_identifier(std::string_view name, std::span<const int> orders) {
  std::string result(name);
  std::replace(result.begin(), result.end(), '.', '_');
  if (std::all_of(orders.begin(), orders.end(), [](int order) { return order == 0; }))
    return result;
  const bool wide = std::any_of(orders.begin(), orders.end(), [](int order) { return order > 9; });
  result += "_d";
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (wide && i > 0) result += '_';
    result += std::to_string(orders[i]);
  }
  return result;
}

}  // namespace camber::symbolic
