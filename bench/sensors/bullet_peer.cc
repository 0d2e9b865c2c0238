#include <limits>

#include "bench/sensors/peer.h"
#include "bench/symbolic/measure.h"

#ifdef CAMBER_HAS_BULLET
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <btBulletCollisionCommon.h>
#endif

namespace camber::bench {

#ifdef CAMBER_HAS_BULLET
namespace {

class BulletPeer : public RayPeer {
 public:
  BulletPeer(const City& city, PeerScene what)
      : dispatcher_(&configuration_), world_(&dispatcher_, &broadphase_, &configuration_) {
    make_object_triangles(city, &vertices_, &indices_);
    Stopwatch watch;
    arrays_ = std::make_unique<btTriangleIndexVertexArray>(
        static_cast<int>(indices_.size() / 3), reinterpret_cast<int*>(indices_.data()),
        static_cast<int>(3 * sizeof(int)), static_cast<int>(vertices_.size() / 3), vertices_.data(),
        static_cast<int>(3 * sizeof(btScalar)));
    mesh_ = std::make_unique<btBvhTriangleMeshShape>(arrays_.get(), true);
    object_.setCollisionShape(mesh_.get());
    world_.addCollisionObject(&object_);
    if (what == PeerScene::kAll) {
      const auto& map = std::get<terrain::ElevationMap>(city.ground->base);
      const std::vector<float>& nodes = *map.nodes_with_rim();
      const int n = city.nodes;
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
          heights_.push_back(nodes[static_cast<std::size_t>(j + 1) * (n + 2) + i + 1]);
        }
      }
      field_ = std::make_unique<btHeightfieldTerrainShape>(n, n, heights_.data(), 1.0F, -20.0F,
                                                           20.0F, 2, PHY_FLOAT, false);
      field_->buildAccelerator(16);
      ground_.setCollisionShape(field_.get());
      world_.addCollisionObject(&ground_);
    }
    build_seconds = watch.lap();
  }
  ~BulletPeer() override {
    world_.removeCollisionObject(&object_);
    if (field_) world_.removeCollisionObject(&ground_);
  }
  BulletPeer(const BulletPeer&) = delete;
  BulletPeer& operator=(const BulletPeer&) = delete;

  void cast(std::span<const scene::Ray> rays, std::span<float> ranges) override {
    for (std::size_t k = 0; k < rays.size(); ++k) {
      const Vector3 end = rays[k].at(rays[k].max_range);
      const btVector3 a(to(rays[k].origin)), b(to(end));
      btCollisionWorld::ClosestRayResultCallback result(a, b);
      world_.rayTest(a, b, result);
      ranges[k] = result.hasHit()
                      ? static_cast<float>(rays[k].max_range) * result.m_closestHitFraction
                      : std::numeric_limits<float>::infinity();
    }
  }

 private:
  static btVector3 to(const Vector3& p) {
    return {static_cast<btScalar>(p.x()), static_cast<btScalar>(p.y()),
            static_cast<btScalar>(p.z())};
  }

  std::vector<float> vertices_, heights_;
  std::vector<unsigned> indices_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btCollisionWorld world_;
  std::unique_ptr<btTriangleIndexVertexArray> arrays_;
  std::unique_ptr<btBvhTriangleMeshShape> mesh_;
  std::unique_ptr<btHeightfieldTerrainShape> field_;
  btCollisionObject object_, ground_;
};

}  // namespace

std::unique_ptr<RayPeer> make_bullet(const City& city, PeerScene what) {
  return std::make_unique<BulletPeer>(city, what);
}
#else
std::unique_ptr<RayPeer> make_bullet(const City&, PeerScene) { return nullptr; }
#endif

}  // namespace camber::bench
