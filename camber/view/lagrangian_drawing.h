#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace camber::view {

/// The bodies of a Lagrangian model as a page draws them: where its frames are, from the
/// coordinates of a log.
class LagrangianDrawing {
 public:
  /// `text` is the model's file, `overrides` the assignments of --set; those of parameters count.
  /// Throws std::invalid_argument or ModelFileError if its frames have no value.
  LagrangianDrawing(const std::string& text, const std::string& file,
                    const std::vector<std::string>& overrides);
  ~LagrangianDrawing();

  /// With the model's ground, which is body 0.
  int body_count() const;
  std::size_t coordinate_count() const;
  /// A vehicle's entry in hello. Bars go from a frame's origin to its body's center of mass and to
  /// points of that frame.
  nlohmann::ordered_json describe(const std::string& name) const;
  /// Poses of all bodies, 7 numbers each: body 0 turns the model so that its gravity points down,
  /// others are in body 0. Throws symbolic::EvaluationError where a frame has no value.
  void find_poses(double time, std::span<const double> coordinates, std::span<double> values) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace camber::view
