#include "camber/lagrange/geometry.h"

#include <gtest/gtest.h>

#include "camber/lagrange/test/random_point.h"
#include "camber/symbolic/derivative.h"

namespace camber::lagrange {
namespace {

using symbolic::Bindings;
using symbolic::symbol;
using symbolic::variable;

const Expr x = variable("x"), y = variable("y"), psi = variable("psi"), phi = variable("phi"),
           theta = variable("theta");
const Expr R = symbol("R"), b = symbol("b"), h = symbol("h");

const Frame kYawed = translate(x, y, 0) * rotate(Axis::kZ, psi);
const Frame kRolled = kYawed * rotate(Axis::kX, phi);
const Frame kWheel = kRolled * translate(-b, 0, -R) * rotate(Axis::kY, theta);

template <class A, class B>
concept Addable = requires(A left, B right) {
  left + right;
};
static_assert(Addable<Point, Vector> && Addable<Vector, Point> && Addable<Vector, Vector>);
static_assert(!Addable<Point, Point>, "the sum of two points means nothing");

TEST(Geometry, ProjectionChangesComponentsNotThePoint) {
  const Point p{kWheel, Vector3(R, h, b)};
  const Point in_ground = project(p, Frame());
  const Point back = project(in_ground, kWheel);
  RandomStream random(1);
  const Bindings point = random_point(
      {in_ground.coordinates[0], in_ground.coordinates[1], in_ground.coordinates[2]}, &random);
  EXPECT_NEAR((value(back.coordinates, point) - value(p.coordinates, point)).norm(), 0, 1e-13);
  EXPECT_EQ(project(Point{kRolled, Vector3(0, 0, -h)}, kRolled).coordinates, Vector3(0, 0, -h));
}

TEST(Geometry, SumsConvertFramesByThemselves) {
  const Point center = origin(kRolled) + Vector{kRolled, Vector3(0, 0, -h)};
  EXPECT_EQ(center.coordinates, Vector3(0, 0, -h));
  const Vector mixed = Vector{kYawed, Vector3(b, R, h)} + Vector{kRolled, Vector3(h, b, R)};
  EXPECT_EQ(mixed.frame, kYawed);
  EXPECT_EQ(mixed.components[0], b + h) << "roll leaves x alone";
  EXPECT_EQ((center - origin(kRolled)).components, Vector3(0, 0, -h));
}

// 001 section 2.5 prints cos(psi) x' + R theta' + sin(psi) y' for the wheel's material point at the
// ground.
TEST(Geometry, EulerianVelocityOfTheContactPointIsAsShortAsInThePaper) {
  const Point contact{kWheel, Vector3(-R * sin(theta), 0, R * cos(theta))};
  const Vector v = velocity(contact, Velocity::kEulerian, kYawed);
  EXPECT_EQ(v.components[0],
            variable("x", 1) * cos(psi) + variable("y", 1) * sin(psi) + R * variable("theta", 1));
}

TEST(Geometry, AbsoluteVelocityIsEulerianPlusRelative) {
  const Point moving{kWheel, Vector3(R * sin(theta), h * phi, R * cos(psi))};
  const Vector3 absolute = velocity(moving, Velocity::kAbsolute).components;
  const Vector3 parts = velocity(moving, Velocity::kEulerian, kWheel).components +
                        velocity(moving, Velocity::kRelative).components;
  const Vector3 in_ground = project(moving, Frame()).coordinates;
  const Vector3 by_derivative =
      in_ground.unaryExpr([](const Expr& e) { return symbolic::time_derivative(e); });
  const Vector3 projected = velocity(moving, Velocity::kAbsolute, Frame()).components;
  std::vector<Expr> all;
  for (const Vector3& v : {absolute, parts, by_derivative, projected})
    all.insert(all.end(), v.begin(), v.end());
  for (unsigned seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const Bindings point = random_point(all, &random);
    EXPECT_NEAR((value(absolute, point) - value(parts, point)).norm(), 0, 1e-12);
    EXPECT_NEAR((value(projected, point) - value(by_derivative, point)).norm(), 0, 1e-12);
  }
}

// A wheel's spin angle means nothing to the point where it touches the ground.
TEST(Geometry, NoVelocityOfTheContactPointHasTheSpinAngleInIt) {
  const Point contact{kWheel, Vector3(-R * sin(theta), 0, R * cos(theta))};
  const Vector3 absolute = velocity(contact, Velocity::kAbsolute, kYawed).components;
  for (const Expr& component : absolute) {
    EXPECT_FALSE(component.depends_on(theta)) << component;
    EXPECT_FALSE(component.depends_on(variable("theta", 1))) << component;
  }
  // Rolling about the ground's line, the point stays where the yawed frame has it.
  EXPECT_EQ(absolute[1],
            variable("y", 1) * cos(psi) - variable("x", 1) * sin(psi) - b * variable("psi", 1));
}

TEST(Geometry, RateOfAVectorIsTheDerivativeOfItsGroundComponents) {
  const Vector axle{kWheel, Vector3(h * sin(phi), R, b * theta)};
  const Vector3 by_derivative = project(axle, Frame()).components.unaryExpr([](const Expr& e) {
    return symbolic::time_derivative(e);
  });
  const Vector3 rate = project(velocity(axle, Velocity::kAbsolute), Frame()).components;
  std::vector<Expr> all;
  for (const Vector3& v : {rate, by_derivative}) all.insert(all.end(), v.begin(), v.end());
  RandomStream random(8);
  const Bindings point = random_point(all, &random);
  EXPECT_NEAR((value(rate, point) - value(by_derivative, point)).norm(), 0, 1e-12);
}

TEST(Geometry, DotAndCrossProductsDoNotDependOnTheFrame) {
  const Vector u{kWheel, Vector3(R, h, b)}, v{kRolled, Vector3(b, R, -h)};
  const Expr here = dot(u, v), there = dot(project(u, Frame()), project(v, kYawed));
  const Vector c = cross(u, v);
  RandomStream random(4);
  const Bindings point = random_point({here, there, dot(c, u), dot(c, v)}, &random);
  EXPECT_NEAR(symbolic::evaluate(here, point), symbolic::evaluate(there, point), 1e-13);
  EXPECT_NEAR(symbolic::evaluate(dot(c, u), point), 0, 1e-13);
  EXPECT_NEAR(symbolic::evaluate(dot(c, v), point), 0, 1e-13);
}

}  // namespace
}  // namespace camber::lagrange
