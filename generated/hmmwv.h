// Accelerations of hmmwv, generated: do not edit.
// camber generate: hmmwv
// 9289 operations in one evaluation, 4 uses of 2 kernels.
#pragma once

namespace generated {

template <class T>
[[gnu::noinline]] int hmmwv_kernel0(const T* p, const T* x, const T* w, T* y);

template <class T>
[[gnu::noinline]] int hmmwv_kernel1(const T* p, const T* x, const T* w, T* y);

}  // namespace generated

// hmmwv_prologue: written by camber's codegen, not by hand.
// From coordinates and what the sub-mechanisms share
// 1315 operations: 533 additions + 13 functions + 760 multiplications + 9 divisions.
//
// Inputs
//   p(255): p0 p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11 p12 p13 p14 p15 p16 p17 p18 p19 p20 p21 p22 p23 p24 p25 p26 p27 p28 p29 p30 p31 p32 p33 p34 p35 p36 p37 p38 p39 p40 p41 p42 p43 p44 p45 p46 p47 p48 p49 p50 p51 p52 p53 p54 p55 p56 p57 p58 p59 p60 p61 p62 p63 p64 p65 p66 p67 p68 p69 p70 p71 p72 p73 p74 p75 p76 p77 p78 p79 p80 p81 p82 p83 p84 p85 p86 p87 p88 p89 p90 p91 p92 p93 p94 p95 p96 p97 p98 p99 p100 p101 p102 p103 p104 p105 p106 p107 p108 p109 p110 p111 p112 p113 p114 p115 p116 p117 p118 p119 p120 p121 p122 p123 p124 p125 p126 p127 p128 p129 p130 p131 p132 p133 p134 p135 p136 p137 p138 p139 p140 p141 p142 p143 p144 p145 p146 p147 p148 p149 p150 p151 p152 p153 p154 p155 p156 p157 p158 p159 p160 p161 p162 p163 p164 p165 p166 p167 p168 p169 p170 p171 p172 p173 p174 p175 p176 p177 p178 p179 p180 p181 p182 p183 p184 p185 p186 p187 p188 p189 p190 p191 p192 p193 p194 p195 p196 p197 p198 p199 p200 p201 p202 p203 p204 p205 p206 p207 p208 p209 p210 p211 p212 p213 p214 p215 p216 p217 p218 p219 p220 p221 p222 p223 p224 p225 p226 p227 p228 p229 p230 p231 p232 p233 p234 p235 p236 p237 p238 p239 p240 p241 p242 p243 p244 p245 p246 p247 p248 p249 p250 p251 p252 p253 p254
//   q(16): q0 q1 q2 q3 q4 q5 q6 q7 q8 q9 q10 q11 q12 q13 q14 q15
//   v(15): v0 v1 v2 v3 v4 v5 v6 v7 v8 v9 v10 v11 v12 v13 v14
// Outputs
//   z(23)
//   x0(36)
//   x1(36)
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
  x0[33] = sin_q8;
  x0[31] = cos_q8;
  x1[31] = cos_q9;
  x2[12] = sin_q12;
  x2[10] = cos_q12;
  x3[10] = cos_q14;
  const T p4 = p[4];
  const T t1 = cos_q7*p4;
  const T p7 = p[7];
  const T t2 = cos_q7*p7;
  const T p100 = p[100];
  const T p101 = p[101];
  const T t3 = p100 - p101;
  const T p5 = p[5];
  const T t4 = p5 + t1;
  const T p8 = p[8];
  const T t5 = p8 + t2;
  const T p2 = p[2];
  const T p3 = p[3];
  const T t6 = p3 + sin_q7*p2;
  const T p6 = p[6];
  const T p9 = p[9];
  const T t7 = t4*p6 + t5*p9;
  const T t8 = t7*t7 + t6*t6;
  const T p13 = p[13];
  const T t9 = cos_q7*p13;
  const T p17 = p[17];
  const T t10 = cos_q7*p17;
  const T p27 = p[27];
  const T t11 = sin_q7*p27;
  const T p10 = p[10];
  const T p11 = p[11];
  const T t12 = p11 + t8*p10;
  const T t13 = p3 + t11;
  const T p109 = p[109];
  const T t14 = sin_q7*p109;
  const T p106 = p[106];
  const T t15 = sin_q7*p106;
  const T p91 = p[91];
  const T p90 = p[90];
  const T p51 = p[51];
  const T p23 = p[23];
  const T t16 = p23*(t2 + p90) - p51*(t1 + p91);
  const T p113 = p[113];
  const T p112 = p[112];
  const T t17 = cos_q7*(p113 - p112);
  const T loop0 = t8 - t12*t12;
  if (status == 0 && !all(loop0 > T(0.0))) status = 1;
  const T t18 = sin_q7*sin_q7;
  const T p22 = p[22];
  const T t19 = p23 + cos_q7*p22;
  const T p50 = p[50];
  const T t20 = p51 + cos_q7*p50;
  const T t21 = T(1.0)/t8;
  const T p97 = p[97];
  const T p98 = p[98];
  const T t22 = cos_q7*(p97 - p98);
  const T p24 = p[24];
  const T t23 = p24*t19;
  const T t24 = sin_q7*p51;
  const T t25 = sin_q7*p23;
  const T p40 = p[40];
  const T p39 = p[39];
  const T t26 = t18*p40 + cos_q7*p39*cos_q7;
  const T t27 = sqrt(loop0);
  const T p46 = p[46];
  const T t28 = t18*p46 + p24*t20*t20;
  const T p59 = p[59];
  const T p63 = p[63];
  const T t29 = t19*p63 - cos_q7*p59;
  const T p66 = p[66];
  const T t30 = t18*p66 + t23*t20;
  const T p73 = p[73];
  const T t31 = t20*p63 - cos_q7*p73;
  const T p85 = p[85];
  const T t32 = t26 + p85;
  const T p0 = p[0];
  const T t33 = t19*t23 + t18*p0;
  const T t34 = t28 + p85;
  const T t35 = p51*t30;
  const T t36 = t31*t24;
  const T t37 = t29*t25;
  const T p84 = p[84];
  const T t38 = sin_q7*p84 + p23*t32;
  const T t39 = t7*t12 + t6*t27;
  const T p127 = p[127];
  const T t40 = p51*t32 + sin_q7*p127;
  const T t41 = t6*t12 - t7*t27;
  const T t42 = -(t36 + t37);
  const T p64 = p[64];
  const T p58 = p[58];
  const T t43 = cos_q7*p58 + sin_q7*(p64 + t29);
  const T p76 = p[76];
  const T p72 = p[72];
  const T t44 = cos_q7*p72 + sin_q7*(p76 + t31);
  const T p99 = p[99];
  const T t45 = p23*t34 - (t35 + t22*p99);
  const T t46 = t39*t21;
  const T t47 = t33 + p85;
  const T t48 = p23*t30;
  const T t49 = t21*t41;
  const T t50 = T(1.0)/t27;
  const T p14 = p[14];
  const T t51 = t46*p14;
  const T p18 = p[18];
  const T t52 = t46*p18;
  const T p86 = p[86];
  const T t53 = t5 - t46*p86;
  const T p88 = p[88];
  const T t54 = t4 - t46*p88;
  const T p28 = p[28];
  const T t55 = t49*p28;
  const T p92 = p[92];
  const T t56 = t6 - t49*p92;
  const T t57 = t13 - t55;
  const T p19 = p[19];
  const T p20 = p[20];
  const T t58 = p20*(p19 + t10 - t52);
  const T p15 = p[15];
  const T p16 = p[16];
  const T t59 = p16*(p15 + t9 - t51) + t58;
  const T p52 = p[52];
  const T t60 = p52 + p9*t46;
  const T t61 = t46*t3;
  const T p25 = p[25];
  const T t62 = p25 + p6*t46;
  const T p103 = p[103];
  const T p104 = p[104];
  const T p95 = p[95];
  const T p105 = p[105];
  const T t63 = p105*(t51 + p104) - p95*(t52 + p103);
  const T p26 = p[26];
  const T t64 = p26*t49*t49;
  const T t65 = p26*t60;
  const T p87 = p[87];
  const T p89 = p[89];
  const T t66 = sin_q7*(p87*t53 - p89*t54) - t16*t56;
  const T t67 = t62*t60;
  const T t68 = p26*t62;
  const T p56 = p[56];
  const T p57 = p[57];
  const T t69 = p57 + t57*p56;
  const T t70 = t60*t65;
  const T p114 = p[114];
  const T t71 = p114 - p20*t59;
  const T p115 = p[115];
  const T t72 = p115 - p16*t59;
  const T t73 = t50*t66;
  const T p94 = p[94];
  const T t74 = t64 + p94;
  const T p33 = p[33];
  const T p34 = p[34];
  const T t75 = p34 + t57*p33;
  const T p116 = p[116];
  const T t76 = t59*p116;
  const T p96 = p[96];
  const T t77 = t67*p96;
  const T t78 = t60*p96;
  const T p124 = p[124];
  const T t79 = t62*p124;
  const T p70 = p[70];
  const T p69 = p[69];
  const T p68 = p[68];
  const T p67 = p[67];
  const T t80 = t30 + cos_q7*(p68 + p67) + t46*(p70 + p69);
  const T t81 = t59*t59;
  const T t82 = t49*t73;
  const T t83 = t70 + p94;
  const T t84 = t78 + t79;
  const T p35 = p[35];
  const T t85 = p35*t75;
  const T p41 = p[41];
  const T p42 = p[42];
  const T p36 = p[36];
  const T t86 = p36 + sin_q7*p41 + t26 + t49*p42 + t64;
  const T t87 = t73*t63;
  const T p30 = p[30];
  const T p29 = p[29];
  const T t88 = p29*t57 - p30*t59;
  const T t89 = t62*t68;
  const T p54 = p[54];
  const T p53 = p[53];
  const T t90 = t57*p54 - t59*p53;
  const T p110 = p[110];
  const T t91 = t82*p110;
  const T p107 = p[107];
  const T t92 = t82*p107;
  const T p44 = p[44];
  const T p43 = p[43];
  const T t93 = t59*p44 + t57*p43;
  const T p61 = p[61];
  const T p62 = p[62];
  const T t94 = t57*p61 - t75*p62;
  const T p75 = p[75];
  const T t95 = t57*p75 - t69*p62;
  const T p1 = p[1];
  const T p12 = p[12];
  const T t96 = p36 + p1*cos_q7 + t33 + t46*p12 + t89;
  const T p49 = p[49];
  const T t97 = t81*p49 + p35*t69*t69;
  const T p47 = p[47];
  const T p48 = p[48];
  const T t98 = p36 + cos_q7*p47 + t28 + t46*p48 + t70;
  const T p118 = p[118];
  const T t99 = t90 + p118;
  const T p120 = p[120];
  const T t100 = t88 + p120;
  const T t101 = t67*p124;
  const T p31 = p[31];
  const T t102 = p31 + t51 + t88;
  const T p38 = p[38];
  const T p37 = p[37];
  const T t103 = t57*p38*t57 + t81*p37;
  const T t104 = t59*t94;
  const T p55 = p[55];
  const T t105 = t52 + p55 + t90;
  const T t106 = t59*t95;
  const T p45 = p[45];
  const T t107 = t55 + p45 - t93;
  const T p71 = p[71];
  const T t108 = t81*p71 + t85*t69;
  const T t109 = t89 + p94;
  const T p111 = p[111];
  const T t110 = p111*(t14 - t57*p23 - t91);
  const T p121 = p[121];
  const T t111 = t97 + p121;
  const T p32 = p[32];
  const T t112 = p32*t102;
  const T p21 = p[21];
  const T t113 = t75*t85 + t81*p21;
  const T t114 = t103 + p121;
  const T t115 = p32*t105;
  const T t116 = p32*t107;
  const T t117 = t76*(t17 + p23*t71 + (t87 - p51*t72));
  const T p65 = p[65];
  const T p60 = p[60];
  const T t118 = t21*(t39*p60 + t41*(t68 + p65)) + t43;
  const T p77 = p[77];
  const T p74 = p[74];
  const T t119 = t21*(t39*p74 + t41*(t65 + p77)) + t44;
  const T p102 = p[102];
  const T t120 = t73*(p95*t83 - (t61*p102 + t77)) + t45;
  const T p93 = p[93];
  const T t121 = t73*(p95*t74 + t49*p93) + t38;
  const T p128 = p[128];
  const T t122 = t73*(p105*t74 + t49*p128) + t40;
  const T t123 = t113 + p121;
  const T p108 = p[108];
  const T t124 = t57*(p108*(t15 - t57*p51 - t92) - t110);
  const T p78 = p[78];
  const T p79 = p[79];
  z[6] = cos_q7*p78 + t46*p79 + t112;
  const T p80 = p[80];
  const T p81 = p[81];
  z[7] = sin_q7*p80 + t49*p81 + t116;
  const T p82 = p[82];
  const T p83 = p[83];
  z[8] = cos_q7*p82 + t46*p83 + t115;
  z[0] = t113 + t96 + t102*t112;
  z[1] = t103 + t86 + t107*t116;
  z[2] = t97 + t98 + t105*t115;
  z[3] = t104 + t118 + t112*t107;
  z[4] = t68*t60 + t80 + t108 + t112*t105;
  z[5] = t106 + t119 + t116*t105;
  const T t125 = t124 - t117;
  const T p117 = p[117];
  const T t126 = p23 + p117*t125;
  const T p119 = p[119];
  const T t127 = p51 + t125*p119;
  const T t128 = t108*t127;
  const T t129 = t91 - t93*t126;
  const T t130 = t126*t99 - t127*t100;
  const T t131 = t92 - t93*t127;
  const T t132 = t108*t126;
  const T t133 = t87 - t130;
  const T p122 = p[122];
  const T t134 = t104*t126 + sin_q7*p122 + t112*t129;
  const T t135 = t126*t114 + t121 + t116*t129;
  const T t136 = t114*t127 + t122 + t116*t131;
  const T p123 = p[123];
  const T t137 = -(t106*t127 + sin_q7*p123 + t115*t131);
  const T t138 = t126*t111 + t120 - t128 - t115*t133;
  z[9] = t135 + t138;
  const T p126 = p[126];
  const T p125 = p[125];
  z[10] = t42 - t82*(p126 + p125 + t84) - t134 + t137;
  const T t139 = t46*t73;
  const T p138 = p[138];
  const T p139 = p[139];
  const T t140 = p138 - p139;
  const T p144 = p[144];
  const T p143 = p[143];
  const T t141 = p144 + p143;
  const T t142 = t73*t139;
  const T t143 = p95*t140;
  const T t144 = p105*t140;
  const T p145 = p[145];
  const T t145 = t82*p145 - sin_q7*p89;
  const T p140 = p[140];
  const T t146 = t82*p140 - sin_q7*p87;
  const T t147 = t66/(-loop0);
  const T t148 = t16 + t139*t140;
  const T v6 = v[6];
  const T t149 = t66*v6;
  const T p146 = p[146];
  const T p147 = p[147];
  const T t150 = p146 - p147;
  const T t151 = v6*v6;
  const T t152 = t73*t149;
  const T t153 = t49*t147;
  const T t154 = t53*(p23*t16 + t142*t143);
  const T t155 = t125*t150;
  const T t156 = t71*t126 - t72*t127;
  const T t157 = t17*t151;
  const T t158 = p95*t152;
  const T t159 = p105*t152;
  const T t160 = t39*t3;
  const T t161 = t54*(t142*t144 + p51*t16) + t148*t148;
  const T t162 = t3*t139;
  const T t163 = p23*t157;
  const T t164 = p51*t157;
  const T p129 = p[129];
  const T t165 = t22*p129 - t48 + p51*t47;
  const T p136 = p[136];
  const T t166 = t101 + p105*(t70 + p136);
  const T t167 = t77 + p95*(t89 + p136);
  const T t168 = t84*t149*t82;
  const T p137 = p[137];
  const T t169 = t97 + p137;
  const T t170 = t151*(t127*t127 + t126*t126);
  const T p149 = p[149];
  const T p148 = p[148];
  const T t171 = t151*(p149 + p148)*sin_q7;
  const T t172 = t113 + p137;
  const T p154 = p[154];
  const T p153 = p[153];
  const T t173 = t82*p154 + sin_q7*p153 + t112*t131;
  const T p152 = p[152];
  const T t174 = p152*v6;
  const T p156 = p[156];
  const T t175 = t21*p156;
  const T p161 = p[161];
  const T p160 = p[160];
  const T t176 = sin_q7*(p161 + p160);
  const T p158 = p[158];
  const T p157 = p[157];
  const T t177 = t82*p158 + sin_q7*p157 + t115*t129;
  const T t178 = t94*t126 + t95*t127;
  const T t179 = t62*p96*t82 + t29*t24 + t104*t127;
  const T p142 = p[142];
  const T p141 = p[141];
  const T t180 = t56*(t66*t141*t153 + sin_q7*(p142 + p141));
  const T t181 = t22*v6;
  const T p130 = p[130];
  const T t182 = t73*(t61*p130 - t101 + p105*t109) + t165;
  const T t183 = t31*t25 + t60*p124*t82 + t106*t126;
  const T t184 = t59*t151;
  const T t185 = t155*(t103 + p137);
  const T t186 = -t179;
  const T p132 = p[132];
  const T p131 = p[131];
  const T t187 = t82*p132 + sin_q7*p131 + p32*t131;
  const T p133 = p[133];
  const T p134 = p[134];
  const T t188 = sin_q7*p133 + t82*p134 + p32*t129;
  z[14] = t188;
  const T v0 = v[0];
  const T v1 = v[1];
  const T v2 = v[2];
  const T t189 = v0*v0 + v2*v2 + v1*v1;
  x0[17] = t189;
  x1[17] = t189;
  x2[0] = t189;
  x3[0] = t189;
  const T t190 = p95*(t101 + p105*t83);
  const T p165 = p[165];
  const T p164 = p[164];
  const T t191 = t22*(p165 + p164) + p51*(t35 + p23*t47);
  const T t192 = t21*t50;
  const T t193 = t145*t145 + t146*t146 - t154 + t161 - t180;
  const T t194 = t66*t151*t73;
  const T t195 = t126*(t132 + t127*t111);
  const T t196 = t22 + t162 + p32*t133;
  z[13] = t196;
  const T p155 = p[155];
  const T t197 = t162*p156 + t22*p155 + t116*t133;
  const T t198 = v0*(t37 + t82*(t79 + p125) + t134);
  const T t199 = v6*t193;
  const T p135 = p[135];
  const T t200 = p51*(t48 + p51*(t28 + p135));
  const T t201 = t173 - t177 - t197;
  const T t202 = t184*(t95*t155 - t126*t178);
  const T t203 = t191 - p23*(t48 + p51*t34) - t185;
  const T t204 = t49*t199;
  const T t205 = p23*(t35 + p23*(t33 + p135)) + t200;
  const T t206 = t184*(t127*t178 + t94*t155);
  const T t207 = t127*t123 + t182 - t132 + t112*t133;
  const T t208 = p32*(t129*t129 + t131*t131 + t133*t133);
  const T t209 = t136*v1 + (t173 - t186)*v0;
  const T t210 = t135*v1 + t198 + v2*(t183 + t177);
  const T p159 = p[159];
  const T t211 = v6*(p51*t42 - (p99*t176 + t22*p159));
  const T p166 = p[166];
  const T t212 = v6*(p129*t176 - t22*p166 - p23*t42);
  z[12] = -t187;
  const T t213 = t50*t199;
  const T t214 = v1*(t186 + t183 - t197);
  const T t215 = (t36 + t82*(t78 + p126) - t137)*v2 + t209;
  const T t216 = t41*t199;
  const T t217 = (p105*t166 + p95*t167)*(t73*t73) + t205;
  const T t218 = v6*t176 + T(2.0)*(t188*v0 + t187*v2);
  const T t219 = p51*t181 + T(2.0)*(t196*v2 - t188*v1);
  const T t220 = t126*(t128 + t126*t172) + t217;
  const T t221 = v6*(t127*(t128 + t126*t123) + t203 - t195);
  const T t222 = (t63*t158 + p110*t204)*(t50*v6);
  const T t223 = (t63*t159 + p107*t204)*(t50*v6);
  const T t224 = t207*v0 - t138*v2 - t214;
  const T p151 = p[151];
  const T p150 = p[150];
  const T t225 = v6*(t63*t213 + t149*(p151 + p150)*t153);
  const T t226 = v6*(p105*t168 - t167*t199);
  const T t227 = v6*(p95*t168 + t166*t199);
  z[11] = t136 + t207;
  const T t228 = v6*(t159*t160 + p132*t216);
  z[15] = t208 - (t127*(t132 + t127*t169) + t220);
  const T t229 = t163 + t222 + t151*(t126*t156 - t72*t155);
  const T t230 = t164 + t223 + t151*(t127*t156 - t71*t155);
  const T p163 = p[163];
  const T p162 = p[162];
  const T t231 = t213*t160 + t41*(p163 + p162)*t149*t147;
  const T t232 = v6*(t158*t160 + p134*t216);
  const T t233 = v1*t224 + v2*t210;
  const T t234 = t21*v6*t231;
  const T t235 = t225 + t93*t170;
  const T t236 = t222 + t151*(t100*t155 - t126*t130);
  const T t237 = t223 + t151*(t99*t155 - t127*t130);
  const T t238 = (p105*t227 - p95*t226)*(t50*t73) - t174;
  const T t239 = t84*v6*t216 + p102*t228 + p130*t232;
  const T t240 = t57*(p108*t230 - p111*t229);
  const T t241 = t21*t239;
  const T t242 = t76*(t225 + t171 - t57*t170) + t240;
  const T t243 = p102*t234 - t50*(t226 + t175*t232);
  const T t244 = t50*(t227 - t175*t228) - p130*t234;
  const T t245 = (p105*(t77 + p95*t109) - t190)*t194 + t241;
  const T t246 = t93*t242;
  const T t247 = v6*(t211 + (v0*t201 - t215)*T(2.0)) + t243;
  const T t248 = v6*(t212 + T(2.0)*(t210 + v2*t201)) + t244;
  const T t249 = t242*(p117*t99 - p119*t100) + t235;
  const T t250 = t59*(t94*p117 + t95*p119)*t242;
  const T t251 = (t108*p117 + p119*t169)*t242 + t202;
  const T t252 = t242*(p117*t172 + t108*p119) + t206;
  const T t253 = p117*t246 + t236;
  const T t254 = p119*t246 + t237;
  const T t255 = t50*t245 - t250;
  const T t256 = t127*t251;
  const T t257 = v6*(t221 + T(2.0)*(t224 + v1*t201)) + t255;
  const T t258 = t238 - t201*t189 + v0*t215 - t233 - t256;
  z[21] = v6*t218 - t234 - p32*t249;
  z[20] = t228*t192 + v6*t219 + p32*t254;
  const T t259 = p32*(t133*t249 + t129*t253 + t131*t254);
  z[17] = t247 - t252 + p32*(t105*t249 - t107*t253);
  z[18] = p32*(t102*t253 + t105*t254) + t257;
  z[19] = t248 - t251 - p32*(t107*t254 + t102*t249);
  z[16] = t258 - t126*t252 - t259;
  const T p168 = p[168];
  const T t260 = cos_q7*p168;
  const T p170 = p[170];
  const T t261 = cos_q7*p170;
  const T p169 = p[169];
  const T t262 = p169 + t260;
  const T p171 = p[171];
  const T t263 = p171 + t261;
  const T p167 = p[167];
  const T t264 = p3 + sin_q7*p167;
  const T t265 = p6*t262 + p9*t263;
  const T p210 = p[210];
  const T t266 = cos_q7*p210;
  const T p212 = p[212];
  const T t267 = cos_q7*p212;
  const T p211 = p[211];
  const T t268 = p211 + t266;
  const T p213 = p[213];
  const T t269 = p213 + t267;
  const T p209 = p[209];
  const T t270 = p3 + sin_q7*p209;
  const T t271 = t265*t265 + t264*t264;
  const T t272 = p6*t268 + p9*t269;
  const T t273 = p11 + p10*t271;
  const T t274 = t272*t272 + t270*t270;
  const T p195 = p[195];
  const T p194 = p[194];
  const T t275 = p23*(t261 + p194) - p51*(t260 + p195);
  const T t276 = t271 - t273*t273;
  x0[30] = t276;
  const T t277 = T(1.0)/t271;
  const T t278 = p11 + p10*t274;
  const T t279 = p105*v6;
  const T t280 = p95*v6;
  const T p235 = p[235];
  const T p234 = p[234];
  const T t281 = p23*(t267 + p234) - p51*(t266 + p235);
  const T t282 = sqrt(t276);
  const T t283 = t274 - t278*t278;
  x1[30] = t283;
  const T t284 = T(1.0)/t274;
  const T p180 = p[180];
  const T t285 = t11 + p180;
  const T p202 = p[202];
  x0[10] = v6*p202;
  const T t286 = v6*T(2.0);
  x0[18] = t286;
  x1[18] = t286;
  const T t287 = v6*T(-2.0);
  x0[19] = t287;
  x1[19] = t287;
  const T p207 = p[207];
  x0[20] = v6*p207;
  const T t288 = v2*T(2.0);
  x0[21] = t288;
  x1[21] = t288;
  x2[1] = t288;
  x3[1] = t288;
  const T t289 = v1*T(-2.0);
  x0[22] = t289;
  x1[22] = t289;
  x2[2] = t289;
  x3[2] = t289;
  const T t290 = v2*T(-2.0);
  x0[23] = t290;
  x1[23] = t290;
  const T t291 = v0*T(2.0);
  x0[24] = t291;
  x1[24] = t291;
  x2[4] = t291;
  x3[4] = t291;
  const T t292 = v1*T(2.0);
  x0[25] = t292;
  x1[25] = t292;
  const T t293 = v0*T(-2.0);
  x0[26] = t293;
  x1[26] = t293;
  x2[6] = t293;
  x3[6] = t293;
  const T p208 = p[208];
  x0[27] = v2*p208;
  x0[28] = v1*p208;
  x0[29] = v0*p208;
  const T p242 = p[242];
  x1[10] = v6*p242;
  const T t294 = sqrt(t283);
  const T t295 = t277*(t265*t273 + t264*t282);
  const T t296 = (t196*v0 + t187*v1)*T(-2.0) - p23*t181;
  const T t297 = t277*(t264*t273 - t265*t282);
  const T t298 = T(1.0)/t282;
  const T p172 = p[172];
  const T t299 = t295*p172;
  const T p174 = p[174];
  const T t300 = t295*p174;
  const T t301 = t262 - p88*t295;
  const T t302 = t263 - p86*t295;
  const T t303 = t264 - p92*t297;
  z[22] = v6*t296 - t232*t192 - p32*t253;
  const T t304 = t284*(t272*t278 + t270*t294);
  const T p177 = p[177];
  const T p178 = p[178];
  const T t305 = p178 - t11 + t297*p177;
  const T t306 = t284*(t270*t278 - t272*t294);
  const T p175 = p[175];
  const T t307 = p20*(t10 + p175 - t300);
  const T t308 = T(1.0)/t294;
  const T p173 = p[173];
  const T t309 = p16*(t9 + p173 - t299) + t307;
  const T p214 = p[214];
  const T t310 = t304*p214;
  const T p216 = p[216];
  const T t311 = t304*p216;
  const T t312 = t269 - p86*t304;
  const T t313 = t268 - p88*t304;
  const T p198 = p[198];
  const T p199 = p[199];
  const T t314 = p105*(t299 + p199) - p95*(t300 + p198);
  const T t315 = t270 - p92*t306;
  const T p192 = p[192];
  const T p193 = p[193];
  const T t316 = t275*t303 + sin_q7*(p192*t301 - p193*t302);
  const T p219 = p[219];
  const T t317 = t306*p219 - t13;
  const T t318 = p114 - p20*t309;
  const T t319 = p115 - p16*t309;
  const T t320 = t298*t316;
  const T p217 = p[217];
  const T t321 = p20*(t10 + p217 - t311);
  const T t322 = p116*t309;
  const T t323 = t297*t320;
  const T p215 = p[215];
  const T t324 = p16*(t9 + p215 - t310) + t321;
  const T t325 = t295*t320;
  const T t326 = t297/(-t276)*t316*t316;
  const T t327 = t320*t314;
  const T p238 = p[238];
  const T p239 = p[239];
  const T t328 = p105*(t310 + p239) - p95*(t311 + p238);
  const T p232 = p[232];
  const T p233 = p[233];
  const T t329 = sin_q7*(p232*t312 - p233*t313) - t281*t315;
  const T t330 = t320*t325;
  const T t331 = p114 - p20*t324;
  const T t332 = p115 - p16*t324;
  const T t333 = t308*t329;
  const T t334 = sin_q7*p192 + p145*t323;
  const T t335 = sin_q7*p193 + p140*t323;
  const T t336 = t140*t325 - t275;
  const T t337 = p116*t324;
  const T p182 = p[182];
  const T p181 = p[181];
  const T t338 = t309*p182 + t305*p181;
  const T p185 = p[185];
  const T p184 = p[184];
  const T t339 = t305*p185 + t309*p184;
  const T p197 = p[197];
  const T t340 = p111*(t14 + p23*t305 + t323*p197);
  const T t341 = t306*t333;
  const T p204 = p[204];
  const T p203 = p[203];
  const T t342 = t303*(t141*t326 + sin_q7*(p204 + p203));
  const T t343 = t322*(p51*t319 - t17 + (t327 - p23*t318));
  const T t344 = t316*t327;
  const T t345 = t333*t328;
  const T p196 = p[196];
  const T t346 = p108*(t15 + p51*t305 + t323*p196) - t340;
  const T p200 = p[200];
  const T t347 = t338 - p200;
  const T p201 = p[201];
  const T t348 = t339 - p201;
  const T p222 = p[222];
  const T p221 = p[221];
  const T t349 = t324*p222 + t317*p221;
  const T p225 = p[225];
  const T p224 = p[224];
  const T t350 = t324*p225 + t317*p224;
  const T p179 = p[179];
  const T p176 = p[176];
  const T t351 = p179*t305 - p176*t309;
  const T t352 = t302*(p23*t275 + t143*t330);
  const T t353 = t304*t333;
  const T t354 = t306/(-t283)*t329*t329;
  const T p220 = p[220];
  const T p218 = p[218];
  const T t355 = p220*t317 - p218*t324;
  const T p240 = p[240];
  const T t356 = t349 - p240;
  const T p241 = p[241];
  const T t357 = t350 - p241;
  const T t358 = t334*t334 + t335*t335 + (t336*t336 - t342);
  const T t359 = t9 - t339;
  const T t360 = t9 - t350;
  const T t361 = t333*t353;
  const T t362 = t305*t346 - t343;
  const T p237 = p[237];
  const T t363 = p111*(t14 + p23*t317 - t341*p237);
  x0[0] = t351 + t285;
  const T p183 = p[183];
  x0[1] = t10 + p183 - t338;
  const T t364 = t301*(t144*t330 + p51*t275) - t352 + t358;
  x1[0] = t285 + t355;
  const T p223 = p[223];
  x1[1] = t10 + p223 - t349;
  const T p186 = p[186];
  const T t365 = p186 + t359;
  const T p226 = p[226];
  const T t366 = p226 + t360;
  const T t367 = p145*t341 - sin_q7*p233;
  const T t368 = p140*t341 - sin_q7*p232;
  const T t369 = t281 + t140*t353;
  const T t370 = t337*(t17 + p23*t331 + (t345 - p51*t332));
  const T p190 = p[190];
  x0[5] = t359 + p190;
  const T p191 = p[191];
  x0[6] = p191 - t359;
  const T p230 = p[230];
  x1[5] = t360 + p230;
  const T p231 = p[231];
  x1[6] = p231 - t360;
  const T p236 = p[236];
  const T t371 = p108*(t15 + p51*t317 - t341*p236) - t363;
  const T t372 = v6*t364;
  const T p187 = p[187];
  x0[2] = p187*t365;
  const T p188 = p[188];
  x0[3] = t365*p188;
  const T p189 = p[189];
  x0[4] = t365*p189;
  const T p227 = p[227];
  x1[2] = p227*t366;
  const T p228 = p[228];
  x1[3] = t366*p228;
  const T p229 = p[229];
  x1[4] = t366*p229;
  const T p244 = p[244];
  const T p243 = p[243];
  const T t373 = t315*(t141*t354 + sin_q7*(p244 + p243));
  const T t374 = p119*t362 - p51;
  const T t375 = p117*t362 - p23;
  const T t376 = t150*t362;
  const T t377 = t297*t372;
  const T t378 = t312*(p23*t281 + t143*t361);
  const T t379 = t370 + t317*t371;
  const T t380 = t367*t367 + t368*t368 + (t369*t369 - t373);
  const T t381 = t374*t374 + t375*t375;
  const T t382 = t318*t375 - t319*t374;
  const T t383 = t313*(t144*t361 + p51*t281) - t378 + t380;
  const T t384 = p119*t379 - p51;
  const T t385 = p117*t379 - p23;
  const T t386 = v6*t383;
  const T t387 = t375*t347 - t374*t348;
  const T t388 = t164 + (t344*t279 + p196*t377)*(v6*t298);
  const T t389 = t163 + (t344*t280 + p197*t377)*(v6*t298);
  const T p206 = p[206];
  const T p205 = p[205];
  const T t390 = v6*(t326*(p206 + p205) + t305*t381);
  const T t391 = t385*t356 - t384*t357;
  const T t392 = t351*t374 - t15;
  x0[7] = t392;
  const T t393 = t14 - t351*t375;
  x0[9] = t393;
  const T t394 = t355*t384 - t15;
  x1[7] = t394;
  const T t395 = t14 - t355*t385;
  x1[9] = t395;
  const T t396 = t384*t384 + t385*t385;
  const T t397 = t17 + t387;
  const T t398 = t17 + t391;
  x0[14] = v6*t392;
  x0[16] = v6*t393;
  const T t399 = t171 + t151*t351*t381;
  x0[8] = -t397;
  x1[8] = -t398;
  const T t400 = p108*(t151*(t318*t376 + t374*t382) + t388);
  const T t401 = p111*(t151*(t319*t376 + t375*t382) + t389);
  x0[15] = -v6*t397;
  const T t402 = t151*(t348*t376 + t375*t387) - t163;
  const T t403 = t322*(t171 + v6*(t298*t314*t372 + t390));
  const T t404 = t305*(t400 - t401) - t403;
  const T t405 = t351*t404;
  const T t406 = p119*t405;
  x0[12] = t404*(p117*t347 - p119*t348) - t399;
  x0[11] = t164 - t151*(t347*t376 + t374*t387) - t406;
  x0[13] = p117*t405 + t402;
  const T t407 = t329*t345;
  const T t408 = t306*t386;
  const T t409 = t150*t379;
  const T t410 = t331*t385 - t332*t384;
  const T p246 = p[246];
  const T p245 = p[245];
  const T t411 = v6*(t354*(p246 + p245) + t317*t396);
  const T t412 = t163 + (t280*t407 + p237*t408)*(v6*t308);
  const T v8 = v[8];
  x1[32] = -v8;
  x1[33] = -sin_q9;
  const T v13 = v[13];
  x3[11] = -v13;
  x3[12] = -sin_q14;
  const T t413 = t164 + (t279*t407 + p236*t408)*(v6*t308);
  x1[14] = v6*t394;
  x1[16] = v6*t395;
  const T p247 = p[247];
  x1[20] = v6*p247;
  const T p248 = p[248];
  x1[27] = v2*p248;
  x1[28] = v1*p248;
  x1[29] = v0*p248;
  const T p249 = p[249];
  x2[3] = v2*p249;
  const T p250 = p[250];
  x2[5] = v1*p250;
  const T p251 = p[251];
  x2[7] = v1*p251;
  x2[8] = v2*p251;
  x2[9] = v0*p251;
  const T p252 = p[252];
  x3[3] = v2*p252;
  const T p253 = p[253];
  x3[5] = v1*p253;
  const T p254 = p[254];
  x3[7] = v1*p254;
  x3[8] = v2*p254;
  x3[9] = v0*p254;
  x1[15] = -v6*t398;
  const T t414 = t171 + t151*t355*t396;
  const T t415 = -(t151*(t332*t409 + t385*t410) + t412);
  const T t416 = p108*(t151*(t331*t409 + t384*t410) + t413);
  const T t417 = t151*(t357*t409 + t385*t391) - t163;
  const T t418 = t337*(t171 + v6*(t308*t328*t386 + t411));
  const T t419 = t317*(t416 + p111*t415) - t418;
  const T t420 = t355*t419;
  const T t421 = p119*t420;
  x1[12] = t419*(p117*t356 - p119*t357) - t414;
  x1[11] = t164 - t151*(t356*t409 + t384*t391) - t421;
  x1[13] = p117*t420 + t417;
  x0[34] = v6;
  x1[34] = v6;
  const T v7 = v[7];
  x0[32] = v7;
  const T v9 = v[9];
  x0[35] = v9;
  const T v10 = v[10];
  x1[35] = v10;
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
// 2026 operations: 874 additions + 47 functions + 1094 multiplications + 11 divisions.
//
// Inputs
//   p(197): p0 p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11 p12 p13 p14 p15 p16 p17 p18 p19 p20 p21 p22 p23 p24 p25 p26 p27 p28 p29 p30 p31 p32 p33 p34 p35 p36 p37 p38 p39 p40 p41 p42 p43 p44 p45 p46 p47 p48 p49 p50 p51 p52 p53 p54 p55 p56 p57 p58 p59 p60 p61 p62 p63 p64 p65 p66 p67 p68 p69 p70 p71 p72 p73 p74 p75 p76 p77 p78 p79 p80 p81 p82 p83 p84 p85 p86 p87 p88 p89 p90 p91 p92 p93 p94 p95 p96 p97 p98 p99 p100 p101 p102 p103 p104 p105 p106 p107 p108 p109 p110 p111 p112 p113 p114 p115 p116 p117 p118 p119 p120 p121 p122 p123 p124 p125 p126 p127 p128 p129 p130 p131 p132 p133 p134 p135 p136 p137 p138 p139 p140 p141 p142 p143 p144 p145 p146 p147 p148 p149 p150 p151 p152 p153 p154 p155 p156 p157 p158 p159 p160 p161 p162 p163 p164 p165 p166 p167 p168 p169 p170 p171 p172 p173 p174 p175 p176 p177 p178 p179 p180 p181 p182 p183 p184 p185 p186 p187 p188 p189 p190 p191 p192 p193 p194 p195 p196
//   x(36): x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x19 x20 x21 x22 x23 x24 x25 x26 x27 x28 x29 x30 own_cosine0 own_rate0 own_sine0 shared_rate0 spin0
//   w(3): w_x w_y w_z
// Outputs
//   y(38)
// Status: 0 ok; 1: loop0 is not > 0; 2: loop1 is not > 0; 3: loop2 is not > 0; 4: loop3 is not > 0. Outputs must not overlap inputs.

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
  const T p10 = p[10];
  const T own_sine0 = x[33];
  const T own_cosine0 = x[31];
  const T p9 = p[9];
  const T n55 = own_cosine0*p9 - p10*own_sine0;
  const T n53 = own_sine0*p9 + p10*own_cosine0;
  const T p11 = p[11];
  const T n52 = p11 + n55;
  const T p13 = p[13];
  const T n57 = p13 - n53;
  const T p12 = p[12];
  const T n56 = p12 - n52;
  const T n58 = n56*n56 + n57*n57;
  const T p14 = p[14];
  const T p15 = p[15];
  const T n59 = p15 + n58*p14;
  const T p52 = p[52];
  const T p51 = p[51];
  const T n88 = own_cosine0*p51 - own_sine0*p52;
  const T n60 = n58 - n59*n59;
  if (status == 0 && !all(n60 > T(0.0))) status = 2;
  const T n86 = own_sine0*p51 + own_cosine0*p52;
  const T n85 = p11 + n88;
  const T p54 = p[54];
  const T n92 = p54 - n86;
  const T t1 = T(1.0)/n58;
  const T p53 = p[53];
  const T n91 = p53 - n85;
  const T t2 = n92*n92;
  const T t3 = n91*n91;
  const T t4 = sqrt(n60);
  const T t5 = own_sine0*own_cosine0;
  const T n93 = t3 + t2;
  if (status == 0 && !all(n93 > T(0.0))) status = 3;
  const T n45 = own_cosine0*own_cosine0 - own_sine0*own_sine0;
  const T p60 = p[60];
  const T p59 = p[59];
  const T n50 = own_cosine0*p59 - own_sine0*p60;
  const T p16 = p[16];
  const T t6 = t4*p16;
  const T n51 = own_cosine0*p60 + own_sine0*p59;
  const T p86 = p[86];
  const T t7 = n50*p86;
  const T t8 = p86*n51;
  const T p75 = p[75];
  const T p76 = p[76];
  const T n46 = n45*p75 + t5*p76;
  const T t9 = sqrt(n93);
  const T t10 = n56*t6 + n57*n59;
  const T t11 = n56*n59 - n57*t6;
  const T p77 = p[77];
  const T n47 = n46 + p77;
  const T n48 = p77 - n46;
  const T p96 = p[96];
  const T t12 = n51*p96;
  const T t13 = t11*t1;
  const T t14 = t10*t1;
  const T p100 = p[100];
  const T p99 = p[99];
  const T n49 = n45*p100 + t5*p99;
  const T p55 = p[55];
  const T n94 = t9 + p55;
  const T p19 = p[19];
  const T t15 = t13*p19;
  const T t16 = p19*t14;
  const T t17 = t12 + n49;
  const T n146 = n52 + t15;
  const T n147 = n53 + t16;
  const T p22 = p[22];
  const T p21 = p[21];
  const T n144 = t1*(t11*p21 - t10*p22);
  const T p18 = p[18];
  const T p17 = p[17];
  const T n142 = (p17*t11 - p18*t10)*t1;
  const T n145 = t1*(t10*p21 + t11*p22);
  const T n143 = t1*(p17*t10 + t11*p18);
  const T x0 = x[0];
  const T n168 = x0 - n146;
  const T x1 = x[1];
  const T n169 = x1 - n147;
  const T t18 = T(1.0)/n94;
  const T t19 = n91*t18;
  const T t20 = n92*t18;
  const T t21 = t18*t18;
  const T x3 = x[3];
  const T n171 = x3 + n168*n144 + n169*n145;
  const T x2 = x[2];
  const T n170 = x2 + n142*n168 + n143*n169;
  const T n108 = t21*(t3 - t2);
  const T p23 = p[23];
  const T x4 = x[4];
  const T t22 = x4 + (t11*n168 + t10*n169)*(t1*p23);
  const T p56 = p[56];
  const T n240 = p53 + t19*p56;
  const T p65 = p[65];
  const T n100 = n85 + t19*p65;
  const T n241 = p54 + p56*t20;
  const T n101 = n86 + p65*t20;
  const T p67 = p[67];
  const T t23 = n108*p67;
  const T n172 = n170*n170 + n171*n171;
  const T p57 = p[57];
  const T t24 = n240*p57;
  const T p66 = p[66];
  const T t25 = n100*p66;
  const T t26 = p57*n241;
  const T t27 = p66*n101;
  const T p93 = p[93];
  const T t28 = t20*p93;
  const T p46 = p[46];
  const T n114 = n53 + t14*p46;
  const T n113 = n52 + t13*p46;
  const T t29 = t13*t14;
  const T p68 = p[68];
  const T n109 = p68 + t23;
  const T n110 = p68 - t23;
  const T p63 = p[63];
  const T p62 = p[62];
  const T t30 = t1*(t11*p62 - t10*p63);
  const T n76 = (t11*t11 - t10*t10)*(t1*t1);
  const T t31 = t1*(t11*p63 + t10*p62);
  const T n122 = p13 - n114;
  const T n121 = p12 - n113;
  const T n68 = n52 + t30;
  const T n69 = n53 + t31;
  const T p92 = p[92];
  const T p91 = p[91];
  const T n80 = t1*(t11*p91 - t10*p92);
  const T n81 = t1*(t10*p91 + t11*p92);
  const T t32 = n100*t25 + n240*t24;
  const T p83 = p[83];
  const T p85 = p[85];
  const T p88 = p[88];
  const T t33 = t7 + t19*p83 + n240*p85 + n100*p88;
  const T t34 = t8 + t20*p83 + n241*p85 + n101*p88;
  const T p25 = p[25];
  const T p26 = p[26];
  const T p27 = p[27];
  const T n173 = p27 - p26*t22 + (n172 + t22*t22)*p25;
  const T p64 = p[64];
  const T t35 = n68*p64;
  const T p78 = p[78];
  const T p79 = p[79];
  const T n77 = n76*p78 - t29*p79;
  const T t36 = n121*n122;
  const T t37 = p64*n69;
  const T p81 = p[81];
  const T t38 = p81 + n48 + n110 + (n101*t27 + n241*t26);
  const T p47 = p[47];
  const T p48 = p[48];
  const T n138 = n121*p48 - n122*p47;
  const T n139 = n121*p47 + n122*p48;
  const T p80 = p[80];
  const T n78 = n77 + p80;
  const T n79 = p80 - n77;
  const T p70 = p[70];
  const T n129 = (n121*n121 - n122*n122)*p70;
  const T p90 = p[90];
  const T p89 = p[89];
  const T n133 = n121*p89 - n122*p90;
  const T n134 = n121*p90 + n122*p89;
  const T n174 = n172 - n173*n173;
  if (status == 0 && !all(n174 > T(0.0))) status = 4;
  const T t39 = t17 + t19*t28 + t24*n241 + t25*n101;
  const T p61 = p[61];
  const T t40 = p81 + n50*p61 + n47 + n109 + t32 + n78;
  const T p102 = p[102];
  const T p101 = p[101];
  const T n82 = n76*p102 - t29*p101;
  const T t41 = T(1.0)/n172;
  const T p84 = p[84];
  const T t42 = n133 + n138*p84;
  const T t43 = n134 + n139*p84;
  const T p71 = p[71];
  const T p69 = p[69];
  const T n130 = t36*p69 + n129*p71;
  const T p94 = p[94];
  const T t44 = n139*p94;
  const T p72 = p[72];
  const T n131 = n130 + p72;
  const T n132 = p72 - n130;
  const T t45 = sqrt(n174);
  const T p49 = p[49];
  const T t46 = n138*p49 + n68*t35 + t40 + n131;
  const T p82 = p[82];
  const T t47 = n79 + t38 + (n139*p82 + n69*t37) + n132;
  const T p28 = p[28];
  const T t48 = t45*p28;
  const T t49 = n170*n173 - n171*t48;
  const T t50 = n170*t48 + n171*n173;
  const T t51 = t41*(n142*t49 + n144*t50);
  const T t52 = t41*(n143*t49 + n145*t50);
  const T p8 = p[8];
  const T p20 = p[20];
  const T t53 = t41*(t50*p20 + p8*t49);
  const T t54 = t41*(n142*t50 - n144*t49);
  const T t55 = t41*(n143*t50 - n145*t49);
  const T t56 = (t50*p8 - p20*t49)*t41;
  const T p33 = p[33];
  const T t57 = t53*p33;
  const T p34 = p[34];
  const T n244 = p34 + t57;
  const T p58 = p[58];
  const T t58 = p33*t51 + t13*p58;
  const T t59 = p33*t52 + t14*p58;
  const T p30 = p[30];
  const T p29 = p[29];
  const T t60 = p29*t53 - p30*t56;
  const T p37 = p[37];
  const T p36 = p[36];
  const T p73 = p[73];
  const T n209 = t13*p73 + p36*t51 - p37*t54;
  const T n210 = t14*p73 + p36*t52 - p37*t55;
  const T p38 = p[38];
  const T n208 = p38 + t53*p36 - t56*p37;
  const T p41 = p[41];
  const T p40 = p[40];
  const T p42 = p[42];
  const T n211 = p42 + t53*p40 - t56*p41;
  const T x5 = x[5];
  const T n296 = x5 - n244;
  const T p74 = p[74];
  const T n212 = t13*p74 + p40*t51 - p41*t54;
  const T p50 = p[50];
  const T t61 = p29*t51 + t13*p50 - p30*t54;
  const T n245 = n146 + t58;
  const T n213 = t14*p74 + p40*t52 - p41*t55;
  const T t62 = p29*t52 + t14*p50 - p30*t55;
  const T n246 = n147 + t59;
  const T p31 = p[31];
  const T n191 = p31 + t60;
  const T p39 = p[39];
  const T t63 = p39*n209;
  const T t64 = n208*p39;
  const T p43 = p[43];
  const T t65 = n211*p43;
  const T p35 = p[35];
  const T t66 = n296*p35;
  const T t67 = p43*n212;
  const T n192 = n146 + t61;
  const T n297 = x0 - n245;
  const T n193 = n147 + t62;
  const T n298 = x1 - n246;
  const T p32 = p[32];
  const T t68 = n191*p32;
  const T t69 = p32*n192;
  const T t70 = p35*n297;
  const T t71 = p32*n193;
  const T t72 = p35*n298;
  const T n217 = t64*n209 + t65*n212;
  const T n218 = t64*n210 + t65*n213;
  const T p87 = p[87];
  const T t73 = n80 + t33 + n68*p87 + t42 + t66*n297;
  const T t74 = n81 + t34 + n69*p87 + t43 + t66*n298;
  const T p44 = p[44];
  const T n215 = p44 + n209*t63 + n212*t67;
  const T n216 = p44 + p39*n210*n210 + p43*n213*n213;
  const T n219 = t63*n210 + t67*n213;
  const T n214 = p44 + n208*t64 + n211*t65;
  const T p45 = p[45];
  y[0] = p45 + n296*t66 + n191*t68 + n214;
  y[3] = n217 + t68*n192 + t73;
  y[4] = n218 + t68*n193 + t74;
  y[1] = n297*t70 + t46 + (n215 + n192*t69);
  y[2] = n298*t72 + t47 + (n216 + n193*t71);
  const T n54 = -n53;
  const T p104 = p[104];
  const T t75 = t13*p104;
  const T t76 = t14*p104;
  const T n62 = t76 - n57;
  const T n61 = t75 - n56;
  const T n87 = -n86;
  const T t77 = T(1.0)/t4;
  const T p108 = p[108];
  const T t78 = t53*p108;
  const T p107 = p[107];
  const T t79 = t51*p108 + t13*p107;
  const T t80 = t52*p108 + t14*p107;
  const T p109 = p[109];
  const T t81 = t1*p109;
  const T t82 = n88 + n91;
  const T t83 = T(1.0)/t9;
  const T t84 = n91*n87 + n88*n92;
  const T p105 = p[105];
  const T t85 = t77*p105;
  const T p112 = p[112];
  const T t86 = t57 + p112;
  const T x6 = x[6];
  const T n175 = x6 + t78;
  const T t87 = T(1.0)/t45;
  const T n177 = t80 - n169;
  const T n176 = t79 - n168;
  const T t88 = t10*t81;
  const T p111 = p[111];
  const T t89 = n241*p111;
  const T t90 = n240*p111;
  const T t91 = t11*t81;
  const T p115 = p[115];
  const T p114 = p[114];
  const T p117 = p[117];
  const T n263 = t14*p117 + t52*p114 - t55*p115;
  const T p116 = p[116];
  const T n261 = p116 + t53*p114 - t56*p115;
  const T t92 = (n61*(n54 - t76) + n62*(n55 + t75))*t85;
  const T n262 = t13*p117 + t51*p114 - t54*p115;
  const T t93 = t10*t58 - t11*t59;
  const T p118 = p[118];
  const T t94 = p83 + p118;
  const T t95 = t83*t84;
  const T n66 = T(1.0) - t92;
  const T t96 = t81*t87;
  const T p106 = p[106];
  const T t97 = t60 + p106;
  const T t98 = t20*t95;
  const T t99 = t19*t95;
  const T p120 = p[120];
  const T t100 = n215 - p120;
  const T t101 = n216 - p120;
  const T t102 = t10*n219;
  const T t103 = t11*n219;
  const T x9 = x[9];
  const T x7 = x[7];
  const T x8 = x[8];
  const T t104 = n175*x7 + n177*x9 + n176*x8;
  const T n270 = n296*n261 + n298*n263 + n297*n262;
  const T n149 = n55 + t15*n66;
  const T n148 = n54 - t16*n66;
  const T t105 = t10*t61 - t11*t62;
  const T t106 = t102 - t11*n216;
  const T t107 = t10*n215 - t103;
  const T t108 = t96*t104;
  const T t109 = t87*t104;
  const T p98 = p[98];
  const T p97 = p[97];
  const T n135 = t36*p97 + n129*p98;
  const T t110 = t102 + t11*t100;
  const T t111 = t103 + t10*t101;
  const T t112 = p46*n66;
  const T p103 = p[103];
  y[6] = t68 + p103;
  const T t113 = n214 - p120;
  const T t114 = n92*(n87 - n92 - t99) - n91*(t82 - t98);
  const T p110 = p[110];
  const T n251 = t109*(t86*t88 - t59*p110);
  const T p95 = p[95];
  const T t115 = n135 + n138*p95;
  const T n252 = t109*(t58*p110 - t86*t91);
  const T n271 = n296 - n261*n270;
  const T n273 = n298 - n263*n270;
  const T t116 = n177*(n149 + t79*n66);
  const T n272 = n297 - n262*n270;
  const T n250 = -t93*t108;
  const T n95 = t21*t114;
  const T n303 = x8 - n251;
  const T t117 = n82 + t39 + t35*n69 + t44 + t115;
  const T t118 = n252 - x9;
  const T t119 = n176*(n148 - n66*t80) + t116;
  const T n116 = n55 + t13*t112;
  const T n115 = n54 - t14*t112;
  const T t120 = n250 - x7;
  const T t121 = t10*t108;
  const T t122 = p110*t109;
  const T t123 = -n303;
  const T t124 = t11*t108;
  const T n98 = T(1.0) + n95;
  const T n70 = n54 - t31*n66;
  const T n71 = n55 + t30*n66;
  const T t125 = t96*t119;
  const T t126 = t87*t119;
  y[7] = t24 + n50 + t25 + t35 + n138 + t69;
  y[8] = t26 + n51 + t27 + t37 + n139 + t71;
  const T n199 = t109*(t61*p110 - t97*t91);
  const T n198 = t109*(t97*t88 - t62*p110);
  const T t127 = t20*n98;
  const T t128 = t19*n98;
  y[5] = t70*n298 + t117 + (n219 + t69*n193);
  const T t129 = t11*t125;
  const T t130 = t10*t125;
  const T t131 = n121*(n116 + n121*n66);
  const T n197 = -t105*t108;
  const T t132 = n217*t122;
  const T t133 = n218*t121;
  const T t134 = n217*t124;
  const T t135 = n218*t122;
  const T n186 = n66 - t126*p110;
  const T n247 = t125*t93;
  const T t136 = n47 + n50*p96 + n98*(n109 + t19*t90);
  const T n304 = -t118;
  const T p113 = p[113];
  const T t137 = p113*(n296*t123 - n297*t120);
  const T t138 = p113*(n297*t118 - n298*t123);
  const T n302 = -t120;
  const T t139 = p113*(n296*t118 - n298*t120);
  const T n102 = n87 - p65*t127;
  const T n103 = n88 + p65*t128;
  y[19] = p32*n198;
  y[20] = p32*n199;
  const T n123 = p70*(n122*(n115 - n122*n66) - t131);
  const T t140 = n48 + n98*(n110 + t20*t89) + n79*n66;
  y[18] = p32*n197;
  const T t141 = T(1.0)/(n296*n271 + n298*n273 + n297*n272);
  const T n249 = n149 + t129*t86 + t58*n186;
  const T n248 = n148 - t86*t130 - t59*n186;
  const T n126 = n66 + n123;
  const T t142 = t133 + t71*n198 + (t72*n303 - n216*t122);
  const T t143 = n215*t122 + t69*n199 - t134 + t70*n304;
  const T t144 = t132 + t68*n199 - n214*t124 + t66*n304;
  const T t145 = n214*t121 + t68*n198 + (t66*n303 - t135);
  const T n194 = t125*t105;
  const T t146 = n218*t130;
  const T t147 = n217*t129;
  const T t148 = t7 + t128*t94 + n80*n66 + p88*n103;
  const T t149 = p88*n102 - (t8 + t127*t94 + n81*n66);
  const T t150 = n126*(n132 + n139*p95);
  const T t151 = n271*(t122 + t138) + n273*(t121 + t137);
  const T t152 = n296*t141;
  const T t153 = n78*n66 + t136 + t25*n103 + t35*n71;
  const T t154 = n297*t141;
  const T t155 = n217*n186;
  const T t156 = n298*t141;
  const T t157 = n218*n186;
  const T t158 = n272*(t124 - t139) + t151;
  const T n195 = n148 - t97*t130 - t62*n186;
  const T n196 = n149 + t129*t97 + t61*n186;
  const T t159 = p32*n194;
  y[12] = t159;
  const T t160 = p113*(n298*n248 - n297*n249);
  const T t161 = p113*(n298*n247 - n296*n249);
  const T t162 = p113*(n297*n247 - n296*n248);
  const T t163 = p66*n102 - (n51 + p111*t127) + p64*n70;
  const T t164 = n50 + t128*p111 + p66*n103 + p64*n71;
  const T t165 = t27*n102 - t140 + t37*n70 - t150 - t146;
  const T t166 = (n131 + n138*p94)*n126 + t153 + t147;
  const T t167 = p87*n71 + t148 + t42*n126 + n214*t129;
  const T t168 = p87*n70 + t149 - t43*n126 - n214*t130;
  const T t169 = t11*(t125*t110 - t155);
  const T n277 = t152*t158 - t138;
  const T n278 = t139 + t154*t158;
  const T n279 = t156*t158 - t137;
  const T t170 = p81*n277;
  const T t171 = p81*n278;
  const T t172 = p81*n279;
  const T t173 = n273*(t130 + t162);
  const T n334 = t163 - n139*n126 + p32*n195;
  y[13] = n334;
  const T n335 = n138*n126 + t164 + p32*n196;
  y[14] = n335;
  const T n347 = t142 - t170;
  const T n345 = t170 + t143;
  const T n342 = t144 - t171;
  const T n346 = t71*n197 - t106*t108 + t72*n302 + t171;
  const T n343 = t69*n197 - t107*t108 + t70*n302 - t172;
  const T n341 = t172 + t145;
  const T t174 = p35*(n247*n247 + n249*n249 + n248*n248);
  const T t175 = t165 - n216*n186 + t71*n195 - t72*n248;
  const T t176 = n215*n186 + t166 + t69*n196 - t70*n249;
  const T t177 = p32*(n195*n195 + n194*n194 + n196*n196);
  const T t178 = n271*(n186 - t160) - n272*(t129 - t161) - t173;
  y[15] = n345 - n347;
  y[16] = n346 - n342;
  y[17] = n341 - n343;
  const T t179 = t174 - t125*(t10*(t125*t111 - t157) + t169);
  const T n274 = t160 + t152*t178;
  const T n275 = t178*t154 - t161;
  const T n276 = t162 + t178*t156;
  const T t180 = p81*n274;
  const T t181 = p81*n275;
  const T t182 = p81*n276;
  const T n332 = t175 - t180;
  const T n330 = t180 + t176;
  const T n327 = t155 + t167 + t68*n196 - t66*n249 - t181;
  const T n331 = t71*n194 - t72*n247 + t125*t106 + t181;
  const T n328 = t69*n194 - t70*n247 + t125*t107 - t182;
  const T n326 = t168 - t157 + t68*n195 - t66*n248 + t182;
  y[9] = n330 - n332;
  y[10] = n331 - n327;
  y[11] = n326 - n328;
  const T own_rate0 = x[32];
  const T n67 = n66*own_rate0;
  const T t183 = own_rate0*own_rate0;
  const T t184 = n53*own_rate0;
  const T t185 = p104*n67;
  const T t186 = n55*own_rate0;
  const T t187 = n53*t183;
  const T t188 = n55*t183;
  const T t189 = t13*t185;
  const T t190 = t14*t185;
  const T n65 = t189 + t186;
  const T t191 = n67*n67;
  const T n64 = -(t190 + t184);
  const T p119 = p[119];
  const T t192 = t78 + p119;
  const T t193 = t11*t191;
  const T t194 = t10*t191;
  const T t195 = t10*n67;
  const T t196 = t11*n67;
  const T t197 = n62*(n67*t190 + t187);
  const T p127 = p[127];
  const T x10 = x[10];
  const T n178 = t87*(t104*x10 - own_rate0*p127*t119);
  const T t198 = n64*n64 + n65*n65;
  const T t199 = t1*n178;
  const T n151 = t186 + t15*n67;
  const T n150 = -(t184 + t16*n67);
  const T t200 = p23*t199;
  const T t201 = p109*t87;
  const T p24 = p[24];
  const T n187 = n67 + n178*p24;
  const T t202 = t77*(n61*(n67*t189 + t188) + t197 - t198);
  const T n180 = t200*(t11*t80 - t10*t79);
  const T t203 = t10*t200;
  const T t204 = t11*t200;
  const T t205 = t10*t202;
  const T t206 = t11*t202;
  const T n181 = t203*t192 - t80*n187;
  const T x14 = x[14];
  const T n183 = n180 - x14;
  const T t207 = p23*n178;
  const T t208 = p105*t202;
  const T n182 = t79*n187 - t204*t192;
  const T shared_rate0 = x[34];
  const T n282 = n275*own_rate0 + n278*shared_rate0;
  const T n283 = n276*own_rate0 + n279*shared_rate0;
  const T t209 = n187*n182;
  const T x15 = x[15];
  const T n184 = n150 - x15 + n181;
  const T n281 = n274*own_rate0 + n277*shared_rate0;
  const T x16 = x[16];
  const T n185 = n151 - x16 + n182;
  const T n280 = t141*(t178*own_rate0 + t158*shared_rate0);
  const T t210 = n218*t129;
  const T t211 = n217*t130;
  const T t212 = t10*n181 + n67*(t11*t79 + t10*t80);
  const T n253 = -t93*t200;
  const T p123 = p[123];
  const T t213 = n126*p123;
  const T n124 = n67 + n123*own_rate0;
  const T n287 = t200*(t11*n263 - t10*n262);
  const T t214 = n82*n66 + n219*n186;
  const T p128 = p[128];
  const T n153 = t1*(t206*p128 - p19*t194) - t187;
  const T n254 = t86*t203 - t59*n187;
  const T n255 = t58*n187 - t86*t204;
  const T t215 = n49 + t128*(t28 + t89) + t27*n103;
  const T t216 = n126*t213;
  const T t217 = n124*n124;
  const T n152 = -(t188 + t1*(p19*t193 + t205*p128));
  const T t218 = t10*(t135 + t108*t111);
  const T n284 = x14 - n253;
  const T p193 = p[193];
  const T t219 = t127*(t19*p193 - t90) - t17 + t25*n102;
  const T t220 = t134 + t122*t113 + t133;
  const T n289 = n262*n187 - n261*t204;
  const T n288 = n261*t203 - n263*n187;
  const T t221 = t11*(t132 + t108*t110) + t218;
  const T n257 = n151 + n255;
  const T n256 = n150 + n254;
  const T n325 = t211 + t68*n194 - (t210 + t66*n247);
  const T p139 = p[139];
  const T p138 = p[138];
  const T n306 = own_sine0*p138 + own_cosine0*p139;
  const T n308 = own_cosine0*p138 - own_sine0*p139;
  const T p121 = p[121];
  const T p125 = p[125];
  const T p126 = p[126];
  const T t222 = p126 + n98*(n93*p121*t21 - p125)*n98;
  const T x13 = x[13];
  const T t223 = n153 - x13 + t79*t208;
  const T t224 = p35*(n247*n302 + n249*n304 + n248*n303);
  const T t225 = p32*(n195*n198 + n194*n197 + n196*n199);
  const T t226 = p32*(n198*n198 + n199*n199 + n197*n197);
  const T t227 = p35*(n303*n303 + n304*n304 + n302*n302);
  const T x12 = x[12];
  const T t228 = n152 - x12 - t80*t208;
  const T n286 = x16 - n257;
  const T n285 = x15 - n256;
  const T p141 = p[141];
  const T n311 = n306 - p141;
  const T n305 = p11 + n308;
  const T p124 = p[124];
  const T t229 = t222 - n66*p124*n66;
  const T p122 = p[122];
  const T t230 = (n275*n275 + n274*n274 + n276*n276)*p122;
  const T t231 = p122*(n275*n278 + n274*n277 + n276*n279);
  const T t232 = p122*(n278*n278 + n277*n277 + n279*n279);
  const T t233 = t200*(t192*t195 - t11*n180) + t223;
  const T t234 = n297*n288 + n298*n289;
  const T t235 = t35*n70 + t219 - n126*(n135 + t44) - t211;
  const T t236 = p66*(n103*n103 + n102*n102) + t229;
  const T t237 = t37*n71 + t215 + t115*n126 + t210 + t214;
  const T t238 = t200*(t192*t196 + t10*n180) + t228 - t209;
  const T t239 = n262*n285 + n263*n286;
  const T w_z = w[2];
  const T w_x = w[0];
  const T w_y = w[1];
  const T n337 = n325*w_x + n331*w_z + n328*w_y;
  const T n333 = t71*n196 - t72*n249 + t237;
  const T t240 = t227 + t226 - t109*(p110*t220 + t81*t221);
  const T t241 = n261*n284 + n296*n287 + t234 + t239;
  const T n329 = t235 - t214 + (t69*n195 - t70*n248);
  const T t242 = p64*(n71*n71 + n70*n70) + t236 - t216;
  y[22] = t225 - n186*t220 + (t125*t221 - t224) + t231;
  const T t243 = n176*t238 + n177*(n187*n181 + t233);
  y[23] = t232 + t240;
  const T t244 = n183*n183 + n184*n184 + n185*n185 + t243;
  const T p136 = p[136];
  const T t245 = t202*p136;
  const T n75 = t30*t208 - (t187 + t31*t191);
  const T t246 = n186*(t147 + t146 - n186*t113) + t242 + t177;
  const T n339 = n327*w_x + n333*w_z + n330*w_y;
  const T n336 = n325 + n333 + n329;
  const T n74 = -(t188 + t30*t191 + t31*t208);
  const T x11 = x[11];
  const T t247 = n175*(x11 + t200*(t212 - t11*n182)) - t244;
  const T p137 = p[137];
  const T n120 = t1*(t206*p137 - p46*t194) - t187;
  const T t248 = (t204 - n282)*(n270*n288 - n285 + n262*t241);
  const T t249 = (t203 - n283)*(n270*n289 - n286 + n263*t241);
  const T n338 = n329*w_y + n332*w_z + n326*w_x;
  const T n119 = -(t188 + t1*(p46*t193 + p137*t205));
  const T t250 = (n187 - n281)*(n270*n287 - n284 + n261*t241);
  const T t251 = t201*t247;
  y[21] = t246 + t179 + t230;
  const T t252 = n121*(n121*t208 - n122*t217 + n120);
  const T t253 = w_y*n338 + w_z*n339;
  const T n188 = t208 + t87*p110*t247;
  const T t254 = p64*(n71*n75 + n70*n74);
  const T t255 = n122*(n119 - (n121*t217 + n122*t208)) - t252;
  const T n189 = t1*(t11*t251 - t195*t207);
  const T n190 = t1*(t10*t251 + t196*t207);
  const T n125 = p70*t255;
  const T t256 = n152 + t203*n253 - n187*n255 - t59*n188;
  const T t257 = n153 - t204*n253 + n187*n254 + t58*n188;
  const T n128 = t208 + n125;
  const T t258 = t59*n189 + t200*(t11*n255 - t10*n254);
  const T n259 = t86*n190 + t256;
  const T n260 = t257 - t86*n189;
  const T n258 = t258 - t58*n190;
  const T t259 = n259 - x12;
  const T t260 = n260 - x13;
  const T t261 = n258 - x11;
  const T n290 = n284*n280 - p113*(n297*t260 - n298*t259);
  const T n292 = n280*n286 - p113*(n296*t259 - n297*t261);
  const T n291 = n280*n285 + p113*(n296*t260 - n298*t261);
  const T t262 = n272*(n189 - n291) + n273*(n190 - n292);
  const T t263 = n271*(n188 - n290) - (t249 + t248 + t250) + t262;
  const T n293 = n290 + t152*t263;
  const T n294 = n291 + t154*t263;
  const T n295 = n292 + t156*t263;
  const T p134 = p[134];
  const T t264 = (n275*n294 + n274*n293 + n276*n295)*p134;
  const T p140 = p[140];
  const T n310 = n305 - p140;
  const T p189 = p[189];
  const T n316 = n306 - p189;
  const T p188 = p[188];
  const T n315 = n305 - p188;
  const T n96 = n98*own_rate0;
  const T n307 = -n306;
  const T t265 = t84*t84/n93;
  const T t266 = n88*t183;
  const T t267 = n86*t183;
  const T t268 = n96*n96;
  const T t269 = own_rate0*n96;
  const T n317 = n307*n315 + n308*n316;
  const T p142 = p[142];
  const T t270 = sqrt(p142 + n311*n311 + n310*n310);
  const T t271 = t183*(n86*(n86 + n92) + n88*t82 - t265);
  const T n312 = n310*n307 + n308*n311;
  const T p163 = p[163];
  const T t272 = t270 + p163;
  const T p159 = p[159];
  const T t273 = t270 + p159;
  const T p157 = p[157];
  const T t274 = t270 + p157;
  const T p155 = p[155];
  const T t275 = t270 + p155;
  const T p153 = p[153];
  const T t276 = t270 + p153;
  const T p151 = p[151];
  const T t277 = t270 + p151;
  const T p149 = p[149];
  const T t278 = t270 + p149;
  const T p147 = p[147];
  const T t279 = t270 + p147;
  const T p145 = p[145];
  const T t280 = t270 + p145;
  const T p161 = p[161];
  const T t281 = t270 + p161;
  const T p169 = p[169];
  const T t282 = t270 + p169;
  const T p181 = p[181];
  const T t283 = t270 + p181;
  const T p179 = p[179];
  const T t284 = t270 + p179;
  const T p177 = p[177];
  const T t285 = t270 + p177;
  const T p175 = p[175];
  const T t286 = t270 + p175;
  const T p173 = p[173];
  const T t287 = t270 + p173;
  const T p171 = p[171];
  const T t288 = t270 + p171;
  const T p167 = p[167];
  const T t289 = t270 + p167;
  const T p165 = p[165];
  const T t290 = t270 + p165;
  const T p183 = p[183];
  const T t291 = t270 + p183;
  const T n323 = w_y + t204;
  const T n324 = w_z + t203;
  const T n322 = w_x + n187;
  const T n200 = -t105*t200;
  const T n201 = t97*t203 - t62*n187;
  const T n202 = t61*n187 - t97*t204;
  const T t292 = t100*n189;
  const T t293 = n219*n189;
  const T t294 = t268 - t83*t271*t18;
  const T t295 = p35*(n247*n303 - n248*n302);
  const T t296 = p35*(n248*n304 - n249*n303);
  const T t297 = n218*t203 + n214*n187 + n217*t204;
  const T t298 = p35*(n247*n304 - n249*n302);
  const T p130 = p[130];
  const T p129 = p[129];
  const T p132 = p[132];
  const T n321 = t14*p132 + t52*p129 - t55*p130;
  y[34] = n321;
  const T n320 = t13*p132 + t51*p129 - t54*p130;
  y[33] = n320;
  const T p131 = p[131];
  const T n319 = p131 + t53*p129 - t56*p130;
  y[32] = n319;
  const T n301 = -t260;
  const T n300 = -t259;
  const T p164 = p[164];
  const T t299 = p164*select(T(0.0) < t272, t272, T(0.0));
  const T p158 = p[158];
  const T t300 = p158*select(T(0.0) < t274, t274, T(0.0));
  const T p154 = p[154];
  const T t301 = p154*select(T(0.0) < t276, t276, T(0.0));
  const T p150 = p[150];
  const T t302 = p150*select(T(0.0) < t278, t278, T(0.0));
  const T p146 = p[146];
  const T t303 = p146*select(T(0.0) < t280, t280, T(0.0));
  const T t304 = n218*n187 + t200*(t103 + t10*n216);
  const T t305 = n217*n187 + t200*(t102 + t11*n215);
  const T n299 = -t261;
  const T p182 = p[182];
  const T t306 = p182*select(T(0.0) < t283, t283, T(0.0));
  const T p178 = p[178];
  const T t307 = p178*select(T(0.0) < t285, t285, T(0.0));
  const T p174 = p[174];
  const T t308 = p174*select(T(0.0) < t287, t287, T(0.0));
  const T p168 = p[168];
  const T t309 = p168*select(T(0.0) < t289, t289, T(0.0));
  const T p184 = p[184];
  const T t310 = p184*select(T(0.0) < t291, t291, T(0.0));
  const T p160 = p[160];
  const T t311 = p160*select(T(0.0) < t273, t273, T(0.0)) + t299;
  const T p152 = p[152];
  const T t312 = p152*select(T(0.0) < t277, t277, T(0.0)) + t301;
  const T p170 = p[170];
  const T p185 = p[185];
  const T p186 = p[186];
  const T t313 = p170*select(T(0.0) < t282, t282, T(0.0)) - p186*(p185 - t270);
  const T p194 = p[194];
  const T t314 = t104*(n186*t201 + t119*p194/n174);
  const T p180 = p[180];
  const T t315 = p180*select(T(0.0) < t284, t284, T(0.0)) + t306;
  const T p172 = p[172];
  const T t316 = p172*select(T(0.0) < t288, t288, T(0.0)) + t308;
  const T t317 = n219*t122;
  const T p190 = p[190];
  const T t318 = n317/sqrt(p190 + n316*n316 + n315*n315);
  const T t319 = n218*t124;
  const T p156 = p[156];
  const T t320 = p156*select(T(0.0) < t275, t275, T(0.0)) + t300 + t311;
  const T p162 = p[162];
  const T t321 = p162*select(T(0.0) < t281, t281, T(0.0)) - t303 + t313;
  const T t322 = t14*t314;
  const T t323 = t13*t314;
  const T p176 = p[176];
  const T t324 = p176*select(T(0.0) < t286, t286, T(0.0)) + t307 + t315;
  const T t325 = n92*(t266 - t98*T(2.0)*t269 + n91*t294);
  const T t326 = n91*(t267 + t99*T(2.0)*t269 + n92*t294);
  const T t327 = n320*n324 - n323*n321;
  const T t328 = n153 - t204*n200 + n187*n201 + t61*n188;
  const T t329 = n152 + t203*n200 - n187*n202 - t62*n188;
  const T t330 = n319*n323 - n322*n320;
  const T t331 = n319*n324 - n322*n321;
  const T spin0 = x[35];
  const T t332 = spin0 + n319*n322 + (n323*n320 + n324*n321);
  const T p148 = p[148];
  const T t333 = p148*select(T(0.0) < t279, t279, T(0.0)) + t302 + t312 + t320;
  const T t334 = t62*n189 + t200*(t11*n202 - t10*n201);
  const T p166 = p[166];
  const T t335 = p166*select(T(0.0) < t290, t290, T(0.0)) + t309 + t316 + t324;
  const T t336 = own_rate0*t318;
  const T n207 = t328 - t97*n189;
  const T n206 = t97*n190 + t329;
  const T p135 = p[135];
  const T t337 = t332*p135;
  const T t338 = p35*(n248*n300 + n249*n301 + n247*n299);
  const T p143 = p[143];
  const T p144 = p[144];
  const T p187 = p[187];
  const T t339 = p187 - p144*(p143 - t270) - t310 + t321 - t333;
  const T t340 = t200*(t10*t305 - t11*t304) - t113*n188;
  const T n205 = t334 - t61*n190;
  const T t341 = n187*t304 - t203*t297 - n217*n188 - t292;
  const T t342 = t204*t297 - n187*t305 - n218*n188 - t293;
  const T t343 = n216*t323 - n219*t322;
  const T t344 = n218*t323 - n217*t322;
  const T n97 = t21*(t326 - t325);
  const T t345 = p134*(n278*n294 + n277*n293 + n279*n295);
  const T n348 = t317 + t71*n199 - t319 + t72*n304;
  const T t346 = n215*t322 - n219*t323;
  const T n313 = t339 - t335;
  const T n221 = t341 - n219*n190;
  const T n222 = t342 - t101*n190;
  const T t347 = p32*(n194*n198 - n195*n197) - t295 + t343;
  const T t348 = p32*(n195*n199 - n196*n198) - t296 + t344;
  const T t349 = p32*(n194*n199 - n196*n197) - t298 + t346;
  const T p191 = p[191];
  const T t350 = (T(1.0) + t336)*p191;
  const T n220 = t340 - n217*n189 - n218*n190;
  const T t351 = t337*t327 - n220;
  const T t352 = w_z*(p81*(n274*n278 - n275*n277) + t347);
  const T t353 = w_x*(p81*(n275*n279 - n276*n278) + t348);
  const T p192 = p[192];
  const T n318 = p191 + p192*select(T(0.0) < t336, t336, T(0.0)) - t350;
  const T t354 = t18*(n91*t268 + n92*n97);
  const T t355 = p32*(n195*n206 + n196*n207 + n194*n205);
  const T t356 = t18*(n91*n97 - n92*t268);
  const T t357 = p125*n97;
  const T t358 = w_y*(p81*(n274*n279 - n276*n277) + t349);
  const T t359 = p109*(t10*n222 + t11*n221);
  const T n243 = p56*t356;
  const T t360 = p32*(n198*n206 + n199*n207 + n197*n205);
  const T n242 = -p56*t354;
  const T p133 = p[133];
  const T t361 = (t11*t331 - t10*t330)*(p133*t332) + t359;
  const T t362 = t353 + t352 - t358;
  const T n107 = p65*t356 - t267;
  const T n106 = -(t266 + p65*t354);
  const T t363 = t1*t361;
  const T t364 = n66*t245 - (n312*n313/t270 + t318*n318);
  const T t365 = own_rate0*T(2.0)*t362;
  const T t366 = t357 + (n92*n242 - n91*n243)*(t18*p111);
  const T t367 = t364 - p66*(n103*n107 + n102*n106);
  const T t368 = n98*t366 + t367 - t254 + t213*n128;
  const T x17 = x[17];
  const T t369 = n336*x17 + t368 - w_x*n337 - t253;
  const T x18 = x[18];
  const T t370 = x18*t362 + t369 + n186*t351 - t355 + t338;
  y[24] = t126*t363 + t370 + t264;
  const T t371 = n217*t121;
  const T n111 = -p83*t356;
  const T n112 = -p83*t354;
  const T n83 = n81*t191 - n80*t208;
  const T n84 = -(n81*t208 + n80*t191);
  const T n344 = t371 + t69*n198 + (t70*n303 - t317);
  const T n141 = n138*n128 - n139*t217;
  const T t372 = t331*t337;
  const T n136 = n134*t217 - n133*n128;
  const T x29 = x[29];
  const T t373 = t199*x29;
  const T n140 = -(n138*t217 + n139*n128);
  const T n137 = -(n133*t217 + n134*n128);
  const T n340 = t319 - t371 + t68*n197 + t66*n302;
  const T t374 = p64*n74;
  const T t375 = p64*n75;
  const T n352 = n342*w_x + w_z*n348 + n345*w_y;
  const T t376 = t245 + t357 + p57*(n241*n242 - n240*n243);
  const T t377 = p85*n243 - n111 + p88*n107 - n83;
  const T t378 = n112 + p85*n242 + p88*n106 + n84;
  const T x20 = x[20];
  const T n353 = t159*own_rate0 + n197*x20;
  const T t379 = p66*(n101*n106 - n100*n107) + t376;
  const T n355 = n199*x20 + n335*own_rate0;
  const T n354 = n198*x20 + n334*own_rate0;
  const T t380 = p32*n206;
  const T t381 = p32*n207;
  const T t382 = t10*n321 + t11*n320;
  const T n349 = n340 + n348 + n344;
  const T n351 = w_y*n344 + n347*w_z + n341*w_x;
  const T t383 = p64*(n69*n74 - n68*n75) + t379;
  const T t384 = n50*t183 - p57*n242 - p66*n106 - t374;
  const T t385 = n51*t183 - p57*n243 - p66*n107 - t375;
  const T t386 = p35*(n303*n300 + n304*n301 + n302*n299);
  const T t387 = t351 + p32*(n193*n206 - n192*n207);
  const T n350 = w_x*n340 + n346*w_z + n343*w_y;
  const T t388 = own_rate0*(t12*own_rate0 - T(2.0)*(n336*w_x - n337));
  const T t389 = own_rate0*((n336*w_y - n338)*T(-2.0) - t8*own_rate0);
  const T t390 = own_rate0*(t7*own_rate0 - T(2.0)*(n336*w_z - n339));
  const T p195 = p[195];
  const T t391 = t109*(t327*p195*t332 - p110*n220 - t363);
  const T t392 = p87*n74 + t378 + n137 + p84*n140;
  y[35] = n186*n319 - t125*t382;
  const T x27 = x[27];
  const T x28 = x[28];
  const T t393 = n319*(n188 + t199*(t10*x28 - t11*x27));
  const T t394 = w_y*n351 + w_z*n352;
  const T x22 = x[22];
  const T x21 = x[21];
  y[29] = n354*x21 + n355*x22 - p32*n205;
  y[36] = t109*(p110*n319 + t81*t382);
  const T t395 = p87*n75 + t377 - n136 + p84*n141 - t372;
  const T t396 = n320*(t10*t373 - w_z*n187 - n189) - t393;
  const T t397 = p123*n128 + t383 - p94*n141 + p95*n140;
  y[37] = t396 - n321*(t11*t373 - w_y*n187 + n190);
  const T x19 = x[19];
  const T t398 = t330*t337 - t392 + x19*(w_z*n349 - n352);
  const T x23 = x[23];
  const T x24 = x[24];
  y[30] = t384 - n140 + n353*x23 + n355*x24 - t380;
  const T x25 = x[25];
  const T x26 = x[26];
  y[31] = t385 - n141 + n353*x25 + n354*x26 - t381;
  const T t399 = x17*n349 - w_x*n350 - t394 - t365 - t360;
  const T t400 = x19*(w_y*n349 - n351) + t395 - n221 + t389;
  const T t401 = t398 - n222 + t390;
  const T t402 = x19*(w_x*n349 - n350) + t397 + t388 + t387;
  const T t403 = p32*(n191*n207 - n193*n205) + t400;
  const T t404 = p32*(n192*n205 - n191*n206) + t401;
  const T t405 = p35*(n298*n300 - n297*n301) + t402;
  const T t406 = p35*(n296*n301 - n298*n299) + t403;
  const T t407 = p35*(n297*n299 - n296*n300) + t404;
  y[26] = n293*p134 + t405;
  y[25] = t399 - t386 + t391 + t345;
  y[27] = n294*p134 + t406;
  y[28] = n295*p134 + t407;
  const T x30 = x[30];
  if ((status == 0 || status > 1) && !all(x30 > T(0.0))) status = 1;
  return status;
}

}  // namespace generated

