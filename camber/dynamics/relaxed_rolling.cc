// docs/theory/driving.md, section 6. With u the slips of all wheels, along and across, their rates
// are affine in the forces F in the contacts,
//   u' = u'_free + W F,   W = J M^-1 J^T,                                                       (1)
// and the chassis tells both: W by a unit force in each row, u'_free as the rate of u along the
// motion that the vehicle would have without F. An axle a holds three rows, B_a^T u: along, those
// of its wheels; across, the mean by what each of them may hold. Given all other forces it needs
//   B_a^T W B_a L_a = -B_a^T (u'_free + W F_others),                                            (2)
// and a wheel exerts of its part of B_a L_a what contact's law leaves of it,
//   F_i = law(B_a L_a, u_i, mu N_i).                                                            (3)
#include "camber/dynamics/relaxed_rolling.h"

#include <Eigen/Cholesky>

#include "camber/core/require.h"
#include "camber/dynamics/generated_chassis.h"
#include "camber/dynamics/mechanism_chassis.h"
#include "camber/math/friction_law.h"

namespace camber::dynamics {
namespace {

constexpr Eigen::Index kRows = 2;   // along and across
constexpr double kUnitForce = 1e3;  // [N]: accelerations of the size of those that are there
constexpr int kMostSweeps = 50;
constexpr double kConverged = 1e-12;  // change of a force, of all that friction gives
constexpr double kTimeApart = 2e-5;   // [s] of the difference quotient

void put_slip(int wheel, const SlipVelocity& slip, VectorX<double>* slips) {
  (*slips)[kRows * wheel] = slip.along;
  (*slips)[kRows * wheel + 1] = slip.across;
}

}  // namespace

template <class Chassis>
RelaxedRolling<Chassis>::RelaxedRolling(const Chassis& chassis, const Ground& ground)
    : n_(chassis.wheel_count()),
      coordinates_(chassis.nq(), chassis.nv(), chassis.blocks()),
      footings_(static_cast<std::size_t>(n_)),
      motions_(footings_.size()),
      moved_(footings_.size()),
      limits_(footings_.size()),
      slips_(kRows * n_),
      before_(kRows * n_),
      behind_(kRows * n_),
      free_rates_(kRows * n_),
      W_(kRows * n_, kRows * n_),
      response_(chassis.nv(), kRows * n_),
      F_(kRows * n_),
      last_F_(kRows * n_),
      q_(static_cast<std::size_t>(chassis.nq())),
      v_(static_cast<std::size_t>(chassis.nv())),
      step_(v_.size()) {
  require(n_ % 2 == 0, "RelaxedRolling: wheels come in pairs, got ", n_);
  for (int i = 0; i < n_; ++i) {
    const tire::RollingConstraint* tire = ground.constraint(i);
    require(tire != nullptr, "RelaxedRolling: the tire of wheel ", i,
            " is not a rolling constraint");
    tires_.push_back(*tire);
  }
}

template <class Chassis>
bool RelaxedRolling<Chassis>::calc(double t, std::span<const double> q, std::span<const double> v,
                                   Ground* ground, Chassis* chassis, ChassisLoads* loads,
                                   std::span<WheelForces<double>> forces, std::span<double> v_dot) {
  if (!chassis->calc_accelerations(*loads, v_dot)) return false;
  for (int i = 0; i < n_; ++i) {
    motions_[i] = chassis->wheel(i);
    footings_[i] = ground->find_footing(i, motions_[i]);
    put_slip(i, calc_slip(footings_[i], motions_[i]), &slips_);
    limits_[i] = tires_[i].friction * footings_[i].contact.friction * forces[i].Fz;
  }
  if (!calc_mobility(v_dot, chassis, loads)) return false;
  if (!calc_free_rates(t, q, v, v_dot, ground, chassis)) return false;
  solve();
  Eigen::Map<VectorX<double>>(v_dot.data(), response_.rows()).noalias() += response_ * F_;
  for (int i = 0; i < n_; ++i) exert(i, loads, &forces[i]);
  return true;
}

// Each axle's forces from what it needs, given those of the others, until they agree. (2), (3)
// W is positive definite and the law does not amplify, so the sweeps converge; spins that are
// free and axles that are far apart hardly know of each other, so few are enough.
template <class Chassis>
void RelaxedRolling<Chassis>::solve() {
  F_.setZero();
  double all = 0;
  for (const double limit : limits_) all += limit;
  for (sweeps_ = 0; sweeps_ < kMostSweeps; ++sweeps_) {
    last_F_ = F_;
    for (int left = 0; left < n_; left += 2) relax_axle(left);
    last_F_ -= F_;
    if (last_F_.lpNorm<Eigen::Infinity>() <= kConverged * all) return;
  }
}

template <class Chassis>
void RelaxedRolling<Chassis>::relax_axle(int left) {
  const int right = left + 1;
  const double both = limits_[left] + limits_[right];
  if (both <= 0) {
    F_.segment<2 * kRows>(kRows * left).setZero();
    return;
  }
  // Across, shares of friction are shares of the force.
  Eigen::Matrix<double, 2 * kRows, 3> B = Eigen::Matrix<double, 2 * kRows, 3>::Zero();
  B(0, 0) = B(2, 1) = 1;
  B(1, 2) = limits_[left] / both;
  B(3, 2) = limits_[right] / both;
  // Rates that the rows lack with all other forces, to which belongs what the two wheels do against
  // each other. (2)
  const auto W = W_.middleRows<2 * kRows>(kRows * left);
  const auto own = W_.block<2 * kRows, 2 * kRows>(kRows * left, kRows * left);
  const auto F = F_.segment<2 * kRows>(kRows * left);
  const Eigen::Vector3d held(F[0], F[2], F[1] + F[3]);
  const Eigen::Matrix<double, 2 * kRows, 1> lack =
      own * (B * held) - W * F_ - free_rates_.segment<2 * kRows>(kRows * left);
  const Eigen::Matrix<double, 2 * kRows, 1> holding =
      B * Eigen::Matrix3d(B.transpose() * own * B).ldlt().solve(B.transpose() * lack);
  for (const int i : {left, right}) {
    const Eigen::Index own_row = kRows * (i - left), row = kRows * i;
    const auto force =
        math::relax_plane_friction(holding[own_row], holding[own_row + 1], slips_[row],
                                   slips_[row + 1], limits_[i], tires_[i].slip_speed);
    F_[row] = force.x;
    F_[row + 1] = force.y;
  }
}

template <class Chassis>
void RelaxedRolling<Chassis>::exert(int wheel, ChassisLoads* loads,
                                    WheelForces<double>* ground) const {
  const double Fx = F_[kRows * wheel], Fy = F_[kRows * wheel + 1];
  WheelLoad<double> load{.force = ground->force, .torque = ground->torque};
  add_force(footings_[wheel], motions_[wheel], Fx, Fy, &load);
  ground->force = loads->wheels[wheel].force = load.force;
  ground->torque = loads->wheels[wheel].torque = load.torque;
  ground->Fx = Fx;
  ground->Fy = Fy;
  ground->sliding_power = Fx * slips_[kRows * wheel] + Fy * slips_[kRows * wheel + 1];
}

// W, and the accelerations of everything by the same unit forces. Lifted wheels have them, too:
// their friction is zero.
template <class Chassis>
bool RelaxedRolling<Chassis>::calc_mobility(std::span<const double> free, Chassis* chassis,
                                            ChassisLoads* loads) {
  for (Eigen::Index row = 0; row < kRows * n_; ++row) {
    const auto i = static_cast<std::size_t>(row / kRows);
    const bool is_along = row % kRows == 0;
    const WheelLoad<double> load = loads->wheels[i];
    add_force(footings_[i], motions_[i], is_along ? kUnitForce : 0, is_along ? 0 : kUnitForce,
              &loads->wheels[i]);
    const bool has_value = chassis->calc_accelerations(*loads, v_);
    loads->wheels[i] = load;
    if (!has_value) return false;
    for (std::size_t k = 0; k < v_.size(); ++k) v_[k] = (v_[k] - free[k]) / kUnitForce;
    response_.col(row) = Eigen::Map<VectorX<double>>(v_.data(), response_.rows());
    chassis->move_wheels(v_, moved_);
    for (int j = 0; j < n_; ++j) {
      const SlipVelocity slip = calc_slip(footings_[j], moved_[j]);
      W_(kRows * j, row) = slip.along;
      W_(kRows * j + 1, row) = slip.across;
    }
  }
  return true;
}

// u'_free as a central difference of u along the motion: axes of the contacts, radii and loops go
// with it, whatever they depend on. Then the chassis is back where it was.
template <class Chassis>
bool RelaxedRolling<Chassis>::calc_free_rates(double t, std::span<const double> q,
                                              std::span<const double> v,
                                              std::span<const double> free, Ground* ground,
                                              Chassis* chassis) {
  const auto find_slips = [&](double time, VectorX<double>* slips) {
    for (std::size_t k = 0; k < v_.size(); ++k) {
      step_[k] = time * (v[k] + 0.5 * time * free[k]);
      v_[k] = v[k] + time * free[k];
    }
    coordinates_.advance(q, step_, q_);
    if (!chassis->calc_motion(t + time, q_, v_)) return false;
    for (int i = 0; i < n_; ++i) {
      const WheelMotion<double> motion = chassis->wheel(i);
      put_slip(i, calc_slip(ground->find_footing(i, motion), motion), slips);
    }
    return true;
  };
  if (!find_slips(0.5 * kTimeApart, &behind_) || !find_slips(-0.5 * kTimeApart, &before_))
    return false;
  free_rates_ = (behind_ - before_) / kTimeApart;
  return chassis->calc_motion(t, q, v);
}

template class RelaxedRolling<MechanismChassis>;
template class RelaxedRolling<GeneratedChassis>;

}  // namespace camber::dynamics
