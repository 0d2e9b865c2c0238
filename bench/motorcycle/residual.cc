#include "bench/motorcycle/residual.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "bench/symbolic/measure.h"
#include "camber/core/process.h"
#include "camber/core/random.h"
#include "camber/core/require.h"

namespace camber::bench {

using symbolic::Expr;

namespace {

void append(const std::vector<Expr>& from, std::vector<Expr>* to) {
  to->insert(to->end(), from.begin(), from.end());
}

// As many points at a time as a vector of the compiler's extension holds; sines and arctangents by
// the formulas that generated code has for double.
constexpr std::string_view kLaneType = R"(#include <cmath>
#include <cstdint>
#include <cstring>
namespace lanes {
typedef double V __attribute__((vector_size(64)));
typedef std::uint64_t B __attribute__((vector_size(64)));
struct Lanes {
  V v;
  Lanes() = default;
  Lanes(V x) : v(x) {}
  explicit Lanes(double x) : v(x - V{}) {}
};
inline Lanes operator+(Lanes a, Lanes b) { return a.v + b.v; }
inline Lanes operator-(Lanes a, Lanes b) { return a.v - b.v; }
inline Lanes operator*(Lanes a, Lanes b) { return a.v * b.v; }
inline Lanes operator/(Lanes a, Lanes b) { return a.v / b.v; }
inline Lanes operator-(Lanes a) { return -a.v; }
inline void sincos(Lanes angle, Lanes* sine, Lanes* cosine) {  // up to 1e5 rad
  const V x = angle.v;
  const V t = x*0x1.45f306dc9c883p-1 + 0x1.8p52;
  const V n = t - 0x1.8p52;
  const V a = x - n*0x1.921fb544p+0;
  const V w = n*0x1.0b4611a6p-34;
  const V r = a - w;
  const V tail = ((a - r) - w) - n*0x1.3198a2e037073p-69;
  const V z = r*r, zz = z*z, h = 0.5*z, u = 1.0 - h;
  const V p = (-0x1.5555555555549p-3 + z*0x1.111111110f87ap-7) +
      zz*((-0x1.a01a019c119c6p-13 + z*0x1.71de3577b880bp-19) +
      zz*(-0x1.ae5e663b93be6p-26 + z*0x1.5d93012bb90d6p-33));
  const V q = (0x1.555555555554cp-5 - z*0x1.6c16c16c1517ep-10) +
      zz*((0x1.a01a019cb1be8p-16 - z*0x1.27e4f809f0cafp-22) +
      zz*(0x1.1ee9ebe913b28p-29 - z*0x1.8fae9c54198fcp-37));
  const B s = (B)(r + (tail*u + z*r*p));
  const B c = (B)(u + (((1.0 - u) - h) + (zz*q - r*tail)));
  const B k = (B)t, exchanged = (s ^ c) & -(k & 1);
  sine->v = (V)((s ^ exchanged) ^ ((k & 2) << 62));
  cosine->v = (V)((c ^ exchanged) ^ (((k + 1) & 2) << 62));
}
inline Lanes sin(Lanes x) { Lanes s, c; sincos(x, &s, &c); return s; }
inline Lanes cos(Lanes x) { Lanes s, c; sincos(x, &s, &c); return c; }
inline Lanes atan(Lanes tangent) {
  const V x = tangent.v, zero = V{}, one = zero + 1.0;
  const V y = x < zero ? -x : x;
  const auto far = y > zero + 0x1.3504f333f9de6p+1;
  const auto middle = y > zero + 0x1.a827999fcef32p-2;
  const V r = (far ? -one : middle ? y - one : y) / (far ? y : middle ? y + one : one);
  const V high = far ? zero + 0x1.921fb54442d18p+0 : middle ? zero + 0x1.921fb54442d18p-1 : zero;
  const V z = r*r, z2 = z*z, z4 = z2*z2;
  const V p = ((-0x1.555555555553dp-2 + z*0x1.99999999958f8p-3) +
      z2*(-0x1.24924922b171bp-3 + z*0x1.c71c70e7c2f4dp-4)) +
      z4*(((-0x1.745cf90ee5ebbp-4 + z*0x1.3b111caa3e9f3p-4) +
      z2*(-0x1.10ebe0ced8f6fp-4 + z*0x1.df1197328b6e4p-5)) +
      z4*((-0x1.9cdd032e5e65dp-5 + z*0x1.37ef7cbb79759p-5) - z2*0x1.25a248e6a97a5p-6));
  const V result = high + (r + (z*r*p + high*0x1.678afae35cdd1p-55));
  return x < zero ? -result : result;
}
}  // namespace lanes
)";

std::vector<Expr> rates_of(const std::vector<Expr>& variables) {
  std::vector<Expr> rates;
  for (const Expr& x : variables) rates.push_back(symbolic::variable(x.name(), x.order() + 1));
  return rates;
}

}  // namespace