// hmmwv_kernel1: written by camber's codegen, not by hand.
// From what a sub-mechanism brings to the equations: rear_left_lower_arm and 1 like it
// 1576 operations: 681 additions + 47 functions + 838 multiplications + 10 divisions.
//
// Inputs
//   p(183): p0 p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11 p12 p13 p14 p15 p16 p17 p18 p19 p20 p21 p22 p23 p24 p25 p26 p27 p28 p29 p30 p31 p32 p33 p34 p35 p36 p37 p38 p39 p40 p41 p42 p43 p44 p45 p46 p47 p48 p49 p50 p51 p52 p53 p54 p55 p56 p57 p58 p59 p60 p61 p62 p63 p64 p65 p66 p67 p68 p69 p70 p71 p72 p73 p74 p75 p76 p77 p78 p79 p80 p81 p82 p83 p84 p85 p86 p87 p88 p89 p90 p91 p92 p93 p94 p95 p96 p97 p98 p99 p100 p101 p102 p103 p104 p105 p106 p107 p108 p109 p110 p111 p112 p113 p114 p115 p116 p117 p118 p119 p120 p121 p122 p123 p124 p125 p126 p127 p128 p129 p130 p131 p132 p133 p134 p135 p136 p137 p138 p139 p140 p141 p142 p143 p144 p145 p146 p147 p148 p149 p150 p151 p152 p153 p154 p155 p156 p157 p158 p159 p160 p161 p162 p163 p164 p165 p166 p167 p168 p169 p170 p171 p172 p173 p174 p175 p176 p177 p178 p179 p180 p181 p182
//   x(14): x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 own_cosine0 own_rate0 own_sine0 spin0
//   w(3): w_x w_y w_z
// Outputs
//   y(28)
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
  const T t145 = t11*t130;
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
  const T n240 = t176 - n90*n77 + p25*n119;
  y[13] = n240;
  const T n241 = n89*n77 + t177 + p25*n120;
  y[14] = n241;
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
  const T n238 = t76*n119 + t188 - t194;
  const T n236 = t194 + t193;
  const T n233 = t68*n120 + t189 - t195;
  const T n237 = t195 + t174;
  const T n234 = t175 - t196;
  const T n232 = t68*n119 + t190 + t196;
  const T n128 = t185 - t61*n113;
  const T n127 = t61*n114 + t186;
  const T t197 = t67*n113 + t135*(t11*n123 - t10*n122);
  y[9] = n236 - n238;
  y[10] = n237 - n233;
  y[11] = n232 - n234;
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
  const T n239 = t192 - t74*n170 + t76*n120;
  const T n231 = t169 + t68*n118 - (t209 + t69*n168);
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
  const T n245 = n233*w_x + n239*w_z + n236*w_y;
  const T n243 = n231*w_x + n237*w_z + n234*w_y;
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
  const T n235 = t209 + t242 - t73*n169 + t75*n119;
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
  const T n242 = n231 + n239 + n235;
  const T n215 = t278 - t275;
  const T p176 = p[176];
  const T t279 = (T(1.0) + t273)*p176;
  const T t280 = t14*(n40*t203 + n43*n48);
  const T t281 = t14*(n40*n48 - n43*t203);
  const T t282 = p109*n48;
  const T t283 = p97*(t11*n142 + t10*n143);
  const T n244 = n235*w_y + n238*w_z + n232*w_x;
  const T n164 = p47*t281;
  const T p177 = p[177];
  const T n224 = p176 + p177*select(T(0.0) < t273, t273, T(0.0)) - t279;
  const T n163 = -p47*t280;
  const T n58 = p56*t281 - t202;
  const T n57 = -(t201 + p56*t280);
  const T t284 = w_x*n243 + w_y*n244 + (w_z*n245 + t199);
  const T t285 = t282 + (n43*n163 - n40*n164)*(t14*p98);
  const T t286 = n214*n215/t211 + t261*n224;
  const T t287 = p57*(n54*n58 + n53*n57) + t286;
  const T t288 = n49*t285 - t287 - t259 + t160*n79;
  const T x0 = x[0];
  const T t289 = n242*x0 + t288 + n21*t277 - t276;
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
  const T t308 = p25*(n117*n127 - n116*n128) + t306;
  const T t309 = p55*(n24*n29 - n23*n30) + t307;
  const T t310 = n175 + n188*n197 - n181*t303;
  const T x3 = x[3];
  const T x4 = x[4];
  const T t311 = own_rate0*(n118*x3 + n5*own_rate0 + n241*x4);
  const T t312 = p48*n163 + p57*n57 + p55*n29 + n91;
  const T t313 = p48*n164 + p57*n58 + p55*n30 + n92;
  const T t314 = n174 + n188*n196 - n180*t303;
  const T p117 = p[117];
  const T t315 = (t10*t299 - t11*t298)*(p117*t241) - t283;
  const T t316 = own_rate0*(p85*t301 - T(2.0)*(n242*w_x - n243));
  const T t317 = own_rate0*((n242*w_y - n244)*T(-2.0) - p77*t301);
  const T t318 = own_rate0*(t8*own_rate0 - T(2.0)*(n242*w_z - n245));
  const T x2 = x[2];
  const T x1 = x[1];
  y[20] = own_rate0*(n240*x1 + n241*x2) - p25*n126;
  y[26] = n21*n225 + t130*(t10*n227 + t11*n226);
  const T x8 = x[8];
  const T x7 = x[7];
  const T t319 = n225*(t147 + t127*(t10*x7 - t11*x8));
  const T t320 = (t142 - n194*own_rate0)*t310;
  const T x5 = x[5];
  const T x6 = x[6];
  const T t321 = own_rate0*(t301 + n118*x5 + n240*x6) - t313;
  const T x9 = x[9];
  const T t322 = n226*(t131*x9 - w_z*n18 - n113) - t319;
  const T t323 = (n171 + n188*n195 - n179*t303)*t296 - t320;
  y[21] = t311 - t312 - p25*n127;
  y[22] = t321 - p25*n128;
  const T t324 = t304 - n87 + p75*n92 - t298*t249 - n142;
  const T t325 = t299*t249 - (n88 + t305 + p75*n91) - n143;
  const T t326 = p110*n79 + t309 - p83*n92 + p84*n91;
  y[27] = t322 - n227*(t132*x9 - w_y*n18 + n114);
  const T t327 = t323 - (t140 - n193*own_rate0)*t314;
  const T t328 = p28*t297 + t324;
  const T t329 = p28*(t294 - t293) + t325;
  const T t330 = n189*(t147 - n198) + t327 + n191*(n114 - n200);
  const T t331 = p25*(n115*n128 - n117*n126) + t328 + t317;
  const T t332 = p25*(n116*n126 - n115*n127) + t329 + t318;
  const T t333 = t149*(n190*(n113 - n199) + t330);
  const T n201 = n198 + n204*t333;
  const T n202 = n199 + n205*t333;
  const T n203 = n200 + n206*t333;
  const T p118 = p[118];
  y[17] = t277 + t326 + t308 + t316 + n201*p118;
  y[18] = n202*p118 + t331;
  y[19] = n203*p118 + t332;
  const T t334 = (n193*n202 + n192*n201 + n194*n203)*p118;
  y[16] = t123*t315 + t289 - t284 + t334;
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
//   y0_2(38): y0_0 y0_1 y0_2 y0_3 y0_4 y0_5 y0_6 y0_7 y0_8 y0_9 y0_10 y0_11 y0_12 y0_13 y0_14 y0_15 y0_16 y0_17 y0_18 y0_19 y0_20 y0_21 y0_22 y0_23 y0_24 y0_25 y0_26 y0_27 y0_28 y0_29 y0_30 y0_31 y0_32 y0_33 y0_34 y0_35 y0_36 y0_37
//   y1_2(38): y1_0 y1_1 y1_2 y1_3 y1_4 y1_5 y1_6 y1_7 y1_8 y1_9 y1_10 y1_11 y1_12 y1_13 y1_14 y1_15 y1_16 y1_17 y1_18 y1_19 y1_20 y1_21 y1_22 y1_23 y1_24 y1_25 y1_26 y1_27 y1_28 y1_29 y1_30 y1_31 y1_32 y1_33 y1_34 y1_35 y1_36 y1_37
//   y2(28): y2_0 y2_1 y2_2 y2_3 y2_4 y2_5 y2_6 y2_7 y2_8 y2_9 y2_10 y2_11 y2_12 y2_13 y2_14 y2_15 y2_16 y2_17 y2_18 y2_19 y2_20 y2_21 y2_22 y2_23 y2_24 y2_25 y2_26 y2_27
//   y3(28): y3_0 y3_1 y3_2 y3_3 y3_4 y3_5 y3_6 y3_7 y3_8 y3_9 y3_10 y3_11 y3_12 y3_13 y3_14 y3_15 y3_16 y3_17 y3_18 y3_19 y3_20 y3_21 y3_22 y3_23 y3_24 y3_25 y3_26 y3_27
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

