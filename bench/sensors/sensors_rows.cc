#include "bench/sensors/sensors_rows.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>

#include "bench/sensors/city.h"
#include "bench/sensors/peer.h"
#include "bench/symbolic/measure.h"
#include "camber/core/random.h"
#include "camber/scene/render.h"
#include "camber/scene/scene.h"
#include "camber/terrain/soil_grid.h"

namespace camber::bench {
namespace {

using scene::Hit;
using scene::Ray;
using scene::Scene;

struct CityScene {
  Scene scene;
  double object_seconds = 0, ground_seconds = 0;  // to build
};

CityScene make_scene(const City& city, PeerScene what) {
  CityScene made;
  Stopwatch watch;
  if (what != PeerScene::kGround) {
    for (const scene::Mesh& block : city.blocks) {
      scene::Instance instance;
      instance.shape = scene::MeshShape{made.scene.add_mesh(block)};
      made.scene.add_instance(instance);
    }
  }
  made.scene.commit();
  made.object_seconds = watch.lap();
  if (what != PeerScene::kObjects) made.scene.set_ground(city.ground, {});
  made.ground_seconds = watch.lap();
  return made;
}

/// As a sensor does it: some thousand rays at a time.
void cast_in_parts(const Scene& scene, std::span<const Ray> rays, std::span<float> ranges) {
  constexpr std::size_t kPart = 8192;
  std::vector<Hit> hits(kPart);
  for (std::size_t first = 0; first < rays.size(); first += kPart) {
    const std::size_t n = std::min(kPart, rays.size() - first);
    scene.cast(rays.subspan(first, n), std::span(hits).first(n));
    for (std::size_t k = 0; k < n; ++k) ranges[first + k] = static_cast<float>(hits[k].range);
  }
}

/// One contestant: a round casts all of its rays.
struct Contestant {
  SensorRow row;
  std::function<void()> round;
};

double best_of(const std::vector<double>& values) { return *std::ranges::min_element(values); }

/// Rounds go over all contestants in turn, so that a busy while hits none alone.
void measure(int rounds, std::vector<Contestant>* all) {
  std::vector<std::vector<double>> seconds(all->size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < all->size(); ++k) {
      Stopwatch watch;
      (*all)[k].round();
      seconds[k].push_back(watch.lap());
    }
  }
  for (std::size_t k = 0; k < all->size(); ++k) (*all)[k].row.seconds = best_of(seconds[k]);
}

void summarize(std::span<const float> ranges, SensorRow* row) {
  double sum = 0, hits = 0;
  for (const float r : ranges) {
    if (std::isfinite(r)) sum += r, ++hits;
  }
  row->rays = static_cast<double>(ranges.size());
  row->hit_part = hits / row->rays;
  row->mean_range = hits > 0 ? sum / hits : 0;
}

std::vector<float> ranges_of(std::span<const Hit> hits) {
  std::vector<float> ranges;
  ranges.reserve(hits.size());
  for (const Hit& hit : hits) ranges.push_back(static_cast<float>(hit.range));
  return ranges;
}

class Comparer {
 public:
  explicit Comparer(Effort effort)
      : is_quick_(effort == Effort::kQuick),
        city_(make_city(is_quick_ ? 2 : 20)),
        rays_(make_scan(city_, is_quick_ ? 1 : 8)) {
    if (is_quick_) rays_.resize(rays_.size() / 8);
    comparison_.cpu = find_cpu();
    comparison_.triangles = city_.triangles;
  }

  SensorComparison run() {
    cast_all();
    cast_objects();
    compare_ground();
    draw_pictures();
    refresh();
    leak();
    grow();
    return std::move(comparison_);
  }

