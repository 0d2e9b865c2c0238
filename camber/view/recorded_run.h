#pragma once

// The folder of a run as a page shows it: poses of its bodies over time, channels, events, figures,
// for drives, mechanisms and models. It reads only log.h5, summary.json and the copies of the run's
// files.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "camber/record/log_reader.h"
#include "camber/run/simulation.h"
#include "camber/view/lagrangian_drawing.h"
#include "camber/view/mesh_book.h"
#include "camber/view/recorded_scans.h"
#include "camber/view/slices.h"
#include "camber/view/state_frame.h"

namespace camber::view {

class RecordedRun {
 public:
  /// Throws std::invalid_argument with folder, file and key if this is not the folder of a run or
  /// is damaged.
  explicit RecordedRun(const std::string& folder);

  const std::string& folder() const { return folder_; }
  /// The drive as it started, built again from its files; null for other kinds of runs and if its
  /// files are gone.
  const run::Simulation* simulation() const { return simulation_.get(); }
  /// Notes for the user: missing files, a log that was cut off.
  const std::vector<std::string>& notes() const { return notes_; }

  std::span<const double> times() const { return times_; }
  const std::vector<record::Channel>& channels() const { return channels_; }
  const FrameLayout& layout() const { return layout_; }
  /// Column of a sample, by its number in hello. It is read at its first request.
  const ColumnPyramid& column(std::size_t k);
  std::size_t column_count() const { return static_cast<std::size_t>(layout_.sample_size); }

  /// The run's entry in hello.
  nlohmann::ordered_json describe(MeshBook* meshes);

  /// The clip of samples in [from, to], every `stride`-th.
  std::string make_clip(int run, double from, double to, std::size_t stride, int compression);
  /// A height below all motion of a mechanism or model; 0 if it stays above 0, and for drives [m].
  double find_floor();
  /// Scans and pictures of its sensors; null if there is no simulation().
  const RecordedScans* scans() const { return scans_.get(); }
  /// Path of vehicle 0, sample by sample: {x, y, x, y, ...}; empty for other kinds of runs.
  std::vector<double> list_positions();

 private:
  struct Block {  // a channel's values of all samples, read when needed
    std::vector<double> values;
    bool is_read = false;
  };

  void read_summary();
  void open_log();
  void build_drive();
  void open_mechanism();
  void open_model();
  const std::vector<double>& block(std::size_t channel);
  const std::vector<double>* find_block(const std::string& name);
  void fill_poses(std::size_t sample, std::span<double> values);
  void fill_vehicle(int vehicle, std::size_t sample, std::span<double> values);
  nlohmann::ordered_json describe_plain_vehicle() const;
  nlohmann::ordered_json list_events();
  nlohmann::ordered_json list_figures() const;

  std::string folder_;
  nlohmann::ordered_json summary_;
  std::unique_ptr<record::LogReader> log_;
  std::string kind_;
  std::vector<double> times_;
  std::vector<record::Channel> channels_;
  std::vector<Block> blocks_;                                // by channel
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // channel and entry, by column
  std::vector<std::optional<ColumnPyramid>> columns_;
  FrameLayout layout_;
  std::unique_ptr<run::Simulation> simulation_;
  std::unique_ptr<RecordedScans> scans_;
  std::vector<std::vector<dynamics::BodyPose>> poses_;  // by vehicle
  std::vector<bool> has_coordinates_;                   // by vehicle
  terrain::TerrainCache cache_;                         // for heights below things
  std::unique_ptr<LagrangianDrawing> model_;            // of a Lagrangian model
  nlohmann::ordered_json mechanism_;                    // vehicle entry of a mechanism
  std::vector<std::string> notes_;
};

}  // namespace camber::view
