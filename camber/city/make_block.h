#pragma once

#include "camber/city/block.h"
#include "camber/city/street_plan.h"

namespace camber::city {

/// The part of the city at a node: its crossing, the streets from it along x and y, and the block
/// between them. Made alone, from the plan and the seed; equal for equal specs.
Block make_block(const StreetPlan& plan, Node n);

namespace internal {

/// Paint of a street, on its asphalt.
void add_markings(const StreetPlan& plan, const Junction& from, const Arm& arm, const Junction& to,
                  const Arm& back, Block* block);
/// Things at and on a street: bays with cars, trees, lamps, signs, barriers, cylinders.
void add_street_things(const StreetPlan& plan, const Junction& from, const Arm& arm,
                       const Junction& to, const Arm& back, double kerb_left, double kerb_right,
                       Block* block);
/// Everything inside the sidewalks of a block: lots with buildings, a park or a square. Returns the
/// surface of its ground.
Surface fill_block(const StreetPlan& plan, Node n, const Polygon& inside, double level,
                   Block* block);

/// Height of the kerb of the block above and right of a node; of the rim, if there is no block.
double kerb_height(const StreetPlan& plan, Node n);

/// A point on a street's asphalt, `left` of its middle, raised by `lift` [m].
Point3 on_street(const Junction& from, const Arm& arm, double s, double left, double crown,
                 double lift);

}  // namespace internal
}  // namespace camber::city
