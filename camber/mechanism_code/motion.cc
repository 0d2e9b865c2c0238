// docs/theory/generated.md, section 2: positions in closed form, then the rates from each step of
// the closed form, all relative to the base and in its axes.
#include "camber/mechanism_code/motion.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"

namespace camber::mechanism_code {

using symbolic::sqrt, symbolic::symbol;

MotionTracer::MotionTracer(const Sketch& sketch, const Group& group, bool lends_coordinates,
                           Parameters* own, Parameters* shared)
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
      return symbol(concat(is_own ? "own_" : "shared_", what, place));
    };
    symbols_.push_back({name("sine"), name("cosine"), name("turn"), name("rate")});
  }
  if (lends_coordinates) {
    trace_lent_links();
  } else if (!group.shared.empty()) {
    plane_ = find_plane(sketch, group.shared);
    Q_ = write_axes(plane_, shared);
    turned_ = std::make_unique<Sketch>(turned(sketch, plane_));
    in_plane_.reset(new MotionTracer(*turned_, columns_, symbols_, lent_, own, shared));
  }
}

MotionTracer::MotionTracer(const Sketch& sketch, std::vector<int> columns,
                           std::vector<CoordinateSymbols> symbols, std::vector<int> lent,
                           Parameters* own, Parameters* shared)
    : sketch_(sketch),
      own_(own),
      shared_(shared),
      columns_(std::move(columns)),
      symbols_(std::move(symbols)),
      lent_(std::move(lent)) {
  trace_lent_links();
}

// In a fixed order, so that their parameters are equal in all groups.
void MotionTracer::trace_lent_links() {
  for (int l = 1; l < static_cast<int>(sketch_.links.size()); ++l) {
    const Role role = sketch_.links[l].role;
    if (is_shared(l) && role != Role::kGyrostat && role != Role::kUniversalInner) link(l);
  }
}

Mat write_axes(const Matrix3& Q, Parameters* parameters) {
  Mat axes;
  for (int j = 0; j < 3; ++j) {
    const Expr x = (*parameters)(Q(0, j)), y = (*parameters)(Q(1, j)), z = (*parameters)(Q(2, j));
    axes.c[j] = Vec(x, y, z);
  }
  return axes;
}

PointMotion MotionTracer::from_shared(PointMotion point) const {
  for (Vec* v : {&point.x, &point.rate, &point.bias}) *v = Q_ * *v;
  for (Vec& v : point.by) v = Q_ * v;
  return point;
}

LinkMotion MotionTracer::from_shared(LinkMotion motion) const {
  motion.origin = from_shared(motion.origin);
  motion.R = Q_ * motion.R;
  for (Vec& w : motion.w) w = Q_ * w;
  motion.omega = Q_ * motion.omega;
  motion.alpha = Q_ * motion.alpha;
  return motion;
}

bool MotionTracer::is_shared(int l) const {
  const auto& movers = sketch_.links[l].movers;
  return !movers.empty() && std::all_of(movers.begin(), movers.end(), [&](int y) {
    return std::find(lent_.begin(), lent_.end(), y) != lent_.end();
  });
}

Expr MotionTracer::atom(const Expr& e) {
  if (e.kind() != symbolic::Kind::kSum) return e;
  if (e.terms().size() == 1 && e.constant() == symbolic::Number(0)) return e;
  return symbolic::named(concat("n", atoms_++), e);
}

Expr MotionTracer::root_of(const Expr& square) {
  const Expr pivot = atom(square);
  pivots_.push_back(pivot);
  return atom(sqrt(pivot));
}

Vec MotionTracer::vector(const Vector3& v, Parameters* parameters) {
  const Expr x = (*parameters)(v[0]), y = (*parameters)(v[1]), z = (*parameters)(v[2]);
  return {x, y, z};
}

Vec MotionTracer::on_link(int l, const Vector3& v, Parameters* parameters) {
  if (sketch_.links[l].role == Role::kStill) return vector(v, parameters);
  const Vec local = vector(sketch_.links[l].R.transpose() * v, parameters);
  return link(l).R * local;
}

Mat MotionTracer::axes_on(int l, const Matrix3& axes) {
  Mat on;
  for (int i = 0; i < 3; ++i) on.c[i] = atom(on_link(l, axes.col(i), own_));
  return on;
}

PointMotion MotionTracer::still(const Vec& x) const {
  return {x, std::vector<Vec>(columns_.size()), {}, {}};
}

LinkMotion MotionTracer::still_link() const {
  LinkMotion motion;
  motion.R = Mat::identity();
  motion.origin = still({});
  motion.w.resize(columns_.size());
  return motion;
}

