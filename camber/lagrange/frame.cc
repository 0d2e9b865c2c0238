#include "camber/lagrange/frame.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <limits>
#include <string>

#include "camber/core/require.h"
#include "camber/symbolic/count.h"
#include "camber/symbolic/derivative.h"

namespace camber::lagrange {

using symbolic::time_derivative;

namespace {

Vector3 unit(Axis axis) {
  Vector3 e = Vector3::Zero();
  e[static_cast<int>(axis)] = Expr(1);
  return e;
}

Matrix3 rotation_about(Axis axis, const Expr& angle) {
  const int i = static_cast<int>(axis);
  const int j = (i + 1) % 3;
  const int k = (i + 2) % 3;
  Matrix3 R = Matrix3::Zero();
  R(i, i) = Expr(1);
  R(j, j) = R(k, k) = cos(angle);
  R(k, j) = sin(angle);
  R(j, k) = -R(k, j);
  return R;
}

Matrix3 rotation_of(const Step& step) {
  switch (step.kind) {
    case Step::Kind::kTranslation:
    case Step::Kind::kAnchor:
      return Matrix3::Identity();
    case Step::Kind::kRotation:
      return rotation_about(step.axis, step.angle);
    default:
      return step.rotation;
  }
}

Vector3 rates(const Vector3& p) {
  return p.unaryExpr([](const Expr& e) { return time_derivative(e); });
}

/// R^T R' = [w x], in the axes after the rotation (001 eq. 6 has them in the axes before).
Vector3 angular_velocity_of(const Matrix3& R) {
  const Matrix3 R_dot = R.unaryExpr([](const Expr& e) { return time_derivative(e); });
  const Matrix3 W = R.transpose() * R_dot;
  return {W(2, 1), W(0, 2), W(1, 0)};
}

Step inverse_step(const Step& step) {
  Step result = step;
  switch (step.kind) {
    case Step::Kind::kTranslation:
      result.translation = -step.translation;
      break;
    case Step::Kind::kRotation:
      result.angle = -step.angle;
      break;
    case Step::Kind::kAttitude:
      result.rotation = step.rotation.transpose();
      break;
    case Step::Kind::kAnchor:
      result.kind = Step::Kind::kTranslation;
      result.translation = -step.translation;
      result.v = Vector3::Zero();
      result.anchor.reset();
      break;
    case Step::Kind::kQuasi:
      break;  // inverse() takes it apart
  }
  return result;
}

bool is_nothing(const Step& step) {
  switch (step.kind) {
    case Step::Kind::kTranslation:
      return step.translation == Vector3::Zero();
    case Step::Kind::kRotation:
      return step.angle.is_zero();
    case Step::Kind::kAttitude:
      return step.rotation == Matrix3::Identity();
    case Step::Kind::kQuasi:
    case Step::Kind::kAnchor:
      return false;
  }
  return false;
}

}  // namespace

bool operator==(const Step& a, const Step& b) {
  return a.kind == b.kind && a.translation == b.translation && a.axis == b.axis &&
         a.angle == b.angle && a.rotation == b.rotation && a.w == b.w && a.v == b.v &&
         (a.anchor == b.anchor ||
          (a.anchor != nullptr && b.anchor != nullptr && *a.anchor == *b.anchor));
}

void Frame::append(const Step& step) {
  if (is_nothing(step)) return;
  Step whole = step;
  if (!path_.empty() && path_.back().kind == step.kind) {
    const Step last = path_.back();
    const bool translations = step.kind == Step::Kind::kTranslation;
    const bool about_one_axis = step.kind == Step::Kind::kRotation && last.axis == step.axis;
    if (translations || about_one_axis) {
      path_.pop_back();
      whole.translation += last.translation;
      whole.angle += last.angle;
      if (is_nothing(whole)) return;
    } else if (step.kind == Step::Kind::kAttitude && last.rotation == step.rotation.transpose()) {
      path_.pop_back();
      return;
    }
  }
  if (whole.kind == Step::Kind::kTranslation && !path_.empty() &&
      path_.back().kind == Step::Kind::kRotation) {
    // A translation along the axis of the preceding rotation is moved before it, where velocities
    // are simpler.
    const Step rotation = path_.back();
    const int i = static_cast<int>(rotation.axis);
    if (!whole.translation[i].is_zero()) {
      Step along;
      along.translation[i] = whole.translation[i];
      whole.translation[i] = Expr(0);
      path_.pop_back();
      append(along);
      append(rotation);
      append(whole);
      return;
    }
  }
  path_.push_back(whole);
}

Frame operator*(const Frame& a, const Frame& b) {
  Frame result = a;
  for (const Step& step : b.path_) result.append(step);
  return result;
}

Matrix3 Frame::rotation() const {
  Matrix3 R = Matrix3::Identity();
  for (const Step& step : path_) R = R * rotation_of(step);
  return R;
}

Vector3 Frame::origin() const {
  Vector3 p = Vector3::Zero();
  // Starts at the far end: each step is then applied to one vector only.
  for (auto step = path_.rbegin(); step != path_.rend(); ++step)
    p = rotation_of(*step) * p + step->translation;
  return p;
}

Matrix4 Frame::matrix() const {
  Matrix4 T = Matrix4::Identity();
  T.topLeftCorner<3, 3>() = rotation();
  T.topRightCorner<3, 1>() = origin();
  return T;
}

Twist Frame::twist() const {
  Twist t;
  for (const Step& step : path_) {
    switch (step.kind) {
      case Step::Kind::kTranslation:
        t.v += t.w.cross(step.translation) + rates(step.translation);
        break;
      case Step::Kind::kRotation: {
        const Matrix3 R = rotation_of(step);
        t.v = R.transpose() * t.v;
        t.w = R.transpose() * t.w + unit(step.axis) * time_derivative(step.angle);
        break;
      }
      case Step::Kind::kAttitude:
        t.v = step.rotation.transpose() * t.v;
        t.w = step.rotation.transpose() * t.w + angular_velocity_of(step.rotation);
        break;
      case Step::Kind::kQuasi:
        t = {step.w, step.v};
        break;
      case Step::Kind::kAnchor:
        t.v = step.v;
        break;
    }
  }
  return t;
}

TwistRate Frame::twist_rate(const Vector3& start) const {
  Vector3 w = Vector3::Zero();
  TwistRate t{Vector3::Zero(), start};
  for (const Step& step : path_) {
    switch (step.kind) {
      case Step::Kind::kTranslation: {
        const Vector3 d_dot = rates(step.translation);
        t.v_dot += t.w_dot.cross(step.translation) + w.cross(w.cross(step.translation)) +
                   2 * w.cross(d_dot) + rates(d_dot);
        break;
      }
      case Step::Kind::kRotation: {
        const Matrix3 R = rotation_of(step);
        const Expr rate = time_derivative(step.angle);
        t.v_dot = R.transpose() * t.v_dot;
        w = R.transpose() * w;
        t.w_dot = R.transpose() * t.w_dot + rate * w.cross(unit(step.axis)) +
                  unit(step.axis) * time_derivative(rate);
        w += unit(step.axis) * rate;
        break;
      }
      case Step::Kind::kAttitude: {
        const Vector3 own = angular_velocity_of(step.rotation);
        t.v_dot = step.rotation.transpose() * t.v_dot;
        w = step.rotation.transpose() * w;
        t.w_dot = step.rotation.transpose() * t.w_dot + w.cross(own) + rates(own);
        w += own;
        break;
      }
      case Step::Kind::kQuasi:
        w = step.w;
        t = {rates(step.w),
             rates(step.v) + step.w.cross(step.v) + step.rotation.transpose() * t.v_dot};
        break;
      case Step::Kind::kAnchor:
        t.v_dot += rates(step.v);
        break;
    }
  }
  return t;
}

Frame translate(const Vector3& p) {
  Frame frame;
  Step step;
  step.translation = p;
  frame.append(step);
  return frame;
}

Frame translate(const Expr& x, const Expr& y, const Expr& z) { return translate(Vector3(x, y, z)); }

Frame rotate(Axis axis, const Expr& angle) {
  Frame frame;
  Step step;
  step.kind = Step::Kind::kRotation;
  step.axis = axis;
  step.angle = angle;
  frame.append(step);
  return frame;
}

Frame attitude(const Matrix3& R) {
  Frame frame;
  Step step;
  step.kind = Step::Kind::kAttitude;
  step.rotation = R;
  frame.append(step);
  return frame;
}

Frame inverse(const Frame& frame) {
  Frame result;
  for (auto step = frame.path_.rbegin(); step != frame.path_.rend(); ++step) {
    if (step->kind == Step::Kind::kQuasi) {
      result = result * attitude(step->rotation.transpose()) * translate(-step->translation);
    } else {
      result.append(inverse_step(*step));
    }
  }
  return result;
}

Frame euler_angles(std::string_view sequence, const Expr& first, const Expr& second,
                   const Expr& third) {
  const std::array<Expr, 3> angles{first, second, third};
  Frame frame;
  require(sequence.size() == 3, "euler_angles: a sequence names three axes such as \"ZYX\", got \"",
          sequence, "\"");
  char before = ' ';
  for (std::size_t i = 0; i < 3; ++i) {
    const char axis = static_cast<char>(std::toupper(static_cast<unsigned char>(sequence[i])));
    require(axis >= 'X' && axis <= 'Z' && axis != before, "euler_angles: \"", sequence,
            "\" is not a sequence of axes X, Y, Z without immediate repetition");
    frame = frame * rotate(static_cast<Axis>(axis - 'X'), angles[i]);
    before = axis;
  }
  return frame;
}

Frame euler_parameters(const Expr& e0, const Expr& e1, const Expr& e2, const Expr& e3) {
  Matrix3 R;
  R << e0 * e0 + e1 * e1 - e2 * e2 - e3 * e3, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2),
      2 * (e1 * e2 + e0 * e3), e0 * e0 - e1 * e1 + e2 * e2 - e3 * e3, 2 * (e2 * e3 - e0 * e1),
      2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), e0 * e0 - e1 * e1 - e2 * e2 + e3 * e3;
  return attitude(R);
}

