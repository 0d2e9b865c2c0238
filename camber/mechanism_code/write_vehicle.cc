#include "camber/mechanism_code/write_vehicle.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>

#include "camber/codegen/write.h"
#include "camber/core/require.h"
#include "camber/symbolic/identifier_table.h"

namespace camber::mechanism_code {

namespace {

using codegen::Language, codegen::Program;

std::string number_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string number_text(int value) { return std::to_string(value); }

template <class Number>
std::string array_text(const std::vector<Number>& values, std::size_t per_line) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += concat(i % per_line == 0 ? "\n    " : " ", number_text(values[i]),
                   i + 1 < values.size() ? "," : "");
  return text;
}

// Two corners in the halves of one register: the smallest of lanes.
constexpr std::string_view kPair = R"(struct two_doubles {
  typedef double pack __attribute__((vector_size(16), aligned(8), may_alias));
  pack x;
  two_doubles() = default;
  two_doubles(double both) : x{both, both} {}
  two_doubles(double a, double b) : x{a, b} {}
  explicit two_doubles(const pack& both) : x(both) {}
  friend two_doubles operator+(two_doubles a, two_doubles b) { return two_doubles(a.x + b.x); }
  friend two_doubles operator-(two_doubles a, two_doubles b) { return two_doubles(a.x - b.x); }
  friend two_doubles operator*(two_doubles a, two_doubles b) { return two_doubles(a.x * b.x); }
  friend two_doubles operator/(two_doubles a, two_doubles b) { return two_doubles(a.x / b.x); }
  friend two_doubles operator-(two_doubles a) { return two_doubles(-a.x); }
  struct mask {
    decltype(pack{} < pack{}) x;
    friend bool all(mask m) { return m.x[0] != 0 && m.x[1] != 0; }
    friend mask operator&&(mask a, mask b) { return {a.x & b.x}; }
    friend mask operator||(mask a, mask b) { return {a.x | b.x}; }
    friend mask operator!(mask a) { return {~a.x}; }
  };
  friend mask operator<(two_doubles a, two_doubles b) { return {a.x < b.x}; }
  friend mask operator<=(two_doubles a, two_doubles b) { return {a.x <= b.x}; }
  friend mask operator>(two_doubles a, two_doubles b) { return {a.x > b.x}; }
  friend mask operator>=(two_doubles a, two_doubles b) { return {a.x >= b.x}; }
  friend two_doubles select(mask m, two_doubles a, two_doubles b) {
    return two_doubles(m.x ? a.x : b.x);
  }
  friend two_doubles sqrt(two_doubles a) { return {std::sqrt(a.x[0]), std::sqrt(a.x[1])}; }
  friend two_doubles abs(two_doubles a) { return {std::abs(a.x[0]), std::abs(a.x[1])}; }
  friend two_doubles min(two_doubles a, two_doubles b) { return select(b < a, b, a); }
  friend two_doubles max(two_doubles a, two_doubles b) { return select(a < b, b, a); }
  friend two_doubles sin(two_doubles a) { return {std::sin(a.x[0]), std::sin(a.x[1])}; }
  friend two_doubles cos(two_doubles a) { return {std::cos(a.x[0]), std::cos(a.x[1])}; }
  friend two_doubles atan(two_doubles a) { return {std::atan(a.x[0]), std::atan(a.x[1])}; }
  friend two_doubles atan2(two_doubles a, two_doubles b) {
    return {std::atan2(a.x[0], b.x[0]), std::atan2(a.x[1], b.x[1])};
  }
};

template <int inputs, int outputs, class Kernel>
inline int run_pair(Kernel kernel, const double* p, const double* x0, const double* x1,
                    const double* w, double* y0, double* y1) {
  two_doubles x[inputs], y[outputs];
  const two_doubles spin[3] = {w[0], w[1], w[2]};
  for (int i = 0; i < inputs; ++i) x[i] = two_doubles(x0[i], x1[i]);
  const int status = kernel(reinterpret_cast<const two_doubles*>(p), x, spin, y);
  for (int i = 0; i < outputs; ++i) {
    y0[i] = y[i].x[0];
    y1[i] = y[i].x[1];
  }
  return status;
}

)";

// Several vehicles in one register. Where registers are shorter the compiler splits them; loads and
// stores need no more alignment than doubles, because who calls may have shorter registers, too.
constexpr std::string_view kLanes = R"(
#include <cmath>
#if defined(__AVX__)
#include <immintrin.h>
#endif

