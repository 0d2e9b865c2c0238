// docs/theory/generated.md, section 2: positions in closed form, then the rates from each step of
// the closed form, all relative to the base and in its axes.
#include "camber/mechanism_code/motion.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"

namespace camber::mechanism_code {

template <class T>
MotionTracer<T>::MotionTracer(const Sketch& sketch, const Group& group, bool lends_coordinates,
                              Parameters<T>* own, Parameters<T>* shared)
    : sketch_(sketch),
      own_(own),
      shared_(shared),
      columns_(group.own),
      lent_(lends_coordinates ? group.own : group.shared) {
  columns_.insert(columns_.end(), group.shared.begin(), group.shared.end());
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const bool is_own = j < group.own.size();
    const std::string place = std::to_string(is_own ? j : j - group.own.size());
    const auto name = [&](const char* what) {
      return make_symbol<T>(concat(is_own ? "own_" : "shared_", what, place));
    };
    symbols_.push_back({name("sine"), name("cosine"), name("turn"), name("rate")});
  }
  if (lends_coordinates) {
    trace_lent_links();
  } else if (!group.shared.empty()) {
    plane_ = find_plane(sketch, group.shared);
    Q_ = write_axes(plane_, shared);
    turned_ = std::make_unique<Sketch>(turned(sketch, plane_));
    in_plane_.reset(new MotionTracer<T>(*turned_, columns_, symbols_, lent_, own, shared));
  }
}

template <class T>
MotionTracer<T>::MotionTracer(const Sketch& sketch, std::vector<int> columns,
                              std::vector<CoordinateSymbols<T>> symbols, std::vector<int> lent,
                              Parameters<T>* own, Parameters<T>* shared)
    : sketch_(sketch),
      own_(own),
      shared_(shared),
      columns_(std::move(columns)),
      symbols_(std::move(symbols)),
      lent_(std::move(lent)) {
  trace_lent_links();
}

// In a fixed order, so that their parameters are equal in all groups.
template <class T>
void MotionTracer<T>::trace_lent_links() {
  for (int l = 1; l < static_cast<int>(sketch_.links.size()); ++l) {
    const Role role = sketch_.links[l].role;
    if (is_shared(l) && role != Role::kGyrostat && role != Role::kUniversalInner) link(l);
  }
}

template <class T>
Mat<T> write_axes(const Matrix3& Q, Parameters<T>* parameters) {
  Mat<T> axes;
  for (int j = 0; j < 3; ++j) {
    const T x = (*parameters)(Q(0, j)), y = (*parameters)(Q(1, j)), z = (*parameters)(Q(2, j));
    axes.c[j] = Vec<T>(x, y, z);
  }
  return axes;
}

template <class T>
PointMotion<T> MotionTracer<T>::from_shared(PointMotion<T> point) const {
  for (Vec<T>* v : {&point.x, &point.rate, &point.bias}) *v = Q_ * *v;
  for (Vec<T>& v : point.by) v = Q_ * v;
  return point;
}

template <class T>
LinkMotion<T> MotionTracer<T>::from_shared(LinkMotion<T> motion) const {
  motion.origin = from_shared(motion.origin);
  motion.R = Q_ * motion.R;
  for (Vec<T>& w : motion.w) w = Q_ * w;
  motion.omega = Q_ * motion.omega;
  motion.alpha = Q_ * motion.alpha;
  return motion;
}

template <class T>
bool MotionTracer<T>::is_shared(int l) const {
  const auto& movers = sketch_.links[l].movers;
  return !movers.empty() && std::all_of(movers.begin(), movers.end(), [&](int y) {
    return std::find(lent_.begin(), lent_.end(), y) != lent_.end();
  });
}

template <class T>
T MotionTracer<T>::atom(const T& e) {
  if constexpr (std::is_same_v<T, Expr>) {
    if (e.kind() != symbolic::Kind::kSum) return e;
    if (e.terms().size() == 1 && e.constant() == symbolic::Number(0)) return e;
    return symbolic::named(concat("n", atoms_++), e);
  }
  return e;
}

template <class T>
T MotionTracer<T>::root_of(const T& square) {
  const T pivot = atom(square);
  pivots_.push_back(pivot);
  return atom(sqrt(pivot));
}

template <class T>
Vec<T> MotionTracer<T>::vector(const Vector3& v, Parameters<T>* parameters) {
  const T x = (*parameters)(v[0]), y = (*parameters)(v[1]), z = (*parameters)(v[2]);
  return {x, y, z};
}

