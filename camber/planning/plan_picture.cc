#include "camber/planning/plan_picture.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "camber/core/require.h"

namespace camber::planning {
namespace {

struct Color {
  std::uint8_t r, g, b;
};
constexpr Color kBlocked{70, 75, 82}, kForward{28, 100, 210}, kReverse{225, 120, 20},
    kVehicle{185, 200, 220}, kStart{20, 150, 70}, kGoal{205, 40, 50};

class Canvas {
 public:
  Canvas(int width, int height) {
    picture_.width = width;
    picture_.height = height;
    picture_.rgb.assign(static_cast<std::size_t>(3) * width * height, 255);
  }
  void set(int x, int y, Color c) {
    if (x < 0 || y < 0 || x >= picture_.width || y >= picture_.height) return;
    std::uint8_t* p = &picture_.rgb[3 * (static_cast<std::size_t>(y) * picture_.width + x)];
    p[0] = c.r, p[1] = c.g, p[2] = c.b;
  }
  void fill(int x0, int y0, int x1, int y1, Color c) {
    for (int y = y0; y < y1; ++y) {
      for (int x = x0; x < x1; ++x) set(x, y, c);
    }
  }
  void line(Point a, Point b, int thickness, Color c) {
    const double steps = std::ceil(std::max({std::abs(b.x - a.x), std::abs(b.y - a.y), 1.0}));
    for (double k = 0; k <= steps; ++k) {
      const int x = static_cast<int>(std::floor(a.x + (b.x - a.x) * k / steps)),
                y = static_cast<int>(std::floor(a.y + (b.y - a.y) * k / steps));
      const int low = -(thickness / 2);
      fill(x + low, y + low, x + low + thickness, y + low + thickness, c);
    }
  }
  /// Pixels whose centers are inside.
  void polygon(const Polygon& corners, Color c) {
    Point low = corners[0], high = corners[0];
    for (const Point p : corners) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    const int y_end = static_cast<int>(std::min<double>(high.y + 1, picture_.height)),
              x_end = static_cast<int>(std::min<double>(high.x + 1, picture_.width));
    for (int y = static_cast<int>(std::max(low.y, 0.0)); y < y_end; ++y) {
      for (int x = static_cast<int>(std::max(low.x, 0.0)); x < x_end; ++x) {
        if (is_inside(corners, {x + 0.5, y + 0.5})) set(x, y, c);
      }
    }
  }
  PlanPicture take() { return std::move(picture_); }

 private:
  PlanPicture picture_;
};

}  // namespace

PlanPicture draw_grid_path(const OccupancyGrid& grid, const GridPath& path, int pixels) {
  require(pixels >= 16 && pixels <= 8000, "draw_grid_path: ", pixels,
          " pixels, must be 16 to 8000");
  const int longer = std::max(grid.width(), grid.height());
  const double scale = longer <= pixels ? std::floor(static_cast<double>(pixels) / longer)
                                        : static_cast<double>(pixels) / longer;
  Canvas canvas(std::max(1, static_cast<int>(grid.width() * scale)),
                std::max(1, static_cast<int>(grid.height() * scale)));
  const auto edge = [&](int k) { return static_cast<int>(std::floor(k * scale)); };
  for (int y = 0; y < grid.height(); ++y) {
    for (int x = 0; x < grid.width(); ++x) {
      if (grid.is_blocked(x, y)) {
        canvas.fill(edge(x), edge(y), std::max(edge(x + 1), edge(x) + 1),
                    std::max(edge(y + 1), edge(y) + 1), kBlocked);
      }
    }
  }
  if (path.cells.empty()) return canvas.take();
  const int thickness = std::max(2, static_cast<int>(scale / 3));
  const auto center = [&](Cell c) { return Point{(c.x + 0.5) * scale, (c.y + 0.5) * scale}; };
  for (std::size_t k = 1; k < path.cells.size(); ++k) {
    canvas.line(center(path.cells[k - 1]), center(path.cells[k]), thickness, kForward);
  }
  const int dot = std::max(6, static_cast<int>(0.8 * scale));
  canvas.line(center(path.cells.front()), center(path.cells.front()), dot, kStart);
  canvas.line(center(path.cells.back()), center(path.cells.back()), dot, kGoal);
  return canvas.take();
}

PlanPicture draw_pose_path(const PlanProblem& problem, const std::vector<PathPiece>& pieces,
                           int pixels) {
  require(pixels >= 16 && pixels <= 8000, "draw_pose_path: ", pixels,
          " pixels, must be 16 to 8000");
  const std::vector<Pose> poses =
      sample_path(problem.start, pieces, 0.05 * problem.options.min_radius);
  Obstacles::Bounds area;
  if (problem.area) {
    area = *problem.area;
  } else {
    area = {{problem.goal.x, problem.goal.y}, {problem.goal.x, problem.goal.y}};
    for (const Pose& pose : poses) {
      area.low = {std::min(area.low.x, pose.x), std::min(area.low.y, pose.y)};
      area.high = {std::max(area.high.x, pose.x), std::max(area.high.y, pose.y)};
    }
    const double margin = 0.5 * problem.options.min_radius;
    area = {{area.low.x - margin, area.low.y - margin},
            {area.high.x + margin, area.high.y + margin}};
  }
  const double w = area.high.x - area.low.x, h = area.high.y - area.low.y;
  const double scale = pixels / std::max(w, h);
  Canvas canvas(std::max(1, static_cast<int>(w * scale)), std::max(1, static_cast<int>(h * scale)));
  const auto place = [&](Point p) {
    return Point{(p.x - area.low.x) * scale, (area.high.y - p.y) * scale};
  };
  const auto placed = [&](Polygon polygon) {
    for (Point& p : polygon) p = place(p);
    return polygon;
  };
  for (const Polygon& polygon : problem.polygons) canvas.polygon(placed(polygon), kBlocked);
  const auto outline = [&](const Pose& pose, int thickness, Color color) {
    if (!problem.area) return;
    const Polygon corners = placed(make_outline(problem.options.footprint, pose));
    for (std::size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
      canvas.line(corners[j], corners[i], thickness, color);
    }
  };
  const auto arrow = [&](const Pose& pose, Color color) {
    const double length = 0.25 * problem.options.min_radius;
    const Point tip{pose.x + length * std::cos(pose.heading),
                    pose.y + length * std::sin(pose.heading)};
    canvas.line(place({pose.x, pose.y}), place(tip), 3, color);
    for (const double turn : {2.6, -2.6}) {
      const Point barb{tip.x + 0.4 * length * std::cos(pose.heading + turn),
                       tip.y + 0.4 * length * std::sin(pose.heading + turn)};
      canvas.line(place(tip), place(barb), 3, color);
    }
  };
  // Outlines first, about one per fifth of a radius, then the path over them.
  for (std::size_t k = 0; k < poses.size(); k += 4) outline(poses[k], 1, kVehicle);
  Pose at = problem.start;
  for (const PathPiece& piece : pieces) {
    const std::vector<Pose> points = sample_path(at, {piece}, 0.02 * problem.options.min_radius);
    for (std::size_t k = 1; k < points.size(); ++k) {
      canvas.line(place({points[k - 1].x, points[k - 1].y}), place({points[k].x, points[k].y}), 3,
                  piece.length < 0 ? kReverse : kForward);
    }
    at = points.back();
  }
  outline(problem.start, 2, kStart);
  outline(problem.goal, 2, kGoal);
  arrow(problem.start, kStart);
  arrow(problem.goal, kGoal);
  return canvas.take();
}

}  // namespace camber::planning
