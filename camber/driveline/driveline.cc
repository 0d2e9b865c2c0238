#include "camber/driveline/driveline.h"

#include "camber/core/require.h"

namespace camber::driveline {

double output_ratio(const Driveline& driveline, bool is_low_range) {
  const double transfer = is_low_range ? driveline.transfer_low : driveline.transfer_high;
  return transfer * driveline.axle_ratio * driveline.hub_ratio;
}

double total_ratio(const Driveline& driveline, const DriveInputs& inputs) {
  return with_axles(driveline, gear_ratio(driveline.gearbox, inputs.gear.gear),
                    inputs.is_low_range);
}

void require_tree(const Driveline& driveline, int wheel_count) {
  const auto& nodes = driveline.differentials;
  require(!nodes.empty() && nodes.size() <= kMaxDifferentials, "Driveline: it has ", nodes.size(),
          " differentials, must be 1 to ", kMaxDifferentials);
  std::vector<int> drivers(nodes.size(), 0), wheels(static_cast<std::size_t>(wheel_count), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const DifferentialNode& node = nodes[i];
    const double share = node.law.first_share;
    require(share >= 0 && share <= 1, "Driveline: differential ", i, " has a share of ", share,
            ", must be 0 to 1");
    for (std::size_t k = 0; k < 2; ++k) {
      const DriveOutput& output = node.outputs[k];
      if (output.wheel >= 0) {
        require(output.wheel < wheel_count && output.differential < 0, "Driveline: differential ",
                i, " drives wheel ", output.wheel, " of ", wheel_count);
        ++wheels[static_cast<std::size_t>(output.wheel)];
      } else if (output.differential >= 0) {
        const auto to = static_cast<std::size_t>(output.differential);
        require(to > i && to < nodes.size(), "Driveline: differential ", i, " drives differential ",
                to, ", which must come after it");
        ++drivers[to];
      } else {
        require((k == 0 ? share : 1 - share) == 0, "Driveline: shaft ", k, " of differential ", i,
                " drives nothing, but gets a share of the torque");
      }
    }
  }
  for (std::size_t i = 1; i < nodes.size(); ++i)
    require(drivers[i] == 1, "Driveline: differential ", i, " has ", drivers[i],
            " inputs, must be 1");
  for (std::size_t i = 0; i < wheels.size(); ++i)
    require(wheels[i] <= 1, "Driveline: wheel ", i, " is driven by ", wheels[i], " shafts");
}

std::vector<double> find_shares(const Driveline& driveline, int wheel_count) {
  require_tree(driveline, wheel_count);
  std::vector<double> wheels(static_cast<std::size_t>(wheel_count), 0.0),
      nodes(driveline.differentials.size(), 0.0);
  nodes[0] = 1;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const DifferentialNode& node = driveline.differentials[i];
    const double shares[] = {node.law.first_share, 1 - node.law.first_share};
    for (std::size_t k = 0; k < 2; ++k) {
      const DriveOutput& output = node.outputs[k];
      if (output.wheel >= 0) wheels[static_cast<std::size_t>(output.wheel)] = shares[k] * nodes[i];
      if (output.differential >= 0)
        nodes[static_cast<std::size_t>(output.differential)] = shares[k] * nodes[i];
    }
  }
  return wheels;
}

}  // namespace camber::driveline
