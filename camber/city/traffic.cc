// Car following: [Treiber, Hennecke, Helbing 2000], Congested traffic states in empirical
// observations and microscopic simulations, Phys. Rev. E 62, (2) and (3), with their parameters but
// for the time headway.
#include "camber/city/traffic.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::city {
namespace {

constexpr double kStep = 0.1;                             // [s]
constexpr double kCarLength = 4.4, kCarWidth = 1.8;       // [m]
constexpr double kMaxAcceleration = 1.5, kBraking = 2.0;  // [m/s^2]
constexpr double kHeadway = 1.4, kStandstill = 2.0;       // [s], [m]
constexpr double kWalk = 1.35;                            // [m/s]
constexpr double kLook = 60;                              // [m]

struct Car {
  int lane = 0;
  double s = 0, v = 0;  // of its front along the lane [m], [m/s]
  int next = -1;        // the lane after this one
  RandomStream random;
  double speed_factor = 1;
};

struct Walker {
  int crossing = 0;
  double t = 0;     // 0 at one end, 1 at the other
  int heading = 1;  // towards 1 or towards 0; it waits at the ends
  double wait = 0;  // [s]
  bool walks = false;
  double aside = 0;  // from the middle of the zebra [m]
  RandomStream random;
};

class Traffic {
 public:
  Traffic(const City& city, double duration)
      : city_(city), graph_(city.lanes), duration_(duration) {
    find_conflicts();
    const RandomStream root = RandomStream(city.seed).substream("traffic");
    place_cars(root.substream("cars"));
    place_walkers(root.substream("walkers"));
    for (std::size_t k = 0; k < cars_.size(); ++k) {
      movers_.push_back({concat("traffic car ", k), kCarLength, kCarWidth, 1.5, {}});
    }
    for (std::size_t k = 0; k < walkers_.size(); ++k) {
      movers_.push_back({concat("pedestrian ", k), 0.5, 0.5, 1.75, {}});
    }
  }

  std::vector<Mover> run() {
    const int steps = static_cast<int>(std::ceil(duration_ / kStep));
    record(0);
    for (int k = 1; k <= steps; ++k) {
      index_cars();
      for (Walker& w : walkers_) walk(&w);
      std::vector<double> acceleration(cars_.size());
      for (std::size_t c = 0; c < cars_.size(); ++c) acceleration[c] = decide(c);
      for (std::size_t c = 0; c < cars_.size(); ++c) advance(c, acceleration[c]);
      record(k * kStep);
    }
    return std::move(movers_);
  }

 private:
  const Lane& lane(int n) const { return graph_.lanes[static_cast<std::size_t>(n)]; }

  /// Turns of one crossing exclude each other, except those that start from the same lane. Turns of
  /// a crossing are those that share a predecessor's or a successor's turn.
  void find_conflicts() {
    crossing_of_.assign(graph_.lanes.size(), -1);
    int count = 0;
    for (std::size_t n = 0; n < graph_.lanes.size(); ++n) {
      if (!graph_.lanes[n].is_turn || crossing_of_[n] >= 0) continue;
      std::vector<int> open = {static_cast<int>(n)};
      crossing_of_[n] = count;
      while (!open.empty()) {
        const int at = open.back();
        open.pop_back();
        const auto take = [&](const std::vector<int>& turns) {
          for (const int t : turns) {
            if (!lane(t).is_turn || crossing_of_[static_cast<std::size_t>(t)] >= 0) continue;
            crossing_of_[static_cast<std::size_t>(t)] = count;
            open.push_back(t);
          }
        };
        for (const int p : lane(at).predecessors) take(lane(p).successors);
        for (const int s : lane(at).successors) take(lane(s).predecessors);
      }
      ++count;
    }
    owner_.assign(static_cast<std::size_t>(count), -1);
    crossings_of_lane_.resize(graph_.lanes.size());
    for (std::size_t c = 0; c < graph_.crossings.size(); ++c) {
      const Crossing& crossing = graph_.crossings[c];
      const Point middle{0.5 * (crossing.ends[0].x + crossing.ends[1].x),
                         0.5 * (crossing.ends[0].y + crossing.ends[1].y)};
      for (const int n : crossing.lanes) {
        const Point start = lane(n).center.front();
        const double cosine = std::cos(lane(n).start_heading),
                     sine = std::sin(lane(n).start_heading);
        const double s = (middle.x - start.x) * cosine + (middle.y - start.y) * sine;
        crossings_of_lane_[static_cast<std::size_t>(n)].push_back({static_cast<int>(c), s});
      }
    }
  }