 private:
  int rounds() const { return is_quick_ ? 1 : 3; }
  void say(const char* what) const { std::cerr << "sensors: " << what << '\n'; }
  void check(const std::string& name, double value, double bar, bool at_least, bool timed = true) {
    comparison_.checks.push_back({name, value, bar, at_least, timed});
  }
  std::vector<Contestant> make_own(const Scene& scene, std::vector<float>* ranges,
                                   const char* name) {
    ranges->resize(rays_.size());
    std::vector<Contestant> all;
    all.push_back(
        {{name, "camber"}, [&scene, ranges, this] { cast_in_parts(scene, rays_, *ranges); }});
    return all;
  }
  void add_peer(const char* name, const char* engine, RayPeer* peer, std::size_t stride,
                std::vector<float>* ranges, std::vector<Contestant>* all) {
    if (peer == nullptr) return;
    auto some = std::make_shared<std::vector<Ray>>();
    for (std::size_t k = 0; k < rays_.size(); k += stride) some->push_back(rays_[k]);
    ranges->resize(some->size());
    Contestant c{{name, engine}, [peer, some, ranges] { peer->cast(*some, *ranges); }};
    c.row.build_seconds = peer->build_seconds;
    c.row.memory = static_cast<double>(peer->memory);
    all->push_back(std::move(c));
  }
  const SensorRow* find(const std::string& name, const std::string& engine) const {
    for (const SensorRow& row : comparison_.rows) {
      if (row.name == name && row.engine == engine) return &row;
    }
    return nullptr;
  }
  void check_ratio(const std::string& name, const std::string& peer, double bar) {
    const SensorRow *own = find(name, "camber"), *other = find(name, peer);
    if (own == nullptr || other == nullptr) return;
    check(name + ": " + peer + " / camber, time per ray", other->nanoseconds() / own->nanoseconds(),
          bar, true);
  }

  /// The turn of 64 beams through ground and objects.
  void cast_all() {
    say("64-beam turn, ground and objects");
    const CityScene own = make_scene(city_, PeerScene::kAll);
    auto single = make_embree(city_, PeerScene::kAll, EmbreeCalls::kSingle);
    auto packets = make_embree(city_, PeerScene::kAll, EmbreeCalls::kPackets);
    auto bullet = make_bullet(city_, PeerScene::kAll);
    std::vector<float> own_ranges, from_single, from_packets, from_bullet;
    auto all = make_own(own.scene, &own_ranges, "turn");
    all[0].row.build_seconds = own.object_seconds + own.ground_seconds;
    const auto memory = own.scene.memory();
    all[0].row.memory = static_cast<double>(memory.objects + memory.ground);
    add_peer("turn", "Embree 1", single.get(), 1, &from_single, &all);
    add_peer("turn", "Embree 16", packets.get(), 1, &from_packets, &all);
    add_peer("turn", "Bullet", bullet.get(), 64, &from_bullet, &all);
    measure(rounds(), &all);
    for (Contestant& c : all) {
      const auto& ranges = c.row.engine == "camber"      ? own_ranges
                           : c.row.engine == "Embree 1"  ? from_single
                           : c.row.engine == "Embree 16" ? from_packets
                                                         : from_bullet;
      summarize(ranges, &c.row);
      comparison_.rows.push_back(c.row);
    }
    check_ratio("turn", "Embree 1", 3.5);
    check_ratio("turn", "Embree 16", 0.9);
    check_ratio("turn", "Bullet", 100);
    if (single != nullptr) {
      std::size_t differ = 0;
      for (std::size_t k = 0; k < rays_.size(); ++k) {
        differ += std::isfinite(own_ranges[k]) != std::isfinite(from_single[k]) ? 1 : 0;
      }
      // The ground of Embree is of triangles, ours is the wheels'; a horizon may differ.
      check("turn: part of rays with another hit or miss than Embree",
            static_cast<double>(differ) / static_cast<double>(rays_.size()), 1e-4, false, false);
    }
  }