Vec MotionTracer::total(const std::vector<Vec>& by) const {
  Vec sum;
  for (std::size_t j = 0; j < by.size(); ++j) sum += by[j] * symbols_[j].rate;
  return sum;
}
Expr MotionTracer::total(const std::vector<Expr>& by) const {
  Expr sum;
  for (std::size_t j = 0; j < by.size(); ++j) sum += by[j] * symbols_[j].rate;
  return sum;
}

// r' = v + w x d, r'' = a + alpha x d + w x (w x d).
PointMotion MotionTracer::beside(const LinkMotion& motion, const PointMotion& from,
                                 const Vec& offset) {
  PointMotion to;
  to.x = atom(from.x + offset);
  for (std::size_t j = 0; j < columns_.size(); ++j)
    to.by.push_back(atom(from.by[j] + cross(motion.w[j], offset)));
  const Vec spin = atom(cross(motion.omega, offset));
  to.rate = atom(from.rate + spin);
  to.bias = atom(from.bias + cross(motion.alpha, offset) + cross(motion.omega, spin));
  return to;
}

// A repeated request for a point returns the same expressions.
PointMotion MotionTracer::point(int on, const Vector3& p, Parameters* parameters) {
  constexpr double kFine = 1e10;
  const int l = innermost(sketch_, {on, p}).link;
  const std::array<long long, 4> key = {l, std::llround(p[0] * kFine), std::llround(p[1] * kFine),
                                        std::llround(p[2] * kFine)};
  const auto found = points_.find(key);
  if (found != points_.end()) return found->second;
  if (in_plane_ && is_shared(l)) {
    const PointMotion shared = in_plane_->point(l, plane_.transpose() * p, parameters);
    return points_.emplace(key, from_shared(shared)).first->second;
  }
  return points_.emplace(key, find_point(l, p, parameters)).first->second;
}

PointMotion MotionTracer::find_point(int l, const Vector3& p, Parameters* parameters) {
  const SketchLink& x = sketch_.links[l];
  if (x.role == Role::kStill) return still(vector(p, parameters));
  const Vec local = vector(x.R.transpose() * (p - x.o), parameters);
  const LinkMotion& motion = link(l);
  return beside(motion, motion.origin, motion.R * local);
}

PointMotion MotionTracer::carried_point(int l, const Vector3& p) {
  const SketchLink& x = sketch_.links[l];
  if (!x.anchor) return point(l, p, own_);
  const PointMotion from = point(*x.anchor);
  const Vec local = vector(x.R.transpose() * (p - x.anchor->p), own_);
  return beside(link(l), from, link(l).R * local);
}

const LinkMotion& MotionTracer::link(int l) {
  const auto found = links_.find(l);
  if (found != links_.end()) return found->second;
  LinkMotion motion = in_plane_ && is_shared(l) ? from_shared(in_plane_->link(l)) : trace(l);
  return links_.emplace(l, std::move(motion)).first->second;
}