  void place_cars(const RandomStream& root) {
    std::vector<int> streets;
    for (std::size_t n = 0; n < graph_.lanes.size(); ++n) {
      if (!graph_.lanes[n].is_turn && graph_.lanes[n].length > 30 &&
          !graph_.lanes[n].successors.empty())
        streets.push_back(static_cast<int>(n));
    }
    if (streets.empty()) return;
    std::map<int, std::vector<double>> taken;
    for (int k = 0; k < city_.car_count; ++k) {
      Car car{.random = root.substream("car", static_cast<std::uint64_t>(k))};
      for (int attempt = 0; attempt < 30; ++attempt) {
        car.lane = streets[static_cast<std::size_t>(
            car.random.integer(0, static_cast<std::int64_t>(streets.size()) - 1))];
        car.s = car.random.uniform(10, lane(car.lane).length - 12);
        auto& others = taken[car.lane];
        const bool is_free = std::ranges::all_of(
            others, [&](double s) { return std::abs(s - car.s) > kCarLength + 6; });
        if (!is_free) continue;
        others.push_back(car.s);
        car.speed_factor = car.random.uniform(0.8, 1.0);
        car.v = 0.5 * lane(car.lane).speed;
        choose_next(&car);
        cars_.push_back(car);
        break;
      }
    }
  }

  void place_walkers(const RandomStream& root) {
    if (graph_.crossings.empty()) return;
    for (int k = 0; k < city_.pedestrian_count; ++k) {
      Walker w{.random = root.substream("walker", static_cast<std::uint64_t>(k))};
      w.crossing = static_cast<int>(
          w.random.integer(0, static_cast<std::int64_t>(graph_.crossings.size()) - 1));
      w.heading = w.random.uniform() < 0.5 ? 1 : -1;
      w.t = w.heading > 0 ? 0 : 1;
      w.wait = w.random.uniform(0, 15);
      w.aside = w.random.uniform(-1.1, 1.1);
      walkers_.push_back(w);
    }
  }

  void choose_next(Car* car) {
    const std::vector<int>& ways = lane(car->lane).successors;
    car->next = ways.empty() ? -1
                             : ways[static_cast<std::size_t>(car->random.integer(
                                   0, static_cast<std::int64_t>(ways.size()) - 1))];
  }

  void index_cars() {
    on_lane_.clear();
    for (std::size_t c = 0; c < cars_.size(); ++c) {
      on_lane_[cars_[c].lane].push_back(static_cast<int>(c));
    }
  }

  /// The car ahead along the lanes that this one takes: its gap and speed.
  struct Ahead {
    double gap = kLook, speed = 0;
    bool is_there = false;
    void take(double at, double v) {
      if (at < gap) *this = {at, v, true};
    }
  };