template <class T>
Vec<T> MotionTracer<T>::on_link(int l, const Vector3& v, Parameters<T>* parameters) {
  if (sketch_.links[l].role == Role::kStill) return vector(v, parameters);
  const Vec<T> local = vector(sketch_.links[l].R.transpose() * v, parameters);
  return link(l).R * local;
}

template <class T>
Mat<T> MotionTracer<T>::axes_on(int l, const Matrix3& axes) {
  Mat<T> on;
  for (int i = 0; i < 3; ++i) on.c[i] = atom(on_link(l, axes.col(i), own_));
  return on;
}

template <class T>
PointMotion<T> MotionTracer<T>::still(const Vec<T>& x) const {
  return {x, std::vector<Vec<T>>(columns_.size()), {}, {}};
}

template <class T>
LinkMotion<T> MotionTracer<T>::still_link() const {
  LinkMotion<T> motion;
  motion.R = Mat<T>::identity();
  motion.origin = still({});
  motion.w.resize(columns_.size());
  return motion;
}

template <class T>
Vec<T> MotionTracer<T>::total(const std::vector<Vec<T>>& by) const {
  Vec<T> sum;
  for (std::size_t j = 0; j < by.size(); ++j) sum += by[j] * symbols_[j].rate;
  return sum;
}
template <class T>
T MotionTracer<T>::total(const std::vector<T>& by) const {
  T sum;
  for (std::size_t j = 0; j < by.size(); ++j) sum += by[j] * symbols_[j].rate;
  return sum;
}

// r' = v + w x d, r'' = a + alpha x d + w x (w x d).
template <class T>
PointMotion<T> MotionTracer<T>::beside(const LinkMotion<T>& motion, const PointMotion<T>& from,
                                       const Vec<T>& offset) {
  PointMotion<T> to;
  to.x = atom(from.x + offset);
  for (std::size_t j = 0; j < columns_.size(); ++j)
    to.by.push_back(atom(from.by[j] + cross(motion.w[j], offset)));
  const Vec<T> spin = atom(cross(motion.omega, offset));
  to.rate = atom(from.rate + spin);
  to.bias = atom(from.bias + cross(motion.alpha, offset) + cross(motion.omega, spin));
  return to;
}

// A repeated request for a point returns the same expressions.
template <class T>
PointMotion<T> MotionTracer<T>::point(int on, const Vector3& p, Parameters<T>* parameters) {
  constexpr double kFine = 1e10;
  const int l = innermost(sketch_, {on, p}).link;
  const std::array<long long, 4> key = {l, std::llround(p[0] * kFine), std::llround(p[1] * kFine),
                                        std::llround(p[2] * kFine)};
  const auto found = points_.find(key);
  if (found != points_.end()) return found->second;
  if (in_plane_ && is_shared(l)) {
    const PointMotion<T> shared = in_plane_->point(l, plane_.transpose() * p, parameters);
    return points_.emplace(key, from_shared(shared)).first->second;
  }
  return points_.emplace(key, find_point(l, p, parameters)).first->second;
}

template <class T>
PointMotion<T> MotionTracer<T>::find_point(int l, const Vector3& p, Parameters<T>* parameters) {
  const SketchLink& x = sketch_.links[l];
  if (x.role == Role::kStill) return still(vector(p, parameters));
  const Vec<T> local = vector(x.R.transpose() * (p - x.o), parameters);
  const LinkMotion<T>& motion = link(l);
  return beside(motion, motion.origin, motion.R * local);
}

template <class T>
PointMotion<T> MotionTracer<T>::carried_point(int l, const Vector3& p) {
  const SketchLink& x = sketch_.links[l];
  if (!x.anchor) return point(l, p, own_);
  const PointMotion<T> from = point(*x.anchor);
  const Vec<T> local = vector(x.R.transpose() * (p - x.anchor->p), own_);
  return beside(link(l), from, link(l).R * local);
}

template <class T>
const LinkMotion<T>& MotionTracer<T>::link(int l) {
  const auto found = links_.find(l);
  if (found != links_.end()) return found->second;
  LinkMotion<T> motion = in_plane_ && is_shared(l) ? from_shared(in_plane_->link(l)) : trace(l);
  return links_.emplace(l, std::move(motion)).first->second;
}