inline constexpr int hmmwv_nq = 16;
inline constexpr int hmmwv_nv = 15;
inline constexpr int hmmwv_parameter_count = 1031;
inline constexpr double hmmwv_parameters[] = {
    0.12899999865975628, 0.491123999327014, 0.12899999865975617, 0.069602775186155347,
    0.491123999327014, -0.19943700000000003, 0.5079163523966892, 1.6490759944332658,
    -0.9251674251770543, 0.47942499999999993, -0.11811000000000001, 0.30708600000000003,
    0.46184819999999999, 0.22009100000000001, 1.4659581988371098, 0.076173921236632039,
    -1, -0.047401716692333423, -0.37658772237803945, 0.084491769775934381,
    -0.37609440137045702, -0.019269507094808708, 0.92638096232280198, 0.99869002365646109,
    -0.051168707713378149, 3.4221748409006123, 0.1013044950951047, -0.4375075475034933,
    -1, 0.045575652968890774, -0.097245843802782131, 1.649732739926393,
    91.555000000000007, 0.14610591896830591, 1.6483186368550351, -1.0022588713521694,
    0.08424002867000753, -0.19076303313141429, -0.050043756939155859, 0.069543566684618377,
    -0.37368414339261924, 0.9038234314622674, -0.010667585341155104, 4.6263500458047808,
    0.088628427523433154, 18.698662943340739, 0.3410738453501822, -0.00028566003824992496,
    -2.906203794486141, 0.92369639999999997, -0.012818091395652704, 0.23609299999999994,
    -0.046608999999999998, 0.49778919999999999, 0.3231388, 0,
    -0.093130845302751342, 2, 0.014781797147513745, 5.265564018000001,
    -1.2971430750000001, 0.61417200000000005, 0.17053722236743454, 4.4741982443280426e-07,
    2, 0.093130845302751314, 2, 0.0054573447158599523,
    0.0061073447158599536, 0.079393558862819985, 15.535307021716218, 0.06158911731999038,
    0.063096458130993502, 0.9767336920325792, 0.20820559151878099, 0.79070180151686442,
    0.82948976616598025, 0.89291808581098941, 0.0094700890306697837, 6.8929386017980305e-08,
    0.0099199999999999983, 0.00033749999999999059, 0.44018200000000002, 0.00019944647140824272,
    1.5834280000000001, 3.5825524, 1.688965, 3.2893340000000002,
    3.5757452000000001, -0.0020962974642268237, -0.024412198527227279, -0.0009702602732854878,
    -4.5650524695150553e-08, 0.010914689431719905, 0.46184819999999999, 0.22009100000000001,
    0.30708600000000003, 1.9136116935251009, -0.0025552619832951719, 1.5814036030337288,
    -0.41474488308299012, -0.018940178061339567, 3.4464693008990152e-08, 10.447631600000001,
    0.3410738453501822, -2.9319163976742195, 0.00065674549312724306, 0.014781797147513745,
    0.14610591896830591, -6.835383745631157, 0.35021652835623962, -0.18626169060550268,
    -0.00075735757823065981, 6.6929521545781103, -0.98135623433519981, -0.19196631118353505,
    0.00048239013099588284, -0.0094150943587337273, -0.33364613335340054, -0.00075735757823065981,
    4.9617788950596999, 0.017346708693610002, 0.00067499999999998117, -0.12619291626198698,
    -0.01984, -0.012214689431719907, 1.7858361716219788, -6.8443496818012246,
    -0.24772280527457702, 0.37820610326134002, -0.90208037960013276, 0.010636586386794551,
    -0.20760056653677286, -50.498584743648763, -0.00067499999999998117, 7.3878199999999978,
    0.058169221329856517, -1, 0.23609299999999994, -0.046608999999999998,
    0.50977799999999995, 0.19748499999999999, 4.6337971839998667e-05, 0.33900000000000002,
    167070.94, -0.14999999999999999, 99999.999999999913, -0.29999999999999999,
    -99999.999999999913, -0.32000000000000001, -50000, -0.31,
    -50000.000000000116, -0.13999999999999999, 50000.000000000378, -0.10999999999999999,
    199999.99999999983, -0.14399999999999999, 0, -0.14199999999999999,
    0, -0.14799999999999999, 0, -0.30599999999999999,
    3.4924596548080444e-10, -0.13, 49999.999999999534, -0.099999999999999978,
    10750000.00000002, -0.30199999999999999, 0, -0.33999999999999997,
    -199999.99999999994, -0.32999999999999996, -99999.999999999913, -0.34999999999999998,
    -10750000.000000006, -0.14599999999999999, 0, -0.12,
    99999.999999999884, -0.308, 0, -0.30399999999999999,
    -3.4924596548080444e-10, 0.089999999999999997, 11250000.00000002, -125000,
    0.49778919999999999, 0.3231388, 4.6337971839998667e-05, -12521.564,
    9938.4440000000013, -0.010914689431719905, -2.3938643653776133, 2.5873366725207934,
    97.555000000000007, 0.12899999865975628, 0.491123999327014, 0.12899999865975617,
    0.069602775186155263, 0.491123999327014, 0.69743699999999997, 0.5079163523966892,
    1.6490759944332658, -0.9251674251770543, -0.47942499999999993, -0.11811000000000001,
    -0.30708600000000003, -0.46184819999999999, 0.22009100000000001, 1.4659581988371098,
    0.076173921236632039, 1, -0.047401716692333423, 0.37658772237803945,
    0.084491769775934381, 0.37609440137045702, 0.019269507094808708, 0.92638096232280198,
    0.99869002365646109, -0.051168707713378149, 3.4221748409006123, 0.1013044950951047,
    -0.4375075475034933, 1, 0.045575652968890774, 0.097245843802782131,
    1.649732739926393, 91.555000000000007, 0.14610591896830591, 1.6483186368550351,
    -1.0022588713521694, 0.08424002867000753, 0.19076303313141429, -0.050043756939155859,
    0.069543566684618377, 0.37368414339261924, 0.9038234314622674, 0.010667585341155104,
    4.6263500458047808, 0.088628427523433154, 18.698662943340739, 0.3410738453501822,
    0.00028566003824992496, -2.906203794486141, -0.92369639999999997, -0.012818091395652704,
    -0.23609299999999994, -0.046608999999999998, -0.49778919999999999, 0.3231388,
    0, -0.093130845302751342, 2, 0.014781797147513745,
    -5.265564018000001, -1.2971430750000001, -0.61417200000000005, 0.17053722236743454,
    -4.4741982443280426e-07, 2, 0.093130845302751314, 2,
    0.0054573447158599523, 0.0061073447158599536, -0.079393558862819985, 15.535307021716218,
    0.06158911731999038, 0.063096458130993502, 0.9767336920325792, -0.20820559151878099,
    0.79070180151686442, -0.82948976616598025, 0.89291808581098941, 0.0094700890306697837,
    -6.8929386017980305e-08, 0.0099199999999999983, 0.00033749999999999059, 0.44018200000000002,
    0.00019944647140824272, 1.5834280000000001, 3.5825524, 1.688965,
    3.2893340000000002, 3.5757452000000001, -0.0020962974642268237, 0.024412198527227279,
    -0.0009702602732854878, 4.5650524695150553e-08, 0.010914689431719905, -0.46184819999999999,
    0.22009100000000001, -0.30708600000000003, 1.9136116935251009, 0.0025552619832951719,
    1.5814036030337288, 0.41474488308299012, -0.018940178061339567, -3.4464693008990152e-08,
    10.447631600000001, 0.3410738453501822, 2.9319163976742195, 0.00065674549312724306,
    0.014781797147513745, 0.14610591896830591, 6.835383745631157, -0.35021652835623962,
    -0.18626169060550268, -0.00075735757823065981, 6.6929521545781103, 0.98135623433519981,
    -0.19196631118353505, -0.00048239013099588284, 0.0094150943587337273, -0.33364613335340054,
    -0.00075735757823065981, 4.9617788950596999, 0.017346708693610002, 0.00067499999999998117,
    -0.12619291626198698, -0.01984, -0.012214689431719907, 1.7858361716219788,
    6.8443496818012246, 0.24772280527457702, -0.37820610326134002, -0.90208037960013276,
    -0.010636586386794551, 0.20760056653677286, 50.498584743648763, -0.00067499999999998117,
    7.3878199999999978, -0.058169221329856517, 1, -0.23609299999999994,
    -0.046608999999999998, -0.50977799999999995, 0.19748499999999999, 4.6337971839998667e-05,
    0.33900000000000002, 167070.94, -0.14999999999999999, 99999.999999999913,
    -0.29999999999999999, -99999.999999999913, -0.32000000000000001, -50000,
    -0.31, -50000.000000000116, -0.13999999999999999, 50000.000000000378,
    -0.10999999999999999, 199999.99999999983, -0.14399999999999999, 0,
    -0.14199999999999999, 0, -0.14799999999999999, 0,
    -0.30599999999999999, 3.4924596548080444e-10, -0.13, 49999.999999999534,
    -0.099999999999999978, 10750000.00000002, -0.30199999999999999, 0,
    -0.33999999999999997, -199999.99999999994, -0.32999999999999996, -99999.999999999913,
    -0.34999999999999998, -10750000.000000006, -0.14599999999999999, 0,
    -0.12, 99999.999999999884, -0.308, 0,
    -0.30399999999999999, -3.4924596548080444e-10, 0.089999999999999997, 11250000.00000002,
    -125000, -0.49778919999999999, 0.3231388, 4.6337971839998667e-05,
    -12521.564, 9938.4440000000013, -0.010914689431719905, -2.3938643653776133,
    -2.5873366725207934, 97.555000000000007, 0.47942499999999993, -0.11811000000000001,
    0.30708600000000003, 0.46215300000000004, 0.22567899999999999, 0.47942499999999993,
    -0.11811000000000001, 0.058673999999999997, 1.4642516655393765, 0.07659974013578412,
    -1, -0.3865561369408117, 0.41605199999999998, 0.17311483922866366,
    -0.9222658797729627, -0.072558906240611967, 3.4228582490594022, 0.67956353846836581,
    -0.48022637209123736, 1, 0.9222658797729627, -0.3865561369408117,
    0.045541170989405869, 0.097234570585196287, -1.653405, 91.555000000000007,
    0.14607674744853938, -1.4656990000000001, -1.0019680166613303, 0.16648162578243375,
    0.15580716911026773, 0.071456017842100081, 0.37358667424904085, 0.90385526510743419,
    4.6273087100447245, 0.08766978407839067, 18.757528539899671, 0.34147135480007695,
    -2.9068021744857067, 0.00027971557122810333, 0.92430600000000007, 0.071640079741511237,
    0.23685499999999998, -0.038379400000000001, 0.49778919999999999, 0.3231388,
    0, -0.091113047081112383, 2, 0.099268431384079245,
    5.2650061069999987, -1.2971430750000001, 0.61417200000000005, 0.17073578135165696,
    4.890746988159278e-07, 2, 0.091113047081112383, 2,
    0.97365702089117712, -0.20851536288991018, 0.79056806327627649, 0.82942387129776995,
    0.89278434757040148, 0.0094917628340517677, 1.0992971597462942e-06, 0.0099419999999999977,
    0.0052095049067950186, 0.0058595049067950182, -0.0093542742359329478, 15.554651157601919,
    0.062406320664640254, 0.062418537361093228, 0.00033750000000000446, 0.45135799999999998,
    -0.00019460517970584806, -1.564632, -3.5825524, -1.688965,
    -3.30681, -3.5757452000000001, 1.5999094205127894e-05, -0.0017439012683589609,
    0.010419009813590037, 0.46215300000000004, 0.22567899999999999, 0.30708600000000003,
    -0.018983525668103535, 5.4964857987314711e-07, 1.581136126552553, -0.41471193564888498,
    1.9414170959358461, 0.00030069058255161502, -10.4651076, 0.34147135480007695,
    -2.9285033310787529, 0.14607674744853938, 0.099268431384079245, 6.8457164981188043,
    -0.18222609416222477, 1, 5.831160478016514, 0.96351744248566418,
    -0.2662836581821435, -0.026965745141196408, 0.32641726549175215, 4.9617740801219954,
    0.016603174696810004, 0.00067500000000000893, -0.019883999999999995, -0.011719009813590035,
    -0.12483707472218643, 1.785568695140803, 0.18770599999999993, 1,
    0.37810965249250189, 0.90211381473951302, -0.20790323698327387, 50.574921259132047,
    -0.00067500000000000893, 7.3878199999999978, 0.058230360235169913, 0.23609299999999994,
    -0.046608999999999998, 0.50157379999999996, 0.25648919999999997, 4.6337971839998667e-05,
    0.38200000000000001, 369167.22999999998, -0.14999999999999999, 99999.999999999913,
    -0.34999999999999998, -99999.999999999913, -0.39999999999999997, -10750000.000000006,
    -0.12, 99999.999999999884, -0.14599999999999999, 0,
    -0.38999999999999996, -199999.99999999994, -0.35599999999999998, 1.7462298274040222e-10,
    -0.13999999999999999, 50000.000000000378, -0.14399999999999999, 0,
    -0.13, 49999.999999999534, -0.14199999999999999, 0,
    -0.35199999999999998, 1.7462298274040222e-10, -0.10999999999999999, 199999.99999999983,
    -0.35799999999999998, 0, -0.14799999999999999, 0,
    -0.35399999999999998, 0, -0.35999999999999999, -50000.000000000116,
    -0.38, -99999.999999999913, -0.099999999999999978, 10749999.999999991,
    -0.37, -50000, 0.089999999999999969, 11249999.999999991,
    -125000, 0.23685499999999998, -0.038379400000000001, 0.49778919999999999,
    0.3231388, 4.6337971839998667e-05, -14535.522000000001, 20489.831999999999,
    -0.010419009813590037, -1, -183.11000000000001, 183.11000000000001,
    97.555000000000007, -0.47942499999999993, -0.11811000000000001, -0.30708600000000003,
    -0.46215300000000004, 0.22567899999999999, -0.47942499999999993, -0.11811000000000001,
    0.058673999999999997, 1.4642516655393765, 0.07659974013578412, 1,
    0.3865561369408117, -0.41605199999999998, 0.17311483922866366, -0.9222658797729627,
    0.072558906240611967, 3.4228582490594022, 0.67956353846836581, -0.48022637209123736,
    -1, 0.9222658797729627, 0.3865561369408117, 0.045541170989405869,
    -0.097234570585196287, -1.653405, 91.555000000000007, 0.14607674744853938,
    -1.4656990000000001, -1.0019680166613303, 0.16648162578243375, -0.15580716911026773,
    0.071456017842100081, -0.37358667424904085, 0.90385526510743419, 4.6273087100447245,
    0.08766978407839067, 18.757528539899671, 0.34147135480007695, -2.9068021744857067,
    -0.00027971557122810333, -0.92430600000000007, 0.071640079741511237, -0.23685499999999998,
    -0.038379400000000001, -0.49778919999999999, 0.3231388, 0,
    -0.091113047081112383, 2, 0.099268431384079245, -5.2650061069999987,
    -1.2971430750000001, -0.61417200000000005, 0.17073578135165696, -4.890746988159278e-07,
    2, 0.091113047081112383, 2, 0.97365702089117712,
    0.20851536288991018, 0.79056806327627649, -0.82942387129776995, 0.89278434757040148,
    0.0094917628340517677, -1.0992971597462942e-06, 0.0099419999999999977, 0.0052095049067950186,
    0.0058595049067950182, 0.0093542742359329478, 15.554651157601919, 0.062406320664640254,
    0.062418537361093228, 0.00033750000000000446, 0.45135799999999998, -0.00019460517970584806,
    -1.564632, -3.5825524, -1.688965, -3.30681,
    -3.5757452000000001, 1.5999094205127894e-05, 0.0017439012683589609, 0.010419009813590037,
    -0.46215300000000004, 0.22567899999999999, -0.30708600000000003, -0.018983525668103535,
    -5.4964857987314711e-07, 1.581136126552553, 0.41471193564888498, 1.9414170959358461,
    -0.00030069058255161502, -10.4651076, 0.34147135480007695, 2.9285033310787529,
    0.14607674744853938, 0.099268431384079245, -6.8457164981188043, -0.18222609416222477,
    -1, 5.831160478016514, -0.96351744248566418, -0.2662836581821435,
    0.026965745141196408, 0.32641726549175215, 4.9617740801219954, 0.016603174696810004,
    0.00067500000000000893, -0.019883999999999995, -0.011719009813590035, -0.12483707472218643,
    1.785568695140803, 0.18770599999999993, -1, -0.37810965249250189,
    0.90211381473951302, 0.20790323698327387, -50.574921259132047, -0.00067500000000000893,
    7.3878199999999978, -0.058230360235169913, -0.23609299999999994, -0.046608999999999998,
    -0.50157379999999996, 0.25648919999999997, 4.6337971839998667e-05, 0.38200000000000001,
    369167.22999999998, -0.14999999999999999, 99999.999999999913, -0.34999999999999998,
    -99999.999999999913, -0.39999999999999997, -10750000.000000006, -0.12,
    99999.999999999884, -0.14599999999999999, 0, -0.38999999999999996,
    -199999.99999999994, -0.35599999999999998, 1.7462298274040222e-10, -0.13999999999999999,
    50000.000000000378, -0.14399999999999999, 0, -0.13,
    49999.999999999534, -0.14199999999999999, 0, -0.35199999999999998,
    1.7462298274040222e-10, -0.10999999999999999, 199999.99999999983, -0.35799999999999998,
    0, -0.14799999999999999, 0, -0.35399999999999998,
    0, -0.35999999999999999, -50000.000000000116, -0.38,
    -99999.999999999913, -0.099999999999999978, 10749999.999999991, -0.37,
    -50000, 0.089999999999999969, 11249999.999999991, -125000,
    -0.23685499999999998, -0.038379400000000001, -0.49778919999999999, 0.3231388,
    4.6337971839998667e-05, -14535.522000000001, 20489.831999999999, -0.010419009813590037,
    1, -183.11000000000001, 183.11000000000001, 97.555000000000007,
    -0.0069733806884167849, 0.24255148592620021, 0.12899999865975628, 0.57400000000000007,
    0.12233375026366126, 0.15583593171030594, 0.94832365530733398, -0.040932300211999825,
    0.46574450625095054, -0.31730465610283254, 3.8759690325173919, -1.2125387736278226,
    0.24444643118133666, 0.12233375026366124, 0.12233375026366115, -0.15583593171030594,
    0.94832365530733398, -0.040932300211999818, -0.040932300211999791, -0.46574450625095054,
    -0.31730465610283254, 3.9800776363593107, -3.4683260178402407e-08, 0.31730465610283254,
    -0.0016940782518103902, -4.9526745192090477e-10, 0.0088126535650061601, 0.12899999865975625,
    0.12899999865975617, 0.071269264647555897, -0.53694283619317695, 1.2482823188041607,
    9.6810000000000009, 1.6182239090709452, 0.063955759716185903, 0.013506346039681344,
    0.0082639573014161825, 0.039328006381992374, 4.425663357892609, -0.0077540787424418929,
    -2.2660011553453487e-18, 0.051154557016176098, -0.067289624300895357, -0.56620209059233462,
    0.075152891366459543, -0.32500000000000001, -0.00078069805402510809, -0.0066048836965094063,
    -0.0066564847220544291, 0.4455857215332989, 1.1604856508473867e-08, 0.94832365530733398,
    -1.4801983876598682e-09, 0.17965855964010555, -0.023846362350167977, 0.11119159056263239,
    -0.54145014530796609, 0.19114361754702766, 0.024255538247603774, -0.0073533762965733917,
    -0.03190617124064115, 4.1969612527164495, 0.023047291885295012, 6.1957915360733145e-11,
    0.1278843380995246, 0.1288834406973198, 0.0023332605369789402, 0.0098699583026662409,
    -0.040578295921608019, 0.0099470679073021782, -0.040895315827812868, -1.3317153469701062,
    -0.0081157895610552491, 0.0024604052887648091, 0.010675655549042202, -1.4042835898030217,
    0.010407795110275481, 0.010489106595235694, 0.097411800191179815, 0.09817283458658814,
    0.10271999400838575, 0.10352249892445439, -0.032593532373715858, -0.03284817092012985,
    0.0081157895610552491, 0.0079140787424418924, -0.040932300211999791, 0.040932300211999825,
    0.12233375026366115, 0.12233375026366126, 0.46574450625095054, 0.15583593171030594,
    0.12899999865975617, -0.082757020619820057, 9.0281250000000084e-05, 2.4597260418563192,
    0.064784867663188903, 0.0923779144273673, -0.010342079581018449, 0.10132199880605347,
    0.72170249856040969, -0.080797501439590844, 0.10132199960599991, 0.46574450625095054,
    0.15583593171030594, 7.3513462415498481, 0.12233375026366124, 0.94832365530733387,
    2.8782784036085598, 0.040932300211999818, 0.31730465610283254, -0.96305848105122227,
    0.11601198921748976, -0.012988009442266501, 0.46574450625095054, 0.15583593171030594,
    3.0351224368391017, 0.31730465610283254, 0.0098695913506325998, 0.94832365530733398,
    0.0033023190678218954, 0.0002595973089742884, 0.040578295921608019, 0.0098699583026662409,
    0.021676713471703583, 0.31701795544724204, 0.077109054346101644, 0.024255538247603774,
    -0.24733466334984422, 1.2449799996005111, 1.2449799998681694, 0.097411800191179815,
    0.76102973338413593, 0.032593532373715858, 0.25463698652252326, -0.0063800004906315027,
    -0.008993216065006162, -1.4721754011626556, 0.8993177552154632, -0.10068224478453683,
    0.31730465610283254, 0.012988009442266505, 0.11601198921748979, 0.78048252581840083,
    6.9714555392163833, 0.94832365530733398, 0.3009075113214747, 0.3009075113214747,
    0.012988009442266501, 0.11601198921748976, 0.78048252581840094, 6.9714555392163824,
    12, 0.12127574296310012, 0.94746679736825468, 0.249,
    -0.32500000000000001, 0.0033024418482547032, 0.025800328648108106, 0.079008859369605305,
    0.010342079581018449, 0.0923779144273673, 0.62633722696926708, 5.5945930702211513,
    0.39503795062814479, 0.096086048270801958, 0.23613259017152616, 0.12899999865975628,
    0.12233375026366126, 0.15583593171030594, -0.040932300211999825, 0.46574450625095054,
    0.12233375026366115, -0.15583593171030594, -0.040932300211999791, -0.46574450625095054,
    0.12125919021978283, 0.12899999865975617, -0.57400000000000007, -0.34745121951219515,
    0.249, -0.038476105651996141, 0.11024788971982685, 0.11724658485624551,
    -0.3294962105287958, 0.11499295850883177, -0.39876770288099639, -0.9251674251770543,
    -0.37609440137045702, -0.051168707713378149, 1.2503082915522694, 0.39801034530276569,
    0.12233375026366126, 0.040932300211999825, 0.46574450625095054, 0.15583593171030594,
    0.94832365530733398, 0.31730465610283254, 0.46574450625095054, 0.15583593171030594,
    0.48166909189519624, 0.16116422352623658, -6.8443496818012246, 0.11601198921748979,
    0.012988009442266505, 6.9714555392163833, 0.78048252581840083, 91.555000000000007,
    0.99869002365646109, 0.12899999865975628, 0.12233375026366126, 0.15583593171030594,
    -0.040932300211999825, 0.46574450625095054, 0.12233375026366115, -0.15583593171030594,
    -0.040932300211999791, -0.46574450625095054, 0.12125919021978268, 0.12899999865975617,
    1.215047038327526, -0.038476105651996099, -0.38554008264528083, 0.11724658485624551,
    0.11499295850883164, 1.1522578487571098, -0.39876770288099639, -0.9251674251770543,
    0.37609440137045702, -0.051168707713378149, 1.2503082915522694, 0.39801034530276569,
    0.040932300211999825, 0.12233375026366126, 0.46574450625095054, 0.15583593171030594,
    0.94832365530733398, 0.31730465610283254, 0.46574450625095054, 0.15583593171030594,
    0.48166909189519624, 0.16116422352623658, 6.8443496818012246, 0.012988009442266505,
    0.11601198921748979, 0.78048252581840083, 6.9714555392163833, 91.555000000000007,
    0.99869002365646109, -183.11000000000001, 183.11000000000001, 6.8457164981188043,
    -183.11000000000001, 183.11000000000001, -6.8457164981188043, 1186.2402417217593,
    24.569264796707159, 0.52945594810581531, 448.30495185691632, 3355.3077741897655,
    0.02981760941735289, 0.39964550991000092, 3886.7489600815516, 2597.1380000000013,
    327.39952791498655, 858.84071380677278, 110.16946823287221, 3027.9082462747788,
    19.620000000000001, -19.620000000000001, -9.8100000000000005};

template <class T>
int hmmwv(const T* p, const T* q, const T* v, T* a) {
  T z[23];
  T x0[36], y0[38];
  T x1[36], y1[38];
  T x2[14], y2[28];
  T x3[14], y3[28];
  int status = hmmwv_prologue(p + 760, q, v, z, x0, x1, x2, x3);
  status |= hmmwv_kernel0(p + 0, x0, v, y0);
  status |= hmmwv_kernel0(p + 197, x1, v, y1);
  status |= hmmwv_kernel1(p + 394, x2, v, y2);
  status |= hmmwv_kernel1(p + 577, x3, v, y3);
  return status | hmmwv_epilogue(p + 1015, q, v, z, y0, y1, y2, y3, a);
}

}  // namespace generated