Frame denavit_hartenberg(const Expr& a, const Expr& alpha, const Expr& d, const Expr& theta) {
  return rotate(Axis::kZ, theta) * translate(a, 0, d) * rotate(Axis::kX, alpha);
}

Frame quasi_coordinates(const Frame& pose, const Vector3& w, const Vector3& v) {
  Frame frame;
  Step step;
  step.kind = Step::Kind::kQuasi;
  step.rotation = pose.rotation();
  step.translation = pose.origin();
  step.w = w;
  step.v = v;
  frame.path_.push_back(step);
  return frame;
}

Frame anchored_at(const Frame& frame) {
  Frame result;
  Step step;
  step.kind = Step::Kind::kAnchor;
  step.translation = frame.origin();
  step.v = origin_velocity(frame, Frame());  // once: every velocity after the anchor starts with it
  step.anchor = std::make_shared<const Frame>(frame);
  result.path_.push_back(step);
  return result;
}

Frame without_steps(const Frame& frame, std::size_t first, std::size_t last) {
  Frame result;
  for (std::size_t i = first; i < frame.path_.size() - last; ++i) result.append(frame.path_[i]);
  return result;
}

Vector3 rotate_along(const Frame& frame, const Vector3& components) {
  Vector3 v = components;
  for (auto step = frame.path().rbegin(); step != frame.path().rend(); ++step) {
    if (step->kind != Step::Kind::kTranslation && step->kind != Step::Kind::kAnchor)
      v = rotation_of(*step) * v;
  }
  return v;
}

