// Accelerations of hmmwv, generated: do not edit.
// camber generate: hmmwv
// 8672 operations in one evaluation, 4 uses of 2 kernels.
#pragma once

#include <cmath>
#include <type_traits>

namespace generated {

template <class T>
[[gnu::noinline]] int hmmwv_kernel0(const T* p, const T* x, const T* w, T* y);

template <class T>
[[gnu::noinline]] int hmmwv_kernel1(const T* p, const T* x, const T* w, T* y);

struct two_doubles {
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

}  // namespace generated

// hmmwv_prologue: written by camber's codegen, not by hand.
// From coordinates and what the sub-mechanisms share
// 566 operations: 216 additions + 11 functions + 336 multiplications + 3 divisions.
//
// Inputs
//   p(103): p0 p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11 p12 p13 p14 p15 p16 p17 p18 p19 p20 p21 p22 p23 p24 p25 p26 p27 p28 p29 p30 p31 p32 p33 p34 p35 p36 p37 p38 p39 p40 p41 p42 p43 p44 p45 p46 p47 p48 p49 p50 p51 p52 p53 p54 p55 p56 p57 p58 p59 p60 p61 p62 p63 p64 p65 p66 p67 p68 p69 p70 p71 p72 p73 p74 p75 p76 p77 p78 p79 p80 p81 p82 p83 p84 p85 p86 p87 p88 p89 p90 p91 p92 p93 p94 p95 p96 p97 p98 p99 p100 p101 p102
//   q(16): q0 q1 q2 q3 q4 q5 q6 q7 q8 q9 q10 q11 q12 q13 q14 q15
//   v(15): v0 v1 v2 v3 v4 v5 v6 v7 v8 v9 v10 v11 v12 v13 v14
// Outputs
//   z(23)
//   x0(35)
//   x1(35)
//   x2(14)
//   x3(14)
// Status: 0 ok; 1: loop0 is not > 0. Outputs must not overlap inputs.

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace generated {

namespace hmmwv_prologue_parts {

inline bool all(bool condition) { return condition; }

inline double select(bool condition, double a, double b) { return condition ? a : b; }

// Sines, cosines and arctangents within an ulp or two, several at a time where the machine can.
// Other scalars than double bring their own.
#if defined(__FAST_MATH__) || FLT_EVAL_METHOD != 0
inline void near_sine_and_cosine(double x, double* s, double* c) {
  *s = std::sin(x);
  *c = std::cos(x);
}

inline double near_arctangent(double x) { return std::atan(x); }
#else
inline std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }
inline double number_of(std::uint64_t x) { return std::bit_cast<double>(x); }

inline void near_sine_and_cosine(double x, double* s, double* c)
{
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
    const std::uint64_t sine = bits_of(r + (tail*u + z*r*p));
    const std::uint64_t cosine = bits_of(u + (((1.0 - u) - h) + (zz*q - r*tail)));
    const std::uint64_t k = bits_of(t);
    const std::uint64_t exchanged = (sine ^ cosine) & (0 - (k & 1));
    *s = number_of((sine ^ exchanged) ^ ((k & 2) << 62));
    *c = number_of((cosine ^ exchanged) ^ (((k + 1) & 2) << 62));
}

inline double near_arctangent(double x)
{
    const double y = std::fabs(x);
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
    return std::copysign(high + (r + (z*r*p + low)), x);
}
#endif

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

}  // namespace hmmwv_prologue_parts

template <class T>
int hmmwv_prologue(const T* p, const T* q, const T* v, T* z, T* x0, T* x1, T* x2, T* x3) {
  using namespace hmmwv_prologue_parts;
  int status = 0;
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp;
  using std::log, std::max, std::min, std::pow, std::sin, std::sinh, std::sqrt, std::tan;
  using std::tanh;
  const T p21 = p[21];
  const T p20 = p[20];
  const T t1 = p21 + p20;
  const T p46 = p[46];
  const T p45 = p[45];
  const T t2 = p46 + p45;
  const T v6 = v[6];
  const T t3 = v6*v6;
  const T q7 = q[7];
  const T q8 = q[8];
  const T q9 = q[9];
  const T q12 = q[12];
  const T q14 = q[14];
  const T angles[5] = {q7, q8, q9, q12, q14};
  T sines[5], cosines[5];
  sines_and_cosines<T>(5, angles, sines, cosines);
  const T sin_q7 = sines[0];
  const T sin_q8 = sines[1];
  const T sin_q9 = sines[2];
  const T sin_q12 = sines[3];
  const T sin_q14 = sines[4];
  const T cos_q7 = cosines[0];
  const T cos_q8 = cosines[1];
  const T cos_q9 = cosines[2];
  const T cos_q12 = cosines[3];
  const T cos_q14 = cosines[4];
  x0[32] = sin_q8;
  x0[30] = cos_q8;
  x1[30] = cos_q9;
  x2[12] = sin_q12;
  x2[10] = cos_q12;
  x3[10] = cos_q14;
  const T p2 = p[2];
  const T t4 = sin_q7*p2;
  const T t5 = cos_q7*p2;
  const T p4 = p[4];
  const T t6 = p4 + t4;
  const T p3 = p[3];
  const T t7 = p3 + t5;
  const T t8 = t6*t6 + t7*t7;
  const T p25 = p[25];
  const T v0 = v[0];
  const T p31 = p[31];
  const T v2 = v[2];
  const T t9 = p25*v0 + p31*v2;
  const T p18 = p[18];
  const T p30 = p[30];
  const T t10 = p18*v0 + p30*v2;
  const T p23 = p[23];
  const T p22 = p[22];
  const T t11 = p23 + p22;
  const T v1 = v[1];
  const T t12 = v1*v1;
  const T p5 = p[5];
  const T p6 = p[6];
  const T t13 = p6 + t8*p5;
  const T loop0 = t8 - t13*t13;
  if (status == 0 && !all(loop0 > T(0.0))) status = 1;
  const T t14 = T(1.0)/t8;
  const T p10 = p[10];
  const T t15 = sin_q7*p10;
  const T t16 = cos_q7*p10;
  const T t17 = sqrt(loop0);
  const T t18 = sin_q7*cos_q7;
  const T t19 = sin_q7*t1;
  const T p35 = p[35];
  const T t20 = sin_q7*p35;
  const T p36 = p[36];
  const T t21 = cos_q7*p36;
  const T t22 = cos_q7*t1;
  const T t23 = t16*t3;
  const T t24 = t15*t3;
  const T p0 = p[0];
  const T t25 = p0*(sin_q7*sin_q7 - cos_q7*cos_q7);
  const T t26 = t21 - t20;
  const T t27 = t7*t13 + t6*t17;
  const T t28 = t6*t13 - t7*t17;
  const T t29 = t14*t27;
  const T t30 = t14*t28;
  const T p40 = p[40];
  const T t31 = cos_q7*p40;
  const T t32 = sin_q7*p40;
  const T p44 = p[44];
  const T t33 = t7 - t29*p44;
  const T t34 = t6 - t30*p44;
  const T t35 = T(1.0)/t17;
  const T t36 = t14*t3;
  const T p9 = p[9];
  const T t37 = p9*t30;
  const T t38 = t29*p9;
  const T t39 = p4 - t37;
  const T t40 = p3 - t38;
  const T t41 = p2*(sin_q7*t33 - cos_q7*t34);
  const T p7 = p[7];
  const T t42 = (t27*t27 - t28*t28)*(t14*p7*t14);
  const T t43 = t15 + t39;
  const T t44 = t16 + t40;
  const T t45 = t41*t35;
  const T t46 = t41/loop0;
  const T t47 = t29*t45;
  const T t48 = t30*t45;
  const T p12 = p[12];
  const T p11 = p[11];
  const T t49 = p12*t44 + t43*p11;
  const T p19 = p[19];
  const T t50 = t44*p19;
  const T t51 = p11*t44 - p12*t43;
  const T p47 = p[47];
  const T t52 = t47*p47;
  const T t53 = p47*t48;
  const T p16 = p[16];
  const T p15 = p[15];
  const T t54 = (t44*t44 - t43*t43)*(p16*p15);
  const T p33 = p[33];
  const T t55 = t43*p33*t44;
  const T t56 = t4 + t48;
  const T t57 = t5 + t47;
  const T p29 = p[29];
  const T t58 = t49 - (t37 + p29);
  const T t59 = t41*t46;
  const T p13 = p[13];
  const T t60 = t51 - (p13 + t38);
  const T t61 = t43*p19;
  const T p50 = p[50];
  const T p48 = p[48];
  const T p51 = p[51];
  const T t62 = t45*(t30*p48 + p51*(p50 - t42));
  const T p14 = p[14];
  const T t63 = p14*t58;
  const T t64 = p51*t59;
  const T t65 = p14*t60;
  const T t66 = t56*t56 + t57*t57;
  const T p49 = p[49];
  const T t67 = t45*((t42 + p50)*p51 + t29*p49);
  const T p37 = p[37];
  const T p38 = p[38];
  const T p39 = p[39];
  const T t68 = t14*(t27*p39 + t28*(p38 - t29*p37));
  const T t69 = p15*(t44*(t40 - t52) + t43*(t39 - t53));
  const T t70 = t27*t59;
  const T t71 = t28*t59;
  const T t72 = t25 - t42 - t54;
  const T t73 = t69 - T(1.0);
  const T t74 = t60*t65;
  const T p34 = p[34];
  const T t75 = t20 + t21 + t18*p34 + t68 + t55;
  const T t76 = t33*(t5 - t29*t64) - t66;
  const T p63 = p[63];
  const T t77 = t59*p63;
  const T p24 = p[24];
  const T t78 = t22 + t29*t11 + t61 - t60*p24;
  const T t79 = t73*v6;
  const T p1 = p[1];
  const T p8 = p[8];
  const T p17 = p[17];
  const T t80 = t72 - (p17 + p1*cos_q7 + t29*p8) - t74;
  const T t81 = t50 - (t19 + t30*t11) + p24*t58;
  const T p41 = p[41];
  const T t82 = t65 - (t31 + t29*p41);
  const T t83 = t34*(t4 - t30*t64) + t76;
  const T p27 = p[27];
  const T p28 = p[28];
  const T t84 = p17 + sin_q7*p27 - t30*p28 + t72;
  const T t85 = t53 - t49*t73;
  const T t86 = t65*t58 + t75;
  z[7] = t32 + t30*p41 - t63;
  const T t87 = t52 - t51*t73;
  const T p52 = p[52];
  const T t88 = sin_q7*p36 - t62 + t73*(t54 - p52);
  const T t89 = t79*t79;
  const T p61 = p[61];
  const T p60 = p[60];
  const T t90 = t18*p61 + t29*p60*t48 + t55*t73;
  const T t91 = t35*t83;
  const T p26 = p[26];
  const T t92 = p26 + p18*t78;
  z[1] = t58*t63 + t84;
  const T t93 = t44*t89;
  const T t94 = t43*t89;
  const T t95 = t80*p18 - p25*t78;
  const T p42 = p[42];
  z[6] = p42 - p18*t82;
  const T p43 = p[43];
  z[8] = p43 - p30*t82;
  const T t96 = t28*t91;
  const T t97 = t27*t91;
  const T t98 = v6*(t19 + t30*t77);
  const T t99 = cos_q7*p35 - t67 - t73*(t54 + p52);
  const T t100 = t63*t85 + t88;
  z[3] = p18*t86 - p25*t81;
  z[5] = p30*t86 - p31*t81;
  const T t101 = t48*t2 - t19 - t50*t73 + p24*t85;
  z[10] = t101;
  const T t102 = t63*t87 - t47*p48;
  const T t103 = t65*t85 - t48*p49;
  const T t104 = p30*(t80*p30 - t78*p31);
  const T p56 = p[56];
  const T t105 = t73*p56;
  z[0] = p25*t92 - p18*t95;
  const T p32 = p[32];
  z[2] = p31*(p32 + t78*p30) - t104;
  z[4] = t92*p31 - t95*p30;
  const T t106 = t47*t2 - t22 + t61*t73 + p24*t87;
  const T t107 = t65*t87 + t99;
  const T t108 = t102 + t26 - t103;
  const T p58 = p[58];
  const T t109 = t36*(p47*t96 - t70*p58);
  const T t110 = t36*(p58*t71 + p47*t97);
  const T p62 = p[62];
  const T t111 = v1*(t25 + p62 + t100) - t101*t9;
  const T p55 = p[55];
  const T p57 = p[57];
  const T t112 = p57 - t59*p55 - t73*t105;
  const T p64 = p[64];
  const T p54 = p[54];
  const T t113 = t71*p64 + p54*t97;
  const T t114 = p54*t96 - t70*p64;
  const T t115 = (t25 - p62 - t107)*t10;
  const T p59 = p[59];
  const T t116 = v6*(p55*v6*t46*t83 - p59);
  const T t117 = t48*p54 - t32 + p14*t85;
  const T t118 = t10*(t20 - t90 + t103) + t111;
  const T t119 = t31 - t47*p54 - p14*t87;
  z[13] = t119;
  const T t120 = t44*(t24 - t94 - t110);
  const T p53 = p[53];
  const T t121 = t100 - p53 + t107;
  z[12] = p18*t117;
  z[14] = p30*t117;
  const T p66 = p[66];
  const T t122 = v6*(t26 + t91*p66) + t9*T(2.0)*t108;
  const T t123 = (t21 - t90 + t102)*v1 - t106*t9 - t115;
  z[15] = p14*(t85*t85 + t87*t87) + t112;
  const T t124 = t108*(t12 + t9*t9 + t10*t10) + t116;
  const T p65 = p[65];
  const T t125 = (p46*t97 + t113*p65)*(t14*t3);
  const T p67 = p[67];
  const T p68 = p[68];
  const T t126 = (t113*p67 + t114*p68)*(t14*t3);
  const T t127 = p15*(t43*(t23 - t93 + t109) - t120);
  z[9] = p18*t106 + p25*t121;
  z[11] = p30*t106 + p31*t121;
  const T t128 = T(2.0)*(t123 - v1*t108);
  const T t129 = (p46*t96 + p65*t114)*(t14*t3);
  const T t130 = t110 - t49*t89 + t51*t127;
  const T t131 = t109 + t51*t89 + t49*t127;
  const T t132 = v6*((t118 + t10*t108)*T(-2.0) - t98) - t125;
  const T t133 = v6*t122 - t126 - p56*t127;
  const T t134 = v6*(v6*(t22 + t29*t77) + t128) - t129;
  const T t135 = t10*t118 + t124 - v1*t123 - t105*t127;
  const T t136 = p19*(t93 + t43*t127) + t132 - p24*t130;
  const T t137 = p14*(t58*t131 + t60*t130) + t133;
  z[16] = t135 - p14*(t87*t130 + t85*t131);
  z[17] = p18*t136 - p25*t137;
  const T t138 = t14*v6;
  const T p74 = p[74];
  const T t139 = t16 + p74;
  const T p72 = p[72];
  const T p71 = p[71];
  const T t140 = t43*p72 + t44*p71;
  const T t141 = t43*p71 - t44*p72;
  const T p86 = p[86];
  const T p85 = p[85];
  const T t142 = t43*p86 + t44*p85;
  const T t143 = t43*p85 - t44*p86;
  const T p73 = p[73];
  const T t144 = t15 + p73;
  const T v8 = v[8];
  x1[31] = -v8;
  x1[32] = -sin_q9;
  const T v13 = v[13];
  x3[11] = -v13;
  x3[12] = -sin_q14;
  const T p82 = p[82];
  x0[10] = v6*p82;
  const T t145 = v6*T(2.0);
  x0[18] = t145;
  x1[18] = t145;
  const T t146 = v6*T(-2.0);
  x0[19] = t146;
  x1[19] = t146;
  const T p83 = p[83];
  x0[20] = v6*p83;
  const T t147 = v2*T(2.0);
  x0[21] = t147;
  x1[21] = t147;
  x2[1] = t147;
  x3[1] = t147;
  const T t148 = v1*T(-2.0);
  x0[22] = t148;
  x1[22] = t148;
  x2[2] = t148;
  x3[2] = t148;
  const T t149 = v2*T(-2.0);
  x0[23] = t149;
  x1[23] = t149;
  const T t150 = v0*T(2.0);
  x0[24] = t150;
  x1[24] = t150;
  x2[4] = t150;
  x3[4] = t150;
  const T t151 = v1*T(2.0);
  x0[25] = t151;
  x1[25] = t151;
  const T t152 = v0*T(-2.0);
  x0[26] = t152;
  x1[26] = t152;
  x2[6] = t152;
  x3[6] = t152;
  const T p84 = p[84];
  x0[27] = v1*p84;
  x0[28] = v2*p84;
  x0[29] = v0*p84;
  const T p94 = p[94];
  x1[10] = v6*p94;
  const T p95 = p[95];
  x1[20] = v6*p95;
  const T p96 = p[96];
  x1[27] = v1*p96;
  x1[28] = v2*p96;
  x1[29] = v0*p96;
  const T p97 = p[97];
  x2[3] = v2*p97;
  const T p98 = p[98];
  x2[5] = v1*p98;
  const T p99 = p[99];
  x2[7] = v1*p99;
  x2[8] = v2*p99;
  x2[9] = v0*p99;
  const T p100 = p[100];
  x3[3] = v2*p100;
  const T p101 = p[101];
  x3[5] = v1*p101;
  const T p102 = p[102];
  x3[7] = v1*p102;
  x3[8] = v2*p102;
  x3[9] = v0*p102;
  const T t153 = t141 + t139;
  const T t154 = t139 + t143;
  z[19] = p30*t136 - p31*t137;
  const T t155 = t9*T(-2.0)*t119 - t31*v6 + t114*t138;
  const T t156 = v6*(t117*v1 - t119*t10);
  const T t157 = t15 + t73*t140;
  const T t158 = t15 + t73*t142;
  const T t159 = t32*v6 - t9*T(2.0)*t117 + t113*t138;
  x0[0] = t144 - t140;
  const T t160 = p18*t153;
  const T t161 = t12 + v2*v2 + v0*v0;
  x0[17] = t161;
  x1[17] = t161;
  x2[0] = t161;
  x3[0] = t161;
  x1[0] = t144 - t142;
  const T t162 = p18*t154;
  const T t163 = t16 - t73*t141;
  x0[9] = t163;
  const T t164 = t16 - t73*t143;
  x1[9] = t164;
  const T t165 = p18*t157;
  const T t166 = p30*t157;
  const T t167 = t23 + t89*t141 - t127*t140;
  const T t168 = p18*t158;
  const T t169 = p30*t158;
  const T t170 = t23 + t89*t143 - t127*t142;
  const T p76 = p[76];
  const T t171 = p76 + t160;
  const T p88 = p[88];
  const T t172 = p88 + t162;
  z[18] = p19*(t94 - t44*t127) + t134 - p24*t131;
  const T t173 = p14*t131 + v6*t155;
  const T p75 = p[75];
  x0[1] = p75 + p30*t153;
  const T p80 = p[80];
  x0[5] = t160 + p80;
  const T p81 = p[81];
  x0[6] = p81 - t160;
  x0[12] = t89*t140 - t24 + t127*t141;
  x0[15] = v6*t163;
  const T p87 = p[87];
  x1[1] = p87 + p30*t154;
  const T p92 = p[92];
  x1[5] = t162 + p92;
  const T p93 = p[93];
  x1[6] = p93 - t162;
  x1[12] = t89*t142 - t24 + t127*t143;
  x1[15] = v6*t164;
  x0[7] = -t165;
  x0[8] = -t166;
  x1[7] = -t168;
  x1[8] = -t169;
  z[21] = p14*t130 + v6*t159;
  const T p77 = p[77];
  x0[2] = p77*t171;
  const T p78 = p[78];
  x0[3] = t171*p78;
  const T p79 = p[79];
  x0[4] = t171*p79;
  const T p89 = p[89];
  x1[2] = p89*t172;
  const T p90 = p[90];
  x1[3] = t172*p90;
  const T p91 = p[91];
  x1[4] = t172*p91;
  x0[11] = -p18*t167;
  x0[13] = -p30*t167;
  x0[14] = -v6*t165;
  x0[16] = -v6*t166;
  x1[11] = -p18*t170;
  x1[13] = -p30*t170;
  x1[14] = -v6*t168;
  x1[16] = -v6*t169;
  const T p69 = p[69];
  z[20] = t156*p69 - p18*t173;
  const T p70 = p[70];
  z[22] = t156*p70 - p30*t173;
  x0[33] = v6;
  x1[33] = v6;
  const T v7 = v[7];
  x0[31] = v7;
  const T v9 = v[9];
  x0[34] = v9;
  const T v10 = v[10];
  x1[34] = v10;
  const T v11 = v[11];
  x2[11] = v11;
  const T v12 = v[12];
  x2[13] = v12;
  const T v14 = v[14];
  x3[13] = v14;
  return status;
}

}  // namespace generated