extern "C" {
void (*camber_sincos)(const double* x, double* s, double* c) = nullptr;
}

namespace generated {

struct lanes {
  static constexpr int n = lane_count;
  typedef double pack __attribute__((vector_size(8 * n), aligned(8), may_alias));
  typedef long bits __attribute__((vector_size(8 * n), aligned(8), may_alias));
  struct mask {
    bits x;
    friend bool all(const mask& m) {
      long every = -1;
      for (int i = 0; i < n; ++i) every &= m.x[i];
      return every != 0;
    }
    friend mask operator&&(const mask& a, const mask& b) { return {a.x & b.x}; }
    friend mask operator||(const mask& a, const mask& b) { return {a.x | b.x}; }
    friend mask operator!(const mask& a) { return {~a.x}; }
  };
  pack x;
  lanes() = default;
  lanes(double every) : x(every - pack{}) {}
  explicit lanes(const pack& p) : x(p) {}
  [[gnu::always_inline]] lanes(const lanes& b) : x(b.x) {}
  [[gnu::always_inline]] lanes& operator=(const lanes& b) {
    x = b.x;
    return *this;
  }
  friend lanes operator+(const lanes& a, const lanes& b) { return lanes(a.x + b.x); }
  friend lanes operator-(const lanes& a, const lanes& b) { return lanes(a.x - b.x); }
  friend lanes operator*(const lanes& a, const lanes& b) { return lanes(a.x * b.x); }
  friend lanes operator/(const lanes& a, const lanes& b) { return lanes(a.x / b.x); }
  friend lanes operator-(const lanes& a) { return lanes(-a.x); }
  friend mask operator<(const lanes& a, const lanes& b) { return {a.x < b.x}; }
  friend mask operator<=(const lanes& a, const lanes& b) { return {a.x <= b.x}; }
  friend mask operator>(const lanes& a, const lanes& b) { return {a.x > b.x}; }
  friend mask operator>=(const lanes& a, const lanes& b) { return {a.x >= b.x}; }
  friend lanes select(const mask& m, const lanes& a, const lanes& b) {
    return lanes(m.x ? a.x : b.x);
  }
  double* at(int i) { return reinterpret_cast<double*>(&x) + i; }
  const double* at(int i) const { return reinterpret_cast<const double*>(&x) + i; }
  friend lanes sqrt(const lanes& a) {
    lanes r;
    int i = 0;
#if defined(__AVX512F__)
    for (; i + 8 <= n; i += 8) _mm512_storeu_pd(r.at(i), _mm512_sqrt_pd(_mm512_loadu_pd(a.at(i))));
#endif
#if defined(__AVX__)
    for (; i + 4 <= n; i += 4) _mm256_storeu_pd(r.at(i), _mm256_sqrt_pd(_mm256_loadu_pd(a.at(i))));
#endif
    for (; i < n; ++i) r.x[i] = std::sqrt(a.x[i]);
    return r;
  }
  friend lanes abs(const lanes& a) { return lanes(pack(bits(a.x) & 0x7fffffffffffffffL)); }
  friend lanes min(const lanes& a, const lanes& b) { return select(b < a, b, a); }
  friend lanes max(const lanes& a, const lanes& b) { return select(a < b, b, a); }
  friend void sincos(const lanes& a, lanes* s, lanes* c) {
    camber_sincos(a.at(0), s->at(0), c->at(0));
  }
  friend lanes sin(const lanes& a) {
    lanes s, c;
    sincos(a, &s, &c);
    return s;
  }
  friend lanes cos(const lanes& a) {
    lanes s, c;
    sincos(a, &s, &c);
    return c;
  }
  friend lanes atan(const lanes& a) {
    lanes r;
    for (int i = 0; i < n; ++i) r.x[i] = std::atan(a.x[i]);
    return r;
  }
  friend lanes atan2(const lanes& a, const lanes& b) {
    lanes r;
    for (int i = 0; i < n; ++i) r.x[i] = std::atan2(a.x[i], b.x[i]);
    return r;
  }
};

}  // namespace generated

)";

class VehicleWriter {
 public:
  explicit VehicleWriter(const VehicleProgram& program)
      : program_(program), name_(identifier_of(program.name)) {}