Vector3 spin_of_last_steps(const Frame& frame, std::size_t steps) {
  // From the far end: an axis is the same before and after its own rotation.
  Vector3 w = Vector3::Zero();
  for (std::size_t i = 0; i < steps; ++i) {
    const Step& step = frame.path()[frame.path().size() - 1 - i];
    w = rotation_of(step) * w + unit(step.axis) * time_derivative(step.angle);
  }
  return w;
}

Frame without_translations(const Frame& frame) {
  Frame result;
  for (Step step : frame.path_) {
    if (step.kind == Step::Kind::kTranslation || step.kind == Step::Kind::kAnchor) continue;
    step.translation = Vector3::Zero();
    result.append(step);
  }
  return result;
}

Vector3 origin_velocity(const Frame& frame, const Frame& axes) {
  // The contribution of each step to the velocity, in the axes before it (after it for steps that
  // start a path).
  struct Part {
    Frame axes;
    Vector3 v;
  };
  const std::size_t n = frame.path().size();
  const auto first_steps = [&](std::size_t k) { return without_steps(frame, 0, n - k); };
  std::vector<Part> parts;
  for (std::size_t i = 0; i < n; ++i) {
    const Step& step = frame.path()[i];
    if (step.kind == Step::Kind::kTranslation) {
      const Frame before = first_steps(i);
      parts.push_back({before, before.twist().w.cross(step.translation) + rates(step.translation)});
    } else if (step.kind == Step::Kind::kQuasi || step.kind == Step::Kind::kAnchor) {
      const Frame after = first_steps(i + 1);
      parts.push_back({after, after.twist().v});
    }
  }
  // Outward along the path to some of its axes, inward to them from its end, then to the requested
  // axes.
  Vector3 best = Vector3::Zero();
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t k = 0; k <= n; ++k) {
    const Frame meeting = first_steps(k);
    Part outward{Frame(), Vector3::Zero()};
    Part inward{frame, Vector3::Zero()};
    const auto take = [](const Part& part, Part* sum) {
      *sum = {part.axes, rotate_along(relative_rotation(part.axes, sum->axes), sum->v) + part.v};
    };
    std::size_t i = 0;
    for (; i < parts.size() && parts[i].axes.path().size() <= k; ++i) take(parts[i], &outward);
    for (std::size_t j = parts.size(); j > i; --j) take(parts[j - 1], &inward);
    Part sum{meeting, Vector3::Zero()};
    for (const Part& side : {outward, inward})
      sum.v += rotate_along(relative_rotation(meeting, side.axes), side.v);
    const Vector3 v = rotate_along(relative_rotation(axes, meeting), sum.v);
    const std::uint64_t operations =
        symbolic::count_shared_operations(std::vector<Expr>{v[0], v[1], v[2]}).total();
    if (operations >= fewest) continue;
    fewest = operations;
    best = v;
  }
  return best;
}

Frame relative(const Frame& from, const Frame& to) {
  const auto [in_from, in_to] = std::ranges::mismatch(from.path(), to.path());
  const auto shared = static_cast<std::size_t>(in_from - from.path().begin());
  return inverse(without_steps(from, shared, 0)) * without_steps(to, shared, 0);
}

Frame relative_rotation(const Frame& from, const Frame& to) {
  return relative(without_translations(from), without_translations(to));
}

}  // namespace camber::lagrange
