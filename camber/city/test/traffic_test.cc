#include "camber/city/traffic.h"

#include <cmath>

#include <gtest/gtest.h>

namespace camber::city {
namespace {

City make_busy_city(std::uint64_t seed) {
  CitySpec spec;
  spec.seed = seed;
  spec.layout = Layout::kIrregular;
  spec.width = spec.depth = 520;
  spec.cars = 30, spec.pedestrians = 40;
  return make_city(spec);
}

Polygon outline_at(const Mover& m, std::size_t k) {
  const Mover::Point& p = m.track[k];
  return planning::make_outline({0.5 * m.length, 0.5 * m.length, 0.5 * m.width, 0.5 * m.width},
                                {p.x, p.y, p.yaw});
}

TEST(Traffic, NobodyTouchesAnybodyForTwoMinutes) {
  for (std::uint64_t seed = 1; seed < 4; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const std::vector<Mover> movers = make_traffic(make_busy_city(seed), 120);
    ASSERT_GT(movers.size(), 50U);
    double driven = 0;
    for (std::size_t k = 0; k < movers[0].track.size(); k += 5) {
      for (std::size_t a = 0; a < movers.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
          if (movers[a].height > 1.6 && movers[b].height > 1.6) continue;  // two walkers
          const auto &p = movers[a].track[k], &q = movers[b].track[k];
          if (std::abs(p.x - q.x) + std::abs(p.y - q.y) > 8) continue;
          EXPECT_FALSE(planning::overlap(outline_at(movers[a], k), outline_at(movers[b], k)))
              << movers[a].name << " and " << movers[b].name << " at " << p.time << " s";
        }
      }
    }
    for (const Mover& m : movers) {
      for (std::size_t k = 1; k < m.track.size(); ++k) {
        const double v =
            std::hypot(m.track[k].x - m.track[k - 1].x, m.track[k].y - m.track[k - 1].y) / 0.1;
        EXPECT_LT(v, 17) << m.name << " at " << m.track[k].time;
        driven += 0.1 * v;
      }
    }
    EXPECT_GT(driven, 30 * 200);  // it is not a jam
  }
}

TEST(Traffic, IsTheSameForTheSameSeedAndNotForAnother) {
  const auto a = make_traffic(make_busy_city(4), 20), b = make_traffic(make_busy_city(4), 20),
             c = make_traffic(make_busy_city(5), 20);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].track.back().x, b[k].track.back().x);
    EXPECT_EQ(a[k].track.back().y, b[k].track.back().y);
  }
  EXPECT_NE(a[0].track.back().x, c[0].track.back().x);
}

}  // namespace
}  // namespace camber::city
