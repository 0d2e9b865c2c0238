#pragma once

#include <cstdint>
#include <vector>

#include "camber/city/city_spec.h"
#include "camber/core/random.h"
#include "camber/planning/geometry.h"

namespace camber::city {

using planning::Point;

/// Cross section of a street, the same to both sides.
struct Profile {
  int lanes = 1;          // per direction
  double lane_width = 3;  // [m]
  double parking = 0;     // width of bays at both sides [m]
  double speed = 0;       // limit [m/s]
  bool is_avenue = false;
  /// From the middle to the kerb [m].
  double half_width() const { return lanes * lane_width + parking; }
};

/// A street crossing is a node of a grid.
struct Node {
  int i = 0, j = 0;
  friend bool operator==(const Node&, const Node&) = default;
};

/// Ways out of a node.
enum Heading { kEast = 0, kNorth = 1, kWest = 2, kSouth = 3 };
Node step(Node from, int heading);

/// A street as seen from one of its ends.
struct Arm {
  int heading = kEast;
  Node to = {};
  Point along = {};              // unit
  double angle = 0, length = 0;  // [rad], between the nodes [m]
  Profile profile = {};
  double mouth = 0;  // where the crossing ends and the street begins, from the node [m]

  /// A point of the street, `left` of its middle [m].
  Point at(Point node, double s, double left) const {
    return {node.x + along.x * s - along.y * left, node.y + along.y * s + along.x * left};
  }
};

/// The kerb between two arms, counterclockwise from arm k to the next.
struct Corner {
  double angle = 0;         // between the arms [rad]
  double radius = 0;        // 0: the kerbs meet without an arc [m]
  Point center = {};        // of the arc
  bool is_outside = false;  // at the rim of the city, where there is no block
  double from = 0, to = 0;  // where it starts and ends along the two arms, at the kerb [m]
};

struct Junction {
  Node node = {};
  Point place = {};
  std::vector<Arm> arms = {};        // counterclockwise
  std::vector<Corner> corners = {};  // after each arm
  bool is_crossing() const { return arms.size() >= 3; }
  const Arm& arm(int heading) const;
};

/// Where the streets of a city are. Any node is found alone, from the seed and its numbers.
class StreetPlan {
 public:
  explicit StreetPlan(const CitySpec& spec);

  const CitySpec& spec() const { return spec_; }
  /// Nodes from `first` to `last`, both included; there is one block less each way.
  Node first() const { return first_; }
  Node last() const { return last_; }
  bool contains(Node n) const {
    return n.i >= first_.i && n.j >= first_.j && n.i <= last_.i && n.j <= last_.j;
  }

  Point place(Node n) const;
  bool has_street(Node from, int heading) const;
  Profile profile(Node from, int heading) const;
  Junction junction(Node n) const;
  RandomStream stream(const char* what, Node n) const;

  /// Nodes around the block above and right of a node, counterclockwise: 4, or 6 if it is merged
  /// with a neighbor; empty if it is part of a neighbor's, or there is none.
  std::vector<Node> block_nodes(Node n) const;

 private:
  /// Which street is missing in the group of 2 x 2 blocks of a block: 0 none, 1 and 2 the lower
  /// and upper one along y, 3 and 4 the left and right one along x.
  int missing_of(Node block) const;

  CitySpec spec_;
  Node first_, last_;
  std::vector<double> x_, y_;  // of the grid's lines, from first_
};

}  // namespace camber::city
