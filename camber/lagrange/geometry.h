#pragma once

#include "camber/lagrange/frame.h"

namespace camber::lagrange {

/// A free vector: components and the frame whose axes they are along (001 section 2.2).
struct Vector {
  Frame frame;
  Vector3 components = Vector3::Zero();
};

/// A point: coordinates in a frame.
struct Point {
  Frame frame;
  Vector3 coordinates = Vector3::Zero();
};

Point origin(const Frame& frame);

/// The same point or vector with its components in another frame, eq. 3.
Point project(const Point& point, const Frame& frame);
Vector project(const Vector& vector, const Frame& frame);

// Sums convert the right side into the frame of the left. There is no sum of two points.
Vector operator+(const Vector& a, const Vector& b);
Vector operator-(const Vector& a, const Vector& b);
Vector operator-(const Vector& a);
Vector operator*(const Expr& factor, const Vector& a);
Point operator+(const Point& a, const Vector& b);
Point operator+(const Vector& a, const Point& b);
Point operator-(const Point& a, const Vector& b);
Vector operator-(const Point& a, const Point& b);  // from b to a, in the frame of a
Point operator+(const Point&, const Point&) = delete;

Expr dot(const Vector& a, const Vector& b);
Vector cross(const Vector& a, const Vector& b);

enum class Velocity {
  kAbsolute,  // of the point as it moves, eq. 4
  kRelative,  // as seen from the point's own frame: the second term of eq. 4
  kEulerian,  // of the point of the frame's body that is here now: the first term of eq. 4
};

/// The result is in the requested axes, computed along the shortest path.
Vector velocity(const Point& point, Velocity which, const Frame& axes);
/// The velocity in the axes of the point's own frame.
Vector velocity(const Point& point, Velocity which);
/// The rate of change of a vector: absolute as seen from the ground, relative as seen from its
/// frame.
Vector velocity(const Vector& vector, Velocity which);
/// Angular velocity of the frame relative to the ground, in its own axes (001 eq. 6 has it in the
/// ground's).
Vector angular_velocity(const Frame& frame);

}  // namespace camber::lagrange