Residual make_residual(const lagrange::System& system, const lagrange::Equations& equations) {
  std::vector<Expr> extra_variables;
  Residual residual;
  residual.results = equations.dynamics;
  append(equations.constraints, &residual.results);
  for (const auto& [variable, equation] : equations.extra) {
    extra_variables.push_back(variable);
    residual.results.push_back(equation);
  }
  for (const auto& group :
       {equations.coordinates, equations.speeds, rates_of(equations.speeds), equations.multipliers,
        extra_variables, rates_of(extra_variables), system.inputs})
    append(group, &residual.inputs);

  std::set<std::string> parameters;
  for (const Expr& result : residual.results) {
    for (const Expr& leaf : result.leaves()) {
      if (std::ranges::find(residual.inputs, leaf) == residual.inputs.end())
        parameters.insert(leaf.to_string());
    }
  }
  for (const std::string& name : parameters) residual.inputs.push_back(symbolic::symbol(name));
  return residual;
}

codegen::Program make_program(const Residual& residual) {
  return codegen::ProgramBuilder("camber_residual")
      .set_recipe("residuals of the motorcycle's equations, for comparison")
      .add_input("in", residual.inputs)
      .add_output("out", residual.results)
      .build({.trials = 4});
}

std::vector<std::vector<double>> make_points(const Residual& residual, int count, unsigned seed) {
  RandomStream random(seed);
  std::vector<std::vector<double>> points(count);
  for (auto& point : points) {
    for (std::size_t i = 0; i < residual.inputs.size(); ++i)
      point.push_back(random.uniform(0.2, 0.6));
  }
  return points;
}

std::vector<double> evaluate_residual(const Residual& residual, std::span<const double> point) {
  require(point.size() == residual.inputs.size(), "evaluate_residual: point has ", point.size(),
          " values, the residual needs ", residual.inputs.size());
  symbolic::Bindings bindings;
  for (std::size_t i = 0; i < point.size(); ++i) bindings[residual.inputs[i]] = point[i];
  std::vector<double> values;
  for (const Expr& e : residual.results) values.push_back(symbolic::evaluate(e, bindings));
  return values;
}

std::string write_lanes(const std::string& header, int input_size, int output_size) {
  std::string text(kLaneType);
  text +=
      concat("#include \"", header, "\"\n\nextern \"C\" int residual_in_lanes(const double* in, ");
  text += concat("double* out) {\n  lanes::Lanes x[", input_size, "], y[", output_size, "];\n");
  text +=
      "  std::memcpy(x, in, sizeof x);\n  const int status = generated::camber_residual(x, y);\n";
  return text + "  std::memcpy(out, y, sizeof y);\n  return status;\n}\n";
}

CompiledResidual::CompiledResidual(const std::vector<std::string>& compiler,
                                   const std::filesystem::path& source, const std::string& name,
                                   int output_size)
    : output_size_(output_size) {
  // A library of its own for each: dlopen() would give the first again for an equal name.
  static int count = 0;
  const std::string library = concat(source.string(), ".", ++count, ".so");
  std::vector<std::string> command = compiler;
  command.insert(command.end(), {"-shared", "-fPIC", "-o", library, source.string(), "-lm"});
  const ProcessResult run = run_process(command);
  if (run.status != 0)
    throw std::runtime_error(concat(compiler[0], " failed at ", name, " with status ", run.status));
  library_.emplace(library);
  function_ = reinterpret_cast<Function>(library_->symbol(name.c_str()));
}

std::vector<double> CompiledResidual::operator()(std::span<const double> point) const {
  std::vector<double> values(output_size_);
  function_(point.data(), values.data());
  return values;
}

double CompiledResidual::time(const std::vector<std::vector<double>>& points, int rounds) const {
  require(!points.empty() && rounds > 0, "CompiledResidual::time: ", points.size(), " points, ",
          rounds, " rounds: nothing to do");
  std::vector<double> values(output_size_);
  Stopwatch watch;
  for (int i = 0; i < rounds; ++i) {
    for (const auto& point : points) function_(point.data(), values.data());
  }
  return watch.lap() / (static_cast<double>(rounds) * static_cast<double>(points.size()));
}

}  // namespace camber::bench
