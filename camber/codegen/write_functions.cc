#include "camber/codegen/write_functions.h"

// Sine and cosine: reduction to [-pi/4, pi/4] with pi/2 in three parts [Cody and Waite 1980], of
// which the first two have 33 bits, so that their multiples are exact up to 2^20; n comes out of
// the last bits of x 2/pi + 1.5 2^52. Polynomials by Remez exchange, with minimal relative error
// (3.5e-18 and 4.7e-20 before rounding), summed in pairs [Estrin 1960] for a short chain. The
// rounding error of the reduced argument is kept as `tail`. Arctangent: |x| above tan(3 pi/8) or
// tan(pi/8) is reduced by atan(x) = pi/2 - atan(1/x) and pi/4 + atan((x - 1)/(x + 1)); polynomial
// within 1.3e-18. Compilers that may reorder sums (-ffast-math), or that compute with more digits
// than they store, would break the reduction: there the library's functions are used.

namespace camber::codegen::internal {
namespace {

constexpr std::string_view kBitsInC = R"(typedef union { double number; uint64_t bits; } bit_view;
static inline uint64_t bits_of(double x) { bit_view v; v.number = x; return v.bits; }
static inline double number_of(uint64_t x) { bit_view v; v.bits = x; return v.number; }
)";

constexpr std::string_view kBitsInCpp =
    R"(inline std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }
inline double number_of(std::uint64_t x) { return std::bit_cast<double>(x); }
)";

constexpr std::string_view kSineAndCosine = R"({
    const double t = x*0x1.45f306dc9c883p-1 + 0x1.8p52;
    const double n = t - 0x1.8p52;
    const double a = x - n*0x1.921fb544p+0;
    const double w = n*0x1.0b4611a6p-34;
    const double r = a - w;
    const double tail = ((a - r) - w) - n*0x1.3198a2e037073p-69;
    const double z = r*r;
    const double zz = z*z;
    const double p = (-0x1.5555555555549p-3 + z*0x1.111111110f87ap-7) +
        zz*((-0x1.a01a019c119c6p-13 + z*0x1.71de3577b880bp-19) +
        zz*(-0x1.ae5e663b93be6p-26 + z*0x1.5d93012bb90d6p-33));
    const double q = (0x1.555555555554cp-5 - z*0x1.6c16c16c1517ep-10) +
        zz*((0x1.a01a019cb1be8p-16 - z*0x1.27e4f809f0cafp-22) +
        zz*(0x1.1ee9ebe913b28p-29 - z*0x1.8fae9c54198fcp-37));
    const double h = 0.5*z;
    const double u = 1.0 - h;
    const UINT64 sine = bits_of(r + (tail*u + z*r*p));
    const UINT64 cosine = bits_of(u + (((1.0 - u) - h) + (zz*q - r*tail)));
    const UINT64 k = bits_of(t);
    const UINT64 exchanged = (sine ^ cosine) & (0 - (k & 1));
    *s = number_of((sine ^ exchanged) ^ ((k & 2) << 62));
    *c = number_of((cosine ^ exchanged) ^ (((k + 1) & 2) << 62));
}
)";

constexpr std::string_view kArctangent = R"({
    const double y = FABS(x);
    const double above = y > 0x1.3504f333f9de6p+1 ? -1.0 : y > 0x1.a827999fcef32p-2 ? y - 1.0 : y;
    const double below = y > 0x1.3504f333f9de6p+1 ? y : y > 0x1.a827999fcef32p-2 ? y + 1.0 : 1.0;
    const double high = y > 0x1.3504f333f9de6p+1 ? 0x1.921fb54442d18p+0 :
        y > 0x1.a827999fcef32p-2 ? 0x1.921fb54442d18p-1 : 0.0;
    const double low = high*0x1.678afae35cdd1p-55;
    const double r = above/below;
    const double z = r*r;
    const double z2 = z*z;
    const double z4 = z2*z2;
    const double p = ((-0x1.555555555553dp-2 + z*0x1.99999999958f8p-3) +
        z2*(-0x1.24924922b171bp-3 + z*0x1.c71c70e7c2f4dp-4)) +
        z4*(((-0x1.745cf90ee5ebbp-4 + z*0x1.3b111caa3e9f3p-4) +
        z2*(-0x1.10ebe0ced8f6fp-4 + z*0x1.df1197328b6e4p-5)) +
        z4*((-0x1.9cdd032e5e65dp-5 + z*0x1.37ef7cbb79759p-5) - z2*0x1.25a248e6a97a5p-6));
    return COPYSIGN(high + (r + (z*r*p + low)), x);
}
)";

