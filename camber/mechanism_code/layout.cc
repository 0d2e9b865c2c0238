#include "camber/mechanism_code/layout.h"

#include <algorithm>
#include <stdexcept>

#include "camber/core/require.h"
#include "camber/mechanism_code/write_vehicle.h"
#include "camber/symbolic/derivative.h"

namespace camber::mechanism_code {

using symbolic::Expr;

namespace {

void lay_out_motions(const Sketch& sketch, VehicleLayout* layout) {
  const Expr t = symbolic::symbol("t");
  std::vector<Expr> position, speed, acceleration;
  for (int k = 0; k < layout->given; ++k) {
    const int v = sketch.v_of_y[layout->nv + k];
    layout->given_names.push_back(sketch.mechanism.v_names[v]);
    position.push_back(*sketch.mechanism.motions[v]);
    speed.push_back(symbolic::diff(position.back(), t));
    acceleration.push_back(symbolic::diff(speed.back(), t));
  }
  codegen::ProgramBuilder builder(layout->name + "_motions");
  builder.add_input("t", {t});
  builder.add_output("position", std::span<const Expr>(position));
  builder.add_output("speed", std::span<const Expr>(speed));
  builder.add_output("acceleration", std::span<const Expr>(acceleration));
  builder.set_recipe("the joints whose motion is given");
  layout->motions = builder.build();
}

}  // namespace

void lay_out_state(const Sketch& sketch, VehicleLayout* layout) {
  layout->name = identifier_of(sketch.name);
  const auto& base = sketch.mechanism.model.links[sketch.base];
  const bool is_free = sketch.base != 0;
  if (is_free)
    for (int i = 0; i < 7; ++i) layout->q_places.push_back(base.q_start + i);
  for (int y = 0; y < sketch.ny; ++y) {
    layout->v_places.push_back(sketch.v_of_y[y]);
    layout->v_names.push_back(sketch.mechanism.v_names[sketch.v_of_y[y]]);
    if (sketch.q_of_y[y] >= 0) layout->q_places.push_back(sketch.q_of_y[y]);
  }
  require(!is_free || sketch.v_of_y[0] == base.v_start, "generate: the base's speeds come first");
  layout->nq = static_cast<int>(layout->q_places.size());
  layout->nv = sketch.ny;
  layout->given = sketch.given;
  if (layout->given > 0) lay_out_motions(sketch, layout);
}

void pair_uses(VehicleLayout* layout) {
  std::vector<KernelUse>& uses = layout->uses;
  std::vector<double>& parameters = layout->parameters;
  for (std::size_t a = 0; a < uses.size(); ++a) {
    for (std::size_t b = a + 1; b < uses.size() && uses[a].partner < 0; ++b) {
      if (uses[b].kernel != uses[a].kernel || uses[b].partner >= 0) continue;
      uses[a].partner = static_cast<int>(b);
      uses[b].partner = static_cast<int>(a);
      uses[a].pair_parameter = static_cast<int>(parameters.size());
      for (int i = 0; i < uses[a].parameters; ++i) {
        for (const std::size_t use : {a, b}) {
          const double value = parameters[uses[use].first_parameter + i];
          parameters.push_back(value);
        }
      }
    }
  }
}

bool lends_coordinates(const Sketch& sketch, const Group& group) {
  return std::any_of(sketch.groups.begin(), sketch.groups.end(), [&](const Group& other) {
    return std::find(other.shared.begin(), other.shared.end(), group.own[0]) != other.shared.end();
  });
}

const SketchLink& find_link(const Sketch& sketch, int y) {
  const auto found = std::ranges::find(sketch.links, y, &SketchLink::y);
  if (found == sketch.links.end()) throw std::logic_error("generate: a coordinate without a link");
  return *found;
}

}  // namespace camber::mechanism_code
