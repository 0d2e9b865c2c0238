#include "camber/mechanism_code/assembly.h"

#include <algorithm>

#include "camber/core/require.h"

namespace camber::mechanism_code {

namespace {

class Assembly {
 public:
  Assembly(const Sketch& sketch, const std::vector<Contribution<Expr>>& contributions,
           const VehicleState& state, Parameters<Expr>* parameters)
      : sketch_(sketch),
        contributions_(contributions),
        state_(state),
        base_constants_(name_base_constants(sketch, parameters)),
        is_free_(sketch.base != 0) {
    for (const Contribution<Expr>& c : contributions)
      if (!c.group->shared.empty() || !is_shared(c.group->own[0])) add_to_order(c.group->own);
    for (const Contribution<Expr>& c : contributions)
      if (is_shared(c.group->own[0])) add_to_order(c.group->own);
    base_ = static_cast<int>(order_.size());
    n_ = base_ + (is_free_ ? 6 : 0);
    M_.assign(static_cast<std::size_t>(n_), std::vector<Expr>(static_cast<std::size_t>(n_)));
    rhs_.assign(static_cast<std::size_t>(n_), Expr());
    if (is_free_) w_ = Vec<Expr>(state.v[0], state.v[1], state.v[2]);
  }

  EpilogueEquations run() {
    find_gravity();
    for (const Contribution<Expr>& c : contributions_) add(c);
    if (is_free_) add_base();
    solve();
    put_back();
    return std::move(out_);
  }

 private:
  bool is_shared(int y) const {
    return std::any_of(contributions_.begin(), contributions_.end(),
                       [y](const Contribution<Expr>& c) {
                         return std::find(c.group->shared.begin(), c.group->shared.end(), y) !=
                                c.group->shared.end();
                       });
  }
  void add_to_order(const std::vector<int>& ys) {
    for (const int y : ys)
      if (!is_given(y)) order_.push_back(y);
  }
  bool is_given(int y) const { return y >= sketch_.ny; }
  /// With the sign of the equations.
  Expr given_acceleration(int y) const {
    const auto link = std::ranges::find(sketch_.links, y, &SketchLink::y);
    return Expr(link->sign) * state_.given[y - sketch_.ny];
  }
  Expr acceleration(int y) const { return is_given(y) ? given_acceleration(y) : x_[row_of(y)]; }
  int row_of(int y) const {
    return static_cast<int>(std::find(order_.begin(), order_.end(), y) - order_.begin());
  }
  Expr atom(const Expr& e) {
    if (e.kind() != symbolic::Kind::kSum) return e;
    return symbolic::named(concat("m", atoms_++), e);
  }

  // In the base's axes.
  void find_gravity() {
    gravity_ = base_constants_.gravity;
    if (!is_free_) return;
    const auto& q = state_.q;
    gravity_ =
        transpose_times(math::rotation_of_quaternion<Expr>(q[0], q[1], q[2], q[3]), gravity_);
  }

  void add(const Contribution<Expr>& c) {
    std::vector<int> columns = c.group->own;
    columns.insert(columns.end(), c.group->shared.begin(), c.group->shared.end());
    const GroupEquations<Expr>& e = c.equations;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (is_given(columns[j])) {
        add_given(columns, j, e);
        continue;
      }
      const int row = row_of(columns[j]);
      rhs_[row] += e.force[j];
      for (std::size_t i = 0; i <= j; ++i) {
        if (is_given(columns[i])) continue;
        const int other = row_of(columns[i]);
        M_[std::min(row, other)][std::max(row, other)] += e.D[i][j];
      }
      if (is_free_) {
        for (int i = 0; i < 6; ++i) M_[row][base_ + i] += e.U[j][i];
      } else {
        for (int i = 0; i < 3; ++i) rhs_[row] += e.U[j][3 + i] * gravity_[i];
      }
    }
    if (!is_free_) return;
    mass_ += e.mass;
    h_ += e.h;
    for (int i = 0; i < 6; ++i) {
      E_[i] += e.E[i];
      rhs_[base_ + i] += e.base_force[i];
    }
  }

  // A column whose acceleration is known goes to the right-hand side and has no row.
  void add_given(const std::vector<int>& columns, std::size_t j, const GroupEquations<Expr>& e) {
    const Expr a = given_acceleration(columns[j]);
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (!is_given(columns[i]))
        rhs_[row_of(columns[i])] -= e.D[std::min(i, j)][std::max(i, j)] * a;
    if (!is_free_) return;
    for (int i = 0; i < 6; ++i) rhs_[base_ + i] -= e.U[j][i] * a;
  }