  double decide(std::size_t c) {
    const Car& car = cars_[c];
    Ahead ahead;
    const auto look_at = [&](int n, double offset) {
      const auto found = on_lane_.find(n);
      if (found == on_lane_.end()) return;
      for (const int o : found->second) {
        const Car& other = cars_[static_cast<std::size_t>(o)];
        const double gap = other.s + offset - car.s;
        if (o == static_cast<int>(c) || gap <= 0) continue;
        ahead.take(std::max(0.1, gap - kCarLength), other.v);
      }
    };
    const double rest = lane(car.lane).length - car.s;
    look_at(car.lane, 0);
    double limit = lane(car.lane).speed;
    if (car.next >= 0) {
      look_at(car.next, lane(car.lane).length);
      if (lane(car.next).is_turn) {
        const int after = lane(car.next).successors.front();
        look_at(after, lane(car.lane).length + lane(car.next).length);
        // Slower for the turn, and not into it while another car is there.
        const double v = lane(car.next).speed;
        limit = std::min(limit, std::sqrt(v * v + 2 * kBraking * std::max(0.0, rest - 1)));
        const int owner =
            owner_[static_cast<std::size_t>(crossing_of_[static_cast<std::size_t>(car.next)])];
        // The stop line is before the zebra.
        if (owner >= 0 && owner != static_cast<int>(c)) ahead.take(std::max(0.1, rest - 4.8), 0);
      }
    } else {
      ahead.take(std::max(0.1, rest), 0);
    }
    // Zebras on the way, up to the lane after the next turn.
    double offset = 0;
    int on_way = car.lane;
    for (int k = 0; k < 3 && on_way >= 0; ++k) {
      for (const auto& [crossing, s] : crossings_of_lane_[static_cast<std::size_t>(on_way)]) {
        const double gap = offset + s - 2.6 - car.s;
        if (gap >= 0 && is_walked_on(crossing)) ahead.take(std::max(0.1, gap), 0);
      }
      offset += lane(on_way).length;
      on_way = k == 0 ? car.next : lane(on_way).is_turn ? lane(on_way).successors.front() : -1;
    }
    const double target = std::max(1.0, limit * car.speed_factor);
    const double free = 1 - std::pow(car.v / target, 4);
    if (!ahead.is_there) return kMaxAcceleration * free;
    const double wish =
        kStandstill + car.v * kHeadway +
        car.v * (car.v - ahead.speed) / (2 * std::sqrt(kMaxAcceleration * kBraking));
    const double close = std::max(0.0, wish) / ahead.gap;
    return std::max(-8.0, kMaxAcceleration * (free - close * close));
  }

  void advance(std::size_t c, double acceleration) {
    Car& car = cars_[c];
    const double v = std::max(0.0, car.v + kStep * acceleration);
    car.s += 0.5 * (car.v + v) * kStep;
    car.v = v;
    const auto release = [&](int n) {
      const int at = crossing_of_[static_cast<std::size_t>(n)];
      if (at >= 0 && owner_[static_cast<std::size_t>(at)] == static_cast<int>(c))
        owner_[static_cast<std::size_t>(at)] = -1;
    };
    if (car.next >= 0 && lane(car.next).is_turn) {
      // The first that comes near takes the crossing.
      int& owner =
          owner_[static_cast<std::size_t>(crossing_of_[static_cast<std::size_t>(car.next)])];
      if (owner < 0 && lane(car.lane).length - car.s < 12) owner = static_cast<int>(c);
    }
    while (car.next >= 0 && car.s >= lane(car.lane).length) {
      car.s -= lane(car.lane).length;
      const int left = car.lane;
      car.lane = car.next;
      choose_next(&car);
      if (lane(left).is_turn) behind_.push_back({c, left});
    }
    if (car.next < 0) car.s = std::min(car.s, lane(car.lane).length);
    // Its rear has left the crossing.
    std::erase_if(behind_, [&](const auto& pair) {
      if (pair.first != c || (car.s < kCarLength && !lane(car.lane).is_turn)) return false;
      release(pair.second);
      return true;
    });
  }

  bool is_walked_on(int crossing) const {
    return std::ranges::any_of(walkers_,
                               [&](const Walker& w) { return w.crossing == crossing && w.walks; });
  }

