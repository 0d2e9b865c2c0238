// [Dolgov, Thrun, Montemerlo, Diebel 2010]: A* over cells of (x, y, heading) that keep the exact pose
// at which they were first reached; the search ends when a Reeds-Shepp curve from a node to the goal
// is free. Differences:
//   - The paths of a car are the same in reverse, so the search starts at the pose that has less
//     room, and tries curves to the one that has more: out of a parking bay instead of into it.
//   - Arcs are checked without gaps (Obstacles::calc_free_length), with the exact footprint.
//   - The path is shortened by Reeds-Shepp curves between its poses, which keep the radius, instead
//     of by gradient descent, which does not.

#include "camber/planning/hybrid_a_star.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <unordered_map>

#include "camber/core/require.h"
#include "camber/planning/grid_search.h"

namespace camber::planning {
namespace {

struct SearchNode {
  Pose pose;
  double cost = 0;
  std::int32_t parent = -1;
  std::int8_t travel = 0;  // direction of the piece that led here: 1 forward, -1 in reverse
  bool is_closed = false;
  PathPiece piece;
};

struct SearchEntry {
  double f;
  std::int32_t node;
  bool operator<(const SearchEntry& other) const {  // for a queue with the smallest first
    return f != other.f ? f > other.f : node > other.node;
  }
};

class HybridSearch {
 public:
  HybridSearch(const Obstacles& obstacles, const HybridAStarOptions& options, bool is_swapped,
               const Pose& root, const Pose& target)
      : obstacles_(obstacles),
        options_(options),
        footprint_(options.footprint.inflated(options.margin)),
        is_swapped_(is_swapped),
        root_(root),
        target_(target),
        cell_(options.cell > 0 ? options.cell : std::min(0.5, options.min_radius / 12)) {
    make_room_costs();
  }

  HybridPath::Status run(std::vector<PathPiece>* pieces, std::int64_t* expansions);

 private:
  void make_room_costs();
  double room_length(const Pose& pose) const;
  double heuristic(const Pose& pose) const;
  std::uint64_t key(const Pose& pose) const;
  double piece_cost(const PathPiece& piece, int travel_before) const;
  bool try_curve(const SearchNode& node, std::vector<PathPiece>* tail) const;

