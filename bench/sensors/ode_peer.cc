#include <limits>

#include "bench/sensors/peer.h"
#include "bench/symbolic/measure.h"

#ifdef CAMBER_HAS_ODE
#include <ode/ode.h>
#endif

namespace camber::bench {

#ifdef CAMBER_HAS_ODE
namespace {

// A ray against one trimesh (OPCODE), as Gazebo classic's CPU ray sensor does it.
class OdePeer : public RayPeer {
 public:
  explicit OdePeer(const City& city) {
    make_object_triangles(city, &vertices_, &indices_);
    dInitODE2(0);
    Stopwatch watch;
    data_ = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(data_, vertices_.data(), 3 * sizeof(float),
                                static_cast<int>(vertices_.size() / 3), indices_.data(),
                                static_cast<int>(indices_.size()), 3 * sizeof(unsigned));
    mesh_ = dCreateTriMesh(nullptr, data_, nullptr, nullptr, nullptr);
    build_seconds = watch.lap();
    ray_ = dCreateRay(nullptr, 120);
    dGeomRaySetClosestHit(ray_, 1);
    dGeomRaySetBackfaceCull(ray_, 0);
  }
  ~OdePeer() override {
    dGeomDestroy(ray_);
    dGeomDestroy(mesh_);
    dGeomTriMeshDataDestroy(data_);
    dCloseODE();
  }
  OdePeer(const OdePeer&) = delete;
  OdePeer& operator=(const OdePeer&) = delete;

  void cast(std::span<const scene::Ray> rays, std::span<float> ranges) override {
    for (std::size_t k = 0; k < rays.size(); ++k) {
      const scene::Ray& r = rays[k];
      dGeomRaySetLength(ray_, static_cast<dReal>(r.max_range));
      dGeomRaySet(ray_, static_cast<dReal>(r.origin.x()), static_cast<dReal>(r.origin.y()),
                  static_cast<dReal>(r.origin.z()), static_cast<dReal>(r.direction.x()),
                  static_cast<dReal>(r.direction.y()), static_cast<dReal>(r.direction.z()));
      dContactGeom contact;
      const int n = dCollide(ray_, mesh_, 1, &contact, sizeof contact);
      ranges[k] =
          n > 0 ? static_cast<float>(contact.depth) : std::numeric_limits<float>::infinity();
    }
  }

 private:
  std::vector<float> vertices_;
  std::vector<unsigned> indices_;
  dTriMeshDataID data_;
  dGeomID mesh_, ray_;
};

}  // namespace

std::unique_ptr<RayPeer> make_ode(const City& city) { return std::make_unique<OdePeer>(city); }
#else
std::unique_ptr<RayPeer> make_ode(const City&) { return nullptr; }
#endif

}  // namespace camber::bench