// hmmwv_kernel0: written by camber's codegen, not by hand.
// From what a sub-mechanism brings to the equations: front_left_lower_arm and 1 like it
// 2064 operations: 890 additions + 47 functions + 1116 multiplications + 11 divisions.
//
// Inputs
//   p(198): p0 p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11 p12 p13 p14 p15 p16 p17 p18 p19 p20 p21 p22 p23 p24 p25 p26 p27 p28 p29 p30 p31 p32 p33 p34 p35 p36 p37 p38 p39 p40 p41 p42 p43 p44 p45 p46 p47 p48 p49 p50 p51 p52 p53 p54 p55 p56 p57 p58 p59 p60 p61 p62 p63 p64 p65 p66 p67 p68 p69 p70 p71 p72 p73 p74 p75 p76 p77 p78 p79 p80 p81 p82 p83 p84 p85 p86 p87 p88 p89 p90 p91 p92 p93 p94 p95 p96 p97 p98 p99 p100 p101 p102 p103 p104 p105 p106 p107 p108 p109 p110 p111 p112 p113 p114 p115 p116 p117 p118 p119 p120 p121 p122 p123 p124 p125 p126 p127 p128 p129 p130 p131 p132 p133 p134 p135 p136 p137 p138 p139 p140 p141 p142 p143 p144 p145 p146 p147 p148 p149 p150 p151 p152 p153 p154 p155 p156 p157 p158 p159 p160 p161 p162 p163 p164 p165 p166 p167 p168 p169 p170 p171 p172 p173 p174 p175 p176 p177 p178 p179 p180 p181 p182 p183 p184 p185 p186 p187 p188 p189 p190 p191 p192 p193 p194 p195 p196 p197
//   x(35): x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x19 x20 x21 x22 x23 x24 x25 x26 x27 x28 x29 own_cosine0 own_rate0 own_sine0 shared_rate0 spin0
//   w(3): w_x w_y w_z
// Outputs
//   y(53)
// Status: 0 ok; 1: loop0 is not > 0; 2: loop1 is not > 0; 3: loop2 is not > 0. Outputs must not overlap inputs.

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace generated {

namespace hmmwv_kernel0_parts {

inline bool all(bool condition) { return condition; }

inline double select(bool condition, double a, double b) { return condition ? a : b; }

}  // namespace hmmwv_kernel0_parts

template <class T>
int hmmwv_kernel0(const T* p, const T* x, const T* w, T* y) {
  using namespace hmmwv_kernel0_parts;
  int status = 0;
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp;
  using std::log, std::max, std::min, std::pow, std::sin, std::sinh, std::sqrt, std::tan;
  using std::tanh;
  const T p6 = p[6];
  const T own_sine0 = x[32];
  const T own_cosine0 = x[30];
  const T p5 = p[5];
  const T n10 = own_cosine0*p5 - p6*own_sine0;
  const T n8 = own_sine0*p5 + p6*own_cosine0;
  const T p7 = p[7];
  const T n7 = p7 + n10;
  const T p9 = p[9];
  const T n12 = p9 - n8;
  const T p8 = p[8];
  const T n11 = p8 - n7;
  const T n13 = n11*n11 + n12*n12;
  const T p10 = p[10];
  const T p11 = p[11];
  const T n14 = p11 + n13*p10;
  const T p48 = p[48];
  const T p47 = p[47];
  const T n43 = own_cosine0*p47 - own_sine0*p48;
  const T n15 = n13 - n14*n14;
  if (status == 0 && !all(n15 > T(0.0))) status = 1;
  const T n41 = own_sine0*p47 + own_cosine0*p48;
  const T n40 = p7 + n43;
  const T p50 = p[50];
  const T n47 = p50 - n41;
  const T t1 = T(1.0)/n13;
  const T p49 = p[49];
  const T n44 = p49 - n40;
  const T t2 = n47*n47;
  const T t3 = n44*n44;
  const T t4 = sqrt(n15);
  const T t5 = own_sine0*own_cosine0;
  const T n48 = t3 + t2;
  if (status == 0 && !all(n48 > T(0.0))) status = 2;
  const T n0 = own_cosine0*own_cosine0 - own_sine0*own_sine0;
  const T p56 = p[56];
  const T p55 = p[55];
  const T n5 = own_cosine0*p55 - own_sine0*p56;
  const T p12 = p[12];
  const T t6 = t4*p12;
  const T n6 = own_cosine0*p56 + own_sine0*p55;
  const T p82 = p[82];
  const T t7 = n5*p82;
  const T t8 = p82*n6;
  const T p65 = p[65];
  const T p66 = p[66];
  const T n1 = n0*p65 + t5*p66;
  const T t9 = sqrt(n48);
  const T t10 = n11*n14 - n12*t6;
  const T t11 = n11*t6 + n12*n14;
  const T p67 = p[67];
  const T n2 = n1 + p67;
  const T n3 = p67 - n1;
  const T p92 = p[92];
  const T t12 = n6*p92;
  const T t13 = t11*t1;
  const T t14 = t10*t1;
  const T p96 = p[96];
  const T p95 = p[95];
  const T n4 = n0*p96 + t5*p95;
  const T p51 = p[51];
  const T n49 = t9 + p51;
  const T p13 = p[13];
  const T t15 = p13*t13;
  const T t16 = t14*p13;
  const T t17 = t12 + n4;
  const T n102 = n8 + t15;
  const T n101 = n7 + t16;
  const T p18 = p[18];
  const T p17 = p[17];
  const T n100 = t1*(t11*p17 + t10*p18);
  const T p15 = p[15];
  const T p14 = p[14];
  const T n97 = (p14*t10 - p15*t11)*t1;
  const T n99 = t1*(t10*p17 - t11*p18);
  const T n98 = t1*(p14*t11 + t10*p15);
  const T x1 = x[1];
  const T n111 = x1 - n102;
  const T x0 = x[0];
  const T n110 = x0 - n101;
  const T t18 = T(1.0)/n49;
  const T t19 = n44*t18;
  const T t20 = n47*t18;
  const T t21 = t18*t18;
  const T x3 = x[3];
  const T n113 = x3 + n111*n100 + n110*n99;
  const T x2 = x[2];
  const T n112 = x2 + n97*n110 + n98*n111;
  const T n63 = t21*(t3 - t2);
  const T p19 = p[19];
  const T x4 = x[4];
  const T t22 = x4 + (t10*n110 + t11*n111)*(t1*p19);
  const T p61 = p[61];
  const T n55 = n40 + t19*p61;
  const T p52 = p[52];
  const T n182 = p49 + t19*p52;
  const T n56 = n41 + p61*t20;
  const T n183 = p50 + p52*t20;
  const T p71 = p[71];
  const T t23 = n63*p71;
  const T n114 = n112*n112 + n113*n113;
  const T p62 = p[62];
  const T t24 = n55*p62;
  const T p53 = p[53];
  const T t25 = n182*p53;
  const T t26 = p62*n56;
  const T t27 = p53*n183;
  const T p89 = p[89];
  const T t28 = t20*p89;
  const T p42 = p[42];
  const T n69 = n8 + t13*p42;
  const T n68 = n7 + t14*p42;
  const T t29 = t14*t13;
  const T p72 = p[72];
  const T n64 = p72 + t23;
  const T n65 = p72 - t23;
  const T p59 = p[59];
  const T p58 = p[58];
  const T t30 = t1*(t10*p58 - t11*p59);
  const T n31 = (t10*t10 - t11*t11)*(t1*t1);
  const T t31 = t1*(t11*p58 + t10*p59);
  const T n77 = p9 - n69;
  const T n76 = p8 - n68;
  const T n23 = n7 + t30;
  const T n24 = n8 + t31;
  const T p86 = p[86];
  const T p85 = p[85];
  const T n35 = t1*(t10*p85 - t11*p86);
  const T n36 = t1*(t10*p86 + t11*p85);
  const T t32 = n182*t25 + n55*t24;
  const T p79 = p[79];
  const T p84 = p[84];
  const T p81 = p[81];
  const T t33 = t7 + t19*p79 + n55*p84 + n182*p81;
  const T t34 = t8 + t20*p79 + n56*p84 + n183*p81;
  const T p21 = p[21];
  const T p22 = p[22];
  const T p23 = p[23];
  const T n115 = p23 - p22*t22 + (n114 + t22*t22)*p21;
  const T p60 = p[60];
  const T t35 = n23*p60;
  const T p68 = p[68];
  const T p69 = p[69];
  const T n32 = n31*p68 - t29*p69;
  const T t36 = n76*n77;
  const T t37 = p60*n24;
  const T p77 = p[77];
  const T t38 = p77 + n3 + n65 + (n183*t27 + n56*t26);
  const T p44 = p[44];
  const T p43 = p[43];
  const T n93 = n76*p43 - n77*p44;
  const T n94 = n76*p44 + n77*p43;
  const T p70 = p[70];
  const T n33 = n32 + p70;
  const T n34 = p70 - n32;
  const T p74 = p[74];
  const T n84 = (n76*n76 - n77*n77)*p74;
  const T p87 = p[87];
  const T p88 = p[88];
  const T n88 = n76*p88 - n77*p87;
  const T n89 = n76*p87 + n77*p88;
  const T n116 = n114 - n115*n115;
  if (status == 0 && !all(n116 > T(0.0))) status = 3;
  const T t39 = t17 + t19*t28 + t24*n56 + t25*n183;
  const T p57 = p[57];
  const T t40 = p77 + n5*p57 + n2 + n64 + t32 + n33;
  const T p94 = p[94];
  const T p93 = p[93];
  const T n37 = n31*p94 - t29*p93;
  const T t41 = T(1.0)/n114;
  const T p80 = p[80];
  const T t42 = n88 + n93*p80;
  const T t43 = n89 + n94*p80;
  const T p75 = p[75];
  const T p73 = p[73];
  const T n85 = t36*p73 + n84*p75;
  const T p90 = p[90];
  const T t44 = n94*p90;
  const T p76 = p[76];
  const T n86 = n85 + p76;
  const T n87 = p76 - n85;
  const T t45 = sqrt(n116);
  const T p45 = p[45];
  const T t46 = n23*t35 + n93*p45 + t40 + n86;
  const T p78 = p[78];
  const T t47 = n34 + t38 + (n24*t37 + n94*p78) + n87;
  const T p24 = p[24];
  const T t48 = t45*p24;
  const T t49 = n112*n115 - n113*t48;
  const T t50 = n112*t48 + n113*n115;
  const T t51 = t41*(n97*t49 + n99*t50);
  const T t52 = t41*(n100*t49 - n98*t50);
  const T p4 = p[4];
  const T p16 = p[16];
  const T t53 = t41*(t50*p16 + p4*t49);
  const T t54 = t41*(n97*t50 - n99*t49);
  const T t55 = t41*(n100*t50 + n98*t49);
  const T t56 = (t50*p4 - p16*t49)*t41;
  const T p29 = p[29];
  const T t57 = t53*p29;
  const T p30 = p[30];
  const T n186 = p30 + t57;
  const T p54 = p[54];
  const T t58 = p29*t51 + t14*p54;
  const T t59 = p29*t55 + t13*p54;
  const T p26 = p[26];
  const T p25 = p[25];
  const T t60 = p25*t53 - p26*t56;
  const T p33 = p[33];
  const T p32 = p[32];
  const T p63 = p[63];
  const T n151 = t14*p63 + p32*t51 - p33*t54;
  const T n152 = t13*p63 + p33*t52 + p32*t55;
  const T p34 = p[34];
  const T n150 = p34 + t53*p32 - t56*p33;
  const T p37 = p[37];
  const T p36 = p[36];
  const T p38 = p[38];
  const T n153 = p38 + t53*p36 - t56*p37;
  const T x5 = x[5];
  const T n238 = x5 - n186;
  const T p64 = p[64];
  const T n154 = t14*p64 + p36*t51 - p37*t54;
  const T p46 = p[46];
  const T t61 = p25*t51 + t14*p46 - p26*t54;
  const T n187 = n101 + t58;
  const T n155 = t13*p64 + p37*t52 + p36*t55;
  const T t62 = p25*t55 + t13*p46 + p26*t52;
  const T n188 = n102 + t59;
  const T p27 = p[27];
  const T n133 = p27 + t60;
  const T p35 = p[35];
  const T t63 = p35*n151;
  const T t64 = n150*p35;
  const T p39 = p[39];
  const T t65 = n153*p39;
  const T p31 = p[31];
  const T t66 = n238*p31;
  const T t67 = p39*n154;
  const T n134 = n101 + t61;
  const T n239 = x0 - n187;
  const T n135 = n102 + t62;
  const T n240 = x1 - n188;
  const T p28 = p[28];
  const T t68 = n133*p28;
  const T t69 = p28*n134;
  const T t70 = p31*n239;
  const T t71 = p28*n135;
  const T t72 = p31*n240;
  const T n159 = t64*n151 + t65*n154;
  const T n160 = t64*n152 + t65*n155;
  const T p83 = p[83];
  const T t73 = n35 + t33 + n23*p83 + t42 + t66*n239;
  const T t74 = n36 + t34 + n24*p83 + t43 + t66*n240;
  const T p40 = p[40];
  const T n157 = p40 + n151*t63 + n154*t67;
  const T n158 = p40 + p35*n152*n152 + p39*n155*n155;
  const T n161 = t63*n152 + t67*n155;
  const T n156 = p40 + n150*t64 + n153*t65;
  const T p41 = p[41];
  y[0] = p41 + n238*t66 + n133*t68 + n156;
  y[3] = n159 + t68*n134 + t73;
  y[4] = n160 + t68*n135 + t74;
  y[1] = n239*t70 + t46 + (n157 + n134*t69);
  y[2] = n240*t72 + t47 + (n158 + n135*t71);
  const T n9 = -n8;
  const T p100 = p[100];
  const T t75 = t14*p100;
  const T t76 = t13*p100;
  const T n17 = t76 - n12;
  const T n16 = t75 - n11;
  const T n42 = -n41;
  const T t77 = T(1.0)/t4;
  const T p104 = p[104];
  const T t78 = t53*p104;
  const T p103 = p[103];
  const T t79 = t51*p104 + t14*p103;
  const T t80 = t55*p104 + t13*p103;
  const T p105 = p[105];
  const T t81 = t1*p105;
  const T t82 = n43 + n44;
  const T t83 = T(1.0)/t9;
  const T t84 = n44*n42 + n43*n47;
  const T p101 = p[101];
  const T t85 = t77*p101;
  const T p108 = p[108];
  const T t86 = t57 + p108;
  const T x6 = x[6];
  const T n117 = x6 + t78;
  const T t87 = T(1.0)/t45;
  const T n119 = t80 - n111;
  const T n118 = t79 - n110;
  const T t88 = t11*t81;
  const T p107 = p[107];
  const T t89 = n183*p107;
  const T t90 = n182*p107;
  const T t91 = t10*t81;
  const T p111 = p[111];
  const T p113 = p[113];
  const T p110 = p[110];
  const T n205 = t13*p113 + t52*p111 + t55*p110;
  const T p112 = p[112];
  const T n203 = p112 + t53*p110 - t56*p111;
  const T t92 = (n16*(t76 - n9) - n17*(n10 + t75))*t85;
  const T n204 = t14*p113 + t51*p110 - t54*p111;
  const T t93 = t11*t58 - t10*t59;
  const T p114 = p[114];
  const T t94 = p79 + p114;
  const T t95 = t83*t84;
  const T t96 = -t30;
  const T n21 = T(1.0) + t92;
  const T t97 = t81*t87;
  const T p102 = p[102];
  const T t98 = t60 + p102;
  const T t99 = t20*t95;
  const T t100 = t19*t95;
  const T p116 = p[116];
  const T t101 = n158 - p116;
  const T t102 = n157 - p116;
  const T t103 = t11*n161;
  const T t104 = t10*n161;
  const T x8 = x[8];
  const T x7 = x[7];
  const T x9 = x[9];
  const T t105 = n117*x7 + n119*x8 + n118*x9;
  const T n212 = n238*n203 + n240*n205 + n239*n204;
  const T n104 = n10 + t16*n21;
  const T n103 = n9 - t15*n21;
  const T t106 = t11*t61 - t10*t62;
  const T t107 = t103 - t10*n158;
  const T t108 = t11*n157 - t104;
  const T t109 = t97*t105;
  const T t110 = t87*t105;
  const T p98 = p[98];
  const T p97 = p[97];
  const T n90 = t36*p97 + n84*p98;
  const T t111 = p42*n21;
  const T t112 = t104 + t11*t101;
  const T t113 = t103 + t10*t102;
  const T p99 = p[99];
  y[6] = t68 + p99;
  const T t114 = n47*(n42 - n47 - t100) - n44*(t82 - t99);
  const T p106 = p[106];
  const T n193 = t110*(t86*t88 - t59*p106);
  const T p91 = p[91];
  const T t115 = n90 + n93*p91;
  const T n194 = t110*(t58*p106 - t86*t91);
  const T n213 = n238 - n203*n212;
  const T n215 = n240 - n205*n212;
  const T t116 = n119*(n104 + t79*n21);
  const T n214 = n239 - n204*n212;
  const T n192 = -t93*t109;
  const T n50 = t21*t114;
  const T n245 = x9 - n193;
  const T t117 = n37 + t39 + t35*n24 + t44 + t115;
  const T n70 = n9 - t13*t111;
  const T n71 = n10 + t14*t111;
  const T t118 = n194 - x8;
  const T t119 = n118*(n103 - n21*t80) + t116;
  const T t120 = n192 - x7;
  const T t121 = t11*t109;
  y[52] = t121;
  const T t122 = p106*t110;
  y[50] = t122;
  const T t123 = -n245;
  const T t124 = t10*t109;
  y[51] = t124;
  const T n53 = T(1.0) + n50;
  const T n25 = n9 - t31*n21;
  const T n26 = n10 - n21*t96;
  const T t125 = t97*t119;
  const T t126 = t87*t119;
  y[7] = n5 + t24 + t25 + t35 + n93 + t69;
  y[8] = t26 + n6 + t27 + t37 + n94 + t71;
  const T n141 = t110*(t61*p106 - t98*t91);
  const T n140 = t110*(t98*t88 - t62*p106);
  const T t127 = t20*n53;
  const T t128 = t19*n53;
  y[5] = t70*n240 + t117 + (n161 + t69*n135);
  const T t129 = n77*(n77*n21 - n70);
  const T t130 = t10*t125;
  const T t131 = t11*t125;
  const T n139 = -t106*t109;
  const T t132 = n159*t122;
  const T t133 = n160*t121;
  const T t134 = n159*t124;
  const T t135 = n160*t122;
  const T n128 = n21 - t126*p106;
  y[47] = n128;
  const T n189 = t125*t93;
  const T t136 = n2 + n5*p92 + n53*(n64 + t19*t90);
  const T n246 = -t118;
  const T p109 = p[109];
  const T t137 = p109*(n238*t123 - n239*t120);
  const T t138 = p109*(n239*t118 - n240*t123);
  const T n244 = -t120;
  const T t139 = p109*(n238*t118 - n240*t120);
  const T n57 = n42 - p61*t127;
  const T n58 = n43 + p61*t128;
  y[19] = p28*n140;
  y[20] = p28*n141;
  const T t140 = n3 + n53*(n65 + t20*t89) + n34*n21;
  y[18] = p28*n139;
  const T n78 = -p74*(n76*(n71 + n76*n21) + t129);
  const T t141 = T(1.0)/(n238*n213 + n240*n215 + n239*n214);
  const T n191 = n104 + t130*t86 + t58*n128;
  const T n190 = n103 - t86*t131 - t59*n128;
  const T t142 = t133 + t71*n140 + (t72*n245 - n158*t122);
  const T t143 = n157*t122 + t69*n141 - t134 + t70*n246;
  const T t144 = t132 + t68*n141 - n156*t124 + t66*n246;
  const T t145 = n156*t121 + t68*n140 + (t66*n245 - t135);
  const T n81 = n21 + n78;
  const T n136 = t125*t106;
  const T t146 = n160*t131;
  const T t147 = n159*t130;
  const T t148 = t7 + t128*t94 + n35*n21 + p84*n58;
  const T t149 = p84*n57 - (t8 + t127*t94 + n36*n21);
  const T t150 = n213*(t122 + t138) + n215*(t121 + t137);
  const T t151 = n81*(n87 + n94*p91);
  const T t152 = n238*t141;
  const T t153 = n33*n21 + t136 + t24*n58 + t35*n26;
  const T t154 = n239*t141;
  const T t155 = n159*n128;
  const T t156 = n240*t141;
  const T t157 = n160*n128;
  const T t158 = n214*(t124 - t139) + t150;
  const T n137 = n103 - t98*t131 - t62*n128;
  const T n138 = n104 + t130*t98 + t61*n128;
  const T t159 = p28*n136;
  y[12] = t159;
  const T t160 = p109*(n240*n190 - n239*n191);
  const T t161 = p109*(n240*n189 - n238*n191);
  const T t162 = p109*(n239*n189 - n238*n190);
  const T t163 = p62*n57 - (n6 + p107*t127) + p60*n25;
  const T t164 = n5 + t128*p107 + p62*n58 + p60*n26;
  const T t165 = t26*n57 - t140 + t37*n25 - t151 - t146;
  const T t166 = (n86 + n93*p90)*n81 + t153 + t147;
  const T t167 = p83*n26 + t148 + t42*n81 + n156*t130;
  const T t168 = p83*n25 + t149 - t43*n81 - n156*t131;
  const T t169 = t11*(t125*t112 - t157);
  const T n219 = t152*t158 - t138;
  const T n220 = t139 + t154*t158;
  const T n221 = t156*t158 - t137;
  const T t170 = p77*n219;
  const T t171 = p77*n220;
  const T t172 = p77*n221;
  const T t173 = n215*(t131 + t162);
  const T n293 = t163 - n94*n81 + p28*n137;
  y[13] = n293;
  const T n294 = n93*n81 + t164 + p28*n138;
  y[14] = n294;
  const T n306 = t142 - t170;
  const T n304 = t170 + t143;
  const T n301 = t144 - t171;
  const T n305 = t71*n139 - t107*t109 + t72*n244 + t171;
  const T n302 = t69*n139 - t108*t109 + t70*n244 - t172;
  const T n300 = t172 + t145;
  const T t174 = p31*(n189*n189 + n191*n191 + n190*n190);
  const T t175 = t165 - n158*n128 + t71*n137 - t72*n190;
  const T t176 = n157*n128 + t166 + t69*n138 - t70*n191;
  const T t177 = p28*(n137*n137 + n136*n136 + n138*n138);
  const T t178 = n213*(n128 - t160) - n214*(t130 - t161) - t173;
  y[15] = n304 - n306;
  y[16] = n305 - n301;
  y[17] = n300 - n302;
  const T t179 = t174 - t125*(t10*(t125*t113 - t155) + t169);
  const T n216 = t160 + t152*t178;
  const T n217 = t178*t154 - t161;
  const T n218 = t162 + t178*t156;
  const T t180 = p77*n216;
  const T t181 = p77*n217;
  const T t182 = p77*n218;
  const T n291 = t175 - t180;
  const T n289 = t180 + t176;
  const T n286 = t155 + t167 + t68*n138 - t66*n191 - t181;
  const T n290 = t71*n136 - t72*n189 + t125*t107 + t181;
  const T n287 = t69*n136 - t70*n189 + t125*t108 - t182;
  const T n285 = t168 - t157 + t68*n137 - t66*n190 + t182;
  y[9] = n289 - n291;
  y[10] = n290 - n286;
  y[11] = n285 - n287;
  const T own_rate0 = x[31];
  const T n18 = n21*own_rate0;
  const T t183 = own_rate0*own_rate0;
  const T t184 = n8*own_rate0;
  const T t185 = p100*n18;
  const T t186 = n10*own_rate0;
  const T t187 = n8*t183;
  const T t188 = n10*t183;
  const T t189 = t14*t185;
  const T t190 = t13*t185;
  const T n20 = t189 + t186;
  const T t191 = n18*n18;
  const T n19 = -(t190 + t184);
  const T p115 = p[115];
  const T t192 = t78 + p115;
  const T t193 = t10*t191;
  const T t194 = t11*t191;
  const T t195 = t11*n18;
  const T t196 = t10*n18;
  const T t197 = n17*(n18*t190 + t187);
  const T p123 = p[123];
  const T x10 = x[10];
  const T n120 = t87*(t105*x10 - own_rate0*p123*t119);
  const T t198 = n19*n19 + n20*n20;
  const T t199 = t1*n120;
  const T n106 = t186 + t16*n18;
  const T n105 = -(t184 + t15*n18);
  const T t200 = p19*t199;
  const T t201 = p105*t87;
  const T p20 = p[20];
  const T n129 = n18 + n120*p20;
  const T t202 = t77*(n16*(n18*t189 + t188) + t197 - t198);
  const T n122 = t200*(t10*t80 - t11*t79);
  const T t203 = t11*t200;
  const T t204 = t10*t200;
  const T t205 = t11*t202;
  const T t206 = t10*t202;
  const T n123 = t203*t192 - t80*n129;
  const T x14 = x[14];
  const T n125 = n122 - x14;
  const T t207 = p19*n120;
  const T t208 = p101*t202;
  const T n124 = t79*n129 - t204*t192;
  const T shared_rate0 = x[33];
  const T n224 = n217*own_rate0 + n220*shared_rate0;
  const T n225 = n218*own_rate0 + n221*shared_rate0;
  const T t209 = n129*n124;
  const T x15 = x[15];
  const T n126 = n105 - x15 + n123;
  const T n223 = n216*own_rate0 + n219*shared_rate0;
  const T t210 = n156 - p116;
  const T x16 = x[16];
  const T n127 = n106 - x16 + n124;
  const T n222 = t141*(t178*own_rate0 + t158*shared_rate0);
  const T t211 = n160*t130;
  const T t212 = n159*t131;
  const T t213 = t11*n123 + n18*(t11*t80 + t10*t79);
  const T n195 = -t93*t200;
  const T n79 = n18 + n78*own_rate0;
  const T p121 = p[121];
  const T t214 = n81*p121;
  const T n229 = t200*(t10*n205 - t11*n204);
  const T t215 = n37*n21 + n161*n128;
  const T p124 = p[124];
  const T n108 = t1*(t206*p124 - p13*t194) - t187;
  const T n196 = t86*t203 - t59*n129;
  const T n197 = t58*n129 - t86*t204;
  const T t216 = n4 + t128*(t28 + t89) + t26*n58;
  const T t217 = n79*n79;
  const T t218 = n81*t214;
  const T n107 = -(t188 + t1*(p13*t193 + t205*p124));
  const T t219 = t10*(t132 + t109*t113);
  const T n226 = x14 - n195;
  const T p188 = p[188];
  const T t220 = t127*(t19*p188 - t90) - t17 + t24*n57;
  const T n231 = n204*n129 - n203*t204;
  const T n230 = n203*t203 - n205*n129;
  const T t221 = t11*(t135 + t109*t112) + t219;
  const T t222 = t134 + t122*t210 + t133;
  const T n199 = n106 + n197;
  const T n198 = n105 + n196;
  const T n284 = t212 + t68*n136 - (t211 + t66*n189);
  const T p134 = p[134];
  const T p133 = p[133];
  const T n248 = own_sine0*p133 + own_cosine0*p134;
  const T p117 = p[117];
  const T p120 = p[120];
  const T p122 = p[122];
  const T t223 = p122 + n53*(n48*p117*t21 - p120)*n53;
  const T x13 = x[13];
  const T t224 = n108 - x13 + t79*t208;
  const T n250 = own_cosine0*p133 - own_sine0*p134;
  const T t225 = p31*(n189*n244 + n191*n246 + n190*n245);
  const T t226 = p28*(n137*n140 + n136*n139 + n138*n141);
  const T t227 = p28*(n140*n140 + n141*n141 + n139*n139);
  const T t228 = p31*(n245*n245 + n246*n246 + n244*n244);
  const T x12 = x[12];
  const T t229 = n107 - x12 - t80*t208;
  const T n228 = x16 - n199;
  const T n227 = x15 - n198;
  const T p136 = p[136];
  const T n253 = n248 - p136;
  const T p119 = p[119];
  const T t230 = t223 - n21*p119*n21;
  const T p118 = p[118];
  const T t231 = (n217*n217 + n216*n216 + n218*n218)*p118;
  const T t232 = p118*(n217*n220 + n216*n219 + n218*n221);
  const T t233 = p118*(n220*n220 + n219*n219 + n221*n221);
  const T t234 = t200*(t192*t195 - t10*n122) + t224;
  const T t235 = n239*n230 + n240*n231;
  const T t236 = t35*n25 + t220 - n81*(n90 + t44) - t212;
  const T t237 = p62*(n58*n58 + n57*n57) + t230;
  const T t238 = t37*n26 + t216 + t115*n81 + t211 + t215;
  const T t239 = t200*(t192*t196 + t11*n122) + t229 - t209;
  const T t240 = n204*n227 + n205*n228;
  const T w_z = w[2];
  const T w_x = w[0];
  const T w_y = w[1];
  const T n296 = n284*w_x + n290*w_z + n287*w_y;
  const T n292 = t71*n138 - t72*n191 + t238;
  const T t241 = t228 + t227 - t110*(p106*t222 + t81*t221);
  const T t242 = n203*n226 + n238*n229 + t235 + t240;
  const T n288 = t236 - t215 + (t69*n137 - t70*n190);
  const T t243 = p60*(n26*n26 + n25*n25) + t237 - t218;
  y[22] = t226 - n128*t222 + (t125*t221 - t225) + t232;
  const T t244 = n118*t239 + n119*(n129*n123 + t234);
  y[23] = t233 + t241;
  const T t245 = n125*n125 + n126*n126 + n127*n127 + t244;
  const T p132 = p[132];
  const T t246 = t202*p132;
  const T n29 = t96*t191 - t188 - t31*t208;
  const T t247 = n128*(t147 + t146 - n128*t210) + t243 + t177;
  const T n298 = n286*w_x + n292*w_z + n289*w_y;
  const T n295 = n284 + n292 + n288;
  const T p189 = p[189];
  const T n75 = t1*(t206*p189 - p42*t194) - t187;
  const T n30 = -(t187 + t31*t191 + t96*t208);
  const T x11 = x[11];
  const T t248 = n117*(x11 + t200*(t213 - t10*n124)) - t245;
  const T t249 = (t204 - n224)*(n212*n230 - n227 + n204*t242);
  const T t250 = (t203 - n225)*(n212*n231 - n228 + n205*t242);
  const T n297 = n288*w_y + n291*w_z + n285*w_x;
  const T n74 = -(t188 + t1*(p42*t193 + p189*t205));
  const T t251 = (n129 - n223)*(n212*n229 - n226 + n203*t242);
  const T t252 = t201*t248;
  y[21] = t247 + t179 + t231;
  const T t253 = n77*(n77*t208 + n76*t217 - n74);
  const T t254 = w_y*n297 + w_z*n298;
  const T n130 = t208 + t87*p106*t248;
  const T t255 = p60*(n26*n30 + n25*n29);
  const T t256 = n76*(n76*t208 - n77*t217 + n75) + t253;
  const T n131 = t1*(t10*t252 - t195*t207);
  const T n132 = t1*(t11*t252 + t196*t207);
  const T t257 = n107 + t203*n195 - n129*n197 - t59*n130;
  const T t258 = n108 - t204*n195 + n129*n196 + t58*n130;
  const T n80 = -p74*t256;
  const T n83 = t208 + n80;
  const T t259 = t59*n131 + t200*(t10*n197 - t11*n196);
  const T n201 = t86*n132 + t257;
  const T n202 = t258 - t86*n131;
  const T n200 = t259 - t58*n132;
  const T t260 = n201 - x12;
  const T t261 = n202 - x13;
  const T t262 = n200 - x11;
  const T n232 = n226*n222 - p109*(n239*t261 - n240*t260);
  const T n234 = n222*n228 - p109*(n238*t260 - n239*t262);
  const T n233 = n222*n227 + p109*(n238*t261 - n240*t262);
  const T t263 = n214*(n131 - n233) + n215*(n132 - n234);
  const T t264 = n213*(n130 - n232) - (t250 + t249 + t251) + t263;
  const T n235 = n232 + t152*t264;
  const T n236 = n233 + t154*t264;
  const T n237 = n234 + t156*t264;
  const T p130 = p[130];
  const T t265 = (n217*n236 + n216*n235 + n218*n237)*p130;
  const T n247 = p7 + n250;
  const T p135 = p[135];
  const T n252 = n247 - p135;
  const T p184 = p[184];
  const T n258 = n248 - p184;
  const T p183 = p[183];
  const T n257 = n247 - p183;
  const T n51 = n53*own_rate0;
  const T n249 = -n248;
  const T t266 = t84*t84/n48;
  const T t267 = n43*t183;
  const T t268 = n41*t183;
  const T t269 = n51*n51;
  const T t270 = own_rate0*n51;
  const T n259 = n249*n257 + n250*n258;
  const T t271 = t183*(n41*(n41 + n47) + n43*t82 - t266);
  const T p137 = p[137];
  const T t272 = sqrt(p137 + n253*n253 + n252*n252);
  const T n254 = n252*n249 + n250*n253;
  const T n265 = w_y + t204;
  const T n266 = w_z + t203;
  const T n264 = w_x + n129;
  const T n142 = -t106*t200;
  const T p158 = p[158];
  const T t273 = t272 + p158;
  const T p156 = p[156];
  const T t274 = t272 + p156;
  const T p154 = p[154];
  const T t275 = t272 + p154;
  const T p152 = p[152];
  const T t276 = t272 + p152;
  const T p150 = p[150];
  const T t277 = t272 + p150;
  const T p148 = p[148];
  const T t278 = t272 + p148;
  const T p144 = p[144];
  const T t279 = t272 + p144;
  const T p142 = p[142];
  const T t280 = t272 + p142;
  const T p140 = p[140];
  const T t281 = t272 + p140;
  const T p146 = p[146];
  const T t282 = t272 + p146;
  const T p172 = p[172];
  const T t283 = t272 + p172;
  const T p176 = p[176];
  const T t284 = t272 + p176;
  const T p174 = p[174];
  const T t285 = t272 + p174;
  const T p170 = p[170];
  const T t286 = t272 + p170;
  const T p168 = p[168];
  const T t287 = t272 + p168;
  const T p166 = p[166];
  const T t288 = t272 + p166;
  const T p164 = p[164];
  const T t289 = t272 + p164;
  const T p162 = p[162];
  const T t290 = t272 + p162;
  const T p160 = p[160];
  const T t291 = t272 + p160;
  const T p178 = p[178];
  const T t292 = t272 + p178;
  const T n143 = t98*t203 - t62*n129;
  const T n144 = t61*n129 - t98*t204;
  const T t293 = n161*n131;
  const T t294 = t102*n131;
  const T t295 = t269 - t83*t271*t18;
  const T t296 = p31*(n189*n245 - n190*n244);
  const T t297 = p31*(n190*n246 - n191*n245);
  const T t298 = n160*t203 + n156*n129 + n159*t204;
  const T t299 = p31*(n189*n246 - n191*n244);
  const T p126 = p[126];
  const T p128 = p[128];
  const T p125 = p[125];
  const T n263 = t13*p128 + t52*p126 + t55*p125;
  y[34] = n263;
  const T n262 = t14*p128 + t51*p125 - t54*p126;
  y[33] = n262;
  const T p127 = p[127];
  const T n261 = p127 + t53*p125 - t56*p126;
  y[32] = n261;
  const T n243 = -t261;
  const T n242 = -t260;
  const T t300 = n160*n129 + t200*(t104 + t11*n158);
  const T t301 = n159*n129 + t200*(t103 + t10*n157);
  const T n241 = -t262;
  const T p159 = p[159];
  const T t302 = p159*select(T(0.0) < t273, t273, T(0.0));
  const T p155 = p[155];
  const T t303 = p155*select(T(0.0) < t275, t275, T(0.0));
  const T p151 = p[151];
  const T t304 = p151*select(T(0.0) < t277, t277, T(0.0));
  const T p145 = p[145];
  const T t305 = p145*select(T(0.0) < t279, t279, T(0.0));
  const T p141 = p[141];
  const T t306 = p141*select(T(0.0) < t281, t281, T(0.0));
  const T p177 = p[177];
  const T t307 = p177*select(T(0.0) < t284, t284, T(0.0));
  const T p171 = p[171];
  const T t308 = p171*select(T(0.0) < t286, t286, T(0.0));
  const T p167 = p[167];
  const T t309 = p167*select(T(0.0) < t288, t288, T(0.0));
  const T p163 = p[163];
  const T t310 = p163*select(T(0.0) < t290, t290, T(0.0));
  const T p179 = p[179];
  const T t311 = p179*select(T(0.0) < t292, t292, T(0.0));
  const T p190 = p[190];
  const T t312 = t105*(t119*p190/n116 + n128*t201);
  const T t313 = n161*t122;
  const T p185 = p[185];
  const T t314 = n259/sqrt(p185 + n258*n258 + n257*n257);
  const T p157 = p[157];
  const T t315 = p157*select(T(0.0) < t274, t274, T(0.0)) + t302;
  const T p149 = p[149];
  const T t316 = p149*select(T(0.0) < t278, t278, T(0.0)) + t304;
  const T p173 = p[173];
  const T p180 = p[180];
  const T p181 = p[181];
  const T t317 = p173*select(T(0.0) < t283, t283, T(0.0)) - p181*(p180 - t272);
  const T t318 = n160*t124;
  const T p175 = p[175];
  const T t319 = p175*select(T(0.0) < t285, t285, T(0.0)) + t307;
  const T p165 = p[165];
  const T t320 = p165*select(T(0.0) < t289, t289, T(0.0)) + t309;
  const T t321 = t13*t312;
  const T t322 = t14*t312;
  const T t323 = n47*(t267 - t99*T(2.0)*t270 + n44*t295);
  const T t324 = n44*(t268 + t100*T(2.0)*t270 + n47*t295);
  const T t325 = n266*n262 - n263*n265;
  const T t326 = n108 - t204*n142 + n129*n143 + t61*n130;
  const T t327 = n107 + t203*n142 - n129*n144 - t62*n130;
  const T t328 = n261*n265 - n264*n262;
  const T t329 = n261*n266 - n264*n263;
  const T p153 = p[153];
  const T t330 = p153*select(T(0.0) < t276, t276, T(0.0)) + t303 + t315;
  const T p147 = p[147];
  const T t331 = p147*select(T(0.0) < t282, t282, T(0.0)) - t306 + t317;
  const T spin0 = x[34];
  const T t332 = spin0 + n261*n264 + (n265*n262 + n266*n263);
  const T p169 = p[169];
  const T t333 = p169*select(T(0.0) < t287, t287, T(0.0)) + t308 + t319;
  const T t334 = t62*n131 + t200*(t10*n144 - t11*n143);
  const T t335 = own_rate0*t314;
  const T n149 = t326 - t98*n131;
  const T n148 = t98*n132 + t327;
  const T p143 = p[143];
  const T t336 = p143*select(T(0.0) < t280, t280, T(0.0)) + t305 + t316 + t330;
  const T p131 = p[131];
  const T t337 = t332*p131;
  const T t338 = p31*(n190*n242 + n191*n243 + n189*n241);
  const T p161 = p[161];
  const T t339 = p161*select(T(0.0) < t291, t291, T(0.0)) + t310 + t320 + t333;
  const T t340 = t200*(t11*t301 - t10*t300) - t210*n130;
  const T n147 = t334 - t61*n132;
  const T t341 = t204*t298 - n129*t301 - n160*n130 - t293;
  const T t342 = n129*t300 - t203*t298 - n159*n130 - t294;
  const T t343 = n158*t322 - n161*t321;
  const T t344 = n160*t322 - n159*t321;
  const T n52 = t21*(t324 - t323);
  const T t345 = p130*(n220*n236 + n219*n235 + n221*n237);
  const T n307 = t313 + t71*n141 - t318 + t72*n246;
  const T t346 = n157*t321 - n161*t322;
  const T p138 = p[138];
  const T p139 = p[139];
  const T p182 = p[182];
  const T t347 = p182 - p139*(p138 - t272) - t311 + t331 - t336;
  const T n164 = t341 - t101*n132;
  const T n163 = t342 - n161*n132;
  const T t348 = p28*(n136*n140 - n137*n139) - t296 + t343;
  const T t349 = p28*(n137*n141 - n138*n140) - t297 + t344;
  const T t350 = p28*(n136*n141 - n138*n139) - t299 + t346;
  const T n255 = t347 - t339;
  const T p186 = p[186];
  const T t351 = (T(1.0) + t335)*p186;
  const T n162 = t340 - n159*n131 - n160*n132;
  const T t352 = t337*t325 - n162;
  const T t353 = w_z*(p77*(n216*n220 - n217*n219) + t348);
  const T t354 = w_x*(p77*(n217*n221 - n218*n220) + t349);
  const T p187 = p[187];
  const T n260 = p186 + p187*select(T(0.0) < t335, t335, T(0.0)) - t351;
  const T t355 = t18*(n44*t269 + n47*n52);
  const T t356 = p28*(n137*n148 + n138*n149 + n136*n147);
  const T t357 = t18*(n44*n52 - n47*t269);
  const T t358 = p120*n52;
  const T t359 = w_y*(p77*(n216*n221 - n218*n219) + t350);
  const T t360 = p105*(t10*n163 + t11*n164);
  const T n185 = p52*t357;
  const T t361 = p28*(n140*n148 + n141*n149 + n139*n147);
  const T n184 = -p52*t355;
  const T p129 = p[129];
  const T t362 = (t10*t329 - t11*t328)*(p129*t332) + t360;
  const T t363 = t354 + t353 - t359;
  const T n62 = p61*t357 - t268;
  const T n61 = -(t267 + p61*t355);
  const T t364 = t1*t362;
  const T t365 = own_rate0*T(2.0)*t363;
  const T t366 = n21*t246 - (n254*n255/t272 + t314*n260);
  const T t367 = t358 + (n47*n184 - n44*n185)*(t18*p107);
  const T t368 = t366 - p62*(n58*n62 + n57*n61);
  const T t369 = n53*t367 + t368 - t255 + t214*n83;
  const T x17 = x[17];
  const T t370 = n295*x17 + t369 - w_x*n296 - t254;
  const T x18 = x[18];
  const T t371 = x18*t363 + t370 + n128*t352 - t356 + t338;
  y[24] = t126*t364 + t371 + t265;
  const T t372 = n159*t121;
  const T n66 = -p79*t357;
  const T n67 = -p79*t355;
  const T n38 = n36*t191 - n35*t208;
  const T n39 = -(n36*t208 + n35*t191);
  const T n303 = t372 + t69*n140 + (t70*n245 - t313);
  const T n96 = n93*n83 - n94*t217;
  const T t373 = t329*t337;
  const T n91 = n89*t217 - n88*n83;
  const T x29 = x[29];
  const T t374 = t199*x29;
  const T n95 = -(n93*t217 + n94*n83);
  const T n92 = -(n88*t217 + n89*n83);
  const T n299 = t318 - t372 + t68*n139 + t66*n244;
  const T t375 = n39 + p83*n29;
  const T t376 = p60*n29;
  const T t377 = p60*n30;
  const T n311 = n301*w_x + w_z*n307 + n304*w_y;
  const T t378 = t246 + t358 + p53*(n183*n184 - n182*n185);
  const T t379 = p81*n185 - n66 + p84*n62 - n38;
  const T x20 = x[20];
  const T n312 = t159*own_rate0 + n139*x20;
  const T p193 = p[193];
  const T p192 = p[192];
  const T t380 = t53*p192 - t56*p193;
  const T t381 = p62*(n56*n61 - n55*n62) + t378;
  const T n314 = n141*x20 + n294*own_rate0;
  const T n313 = n140*x20 + n293*own_rate0;
  const T t382 = p28*n148;
  const T t383 = p28*n149;
  const T t384 = t10*n262 + t11*n263;
  y[48] = -t130;
  y[49] = -t131;
  const T p195 = p[195];
  const T t385 = t51*p192 + t14*p195 - t54*p193;
  const T t386 = t55*p192 + t13*p195 + t52*p193;
  const T n308 = n299 + n307 + n303;
  const T t387 = n67 + p81*n184 + p84*n61 + t375 + n92;
  const T p196 = p[196];
  const T t388 = t380 + p196;
  const T n310 = w_y*n303 + n306*w_z + n300*w_x;
  const T t389 = p60*(n24*n29 - n23*n30) + t381;
  const T t390 = n5*t183 - p53*n184 - p62*n61 - t376;
  const T t391 = n6*t183 - p53*n185 - p62*n62 - t377;
  const T t392 = p31*(n245*n242 + n246*n243 + n244*n241);
  const T t393 = t352 + p28*(n135*n148 - n134*n149);
  const T n309 = w_x*n299 + n305*w_z + n302*w_y;
  const T t394 = own_rate0*(t12*own_rate0 - T(2.0)*(n295*w_x - n296));
  const T t395 = own_rate0*((n295*w_y - n297)*T(-2.0) - t8*own_rate0);
  const T t396 = own_rate0*(t7*own_rate0 - T(2.0)*(n295*w_z - n298));
  const T p194 = p[194];
  const T n267 = p194 + t380;
  y[38] = n267;
  const T p191 = p[191];
  const T t397 = t110*(t325*p191*t332 - p106*n162 - t364);
  y[35] = n128*n261 - t125*t384;
  const T x28 = x[28];
  const T x27 = x[27];
  const T t398 = n261*(n130 + t199*(t11*x27 - t10*x28));
  const T n268 = n101 + t385;
  y[39] = n268;
  const T n269 = n102 + t386;
  y[40] = n269;
  const T t399 = t11*t385 - t10*t386;
  const T t400 = t328*t337 - (p80*n95 + t387);
  const T t401 = w_y*n310 + w_z*n311;
  const T x22 = x[22];
  const T x21 = x[21];
  y[29] = n313*x21 + n314*x22 - p28*n147;
  y[36] = t110*(p106*n261 + t81*t384);
  const T t402 = p83*n30 + t379 - n91 + p80*n96 - t373;
  const T t403 = n262*(t11*t374 - w_z*n129 - n131) - t398;
  const T n270 = t125*t399;
  y[41] = n270;
  const T n271 = n103 - t131*t388 - n128*t386;
  y[42] = n271;
  const T n272 = n104 + t130*t388 + n128*t385;
  y[43] = n272;
  const T n274 = t110*(t88*t388 - p106*t386);
  y[45] = n274;
  const T n275 = t110*(p106*t385 - t91*t388);
  y[46] = n275;
  const T t404 = p121*n83 + t389 - p90*n96 + p91*n95;
  const T n273 = -t109*t399;
  y[44] = n273;
  y[37] = t403 - n263*(t10*t374 - w_y*n129 + n132);
  const T x23 = x[23];
  const T x24 = x[24];
  y[30] = t390 - n95 + n312*x23 + n314*x24 - t382;
  const T x25 = x[25];
  const T x26 = x[26];
  y[31] = t391 - n96 + n312*x25 + n313*x26 - t383;
  const T t405 = x17*n308 - w_x*n309 - t401 - t365 - t361;
  const T x19 = x[19];
  const T t406 = x19*(w_y*n308 - n310) + t402 - n163 + t395;
  const T t407 = x19*(w_z*n308 - n311) + t400 - n164 + t396;
  const T t408 = x19*(w_x*n308 - n309) + t404 + t394 + t393;
  const T t409 = p28*(n133*n149 - n135*n147) + t406;
  const T t410 = p28*(n134*n147 - n133*n148) + t407;
  const T t411 = p31*(n240*n242 - n239*n243) + t408;
  const T t412 = p31*(n238*n243 - n240*n241) + t409;
  const T t413 = p31*(n239*n241 - n238*n242) + t410;
  y[26] = n235*p130 + t411;
  y[25] = t405 - t392 + t397 + t345;
  y[27] = n236*p130 + t412;
  y[28] = n237*p130 + t413;
  return status;
}

}  // namespace generated

