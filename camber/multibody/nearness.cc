#include "camber/multibody/nearness.h"

#include <algorithm>
#include <cmath>

namespace camber::multibody {

void calc_gains(const Model<double>& model, const Partition& partition,
                const LoopKinematics<double>& loops, std::vector<double>* gains) {
  const double per_length = 1 / model.length;
  for (std::size_t c = 0; c < loops.clusters.size(); ++c) {
    const Cluster& cluster = model.clusters[c];
    const double *G = loops.clusters[c].G.data(), *unit = &model.speed_units[cluster.v_start];
    double most = 0;
    for (const int independent : partition.parts[c].independent) {
      double largest = 0;
      for (int k = 0; k < cluster.nv; ++k)
        largest = std::max(largest, std::abs(G[k]) * (unit[k] == 1 ? 1 : per_length));
      most = std::max(most, largest * model.speed_units[independent]);
      G += cluster.nv;
    }
    (*gains)[c] = most;
  }
}

double calc_pivot(const Model<double>& model, const Partition::Part& part,
                  LoopKinematics<double>::Matrices* m) {
  const DependentColumns<double> Y1{m->Y.data(), part.Y_columns.data()};
  const auto larger = [](double a, double b) { return b <= a ? a : b; };  // a NaN stays
  double* entry = m->x.data();  // the largest one in the inverse's row of each dependent speed
  double most = 0;
  for (const LoopBlock& block : part.blocks) {
    const double* inverse = m->Y1_inverse.data() + block.inverse_start;
    double* entries = m->work.data();
    std::fill(entries, entries + block.size, 0.0);
    for (int r = 0; r < block.size; ++r) {
      const double unit = model.rows[part.rows[block.start + r]].unit;
      double growth = 0;  // contribution of earlier blocks to its row r
      for (const int k : block.earlier) growth += std::abs(Y1[k][block.start + r]) * entry[k];
      growth = larger(unit, growth);
      for (int i = 0; i < block.size; ++i)
        entries[i] = larger(entries[i], std::abs(inverse[r * block.size + i]) * growth);
    }
    for (int i = 0; i < block.size; ++i) {
      entry[block.start + i] = entries[i];
      const int v = part.dependent[block.start + i];
      most = larger(most, entries[i] / model.speed_units[v]);
    }
  }
  return most > 0 ? 1 / most : most == 0 ? 1 : most;
}

}  // namespace camber::multibody
