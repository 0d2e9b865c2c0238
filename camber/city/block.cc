#include "camber/city/block.h"

#include <algorithm>
#include <cmath>

namespace camber::city {

void add_quad(const Point3& a, const Point3& b, const Point3& c, const Point3& d, Surface surface,
              std::vector<Facet>* facets) {
  facets->push_back({{a, b, c}, surface});
  facets->push_back({{a, c, d}, surface});
}

terrain::Box2 extent_of(const Block& block) {
  terrain::Box2 box{HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  const auto extend = [&](double x, double y) {
    box = {std::min(box.x0, x), std::min(box.y0, y), std::max(box.x1, x), std::max(box.y1, y)};
  };
  for (const auto* facets : {&block.ground, &block.faces}) {
    for (const Facet& f : *facets) {
      for (const Point3& p : f.corners) extend(p[0], p[1]);
    }
  }
  for (const Building& b : block.buildings) {
    for (const Point& p : b.footprint) extend(p.x, p.y);
  }
  for (const Thing& t : block.things) extend(t.x, t.y);
  return box;
}

}  // namespace camber::city