// hmmwv_kernel1: written by camber's codegen, not by hand.
// From what a sub-mechanism brings to the equations: rear_left_lower_arm and 1 like it
// 1604 operations: 694 additions + 47 functions + 853 multiplications + 10 divisions.
//
// Inputs
//   p(186): p0 p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11 p12 p13 p14 p15 p16 p17 p18 p19 p20 p21 p22 p23 p24 p25 p26 p27 p28 p29 p30 p31 p32 p33 p34 p35 p36 p37 p38 p39 p40 p41 p42 p43 p44 p45 p46 p47 p48 p49 p50 p51 p52 p53 p54 p55 p56 p57 p58 p59 p60 p61 p62 p63 p64 p65 p66 p67 p68 p69 p70 p71 p72 p73 p74 p75 p76 p77 p78 p79 p80 p81 p82 p83 p84 p85 p86 p87 p88 p89 p90 p91 p92 p93 p94 p95 p96 p97 p98 p99 p100 p101 p102 p103 p104 p105 p106 p107 p108 p109 p110 p111 p112 p113 p114 p115 p116 p117 p118 p119 p120 p121 p122 p123 p124 p125 p126 p127 p128 p129 p130 p131 p132 p133 p134 p135 p136 p137 p138 p139 p140 p141 p142 p143 p144 p145 p146 p147 p148 p149 p150 p151 p152 p153 p154 p155 p156 p157 p158 p159 p160 p161 p162 p163 p164 p165 p166 p167 p168 p169 p170 p171 p172 p173 p174 p175 p176 p177 p178 p179 p180 p181 p182 p183 p184 p185
//   x(14): x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 own_cosine0 own_rate0 own_sine0 spin0
//   w(3): w_x w_y w_z
// Outputs
//   y(37)
// Status: 0 ok; 1: loop0 is not > 0; 2: loop1 is not > 0; 3: loop2 is not > 0. Outputs must not overlap inputs.

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace generated {

namespace hmmwv_kernel1_parts {

inline bool all(bool condition) { return condition; }

inline double select(bool condition, double a, double b) { return condition ? a : b; }

}  // namespace hmmwv_kernel1_parts

template <class T>
int hmmwv_kernel1(const T* p, const T* x, const T* w, T* y) {
  using namespace hmmwv_kernel1_parts;
  int status = 0;
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp;
  using std::log, std::max, std::min, std::pow, std::sin, std::sinh, std::sqrt, std::tan;
  using std::tanh;
  const T p1 = p[1];
  const T own_sine0 = x[12];
  const T own_cosine0 = x[10];
  const T p0 = p[0];
  const T n10 = own_cosine0*p0 - p1*own_sine0;
  const T n8 = own_sine0*p0 + p1*own_cosine0;
  const T p2 = p[2];
  const T n7 = p2 + n10;
  const T p4 = p[4];
  const T n12 = p4 - n8;
  const T p3 = p[3];
  const T n11 = p3 - n7;
  const T n13 = n11*n11 + n12*n12;
  const T p6 = p[6];
  const T p5 = p[5];
  const T n96 = own_cosine0*p5 - own_sine0*p6;
  const T n94 = own_sine0*p5 + own_cosine0*p6;
  const T n93 = p2 + n96;
  const T p7 = p[7];
  const T n99 = p7 - n94;
  const T p8 = p[8];
  const T p9 = p[9];
  const T n14 = p9 + n13*p8;
  const T p12 = p[12];
  const T n98 = p12 - n93;
  const T p43 = p[43];
  const T p42 = p[42];
  const T n39 = own_cosine0*p42 - own_sine0*p43;
  const T n37 = own_sine0*p42 + own_cosine0*p43;
  const T n15 = n13 - n14*n14;
  if (status == 0 && !all(n15 > T(0.0))) status = 1;
  const T n36 = p2 + n39;
  const T p45 = p[45];
  const T n43 = p45 - n37;
  const T p44 = p[44];
  const T n40 = p44 - n36;
  const T t1 = n43*n43;
  const T t2 = T(1.0)/n13;
  const T t3 = n40*n40;
  const T t4 = sqrt(n15);
  const T t5 = own_sine0*own_cosine0;
  const T n44 = t3 + t1;
  if (status == 0 && !all(n44 > T(0.0))) status = 2;
  const T n0 = own_cosine0*own_cosine0 - own_sine0*own_sine0;
  const T p51 = p[51];
  const T p50 = p[50];
  const T n5 = own_cosine0*p50 - own_sine0*p51;
  const T n6 = own_cosine0*p51 + own_sine0*p50;
  const T p10 = p[10];
  const T t6 = t4*p10;
  const T p60 = p[60];
  const T p61 = p[61];
  const T n1 = n0*p60 + t5*p61;
  const T t7 = sqrt(n44);
  const T p77 = p[77];
  const T t8 = n5*p77;
  const T t9 = p77*n6;
  const T p89 = p[89];
  const T p88 = p[88];
  const T n4 = n0*p89 + t5*p88;
  const T p62 = p[62];
  const T n2 = n1 + p62;
  const T n3 = p62 - n1;
  const T t10 = n11*t6 + n12*n14;
  const T t11 = n11*n14 - n12*t6;
  const T p85 = p[85];
  const T t12 = n4 + n6*p85;
  const T p46 = p[46];
  const T n45 = t7 + p46;
  const T n9 = -n8;
  const T t13 = (t11*n99 - n98*t10)*t2;
  const T t14 = T(1.0)/n45;
  const T t15 = t2*(t11*n98 + n99*t10);
  const T p14 = p[14];
  const T p15 = p[15];
  const T n101 = p15 + t13*p14;
  const T p11 = p[11];
  const T p13 = p[13];
  const T n100 = p13 + t13*p11;
  const T t16 = n40*t14;
  const T t17 = n43*t14;
  const T t18 = t14*t14;
  const T t19 = t10*t2;
  const T t20 = t11*t2;
  const T n102 = n100*n100 + n101*n101;
  const T n59 = t18*(t3 - t1);
  const T p82 = p[82];
  const T t21 = t17*p82;
  const T p56 = p[56];
  const T n51 = n36 + t16*p56;
  const T p47 = p[47];
  const T n161 = p44 + t16*p47;
  const T n52 = n37 + p56*t17;
  const T n162 = p45 + p47*t17;
  const T p66 = p[66];
  const T t22 = n59*p66;
  const T p57 = p[57];
  const T t23 = n51*p57;
  const T p48 = p[48];
  const T t24 = n161*p48;
  const T t25 = p57*n52;
  const T t26 = p48*n162;
  const T p37 = p[37];
  const T n65 = n8 + t19*p37;
  const T n64 = n7 + t20*p37;
  const T p67 = p[67];
  const T n60 = p67 + t22;
  const T n61 = p67 - t22;
  const T p54 = p[54];
  const T p53 = p[53];
  const T t27 = t2*(t11*p53 - t10*p54);
  const T t28 = t2*(t11*p54 + t10*p53);
  const T n73 = p4 - n65;
  const T n72 = p3 - n64;
  const T p16 = p[16];
  const T p17 = p[17];
  const T p18 = p[18];
  const T n103 = p18 - p17*t15 + (n102 + t15*t15)*p16;
  const T t29 = t19*t20;
  const T n23 = n7 + t27;
  const T n24 = n8 + t28;
  const T t30 = n161*t24 + n51*t23;
  const T n31 = (t11*t11 - t10*t10)*(t2*t2);
  const T p55 = p[55];
  const T t31 = n23*p55;
  const T t32 = n72*n73;
  const T t33 = p55*n24;
  const T p93 = p[93];
  const T t34 = t19*p93;
  const T p52 = p[52];
  const T p72 = p[72];
  const T t35 = p72 + n5*p52 + n2 + n60 + t30;
  const T t36 = p72 + n3 + n61 + (n162*t26 + n52*t25);
  const T p74 = p[74];
  const T p79 = p[79];
  const T p76 = p[76];
  const T t37 = t8 + t16*p74 + n51*p79 + n161*p76;
  const T t38 = t17*p74 + t9 + n52*p79 + n162*p76;
  const T t39 = t20*p93;
  const T n104 = n102 - n103*n103;
  if (status == 0 && !all(n104 > T(0.0))) status = 3;
  const T t40 = t12 + t16*t21 + t23*n52 + t24*n162;
  const T p39 = p[39];
  const T p38 = p[38];
  const T n89 = n72*p38 - n73*p39;
  const T n90 = n72*p39 + n73*p38;
  const T n17 = t34 - n12;
  const T p63 = p[63];
  const T p64 = p[64];
  const T n32 = n31*p63 - t29*p64;
  const T p69 = p[69];
  const T n80 = (n72*n72 - n73*n73)*p69;
  const T p87 = p[87];
  const T p86 = p[86];
  const T n35 = n31*p87 - t29*p86;
  const T t41 = T(1.0)/n102;
  const T p81 = p[81];
  const T p80 = p[80];
  const T n84 = n72*p80 - n73*p81;
  const T n85 = n72*p81 + n73*p80;
  const T p65 = p[65];
  const T n33 = n32 + p65;
  const T n34 = p65 - n32;
  const T p83 = p[83];
  const T t42 = n90*p83;
  const T t43 = sqrt(n104);
  const T p70 = p[70];
  const T p68 = p[68];
  const T n81 = t32*p68 + n80*p70;
  const T p75 = p[75];
  const T t44 = n84 + n89*p75;
  const T t45 = n85 + n90*p75;
  const T p91 = p[91];
  const T p90 = p[90];
  const T n86 = t32*p90 + n80*p91;
  const T p71 = p[71];
  const T n82 = n81 + p71;
  const T n83 = p71 - n81;
  const T p84 = p[84];
  const T t46 = n86 + n89*p84;
  const T p19 = p[19];
  const T t47 = t43*p19;
  const T p40 = p[40];
  const T t48 = n23*t31 + t35 + n89*p40 + n82;
  const T p73 = p[73];
  const T t49 = n24*t33 + t36 + n90*p73 + n83;
  const T t50 = n100*n103 - n101*t47;
  const T t51 = n100*t47 + n101*n103;
  const T t52 = t41*(p14*t50 - p11*t51);
  const T t53 = t41*(p14*t51 + p11*t50);
  const T p21 = p[21];
  const T p20 = p[20];
  const T t54 = (p20*t51 - t50*p21)*t41;
  const T t55 = t41*(p20*t50 + t51*p21);
  const T t56 = t19*t53;
  const T t57 = t52*t20;
  const T t58 = t53*t20;
  const T t59 = t52*t19;
  const T p26 = p[26];
  const T t60 = t55*p26;
  const T p30 = p[30];
  const T p29 = p[29];
  const T n129 = t55*p29 - t54*p30;
  const T p33 = p[33];
  const T p32 = p[32];
  const T n132 = t55*p32 - t54*p33;
  const T p23 = p[23];
  const T p22 = p[22];
  const T t61 = p22*t55 - p23*t54;
  const T p24 = p[24];
  const T n165 = p24 + t60;
  const T p49 = p[49];
  const T t62 = t20*p49 - p26*t56;
  const T t63 = p26*t58 + t19*p49;
  const T p31 = p[31];
  const T t64 = n129*p31;
  const T p34 = p[34];
  const T t65 = n132*p34;
  const T n115 = p24 + t61;
  const T p27 = p[27];
  const T n204 = p27 - n165;
  const T p58 = p[58];
  const T n130 = t20*p58 - p29*t56 - p30*t59;
  const T p59 = p[59];
  const T n133 = t20*p59 - p32*t56 - p33*t59;
  const T n166 = n93 + t62;
  const T n131 = t19*p58 + p30*t57 + p29*t58;
  const T n167 = n94 + t63;
  const T p41 = p[41];
  const T t66 = t20*p41 - p22*t56 - p23*t59;
  const T n134 = t19*p59 + p33*t57 + p32*t58;
  const T t67 = p22*t58 + t19*p41 + p23*t57;
  const T p25 = p[25];
  const T t68 = n115*p25;
  const T p28 = p[28];
  const T t69 = n204*p28;
  const T t70 = p31*n130;
  const T t71 = p34*n133;
  const T n205 = p12 - n166;
  const T n206 = p7 - n167;
  const T n116 = n93 + t66;
  const T n117 = n94 + t67;
  const T p95 = p[95];
  const T p96 = p[96];
  const T t72 = t20*p96 - t56*p95;
  const T t73 = p28*n205;
  const T t74 = p28*n206;
  const T t75 = p25*n116;
  const T t76 = p25*n117;
  const T p35 = p[35];
  const T n135 = p35 + n129*t64 + n132*t65;
  const T n138 = t64*n130 + t65*n133;
  const T n139 = t64*n131 + t65*n134;
  const T p92 = p[92];
  y[6] = t68 + p92;
  const T n140 = t70*n131 + t71*n134;
  const T t77 = n138 + t68*n116;
  const T t78 = n139 + t68*n117;
  const T n136 = p35 + n130*t70 + n133*t71;
  const T n137 = p35 + p31*n131*n131 + p34*n134*n134;
  const T t79 = n35 + n140;
  y[7] = n5 + t23 + t24 + t31 + n89 + t75;
  y[8] = t25 + n6 + t26 + t33 + n90 + t76;
  const T t80 = t31*n24 + t40 + t42 + t46 + t73*n206;
  const T p36 = p[36];
  y[0] = p36 + n204*t69 + (n135 + n115*t68);
  const T p78 = p[78];
  y[3] = n23*p78 + t37 + t44 + t69*n205 + t77;
  y[4] = n24*p78 + t38 + t45 + t69*n206 + t78;
  const T t81 = n33 + n136;
  const T t82 = n34 + n137;
  y[1] = n205*t73 + t48 + n116*t75 + t81;
  y[2] = n206*t74 + t49 + n117*t76 + t82;
  y[5] = t79 + t75*n117 + t80;
  const T n16 = t39 - n11;
  const T t83 = T(1.0)/t4;
  const T n95 = -n94;
  const T own_rate0 = x[11];
  const T t84 = own_rate0*own_rate0;
  const T n38 = -n37;
  const T t85 = t58*p95 + t19*p96;
  const T n106 = t72 - n98;
  const T p94 = p[94];
  const T t86 = t83*p94;
  const T t87 = n8*t84;
  const T t88 = n10*t84;
  const T n107 = t85 - n99;
  const T p99 = p[99];
  const T t89 = t55*p99;
  const T t90 = n39 + n40;
  const T p102 = p[102];
  const T p101 = p[101];
  const T n179 = t55*p101 - t54*p102;
  const T t91 = (n16*(t34 - n9) - n17*(n10 + t39))*t86;
  const T t92 = t2/t43;
  const T t93 = T(1.0)/t7;
  const T t94 = n40*n38 + n39*n43;
  const T p113 = p[113];
  const T t95 = t55*p113;
  const T p103 = p[103];
  const T n181 = t19*p103 + t57*p102 + t58*p101;
  const T t96 = n94*own_rate0;
  const T n180 = t20*p103 - t56*p101 - t59*p102;
  const T n21 = T(1.0) + t91;
  y[34] = n21;
  const T t97 = t11*t63 - t10*t62;
  const T t98 = n96*own_rate0;
  const T p98 = p[98];
  const T t99 = n162*p98;
  const T t100 = n161*p98;
  const T t101 = n94*t84;
  const T t102 = n96*t84;
  const T t103 = t93*t94;
  const T t104 = -t27;
  const T n18 = n21*own_rate0;
  const T p104 = p[104];
  const T t105 = p74 + p104;
  const T p112 = p[112];
  const T n105 = t55*p95 - p112;
  const T t106 = t17*t103;
  const T t107 = t16*t103;
  const T t108 = p93*n18;
  const T p105 = p[105];
  const T t109 = n137 - p105;
  const T t110 = n136 - p105;
  const T t111 = n135 - p105;
  const T t112 = t11*t67 - t10*t66;
  const T n188 = n204*n179 + n206*n181 + n205*n180;
  const T t113 = t20*t108;
  const T t114 = t19*t108;
  const T t115 = t11*n138 + t10*n139;
  const T t116 = n107*(n96 + t72*n21);
  const T t117 = p37*n21;
  const T n20 = t113 + n10*own_rate0;
  const T n191 = n206 - n181*n188;
  const T n189 = n204 - n179*n188;
  const T t118 = n106*(t85*n21 - n95) - t116;
  const T t119 = t85*n18;
  const T t120 = t72*n18;
  const T n19 = -(t114 + n8*own_rate0);
  const T n190 = n205 - n180*n188;
  const T t121 = n43*(n38 - n43 - t107) - n40*(t90 - t106);
  const T p97 = p[97];
  const T t122 = t92*p97;
  const T t123 = t92*t118;
  const T n46 = t18*t121;
  const T t124 = n17*(n18*t114 + t87);
  const T n66 = n9 - t19*t117;
  const T n67 = n10 + t20*t117;
  const T t125 = n138*n21;
  const T t126 = n139*n21;
  const T t127 = t123*own_rate0;
  const T t128 = n19*n19 + n20*n20;
  const T t129 = t123*t89;
  const T t130 = t123*p97;
  const T n49 = T(1.0) + n46;
  const T n25 = n9 - t28*n21;
  const T n26 = n10 - n21*t104;
  const T t131 = t10*t127;
  const T t132 = t11*t127;
  const T t133 = t17*n49;
  const T t134 = t16*n49;
  const T t135 = t130*own_rate0;
  const T t136 = n73*(n73*n21 - n66);
  const T n168 = t130*t97;
  const T t137 = t95*t131;
  const T t138 = t95*t132;
  const T t139 = t79*n21;
  const T n169 = n95 - t63*n21 + t10*t129;
  const T n170 = n96 + t62*n21 - t11*t129;
  const T n108 = t135*(t11*t85 - t10*t72);
  const T t140 = t11*t135;
  const T t141 = t83*(n16*(n18*t113 + t88) + t124 - t128);
  const T t142 = t10*t135;
  const T t143 = own_rate0*n18*t118;
  const T t144 = t10*t130;
  y[36] = t144;
  const T t145 = t11*t130;
  y[35] = t145;
  const T t146 = n2 + n5*p85 + n49*(n60 + t16*t100);
  const T n109 = t137 - t119;
  const T n110 = t120 - t138;
  const T n53 = n38 - p56*t133;
  const T n54 = n39 + p56*t134;
  const T t147 = p94*t141;
  const T t148 = t135*n105;
  const T t149 = T(1.0)/(n204*n189 + n206*n191 + n205*n190);
  const T n111 = n109 - t96;
  const T n74 = -p69*(n72*(n67 + n72*n21) + t136);
  const T n118 = t130*t112;
  const T p106 = p[106];
  const T p109 = p[109];
  const T p111 = p[111];
  const T t150 = p111 + n49*(n44*p106*t18 - p109)*n49;
  const T n112 = n110 + t98;
  const T t151 = n140*t144;
  const T t152 = n140*t145;
  const T n121 = t112*t135;
  const T n77 = n21 + n74;
  const T p100 = p[100];
  const T t153 = p100*(n205*n168 - n204*n169);
  const T t154 = p100*(n206*n169 - n205*n170);
  const T t155 = t25*n53 - (n3 + n49*(n61 + t17*t99));
  const T t156 = p100*(n206*n168 - n204*n170);
  const T n119 = n95 - t67*n21 + t61*t144;
  const T n120 = n96 + t66*n21 - t61*t145;
  const T n122 = t61*t142 - t67*n18;
  const T n123 = t66*n18 - t61*t140;
  const T t157 = t23*n54 + t146 + t31*n26;
  const T t158 = t8 + t134*t105 + p79*n54 + p78*n26;
  const T t159 = p79*n53 - (t9 + t133*t105) + p78*n25;
  const T p110 = p[110];
  const T t160 = n77*p110;
  const T t161 = t72*t147 - t101 - t140*n108;
  const T t162 = t142*n108 - (t85*t147 + t102);
  const T t163 = t69*n170;
  const T t164 = t69*n169;
  const T p108 = p[108];
  const T t165 = n21*(n21*t111 + n21*p108 + t130*t115);
  const T t166 = n4 + t134*(t21 + t99) + t25*n54;
  const T t167 = n108*n108 + n111*n111 + n112*n112;
  const T t168 = (t11*(t120 - n110) + t10*(t119 + n109))*t148;
  const T t169 = n139*t145;
  const T t170 = t33*n25 + t155 - n77*(n83 + n90*p84);
  y[12] = p25*n118;
  const T t171 = n77*t160;
  const T t172 = p57*(n54*n54 + n53*n53) + t150;
  const T t173 = t10*(t126 + t152 + t144*t109);
  const T t174 = n137*t145 + t76*n118 - (t151 + t74*n168);
  const T t175 = t152 + t75*n118 - (n136*t144 + t73*n168);
  const T t176 = p57*n53 - (n6 + p98*t133) + p55*n25;
  const T t177 = n5 + t134*p98 + p57*n54 + p55*n26;
  const T t178 = n189*(n21 - t154) + n191*(t144 - t153);
  const T t179 = (n82 + n89*p83)*n77 + t157 + t81*n21;
  const T t180 = p28*(n168*n168 + n170*n170 + n169*n169);
  const T t181 = p55*(n26*n26 + n25*n25) + t172 - t171;
  const T t182 = n107*(n18*(t137 + n109) + t161) + t167;
  const T t183 = t130*(t11*(t125 + t151 + t145*t110) + t173);
  const T t184 = p25*(n119*n119 + n118*n118 + n120*n120);
  const T t185 = t66*t147 - t101 - t140*n121 + n18*n122;
  const T t186 = t142*n121 - (t102 + t67*t147) - n18*n123;
  const T n254 = t176 - n90*n77 + p25*n119;
  y[13] = n254;
  const T n255 = n89*n77 + t177 + p25*n120;
  y[14] = n255;
  const T t187 = t149*(n190*(t145 + t156) + t178);
  const T t188 = t170 - t82*n21 + n139*t144 - t74*n169;
  const T t189 = t44*n77 + t158 + t125 - n135*t145 - t163;
  const T t190 = t159 - t45*n77 - t126 + n135*t144 - t164;
  const T t191 = t168 - n106*(n18*(t138 - n110) + t162) - t182;
  const T t192 = t33*n26 + t166 + t46*n77 + t139 - t169;
  const T t193 = t179 - n138*t145 - t73*n170 + t75*n120;
  const T n192 = t154 + n204*t187;
  const T n193 = n205*t187 - t156;
  const T n194 = t153 + n206*t187;
  const T n113 = t122*(t11*t191 - t10*t143);
  const T n114 = t122*(t11*t143 + t10*t191);
  const T t194 = p72*n192;
  const T t195 = p72*n193;
  const T t196 = p72*n194;
  const T n252 = t76*n119 + t188 - t194;
  const T n250 = t194 + t193;
  const T n247 = t68*n120 + t189 - t195;
  const T n251 = t195 + t174;
  const T n248 = t175 - t196;
  const T n246 = t68*n119 + t190 + t196;
  const T n128 = t185 - t61*n113;
  const T n127 = t61*n114 + t186;
  const T t197 = t67*n113 + t135*(t11*n123 - t10*n122);
  y[9] = n250 - n252;
  y[10] = n251 - n247;
  y[11] = n246 - n248;
  const T p107 = p[107];
  const T t198 = (n193*n193 + n192*n192 + n194*n194)*p107;
  const T n126 = t197 - t66*n114;
  y[15] = t181 - t165 + t180 + (t184 - t183) + t198;
  const T t199 = p25*(n119*n127 + n120*n128 + n118*n126);
  const T p122 = p[122];
  const T p121 = p[121];
  const T n208 = own_sine0*p121 + own_cosine0*p122;
  const T n210 = own_cosine0*p121 - own_sine0*p122;
  const T p124 = p[124];
  const T n213 = n208 - p124;
  const T n207 = p2 + n210;
  const T p172 = p[172];
  const T p171 = p[171];
  const T n217 = own_sine0*p171 + own_cosine0*p172;
  const T n219 = own_cosine0*p171 - own_sine0*p172;
  const T n47 = n49*own_rate0;
  const T t200 = t94*t94/n44;
  const T p123 = p[123];
  const T n212 = n207 - p123;
  const T p174 = p[174];
  const T n222 = n217 - p174;
  const T n216 = p2 + n219;
  const T t201 = n39*t84;
  const T t202 = n37*t84;
  const T t203 = n47*n47;
  const T t204 = own_rate0*n47;
  const T p173 = p[173];
  const T n221 = n216 - p173;
  const T n218 = -n217;
  const T t205 = n18*n18;
  const T p179 = p[179];
  const T t206 = t141*p179;
  const T t207 = p37*t205;
  const T t208 = t84*(n39*t90 + n37*(n37 + n43) - t200);
  const T n75 = n18 + n74*own_rate0;
  const T n209 = -n208;
  const T w_x = w[0];
  const T n228 = w_x + n18;
  const T w_z = w[2];
  const T n230 = w_z + t142;
  const T t209 = n138*t144;
  const T n171 = t97*t135;
  const T w_y = w[1];
  const T n229 = w_y + t140;
  const T p115 = p[115];
  const T p114 = p[114];
  const T n225 = t55*p114 - t54*p115;
  y[23] = n225;
  const T t210 = n75*n75;
  const T n223 = n221*n218 + n219*n222;
  const T n172 = t89*t131 - t63*n18;
  const T n173 = t62*n18 - t89*t132;
  const T p116 = p[116];
  const T n227 = t19*p116 + t57*p115 + t58*p114;
  y[25] = n227;
  const T p125 = p[125];
  const T t211 = sqrt(p125 + n213*n213 + n212*n212);
  const T t212 = n135*n18 + t115*t135;
  const T n226 = t20*p116 - t56*p114 - t59*p115;
  y[24] = n226;
  const T t213 = n140*n113;
  const T t214 = t110*n113;
  const T p178 = p[178];
  const T t215 = t133*(t16*p178 - t100) - t12 + t23*n53;
  const T t216 = n139*n18 + t135*(t11*n140 + t10*n137);
  const T t217 = n138*n18 + t135*(t10*n140 + t11*n136);
  const T t218 = t203 - t93*t208*t14;
  const T n214 = n212*n209 + n210*n213;
  const T n253 = t192 - t74*n170 + t76*n120;
  const T n245 = t169 + t68*n118 - (t209 + t69*n168);
  const T n29 = t104*t205 - t88 - t28*t147;
  const T n71 = t2*(t11*t206 - t10*t207) - t87;
  const T n30 = -(t87 + t28*t205 + t104*t147);
  const T p144 = p[144];
  const T t219 = t211 + p144;
  const T p142 = p[142];
  const T t220 = t211 + p142;
  const T p140 = p[140];
  const T t221 = t211 + p140;
  const T p138 = p[138];
  const T t222 = t211 + p138;
  const T p136 = p[136];
  const T t223 = t211 + p136;
  const T p134 = p[134];
  const T t224 = t211 + p134;
  const T p132 = p[132];
  const T t225 = t211 + p132;
  const T p130 = p[130];
  const T t226 = t211 + p130;
  const T p128 = p[128];
  const T t227 = t211 + p128;
  const T p150 = p[150];
  const T t228 = t211 + p150;
  const T p156 = p[156];
  const T t229 = t211 + p156;
  const T t230 = t62*t147 - t101 - t140*n171 + n18*n172;
  const T t231 = t142*n171 - (t102 + t63*t147) - n18*n173;
  const T p164 = p[164];
  const T t232 = t211 + p164;
  const T p162 = p[162];
  const T t233 = t211 + p162;
  const T p160 = p[160];
  const T t234 = t211 + p160;
  const T p158 = p[158];
  const T t235 = t211 + p158;
  const T p154 = p[154];
  const T t236 = t211 + p154;
  const T p152 = p[152];
  const T t237 = t211 + p152;
  const T p148 = p[148];
  const T t238 = t211 + p148;
  const T p146 = p[146];
  const T t239 = t211 + p146;
  const T p166 = p[166];
  const T t240 = t211 + p166;
  const T n70 = -(t88 + t2*(t11*t207 + t10*t206));
  const T n178 = t230 - t60*n113;
  const T n177 = t60*n114 + t231;
  const T spin0 = x[13];
  const T t241 = spin0 + n225*n228 + n230*n227 + n229*n226;
  const T t242 = t31*n25 + t215 - n77*(n86 + t42) - t139;
  const T t243 = t63*n113 + t135*(t11*n173 - t10*n172);
  const T p145 = p[145];
  const T t244 = p145*select(T(0.0) < t219, t219, T(0.0));
  const T p141 = p[141];
  const T t245 = p141*select(T(0.0) < t221, t221, T(0.0));
  const T p137 = p[137];
  const T t246 = p137*select(T(0.0) < t223, t223, T(0.0));
  const T p133 = p[133];
  const T t247 = p133*select(T(0.0) < t225, t225, T(0.0));
  const T p129 = p[129];
  const T t248 = p129*select(T(0.0) < t227, t227, T(0.0));
  const T p119 = p[119];
  const T t249 = t241*p119;
  const T t250 = n43*(t201 - t106*T(2.0)*t204 + n40*t218);
  const T t251 = n40*(t202 + t107*T(2.0)*t204 + n43*t218);
  const T t252 = n73*(n73*t147 + n72*t210 - n70);
  const T p165 = p[165];
  const T t253 = p165*select(T(0.0) < t232, t232, T(0.0));
  const T p161 = p[161];
  const T t254 = p161*select(T(0.0) < t234, t234, T(0.0));
  const T p155 = p[155];
  const T t255 = p155*select(T(0.0) < t236, t236, T(0.0));
  const T p149 = p[149];
  const T t256 = p149*select(T(0.0) < t238, t238, T(0.0));
  const T p167 = p[167];
  const T t257 = p167*select(T(0.0) < t240, t240, T(0.0));
  const T n259 = n247*w_x + n253*w_z + n250*w_y;
  const T n257 = n245*w_x + n251*w_z + n248*w_y;
  const T n176 = t243 - t62*n114;
  const T t258 = t135*(t10*t217 - t11*t216) - t111*t147;
  const T t259 = p55*(n26*n30 + n25*n29);
  const T t260 = t140*t212 - n139*t147 - n18*t217 - t213;
  const T p175 = p[175];
  const T t261 = n223/sqrt(p175 + n222*n222 + n221*n221);
  const T p143 = p[143];
  const T t262 = p143*select(T(0.0) < t220, t220, T(0.0)) + t244;
  const T p135 = p[135];
  const T t263 = p135*select(T(0.0) < t224, t224, T(0.0)) + t246;
  const T p157 = p[157];
  const T p168 = p[168];
  const T p169 = p[169];
  const T t264 = p157*select(T(0.0) < t229, t229, T(0.0)) - p169*(p168 - t211);
  const T t265 = n72*(n72*t147 - n73*t210 + n71) + t252;
  const T p163 = p[163];
  const T t266 = p163*select(T(0.0) < t233, t233, T(0.0)) + t253;
  const T p153 = p[153];
  const T t267 = p153*select(T(0.0) < t237, t237, T(0.0)) + t255;
  const T t268 = n18*t216 - n138*t147 - t142*t212 - t214;
  const T n143 = t260 - t109*n114;
  const T p139 = p[139];
  const T t269 = p139*select(T(0.0) < t222, t222, T(0.0)) + t245 + t262;
  const T p151 = p[151];
  const T t270 = p151*select(T(0.0) < t228, t228, T(0.0)) - t248 + t264;
  const T p120 = p[120];
  const T t271 = t249*(n226*n230 - n229*n227) + t141*p120;
  const T n48 = t18*(t251 - t250);
  const T p159 = p[159];
  const T t272 = p159*select(T(0.0) < t235, t235, T(0.0)) + t254 + t266;
  const T n142 = t268 - n140*n114;
  const T n249 = t209 + t242 - t73*n169 + t75*n119;
  const T n141 = t258 - n138*n113 - n139*n114;
  const T t273 = t261*own_rate0;
  const T n76 = -p69*t265;
  const T p131 = p[131];
  const T t274 = p131*select(T(0.0) < t226, t226, T(0.0)) + t247 + t263 + t269;
  const T p147 = p[147];
  const T t275 = p147*select(T(0.0) < t239, t239, T(0.0)) + t256 + t267 + t272;
  const T t276 = p28*(n169*n177 + n170*n178 + n168*n176);
  const T t277 = t271 - n141;
  const T n79 = t147 + n76;
  const T p126 = p[126];
  const T p127 = p[127];
  const T p170 = p[170];
  const T t278 = p170 - p127*(p126 - t211) - t257 + t270 - t274;
  const T n256 = n245 + n253 + n249;
  const T n215 = t278 - t275;
  const T p176 = p[176];
  const T t279 = (T(1.0) + t273)*p176;
  const T t280 = t14*(n40*t203 + n43*n48);
  const T t281 = t14*(n40*n48 - n43*t203);
  const T t282 = p109*n48;
  const T t283 = p97*(t11*n142 + t10*n143);
  const T n258 = n249*w_y + n252*w_z + n246*w_x;
  const T n164 = p47*t281;
  const T p177 = p[177];
  const T n224 = p176 + p177*select(T(0.0) < t273, t273, T(0.0)) - t279;
  const T n163 = -p47*t280;
  const T n58 = p56*t281 - t202;
  const T n57 = -(t201 + p56*t280);
  const T t284 = w_x*n257 + w_y*n258 + (w_z*n259 + t199);
  const T t285 = t282 + (n43*n163 - n40*n164)*(t14*p98);
  const T t286 = n214*n215/t211 + t261*n224;
  const T t287 = p57*(n54*n58 + n53*n57) + t286;
  const T t288 = n49*t285 - t287 - t259 + t160*n79;
  const T x0 = x[0];
  const T t289 = n256*x0 + t288 + n21*t277 - t276;
  const T n175 = t98 + n173;
  const T n174 = n172 - t96;
  const T n195 = t135*(t11*n181 - t10*n180);
  const T n197 = n180*n18 - n179*t140;
  const T n196 = n179*t142 - n181*n18;
  const T t290 = n205*n178;
  const T t291 = n206*n177;
  const T t292 = t187*own_rate0;
  const T t293 = n205*n176;
  const T t294 = n204*n177;
  const T t295 = n206*n197;
  const T t296 = n192*own_rate0 - n18;
  const T t297 = n206*n176 - n204*n178;
  const T n62 = -p74*t281;
  const T n63 = -p74*t280;
  const T n198 = p100*(t291 - t290) - n171*t292;
  const T t298 = n225*n230 - n228*n227;
  const T t299 = n225*n229 - n228*n226;
  const T n200 = p100*(t293 - t294) - t292*n175;
  const T n92 = n89*n79 - n90*t210;
  const T n87 = n85*t210 - n84*n79;
  const T t300 = n179*n171 - n204*n195 + n181*n175 - t295;
  const T t301 = n6*own_rate0;
  const T n91 = -(n89*t210 + n90*n79);
  const T n88 = -(n84*t210 + n85*n79);
  const T n199 = -(t292*n174 + p100*t297);
  const T t302 = t282 + p48*(n162*n163 - n161*n164);
  const T t303 = n180*n174 - n205*n196 + t300;
  const T t304 = p76*n164 - n62 + p79*n58 + p78*n30;
  const T t305 = n63 + p76*n163 + p79*n57 + p78*n29;
  const T t306 = p28*(t290 - t291);
  const T t307 = p57*(n52*n57 - n51*n58) + t302;
  const T p183 = p[183];
  const T p182 = p[182];
  const T t308 = t55*p182 - t54*p183;
  const T p184 = p[184];
  const T t309 = t20*p184 - t56*p182 - t59*p183;
  const T t310 = t58*p182 + t19*p184 + t57*p183;
  const T t311 = p25*(n117*n127 - n116*n128) + t306;
  const T t312 = p55*(n24*n29 - n23*n30) + t307;
  const T t313 = n175 + n188*n197 - n181*t303;
  const T x3 = x[3];
  const T x4 = x[4];
  const T t314 = own_rate0*(n118*x3 + n5*own_rate0 + n255*x4);
  const T t315 = p48*n163 + p57*n57 + p55*n29 + n91;
  const T t316 = p48*n164 + p57*n58 + p55*n30 + n92;
  const T n231 = p24 + t308;
  y[28] = n231;
  const T t317 = n174 + n188*n196 - n180*t303;
  const T p117 = p[117];
  const T t318 = (t10*t299 - t11*t298)*(p117*t241) - t283;
  const T t319 = own_rate0*(p85*t301 - T(2.0)*(n256*w_x - n257));
  const T t320 = own_rate0*((n256*w_y - n258)*T(-2.0) - p77*t301);
  const T t321 = own_rate0*(t8*own_rate0 - T(2.0)*(n256*w_z - n259));
  const T x2 = x[2];
  const T x1 = x[1];
  y[20] = own_rate0*(n254*x1 + n255*x2) - p25*n126;
  y[26] = n21*n225 + t130*(t10*n227 + t11*n226);
  const T x8 = x[8];
  const T x7 = x[7];
  const T t322 = n225*(t147 + t127*(t10*x7 - t11*x8));
  const T n232 = n93 + t309;
  y[29] = n232;
  const T n233 = n94 + t310;
  y[30] = n233;
  const T t323 = (t142 - n194*own_rate0)*t313;
  const T x5 = x[5];
  const T x6 = x[6];
  const T t324 = own_rate0*(t301 + n118*x5 + n254*x6) - t316;
  const T x9 = x[9];
  const T t325 = n226*(t131*x9 - w_z*n18 - n113) - t322;
  const T t326 = (n171 + n188*n195 - n179*t303)*t296 - t323;
  y[21] = t314 - t315 - p25*n127;
  y[22] = t324 - p25*n128;
  const T n234 = t130*(t11*t310 - t10*t309);
  y[31] = n234;
  const T n235 = n95 - n21*t310 + t144*t308;
  y[32] = n235;
  const T n236 = n96 + n21*t309 - t145*t308;
  y[33] = n236;
  const T t327 = t304 - n87 + p75*n92 - t298*t249 - n142;
  const T t328 = t299*t249 - (n88 + t305 + p75*n91) - n143;
  const T t329 = p110*n79 + t312 - p83*n92 + p84*n91;
  y[27] = t325 - n227*(t132*x9 - w_y*n18 + n114);
  const T t330 = t326 - (t140 - n193*own_rate0)*t317;
  const T t331 = p28*t297 + t327;
  const T t332 = p28*(t294 - t293) + t328;
  const T t333 = n189*(t147 - n198) + t330 + n191*(n114 - n200);
  const T t334 = p25*(n115*n128 - n117*n126) + t331 + t320;
  const T t335 = p25*(n116*n126 - n115*n127) + t332 + t321;
  const T t336 = t149*(n190*(n113 - n199) + t333);
  const T n201 = n198 + n204*t336;
  const T n202 = n199 + n205*t336;
  const T n203 = n200 + n206*t336;
  const T p118 = p[118];
  y[17] = t277 + t329 + t311 + t319 + n201*p118;
  y[18] = n202*p118 + t334;
  y[19] = n203*p118 + t335;
  const T t337 = (n193*n202 + n192*n201 + n194*n203)*p118;
  y[16] = t123*t318 + t289 - t284 + t337;
  return status;
}

}  // namespace generated

