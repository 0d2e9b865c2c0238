#include "bench/sensors/peer.h"

namespace camber::bench {

void make_ground_triangles(const City& city, std::vector<float>* vertices,
                           std::vector<unsigned>* indices) {
  const auto& map = std::get<terrain::ElevationMap>(city.ground->base);
  const auto n = static_cast<unsigned>(city.nodes);
  const std::vector<float>& nodes = *map.nodes_with_rim();
  for (unsigned j = 0; j < n; ++j) {
    for (unsigned i = 0; i < n; ++i) {
      vertices->push_back(static_cast<float>(map.origin_x() + i * map.spacing()));
      vertices->push_back(static_cast<float>(map.origin_y() + j * map.spacing()));
      vertices->push_back(nodes[static_cast<std::size_t>(j + 1) * (n + 2) + i + 1]);
    }
  }
  for (unsigned j = 0; j + 1 < n; ++j) {
    for (unsigned i = 0; i + 1 < n; ++i) {
      const unsigned a = j * n + i, b = a + 1, c = a + n, d = c + 1;
      indices->insert(indices->end(), {a, b, d, a, d, c});
    }
  }
}

void make_object_triangles(const City& city, std::vector<float>* vertices,
                           std::vector<unsigned>* indices) {
  for (const scene::Mesh& block : city.blocks) {
    const auto first = static_cast<unsigned>(vertices->size() / 3);
    for (unsigned k = 0; k < block.vertices.size(); ++k) {
      const Vector3 p = block.vertex(k);
      for (int a = 0; a < 3; ++a) vertices->push_back(static_cast<float>(p[a]));
    }
    for (const auto& t : block.triangles) {
      for (const unsigned v : t) indices->push_back(first + v);
    }
  }
}

}  // namespace camber::bench