  void walk(Walker* w) {
    const Crossing& crossing = graph_.crossings[static_cast<std::size_t>(w->crossing)];
    if (!w->walks) {
      w->wait -= kStep;
      if (w->wait > 0 || !has_gap(w->crossing)) return;
      w->walks = true;
    }
    const double length = std::hypot(crossing.ends[1].x - crossing.ends[0].x,
                                     crossing.ends[1].y - crossing.ends[0].y);
    w->t += w->heading * kWalk * kStep / length;
    if (w->t < 0 || w->t > 1) {
      w->t = std::clamp(w->t, 0.0, 1.0);
      w->heading = -w->heading;
      w->walks = false;
      w->wait = w->random.uniform(4, 20);
    }
  }

  /// No car comes to the zebra within the time that it takes to stop, or stands on it.
  bool has_gap(int number) const {
    for (const int n : graph_.crossings[static_cast<std::size_t>(number)].lanes) {
      const auto& places = crossings_of_lane_[static_cast<std::size_t>(n)];
      const auto place = std::ranges::find(places, number, &std::pair<int, double>::first);
      const auto found = on_lane_.find(n);
      const auto is_far = [&](double gap, double v) {
        return gap > 6 + v * 1.0 + v * v / (2 * kBraking) || gap < -kCarLength - 2;
      };
      if (found != on_lane_.end()) {
        for (const int c : found->second) {
          const Car& car = cars_[static_cast<std::size_t>(c)];
          if (!is_far(place->second - car.s, car.v)) return false;
        }
      }
      for (const int before : lane(n).predecessors) {
        const auto others = on_lane_.find(before);
        if (others == on_lane_.end()) continue;
        for (const int c : others->second) {
          const Car& car = cars_[static_cast<std::size_t>(c)];
          if (!is_far(place->second + lane(before).length - car.s, car.v)) return false;
        }
      }
      for (const int after : lane(n).successors) {
        const auto others = on_lane_.find(after);
        if (others == on_lane_.end()) continue;
        for (const int c : others->second) {
          const Car& car = cars_[static_cast<std::size_t>(c)];
          if (!is_far(place->second - lane(n).length - car.s, car.v)) return false;
        }
      }
    }
    return true;
  }

  void record(double time) {
    for (std::size_t c = 0; c < cars_.size(); ++c) {
      const Car& car = cars_[c];
      const planning::Pose front = lane(car.lane).at(car.s);
      const planning::Pose middle{front.x - 0.5 * kCarLength * std::cos(front.heading),
                                  front.y - 0.5 * kCarLength * std::sin(front.heading),
                                  front.heading};
      movers_[c].track.push_back({time, middle.x, middle.y, middle.heading});
    }
    for (std::size_t k = 0; k < walkers_.size(); ++k) {
      const Walker& w = walkers_[k];
      const Crossing& crossing = graph_.crossings[static_cast<std::size_t>(w.crossing)];
      const Point a = crossing.ends[0], b = crossing.ends[1];
      const double length = std::hypot(b.x - a.x, b.y - a.y);
      const Point along{(b.x - a.x) / length, (b.y - a.y) / length};
      movers_[cars_.size() + k].track.push_back(
          {time, a.x + w.t * (b.x - a.x) - w.aside * along.y,
           a.y + w.t * (b.y - a.y) + w.aside * along.x,
           std::atan2(w.heading * along.y, w.heading * along.x)});
    }
  }

  const City& city_;
  const LaneGraph& graph_;
  double duration_;
  std::vector<Car> cars_;
  std::vector<Walker> walkers_;
  std::vector<Mover> movers_;
  std::map<int, std::vector<int>> on_lane_;
  std::vector<int> crossing_of_;                     // by lane; -1: not a turn
  std::vector<int> owner_;                           // by crossing: the car that may be on it
  std::vector<std::pair<std::size_t, int>> behind_;  // cars whose rear is still on a turn
  std::vector<std::vector<std::pair<int, double>>> crossings_of_lane_;
};

}  // namespace

std::vector<Mover> make_traffic(const City& city, double duration) {
  require(duration >= 0 && duration <= 1e5, "make_traffic: duration must be in 0..1e5 s, got ",
          duration);
  if (city.car_count == 0 && city.pedestrian_count == 0) return {};
  return Traffic(city, duration).run();
}

}  // namespace camber::city
