#include "camber/symbolic/identifier_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "camber/core/require.h"

namespace camber::symbolic {
namespace {

// Fortran 2008 allows 63 characters (3.2.2), C99 distinguishes the first 63 (5.2.4.1).
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

// Further names that C and C++ define: other functions of math.h, and macros of float.h, math.h and
// stdint.h, with those of stdlib.h that C++'s <cmath> includes, and some of older versions of
// math.h. Families of macros are in is_macro().
constexpr std::array kHeaderNames = {"drem",           "exp10",
                                     "finite",         "fpclassify",
                                     "iscanonical",    "iseqsig",
                                     "isfinite",       "isgreater",
                                     "isgreaterequal", "isinf",
                                     "isless",         "islessequal",
                                     "islessgreater",  "isnan",
                                     "isnormal",       "issignaling",
                                     "issubnormal",    "isunordered",
                                     "iszero",         "llrint",
                                     "llround",        "nexttoward",
                                     "remquo",         "scalbn",
                                     "significand",    "DECIMAL_DIG",
                                     "DOMAIN",         "HUGE",
                                     "MAXFLOAT",       "OVERFLOW",
                                     "PLOSS",          "SING",
                                     "TLOSS",          "UNDERFLOW",
                                     "X_TLOSS",        "M_EGAMMA",
                                     "M_PHI",          "math_errhandling",
                                     "BIG_ENDIAN",     "BYTE_ORDER",
                                     "EXIT_FAILURE",   "EXIT_SUCCESS",
                                     "LITTLE_ENDIAN",  "MB_CUR_MAX",
                                     "NFDBITS",        "PDP_ENDIAN",
                                     "RAND_MAX",       "SIZE_MAX",
                                     "SIZE_WIDTH",     "WCONTINUED",
                                     "WEXITED",        "WEXITSTATUS",
                                     "WIFCONTINUED",   "WIFEXITED",
                                     "WIFSIGNALED",    "WIFSTOPPED",
                                     "WNOHANG",        "WNOWAIT",
                                     "WSTOPPED",       "WSTOPSIG",
                                     "WTERMSIG",       "WUNTRACED",
                                     "alloca",         "be16toh",
                                     "be32toh",        "be64toh",
                                     "htobe16",        "htobe32",
                                     "htobe64",        "htole16",
                                     "htole32",        "htole64",
                                     "le16toh",        "le32toh",
                                     "le64toh"};

// Names without lowercase letters that start like this are macros, or the standards reserve them.
// Not all of M_: M_X is a moment.
constexpr std::array kMacroPrefixes = {
    "DBL_",     "DEC32_", "DEC64_", "DEC128_",  "DEC_",        "FD_",    "FLT_",     "FP_",
    "HUGE_VAL", "LDBL_",  "MATH_",  "M_1_PI",   "M_1_SQRT",    "M_2_PI", "M_2_SQRT", "M_LN",
    "M_LOG",    "M_PI",   "M_SQRT", "PTRDIFF_", "SIG_ATOMIC_", "SNAN",   "WCHAR_",   "WINT_"};

// The keywords of C and C++ together, so that a name is the same in both: C99 6.4.1, typeof of
// C23 and GNU, C++20 [lex.key] with the alternative tokens.
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
                                   "typeof",
                                   "typeof_unqual",
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
char upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }
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

/// M_PI of M_PIl, M_PIf, M_PIf64x.
std::string_view without_type(std::string_view name) {
  for (const std::string_view type : {"f128", "f32x", "f64x", "f32", "f64", "f", "l"}) {
    if (name.ends_with(type)) return name.substr(0, name.size() - type.size());
  }
  return name;
}

/// Whether the headers of C have, or may come to have, a macro of this name (C99 7.26).
bool is_macro(std::string_view name) {
  if (name.starts_with("M_")) name = without_type(name);
  if (name == "M_E") return true;
  if (std::any_of(name.begin(), name.end(), [](char c) { return c != upper(c); })) return false;
  if (name.starts_with("INT") || name.starts_with("UINT")) {
    return name.ends_with("_MAX") || name.ends_with("_MIN") || name.ends_with("_C") ||
           name.ends_with("_WIDTH");
  }
  return std::any_of(kMacroPrefixes.begin(), kMacroPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::unordered_set<std::string> make_reserved(Language language) {
  std::unordered_set<std::string> words(kMathNames.begin(), kMathNames.end());
  if (language != Language::kFortran) {
    words.insert(kHeaderNames.begin(), kHeaderNames.end());
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
  if (language == Language::kFortran) return fortran.contains(key);
  return c.contains(key) || is_macro(key);
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
  // A suffix does not help: M_PI_2 is a macro, too.
  if (language_ != Language::kFortran && is_macro(plain)) plain.insert(0, "x_");
  if (plain.size() <= kMaxLength && reserve(plain)) return plain;
  // Ten characters are left for the suffix; more than 10^8 names of one stem do not fit in memory.
  std::string stem = plain.substr(0, kMaxLength - 10);
  if (is_reserved(language_, concat(key(stem), "_2"))) stem.insert(0, "x_");  // FP_2
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