  const Obstacles& obstacles_;
  const HybridAStarOptions& options_;
  Footprint footprint_;
  bool is_swapped_;
  Pose root_, target_;
  double cell_;
  std::vector<GridCost> room_costs_;
};

// Lengths of paths for a disc around the reference point that fits into the footprint.
void HybridSearch::make_room_costs() {
  OccupancyGrid room = obstacles_.map();
  const double disc =
      std::min({footprint_.front, footprint_.rear, footprint_.left, footprint_.right});
  for (int y = 0; y < room.height(); ++y) {
    for (int x = 0; x < room.width(); ++x) {
      const Point p = room.center({x, y});
      // Blocked only if the disc would touch wherever in the cell its center is.
      const bool blocked =
          obstacles_.map().is_blocked(x, y) &&
          obstacles_.calc_clearance({0, 0, 0, 0}, {p.x, p.y, 0}, disc) < disc - room.resolution();
      room.set_blocked({x, y}, blocked);
    }
  }
  const Cell target = room.cell_of({target_.x, target_.y});
  room.set_blocked(target, false);
  room_costs_ = calc_costs_from(room, target);
}

double HybridSearch::room_length(const Pose& pose) const {
  const OccupancyGrid& map = obstacles_.map();
  const Cell c = map.cell_of({pose.x, pose.y});
  if (!map.contains(c)) return INFINITY;
  const GridCost cost = room_costs_[static_cast<std::size_t>(c.y) * map.width() + c.x];
  if (cost == kNoPath) return INFINITY;
  // Octile lengths are up to 8.24 % more than those of straight lines.
  return static_cast<double>(cost) / static_cast<double>(kStraightCost) * map.resolution() / 1.0824;
}

double HybridSearch::heuristic(const Pose& pose) const {
  const double curve = options_.may_reverse
                           ? calc_reeds_shepp_length(pose, target_, options_.min_radius)
                           : calc_dubins_length(pose, target_, options_.min_radius);
  return options_.heuristic_weight * std::max(curve, room_length(pose));
}

std::uint64_t HybridSearch::key(const Pose& pose) const {
  const auto& low = obstacles_.bounds().low;
  const auto x = static_cast<std::uint64_t>(std::max(0.0, (pose.x - low.x) / cell_)),
             y = static_cast<std::uint64_t>(std::max(0.0, (pose.y - low.y) / cell_));
  const double turn = pose.heading / (2 * std::numbers::pi);
  const auto h = static_cast<std::uint64_t>((turn - std::floor(turn)) * options_.headings) %
                 static_cast<std::uint64_t>(options_.headings);
  return (y << 40) | (x << 16) | h;
}

double HybridSearch::piece_cost(const PathPiece& piece, int travel_before) const {
  const int travel = piece.length < 0 ? -1 : 1;
  const bool in_reverse = (travel < 0) != is_swapped_;
  const double length = std::abs(piece.length);
  return length * ((in_reverse ? options_.reverse_cost : 1) +
                   (piece.curvature != 0 ? options_.steer_cost : 0)) +
         (travel_before != 0 && travel != travel_before ? options_.switch_cost : 0);
}

bool HybridSearch::try_curve(const SearchNode& node, std::vector<PathPiece>* tail) const {
  const CurvePath curve = options_.may_reverse
                              ? find_reeds_shepp_path(node.pose, target_, options_.min_radius)
                              : find_dubins_path(node.pose, target_, options_.min_radius);
  tail->clear();
  Pose at = node.pose;
  for (int k = 0; k < curve.count; ++k) {
    const PathPiece piece{curve.curvature(k), curve.segments[k].length};
    if (obstacles_.calc_free_length(footprint_, at, piece.curvature, piece.length,
                                    options_.tolerance) < std::abs(piece.length)) {
      return false;
    }
    at = drive(at, piece.curvature, piece.length);
    if (piece.length != 0) tail->push_back(piece);
  }
  return true;
}

HybridPath::Status HybridSearch::run(std::vector<PathPiece>* pieces, std::int64_t* expansions) {
  std::vector<SearchNode> nodes;
  std::unordered_map<std::uint64_t, std::int32_t> by_key;
  std::priority_queue<SearchEntry> queue;
  nodes.push_back({root_, 0, -1, 0, false, {}});
  by_key[key(root_)] = 0;
  queue.push({heuristic(root_), 0});
  const double step = 1.05 * std::numbers::sqrt2 * cell_;  // out of the cell in any direction
  std::vector<PathPiece> tail;
  std::int64_t until_curve = 0;
  while (!queue.empty()) {
    const auto [f, index] = queue.top();
    queue.pop();
    if (nodes[index].is_closed) continue;
    nodes[index].is_closed = true;
    const SearchNode node = nodes[index];
    if (++*expansions > options_.max_expansions) return HybridPath::Status::kGaveUp;
    // Curves are tried at every node near the target, and less often the farther it is.
    if (--until_curve <= 0) {
      until_curve = static_cast<std::int64_t>(
          (f - node.cost) / (2 * options_.heuristic_weight * options_.min_radius));
      if (try_curve(node, &tail)) {
        for (std::int32_t n = index; nodes[n].parent >= 0; n = nodes[n].parent) {
          pieces->push_back(nodes[n].piece);
        }
        std::reverse(pieces->begin(), pieces->end());
        pieces->insert(pieces->end(), tail.begin(), tail.end());
        return HybridPath::Status::kFound;
      }
    }
    for (const int travel : {1, -1}) {
      if (!options_.may_reverse && travel < 0) continue;
      for (const int steer : {0, 1, -1}) {
        const PathPiece piece{steer / options_.min_radius, travel * step};
        SearchNode next{drive(node.pose, piece.curvature, piece.length),
                        node.cost + piece_cost(piece, node.travel),
                        index,
                        static_cast<std::int8_t>(travel),
                        false,
                        piece};
        const auto known = by_key.find(key(next.pose));
        if (known != by_key.end() &&
            (nodes[known->second].is_closed || nodes[known->second].cost <= next.cost)) {
          continue;
        }
        if (obstacles_.calc_free_length(footprint_, node.pose, piece.curvature, piece.length,
                                        options_.tolerance) < step) {
          continue;
        }
        const double rest = heuristic(next.pose);
        if (!std::isfinite(rest)) continue;
        const auto number = static_cast<std::int32_t>(nodes.size());
        by_key[key(next.pose)] = number;
        nodes.push_back(next);
        queue.push({next.cost + rest, number});
      }
    }
  }
  return HybridPath::Status::kUnreachable;
}

/// Cost of a path in its own direction of travel.
double calc_cost(const std::vector<PathPiece>& pieces, const HybridAStarOptions& options) {
  double cost = 0;
  int before = 0;
  for (const PathPiece& piece : pieces) {
    const int travel = piece.length < 0 ? -1 : 1;
    cost += std::abs(piece.length) * ((travel < 0 ? options.reverse_cost : 1) +
                                      (piece.curvature != 0 ? options.steer_cost : 0));
    if (before != 0 && travel != before) cost += options.switch_cost;
    before = travel;
  }
  return cost;
}

/// Pieces of the same circle and direction as one; those without length left out.
std::vector<PathPiece> merge_pieces(const std::vector<PathPiece>& pieces) {
  std::vector<PathPiece> merged;
  for (const PathPiece& piece : pieces) {
    if (std::abs(piece.length) < 1e-12) continue;
    if (!merged.empty() && merged.back().curvature == piece.curvature &&
        (merged.back().length > 0) == (piece.length > 0)) {
      merged.back().length += piece.length;
    } else {
      merged.push_back(piece);
    }
  }
  return merged;
}

/// Replaces what lies between two poses of the path by a free curve where that costs less.
void shorten(const Obstacles& obstacles, const Pose& start, const HybridAStarOptions& options,
             std::vector<PathPiece>* pieces) {
  const Footprint footprint = options.footprint.inflated(options.margin);
  int checks = 300;
  for (int round = 0; round < 4 && checks > 0; ++round) {
    // Poses to connect: ends of pieces, and points within the long ones.
    std::vector<PathPiece> fine;
    for (const PathPiece& piece : *pieces) {
      const int parts = std::clamp(
          static_cast<int>(std::abs(piece.length) / (0.7 * options.min_radius)) + 1, 1, 8);
      for (int k = 0; k < parts; ++k) fine.push_back({piece.curvature, piece.length / parts});
    }
    std::vector<Pose> poses{start};
    for (const PathPiece& piece : fine) {
      poses.push_back(drive(poses.back(), piece.curvature, piece.length));
    }
    const double cost = calc_cost(*pieces, options);
    std::vector<PathPiece> best = *pieces;
    double best_cost = cost;
    const std::size_t count = fine.size();
    for (std::size_t span = count; span >= 2 && checks > 0 && best_cost >= cost - 1e-9; --span) {
      for (std::size_t i = 0; i + span <= count && checks > 0; ++i) {
        const CurvePath curve =
            options.may_reverse
                ? find_reeds_shepp_path(poses[i], poses[i + span], options.min_radius)
                : find_dubins_path(poses[i], poses[i + span], options.min_radius);
        std::vector<PathPiece> tried(fine.begin(), fine.begin() + static_cast<std::ptrdiff_t>(i));
        for (int k = 0; k < curve.count; ++k) {
          tried.push_back({curve.curvature(k), curve.segments[k].length});
        }
        tried.insert(tried.end(), fine.begin() + static_cast<std::ptrdiff_t>(i + span), fine.end());
        tried = merge_pieces(tried);
        const double tried_cost = calc_cost(tried, options);
        if (tried_cost >= best_cost - 1e-6) continue;
        --checks;
        Pose at = poses[i];
        bool is_free = true;
        for (int k = 0; k < curve.count && is_free; ++k) {
          const double length = curve.segments[k].length;
          is_free = obstacles.calc_free_length(footprint, at, curve.curvature(k), length,
                                               options.tolerance) >= std::abs(length);
          at = drive(at, curve.curvature(k), length);
        }
        if (!is_free) continue;
        best = tried;
        best_cost = tried_cost;
      }
    }
    if (best_cost >= cost - 1e-6) break;
    *pieces = best;
  }
}

/// Free lengths of the six arcs that leave a pose, up to four radii each: how much room it has.
double calc_room(const Obstacles& obstacles, const Pose& pose, const HybridAStarOptions& options) {
  double room = 0;
  for (const int travel : {1, -1}) {
    for (const int steer : {0, 1, -1}) {
      room += obstacles.calc_free_length(options.footprint, pose, steer / options.min_radius,
                                         travel * 4 * options.min_radius, options.tolerance);
    }
  }
  return room;
}

}  // namespace

std::string to_text(HybridPath::Status status) {
  switch (status) {
    case HybridPath::Status::kFound:
      return "found";
    case HybridPath::Status::kStartBlocked:
      return "start blocked";
    case HybridPath::Status::kGoalBlocked:
      return "goal blocked";
    case HybridPath::Status::kUnreachable:
      return "unreachable";
    case HybridPath::Status::kGaveUp:
      return "gave up";
  }
  return "";
}

HybridPath find_hybrid_path(const Obstacles& obstacles, const Pose& start, const Pose& goal,
                            const HybridAStarOptions& options) {
  require(options.min_radius > 0, "find_hybrid_path: min_radius ", options.min_radius,
          " m must be > 0");
  require(options.tolerance > 0 && options.margin >= 0, "find_hybrid_path: tolerance ",
          options.tolerance, " m must be > 0, margin ", options.margin, " m not negative");
  require(options.headings >= 8 && options.headings <= 1000, "find_hybrid_path: ", options.headings,
          " headings, must be 8 to 1000");
  require(std::isfinite(start.x + start.y + start.heading + goal.x + goal.y + goal.heading),
          "find_hybrid_path: a pose is not finite");
  HybridPath path;
  path.start = start;
  const Footprint footprint = options.footprint.inflated(options.margin);
  const auto is_blocked = [&](const Pose& pose) {
    return obstacles.calc_clearance(footprint, pose, 1) < options.tolerance;
  };
  if (is_blocked(start)) {
    path.status = HybridPath::Status::kStartBlocked;
    return path;
  }
  if (is_blocked(goal)) {
    path.status = HybridPath::Status::kGoalBlocked;
    return path;
  }
  const bool is_swapped = options.may_reverse && calc_room(obstacles, goal, options) <
                                                     calc_room(obstacles, start, options);
  HybridSearch search(obstacles, options, is_swapped, is_swapped ? goal : start,
                      is_swapped ? start : goal);
  path.status = search.run(&path.pieces, &path.expansions);
  if (!path.found()) return path;
  if (is_swapped) {  // found from the goal: driven in the opposite direction
    std::reverse(path.pieces.begin(), path.pieces.end());
    for (PathPiece& piece : path.pieces) piece.length = -piece.length;
  }
  path.pieces = merge_pieces(path.pieces);
  shorten(obstacles, start, options, &path.pieces);
  int before = 0;
  for (const PathPiece& piece : path.pieces) {
    path.length += std::abs(piece.length);
    if (piece.length < 0) path.reverse_length -= piece.length;
    const int travel = piece.length < 0 ? -1 : 1;
    path.switches += before != 0 && travel != before;
    before = travel;
  }
  path.cost = calc_cost(path.pieces, options);
  return path;
}

std::vector<Pose> sample_path(const Pose& start, const std::vector<PathPiece>& pieces,
                              double step) {
  require(step > 0, "sample_path: step ", step, " m must be > 0");
  std::vector<Pose> poses{start};
  for (const PathPiece& piece : pieces) {
    const Pose from = poses.back();
    const int count = std::max(1, static_cast<int>(std::ceil(std::abs(piece.length) / step)));
    for (int k = 1; k <= count; ++k) {
      poses.push_back(drive(from, piece.curvature, piece.length * k / count));
    }
  }
  return poses;
}

}  // namespace camber::planning
