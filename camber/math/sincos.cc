#include "camber/math/sincos.h"

#include <cstddef>
#include <cstring>

#include "camber/core/require.h"
#include "camber/math/lanes.h"

namespace camber::math {

void sincos(double x, double* s, double* c) {
  if (std::abs(x) <= internal::kMaxSmallAngle) {
    internal::calc_small_sincos<1>(x, s, c);
  } else {
    internal::calc_large_sincos(x, s, c);
  }
}

void sincos(std::span<const double> x, std::span<double> s, std::span<double> c) {
  require(s.size() == x.size() && c.size() == x.size(), "sincos: ", x.size(),
          " angles, but room for ", s.size(), " sines and ", c.size(), " cosines");
  constexpr std::size_t kWidth = internal::kRegisterBytes == 64 ? 8 : 4;
  using Chunk = Lanes<kWidth>;
  const std::size_t whole = x.size() - x.size() % kWidth;
  Chunk sine, cosine;
  for (std::size_t i = 0; i < whole; i += kWidth) {
    sincos(Chunk::load(&x[i]), &sine, &cosine);
    sine.store(&s[i]);
    cosine.store(&c[i]);
  }
  if (const std::size_t rest = x.size() - whole; rest > 0) {
    Chunk angle(0.0);
    std::memcpy(&angle.pack, &x[whole], rest * sizeof(double));
    sincos(angle, &sine, &cosine);
    std::memcpy(&s[whole], &sine.pack, rest * sizeof(double));
    std::memcpy(&c[whole], &cosine.pack, rest * sizeof(double));
  }
}

namespace internal {

void calc_large_sincos(double x, double* s, double* c) {
  const double angle = x;  // s or c may be where x is
  *s = std::sin(angle);
  *c = std::cos(angle);
}

}  // namespace internal
}  // namespace camber::math
