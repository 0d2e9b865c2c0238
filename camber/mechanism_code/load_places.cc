#include "camber/mechanism_code/load_places.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace camber::mechanism_code {

namespace {

/// The values of the equations are symbols here, one for each place in the work array.
using Places = std::unordered_map<Expr, int>;

double sign_of(const Sketch& sketch, int y) {
  const auto found = std::ranges::find(sketch.links, y, &SketchLink::y);
  if (found == sketch.links.end()) throw std::logic_error("generate: a coordinate without a link");
  return found->sign;
}

WheelPlaces::Column place_column(WheelPlaces::Column column, const GroupEquations::Spin& wheel,
                                 std::size_t j, const Places& places) {
  column.by = places.at(wheel.by[j]);
  column.center_by = places.at(wheel.center_by[j][0]);
  column.turn_by = places.at(wheel.turn_by[j][0]);
  return column;
}

/// The spin of an axisymmetric wheel is not a column. The spin of any other wheel is a column, but
/// it does not move the carrier.
WheelPlaces place_wheel(const GroupEquations::Spin& wheel, const SketchLink& link,
                        const std::string& name, int base_force,
                        const std::vector<WheelPlaces::Column>& columns, const Places& places) {
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
      to.columns.push_back(place_column(columns[j], wheel, j, places));
    }
  }
  return to;
}

}  // namespace

void find_load_places(const Sketch& sketch, const std::vector<Contribution>& contributions,
                      const std::vector<Expr>& inlined,
                      const std::vector<std::vector<Expr>>& outputs, VehicleProgram* program) {
  Places places;
  const auto add = [&](const std::vector<Expr>& symbols) {
    for (const Expr& symbol : symbols) places.emplace(symbol, program->work_size++);
  };
  add(inlined);
  for (const auto& values : outputs) {
    program->y_places.push_back(program->work_size);
    add(values);
  }
  program->forces.resize(static_cast<std::size_t>(program->nv));
  for (const Contribution& c : contributions) {
    const GroupEquations& e = c.equations;
    std::vector<WheelPlaces::Column> columns;
    for (const auto* ys : {&c.group->own, &c.group->shared})
      for (const int y : *ys)
        columns.push_back({y, sign_of(sketch, y), places.at(e.force[columns.size()])});
    for (const auto& column : columns)
      if (column.v < program->nv) program->forces[column.v] = {column.force, column.sign};
    const int base_force = places.at(e.base_force[0]);
    if (sketch.base != 0) program->base_force = base_force;
    const auto place = [&](const GroupEquations::Spin& wheel, int l) -> WheelPlaces& {
      const SketchLink& x = sketch.links[l];
      program->wheels.push_back(
          place_wheel(wheel, x, program->v_names[x.y], base_force, columns, places));
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

}  // namespace camber::mechanism_code