// hmmwv_epilogue: written by camber's codegen, not by hand.
// From the equations of motion, eliminated sub-mechanism by sub-mechanism, then the base
// 770 operations: 387 additions + 371 multiplications + 12 divisions.
//
// Inputs
//   p(16): p0 p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11 p12 p13 p14 p15
//   q(16): q0 q1 q2 q3 q4 q5 q6 q7 q8 q9 q10 q11 q12 q13 q14 q15
//   v(15): v0 v1 v2 v3 v4 v5 v6 v7 v8 v9 v10 v11 v12 v13 v14
//   z(23): z0_0 z0_1 z0_2 z0_3 z0_4 z0_5 z0_6 z0_7 z0_8 z0_9 z0_10 z0_11 z0_12 z0_13 z0_14 z0_15 z0_16 z0_17 z0_18 z0_19 z0_20 z0_21 z0_22
//   y0_2(53): y0_0 y0_1 y0_2 y0_3 y0_4 y0_5 y0_6 y0_7 y0_8 y0_9 y0_10 y0_11 y0_12 y0_13 y0_14 y0_15 y0_16 y0_17 y0_18 y0_19 y0_20 y0_21 y0_22 y0_23 y0_24 y0_25 y0_26 y0_27 y0_28 y0_29 y0_30 y0_31 y0_32 y0_33 y0_34 y0_35 y0_36 y0_37 y0_38 y0_39 y0_40 y0_41 y0_42 y0_43 y0_44 y0_45 y0_46 y0_47 y0_48 y0_49 y0_50 y0_51 y0_52
//   y1_2(53): y1_0 y1_1 y1_2 y1_3 y1_4 y1_5 y1_6 y1_7 y1_8 y1_9 y1_10 y1_11 y1_12 y1_13 y1_14 y1_15 y1_16 y1_17 y1_18 y1_19 y1_20 y1_21 y1_22 y1_23 y1_24 y1_25 y1_26 y1_27 y1_28 y1_29 y1_30 y1_31 y1_32 y1_33 y1_34 y1_35 y1_36 y1_37 y1_38 y1_39 y1_40 y1_41 y1_42 y1_43 y1_44 y1_45 y1_46 y1_47 y1_48 y1_49 y1_50 y1_51 y1_52
//   y2(37): y2_0 y2_1 y2_2 y2_3 y2_4 y2_5 y2_6 y2_7 y2_8 y2_9 y2_10 y2_11 y2_12 y2_13 y2_14 y2_15 y2_16 y2_17 y2_18 y2_19 y2_20 y2_21 y2_22 y2_23 y2_24 y2_25 y2_26 y2_27 y2_28 y2_29 y2_30 y2_31 y2_32 y2_33 y2_34 y2_35 y2_36
//   y3(37): y3_0 y3_1 y3_2 y3_3 y3_4 y3_5 y3_6 y3_7 y3_8 y3_9 y3_10 y3_11 y3_12 y3_13 y3_14 y3_15 y3_16 y3_17 y3_18 y3_19 y3_20 y3_21 y3_22 y3_23 y3_24 y3_25 y3_26 y3_27 y3_28 y3_29 y3_30 y3_31 y3_32 y3_33 y3_34 y3_35 y3_36
// Outputs
//   a(15)
// Status: 0 ok; 1: pivot0 is not > 0; 2: pivot1 is not > 0; 3: pivot2 is not > 0; 4: pivot3 is not > 0; 5: pivot4 is not > 0; 6: pivot5 is not > 0; 7: pivot6 is not > 0; 8: pivot7 is not > 0; 9: pivot8 is not > 0; 10: pivot9 is not > 0; 11: pivot10 is not > 0. Outputs must not overlap inputs.

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace generated {

namespace hmmwv_epilogue_parts {

inline bool all(bool condition) { return condition; }

inline double select(bool condition, double a, double b) { return condition ? a : b; }

}  // namespace hmmwv_epilogue_parts

template <class T>
int hmmwv_epilogue(const T* p, const T* q, const T* v, const T* z, const T* y0_2, const T* y1_2,
        const T* y2, const T* y3, T* a) {
  using namespace hmmwv_epilogue_parts;
  int status = 0;
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp;
  using std::log, std::max, std::min, std::pow, std::sin, std::sinh, std::sqrt, std::tan;
  using std::tanh;
  const T y0_21 = y0_2[21];
  const T d0 = T(1.0)/y0_21;
  const T y1_21 = y1_2[21];
  const T d1 = T(1.0)/y1_21;
  const T y3_15 = y3[15];
  const T d3 = T(1.0)/y3_15;
  const T y2_15 = y2[15];
  const T d2 = T(1.0)/y2_15;
  const T y0_22 = y0_2[22];
  const T l0_4 = d0*y0_22;
  const T y3_1 = y3[1];
  const T y2_1 = y2[1];
  const T y0_1 = y0_2[1];
  const T z0_1 = z[1];
  const T y1_1 = y1_2[1];
  const T t1 = z0_1 + y1_1 + (y3_1 + y2_1 + y0_1);
  const T y1_22 = y1_2[22];
  const T l1_4 = d1*y1_22;
  const T y3_2 = y3[2];
  const T y2_2 = y2[2];
  const T y0_2_2 = y0_2[2];
  const T z0_2 = z[2];
  const T y1_2_2 = y1_2[2];
  const T t2 = z0_2 + y1_2_2 + (y3_2 + y2_2 + y0_2_2);
  const T y1_9 = y1_2[9];
  const T l1_5 = d1*y1_9;
  const T y3_9 = y3[9];
  const T l3_5 = d3*y3_9;
  const T y2_9 = y2[9];
  const T l2_5 = d2*y2_9;
  const T y0_9 = y0_2[9];
  const T l0_5 = d0*y0_9;
  const T y0_3 = y0_2[3];
  const T p2 = p[2];
  const T z0_3 = z[3];
  const T y3_3 = y3[3];
  const T y2_3 = y2[3];
  const T y1_3 = y1_2[3];
  const T t3 = y2_3 + y1_3 + (z0_3 + y3_3 + (y0_3 + p2));
  const T y3_0 = y3[0];
  const T y2_0 = y2[0];
  const T y0_0 = y0_2[0];
  const T z0_0 = z[0];
  const T y1_0 = y1_2[0];
  const T t4 = z0_0 + y1_0 + (y3_0 + y2_0 + y0_0);
  const T y1_23 = y1_2[23];
  const T z0_15 = z[15];
  const T y0_23 = y0_2[23];
  const T m12 = y1_23 + z0_15 + y0_23 - y0_22*l0_4 - y1_22*l1_4;
  if (status == 0 && !all(m12 > T(0.0))) status = 5;
  const T y0_4 = y0_2[4];
  const T p1 = p[1];
  const T z0_4 = z[4];
  const T y3_4 = y3[4];
  const T y2_4 = y2[4];
  const T y1_4 = y1_2[4];
  const T t5 = y2_4 + y1_4 + (z0_4 + y3_4 + (y0_4 + p1));
  const T y3_10 = y3[10];
  const T l3_6 = y3_10*d3;
  const T y1_10 = y1_2[10];
  const T l1_6 = y1_10*d1;
  const T y2_10 = y2[10];
  const T l2_6 = y2_10*d2;
  const T y0_10 = y0_2[10];
  const T l0_6 = y0_10*d0;
  const T y0_5 = y0_2[5];
  const T p5 = p[5];
  const T z0_5 = z[5];
  const T y3_5 = y3[5];
  const T y2_5 = y2[5];
  const T y1_5 = y1_2[5];
  const T t6 = y2_5 + y1_5 + (z0_5 + y3_5 + (y0_5 + p5));
  const T y1_15 = y1_2[15];
  const T z0_9 = z[9];
  const T y0_15 = y0_2[15];
  const T m14 = y1_15 + z0_9 + y0_15 - l0_4*y0_9 - l1_4*y1_9;
  const T p0 = p[0];
  const T t7 = y1_9*l1_5 - (p0 + t1 + t2) + y2_9*l2_5;
  const T y1_11 = y1_2[11];
  const T l1_7 = d1*y1_11;
  const T y0_8 = y0_2[8];
  const T p3 = p[3];
  const T z0_8 = z[8];
  const T y3_8 = y3[8];
  const T y2_8 = y2[8];
  const T y1_8 = y1_2[8];
  const T t8 = y2_8 + y1_8 + (z0_8 + y3_8 + (y0_8 + p3));
  const T y3_11 = y3[11];
  const T l3_7 = d3*y3_11;
  const T y2_11 = y2[11];
  const T l2_7 = d2*y2_11;
  const T y0_11 = y0_2[11];
  const T l0_7 = d0*y0_11;
  const T d4 = T(1.0)/m12;
  const T t9 = t3 + y3_10*l3_5 + y1_10*l1_5;
  const T y1_16 = y1_2[16];
  const T z0_10 = z[10];
  const T y0_16 = y0_2[16];
  const T m15 = y1_16 + z0_10 + y0_16 - y0_10*l0_4 - y1_10*l1_4;
  const T y0_7 = y0_2[7];
  const T p6 = p[6];
  const T z0_7 = z[7];
  const T y3_7 = y3[7];
  const T y2_7 = y2[7];
  const T y1_7 = y1_2[7];
  const T t10 = y2_7 + y1_7 + (z0_7 + y3_7 + (y0_7 + p6));
  const T p4 = p[4];
  const T t11 = y3_10*l3_6 - (p4 + t4 + t2) + y0_10*l0_6;
  const T t12 = t5 + l3_5*y3_11 + l1_5*y1_11;
  const T y1_17 = y1_2[17];
  const T z0_11 = z[11];
  const T y0_17 = y0_2[17];
  const T m16 = y1_17 + z0_11 + y0_17 - l0_4*y0_11 - l1_4*y1_11;
  const T y0_6 = y0_2[6];
  const T p11 = p[11];
  const T z0_6 = z[6];
  const T y3_6 = y3[6];
  const T y2_6 = y2[6];
  const T y1_6 = y1_2[6];
  const T t13 = y2_6 + y1_6 + (z0_6 + y3_6 + (y0_6 + p11));
  const T y3_12 = y3[12];
  const T l3_8 = d3*y3_12;
  const T y1_12 = y1_2[12];
  const T l1_8 = d1*y1_12;
  const T y0_12 = y0_2[12];
  const T l0_8 = d0*y0_12;
  const T y2_12 = y2[12];
  const T l2_8 = d2*y2_12;
  const T l4_5 = d4*m14;
  const T t14 = t6 + l3_6*y3_11 + l1_6*y1_11;
  const T t15 = l0_5*y0_12 + l1_5*y1_12;
  const T p7 = p[7];
  const T t16 = y1_11*l1_7 - (t1 + p7 + t4) + y2_11*l2_7;
  const T y1_18 = y1_2[18];
  const T z0_12 = z[12];
  const T y0_18 = y0_2[18];
  const T m17 = y1_18 + z0_12 + y0_18 - l0_4*y0_12 - l1_4*y1_12;
  const T y1_13 = y1_2[13];
  const T l1_9 = d1*y1_13;
  const T t17 = l3_6*y3_12 - t8 + l1_6*y1_12;
  const T y0_13 = y0_2[13];
  const T l0_9 = d0*y0_13;
  const T y3_13 = y3[13];
  const T l3_9 = d3*y3_13;
  const T y2_13 = y2[13];
  const T l2_9 = d2*y2_13;
  const T l4_6 = m15*d4;
  const T t18 = t10 + y3_12*l3_7 + y1_12*l1_7;
  const T t19 = y0_9*l0_5 + y3_9*l3_5 + t7 + m14*l4_5;
  const T t20 = l0_6*y0_13 + l1_6*y1_13;
  const T t21 = t8 + l3_5*y3_13 + l1_5*y1_13;
  const T y1_19 = y1_2[19];
  const T z0_13 = z[13];
  const T y0_19 = y0_2[19];
  const T m18 = y1_19 + z0_13 + y0_19 - l0_4*y0_13 - l1_4*y1_13;
  const T p8 = p[8];
  const T t22 = y3_12*l3_8 - p8 + y0_12*l0_8;
  const T t23 = l3_7*y3_13 - t13 + l1_7*y1_13;
  const T t24 = l0_8*y0_13 + l1_8*y1_13;
  const T t25 = y0_10*l0_5 + y2_10*l2_5 + t9 + m15*l4_5;
  const T l4_7 = d4*m16;
  const T t26 = y2_10*l2_6 + y1_10*l1_6 + t11 + m15*l4_6;
  const T y3_14 = y3[14];
  const T y1_14 = y1_2[14];
  const T t27 = y3_14*l3_5 - t10 + y1_14*l1_5;
  const T y0_14 = y0_2[14];
  const T y1_20 = y1_2[20];
  const T z0_14 = z[14];
  const T y0_20 = y0_2[20];
  const T m19 = y1_20 + z0_14 + y0_20 - y0_14*l0_4 - y1_14*l1_4;
  const T t28 = y0_14*l0_7 + y1_14*l1_7;
  const T t29 = l0_5*y0_11 + l2_5*y2_11 + t12 + l4_5*m16;
  const T t30 = y1_13*l1_9 - p8 + y2_13*l2_9;
  const T t31 = t13 + y3_14*l3_6 + y1_14*l1_6;
  const T t32 = y0_14*l0_8 + y1_14*l1_8;
  const T t33 = T(1.0)/t19;
  const T t34 = y0_14*l0_9 + y1_14*l1_9;
  const T t35 = l0_6*y0_11 + l2_6*y2_11 + t14 + l4_6*m16;
  const T l4_8 = d4*m17;
  const T t36 = y0_11*l0_7 + y3_11*l3_7 + t16 + m16*l4_7;
  const T t37 = l2_5*y2_12 + l3_5*y3_12 + t15 + l4_5*m17;
  const T t38 = t33*t25;
  const T t39 = l0_6*y0_12 + l2_6*y2_12 + t17 + l4_6*m17;
  const T m24 = -t37;
  const T t40 = y0_12*l0_7 + y2_12*l2_7 + t18 + m17*l4_7;
  const T t41 = l0_5*y0_13 + l2_5*y2_13 + t21 + l4_5*m18;
  const T l4_9 = d4*m18;
  const T t42 = y2_12*l2_8 + y1_12*l1_8 + t22 + m17*l4_8;
  const T t43 = t33*t29;
  const T t44 = l2_6*y2_13 + l3_6*y3_13 + t20 + l4_6*m18;
  const T t45 = l0_7*y0_13 + l2_7*y2_13 + t23 + l4_7*m18;
  const T t46 = t26 - t25*t38;
  const T t47 = l2_8*y2_13 + l3_8*y3_13 + t24 + l4_8*m18;
  const T y2_14 = y2[14];
  const T t48 = y0_14*l0_5 + y2_14*l2_5 + t27 + m19*l4_5;
  const T t49 = y0_13*l0_9 + y3_13*l3_9 + t30 + m18*l4_9;
  const T t50 = y0_14*l0_6 + y2_14*l2_6 + t31 + m19*l4_6;
  const T t51 = t35 - t25*t43;
  const T t52 = y2_14*l2_7 + y3_14*l3_7 + t28 + m19*l4_7;
  const T t53 = t33*m24;
  const T t54 = y2_14*l2_8 + y3_14*l3_8 + t32 + m19*l4_8;
  const T t55 = y2_14*l2_9 + y3_14*l3_9 + t34 + m19*l4_9;
  const T t56 = T(1.0)/t46;
  const T t57 = t38*m24 + t39;
  const T t58 = t33*t41;
  const T t59 = t44 - t38*t41;
  const T t60 = t56*t51;
  const T t61 = t50 - t38*t48;
  const T t62 = t56*t57;
  const T t63 = t36 - t29*t43 - t51*t60;
  const T t64 = t56*t59;
  const T t65 = m24*t43 + t40 - t57*t60;
  const T t66 = t45 - t43*t41 - t60*t59;
  const T t67 = T(1.0)/t63;
  const T t68 = t52 - t48*t43 - t61*t60;
  const T t69 = t67*t65;
  const T t70 = t67*t66;
  const T t71 = t42 - m24*t53 - t57*t62 - t65*t69;
  const T t72 = m24*t58 + t47 - t57*t64 - t65*t70;
  const T t73 = t49 - t41*t58 - t59*t64 - t66*t70;
  const T t74 = T(1.0)/t71;
  const T t75 = t48*t53 + t54 - t61*t62 - t69*t68;
  const T t76 = t55 - t48*t58 - t61*t64 - t68*t70;
  const T t77 = t74*t72;
  const T t78 = t73 - t72*t77;
  const T t79 = t76 - t75*t77;
  const T t80 = T(1.0)/t78;
  const T t81 = t80*t79;
  const T l1_10 = y1_14*d1;
  const T l2_10 = y2_14*d2;
  const T l3_10 = y3_14*d3;
  const T l0_10 = y0_14*d0;
  const T v2 = v[2];
  const T v0 = v[0];
  const T p10 = p[10];
  const T v1 = v[1];
  const T t82 = t3*v0 + t6*v2 + v1*(t1 + p10);
  const T p9 = p[9];
  const T t83 = t5*v0 + t6*v1 + v2*(t2 + p9);
  const T t84 = t8*v0 - t13*v2;
  const T p12 = p[12];
  const T t85 = t3*v1 + t5*v2 + v0*(t4 + p12);
  const T t86 = t10*v0 - t13*v1;
  const T y2_17 = y2[17];
  const T y0_26 = y0_2[26];
  const T y3_17 = y3[17];
  const T y1_26 = y1_2[26];
  const T z0_17 = z[17];
  const T y1_24 = y1_2[24];
  const T t87 = l1_5*y1_24 - (y1_26 + z0_17 + (y2_17 + y0_26 + y3_17));
  const T t88 = t8*v1 - t10*v2;
  const T l4_10 = m19*d4;
  const T z0_18 = z[18];
  const T y3_18 = y3[18];
  const T y1_27 = y1_2[27];
  const T y0_27 = y0_2[27];
  const T y2_18 = y2[18];
  const T t89 = l1_6*y1_24 - (y0_27 + y2_18 + (z0_18 + y3_18 + y1_27));
  const T t90 = t33*t48;
  const T y0_24 = y0_2[24];
  const T y1_25 = y1_2[25];
  const T z0_16 = z[16];
  const T y0_25 = y0_2[25];
  const T m13 = y1_25 + z0_16 + y0_25 - l0_4*y0_24 - l1_4*y1_24;
  const T y0_28 = y0_2[28];
  const T y2_19 = y2[19];
  const T y3_19 = y3[19];
  const T y1_28 = y1_2[28];
  const T z0_19 = z[19];
  const T t91 = l1_7*y1_24 - (y1_28 + z0_19 + (y0_28 + y2_19 + y3_19));
  const T t92 = t61*t56;
  const T t93 = t67*t68;
  const T y2_16 = y2[16];
  const T t94 = l2_8*y2_16 + v2*t84;
  const T y1_29 = y1_2[29];
  const T y0_29 = y0_2[29];
  const T z0_20 = z[20];
  const T y3_20 = y3[20];
  const T y2_20 = y2[20];
  const T t95 = l1_8*y1_24 - (y3_20 + y2_20 + (y1_29 + y0_29 + z0_20));
  const T t96 = t75*t74;
  const T t97 = l2_9*y2_16 - v0*t86;
  const T y0_30 = y0_2[30];
  const T y2_21 = y2[21];
  const T y3_21 = y3[21];
  const T y1_30 = y1_2[30];
  const T z0_21 = z[21];
  const T t98 = l1_9*y1_24 - (y1_30 + z0_21 + (y0_30 + y2_21 + y3_21));
  const T t99 = l2_5*y2_16 + t87 + v2*t82;
  const T t100 = l1_10*y1_24 - v0*t84;
  const T y0_31 = y0_2[31];
  const T y1_31 = y1_2[31];
  const T z0_22 = z[22];
  const T y2_22 = y2[22];
  const T y3_22 = y3[22];
  const T y3_16 = y3[16];
  const T t101 = l3_10*y3_16 - (y2_22 + y3_22 + (y0_31 + y1_31 + z0_22));
  const T t102 = y1_14*l1_10 - p8 + y2_14*l2_10;
  const T t103 = l2_6*y2_16 + t89 - v2*t85;
  const T t104 = l0_8*y0_24 + l3_8*y3_16 + t94;
  const T t105 = l2_7*y2_16 + t91 + v1*t85;
  const T t106 = l0_9*y0_24 + l3_9*y3_16 + t97;
  const T t107 = l0_5*y0_24 + l3_5*y3_16 - v1*t83 + t99;
  const T t108 = l0_10*y0_24 + l2_10*y2_16 + t100;
  const T t109 = l0_6*y0_24 + l3_6*y3_16 + v0*t83 + t103;
  const T t110 = l0_7*y0_24 + l3_7*y3_16 - v0*t82 + t105;
  const T t111 = l4_5*m13 + t107;
  const T t112 = y0_14*l0_10 + y3_14*l3_10 + t102 + m19*l4_10;
  const T t113 = v1*t86 + t95 + t104 + l4_8*m13;
  const T t114 = l4_6*m13 + t109 - t38*t111;
  const T t115 = t58*t111;
  const T t116 = t90*t111;
  const T t117 = v2*t88 + t98 + t106 + l4_9*m13 - t115;
  const T t118 = t112 - t48*t90 - t61*t92 - t68*t93;
  const T t119 = t101 - v1*t88 + t108 + l4_10*m13 - t116;
  const T t120 = l4_7*m13 + t110 - t43*t111 - t60*t114;
  const T q1 = q[1];
  const T q2 = q[2];
  const T t121 = q2*q2 + q1*q1;
  const T t122 = t118 - t75*t96 - t79*t81;
  const T t123 = t53*t111 + t113 - t62*t114 - t69*t120;
  const T pivot5 = -t19;
  if (status == 0 && !all(pivot5 > T(0.0))) status = 6;
  const T pivot6 = -t46;
  if (status == 0 && !all(pivot6 > T(0.0))) status = 7;
  const T pivot7 = -t63;
  if (status == 0 && !all(pivot7 > T(0.0))) status = 8;
  const T pivot8 = -t71;
  if (status == 0 && !all(pivot8 > T(0.0))) status = 9;
  const T pivot9 = -t78;
  if (status == 0 && !all(pivot9 > T(0.0))) status = 10;
  const T v5 = v[5];
  const T v4 = v[4];
  const T t124 = v2*v4 - v1*v5;
  const T v3 = v[3];
  const T t125 = v0*v5 - v2*v3;
  const T t126 = t117 - t64*t114 - t70*t120 - t77*t123;
  const T t127 = t119 - t92*t114 - t93*t120 - t96*t123;
  const T q3 = q[3];
  const T q0 = q[0];
  const T t128 = T(1.0)/(q0*q0 + q3*q3 + t121);
  const T p13 = p[13];
  const T t129 = p13*(q0*q2 - q1*q3)*t128 + t124;
  const T p14 = p[14];
  const T t130 = p14*(q3*q2 + q1*q0)*t128 + t125;
  const T p15 = p[15];
  const T t131 = p15*(t121*T(2.0)*t128 - T(1.0));
  const T t132 = (t127 - t81*t126)/t122;
  const T pivot10 = -t122;
  if (status == 0 && !all(pivot10 > T(0.0))) status = 11;
  const T t133 = t80*(t126 - t79*t132);
  const T t134 = t74*(t123 - t75*t132 - t72*t133);
  const T t135 = t120 - t68*t132 - t66*t133 - t65*t134;
  a[5] = v1*v3 - v0*v4 - t131 + t132;
  const T t136 = t114 - t61*t132 - t59*t133 - t57*t134;
  const T t137 = t67*t135;
  a[2] = t137;
  const T t138 = t111 - t48*t132 - t41*t133 + m24*t134;
  const T t139 = m13 - m19*t132 - m18*t133 - m17*t134;
  a[4] = t133 + t130;
  const T t140 = y0_14*t132 - y0_24 + y0_13*t133 + y0_12*t134;
  const T t141 = y1_14*t132 - y1_24 + y1_13*t133 + y1_12*t134;
  const T t142 = y2_14*t132 - y2_16 + y2_13*t133 + y2_12*t134;
  const T t143 = y3_14*t132 - y3_16 + y3_13*t133 + y3_12*t134;
  const T t144 = t56*(t136 - t51*t137);
  a[1] = t144;
  a[3] = t134 + t129;
  const T t145 = t33*(t138 - t29*t137 - t25*t144);
  a[0] = t145;
  const T t146 = t139 - m16*t137 - m15*t144 - m14*t145;
  const T t147 = y0_11*t137 + t140 + y0_10*t144 + y0_9*t145;
  const T t148 = y1_11*t137 + t141 + y1_10*t144 + y1_9*t145;
  const T t149 = d4*t146;
  a[6] = t149;
  const T t150 = y2_11*t137 + t142 + y2_10*t144 + y2_9*t145;
  const T t151 = y3_11*t137 + t143 + y3_10*t144 + y3_9*t145;
  const T y0_32 = y0_2[32];
  const T y0_33 = y0_2[33];
  const T y0_34 = y0_2[34];
  const T y0_37 = y0_2[37];
  const T t152 = y0_37 - t137*y0_34 - t144*y0_33 - t145*y0_32;
  const T y1_32 = y1_2[32];
  const T y1_33 = y1_2[33];
  const T y1_34 = y1_2[34];
  const T y1_37 = y1_2[37];
  const T t153 = y1_37 - t137*y1_34 - t144*y1_33 - t145*y1_32;
  const T y2_23 = y2[23];
  const T y2_24 = y2[24];
  const T y2_25 = y2[25];
  const T y2_27 = y2[27];
  const T t154 = y2_27 - t137*y2_25 - t144*y2_24 - t145*y2_23;
  const T y3_23 = y3[23];
  const T y3_24 = y3[24];
  const T y3_25 = y3[25];
  const T y3_27 = y3[27];
  const T t155 = y3_27 - t137*y3_25 - t144*y3_24 - t145*y3_23;
  const T t156 = d2*t150;
  const T t157 = d3*t151;
  a[13] = t157;
  a[11] = -t156;
  const T t158 = d0*(y0_22*t149 + t147);
  const T t159 = d1*(y1_22*t149 + t148);
  a[8] = t159;
  const T y2_26 = y2[26];
  a[12] = t156*y2_26 + t154;
  const T y3_26 = y3[26];
  a[14] = t157*y3_26 + t155;
  a[7] = -t158;
  const T y0_35 = y0_2[35];
  const T y0_36 = y0_2[36];
  a[9] = t152 - t149*y0_36 + t158*y0_35;
  const T y1_35 = y1_2[35];
  const T y1_36 = y1_2[36];
  a[10] = t153 - t149*y1_36 + t159*y1_35;
  if ((status == 0 || status > 1) && !all(y0_21 > T(0.0))) status = 1;
  if ((status == 0 || status > 2) && !all(y1_21 > T(0.0))) status = 2;
  if ((status == 0 || status > 4) && !all(y3_15 > T(0.0))) status = 4;
  if ((status == 0 || status > 3) && !all(y2_15 > T(0.0))) status = 3;
  return status;
}

}  // namespace generated

