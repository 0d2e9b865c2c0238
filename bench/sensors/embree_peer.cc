#include <cmath>
#include <cstring>
#include <limits>

#include "bench/sensors/peer.h"
#include "bench/symbolic/measure.h"

#ifdef CAMBER_HAS_EMBREE
#include <embree3/rtcore.h>
#endif

namespace camber::bench {

#ifdef CAMBER_HAS_EMBREE
namespace {

// Embree 3 of Debian, robust as a LIDAR needs it; the context is coherent, as its best case is.
class EmbreePeer : public RayPeer {
 public:
  EmbreePeer(const City& city, PeerScene what, EmbreeCalls calls) : calls_(calls) {
    device_ = rtcNewDevice("threads=1,set_affinity=0");
    rtcSetDeviceMemoryMonitorFunction(
        device_,
        [](void* self, ssize_t bytes, bool) {
          static_cast<EmbreePeer*>(self)->bytes_ += bytes;
          return true;
        },
        this);
    scene_ = rtcNewScene(device_);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_MEDIUM);
    Stopwatch watch;
    if (what != PeerScene::kGround) add(city, make_object_triangles);
    if (what != PeerScene::kObjects) add(city, make_ground_triangles);
    watch.lap();
    rtcCommitScene(scene_);
    build_seconds = watch.lap();
    memory = static_cast<std::size_t>(bytes_);
  }
  ~EmbreePeer() override {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }
  EmbreePeer(const EmbreePeer&) = delete;
  EmbreePeer& operator=(const EmbreePeer&) = delete;

  void cast(std::span<const scene::Ray> rays, std::span<float> ranges) override {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    if (calls_ == EmbreeCalls::kSingle) {
      for (std::size_t k = 0; k < rays.size(); ++k) {
        RTCRayHit r;
        set(rays[k], &r.ray.org_x, &r.ray.org_y, &r.ray.org_z, &r.ray.dir_x, &r.ray.dir_y,
            &r.ray.dir_z, &r.ray.tfar);
        r.ray.tnear = 0, r.ray.time = 0, r.ray.mask = ~0U, r.ray.id = 0, r.ray.flags = 0;
        r.hit.geomID = r.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(scene_, &context, &r);
        ranges[k] = r.hit.geomID == RTC_INVALID_GEOMETRY_ID ? kMiss : r.ray.tfar;
      }
      return;
    }
    alignas(64) RTCRayHit16 r;
    alignas(64) int valid[16];
    for (std::size_t first = 0; first < rays.size(); first += 16) {
      const std::size_t n = std::min<std::size_t>(16, rays.size() - first);
      for (std::size_t k = 0; k < 16; ++k) {
        valid[k] = k < n ? -1 : 0;
        const scene::Ray& ray = rays[first + (k < n ? k : 0)];
        set(ray, &r.ray.org_x[k], &r.ray.org_y[k], &r.ray.org_z[k], &r.ray.dir_x[k],
            &r.ray.dir_y[k], &r.ray.dir_z[k], &r.ray.tfar[k]);
        r.ray.tnear[k] = 0, r.ray.time[k] = 0, r.ray.mask[k] = ~0U, r.ray.id[k] = 0;
        r.ray.flags[k] = 0;
        r.hit.geomID[k] = r.hit.instID[0][k] = RTC_INVALID_GEOMETRY_ID;
      }
      rtcIntersect16(valid, scene_, &context, &r);
      for (std::size_t k = 0; k < n; ++k) {
        ranges[first + k] = r.hit.geomID[k] == RTC_INVALID_GEOMETRY_ID ? kMiss : r.ray.tfar[k];
      }
    }
  }

 private:
  static constexpr float kMiss = std::numeric_limits<float>::infinity();

  static void set(const scene::Ray& ray, float* ox, float* oy, float* oz, float* dx, float* dy,
                  float* dz, float* far) {
    *ox = static_cast<float>(ray.origin.x()), *oy = static_cast<float>(ray.origin.y());
    *oz = static_cast<float>(ray.origin.z()), *dx = static_cast<float>(ray.direction.x());
    *dy = static_cast<float>(ray.direction.y()), *dz = static_cast<float>(ray.direction.z());
    *far = static_cast<float>(ray.max_range);
  }

  template <class Make>
  void add(const City& city, const Make& make) {
    std::vector<float> vertices;
    std::vector<unsigned> indices;
    make(city, &vertices, &indices);
    RTCGeometry mesh = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    void* v = rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                      3 * sizeof(float), vertices.size() / 3);
    std::memcpy(v, vertices.data(), vertices.size() * sizeof(float));
    void* i = rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                      3 * sizeof(unsigned), indices.size() / 3);
    std::memcpy(i, indices.data(), indices.size() * sizeof(unsigned));
    rtcCommitGeometry(mesh);
    rtcAttachGeometry(scene_, mesh);
    rtcReleaseGeometry(mesh);
  }

  EmbreeCalls calls_;
  RTCDevice device_ = nullptr;
  RTCScene scene_ = nullptr;
  ssize_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<RayPeer> make_embree(const City& city, PeerScene what, EmbreeCalls calls) {
  return std::make_unique<EmbreePeer>(city, what, calls);
}
#else
std::unique_ptr<RayPeer> make_embree(const City&, PeerScene, EmbreeCalls) { return nullptr; }
#endif

}  // namespace camber::bench