  std::string write(const std::string& recipe, bool has_parameters) const {
    const std::string code = parts(), calls = functions();
    const std::string parameters =
        has_parameters ? concat("inline constexpr double ", name_, "_parameters[] = {",
                                array_text(program_.parameters, 4), "};\n")
                       : "";
    return concat("// Accelerations of ", name_, ", generated: do not edit.\n// ", recipe, "\n// ",
                  program_.count().total(), " operations in one evaluation, ", program_.uses.size(),
                  " uses of ", program_.kernels.size(),
                  " kernels.\n#pragma once\n\n#include <cmath>\n#include <type_traits>\n\n", code,
                  "namespace generated {\n\ninline constexpr char ", name_, "_key[] = \"",
                  hash_of(code + calls), "\";\n", structure(has_parameters ? "inline" : "static"),
                  parameters, "\n", calls, "}  // namespace generated\n");
  }

  std::string key() const { return hash_of(parts() + functions()); }

 private:
  // Prologue, kernels, epilogue.
  std::string parts() const {
    std::string text = "namespace generated {\n\n";
    // Kernels are used several times: one copy of each stays in the instruction cache.
    for (const Kernel& kernel : program_.kernels)
      text += concat("template <class T>\n[[gnu::noinline]] int ", kernel.program.name(),
                     "(const T* p, const T* x, const T* w, T* y);\n\n");
    if (has_pairs()) text += kPair;
    text += "}  // namespace generated\n\n";
    std::vector<const Program*> all = {&program_.prologue};
    for (const Kernel& kernel : program_.kernels) all.push_back(&kernel.program);
    all.push_back(&program_.epilogue);
    if (program_.given > 0) all.push_back(&program_.motions);
    for (const Program* part : all)
      text += without_pragma(write_source(*part, Language::kCpp, {.chunk_size = 0})) + "\n";
    return text;
  }

  // For vehicles of the same structure. An array of C++ is not empty. The loader makes one of inline
  // variables that have one name in several libraries: there they must be static.
  std::string structure(const std::string& storage) const {
    codegen::MachineImage plan = program_.plan.to_image();
    if (plan.constants.empty()) plan.constants.push_back(0);
    return concat(storage, " constexpr char ", name_, "_structure[] = \"", program_.structure,
                  "\";\n// How parameters follow from a vehicle's constants: ParameterPlan.\n",
                  storage, " constexpr int ", name_, "_plan[] = {", array_text(plan.words, 20),
                  "};\n", storage, " constexpr double ", name_, "_plan_constants[] = {",
                  array_text(plan.constants, 4), "};\n");
  }

  // The functions that call them.
  std::string functions() const {
    return concat(constant("nq", program_.nq), constant("nv", program_.nv),
                  constant("work_size", program_.work_size),
                  constant("parameter_count", program_.parameters.size()), given(),
                  "\n// Of doubles, two corners run in one register unless `pairs` is false.\n",
                  "template <class T, bool pairs = true>\nint ", name_,
                  "_motion(const T* p, const T* q, const T* v, T* work) {\n", motion(),
                  "}\n\ntemplate <class T>\nint ", name_,
                  "_solve(const T* p, const T* q, const T* v, const T* work, T* a) {\n", solve(),
                  "}\n\ntemplate <class T, bool pairs = true>\nint ", name_,
                  "(const T* p, const T* q, const T* v, T* a) {\n  T work[", name_,
                  "_work_size];\n  const int status = ", name_,
                  "_motion<T, pairs>(p, q, v, work);\n  return status | ", name_,
                  "_solve(p, q, v, work, a);\n}\n\n");
  }

  // Joints whose motion is given: shared by all of a vehicle's functions.
  std::string given() const {
    if (program_.given == 0) return "";
    return concat(constant("given", program_.given),
                  "\n// The motions of the file at a time, behind the state in q and v.\n",
                  "template <class T>\nint ", name_, "_give(const T& t, T* q, T* v) {\n  return ",
                  program_.motions.name(), "(&t, q + ", program_.nq, ", v + ", program_.nv,
                  ", v + ", program_.nv + program_.given, ");\n}\n");
  }

  static std::string without_pragma(std::string text) {
    const std::string pragma = "#pragma once\n\n";
    text.erase(text.find(pragma), pragma.size());
    return text;
  }

  template <class Number>
  std::string constant(const char* what, Number value) const {
    return concat("inline constexpr int ", name_, "_", what, " = ", value, ";\n");
  }

  bool has_z() const { return program_.prologue.outputs()[0].name == "z"; }

  // Where y of a use is.
  std::string y(std::size_t use) const { return concat("work + ", program_.y_places[use]); }

