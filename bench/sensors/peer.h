#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/sensors/city.h"

namespace camber::bench {

/// Another library's rays through the same scene.
class RayPeer {
 public:
  virtual ~RayPeer() = default;
  /// Ranges of the rays; infinite: a miss.
  virtual void cast(std::span<const scene::Ray> rays, std::span<float> ranges) = 0;
  double build_seconds = 0;  // processor time
  std::size_t memory = 0;    // after the build, as far as it is known [bytes]
};

enum class PeerScene { kObjects, kGround, kAll };

/// Each is null if the build does not have that library.
enum class EmbreeCalls { kSingle, kPackets };
std::unique_ptr<RayPeer> make_embree(const City& city, PeerScene what, EmbreeCalls calls);
std::unique_ptr<RayPeer> make_ode(const City& city);
/// With objects as a BVH, the ground as a height field.
std::unique_ptr<RayPeer> make_bullet(const City& city, PeerScene what);

/// Two triangles per cell, as float triples and indices.
void make_ground_triangles(const City& city, std::vector<float>* vertices,
                           std::vector<unsigned>* indices);
void make_object_triangles(const City& city, std::vector<float>* vertices,
                           std::vector<unsigned>* indices);

}  // namespace camber::bench
