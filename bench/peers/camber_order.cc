#include "bench/peers/camber_order.h"

#include "camber/core/require.h"

namespace camber::bench {

CamberOrder::CamberOrder(const SpanningTree& tree, const multibody::MechanismTree& compiled) {
  std::vector<int> carrier(compiled.mechanism.bodies.size(), -1);
  for (std::size_t j = 0; j < compiled.joints.size(); ++j) {
    if (compiled.joints[j].in_tree)
      carrier[compiled.mechanism.joints[j].child.value] = static_cast<int>(j);
  }
  for (const TreeNode& node : tree.nodes) {
    const int j = carrier.at(node.body.value);
    require(j >= 0 && (!node.index.valid() || node.index.value == j), "CamberOrder: body ",
            node.body.value, " hangs on joint ", node.index.value, " here, on ", j, " in camber");
    const auto& place = compiled.joints[j];
    for (int i = 0; i < multibody::position_count(node.joint.type); ++i)
      q_.push_back(place.q_start + i);
    for (int i = 0; i < multibody::speed_count(node.joint.type); ++i)
      v_.push_back(place.v_start + i);
  }
}

PeerState CamberOrder::to_camber(const PeerState& state) const {
  PeerState ordered{VectorX<double>(state.q.size()), VectorX<double>(state.v.size())};
  for (std::size_t i = 0; i < q_.size(); ++i) ordered.q[q_[i]] = state.q[i];
  for (std::size_t i = 0; i < v_.size(); ++i) ordered.v[v_[i]] = state.v[i];
  return ordered;
}

PeerState CamberOrder::from_camber(const PeerState& state) const {
  PeerState ordered{VectorX<double>(state.q.size()), speeds_from_camber(state.v)};
  for (std::size_t i = 0; i < q_.size(); ++i) ordered.q[i] = state.q[q_[i]];
  return ordered;
}

VectorX<double> CamberOrder::speeds_from_camber(const VectorX<double>& v) const {
  VectorX<double> ordered(v.size());
  for (std::size_t i = 0; i < v_.size(); ++i) ordered[i] = v[v_[i]];
  return ordered;
}

}  // namespace camber::bench