  /// Objects alone, where all engines have the same triangles: ray by ray.
  void cast_objects() {
    say("64-beam turn, objects alone");
    const CityScene own = make_scene(city_, PeerScene::kObjects);
    auto single = make_embree(city_, PeerScene::kObjects, EmbreeCalls::kSingle);
    auto packets = make_embree(city_, PeerScene::kObjects, EmbreeCalls::kPackets);
    auto ode = make_ode(city_);
    std::vector<float> own_ranges, from_single, from_packets, from_ode;
    auto all = make_own(own.scene, &own_ranges, "objects");
    all[0].row.build_seconds = own.object_seconds;
    all[0].row.memory = static_cast<double>(own.scene.memory().objects);
    add_peer("objects", "Embree 1", single.get(), 1, &from_single, &all);
    add_peer("objects", "Embree 16", packets.get(), 1, &from_packets, &all);
    add_peer("objects", "ODE", ode.get(), 64, &from_ode, &all);
    measure(rounds(), &all);
    for (Contestant& c : all) {
      const auto& ranges = c.row.engine == "camber"      ? own_ranges
                           : c.row.engine == "Embree 1"  ? from_single
                           : c.row.engine == "Embree 16" ? from_packets
                                                         : from_ode;
      summarize(ranges, &c.row);
      comparison_.rows.push_back(c.row);
    }
    check_ratio("objects", "ODE", 20);
    if (single == nullptr) return;
    std::vector<Hit> hits(rays_.size());
    own.scene.cast(rays_, hits);
    double far = 0, wrong = 0;
    for (std::size_t k = 0; k < rays_.size(); ++k) {
      const double a = hits[k].range, b = from_single[k];
      if (std::isfinite(a) == std::isfinite(b) && !(std::abs(a - b) > 1e-4)) continue;
      ++far;
      const double truth = find_range(city_, rays_[k]);
      // Own and referee differ in rounding at most, which a flat angle stretches.
      if (std::isfinite(truth) != std::isfinite(a) || std::abs(truth - a) > 1e-6) ++wrong;
    }
    check("objects: part of rays that differ from Embree by more than 0.1 mm",
          far / static_cast<double>(rays_.size()), 1e-5, false, false);
    check("objects: of these, rays where the long double referee is against camber", wrong, 0,
          false, false);
  }

  void compare_ground() {
    say("ground alone");
    const CityScene own = make_scene(city_, PeerScene::kGround);
    auto packets = make_embree(city_, PeerScene::kGround, EmbreeCalls::kPackets);
    std::vector<float> own_ranges, from_packets;
    auto all = make_own(own.scene, &own_ranges, "ground");
    all[0].row.build_seconds = own.ground_seconds;
    all[0].row.memory = static_cast<double>(own.scene.memory().ground);
    add_peer("ground", "Embree 16", packets.get(), 1, &from_packets, &all);
    measure(rounds(), &all);
    summarize(own_ranges, &all[0].row);
    if (all.size() > 1) summarize(from_packets, &all[1].row);
    for (const Contestant& c : all) comparison_.rows.push_back(c.row);
    terrain::TerrainCache cache = city_.ground->make_cache();
    std::vector<Hit> hits(rays_.size());
    own.scene.cast(rays_, hits);
    double worst = 0;
    for (std::size_t k = 0; k < rays_.size(); ++k) {
      if (!hits[k].is_hit()) continue;
      const Vector3 p = rays_[k].at(hits[k].range);
      worst = std::max(worst, std::abs(p.z() - city_.ground->sample(p.x(), p.y(), &cache).h));
    }
    check("ground: max distance of a hit from the wheels' surface [m]", worst, 1e-9, false, false);
    if (packets == nullptr) return;
    check("ground: memory, camber / Embree", all[0].row.memory / all[1].row.memory, 0.2, false,
          false);
    check("ground: set-up, camber / Embree", all[0].row.build_seconds / all[1].row.build_seconds,
          0.05, false);
  }