LinkMotion MotionTracer::trace(int l) {
  switch (sketch_.links[l].role) {
    case Role::kStill:
      return still_link();
    case Role::kTurn:
    case Role::kCoupled:
      return trace_turn(l);
    case Role::kSlide:
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

MotionTracer::Axes MotionTracer::axes_of(int l) {
  const SketchLink& x = sketch_.links[l];
  Parameters* parameters = parameters_of(l);
  if (x.is_planar) {
    const Vec a = vector(x.basis.col(0), parameters), b = vector(x.basis.col(1), parameters);
    return {a, b, vector(x.basis.col(2), parameters)};
  }
  const Vec a = on_link(x.parent, x.R.col(0), parameters),
            b = on_link(x.parent, x.R.col(1), parameters);
  return {atom(a), atom(b), atom(on_link(x.parent, x.R.col(2), parameters))};
}

void MotionTracer::turn_to(const Axes& axes, const Expr& sine, const Expr& cosine,
                           LinkMotion* motion) const {
  motion->R.c[0] = axes.x * cosine + axes.y * sine;
  motion->R.c[1] = axes.y * cosine - axes.x * sine;
  motion->R.c[2] = axes.u;
  motion->sine = sine;
  motion->cosine = cosine;
}

// w = w_P + u turn', alpha = alpha_P + u turn'' + w_P x u turn'.
void MotionTracer::set_rates(int l, const Vec& u, NumberMotion turn, LinkMotion* motion) {
  const LinkMotion& parent = link(sketch_.links[l].parent);
  motion->w.clear();
  for (std::size_t j = 0; j < columns_.size(); ++j)
    motion->w.push_back(atom(parent.w[j] + u * turn.by[j]));
  motion->omega = atom(parent.omega + u * turn.rate);
  motion->alpha = atom(parent.alpha + u * turn.bias + cross(parent.omega, u) * turn.rate);
  motion->turn = std::move(turn);
  motion->has_turn = true;
}

LinkMotion MotionTracer::trace_turn(int l) {
  const SketchLink& x = sketch_.links[l];
  LinkMotion motion;
  const Axes axes = axes_of(l);
  motion.origin = point(x.parent, x.o, parameters_of(l));
  NumberMotion turn{{}, std::vector<Expr>(columns_.size()), {}, {}};
  Expr sine, cosine;
  if (x.role == Role::kCoupled) {
    turn = coupled_turn(l);
    sine = symbolic::sin(turn.x);
    cosine = symbolic::cos(turn.x);
  } else {
    const auto j = std::find(columns_.begin(), columns_.end(), x.y) - columns_.begin();
    turn.x = symbols_[j].turn;
    turn.by[j] = Expr(1);
    turn.rate = symbols_[j].rate;
    sine = symbols_[j].sine;
    cosine = symbols_[j].cosine;
  }
  const SketchLink& parent = sketch_.links[x.parent];
  if (x.is_planar && parent.is_planar) {
    const LinkMotion& below = link(x.parent);
    const Expr s = below.sine * cosine + below.cosine * sine;
    cosine = atom(below.cosine * cosine - below.sine * sine);
    sine = atom(s);
  }
  turn_to(axes, sine, cosine, &motion);
  set_rates(l, axes.u, turn, &motion);
  return motion;
}

// The coordinate q that the coupler's equation gives, and the corresponding rotation.
NumberMotion MotionTracer::coupled_turn(int l) {
  const SketchLink& x = sketch_.links[l];
  const auto& row = sketch_.mechanism.model.rows[x.row];
  Parameters& k = *parameters_of(l);
  NumberMotion q{k(row.length), std::vector<Expr>(columns_.size()), {}, {}};
  Expr own_factor(1);
  for (const auto& term : row.terms) {
    const Expr factor = k(term.factor);
    if (term.q == x.q) {
      own_factor = factor;
      continue;
    }
    for (int other = 1; other < static_cast<int>(sketch_.links.size()); ++other) {
      if (sketch_.links[other].q != term.q) continue;
      const NumberMotion part = coordinate(other);
      q.x -= factor * part.x;
      for (std::size_t j = 0; j < columns_.size(); ++j) q.by[j] -= factor * part.by[j];
      q.rate -= factor * part.rate;
      q.bias -= factor * part.bias;
    }
  }
  const Expr scale = k(x.sign) / own_factor;
  NumberMotion turn{scale * q.x - k(x.sign * x.q_ref), {}, scale * q.rate, scale * q.bias};
  for (const Expr& by : q.by) turn.by.push_back(scale * by);
  return turn;
}

NumberMotion MotionTracer::coordinate(int l) {
  const SketchLink& x = sketch_.links[l];
  const LinkMotion& motion = link(l);
  require(motion.has_turn, "\"", x.name,
          "\" cannot be generated: forces along its joint need a coordinate");
  Parameters& k = *parameters_of(l);
  const Expr sign = k(x.sign);
  NumberMotion q{
      k(x.q_ref) + sign * motion.turn.x, {}, sign * motion.turn.rate, sign * motion.turn.bias};
  for (const Expr& by : motion.turn.by) q.by.push_back(sign * by);
  return q;
}

LinkMotion MotionTracer::trace_slide(int l) {
  const SketchLink& x = sketch_.links[l];
  Parameters* k = parameters_of(l);
  LinkMotion motion = link(x.parent);
  const auto j = std::find(columns_.begin(), columns_.end(), x.y) - columns_.begin();
  const Vec u = on_link(x.parent, x.axis, k);
  const PointMotion start = point(x.parent, x.o, k);
  const CoordinateSymbols& s = symbols_[j];
  motion.origin = beside(motion, start, u * s.turn);
  motion.origin.by[j] += u;
  motion.origin.rate += u * s.rate;
  motion.origin.bias += cross(motion.omega, u) * (Expr(2) * s.rate);
  motion.turn = {s.turn, std::vector<Expr>(columns_.size()), s.rate, {}};
  motion.turn.by[j] = Expr(1);
  motion.has_turn = true;
  return motion;
}

}  // namespace camber::mechanism_code
