#include "camber/mechanism_code/families.h"

#include <algorithm>

#include "camber/mechanism_code/layout.h"

namespace camber::mechanism_code {

namespace {

std::vector<bool> find_symbols(const std::vector<double>& values) {
  std::vector<bool> result;
  for (const double v : values) result.push_back(!is_plain(v));
  return result;
}

std::vector<bool> joined(const std::vector<bool>& a, const std::vector<double>& a_values,
                         const std::vector<double>& b_values) {
  std::vector<bool> result = find_symbols(b_values);
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = result[i] || a[i] || a_values[i] != b_values[i];
  return result;
}

}  // namespace

template <class T>
std::vector<T> all_values(const GroupEquations<T>& equations) {
  std::vector<T> values = equations.flattened();
  values.insert(values.end(), equations.pivots.begin(), equations.pivots.end());
  values.push_back(equations.mass);
  return values;
}

template <class T>
TracedGroup<T> trace_group(const Sketch& sketch, const Group& group,
                           const std::vector<bool>& own_symbols,
                           const std::vector<bool>& shared_symbols) {
  Parameters<T> own("k", own_symbols), shared("g", shared_symbols);
  TracedGroup<T> traced{
      &group,
      {},
      {},
      trace_equations(sketch, group, lends_coordinates(sketch, group), &own, &shared)};
  traced.own = own.values();
  traced.shared = shared.values();
  return traced;
}

template <class T>
std::vector<Family> find_families(const Sketch& sketch, std::vector<TracedGroup<T>>* traced) {
  std::vector<Family> families;
  traced->clear();
  const auto place = [&](const Group* group) -> TracedGroup<T>& {
    return (*traced)[static_cast<std::size_t>(group - sketch.groups.data())];
  };
  const auto joins = [&](const Group& group, Family* family) {
    const TracedGroup<T>& first = place(family->members[0]);
    const TracedGroup<T>& own = place(&group);
    if (first.own.size() != own.own.size() || first.shared != own.shared) return false;
    const std::vector<bool> own_symbols = joined(family->own_symbols, first.own, own.own);
    // A trace depends on the vehicle and on which constants are symbols: with the same symbols it is
    // the one that is known.
    const auto trace = [&](const TracedGroup<T>& known, const std::vector<bool>& symbols) {
      return symbols == own_symbols
                 ? known
                 : trace_group<T>(sketch, *known.group, own_symbols, family->shared_symbols);
    };
    TracedGroup<T> a = trace(first, family->own_symbols), b = trace(own, find_symbols(own.own));
    if (all_values(a.equations) != all_values(b.equations)) return false;
    place(family->members[0]) = std::move(a);
    place(&group) = std::move(b);
    family->members.push_back(&group);
    family->own_symbols = own_symbols;
    return true;
  };
  for (const Group& group : sketch.groups) {
    traced->push_back(trace_group<T>(sketch, group));
    if (lends_coordinates(sketch, group)) continue;
    if (std::ranges::any_of(families, [&](Family& family) { return joins(group, &family); }))
      continue;
    families.push_back(
        {{&group}, find_symbols(traced->back().own), find_symbols(traced->back().shared)});
  }
  return families;
}

#define CAMBER_INSTANTIATE(T)                                                                \
  template std::vector<T> all_values(const GroupEquations<T>&);                              \
  template TracedGroup<T> trace_group(const Sketch&, const Group&, const std::vector<bool>&, \
                                      const std::vector<bool>&);                             \
  template std::vector<Family> find_families(const Sketch&, std::vector<TracedGroup<T>>*);
CAMBER_INSTANTIATE(Expr)
CAMBER_INSTANTIATE(Fingerprint)
#undef CAMBER_INSTANTIATE

}  // namespace camber::mechanism_code
