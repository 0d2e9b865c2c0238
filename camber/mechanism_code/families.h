#pragma once

#include <vector>

#include "camber/mechanism_code/moments.h"

namespace camber::mechanism_code {

/// Equations of one group, with the values of its constants.
template <class T>
struct TracedGroup {
  const Group* group = nullptr;
  std::vector<double> own, shared;
  GroupEquations<T> equations;
};

/// Constants are symbols where the lists say so; empty lists: as their values are.
template <class T>
TracedGroup<T> trace_group(const Sketch& sketch, const Group& group,
                           const std::vector<bool>& own_symbols = {},
                           const std::vector<bool>& shared_symbols = {});

/// Groups with equal equations. A constant is a number only if it is 0, 1 or -1 in all of them
/// alike.
struct Family {
  std::vector<const Group*> members;
  std::vector<bool> own_symbols, shared_symbols;
};

/// The families of all groups that do not lend coordinates, in the order of their first members.
/// `traced` gets the groups of the sketch, those of a family with its symbols.
template <class T>
std::vector<Family> find_families(const Sketch& sketch, std::vector<TracedGroup<T>>* traced);

/// All values of a group's equations.
template <class T>
std::vector<T> all_values(const GroupEquations<T>& equations);

}  // namespace camber::mechanism_code