constexpr std::string_view kInC =
    R"(// Sines, cosines and arctangents within an ulp or two, several at a time where the machine can.
#if defined(__FAST_MATH__) || FLT_EVAL_METHOD != 0
static inline void near_sine_and_cosine(double x, double *s, double *c)
{
    *s = sin(x);
    *c = cos(x);
}

static inline double arctangent(double x) { return atan(x); }
#else
BITS
static inline void near_sine_and_cosine(double x, double *s, double *c)
SINE_AND_COSINE
static inline double arctangent(double x)
ARCTANGENT#endif

#if defined(__GNUC__)
__attribute__((noinline, cold, unused))
#endif
static void far_sines_and_cosines(int n, const double *x, double *s, double *c)
{
    for (int i = 0; i < n; ++i) {
        if (fabs(x[i]) <= 1e5) continue;
        s[i] = sin(x[i]);
        c[i] = cos(x[i]);
    }
}

static inline void sines_and_cosines(int n, const double *restrict x, double *restrict s,
        double *restrict c)
{
    int far = 0;
    for (int i = 0; i < n; ++i) near_sine_and_cosine(x[i], s + i, c + i);
    for (int i = 0; i < n; ++i) far |= !(fabs(x[i]) <= 1e5);
    if (far) far_sines_and_cosines(n, x, s, c);
}
)";

constexpr std::string_view kInCpp =
    R"(// Sines, cosines and arctangents within an ulp or two, several at a time where the machine can.
// Other scalars than double bring their own.
#if defined(__FAST_MATH__) || FLT_EVAL_METHOD != 0
inline void near_sine_and_cosine(double x, double* s, double* c) {
  *s = std::sin(x);
  *c = std::cos(x);
}

inline double near_arctangent(double x) { return std::atan(x); }
#else
BITS
inline void near_sine_and_cosine(double x, double* s, double* c)
SINE_AND_COSINE
inline double near_arctangent(double x)
ARCTANGENT#endif

#if defined(__GNUC__)
__attribute__((noinline, cold))
#endif
inline void far_sines_and_cosines(int n, const double* x, double* s, double* c) {
  for (int i = 0; i < n; ++i) {
    if (std::fabs(x[i]) <= 1e5) continue;
    s[i] = std::sin(x[i]);
    c[i] = std::cos(x[i]);
  }
}

template <class T>
void sines_and_cosines(int n, const T* x, T* s, T* c) {
  if constexpr (std::is_same_v<T, double>) {
    bool far = false;
    for (int i = 0; i < n; ++i) near_sine_and_cosine(x[i], s + i, c + i);
    for (int i = 0; i < n; ++i) far |= !(std::fabs(x[i]) <= 1e5);
    if (far) far_sines_and_cosines(n, x, s, c);
  } else {
    using std::cos, std::sin;
    for (int i = 0; i < n; ++i) {
      if constexpr (requires { sincos(x[i], s, c); }) {
        sincos(x[i], s + i, c + i);
      } else {
        s[i] = sin(x[i]);
        c[i] = cos(x[i]);
      }
    }
  }
}

template <class T>
T arctangent(const T& x) {
  if constexpr (std::is_same_v<T, double>) {
    return near_arctangent(x);
  } else {
    using std::atan;
    return atan(x);
  }
}

)";

std::string with(std::string text, std::string_view mark, std::string_view replacement) {
  for (std::size_t at = text.find(mark); at != std::string::npos;
       at = text.find(mark, at + replacement.size())) {
    text.replace(at, mark.size(), replacement);
  }
  return text;
}

}  // namespace

std::string_view declare_functions() {
  return "// Behind the program: sines, cosines and arctangents, several at a time.\n"
         "static inline void sines_and_cosines(int n, const double *restrict x, double *restrict "
         "s,\n"
         "        double *restrict c);\n"
         "static inline double arctangent(double x);\n\n";
}

std::string write_functions(symbolic::Language language) {
  const bool is_c = language == symbolic::Language::kC99;
  std::string text(is_c ? kInC : kInCpp);
  text = with(text, "SINE_AND_COSINE", kSineAndCosine);
  text = with(text, "ARCTANGENT", kArctangent);
  text = with(text, "BITS", is_c ? kBitsInC : kBitsInCpp);
  text = with(text, "UINT64", is_c ? "uint64_t" : "std::uint64_t");
  text = with(text, "FABS", is_c ? "fabs" : "std::fabs");
  return with(text, "COPYSIGN", is_c ? "copysign" : "std::copysign");
}

}  // namespace camber::codegen::internal
