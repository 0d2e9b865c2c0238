#pragma once

// The surroundings of a drive for a page: ground, trees, buildings, meshes, and the vehicles of one
// or several runs on this ground.
//
//   Stage stage(simulation);
//   stage.hello("live")                 // JSON of section 2, without what a server adds
//   stage.answer("/api/tile/0/3/-2")    // 404 for addresses of others

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "camber/run/simulation.h"
#include "camber/view/address.h"
#include "camber/view/answer.h"
#include "camber/view/ground_tiles.h"
#include "camber/view/mesh_book.h"

namespace camber::view {

class Stage {
 public:
  /// The ground of a drive, with the drive as run 0.
  explicit Stage(const run::Simulation& simulation);
  /// The ground alone.
  explicit Stage(const scenario::BuiltScenario& built);
  /// Without a drive: mechanisms and models, over a plane at a height [m].
  explicit Stage(double plane_height);

  /// A further run on the same ground. Returns its number.
  int add_run(const run::Simulation& simulation);
  int add_run(nlohmann::ordered_json run);

  int run_count() const { return static_cast<int>(runs_.size()); }
  nlohmann::ordered_json& run(int i) { return runs_[static_cast<std::size_t>(i)]; }
  const nlohmann::ordered_json& run(int i) const { return runs_[static_cast<std::size_t>(i)]; }
  MeshBook& meshes() { return meshes_; }
  GroundTiles& ground() { return *ground_; }
  const GroundTiles& ground() const { return *ground_; }

  /// `kind`: "live" or "replay". `program`: "camber 0.1.0".
  nlohmann::ordered_json hello(std::string_view kind, std::string_view program) const;

  /// Answers /api/tile, /api/trees, /api/mesh and /api/soil; 404 for anything else. Any thread; may
  /// take milliseconds.
  Answer answer(std::string_view target) const;
  Answer answer(const Address& address) const;

 private:
  void add_city(std::shared_ptr<const city::City> city);
  void add_obstacles(const terrain::Terrain& terrain);

  std::unique_ptr<GroundTiles> ground_;
  MeshBook meshes_;
  nlohmann::ordered_json runs_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json static_ = nlohmann::ordered_json::array();
};

}  // namespace camber::view