  void draw_pictures() {
    say("pictures");
    const CityScene own = make_scene(city_, PeerScene::kAll);
    scene::View view;
    view.eye = Vector3(13.7, 1.8, own.scene.ground_height(13.7, 1.8) + 1.9);
    view.target = view.eye + Vector3(10, 0.7, -0.6);
    if (is_quick_) view.width = 320, view.height = 180;
    scene::Picture picture;
    std::vector<Contestant> all;
    all.push_back(
        {{"picture", "camber"}, [&] { picture = draw_scene(own.scene, scene::Lighting{}, view); }});
    measure(rounds(), &all);
    all[0].row.rays = static_cast<double>(view.width) * view.height;
    comparison_.rows.push_back(all[0].row);
    if (!is_quick_) {
      check("picture: 1280 x 720 with shadows, depth, labels [ms]", 1e3 * all[0].row.seconds, 100,
            false);
    }
  }

  void refresh() {
    say("a rut and a moved vehicle");
    auto ground = std::make_shared<terrain::Terrain>(*city_.ground);
    ground->soils = {terrain::find_soil("dry_sand_LLL")};
    terrain::SoilGrid soil(ground.get(), {});
    terrain::TerrainCache cache = ground->make_cache();
    CityScene own = make_scene(city_, PeerScene::kAll);
    scene::Instance car;
    car.shape = scene::Box{{4.5, 1.9, 1.6}};
    car.is_moving = true;
    const int first = own.scene.add_instance(car);
    for (int k = 1; k < 20; ++k) own.scene.add_instance(car);
    own.scene.commit();
    terrain::BodyMotion motion;
    const double x = 13.3, y = 1.8;
    motion.center = {x, y, ground->sample(x, y, &cache).h + 0.42};
    motion.velocity = {1, 0, 0};
    soil.advance(terrain::WheelShape{}, motion, 0.01);
    const double tile = 0.02 * terrain::SoilGrid::kTileSide;
    const double tx = tile * std::floor(x / tile), ty = tile * std::floor(y / tile);
    const terrain::Box2 box{tx + 0.1, ty + 0.1, tx + tile - 0.1, ty + tile - 0.1};
    const int count = is_quick_ ? 10 : 2000;
    std::vector<Contestant> all;
    all.push_back({{"rut, one tile", "camber"}, [&] {
                     for (int k = 0; k < count; ++k) own.scene.refresh_ground(soil, box);
                   }});
    all.push_back({{"vehicle moved", "camber"}, [&] {
                     for (int k = 0; k < count; ++k) {
                       Isometry3 X = Isometry3::Identity();
                       X.translation() = Vector3(0.01 * k, 1.8, 1);
                       own.scene.move(first, X);
                       own.scene.refit();
                     }
                   }});
    measure(rounds(), &all);
    for (Contestant& c : all) {
      c.row.rays = count;
      comparison_.rows.push_back(c.row);
      check(c.row.name + " [us]", 1e-3 * c.row.nanoseconds(), 50, false);
    }
  }

  /// Rays from inside of a closed mesh, a half of them aimed at its vertices and edges.
  void leak() {
    say("rays from inside of a closed mesh");
    Scene scene;
    scene::Instance ball;
    ball.shape = scene::MeshShape{scene.add_mesh(scene::make_sphere_mesh(2.0, 5))};
    ball.X_WS.linear() = Eigen::AngleAxisd(0.7, Vector3(0.3, -0.5, 0.8).normalized()).matrix();
    ball.X_WS.translation() = Vector3(812.3, -431.7, 23.9);
    scene.add_instance(ball);
    scene.commit();
    const scene::Mesh& mesh = scene.mesh(0);
    RandomStream random = RandomStream(2026).substream("leaks");
    const auto draw = [&] { return random.uniform(-1, 1); };
    const std::size_t total = is_quick_ ? 100000 : 10000000;
    double leaks = 0;
    std::vector<Ray> rays(20000);
    std::vector<Hit> hits(rays.size());
    for (std::size_t done = 0; done < total; done += rays.size()) {
      for (std::size_t k = 0; k < rays.size(); ++k) {
        const Vector3 from = ball.X_WS * Vector3(draw(), draw(), draw());
        const auto& t = mesh.triangles[(done + k) % mesh.triangles.size()];
        const Vector3 a = ball.X_WS * mesh.vertex(t[0]), b = ball.X_WS * mesh.vertex(t[1]);
        Vector3 way(draw(), draw(), draw());
        if (k % 4 == 1) way = a - from;
        if (k % 4 == 2) way = a + random.uniform() * (b - a) - from;
        if (way.squaredNorm() < 1e-4) way = Vector3(0.6, 0.48, -0.64);
        rays[k] = {from, way.normalized(), 1e9};
      }
      scene.cast(rays, hits);
      for (const Hit& hit : hits) leaks += hit.is_hit() ? 0 : 1;
    }
    check("closed mesh: rays of " + std::to_string(total) + " from inside that leave it", leaks, 0,
          false, false);
  }

