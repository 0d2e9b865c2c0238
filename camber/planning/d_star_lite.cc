// [Koenig and Likhachev 2002] figure 4, the optimized form. Costs are integers (grid_path.h), so
// the test g == rhs and the order of keys are exact. Entries with equal keys leave the queue in the
// order of their cells. The edges that a cell changes are its own and the diagonals past its
// corners; all of them end at the cell and its eight neighbors.

#include "camber/planning/d_star_lite.h"

#include <algorithm>
#include <utility>

#include "camber/core/require.h"

namespace camber::planning {

DStarLite::DStarLite(OccupancyGrid grid, Cell start, Cell goal)
    : grid_(std::move(grid)), start_(start), goal_(goal), last_start_(start) {
  require(grid_.contains(start) && grid_.contains(goal), "DStarLite: start ", start.x, ", ",
          start.y, " or goal ", goal.x, ", ", goal.y, " is not in the grid of ", grid_.width(),
          " x ", grid_.height());
  vertices_.resize(static_cast<std::size_t>(grid_.width()) * grid_.height());
  const std::int32_t v = index(goal_);
  vertices_[v].rhs = calc_rhs(v);
  if (vertices_[v].rhs != kNoPath) put(v, calc_key(v));
}

DStarLite::Key DStarLite::calc_key(std::int32_t v) const {
  const GridCost best = std::min(vertices_[v].g, vertices_[v].rhs);
  if (best == kNoPath) return {kNoPath, kNoPath};
  return {best + octile_cost(start_, cell(v)) + key_offset_, best};
}

GridCost DStarLite::calc_rhs(std::int32_t v) const {
  const Cell c = cell(v);
  if (grid_.is_blocked(c.x, c.y)) return kNoPath;
  if (c == goal_) return 0;
  GridCost best = kNoPath;
  for (int k = 0; k < 8; ++k) {
    if (!can_move(grid_, c, kNeighborX[k], kNeighborY[k])) continue;
    const GridCost g = vertices_[index({c.x + kNeighborX[k], c.y + kNeighborY[k]})].g;
    if (g != kNoPath) best = std::min(best, g + (k % 2 ? kDiagonalCost : kStraightCost));
  }
  return best;
}

void DStarLite::update_vertex(std::int32_t v) {
  const Vertex& vertex = vertices_[v];
  if (vertex.g != vertex.rhs) {
    put(v, calc_key(v));
  } else if (vertex.heap_place >= 0) {
    remove(v);
  }
}

void DStarLite::move_start(Cell start) {
  require(grid_.contains(start), "DStarLite::move_start: cell ", start.x, ", ", start.y,
          " is not in the grid");
  start_ = start;
}

void DStarLite::set_blocked(std::span<const Change> changes) {
  std::vector<std::int32_t> touched;
  for (const Change& change : changes) {
    const Cell c = change.cell;
    require(grid_.contains(c), "DStarLite::set_blocked: cell ", c.x, ", ", c.y,
            " is not in the grid");
    if (grid_.is_blocked(c.x, c.y) == change.blocked) continue;
    grid_.set_blocked(c, change.blocked);
    touched.push_back(index(c));
    for (int k = 0; k < 8; ++k) {
      const Cell n{c.x + kNeighborX[k], c.y + kNeighborY[k]};
      if (grid_.contains(n)) touched.push_back(index(n));
    }
  }
  if (touched.empty()) return;
  key_offset_ += octile_cost(last_start_, start_);
  last_start_ = start_;
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (const std::int32_t v : touched) {
    vertices_[v].rhs = calc_rhs(v);
    update_vertex(v);
  }
}

std::int64_t DStarLite::search() {
  // The start may have moved without a change; keys in the queue are then lower bounds.
  if (start_ != last_start_) {
    key_offset_ += octile_cost(last_start_, start_);
    last_start_ = start_;
  }
  const std::int32_t start = index(start_);
  std::int64_t expansions = 0;
  while (!heap_.empty()) {
    const Vertex& s = vertices_[start];
    const Entry top = heap_.front();
    if (!(top.key < calc_key(start)) && s.rhs == s.g) break;
    const std::int32_t u = top.vertex;
    const Key current = calc_key(u);
    if (top.key < current) {  // the key is from before the start moved
      put(u, current);
      continue;
    }
    ++expansions;
    Vertex& vertex = vertices_[u];
    const Cell c = cell(u);
    const GridCost old = vertex.g;
    if (vertex.g > vertex.rhs) {
      vertex.g = vertex.rhs;
      remove(u);
      for (int k = 0; k < 8; ++k) {
        if (!can_move(grid_, c, kNeighborX[k], kNeighborY[k])) continue;
        const std::int32_t n = index({c.x + kNeighborX[k], c.y + kNeighborY[k]});
        const GridCost through = vertex.g + (k % 2 ? kDiagonalCost : kStraightCost);
        if (through >= vertices_[n].rhs) continue;
        vertices_[n].rhs = through;
        update_vertex(n);
      }
      continue;
    }
    vertex.g = kNoPath;
    update_vertex(u);
    for (int k = 0; k < 8; ++k) {
      if (!can_move(grid_, c, kNeighborX[k], kNeighborY[k])) continue;
      const Cell to{c.x + kNeighborX[k], c.y + kNeighborY[k]};
      const std::int32_t n = index(to);
      if (to == goal_ || vertices_[n].rhs != old + (k % 2 ? kDiagonalCost : kStraightCost)) {
        continue;
      }
      vertices_[n].rhs = calc_rhs(n);
      update_vertex(n);
    }
  }
  return expansions;
}

GridPath DStarLite::plan() {
  GridPath path;
  path.expansions = search();
  if (cost() == kNoPath) return path;
  path.found = true;
  Cell at = start_;
  path.cells.push_back(at);
  while (at != goal_) {
    GridCost best = kNoPath;
    Cell next = at;
    for (int k = 0; k < 8; ++k) {
      if (!can_move(grid_, at, kNeighborX[k], kNeighborY[k])) continue;
      const Cell to{at.x + kNeighborX[k], at.y + kNeighborY[k]};
      const GridCost g = vertices_[index(to)].g;
      if (g == kNoPath) continue;
      const GridCost through = g + (k % 2 ? kDiagonalCost : kStraightCost);
      if (through < best) best = through, next = to;
    }
    at = next;
    path.cells.push_back(at);
  }
  path.length = calc_length(path.cells);
  return path;
}

namespace {

/// Costs have more bits than a double.
void write_cost(GridCost cost, StateWriter* out) {
  out->write(static_cast<double>(cost >> 32));
  out->write(static_cast<double>(cost & 0xffffffff));
}

GridCost read_cost(StateReader* in) {
  const auto high = static_cast<GridCost>(in->read());
  return (high << 32) + static_cast<GridCost>(in->read());
}

}  // namespace

void DStarLite::save(StateWriter* out) const {
  for (const Cell c : {start_, last_start_}) {
    out->write(c.x);
    out->write(c.y);
  }
  write_cost(key_offset_, out);
  const auto is_touched = [](const Vertex& v) { return v.g != kNoPath || v.rhs != kNoPath; };
  out->write(static_cast<double>(std::count_if(vertices_.begin(), vertices_.end(), is_touched)));
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    if (!is_touched(vertices_[v])) continue;
    out->write(static_cast<double>(v));
    write_cost(vertices_[v].g, out);
    write_cost(vertices_[v].rhs, out);
  }
  out->write(static_cast<double>(heap_.size()));
  for (const Entry& entry : heap_) {
    out->write(entry.vertex);
    write_cost(entry.key.first, out);
    write_cost(entry.key.second, out);
  }
}

