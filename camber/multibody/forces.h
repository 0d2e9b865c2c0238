#pragma once

#include "camber/multibody/forward_dynamics.h"

namespace camber::multibody {

/// Forces of the model's own force elements: springs, dampers, stops and friction of joints,
/// springs between points, bushings, wrenches. Gravity is not included: it is in vel.A.
template <class T>
void calc_forces(const Model<T>& model, const PositionKinematics<T>& pos,
                 const VelocityKinematics<T>& vel, const VectorX<T>& q, const VectorX<T>& v,
                 Forces<T>* forces);

/// Adds a force f (in W) on a link at the point p (from O), and its reaction on another link.
template <class T>
void add_force_between(int a, int b, const Vec3<T>& p, const Vec3<T>& f, Forces<T>* forces) {
  const Spatial<T> F = force_at(f, p);
  forces->push(b, F);
  forces->push(a, -F);
}

/// The tension of a spring and damper of this length [m] and rate of length [m/s].
template <class T>
T calc_tension(const SpringForce<T>& spring, const T& length, const T& rate);

/// Normal force of a plane on a circle pressed against it, along F, its direction about O [N];
/// never tension.
template <class T>
T calc_normal_force(const ContactForce<T>& contact, const PositionKinematics<T>& pos,
                    const VelocityKinematics<T>& vel, const VectorX<T>& q, const VectorX<T>& v,
                    Spatial<T>* F);

/// Force along one axis of a joint: spring, damper, friction, stops.
template <class T>
T calc_axis_force(const AxisForce<T>& axis, const VectorX<T>& q, const VectorX<T>& v);

/// Energy stored in spring and stops of one axis at its coordinate [J].
template <class T>
T calc_axis_energy(const AxisForce<T>& axis, const T& q);

/// Energy stored in all springs and stops [J].
template <class T>
T calc_elastic_energy(const Model<T>& model, const PositionKinematics<T>& pos, const VectorX<T>& q);

}  // namespace camber::multibody
