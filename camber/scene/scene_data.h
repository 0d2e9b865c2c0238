#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "camber/scene/box_list.h"
#include "camber/scene/ground_tree.h"
#include "camber/scene/mesh_tree.h"
#include "camber/scene/scene.h"

namespace camber::scene {

namespace internal {

/// Pose of an instance, prepared for rays.
struct Placed {
  Matrix3 R_SW = Matrix3::Identity();
  Vector3 p_WS = Vector3::Zero(), origin = Vector3::Zero();  // origin: of the mesh
  bool is_turned = false;
  bool has_surfaces = false;    // the mesh's triangles have materials of their own
  int mesh = -1;                // -1: a shape
  int material = 0, label = 0;  // of the instance
};

}  // namespace internal

struct Scene::Data {
  std::vector<Material> materials;
  std::vector<std::string> labels;
  std::vector<Mesh> meshes;
  std::deque<internal::MeshTree> trees;  // of the meshes
  std::vector<Instance> instances;
  std::vector<internal::Placed> placed;  // by instance
  std::vector<int> slot;                 // of an instance in its group

  /// Instances with a tree over their boxes: those that move, and the others.
  struct Group {
    std::vector<int> members;
    std::vector<internal::Bounds> boxes;  // about `center`
    internal::Tree tree;
    double first_cost = 0;  // of the tree when it was built
  };
  Group still, moving;
  Vector3 center = Vector3::Zero();
  bool is_committed = true, is_fitted = true;

  std::shared_ptr<const terrain::Terrain> terrain;
  std::unique_ptr<internal::GroundTree> ground;
  int ground_material = 0, ground_label = 0;

  void require_ready(const char* what) const;
  struct Workspace;
  bool collect(const internal::Fan& fan, Workspace* work) const;
  void prepare(const internal::Candidate& leaf, const internal::Bundle& bundle,
               internal::FilterTriangle* out) const;
  template <bool kAny>
  void cast_list(int packet, float limit, Workspace* work) const;
  template <bool kAny>
  void cast_group(const Group& group, internal::Packet* packet) const;
  template <bool kAny>
  void cast_objects(int first, int count, int part, float limit, Workspace* work) const;
  template <bool kAny>
  float cast_near(Workspace* work) const;
  template <bool kAny>
  void cast_far(float limit, Workspace* work) const;
  /// finish_packet(packet, first ray) for each packet.
  template <bool kAny, class Finish>
  void cast(std::span<const Ray> rays, const char* what, const Finish& finish_packet) const;
  void finish(const internal::Packet& packet, std::size_t count, Hit* hits) const;
};

}  // namespace camber::scene