namespace generated {

inline constexpr char hmmwv_key[] = "0519ce018cc2adab1386a88a307fa738";
inline constexpr char hmmwv_structure[] = "af200594534601ad";
// How parameters follow from a vehicle's constants: ParameterPlan.
inline constexpr int hmmwv_plan[] = {
    2, 2, 1, 2, 1, 355, 465, 3, 215, 198, 367, 368, 375, 4, 355, 155, 146, -1, 2, 356,
    158, 355, -1, 4, 357, 155, 198, -1, 2, 358, 158, 357, -1, 4, 359, 155, 177, -1, 4, 360,
    155, 181, -1, 2, 361, 187, 79, -1, 4, 362, 184, 361, -1, 4, 362, 361, 362, -1, 4, 363,
    25, 28, -1, 4, 363, 28, 363, -1, 4, 364, 63, 66, -1, 4, 364, 66, 364, -1, 2, 365,
    195, 61, -1, 2, 366, 108, 17, -1, 2, 365, 135, 365, -1, 2, 366, 364, 366, -1, 2, 365,
    363, 365, -1, 2, 366, 362, 366, -1, 2, 366, 365, 366, -1, 5, 365, 367, 122, -1, 4, 362,
    365, 137, -1, 4, 363, 365, 138, -1, 4, 364, 141, 368, -1, 4, 369, 153, 146, -1, 3, 370,
    82, 83, -1, 4, 371, 153, 198, -1, 4, 372, 368, 23, -1, 4, 373, 153, 177, -1, 4, 374,
    153, 181, -1, 4, 376, 14, 375, -1, 4, 377, 368, 58, -1, 4, 378, 365, 365, -1, 4, 379,
    375, 132, -1, 4, 379, 378, 379, -1, 4, 380, 368, 142, -1, 4, 361, 184, 361, -1, 4, 381,
    25, 28, -1, 4, 382, 63, 66, -1, 4, 383, 365, 134, -1, 4, 365, 365, 133, -1, 4, 384,
    368, 104, -1, 4, 385, 375, 57, -1, 4, 386, 368, 13, -1, 4, 387, 368, 131, -1, 4, 387,
    378, 387, -1, 2, 388, 381, 382, -1, 2, 388, 361, 388, -1, 5, 389, 367, 48, -1, 5, 390,
    367, 47, -1, 4, 391, 389, 390, -1, 4, 392, 153, 167, -1, 5, 393, 367, 166, -1, 5, 394,
    367, 165, -1, 4, 395, 153, 393, -1, 4, 395, 394, 395, -1, 4, 396, 155, 393, -1, 4, 396,
    394, 396, -1, 4, 397, 184, 185, -1, 4, 398, 155, 201, -1, 4, 399, 153, 201, -1, 4, 400,
    185, 361, -1, 4, 401, 155, 167, -1, 4, 402, 184, 185, -1, 4, 402, 185, 402, -1, 4, 403,
    195, 368, -1, 3, 404, 61, 62, -1, 3, 405, 108, 109, -1, 3, 406, 135, 136, -1, 3, 407,
    18, 17, -1, 4, 408, 393, 394, -1, 4, 409, 156, 389, -1, 4, 409, 390, 409, -1, 4, 410,
    155, 277, -1, 4, 411, 153, 277, -1, 4, 412, 395, 279, -1, 4, 413, 195, 375, -1, 4, 414,
    391, 404, -1, 3, 415, 209, 204, -1, 4, 415, 415, 415, -1, 2, 416, 214, 228, -1, 6, 416,
    416, -1, -1, 3, 417, 227, 228, -1, 5, 417, 249, 417, -1, 2, 418, 214, 229, -1, 6, 418,
    418, -1, -1, 3, 419, 229, 230, -1, 5, 419, 252, 419, -1, 2, 420, 214, 221, -1, 6, 420,
    420, -1, -1, 3, 421, 220, 221, -1, 3, 422, 242, 243, -1, 3, 423, 221, 222, -1, 3, 424,
    243, 244, -1, 5, 421, 422, 421, -1, 5, 423, 424, 423, -1, 3, 424, 421, 423, -1, 2, 422,
    214, 230, -1, 6, 422, 422, -1, -1, 3, 425, 230, 231, -1, 3, 426, 252, 253, -1, 5, 425,
    426, 425, -1, 2, 426, 419, 425, -1, 2, 427, 214, 236, -1, 6, 427, 427, -1, -1, 3, 428,
    235, 236, -1, 3, 429, 257, 258, -1, 3, 430, 236, 237, -1, 3, 431, 258, 259, -1, 5, 428,
    429, 428, -1, 5, 430, 431, 430, -1, 3, 431, 428, 430, -1, 2, 429, 214, 219, -1, 6, 429,
    429, -1, -1, 3, 432, 218, 219, -1, 3, 433, 240, 241, -1, 3, 434, 219, 220, -1, 3, 435,
    241, 242, -1, 5, 432, 433, 432, -1, 5, 434, 435, 434, -1, 3, 435, 432, 434, -1, 2, 433,
    214, 231, -1, 6, 433, 433, -1, -1, 3, 436, 231, 232, -1, 3, 437, 253, 254, -1, 5, 436,
    437, 436, -1, 3, 425, 425, 436, -1, 2, 437, 214, 224, -1, 6, 437, 437, -1, -1, 3, 438,
    223, 224, -1, 3, 439, 245, 246, -1, 3, 440, 224, 225, -1, 3, 441, 246, 247, -1, 5, 438,
    439, 438, -1, 5, 440, 441, 440, -1, 3, 441, 438, 440, -1, 2, 439, 214, 233, -1, 6, 439,
    439, -1, -1, 3, 442, 232, 233, -1, 3, 443, 254, 255, -1, 3, 444, 233, 234, -1, 3, 445,
    255, 256, -1, 5, 442, 443, 442, -1, 5, 444, 445, 444, -1, 3, 445, 442, 444, -1, 2, 443,
    214, 222, -1, 6, 443, 443, -1, -1, 3, 446, 222, 223, -1, 3, 447, 244, 245, -1, 5, 446,
    447, 446, -1, 3, 423, 423, 446, -1, 2, 447, 214, 235, -1, 6, 447, 447, -1, -1, 3, 448,
    234, 235, -1, 3, 449, 256, 257, -1, 5, 448, 449, 448, -1, 3, 428, 448, 428, -1, 2, 449,
    214, 225, -1, 6, 449, 449, -1, -1, 3, 450, 225, 226, -1, 3, 451, 247, 248, -1, 5, 450,
    451, 450, -1, 3, 440, 440, 450, -1, 2, 451, 214, 226, -1, 6, 451, 451, -1, -1, 3, 452,
    226, 227, -1, 3, 453, 248, 249, -1, 5, 452, 453, 452, -1, 3, 450, 450, 452, -1, 2, 453,
    214, 220, -1, 6, 453, 453, -1, -1, 3, 421, 434, 421, -1, 2, 434, 214, 223, -1, 6, 434,
    434, -1, -1, 3, 438, 446, 438, -1, 2, 446, 214, 238, -1, 6, 446, 446, -1, -1, 3, 454,
    237, 238, -1, 3, 455, 259, 260, -1, 3, 456, 238, 239, -1, 3, 457, 260, 261, -1, 5, 454,
    455, 454, -1, 5, 456, 457, 456, -1, 3, 456, 454, 456, -1, 2, 457, 214, 227, -1, 6, 457,
    457, -1, -1, 3, 452, 417, 452, -1, 2, 455, 214, 234, -1, 6, 455, 455, -1, -1, 3, 448,
    444, 448, -1, 2, 444, 214, 232, -1, 6, 444, 444, -1, -1, 3, 442, 436, 442, -1, 2, 436,
    214, 237, -1, 6, 436, 436, -1, -1, 3, 454, 430, 454, -1, 2, 430, 214, 218, -1, 3, 458,
    209, 262, -1, 4, 458, 458, 458, -1, 2, 459, 272, 274, -1, 4, 460, 375, 104, -1, 4, 389,
    119, 389, -1, 4, 389, 390, 389, -1, 4, 390, 153, 155, -1, 4, 390, 394, 390, -1, 4, 394,
    393, 394, -1, 4, 390, 393, 390, -1, 4, 390, 394, 390, -1, 4, 394, 396, 279, -1, 4, 393,
    155, 283, -1, 2, 461, 158, 393, -1, 4, 462, 153, 283, -1, 2, 463, 25, 63, -1, 2, 464,
    143, 184, -1, 2, 464, 463, 464, -1, 160, 159, 161, 158, 149, 38, 39, 10, 42, 43, 44, 46,
    47, 156, 147, 148, 152, 150, 151, 153, 155, 162, 163, 164, 165, 144, 145, 356, 143, 196, 358, 194,
    175, 176, 359, 178, 179, 180, 360, 182, 174, 366, 119, 362, 363, 364, 369, 76, 77, 80, 81, 370,
    185, 184, 371, 19, 20, 372, 26, 27, 25, 64, 63, 373, 374, 13, 376, 12, 57, 377, 56, 104,
    103, 379, 378, 131, 130, 195, 380, 106, 140, 361, 22, 381, 382, 59, 60, 383, 365, 384, 141, 142,
    23, 385, 58, 386, 14, 387, 132, 388, 48, 391, 355, 392, 166, 395, 396, 397, 357, 203, 199, 200,
    398, 399, 400, 401, 183, 402, 403, 404, 405, 406, 407, 408, 409, 275, 276, 410, 411, 412, 413, 279,
    414, 207, 208, 205, 206, 415, 210, 211, 416, 417, 418, 419, 420, 424, 422, 426, 427, 431, 429, 435,
    433, 425, 437, 441, 439, 445, 443, 423, 447, 428, 449, 440, 451, 450, 453, 421, 434, 438, 446, 456,
    457, 452, 455, 448, 444, 442, 436, 454, 430, 432, 240, 263, 264, 458, 272, 459, 460, 389, 390, 394,
    281, 282, 461, 462, 393, 464, 2, 3, 4, 1, 287, 380, 3, 191, 186, 296, 297, 300, 3, 287,
    159, 158, -1, 4, 288, 149, 287, -1, 4, 289, 287, 152, -1, 2, 290, 187, 79, -1, 4, 291,
    184, 290, -1, 4, 291, 290, 291, -1, 4, 292, 25, 28, -1, 4, 292, 28, 292, -1, 4, 293,
    63, 66, -1, 4, 293, 66, 293, -1, 2, 294, 195, 61, -1, 2, 295, 108, 17, -1, 2, 294,
    135, 294, -1, 2, 295, 293, 295, -1, 2, 294, 292, 294, -1, 2, 295, 291, 295, -1, 2, 295,
    294, 295, -1, 5, 294, 296, 122, -1, 4, 291, 294, 137, -1, 4, 292, 294, 138, -1, 4, 293,
    141, 297, -1, 3, 298, 82, 83, -1, 4, 299, 297, 23, -1, 4, 301, 14, 300, -1, 4, 302,
    297, 58, -1, 4, 303, 294, 294, -1, 4, 304, 300, 132, -1, 4, 304, 303, 304, -1, 4, 305,
    297, 142, -1, 4, 290, 184, 290, -1, 4, 306, 25, 28, -1, 4, 307, 63, 66, -1, 4, 308,
    294, 133, -1, 4, 294, 294, 134, -1, 4, 309, 297, 104, -1, 4, 310, 300, 57, -1, 4, 311,
    297, 13, -1, 4, 312, 297, 131, -1, 4, 312, 303, 312, -1, 2, 313, 306, 307, -1, 2, 313,
    290, 313, -1, 5, 314, 296, 48, -1, 5, 315, 296, 47, -1, 4, 316, 314, 315, -1, 5, 317,
    296, 166, -1, 5, 318, 296, 165, -1, 4, 319, 317, 318, -1, 4, 320, 184, 185, -1, 4, 317,
    196, 317, -1, 4, 317, 318, 317, -1, 4, 321, 185, 290, -1, 4, 322, 184, 185, -1, 4, 322,
    185, 322, -1, 4, 323, 195, 297, -1, 3, 324, 61, 62, -1, 3, 325, 108, 109, -1, 3, 326,
    135, 136, -1, 3, 327, 18, 17, -1, 4, 328, 319, 282, -1, 4, 329, 195, 300, -1, 4, 330,
    316, 324, -1, 3, 331, 209, 204, -1, 4, 331, 331, 331, -1, 2, 332, 214, 228, -1, 6, 332,
    332, -1, -1, 3, 333, 227, 228, -1, 5, 333, 249, 333, -1, 2, 334, 214, 229, -1, 6, 334,
    334, -1, -1, 3, 335, 229, 230, -1, 5, 335, 252, 335, -1, 2, 336, 214, 238, -1, 6, 336,
    336, -1, -1, 3, 337, 237, 238, -1, 3, 338, 259, 260, -1, 3, 339, 238, 239, -1, 3, 340,
    260, 261, -1, 5, 337, 338, 337, -1, 5, 339, 340, 339, -1, 3, 339, 337, 339, -1, 2, 340,
    214, 221, -1, 6, 340, 340, -1, -1, 3, 338, 220, 221, -1, 3, 341, 242, 243, -1, 3, 342,
    221, 222, -1, 3, 343, 243, 244, -1, 5, 338, 341, 338, -1, 5, 342, 343, 342, -1, 3, 343,
    338, 342, -1, 2, 341, 214, 226, -1, 6, 341, 341, -1, -1, 3, 344, 225, 226, -1, 3, 345,
    247, 248, -1, 3, 346, 226, 227, -1, 3, 347, 248, 249, -1, 5, 344, 345, 344, -1, 5, 346,
    347, 346, -1, 3, 347, 344, 346, -1, 2, 345, 214, 237, -1, 6, 345, 345, -1, -1, 3, 348,
    236, 237, -1, 3, 349, 258, 259, -1, 5, 348, 349, 348, -1, 3, 337, 348, 337, -1, 2, 349,
    214, 232, -1, 6, 349, 349, -1, -1, 3, 350, 231, 232, -1, 3, 351, 253, 254, -1, 3, 352,
    232, 233, -1, 3, 353, 254, 255, -1, 5, 350, 351, 350, -1, 5, 352, 353, 352, -1, 3, 353,
    350, 352, -1, 2, 351, 214, 223, -1, 6, 351, 351, -1, -1, 3, 354, 222, 223, -1, 3, 355,
    244, 245, -1, 3, 356, 223, 224, -1, 3, 357, 245, 246, -1, 5, 354, 355, 354, -1, 5, 356,
    357, 356, -1, 3, 357, 354, 356, -1, 2, 355, 214, 225, -1, 6, 355, 355, -1, -1, 3, 358,
    224, 225, -1, 3, 359, 246, 247, -1, 5, 358, 359, 358, -1, 3, 344, 358, 344, -1, 2, 359,
    214, 222, -1, 6, 359, 359, -1, -1, 3, 354, 342, 354, -1, 2, 342, 214, 224, -1, 6, 342,
    342, -1, -1, 3, 358, 356, 358, -1, 2, 356, 214, 230, -1, 6, 356, 356, -1, -1, 3, 360,
    230, 231, -1, 3, 361, 252, 253, -1, 5, 360, 361, 360, -1, 2, 361, 335, 360, -1, 2, 362,
    214, 220, -1, 6, 362, 362, -1, -1, 3, 363, 219, 220, -1, 3, 364, 241, 242, -1, 5, 363,
    364, 363, -1, 3, 338, 363, 338, -1, 2, 364, 214, 233, -1, 6, 364, 364, -1, -1, 3, 365,
    233, 234, -1, 3, 366, 255, 256, -1, 5, 365, 366, 365, -1, 3, 352, 352, 365, -1, 2, 366,
    214, 227, -1, 6, 366, 366, -1, -1, 3, 346, 333, 346, -1, 2, 367, 214, 231, -1, 6, 367,
    367, -1, -1, 3, 350, 360, 350, -1, 2, 360, 214, 234, -1, 6, 360, 360, -1, -1, 3, 368,
    234, 235, -1, 3, 369, 256, 257, -1, 5, 368, 369, 368, -1, 3, 365, 365, 368, -1, 2, 369,
    214, 236, -1, 6, 369, 369, -1, -1, 3, 370, 235, 236, -1, 3, 371, 257, 258, -1, 5, 370,
    371, 370, -1, 3, 348, 370, 348, -1, 2, 371, 214, 219, -1, 6, 371, 371, -1, -1, 3, 372,
    218, 219, -1, 3, 373, 240, 241, -1, 5, 372, 373, 372, -1, 3, 363, 372, 363, -1, 2, 373,
    214, 235, -1, 6, 373, 373, -1, -1, 3, 370, 368, 370, -1, 2, 368, 214, 218, -1, 3, 374,
    267, 262, -1, 4, 374, 374, 374, -1, 2, 375, 275, 277, -1, 4, 376, 300, 104, -1, 4, 314,
    119, 314, -1, 4, 314, 315, 314, -1, 4, 315, 143, 300, -1, 4, 377, 143, 297, -1, 2, 378,
    25, 63, -1, 2, 379, 143, 184, -1, 2, 379, 378, 379, -1, 38, 39, 10, 42, 43, 156, 157,
    161, 44, 46, 47, 148, 160, 288, 151, 289, 162, 163, 164, 165, 149, 152, 144, 145, 158, 143, 196,
    159, 194, 175, 176, 178, 179, 180, 182, 174, 295, 119, 291, 292, 293, 146, 76, 77, 80, 81, 298,
    185, 184, 198, 19, 20, 299, 26, 27, 25, 64, 63, 177, 181, 13, 301, 12, 57, 302, 56, 104,
    103, 304, 303, 131, 130, 195, 305, 106, 140, 290, 22, 306, 307, 308, 294, 309, 141, 142, 23, 310,
    58, 311, 14, 312, 132, 313, 48, 316, 166, 167, 319, 320, 317, 203, 199, 200, 201, 321, 183, 322,
    323, 324, 325, 326, 327, 287, 318, 278, 279, 280, 328, 329, 282, 330, 207, 208, 205, 206, 331, 210,
    211, 332, 333, 334, 335, 336, 339, 340, 343, 341, 347, 345, 337, 349, 353, 351, 357, 355, 344, 359,
    354, 342, 358, 356, 361, 362, 338, 364, 352, 366, 346, 367, 350, 360, 365, 369, 348, 371, 363, 373,
    370, 368, 372, 240, 265, 266, 263, 264, 374, 275, 375, 376, 314, 315, 377, 284, 285, 286, 379, 1,
    888, 947, 3, 70, 103, 889, 895, 910, 4, 888, 846, 849, -1, 4, 890, 888, 889, -1, 3, 891,
    216, 228, -1, 3, 892, 217, 229, -1, 4, 893, 859, 862, -1, 4, 894, 889, 893, -1, 5, 896,
    895, 261, -1, 4, 897, 896, 866, -1, 4, 898, 896, 867, -1, 4, 899, 896, 896, -1, 2, 900,
    839, 869, -1, 2, 900, 852, 900, -1, 4, 901, 896, 873, -1, 4, 902, 846, 851, -1, 4, 903,
    859, 864, -1, 2, 904, 260, 868, -1, 4, 905, 865, 904, -1, 4, 906, 865, 904, -1, 4, 906,
    904, 906, -1, 2, 904, 844, 874, -1, 2, 904, 857, 904, -1, 2, 904, 906, 904, -1, 4, 906,
    204, 904, -1, 4, 907, 846, 850, -1, 4, 908, 889, 907, -1, 4, 909, 859, 863, -1, 4, 911,
    909, 910, -1, 4, 904, 904, 206, -1, 4, 912, 889, 870, -1, 4, 912, 899, 912, -1, 4, 913,
    840, 889, -1, 4, 914, 853, 910, -1, 4, 915, 905, 204, -1, 4, 916, 905, 206, -1, 5, 917,
    895, 238, -1, 4, 918, 903, 917, -1, 4, 919, 855, 917, -1, 4, 920, 258, 917, -1, 4, 921,
    909, 917, -1, 4, 922, 893, 917, -1, 4, 923, 839, 910, -1, 4, 924, 859, 917, -1, 3, 925,
    857, 858, -1, 4, 926, 917, 917, -1, 4, 927, 925, 926, -1, 3, 928, 874, 875, -1, 3, 929,
    845, 844, -1, 4, 930, 258, 926, -1, 4, 931, 889, 853, -1, 4, 931, 917, 931, -1, 4, 932,
    840, 910, -1, 4, 933, 855, 926, -1, 4, 926, 859, 926, -1, 4, 925, 917, 925, -1, 4, 934,
    889, 204, -1, 4, 935, 889, 206, -1, 4, 936, 896, 0, -1, 4, 937, 896, 1, -1, 4, 938,
    206, 2, -1, 4, 939, 204, 2, -1, 3, 940, 939, 3, -1, 2, 941, 3, 115, -1, 3, 941,
    941, 939, -1, 4, 942, 896, 269, -1, 4, 896, 896, 270, -1, 4, 943, 206, 271, -1, 4, 944,
    204, 271, -1, 3, 945, 944, 272, -1, 2, 946, 272, 384, -1, 3, 946, 946, 944, -1, 840, 890,
    231, 891, 892, 234, 236, 853, 894, 258, 255, 897, 898, 228, 865, 899, 870, 900, 198, 901, 842, 902,
    855, 903, 905, 204, 906, 908, 911, 229, 200, 206, 904, 912, 913, 888, 907, 914, 893, 909, 846, 859,
    915, 916, 238, 918, 919, 920, 921, 922, 852, 917, 869, 923, 924, 927, 928, 929, 930, 878, 931, 932,
    839, 933, 926, 864, 925, 862, 863, 934, 935, 936, 937, 217, 216, 938, 940, 4, 16, 20, 939, 941,
    123, 28, 19, 942, 896, 943, 945, 273, 285, 289, 944, 946, 392, 297, 288, 647, 648, 564, 833, 834,
    750, 1, 901, 909, 2, 10, 16, 906, 907, 2, 901, 896, 897, -1, 2, 902, 897, 895, -1, 2,
    903, 896, 895, -1, 2, 904, 652, 838, -1, 2, 905, 865, 891, -1, 2, 904, 905, 904, -1, 2,
    905, 197, 466, -1, 2, 904, 905, 904, -1, 4, 905, 890, 906, -1, 4, 908, 890, 907, -1, 901,
    899, 898, 894, 902, 900, 893, 903, 904, 897, 896, 892, 895, 905, 908, 890};
inline constexpr double hmmwv_plan_constants[] = {
    1, 2, -2, 1,
    2, -2, 2, 1,
    -2, -2, 2};
inline constexpr double hmmwv_parameters[] = {
    0.069602775186155208, -0.19943699999999998, 0.50791635239668942, 1.6490759944332658,
    -0.92516742517705408, 0.47942499999999993, -0.11811000000000001, 0.30708600000000003,
    0.46184819999999999, 0.22009100000000001, 1.4659581988371098, 0.076173921236632039,
    -1, 0.084491769775934381, -0.04740171669233343, -0.37658772237804022,
    -0.3760944013704578, -0.019269507094808763, 0.92638096232280176, 0.99869002365646109,
    -0.051168707713378149, 3.4221748409006101, 0.10130449509510504, -0.43750754750349291,
    -1, 0.045575652968890858, -0.097245843802782089, 1.649732739926393,
    91.555000000000007, 0.14610591896830599, 1.6483186368550351, -1.0022588713521694,
    0.08168385529483313, -0.16851202162274947, -0.050263494473310993, 0.070081757396769875,
    -0.36902473264703034, 0.91043979574434653, -0.0095618591872316284, 4.6267094780010032,
    0.088329219887309615, 18.698662943340739, 0.3410738453501822, -2.906203794486141,
    -0.00028566003824992496, 0.92369639999999997, -0.012818091395652721, 0.23609299999999994,
    -0.046608999999999998, 0.49778919999999999, 0.3231388, 0,
    -0.093130845302751286, 2, 0.014781797147513806, 5.265564018000001,
    -1.2971430750000001, 0.61417200000000005, 0.17053722236743454, 4.4741982443280426e-07,
    2, 0.093130845302751314, 2, 0.98102243984330861,
    0.1866244782140436, 0.79070180151686442, 0.82948976616598025, 0.89291808581098941,
    0.0094700890306697837, 6.8929386017980305e-08, 0.0099199999999999983, 0.0054573447158599532,
    0.0061073447158599527, 0.079393558862819985, 15.535307021716218, 0.06158911731999038,
    0.063096458130993502, 0.00033749999999999059, 0.44018200000000002, 0.00019944647140824272,
    1.5834280000000001, 3.5825524, 1.688965, 3.2893340000000002,
    3.5757452000000001, -0.0009702602732854878, -4.5650524695150553e-08, -0.024412198527227279,
    -0.0020962974642268232, 0.010914689431719906, 0.46184819999999999, 0.22009100000000001,
    0.30708600000000003, -0.018940178061339567, 3.4464693008990152e-08, 1.5814036030337288,
    -0.41474488308299012, 1.9136116935251009, -0.0025552619832951719, 10.447631600000001,
    0.3410738453501822, -2.9319163976742195, 0.00065674549312724393, 0.014781797147513806,
    0.14610591896830599, -6.8353837456311526, 0.3502165283562394, -0.18626169060550257,
    -0.00075735757823066296, 6.6929521545781103, -0.98135623433519992, -0.19196631118353513,
    0.00048239013099588229, -0.0094150943587337169, -0.33364613335340032, -0.00075735757823066296,
    4.9617788950597008, 0.017346708693609984, 0.00067499999999998117, -0.01984,
    -0.012214689431719907, -0.12619291626198698, 1.7858361716219788, -6.8443496818012202,
    -0.24772280527457702, 0.37321744152809705, -0.90906910753039372, 0.0094768672530967761,
    -0.1849656402151009, -50.498584743648728, -0.00067499999999998117, 7.3878199999999978,
    0.058169221329856517, 0.23609299999999994, -0.046608999999999998, 0.50977799999999995,
    0.19748499999999999, 4.6337971839998667e-05, 0.33879091383712756, 167070.94,
    -0.14999999999999999, 99999.999999999913, -0.29999999999999999, -99999.999999999913,
    -0.12, 99999.999999999884, -0.30199999999999999, 0,
    -0.32999999999999996, -99999.999999999913, -0.099999999999999978, 10750000.00000002,
    -0.30399999999999999, -3.4924596548080444e-10, -0.14199999999999999, 0,
    -0.308, 0, -0.13, 49999.999999999534,
    -0.32000000000000001, -50000, -0.14399999999999999, 0,
    -0.14599999999999999, 0, -0.10999999999999999, 199999.99999999983,
    -0.13999999999999999, 50000.000000000378, -0.34999999999999998, -10750000.000000006,
    -0.14799999999999999, 0, -0.31, -50000.000000000116,
    -0.30599999999999999, 3.4924596548080444e-10, -0.33999999999999997, -199999.99999999994,
    0.089999999999999997, 11250000.00000002, -125000, 0.49778919999999999,
    0.3231388, 4.6337971839998667e-05, -12521.564, 9938.4440000000013,
    -0.010914689431719906, -1, -2.3938643653776102, 2.5873366725207916,
    0.053996317425467608, -0.12874795831077443, 1.6501132476530034, -0.020244686427495287,
    0.0010372532197376158, 97.555000000000007, 0.069602775186155208, 0.69743699999999997,
    0.50791635239668942, 1.6490759944332658, -0.92516742517705408, -0.47942499999999993,
    -0.11811000000000001, -0.30708600000000003, -0.46184819999999999, 0.22009100000000001,
    1.4659581988371098, 0.076173921236632039, 1, 0.084491769775934381,
    -0.04740171669233343, 0.37658772237804022, 0.3760944013704578, 0.019269507094808763,
    0.92638096232280176, 0.99869002365646109, -0.051168707713378149, 3.4221748409006101,
    0.10130449509510504, -0.43750754750349291, 1, 0.045575652968890858,
    0.097245843802782089, 1.649732739926393, 91.555000000000007, 0.14610591896830599,
    1.6483186368550351, -1.0022588713521694, 0.08168385529483313, 0.16851202162274947,
    -0.050263494473310993, 0.070081757396769875, 0.36902473264703034, 0.91043979574434653,
    0.0095618591872316284, 4.6267094780010032, 0.088329219887309615, 18.698662943340739,
    0.3410738453501822, -2.906203794486141, 0.00028566003824992496, -0.92369639999999997,
    -0.012818091395652721, -0.23609299999999994, -0.046608999999999998, -0.49778919999999999,
    0.3231388, 0, -0.093130845302751286, 2,
    0.014781797147513806, -5.265564018000001, -1.2971430750000001, -0.61417200000000005,
    0.17053722236743454, -4.4741982443280426e-07, 2, 0.093130845302751314,
    2, 0.98102243984330861, -0.1866244782140436, 0.79070180151686442,
    -0.82948976616598025, 0.89291808581098941, 0.0094700890306697837, -6.8929386017980305e-08,
    0.0099199999999999983, 0.0054573447158599532, 0.0061073447158599527, -0.079393558862819985,
    15.535307021716218, 0.06158911731999038, 0.063096458130993502, 0.00033749999999999059,
    0.44018200000000002, 0.00019944647140824272, 1.5834280000000001, 3.5825524,
    1.688965, 3.2893340000000002, 3.5757452000000001, -0.0009702602732854878,
    4.5650524695150553e-08, 0.024412198527227279, -0.0020962974642268232, 0.010914689431719906,
    -0.46184819999999999, 0.22009100000000001, -0.30708600000000003, -0.018940178061339567,
    -3.4464693008990152e-08, 1.5814036030337288, 0.41474488308299012, 1.9136116935251009,
    0.0025552619832951719, 10.447631600000001, 0.3410738453501822, 2.9319163976742195,
    0.00065674549312724393, 0.014781797147513806, 0.14610591896830599, 6.8353837456311526,
    -0.3502165283562394, -0.18626169060550257, -0.00075735757823066296, 6.6929521545781103,
    0.98135623433519992, -0.19196631118353513, -0.00048239013099588229, 0.0094150943587337169,
    -0.33364613335340032, -0.00075735757823066296, 4.9617788950597008, 0.017346708693609984,
    0.00067499999999998117, -0.01984, -0.012214689431719907, -0.12619291626198698,
    1.7858361716219788, 6.8443496818012202, 0.24772280527457702, -0.37321744152809705,
    -0.90906910753039372, -0.0094768672530967761, 0.1849656402151009, 50.498584743648728,
    -0.00067499999999998117, 7.3878199999999978, -0.058169221329856517, -0.23609299999999994,
    -0.046608999999999998, -0.50977799999999995, 0.19748499999999999, 4.6337971839998667e-05,
    0.33879091383712756, 167070.94, -0.14999999999999999, 99999.999999999913,
    -0.29999999999999999, -99999.999999999913, -0.12, 99999.999999999884,
    -0.30199999999999999, 0, -0.32999999999999996, -99999.999999999913,
    -0.099999999999999978, 10750000.00000002, -0.30399999999999999, -3.4924596548080444e-10,
    -0.14199999999999999, 0, -0.308, 0,
    -0.13, 49999.999999999534, -0.32000000000000001, -50000,
    -0.14399999999999999, 0, -0.14599999999999999, 0,
    -0.10999999999999999, 199999.99999999983, -0.13999999999999999, 50000.000000000378,
    -0.34999999999999998, -10750000.000000006, -0.14799999999999999, 0,
    -0.31, -50000.000000000116, -0.30599999999999999, 3.4924596548080444e-10,
    -0.33999999999999997, -199999.99999999994, 0.089999999999999997, 11250000.00000002,
    -125000, -0.49778919999999999, 0.3231388, 4.6337971839998667e-05,
    -12521.564, 9938.4440000000013, -0.010914689431719906, 1,
    -2.3938643653776102, -2.5873366725207916, 0.053996317425467608, 0.12874795831077443,
    1.6501132476530034, -0.020244686427495287, 0.0010372532197376158, 97.555000000000007,
    0.47942499999999993, -0.11811000000000001, 0.30708600000000003, 0.46215300000000004,
    0.22567899999999999, 0.47942499999999993, -0.11811000000000001, 0.058673999999999997,
    1.4642516655393767, 0.076599740135784092, -1, -0.38655613694081259,
    0.41605199999999998, 0.17311483922866358, -0.92226587977296215, -0.072558906240612134,
    3.4228582490594008, 0.67956353846836559, -0.48022637209123709, 1,
    0.92226587977296215, -0.38655613694081259, 0.045541170989405987, 0.097234570585196259,
    -1.653405, 91.555000000000007, 0.14607674744853943, -1.4656990000000001,
    -1.0019680166613301, 0.16423030977317732, 0.13160142926938329, 0.071783742595596639,
    0.378095065497418, 0.90696914771391635, 4.6268913642365694, 0.087699657763277428,
    18.757528539899671, 0.3414713548000769, -2.9068021744857044, 0.00027971557122821278,
    0.92430600000000007, 0.071640079741511237, 0.23685499999999998, -0.038379400000000001,
    0.49778919999999999, 0.3231388, 0, -0.091113047081112453,
    2, 0.099268431384079259, 5.2650061069999987, -1.2971430750000001,
    0.61417200000000005, 0.17073578135165696, 4.8907469876735554e-07, 2,
    0.091113047081112383, 2, 0.97760394289613106, -0.1856100389030608,
    0.79056806327627649, 0.82942387129776995, 0.89278434757040148, 0.0094917628340517694,
    1.0992971597436525e-06, 0.0099419999999999994, 0.0052095049067950186, 0.0058595049067950182,
    -0.009354274235932894, 15.554651157601919, 0.062406320664640171, 0.062418537361093145,
    0.00033749999999999059, 0.45135799999999998, -0.00019460517970584806, -1.564632,
    -3.5825524, -1.688965, -3.30681, -3.5757452000000001,
    1.5999094205127942e-05, -0.0017439012683589609, 0.010419009813590037, 0.46215300000000004,
    0.22567899999999999, 0.30708600000000003, -0.018983525668103539, 5.4964857987182627e-07,
    1.581136126552553, -0.41471193564888498, 1.9414170959358437, 0.00030069058255161328,
    -10.4651076, 0.3414713548000769, -2.9285033310787534, 0.14607674744853943,
    0.099268431384079259, 6.8457164981188017, -0.18222609416222491, 1,
    5.831160478016514, 0.96351744248566418, -0.26628365818214317, -0.026965745141196408,
    0.32641726549175243, 4.9617740801219972, 0.016603174696810028, 0.00067499999999998117,
    -0.019883999999999999, -0.011719009813590035, -0.12483707472218626, 1.785568695140803,
    0.18770599999999993, 1, 0.38283058999307618, 0.90533404267744433,
    -0.18387770537742845, 50.574921259132061, -0.00067499999999998117, 7.3878200000000023,
    0.058230360235169927, 0.23609299999999994, -0.046608999999999998, 0.50157379999999996,
    0.25648919999999997, 4.6337971839998667e-05, 0.35903274578446226, 369167.22999999998,
    -0.14999999999999999, 99999.999999999913, -0.34999999999999998, -100000,
    -0.39999999999999997, -10750000.000000006, -0.12, 99999.999999999884,
    -0.14599999999999999, 0, -0.38999999999999996, -199999.99999999994,
    -0.35599999999999998, 0, -0.13999999999999999, 50000.000000000378,
    -0.14399999999999999, 0, -0.13, 49999.999999999534,
    -0.14199999999999999, 0, -0.35199999999999998, 0,
    -0.10999999999999999, 199999.99999999983, -0.35799999999999998, 0,
    -0.14799999999999999, 0, -0.35399999999999998, 0,
    -0.35999999999999999, -50000, -0.38, -99999.999999999913,
    -0.099999999999999978, 10750000.000000052, -0.37, -50000.000000000029,
    0.090000000000000024, 11250000.000000052, -125000, 0.23685499999999998,
    -0.038379400000000001, 0.49778919999999999, 0.3231388, 4.6337971839998667e-05,
    -14535.522000000001, 20489.831999999999, -0.010419009813590037, -1,
    -183.11000000000001, 183.11000000000001, 0.053958639565245728, 0.12873734869099526,
    0.064203056074310205, 97.555000000000007, -0.47942499999999993, -0.11811000000000001,
    -0.30708600000000003, -0.46215300000000004, 0.22567899999999999, -0.47942499999999993,
    -0.11811000000000001, 0.058673999999999997, 1.4642516655393767, 0.076599740135784092,
    1, 0.38655613694081259, -0.41605199999999998, 0.17311483922866358,
    -0.92226587977296215, 0.072558906240612134, 3.4228582490594008, 0.67956353846836559,
    -0.48022637209123709, -1, 0.92226587977296215, 0.38655613694081259,
    0.045541170989405987, -0.097234570585196259, -1.653405, 91.555000000000007,
    0.14607674744853943, -1.4656990000000001, -1.0019680166613301, 0.16423030977317732,
    -0.13160142926938329, 0.071783742595596639, -0.378095065497418, 0.90696914771391635,
    4.6268913642365694, 0.087699657763277428, 18.757528539899671, 0.3414713548000769,
    -2.9068021744857044, -0.00027971557122821278, -0.92430600000000007, 0.071640079741511237,
    -0.23685499999999998, -0.038379400000000001, -0.49778919999999999, 0.3231388,
    0, -0.091113047081112453, 2, 0.099268431384079259,
    -5.2650061069999987, -1.2971430750000001, -0.61417200000000005, 0.17073578135165696,
    -4.8907469876735554e-07, 2, 0.091113047081112383, 2,
    0.97760394289613106, 0.1856100389030608, 0.79056806327627649, -0.82942387129776995,
    0.89278434757040148, 0.0094917628340517694, -1.0992971597436525e-06, 0.0099419999999999994,
    0.0052095049067950186, 0.0058595049067950182, 0.009354274235932894, 15.554651157601919,
    0.062406320664640171, 0.062418537361093145, 0.00033749999999999059, 0.45135799999999998,
    -0.00019460517970584806, -1.564632, -3.5825524, -1.688965,
    -3.30681, -3.5757452000000001, 1.5999094205127942e-05, 0.0017439012683589609,
    0.010419009813590037, -0.46215300000000004, 0.22567899999999999, -0.30708600000000003,
    -0.018983525668103539, -5.4964857987182627e-07, 1.581136126552553, 0.41471193564888498,
    1.9414170959358437, -0.00030069058255161328, -10.4651076, 0.3414713548000769,
    2.9285033310787534, 0.14607674744853943, 0.099268431384079259, -6.8457164981188017,
    -0.18222609416222491, -1, 5.831160478016514, -0.96351744248566418,
    -0.26628365818214317, 0.026965745141196408, 0.32641726549175243, 4.9617740801219972,
    0.016603174696810028, 0.00067499999999998117, -0.019883999999999999, -0.011719009813590035,
    -0.12483707472218626, 1.785568695140803, 0.18770599999999993, -1,
    -0.38283058999307618, 0.90533404267744433, 0.18387770537742845, -50.574921259132061,
    -0.00067499999999998117, 7.3878200000000023, -0.058230360235169927, -0.23609299999999994,
    -0.046608999999999998, -0.50157379999999996, 0.25648919999999997, 4.6337971839998667e-05,
    0.35903274578446226, 369167.22999999998, -0.14999999999999999, 99999.999999999913,
    -0.34999999999999998, -100000, -0.39999999999999997, -10750000.000000006,
    -0.12, 99999.999999999884, -0.14599999999999999, 0,
    -0.38999999999999996, -199999.99999999994, -0.35599999999999998, 0,
    -0.13999999999999999, 50000.000000000378, -0.14399999999999999, 0,
    -0.13, 49999.999999999534, -0.14199999999999999, 0,
    -0.35199999999999998, 0, -0.10999999999999999, 199999.99999999983,
    -0.35799999999999998, 0, -0.14799999999999999, 0,
    -0.35399999999999998, 0, -0.35999999999999999, -50000,
    -0.38, -99999.999999999913, -0.099999999999999978, 10750000.000000052,
    -0.37, -50000.000000000029, 0.090000000000000024, 11250000.000000052,
    -125000, -0.23685499999999998, -0.038379400000000001, -0.49778919999999999,
    0.3231388, 4.6337971839998667e-05, -14535.522000000001, 20489.831999999999,
    -0.010419009813590037, 1, -183.11000000000001, 183.11000000000001,
    0.053958639565245728, -0.12873734869099526, 0.064203056074310205, 97.555000000000007,
    0.0038770393712209456, 0.23594660222969088, 0.12899999865975631, 0,
    0.57400000000000007, 3.8759690325173906, -1.2125387736278219, 0.0044063267825031026,
    0.23778994645928303, 0.12899999865975623, 0.12899999865975631, -0.56620209059233451,
    0.075152891366460056, 1.1484940420188734, 9.6809999999999974, 3.0351224368391017,
    0.72259611313715599, 0.74434699208056765, 0.94832365530733398, 0.0046454000392828366,
    6.1957914458299117e-11, 0.050448254224274271, -1.3755291865952901e-11, 0.050842383735115224,
    4.8553255559028736, 0.31730465610283254, 0.77492677794904119, 0.051154557016176105,
    0.067289624300895579, -0.32500000000000001, -0.31730465610283254, 0.94832365530733398,
    2.3160120109362912, 4.386335351510616, 0.0077540787424418911, 0.11797330111484544,
    0.025577278508088053, -0.0088126535650062052, 0.11889497322964152, -0.033644812150447789,
    0.10271999400838576, 0.10352249892445474, 1.5406174057830555, 4.6044200788809269,
    0.12899999865975623, 0.39412700979334492, -1.0663017061134359e-10, 1,
    -0.26081250000000095, 0.92166646872014935, 0.0044966080325031035, 7.7519380650347811,
    0.73581334467684367, -0.0080740787424418911, 0.80250000000000288, -0.54042522996670905,
    -1.4716266893536873, 0.0080740787424418894, 7.7519380650347811, 12,
    0.06831514462453607, -0.0077540787424418911, 0.0040370393712209456, -8.2659047844322748e-10,
    6.2209302971904341, 0.49112399974248416, -0.069714853941403906, 1.1484940420188736,
    -0.32500000000000001, 0.63460931220566508, 1.896647310614668, 0.12125919021978258,
    -0.34745121951219504, 0.249, 1.1484940420188734, 0.48166909189519647,
    -1.4879117709070291, -0.92516742517705408, -0.3760944013704578, -0.051168707713378149,
    0.16116422352623663, 1.4871544133287984, -6.8443496818012202, 91.555000000000007,
    0.99869002365646109, 0.12125919021978258, 1.215047038327526, 0.48166909189519647,
    -1.4879117709070291, -0.92516742517705408, 0.3760944013704578, -0.051168707713378149,
    0.16116422352623663, 1.4871544133287984, 6.8443496818012202, 91.555000000000007,
    0.99869002365646109, -183.11000000000001, 183.11000000000001, 6.8457164981188017,
    -183.11000000000001, 183.11000000000001, -6.8457164981188017, 1186.2402417217593,
    24.569264796707159, 0.52945594810581886, 448.30495185691632, 3355.3077741897655,
    0.02981760941735289, 0.39964550991000092, 3886.7489600815516, 2597.1380000000013,
    327.39952791498655, 858.84071380677278, 110.16946823287221, 3027.9082462747788,
    19.620000000000001, -19.620000000000001, -9.8100000000000005, 0.069602775186155208,
    0.069602775186155208, -0.19943699999999998, 0.69743699999999997, 0.50791635239668942,
    0.50791635239668942, 1.6490759944332658, 1.6490759944332658, -0.92516742517705408,
    -0.92516742517705408, 0.47942499999999993, -0.47942499999999993, -0.11811000000000001,
    -0.11811000000000001, 0.30708600000000003, -0.30708600000000003, 0.46184819999999999,
    -0.46184819999999999, 0.22009100000000001, 0.22009100000000001, 1.4659581988371098,
    1.4659581988371098, 0.076173921236632039, 0.076173921236632039, -1,
    1, 0.084491769775934381, 0.084491769775934381, -0.04740171669233343,
    -0.04740171669233343, -0.37658772237804022, 0.37658772237804022, -0.3760944013704578,
    0.3760944013704578, -0.019269507094808763, 0.019269507094808763, 0.92638096232280176,
    0.92638096232280176, 0.99869002365646109, 0.99869002365646109, -0.051168707713378149,
    -0.051168707713378149, 3.4221748409006101, 3.4221748409006101, 0.10130449509510504,
    0.10130449509510504, -0.43750754750349291, -0.43750754750349291, -1,
    1, 0.045575652968890858, 0.045575652968890858, -0.097245843802782089,
    0.097245843802782089, 1.649732739926393, 1.649732739926393, 91.555000000000007,
    91.555000000000007, 0.14610591896830599, 0.14610591896830599, 1.6483186368550351,
    1.6483186368550351, -1.0022588713521694, -1.0022588713521694, 0.08168385529483313,
    0.08168385529483313, -0.16851202162274947, 0.16851202162274947, -0.050263494473310993,
    -0.050263494473310993, 0.070081757396769875, 0.070081757396769875, -0.36902473264703034,
    0.36902473264703034, 0.91043979574434653, 0.91043979574434653, -0.0095618591872316284,
    0.0095618591872316284, 4.6267094780010032, 4.6267094780010032, 0.088329219887309615,
    0.088329219887309615, 18.698662943340739, 18.698662943340739, 0.3410738453501822,
    0.3410738453501822, -2.906203794486141, -2.906203794486141, -0.00028566003824992496,
    0.00028566003824992496, 0.92369639999999997, -0.92369639999999997, -0.012818091395652721,
    -0.012818091395652721, 0.23609299999999994, -0.23609299999999994, -0.046608999999999998,
    -0.046608999999999998, 0.49778919999999999, -0.49778919999999999, 0.3231388,
    0.3231388, 0, 0, -0.093130845302751286,
    -0.093130845302751286, 2, 2, 0.014781797147513806,
    0.014781797147513806, 5.265564018000001, -5.265564018000001, -1.2971430750000001,
    -1.2971430750000001, 0.61417200000000005, -0.61417200000000005, 0.17053722236743454,
    0.17053722236743454, 4.4741982443280426e-07, -4.4741982443280426e-07, 2,
    2, 0.093130845302751314, 0.093130845302751314, 2,
    2, 0.98102243984330861, 0.98102243984330861, 0.1866244782140436,
    -0.1866244782140436, 0.79070180151686442, 0.79070180151686442, 0.82948976616598025,
    -0.82948976616598025, 0.89291808581098941, 0.89291808581098941, 0.0094700890306697837,
    0.0094700890306697837, 6.8929386017980305e-08, -6.8929386017980305e-08, 0.0099199999999999983,
    0.0099199999999999983, 0.0054573447158599532, 0.0054573447158599532, 0.0061073447158599527,
    0.0061073447158599527, 0.079393558862819985, -0.079393558862819985, 15.535307021716218,
    15.535307021716218, 0.06158911731999038, 0.06158911731999038, 0.063096458130993502,
    0.063096458130993502, 0.00033749999999999059, 0.00033749999999999059, 0.44018200000000002,
    0.44018200000000002, 0.00019944647140824272, 0.00019944647140824272, 1.5834280000000001,
    1.5834280000000001, 3.5825524, 3.5825524, 1.688965,
    1.688965, 3.2893340000000002, 3.2893340000000002, 3.5757452000000001,
    3.5757452000000001, -0.0009702602732854878, -0.0009702602732854878, -4.5650524695150553e-08,
    4.5650524695150553e-08, -0.024412198527227279, 0.024412198527227279, -0.0020962974642268232,
    -0.0020962974642268232, 0.010914689431719906, 0.010914689431719906, 0.46184819999999999,
    -0.46184819999999999, 0.22009100000000001, 0.22009100000000001, 0.30708600000000003,
    -0.30708600000000003, -0.018940178061339567, -0.018940178061339567, 3.4464693008990152e-08,
    -3.4464693008990152e-08, 1.5814036030337288, 1.5814036030337288, -0.41474488308299012,
    0.41474488308299012, 1.9136116935251009, 1.9136116935251009, -0.0025552619832951719,
    0.0025552619832951719, 10.447631600000001, 10.447631600000001, 0.3410738453501822,
    0.3410738453501822, -2.9319163976742195, 2.9319163976742195, 0.00065674549312724393,
    0.00065674549312724393, 0.014781797147513806, 0.014781797147513806, 0.14610591896830599,
    0.14610591896830599, -6.8353837456311526, 6.8353837456311526, 0.3502165283562394,
    -0.3502165283562394, -0.18626169060550257, -0.18626169060550257, -0.00075735757823066296,
    -0.00075735757823066296, 6.6929521545781103, 6.6929521545781103, -0.98135623433519992,
    0.98135623433519992, -0.19196631118353513, -0.19196631118353513, 0.00048239013099588229,
    -0.00048239013099588229, -0.0094150943587337169, 0.0094150943587337169, -0.33364613335340032,
    -0.33364613335340032, -0.00075735757823066296, -0.00075735757823066296, 4.9617788950597008,
    4.9617788950597008, 0.017346708693609984, 0.017346708693609984, 0.00067499999999998117,
    0.00067499999999998117, -0.01984, -0.01984, -0.012214689431719907,
    -0.012214689431719907, -0.12619291626198698, -0.12619291626198698, 1.7858361716219788,
    1.7858361716219788, -6.8443496818012202, 6.8443496818012202, -0.24772280527457702,
    0.24772280527457702, 0.37321744152809705, -0.37321744152809705, -0.90906910753039372,
    -0.90906910753039372, 0.0094768672530967761, -0.0094768672530967761, -0.1849656402151009,
    0.1849656402151009, -50.498584743648728, 50.498584743648728, -0.00067499999999998117,
    -0.00067499999999998117, 7.3878199999999978, 7.3878199999999978, 0.058169221329856517,
    -0.058169221329856517, 0.23609299999999994, -0.23609299999999994, -0.046608999999999998,
    -0.046608999999999998, 0.50977799999999995, -0.50977799999999995, 0.19748499999999999,
    0.19748499999999999, 4.6337971839998667e-05, 4.6337971839998667e-05, 0.33879091383712756,
    0.33879091383712756, 167070.94, 167070.94, -0.14999999999999999,
    -0.14999999999999999, 99999.999999999913, 99999.999999999913, -0.29999999999999999,
    -0.29999999999999999, -99999.999999999913, -99999.999999999913, -0.12,
    -0.12, 99999.999999999884, 99999.999999999884, -0.30199999999999999,
    -0.30199999999999999, 0, 0, -0.32999999999999996,
    -0.32999999999999996, -99999.999999999913, -99999.999999999913, -0.099999999999999978,
    -0.099999999999999978, 10750000.00000002, 10750000.00000002, -0.30399999999999999,
    -0.30399999999999999, -3.4924596548080444e-10, -3.4924596548080444e-10, -0.14199999999999999,
    -0.14199999999999999, 0, 0, -0.308,
    -0.308, 0, 0, -0.13,
    -0.13, 49999.999999999534, 49999.999999999534, -0.32000000000000001,
    -0.32000000000000001, -50000, -50000, -0.14399999999999999,
    -0.14399999999999999, 0, 0, -0.14599999999999999,
    -0.14599999999999999, 0, 0, -0.10999999999999999,
    -0.10999999999999999, 199999.99999999983, 199999.99999999983, -0.13999999999999999,
    -0.13999999999999999, 50000.000000000378, 50000.000000000378, -0.34999999999999998,
    -0.34999999999999998, -10750000.000000006, -10750000.000000006, -0.14799999999999999,
    -0.14799999999999999, 0, 0, -0.31,
    -0.31, -50000.000000000116, -50000.000000000116, -0.30599999999999999,
    -0.30599999999999999, 3.4924596548080444e-10, 3.4924596548080444e-10, -0.33999999999999997,
    -0.33999999999999997, -199999.99999999994, -199999.99999999994, 0.089999999999999997,
    0.089999999999999997, 11250000.00000002, 11250000.00000002, -125000,
    -125000, 0.49778919999999999, -0.49778919999999999, 0.3231388,
    0.3231388, 4.6337971839998667e-05, 4.6337971839998667e-05, -12521.564,
    -12521.564, 9938.4440000000013, 9938.4440000000013, -0.010914689431719906,
    -0.010914689431719906, -1, 1, -2.3938643653776102,
    -2.3938643653776102, 2.5873366725207916, -2.5873366725207916, 0.053996317425467608,
    0.053996317425467608, -0.12874795831077443, 0.12874795831077443, 1.6501132476530034,
    1.6501132476530034, -0.020244686427495287, -0.020244686427495287, 0.0010372532197376158,
    0.0010372532197376158, 97.555000000000007, 97.555000000000007, 0.47942499999999993,
    -0.47942499999999993, -0.11811000000000001, -0.11811000000000001, 0.30708600000000003,
    -0.30708600000000003, 0.46215300000000004, -0.46215300000000004, 0.22567899999999999,
    0.22567899999999999, 0.47942499999999993, -0.47942499999999993, -0.11811000000000001,
    -0.11811000000000001, 0.058673999999999997, 0.058673999999999997, 1.4642516655393767,
    1.4642516655393767, 0.076599740135784092, 0.076599740135784092, -1,
    1, -0.38655613694081259, 0.38655613694081259, 0.41605199999999998,
    -0.41605199999999998, 0.17311483922866358, 0.17311483922866358, -0.92226587977296215,
    -0.92226587977296215, -0.072558906240612134, 0.072558906240612134, 3.4228582490594008,
    3.4228582490594008, 0.67956353846836559, 0.67956353846836559, -0.48022637209123709,
    -0.48022637209123709, 1, -1, 0.92226587977296215,
    0.92226587977296215, -0.38655613694081259, 0.38655613694081259, 0.045541170989405987,
    0.045541170989405987, 0.097234570585196259, -0.097234570585196259, -1.653405,
    -1.653405, 91.555000000000007, 91.555000000000007, 0.14607674744853943,
    0.14607674744853943, -1.4656990000000001, -1.4656990000000001, -1.0019680166613301,
    -1.0019680166613301, 0.16423030977317732, 0.16423030977317732, 0.13160142926938329,
    -0.13160142926938329, 0.071783742595596639, 0.071783742595596639, 0.378095065497418,
    -0.378095065497418, 0.90696914771391635, 0.90696914771391635, 4.6268913642365694,
    4.6268913642365694, 0.087699657763277428, 0.087699657763277428, 18.757528539899671,
    18.757528539899671, 0.3414713548000769, 0.3414713548000769, -2.9068021744857044,
    -2.9068021744857044, 0.00027971557122821278, -0.00027971557122821278, 0.92430600000000007,
    -0.92430600000000007, 0.071640079741511237, 0.071640079741511237, 0.23685499999999998,
    -0.23685499999999998, -0.038379400000000001, -0.038379400000000001, 0.49778919999999999,
    -0.49778919999999999, 0.3231388, 0.3231388, 0,
    0, -0.091113047081112453, -0.091113047081112453, 2,
    2, 0.099268431384079259, 0.099268431384079259, 5.2650061069999987,
    -5.2650061069999987, -1.2971430750000001, -1.2971430750000001, 0.61417200000000005,
    -0.61417200000000005, 0.17073578135165696, 0.17073578135165696, 4.8907469876735554e-07,
    -4.8907469876735554e-07, 2, 2, 0.091113047081112383,
    0.091113047081112383, 2, 2, 0.97760394289613106,
    0.97760394289613106, -0.1856100389030608, 0.1856100389030608, 0.79056806327627649,
    0.79056806327627649, 0.82942387129776995, -0.82942387129776995, 0.89278434757040148,
    0.89278434757040148, 0.0094917628340517694, 0.0094917628340517694, 1.0992971597436525e-06,
    -1.0992971597436525e-06, 0.0099419999999999994, 0.0099419999999999994, 0.0052095049067950186,
    0.0052095049067950186, 0.0058595049067950182, 0.0058595049067950182, -0.009354274235932894,
    0.009354274235932894, 15.554651157601919, 15.554651157601919, 0.062406320664640171,
    0.062406320664640171, 0.062418537361093145, 0.062418537361093145, 0.00033749999999999059,
    0.00033749999999999059, 0.45135799999999998, 0.45135799999999998, -0.00019460517970584806,
    -0.00019460517970584806, -1.564632, -1.564632, -3.5825524,
    -3.5825524, -1.688965, -1.688965, -3.30681,
    -3.30681, -3.5757452000000001, -3.5757452000000001, 1.5999094205127942e-05,
    1.5999094205127942e-05, -0.0017439012683589609, 0.0017439012683589609, 0.010419009813590037,
    0.010419009813590037, 0.46215300000000004, -0.46215300000000004, 0.22567899999999999,
    0.22567899999999999, 0.30708600000000003, -0.30708600000000003, -0.018983525668103539,
    -0.018983525668103539, 5.4964857987182627e-07, -5.4964857987182627e-07, 1.581136126552553,
    1.581136126552553, -0.41471193564888498, 0.41471193564888498, 1.9414170959358437,
    1.9414170959358437, 0.00030069058255161328, -0.00030069058255161328, -10.4651076,
    -10.4651076, 0.3414713548000769, 0.3414713548000769, -2.9285033310787534,
    2.9285033310787534, 0.14607674744853943, 0.14607674744853943, 0.099268431384079259,
    0.099268431384079259, 6.8457164981188017, -6.8457164981188017, -0.18222609416222491,
    -0.18222609416222491, 1, -1, 5.831160478016514,
    5.831160478016514, 0.96351744248566418, -0.96351744248566418, -0.26628365818214317,
    -0.26628365818214317, -0.026965745141196408, 0.026965745141196408, 0.32641726549175243,
    0.32641726549175243, 4.9617740801219972, 4.9617740801219972, 0.016603174696810028,
    0.016603174696810028, 0.00067499999999998117, 0.00067499999999998117, -0.019883999999999999,
    -0.019883999999999999, -0.011719009813590035, -0.011719009813590035, -0.12483707472218626,
    -0.12483707472218626, 1.785568695140803, 1.785568695140803, 0.18770599999999993,
    0.18770599999999993, 1, -1, 0.38283058999307618,
    -0.38283058999307618, 0.90533404267744433, 0.90533404267744433, -0.18387770537742845,
    0.18387770537742845, 50.574921259132061, -50.574921259132061, -0.00067499999999998117,
    -0.00067499999999998117, 7.3878200000000023, 7.3878200000000023, 0.058230360235169927,
    -0.058230360235169927, 0.23609299999999994, -0.23609299999999994, -0.046608999999999998,
    -0.046608999999999998, 0.50157379999999996, -0.50157379999999996, 0.25648919999999997,
    0.25648919999999997, 4.6337971839998667e-05, 4.6337971839998667e-05, 0.35903274578446226,
    0.35903274578446226, 369167.22999999998, 369167.22999999998, -0.14999999999999999,
    -0.14999999999999999, 99999.999999999913, 99999.999999999913, -0.34999999999999998,
    -0.34999999999999998, -100000, -100000, -0.39999999999999997,
    -0.39999999999999997, -10750000.000000006, -10750000.000000006, -0.12,
    -0.12, 99999.999999999884, 99999.999999999884, -0.14599999999999999,
    -0.14599999999999999, 0, 0, -0.38999999999999996,
    -0.38999999999999996, -199999.99999999994, -199999.99999999994, -0.35599999999999998,
    -0.35599999999999998, 0, 0, -0.13999999999999999,
    -0.13999999999999999, 50000.000000000378, 50000.000000000378, -0.14399999999999999,
    -0.14399999999999999, 0, 0, -0.13,
    -0.13, 49999.999999999534, 49999.999999999534, -0.14199999999999999,
    -0.14199999999999999, 0, 0, -0.35199999999999998,
    -0.35199999999999998, 0, 0, -0.10999999999999999,
    -0.10999999999999999, 199999.99999999983, 199999.99999999983, -0.35799999999999998,
    -0.35799999999999998, 0, 0, -0.14799999999999999,
    -0.14799999999999999, 0, 0, -0.35399999999999998,
    -0.35399999999999998, 0, 0, -0.35999999999999999,
    -0.35999999999999999, -50000, -50000, -0.38,
    -0.38, -99999.999999999913, -99999.999999999913, -0.099999999999999978,
    -0.099999999999999978, 10750000.000000052, 10750000.000000052, -0.37,
    -0.37, -50000.000000000029, -50000.000000000029, 0.090000000000000024,
    0.090000000000000024, 11250000.000000052, 11250000.000000052, -125000,
    -125000, 0.23685499999999998, -0.23685499999999998, -0.038379400000000001,
    -0.038379400000000001, 0.49778919999999999, -0.49778919999999999, 0.3231388,
    0.3231388, 4.6337971839998667e-05, 4.6337971839998667e-05, -14535.522000000001,
    -14535.522000000001, 20489.831999999999, 20489.831999999999, -0.010419009813590037,
    -0.010419009813590037, -1, 1, -183.11000000000001,
    -183.11000000000001, 183.11000000000001, 183.11000000000001, 0.053958639565245728,
    0.053958639565245728, 0.12873734869099526, -0.12873734869099526, 0.064203056074310205,
    0.064203056074310205, 97.555000000000007, 97.555000000000007};

inline constexpr int hmmwv_nq = 16;
inline constexpr int hmmwv_nv = 15;
inline constexpr int hmmwv_work_size = 203;
inline constexpr int hmmwv_parameter_count = 1655;

// Of doubles, two corners run in one register unless `pairs` is false.
template <class T, bool pairs = true>
int hmmwv_motion(const T* p, const T* q, const T* v, T* work) {
  T x0[35];
  T x1[35];
  T x2[14];
  T x3[14];
  int status = hmmwv_prologue(p + 768, q, v, work, x0, x1, x2, x3);
  if constexpr (pairs && std::is_same_v<T, double>) {
    status |= run_pair<35, 53>(hmmwv_kernel0<two_doubles>, p + 887, x0, x1, v, work + 23, work + 76);
    status |= run_pair<14, 37>(hmmwv_kernel1<two_doubles>, p + 1283, x2, x3, v, work + 129, work + 166);
  } else {
    status |= hmmwv_kernel0(p + 0, x0, v, work + 23);
    status |= hmmwv_kernel0(p + 198, x1, v, work + 76);
    status |= hmmwv_kernel1(p + 396, x2, v, work + 129);
    status |= hmmwv_kernel1(p + 582, x3, v, work + 166);
  }
  return status;
}

template <class T>
int hmmwv_solve(const T* p, const T* q, const T* v, const T* work, T* a) {
  return hmmwv_epilogue(p + 871, q, v, work, work + 23, work + 76, work + 129, work + 166, a);
}

template <class T, bool pairs = true>
int hmmwv(const T* p, const T* q, const T* v, T* a) {
  T work[hmmwv_work_size];
  const int status = hmmwv_motion<T, pairs>(p, q, v, work);
  return status | hmmwv_solve(p, q, v, work, a);
}

}  // namespace generated