  void add_base() {
    mass_ += base_constants_.mass;
    h_ += base_constants_.first;
    for (int i = 0; i < 6; ++i) E_[i] = atom(E_[i] + base_constants_.second[i]);
    const Vec<Expr> h{atom(h_[0]), atom(h_[1]), atom(h_[2])};
    const Expr J[3][3] = {{atom(E_[1] + E_[2]), -E_[3], -E_[4]},
                          {-E_[3], atom(E_[0] + E_[2]), -E_[5]},
                          {-E_[4], -E_[5], atom(E_[0] + E_[1])}};
    const Expr tilde[3][3] = {{Expr(), -h[2], h[1]}, {h[2], Expr(), -h[0]}, {-h[1], h[0], Expr()}};
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) M_[base_ + i][base_ + j] += J[i][j];
      for (int j = 0; j < 3; ++j) M_[base_ + i][base_ + 3 + j] += tilde[i][j];
      M_[base_ + 3 + i][base_ + 3 + i] += mass_;
    }
    // w x J w = -w x E w, and w x (w x h).
    const Vec<Expr> Ew(E_[0] * w_[0] + E_[3] * w_[1] + E_[4] * w_[2],
                       E_[3] * w_[0] + E_[1] * w_[1] + E_[5] * w_[2],
                       E_[4] * w_[0] + E_[5] * w_[1] + E_[2] * w_[2]);
    const Vec<Expr> moment = cross(w_, Ew), force = cross(w_, cross(w_, h));
    for (int i = 0; i < 3; ++i) {
      rhs_[base_ + i] += moment[i];
      rhs_[base_ + 3 + i] -= force[i];
    }
  }

  // L D L^T without operations on zeros: M's rows become D L^T, and the right-hand side L^-1 rhs.
  void solve() {
    std::vector<Expr> inverse(static_cast<std::size_t>(n_));
    for (int k = 0; k < n_; ++k) {
      M_[k][k] = atom(M_[k][k]);
      rhs_[k] = atom(rhs_[k]);
      out_.pivots.push_back(M_[k][k]);
      inverse[k] = symbolic::named(concat("d", k), Expr(1) / M_[k][k]);
      for (int j = k + 1; j < n_; ++j) M_[k][j] = atom(M_[k][j]);
      for (int j = k + 1; j < n_; ++j) {
        if (M_[k][j].is_zero()) continue;
        const Expr factor = symbolic::named(concat("l", k, "_", j), M_[k][j] * inverse[k]);
        for (int i = j; i < n_; ++i) M_[j][i] -= factor * M_[k][i];
        rhs_[j] -= factor * rhs_[k];
      }
    }
    x_.assign(static_cast<std::size_t>(n_), Expr());
    for (int k = n_ - 1; k >= 0; --k) {
      Expr sum = rhs_[k];
      for (int j = k + 1; j < n_; ++j) sum -= M_[k][j] * x_[j];
      x_[k] = symbolic::named(concat("s", k), atom(sum) * inverse[k]);
    }
  }

  void put_back() {
    out_.accelerations.assign(static_cast<std::size_t>(sketch_.ny), Expr());
    Vec<Expr> w_dot;
    if (is_free_) {
      w_dot = Vec<Expr>(x_[base_], x_[base_ + 1], x_[base_ + 2]);
      const Vec<Expr> v(state_.v[3], state_.v[4], state_.v[5]);
      const Vec<Expr> a =
          Vec<Expr>(x_[base_ + 3], x_[base_ + 4], x_[base_ + 5]) - cross(w_, v) + gravity_;
      for (int i = 0; i < 3; ++i) {
        out_.accelerations[i] = w_dot[i];
        out_.accelerations[3 + i] = a[i];
      }
    }
    for (const SketchLink& link : sketch_.links)
      if (link.y >= 0 && !is_given(link.y) && link.role != Role::kGyrostat)
        out_.accelerations[link.y] = Expr(link.sign) * x_[row_of(link.y)];
    for (const Contribution<Expr>& c : contributions_) {
      std::vector<int> columns = c.group->own;
      columns.insert(columns.end(), c.group->shared.begin(), c.group->shared.end());
      for (std::size_t i = 0; i < c.equations.spins.size(); ++i) {
        const auto& spin = c.equations.spins[i];
        const SketchLink& wheel = sketch_.links[c.group->gyrostats[i]];
        Expr s = spin.bias - dot(spin.u, w_dot);
        for (std::size_t j = 0; j < columns.size(); ++j) s -= spin.by[j] * acceleration(columns[j]);
        out_.accelerations[wheel.y] = Expr(wheel.sign) * s;
      }
    }
  }

  const Sketch& sketch_;
  const std::vector<Contribution<Expr>>& contributions_;
  const VehicleState& state_;
  BaseConstants<Expr> base_constants_;
  bool is_free_;
  std::vector<int> order_;  // coordinates in the order of elimination
  int base_ = 0, n_ = 0;
  std::vector<std::vector<Expr>> M_;  // upper triangle
  std::vector<Expr> rhs_, x_;
  Vec<Expr> w_, h_, gravity_;
  std::array<Expr, 6> E_;
  Expr mass_;
  EpilogueEquations out_;
  int atoms_ = 0;
};

}  // namespace

template <class T>
BaseConstants<T> name_base_constants(const Sketch& sketch, Parameters<T>* parameters) {
  Parameters<T>& k = *parameters;
  const auto name = [&](const Vector3& v) {
    const T x = k(v[0]), y = k(v[1]), z = k(v[2]);
    return Vec<T>(x, y, z);
  };
  BaseConstants<T> to;
  to.gravity = name(sketch.R_PF.transpose() * multibody::to_eigen(sketch.mechanism.model.gravity));
  if (sketch.base == 0) return to;
  const Moments& body = sketch.body;
  const Matrix3 second = body.second + body.mass * body.center * body.center.transpose();
  to.mass = k(body.mass);
  to.first = name(body.mass * body.center);
  const int places[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (int i = 0; i < 6; ++i) to.second[i] = k(second(places[i][0], places[i][1]));
  return to;
}
template BaseConstants<Expr> name_base_constants(const Sketch&, Parameters<Expr>*);
template BaseConstants<Fingerprint> name_base_constants(const Sketch&, Parameters<Fingerprint>*);

EpilogueEquations assemble_and_solve(const Sketch& sketch,
                                     const std::vector<Contribution<Expr>>& contributions,
                                     const VehicleState& state, Parameters<Expr>* parameters) {
  return Assembly(sketch, contributions, state, parameters).run();
}

}  // namespace camber::mechanism_code
