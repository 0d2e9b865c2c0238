#include "camber/terrain/soil_flow.h"

#include <algorithm>
#include <cmath>

namespace camber::terrain::internal {
namespace {

/// Calls f(tile, node in it, place in the block) for all nodes of a block.
template <class F>
void for_each_node(SoilTiles* tiles, std::int64_t i0, std::int64_t j0, int nx, int ny, const F& f) {
  constexpr int kSide = SoilTile::kSide;
  for (std::int64_t tj = j0 >> 5; tj <= (j0 + ny - 1) >> 5; ++tj) {
    for (std::int64_t ti = i0 >> 5; ti <= (i0 + nx - 1) >> 5; ++ti) {
      SoilTile& tile = tiles->tile(ti, tj);
      const std::int64_t x = ti * kSide, y = tj * kSide;
      const std::int64_t ja = std::max(j0, y), jb = std::min<std::int64_t>(j0 + ny, y + kSide);
      const std::int64_t ia = std::max(i0, x), ib = std::min<std::int64_t>(i0 + nx, x + kSide);
      for (std::int64_t j = ja; j < jb; ++j) {
        for (std::int64_t i = ia; i < ib; ++i) {
          f(tile, static_cast<int>((j - y) * kSide + (i - x)),
            static_cast<std::size_t>(j - j0) * nx + static_cast<std::size_t>(i - i0));
        }
      }
    }
  }
}

}  // namespace

void raise_node(SoilTile* tile, int node, double height) {
  const double rut = tile->z_p[node] / tile->c[node];
  if (height > 0 && rut > 0) {
    const double fill = std::min(height, rut);
    tile->z_p[node] = fill == rut ? 0.0 : tile->z_p[node] - fill * tile->c[node];
    height -= fill;
  }
  tile->z_0[node] = tile->z_p[node];
  tile->h[node] += height;
  tile->has_moved = true;
  tile->highest = std::max(tile->highest, tile->h[node] - tile->z_p[node] / tile->c[node]);
}

void SoilFlow::gather(std::int64_t i0, std::int64_t j0, int nx, int ny) {
  i0_ = i0, j0_ = j0, nx_ = nx, ny_ = ny;
  const auto count = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
  height_.resize(count);
  held_.assign(count, 0);
  rutted_.resize(count);
  for_each_node(tiles_, i0, j0, nx, ny, [&](SoilTile& tile, int node, std::size_t at) {
    height_[at] = tile.h[node] - tile.z_p[node] / tile.c[node];
    rutted_[at] = tile.z_p[node] > 0 ? 1 : 0;
  });
  old_ = height_;
}

void SoilFlow::hold(std::int64_t i, std::int64_t j) {
  if (i < i0_ || j < j0_ || i >= i0_ + nx_ || j >= j0_ + ny_) return;
  held_[static_cast<std::size_t>(j - j0_) * nx_ + static_cast<std::size_t>(i - i0_)] = 1;
}

void SoilFlow::deposit(double height) {
  if (height <= 0) return;
  rim_.clear();
  std::size_t fresh = 0;
  for (int j = 1; j < ny_ - 1; ++j) {
    for (int i = 1; i < nx_ - 1; ++i) {
      const std::size_t at = static_cast<std::size_t>(j) * nx_ + i;
      if (held_[at] || !(held_[at - 1] || held_[at + 1] || held_[at - nx_] || held_[at + nx_])) {
        continue;
      }
      rim_.push_back(at);
      // Undisturbed nodes first.
      if (!rutted_[at]) std::swap(rim_[fresh++], rim_.back());
    }
  }
  const std::size_t count = fresh > 0 ? fresh : rim_.size();
  for (std::size_t k = 0; k < count; ++k) {
    height_[rim_[k]] += height / static_cast<double>(count);
  }
}

/// Moves a quarter of the excess height from the higher to the lower node: four neighbors together
/// never overshoot.
void SoilFlow::exchange(std::size_t a, std::size_t b, double step) {
  if (held_[a] || held_[b]) return;
  const double difference = height_[a] - height_[b];
  const double excess = std::abs(difference) - step;
  if (excess <= 0) return;
  const double move = std::copysign(0.25 * excess, difference);
  height_[a] -= move;
  height_[b] += move;
}

void SoilFlow::slide(double slope, int sweeps) {
  const double step = slope * spacing_;
  for (int k = 0; k < sweeps; ++k) {
    for (int j = 0; j < ny_; ++j) {
      for (int i = 0; i < nx_; ++i) {
        const std::size_t at = static_cast<std::size_t>(j) * nx_ + i;
        if (i + 1 < nx_) exchange(at, at + 1, step);
        if (j + 1 < ny_) exchange(at, at + nx_, step);
      }
    }
  }
}

void SoilFlow::scatter() {
  for_each_node(tiles_, i0_, j0_, nx_, ny_, [&](SoilTile& tile, int node, std::size_t at) {
    if (height_[at] == old_[at]) return;
    tiles_->save(&tile, node);
    raise_node(&tile, node, height_[at] - old_[at]);
  });
}

double SoilFlow::sum() const {
  double total = 0;
  for (const double h : height_) total += h;
  return total;
}

}  // namespace camber::terrain::internal