  std::string motion() const {
    std::string text, inputs = has_z() ? ", work" : "";
    const bool is_free = program_.nq > program_.nv;
    if (!is_free) text += "  const T w[3] = {T(0.0), T(0.0), T(0.0)};\n";
    for (std::size_t i = 0; i < program_.uses.size(); ++i) {
      text += concat("  T x", i, "[", program_.kernels[program_.uses[i].kernel].inputs, "];\n");
      inputs += concat(", x", i);
    }
    text += concat("  int status = ", program_.prologue.name(), "(p + ",
                   program_.first_prologue_parameter, ", q, v", inputs, ");\n");
    return text + kernel_calls(is_free ? "v" : "w") + "  return status;\n";
  }

  std::string solve() const {
    std::string inputs = has_z() ? ", work" : "";
    for (std::size_t i = 0; i < program_.uses.size(); ++i) inputs += ", " + y(i);
    return concat("  return ", program_.epilogue.name(), "(p + ", program_.first_epilogue_parameter,
                  ", q, v", inputs, ", a);\n");
  }

  // A number: each use on its own, or two in one register; vehicles in lanes: each on its own.
  std::string kernel_calls(const std::string& w) const {
    std::string alone, paired;
    for (std::size_t i = 0; i < program_.uses.size(); ++i) {
      const KernelUse& use = program_.uses[i];
      const Kernel& kernel = program_.kernels[use.kernel];
      const std::string call = concat("    status |= ", kernel.program.name(), "(p + ",
                                      use.first_parameter, ", x", i, ", ", w, ", ", y(i), ");\n");
      alone += call;
      if (use.partner < 0) paired += call;
      if (use.pair_parameter < 0) continue;
      paired += concat("    status |= run_pair<", kernel.inputs, ", ", kernel.outputs, ">(",
                       kernel.program.name(), "<two_doubles>, p + ", use.pair_parameter, ", x", i,
                       ", x", use.partner, ", ", w, ", ", y(i), ", ",
                       y(static_cast<std::size_t>(use.partner)), ");\n");
    }
    if (!has_pairs()) return alone;
    return concat("  if constexpr (pairs && std::is_same_v<T, double>) {\n", paired, "  } else {\n",
                  alone, "  }\n");
  }

  bool has_pairs() const {
    return std::any_of(program_.uses.begin(), program_.uses.end(),
                       [](const KernelUse& use) { return use.partner >= 0; });
  }

  const VehicleProgram& program_;
  std::string name_;
};

}  // namespace

std::string identifier_of(const std::string& name) {
  constexpr std::size_t kMaxLength = 32;  // names of functions and tables get endings
  std::string text;
  for (const char c : name) {
    const auto u = static_cast<unsigned char>(c);
    const char next = u < 128 && std::isalnum(u) != 0 ? c : '_';
    if (next == '_' && (text.empty() || text.back() == '_')) continue;
    if (text.size() < kMaxLength) text += next;
  }
  while (!text.empty() && text.back() == '_') text.pop_back();
  // Words of the language or of its headers, names of the code itself, single letters (its arguments
  // and the scalar type) and what does not start with a letter.
  symbolic::IdentifierTable words(symbolic::Language::kCpp);
  for (const char* own : {"generated", "run_pair", "two_doubles", "lanes"}) words.reserve(own);
  const bool is_plain = text.size() > 1 && std::isalpha(static_cast<unsigned char>(text[0])) != 0;
  if (!is_plain || !words.reserve(text)) text = text.empty() ? "vehicle" : "vehicle_" + text;
  return text;
}

std::string key_of(const VehicleProgram& program) { return VehicleWriter(program).key(); }

// FNV-1a in 64 bits, from two starts: 128 bits, enough for a user's own cache.
std::string hash_of(const std::string& text) {
  std::uint64_t a = 0xcbf29ce484222325U, b = 0x84222325cbf29ce4U;
  for (const char c : text) {
    a = (a ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    b = (b ^ static_cast<unsigned char>(c)) * 0x10000000233U;
  }
  char hex[33];
  std::snprintf(hex, sizeof hex, "%016llx%016llx", static_cast<unsigned long long>(a),
                static_cast<unsigned long long>(b));
  return hex;
}

std::string lane_number_source(int lanes) {
  return concat("constexpr int lane_count = ", lanes, ";", kLanes);
}

std::string write_vehicle(const VehicleProgram& program, const std::string& recipe,
                          bool has_parameters) {
  return VehicleWriter(program).write(recipe, has_parameters);
}

}  // namespace camber::mechanism_code