template <class T>
LinkMotion<T> MotionTracer<T>::trace(int l) {
  switch (sketch_.links[l].role) {
    case Role::kStill:
      return still_link();
    case Role::kTurn:
    case Role::kCoupled:
      return trace_turn(l);
    case Role::kSlide:
    case Role::kCoupledSlide:
      return trace_slide(l);
    case Role::kMover:
      return trace_mover(l);
    case Role::kAimer:
      return trace_aimer(l);
    case Role::kStretch:
      return trace_stretch(l);
    case Role::kBall:
      return trace_ball(l);
    case Role::kUniversal:
      return trace_universal(l);
    case Role::kUniversalInner:
    case Role::kGyrostat:
      break;
  }
  throw std::logic_error(concat("MotionTracer: \"", sketch_.links[l].name, "\" has no frame"));
}

// --- Joints that turn ---

template <class T>
typename MotionTracer<T>::Axes MotionTracer<T>::axes_of(int l) {
  const SketchLink& x = sketch_.links[l];
  Parameters<T>* parameters = parameters_of(l);
  if (x.is_planar) {
    const Vec<T> a = vector(x.basis.col(0), parameters), b = vector(x.basis.col(1), parameters);
    return {a, b, vector(x.basis.col(2), parameters)};
  }
  const Vec<T> a = on_link(x.parent, x.R.col(0), parameters),
               b = on_link(x.parent, x.R.col(1), parameters);
  return {atom(a), atom(b), atom(on_link(x.parent, x.R.col(2), parameters))};
}

template <class T>
void MotionTracer<T>::turn_to(const Axes& axes, const T& sine, const T& cosine,
                              LinkMotion<T>* motion) const {
  motion->R.c[0] = axes.x * cosine + axes.y * sine;
  motion->R.c[1] = axes.y * cosine - axes.x * sine;
  motion->R.c[2] = axes.u;
  motion->sine = sine;
  motion->cosine = cosine;
}

// w = w_P + u turn', alpha = alpha_P + u turn'' + w_P x u turn'.
template <class T>
void MotionTracer<T>::set_rates(int l, const Vec<T>& u, NumberMotion<T> turn,
                                LinkMotion<T>* motion) {
  const LinkMotion<T>& parent = link(sketch_.links[l].parent);
  motion->w.clear();
  for (std::size_t j = 0; j < columns_.size(); ++j)
    motion->w.push_back(atom(parent.w[j] + u * turn.by[j]));
  motion->omega = atom(parent.omega + u * turn.rate);
  motion->alpha = atom(parent.alpha + u * turn.bias + cross(parent.omega, u) * turn.rate);
  motion->turn = std::move(turn);
  motion->has_turn = true;
}

template <class T>
LinkMotion<T> MotionTracer<T>::trace_turn(int l) {
  const SketchLink& x = sketch_.links[l];
  LinkMotion<T> motion;
  const Axes axes = axes_of(l);
  motion.origin = point(x.parent, x.o, parameters_of(l));
  NumberMotion<T> turn{{}, std::vector<T>(columns_.size()), {}, {}};
  T sine, cosine;
  if (x.role == Role::kCoupled) {
    turn = coupled(l);
    sine = sin(turn.x);
    cosine = cos(turn.x);
  } else {
    const auto j = std::find(columns_.begin(), columns_.end(), x.y) - columns_.begin();
    turn.x = symbols_[j].turn;
    turn.by[j] = T(1);
    turn.rate = symbols_[j].rate;
    sine = symbols_[j].sine;
    cosine = symbols_[j].cosine;
  }
  const SketchLink& parent = sketch_.links[x.parent];
  if (x.is_planar && parent.is_planar) {
    const LinkMotion<T>& below = link(x.parent);
    const T s = below.sine * cosine + below.cosine * sine;
    cosine = atom(below.cosine * cosine - below.sine * sine);
    sine = atom(s);
  }
  turn_to(axes, sine, cosine, &motion);
  set_rates(l, axes.u, turn, &motion);
  return motion;
}

// The coordinate q that the coupler's equation gives, and the corresponding rotation or distance.
template <class T>
NumberMotion<T> MotionTracer<T>::coupled(int l) {
  const SketchLink& x = sketch_.links[l];
  const auto& row = sketch_.mechanism.model.rows[x.row];
  Parameters<T>& k = *parameters_of(l);
  NumberMotion<T> q{k(row.length), std::vector<T>(columns_.size()), {}, {}};
  T own_factor(1);
  for (const auto& term : row.terms) {
    const T factor = k(term.factor);
    if (term.q == x.q) {
      own_factor = factor;
      continue;
    }
    for (int other = 1; other < static_cast<int>(sketch_.links.size()); ++other) {
      if (sketch_.links[other].q != term.q) continue;
      const NumberMotion<T> part = coordinate(other);
      q.x -= factor * part.x;
      for (std::size_t j = 0; j < columns_.size(); ++j) q.by[j] -= factor * part.by[j];
      q.rate -= factor * part.rate;
      q.bias -= factor * part.bias;
    }
  }
  const T scale = k(x.sign) / own_factor;
  NumberMotion<T> turn{scale * q.x - k(x.sign * x.q_ref), {}, scale * q.rate, scale * q.bias};
  for (const T& by : q.by) turn.by.push_back(scale * by);
  return turn;
}

