// The scalar types against what they replace, each beside its reference in one run:
//   BM_Sincos/libm, BM_Sincos/number, BM_Sincos/lanes_8, BM_Sincos/batch   time per 1024 angles
//   BM_MatrixProduct/double, .../lanes_8, .../dual_8                       6 x 6 times 6 x 6

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <benchmark/benchmark.h>

#include "camber/core/random.h"
#include "camber/math/eigen_scalars.h"
#include "camber/math/sincos.h"

namespace camber::bench {
namespace {

constexpr std::size_t kAngles = 1024;
using Angles = std::array<double, kAngles>;

Angles make_angles() {
  RandomStream random(17);
  Angles x;
  for (double& angle : x) angle = random.uniform(-6, 6);
  return x;
}

void through_libm(const Angles& x, Angles* s, Angles* c) {
  for (std::size_t i = 0; i < kAngles; ++i) ::sincos(x[i], &(*s)[i], &(*c)[i]);
}
void one_by_one(const Angles& x, Angles* s, Angles* c) {
  for (std::size_t i = 0; i < kAngles; ++i) math::sincos(x[i], &(*s)[i], &(*c)[i]);
}
template <int N>
void in_lanes(const Angles& x, Angles* s, Angles* c) {
  for (std::size_t i = 0; i < kAngles; i += N) {
    math::Lanes<N> sine, cosine;
    sincos(math::Lanes<N>::load(&x[i]), &sine, &cosine);
    sine.store(&(*s)[i]);
    cosine.store(&(*c)[i]);
  }
}
void in_a_batch(const Angles& x, Angles* s, Angles* c) { math::sincos(x, *s, *c); }

void BM_Sincos(benchmark::State& state, void (*calc_all)(const Angles&, Angles*, Angles*)) {
  const Angles x = make_angles();
  Angles s, c;
  for ([[maybe_unused]] auto _ : state) {
    calc_all(x, &s, &c);
    benchmark::DoNotOptimize(s.data());
    benchmark::DoNotOptimize(c.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kAngles));
}
BENCHMARK_CAPTURE(BM_Sincos, libm, through_libm);
BENCHMARK_CAPTURE(BM_Sincos, number, one_by_one);
BENCHMARK_CAPTURE(BM_Sincos, lanes_4, in_lanes<4>);
BENCHMARK_CAPTURE(BM_Sincos, lanes_8, in_lanes<8>);
BENCHMARK_CAPTURE(BM_Sincos, batch, in_a_batch);

template <class T>
void BM_MatrixProduct(benchmark::State& state) {
  using Matrix6 = Eigen::Matrix<T, 6, 6>;
  RandomStream random(18);
  Matrix6 A, B, C;
  for (int i = 0; i < 36; ++i) {
    A(i) = T(random.uniform(-1, 1));
    B(i) = T(random.uniform(-1, 1));
  }
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(A.data());
    C.noalias() = A * B;
    benchmark::DoNotOptimize(C.data());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_MatrixProduct<double>)->Name("BM_MatrixProduct/double");
BENCHMARK(BM_MatrixProduct<math::Lanes<4>>)->Name("BM_MatrixProduct/lanes_4");
BENCHMARK(BM_MatrixProduct<math::Lanes<8>>)->Name("BM_MatrixProduct/lanes_8");
BENCHMARK(BM_MatrixProduct<math::Dual<1>>)->Name("BM_MatrixProduct/dual_1");
BENCHMARK(BM_MatrixProduct<math::Dual<8>>)->Name("BM_MatrixProduct/dual_8");

}  // namespace
}  // namespace camber::bench

BENCHMARK_MAIN();
