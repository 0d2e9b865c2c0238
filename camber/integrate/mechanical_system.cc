#include "camber/integrate/mechanical_system.h"

#include <algorithm>
#include <utility>

#include "camber/core/require.h"

namespace camber::integrate {
namespace {

// [1/s] Half the rate at which a quaternion's length returns to 1: fast compared with the minutes
// of a run, over which rounding and tolerances add up, slow compared with the steps of any method.
constexpr double kNormRate = 1;

bool has_quaternions(const Coordinates& coordinates) {
  return std::ranges::any_of(coordinates.blocks(), [](const CoordinateBlock& b) {
    return b.kind != CoordinateBlock::Kind::kVector;
  });
}

/// The system as functions of x. Copied with the Ode, so that two copies share no scratch memory.
class StateSpace {
 public:
  StateSpace(MechanicalSystem system, Coordinates coordinates, double norm_rate)
      : system_(std::move(system)),
        coordinates_(std::move(coordinates)),
        norm_rate_(norm_rate),
        unit_q_(coordinates_.nq()),
        nv_(coordinates_.nv()),
        v_dot_jacobian_(nv_ * (unit_q_.size() + nv_)) {}

  bool calc_f(double t, std::span<const double> x, std::span<double> x_dot) {
    const auto q = x.first(unit_q_.size()), v = x.subspan(unit_q_.size());
    const auto q_dot = x_dot.first(unit_q_.size());
    coordinates_.calc_q_dot(q, v, q_dot);
    for_each_quaternion([&](int start) {  // docs/theory/simulation.md (13)
      const double pull = norm_rate_ * (1 - square(q, start));
      for (int k = start; k < start + 4; ++k) {
        q_dot[k] += pull * q[k];
      }
    });
    normalize(q);
    return system_.accelerations(t, unit_q_, v, x_dot.subspan(unit_q_.size()));
  }

  bool calc_jacobian(double t, std::span<const double> x, std::span<double> J) {
    const std::size_t nq = unit_q_.size(), n = nq + nv_;
    const auto q = x.first(unit_q_.size()), v = x.subspan(unit_q_.size());
    coordinates_.calc_q_dot_jacobian(q, v, J);
    for_each_quaternion([&](int start) {
      const double pull = norm_rate_ * (1 - square(q, start));
      for (int j = start; j < start + 4; ++j) {
        J[j * n + j] += pull;
        for (int i = start; i < start + 4; ++i) {
          J[j * n + i] -= 2 * norm_rate_ * q[i] * q[j];
        }
      }
    });
    normalize(q);
    if (!system_.jacobian(t, unit_q_, v, v_dot_jacobian_)) {
      return false;
    }
    coordinates_.apply_normalization_derivative(q, coordinates_.nv(), v_dot_jacobian_);
    for (std::size_t j = 0; j < n; ++j) {
      const auto column = std::span(v_dot_jacobian_).subspan(j * nv_, nv_);
      std::ranges::copy(column, J.subspan(j * n + nq).begin());
    }
    return true;
  }

  bool project(double t, std::span<double> x) {
    const auto q = x.first(unit_q_.size());
    coordinates_.normalize(q);
    return !system_.project || system_.project(t, q, x.subspan(unit_q_.size()));
  }

 private:
  template <class Function>
  void for_each_quaternion(Function&& function) const {
    for (const CoordinateBlock& b : coordinates_.blocks()) {
      if (b.kind != CoordinateBlock::Kind::kVector && norm_rate_ > 0) {
        function(b.q_start);
      }
    }
  }
  static double square(std::span<const double> q, int start) {
    double sum = 0;
    for (int k = start; k < start + 4; ++k) {
      sum += q[k] * q[k];
    }
    return sum;
  }
  void normalize(std::span<const double> q) {
    std::ranges::copy(q, unit_q_.begin());
    coordinates_.normalize(unit_q_);
  }

  MechanicalSystem system_;
  Coordinates coordinates_;
  double norm_rate_;  // [1/s]
  std::vector<double> unit_q_;
  std::size_t nv_;
  std::vector<double> v_dot_jacobian_;
};

}  // namespace

void check(const MechanicalSystem& system, const char* caller) {
  require(system.nq >= 0 && system.nv > 0, caller, ": nq must be >= 0 and nv > 0, got ", system.nq,
          " and ", system.nv);
  require(static_cast<bool>(system.accelerations), caller, ": accelerations are missing");
  const auto n = static_cast<std::size_t>(system.nq) + static_cast<std::size_t>(system.nv);
  require(system.names.empty() || system.names.size() == n, caller, ": ", system.names.size(),
          " names for ", n, " components");
}

std::string component_name(const MechanicalSystem& system, int component) {
  if (!system.names.empty()) {
    return system.names[component];
  }
  return component < system.nq ? concat("q[", component, "]")
                               : concat("v[", component - system.nq, "]");
}

Ode make_ode(MechanicalSystem system, QuaternionNorm norm) {
  check(system, "make_ode");
  const bool stabilized = norm == QuaternionNorm::kStabilized;
  require(!stabilized || !system.project,
          "make_ode: kStabilized is for Adams methods, which cannot use the system's projection");
  const Coordinates coordinates(system.nq, system.nv, system.blocks);
  Ode ode;
  ode.size = system.nq + system.nv;
  for (int i = 0; i < ode.size; ++i) {
    ode.names.push_back(component_name(system, i));
  }
  ode.why = system.why;
  const bool projected = system.project || (!stabilized && has_quaternions(coordinates));
  const bool has_jacobian = static_cast<bool>(system.jacobian);
  StateSpace space(std::move(system), coordinates, stabilized ? kNormRate : 0);
  ode.f = [space](double t, std::span<const double> x, std::span<double> x_dot) mutable {
    return space.calc_f(t, x, x_dot);
  };
  if (has_jacobian) {
    ode.jacobian = [space](double t, std::span<const double> x, std::span<double> J) mutable {
      return space.calc_jacobian(t, x, J);
    };
  }
  if (projected) {
    ode.project = [space](double t, std::span<double> x) mutable { return space.project(t, x); };
  }
  return ode;
}

MechanicalSystem make_first_order_system(Ode ode) {
  check(ode, "make_first_order_system");
  MechanicalSystem system;
  system.nv = ode.size;
  system.accelerations = [f = std::move(ode.f)](double t, std::span<const double>,
                                                std::span<const double> x,
                                                std::span<double> x_dot) { return f(t, x, x_dot); };
  if (ode.jacobian) {
    system.jacobian = [jacobian = std::move(ode.jacobian)](
                          double t, std::span<const double>, std::span<const double> x,
                          std::span<double> J) { return jacobian(t, x, J); };
  }
  if (ode.project) {
    system.project = [project = std::move(ode.project)](double t, std::span<double>,
                                                        std::span<double> x) {
      return project(t, x);
    };
  }
  system.why = std::move(ode.why);
  for (int i = 0; i < ode.size; ++i) {
    system.names.push_back(component_name(ode, i));
  }
  return system;
}

}  // namespace camber::integrate