void DStarLite::restore(StateReader* in) {
  const auto read_vertex = [&] {
    const int v = in->read_int();
    require(v >= 0 && static_cast<std::size_t>(v) < vertices_.size(),
            "DStarLite: a saved cell is outside of the grid");
    return v;
  };
  for (Cell* c : {&start_, &last_start_}) {
    c->x = in->read_int();
    c->y = in->read_int();
    require(grid_.contains(*c), "DStarLite: the saved start is outside of the grid");
  }
  key_offset_ = read_cost(in);
  std::fill(vertices_.begin(), vertices_.end(), Vertex{});
  for (int count = in->read_int(); count > 0; --count) {
    Vertex& vertex = vertices_[read_vertex()];
    vertex.g = read_cost(in);
    vertex.rhs = read_cost(in);
  }
  heap_.assign(static_cast<std::size_t>(std::max(0, in->read_int())), {});
  for (std::size_t k = 0; k < heap_.size(); ++k) {
    const std::int32_t v = read_vertex();
    const GridCost first = read_cost(in), second = read_cost(in);
    place_entry(k, {{first, second}, v});
  }
}

// --- The queue: a binary heap in which each vertex knows its place ---

void DStarLite::place_entry(std::size_t place, const Entry& entry) {
  heap_[place] = entry;
  vertices_[entry.vertex].heap_place = static_cast<std::int32_t>(place);
}

void DStarLite::sift_up(std::size_t place) {
  const Entry entry = heap_[place];
  while (place > 0 && entry < heap_[(place - 1) / 2]) {
    place_entry(place, heap_[(place - 1) / 2]);
    place = (place - 1) / 2;
  }
  place_entry(place, entry);
}

void DStarLite::sift_down(std::size_t place) {
  const Entry entry = heap_[place];
  while (true) {
    std::size_t child = 2 * place + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && heap_[child + 1] < heap_[child]) ++child;
    if (!(heap_[child] < entry)) break;
    place_entry(place, heap_[child]);
    place = child;
  }
  place_entry(place, entry);
}

void DStarLite::put(std::int32_t v, const Key& key) {
  std::int32_t place = vertices_[v].heap_place;
  if (place < 0) {
    place = static_cast<std::int32_t>(heap_.size());
    heap_.push_back({key, v});
  } else {
    heap_[place].key = key;
  }
  sift_up(place);
  sift_down(vertices_[v].heap_place);
}

void DStarLite::remove(std::int32_t v) {
  const std::int32_t place = vertices_[v].heap_place;
  vertices_[v].heap_place = -1;
  const Entry last = heap_.back();
  heap_.pop_back();
  if (last.vertex == v) return;
  place_entry(place, last);
  sift_up(place);
  sift_down(vertices_[last.vertex].heap_place);
}

}  // namespace camber::planning
