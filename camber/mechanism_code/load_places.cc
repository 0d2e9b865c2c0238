#include "camber/mechanism_code/load_places.h"

#include <unordered_map>
#include <utility>

#include "camber/mechanism_code/layout.h"

namespace camber::mechanism_code {

namespace {

/// The values of the equations are symbols here, one for each place in the work array.
template <class T>
using Places = std::unordered_map<T, int>;

template <class T>
WheelPlaces::Column place_column(WheelPlaces::Column column,
                                 const typename GroupEquations<T>::Spin& wheel, std::size_t j,
                                 const Places<T>& places) {
  column.by = places.at(wheel.by[j]);
  column.center_by = places.at(wheel.center_by[j][0]);
  column.turn_by = places.at(wheel.turn_by[j][0]);
  return column;
}

/// The spin of an axisymmetric wheel is not a column. The spin of any other wheel is a column, but
/// it does not move the carrier.
template <class T>
WheelPlaces place_wheel(const typename GroupEquations<T>::Spin& wheel, const SketchLink& link,
                        const std::string& name, int base_force,
                        const std::vector<WheelPlaces::Column>& columns, const Places<T>& places) {
  WheelPlaces to;
  to.name = name;
  to.v = link.y;
  to.sign = link.sign;
  to.axis = places.at(wheel.u[0]);
  to.center = places.at(wheel.center[0]);
  to.base_force = base_force;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (columns[j].v == link.y) {
      to.spin_force = columns[j].force;
    } else {
      to.columns.push_back(place_column<T>(columns[j], wheel, j, places));
    }
  }
  return to;
}

}  // namespace

template <class T>
void find_load_places(const Sketch& sketch, const std::vector<Contribution<T>>& contributions,
                      const std::vector<T>& inlined, const std::vector<std::vector<T>>& outputs,
                      VehicleLayout* program) {
  Places<T> places;
  const auto add = [&](const std::vector<T>& symbols) {
    for (const T& symbol : symbols) places.emplace(symbol, program->work_size++);
  };
  add(inlined);
  for (const auto& values : outputs) {
    program->y_places.push_back(program->work_size);
    add(values);
  }
  program->forces.resize(static_cast<std::size_t>(program->nv));
  for (const Contribution<T>& c : contributions) {
    const GroupEquations<T>& e = c.equations;
    std::vector<WheelPlaces::Column> columns;
    for (const auto* ys : {&c.group->own, &c.group->shared})
      for (const int y : *ys)
        columns.push_back({y, find_link(sketch, y).sign, places.at(e.force[columns.size()])});
    for (const auto& column : columns)
      if (column.v < program->nv) program->forces[column.v] = {column.force, column.sign};
    const int base_force = places.at(e.base_force[0]);
    if (sketch.base != 0) program->base_force = base_force;
    const auto place = [&](const typename GroupEquations<T>::Spin& wheel, int l) -> WheelPlaces& {
      const SketchLink& x = sketch.links[l];
      program->wheels.push_back(
          place_wheel<T>(wheel, x, program->v_names[x.y], base_force, columns, places));
      return program->wheels.back();
    };
    for (std::size_t i = 0; i < e.spins.size(); ++i) {
      WheelPlaces& wheel = place(e.spins[i], c.group->gyrostats[i]);
      wheel.axial_inertia = sketch.links[c.group->gyrostats[i]].axial_inertia;
      wheel.bias = places.at(e.spins[i].bias);
    }
    for (std::size_t i = 0; i < e.unround.size(); ++i)
      place(e.unround[i], c.group->unround_wheels[i]);
  }
}

template void find_load_places(const Sketch&, const std::vector<Contribution<Expr>>&,
                               const std::vector<Expr>&, const std::vector<std::vector<Expr>>&,
                               VehicleLayout*);
template void find_load_places(const Sketch&, const std::vector<Contribution<Fingerprint>>&,
                               const std::vector<Fingerprint>&,
                               const std::vector<std::vector<Fingerprint>>&, VehicleLayout*);

}  // namespace camber::mechanism_code
