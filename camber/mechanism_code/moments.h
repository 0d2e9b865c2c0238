#pragma once

#include <array>
#include <vector>

#include "camber/mechanism_code/motion.h"

namespace camber::mechanism_code {

/// Contributions of a group's links to the equations of the base and of its coordinates,
///   [J -h~ U_w; h~ m U_v; ...] [w'; a; y''] = right-hand sides,
/// with a = v' + w x v - g of the base. docs/theory/generated.md (1)-(3).
template <class T>
struct GroupEquations {
  struct Spin {
    Vec<T> u;           // the wheel's axis
    std::vector<T> by;  // u.w_j
    T bias;             // s' = bias - u.w' - sum of by y''
    Vec<T> center;      // of the wheel: where loads act
    std::vector<Vec<T>> center_by,
        turn_by;  // of the center, and the carrier's angular velocities w_j
  };
  T mass;                           // of all links, a parameter
  std::array<T, 6> E;               // second moments about the base's origin: xx yy zz xy xz yz
  Vec<T> h;                         // first moments
  std::vector<std::array<T, 6>> U;  // one per column: [moment; force] for y_j'' = 1
  std::vector<std::vector<T>> D;    // columns x columns, i <= j
  std::vector<T> force;             // right-hand side of each column
  std::array<T, 6> base_force;      // of the base: [moment; force], without w x E w, w x (w x h)
  std::vector<Spin> spins;
  std::vector<Spin> unround;  // wheels whose spin is a column like others: where loads act
  std::vector<T> pivots;      // must be positive: else a loop is open

  /// All values except mass, in this order, followed by those that only loads need: centers and
  /// motion of the wheels.
  std::vector<T> flattened() const;
  /// The same equations with symbols in place of the values.
  GroupEquations<T> with(const std::vector<T>& flat) const;
};

template <class T>
GroupEquations<T> trace_equations(const Sketch& sketch, const Group& group, bool lends_coordinates,
                                  Parameters<T>* own, Parameters<T>* shared);

/// Symbols of the base's angular velocity.
template <class T>
Vec<T> base_spin();
/// Symbols of the spin of the group's wheels about their axes.
template <class T>
T spin_rate(int i);

}  // namespace camber::mechanism_code