  /// The same scan in cities of 1e4 to 1e7 triangles: blocks are cut finer or left out.
  void grow() {
    say("growth");
    std::vector<double> triangles, memory;
    double first = 0, last = 0;
    for (const int blocks : is_quick_ ? std::vector<int>{1, 2} : std::vector<int>{1, 4, 13, 41}) {
      const City city = make_city(blocks);
      const CityScene own = make_scene(city, PeerScene::kObjects);
      // Rays about the middle, kept inside of the smallest city.
      std::vector<Ray> some = make_scan(city, 1);
      for (Ray& ray : some) ray.origin.y() -= 1.8, ray.origin.x() -= 13.7;
      std::vector<Hit> hits(some.size());
      std::vector<Contestant> all;
      all.push_back({{"growth " + std::to_string(city.triangles), "camber"},
                     [&] { own.scene.cast(some, hits); }});
      measure(rounds(), &all);
      summarize(ranges_of(hits), &all[0].row);
      all[0].row.memory = static_cast<double>(own.scene.memory().objects);
      all[0].row.build_seconds = own.object_seconds;
      comparison_.rows.push_back(all[0].row);
      triangles.push_back(static_cast<double>(city.triangles));
      memory.push_back(all[0].row.memory);
      (first == 0 ? first : last) = all[0].row.nanoseconds() / std::log2(triangles.back());
    }
    check("growth: time per ray over log2(triangles), largest city / smallest", last / first, 1.5,
          false);
    check("growth: exponent of the memory", growth_exponent(triangles, memory), 1.05, false, false);
  }

  bool is_quick_;
  City city_;
  std::vector<Ray> rays_;
  SensorComparison comparison_;
};

}  // namespace

SensorComparison compare_sensors(Effort effort) { return Comparer(effort).run(); }

void run_rays_only(double seconds) {
  const City city = make_city(20);
  const std::vector<Ray> rays = make_scan(city, 8);
  for (const PeerScene what : {PeerScene::kObjects, PeerScene::kGround, PeerScene::kAll}) {
    const CityScene own = make_scene(city, what);
    const auto peer = make_embree(city, what, EmbreeCalls::kPackets);
    std::vector<float> ranges(rays.size());
    double spent = 0, best = HUGE_VAL, best_peer = HUGE_VAL;
    while (spent < seconds) {
      Stopwatch watch;
      cast_in_parts(own.scene, rays, ranges);
      const double lap = watch.lap();
      spent += lap, best = std::min(best, lap);
      if (peer == nullptr) continue;
      peer->cast(rays, ranges);
      best_peer = std::min(best_peer, watch.lap());
    }
    std::cout << (what == PeerScene::kObjects  ? "objects "
                  : what == PeerScene::kGround ? "ground "
                                               : "all ")
              << 1e9 * best / static_cast<double>(rays.size()) << " ns per ray, Embree 16 "
              << 1e9 * best_peer / static_cast<double>(rays.size()) << "; built in "
              << own.object_seconds << " + " << own.ground_seconds << " s\n";
  }
}

}  // namespace camber::bench