template <class T>
NumberMotion<T> MotionTracer<T>::coordinate(int l) {
  const SketchLink& x = sketch_.links[l];
  const LinkMotion<T>& motion = link(l);
  require(motion.has_turn, "\"", x.name,
          "\" cannot be generated: forces along its joint need a coordinate");
  Parameters<T>& k = *parameters_of(l);
  const T sign = k(x.sign);
  NumberMotion<T> q{
      k(x.q_ref) + sign * motion.turn.x, {}, sign * motion.turn.rate, sign * motion.turn.bias};
  for (const T& by : motion.turn.by) q.by.push_back(sign * by);
  return q;
}

template <class T>
LinkMotion<T> MotionTracer<T>::trace_slide(int l) {
  const SketchLink& x = sketch_.links[l];
  Parameters<T>* k = parameters_of(l);
  LinkMotion<T> motion = link(x.parent);
  const Vec<T> u = on_link(x.parent, x.axis, k);
  const PointMotion<T> start = point(x.parent, x.o, k);
  NumberMotion<T> out{{}, std::vector<T>(columns_.size()), {}, {}};
  if (x.role == Role::kCoupledSlide) {
    out = coupled(l);
  } else {
    const auto j = std::find(columns_.begin(), columns_.end(), x.y) - columns_.begin();
    out.x = symbols_[j].turn;
    out.by[j] = T(1);
    out.rate = symbols_[j].rate;
  }
  motion.origin = beside(motion, start, u * out.x);
  for (std::size_t j = 0; j < columns_.size(); ++j) motion.origin.by[j] += u * out.by[j];
  motion.origin.rate += u * out.rate;
  motion.origin.bias += cross(motion.omega, u) * (T(2) * out.rate) + u * out.bias;
  motion.turn = out;
  motion.has_turn = true;
  return motion;
}

#define CAMBER_INSTANTIATE(T)                                                                    \
  template Mat<T> write_axes(const Matrix3&, Parameters<T>*);                                    \
  template MotionTracer<T>::MotionTracer(const Sketch&, const Group&, bool, Parameters<T>*,      \
                                         Parameters<T>*);                                        \
  template T MotionTracer<T>::atom(const T&);                                                    \
  template T MotionTracer<T>::root_of(const T&);                                                 \
  template Vec<T> MotionTracer<T>::vector(const Vector3&, Parameters<T>*);                       \
  template Vec<T> MotionTracer<T>::on_link(int, const Vector3&, Parameters<T>*);                 \
  template Mat<T> MotionTracer<T>::axes_on(int, const Matrix3&);                                 \
  template Vec<T> MotionTracer<T>::total(const std::vector<Vec<T>>&) const;                      \
  template T MotionTracer<T>::total(const std::vector<T>&) const;                                \
  template PointMotion<T> MotionTracer<T>::beside(const LinkMotion<T>&, const PointMotion<T>&,   \
                                                  const Vec<T>&);                                \
  template PointMotion<T> MotionTracer<T>::point(int, const Vector3&, Parameters<T>*);           \
  template PointMotion<T> MotionTracer<T>::carried_point(int, const Vector3&);                   \
  template const LinkMotion<T>& MotionTracer<T>::link(int);                                      \
  template MotionTracer<T>::Axes MotionTracer<T>::axes_of(int);                                  \
  template void MotionTracer<T>::turn_to(const Axes&, const T&, const T&, LinkMotion<T>*) const; \
  template void MotionTracer<T>::set_rates(int, const Vec<T>&, NumberMotion<T>, LinkMotion<T>*); \
  template NumberMotion<T> MotionTracer<T>::coordinate(int);
CAMBER_INSTANTIATE(Expr)
CAMBER_INSTANTIATE(Fingerprint)
#undef CAMBER_INSTANTIATE

}  // namespace camber::mechanism_code
