// docs/theory/generated.md, section 2: positions in closed form, then the rates that each step of
// the closed form leaves, all against the base and in its axes.
#include "camber/generate/motion.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"

namespace camber::generate {

using symbolic::atan2, symbolic::sqrt, symbolic::symbol;

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

// In their order, so that their parameters are equal in all groups.
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

// The same point asked for twice is the same expressions.
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

// The coordinate q that the coupler's equation leaves, and the turn that it means.
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
          "\" cannot be generated: what acts along its joint needs a coordinate");
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

// (1), with the link's x axis towards P: P = c + Px X + Pz u.
LinkMotion MotionTracer::trace_mover(int l) {
  const SketchLink& x = sketch_.links[l];
  Parameters& k = *parameters_of(l);
  LinkMotion motion;
  const Axes axes = axes_of(l);
  motion.origin = point(x.parent, x.o, &k);
  const PointMotion Q = point(x.Q.link, x.Q.p, &k);
  const Vector3 P = x.R.transpose() * (x.P.p - x.o);
  const double Pz = x.is_flat ? 0 : P[2];
  const Vec d = atom(Q.x - motion.origin.x);
  const Expr dx = atom(dot(axes.x, d)), dy = atom(dot(axes.y, d)), dz = dot(axes.u, d);
  const Expr square = atom(dx * dx + dy * dy);
  // C / Px.
  const Expr half = k(0.5 / P[0]), tilt = k(Pz / P[0]);
  Expr C = square * half;
  C += k((P[0] * P[0] + Pz * Pz - *x.length * *x.length) / (2 * P[0]));
  if (!x.is_flat) C += dz * dz * half - dz * tilt;
  C = atom(C);
  const Expr root = root_of(square - C * C) * k(x.branch), scale = Expr(1) / square;
  const Expr cosine = atom((dx * C - dy * root) * scale), sine = atom((dy * C + dx * root) * scale);
  turn_to(axes, sine, cosine, &motion);

  const LinkMotion& parent = link(x.parent);
  const Expr Px = k(P[0]), Pu = k(Pz);
  const Vec arm = motion.R.c[0] * Px + axes.u * Pu;
  const Vec e = atom(arm - d);  // P - Q
  const Expr inverse = atom(Expr(-1) / (root * Px));
  NumberMotion turn;
  for (std::size_t j = 0; j < columns_.size(); ++j)
    turn.by.push_back(
        atom(dot(e, motion.origin.by[j] + cross(parent.w[j], arm) - Q.by[j]) * inverse));
  turn.rate = atom(total(turn.by));
  const Vec omega = atom(parent.omega + axes.u * turn.rate), spin = atom(cross(omega, arm));
  const Vec slip = atom(motion.origin.rate + spin - Q.rate);
  const Vec alpha = parent.alpha + cross(parent.omega, axes.u) * turn.rate;
  const Vec missing = motion.origin.bias + cross(alpha, arm) + cross(omega, spin) - Q.bias;
  turn.bias = atom((dot(e, missing) + dot(slip, slip)) * inverse);
  // The turn itself, against where the link was: for what acts along the joint.
  const Vec X = on_link(x.parent, x.R.col(0), &k), Y = on_link(x.parent, x.R.col(1), &k);
  turn.x = atan2(dot(Y, motion.R.c[0]), dot(X, motion.R.c[0]));
  set_rates(l, axes.u, turn, &motion);
  return motion;
}

// (4): the distance is right, so that X, or the arm that its slide has, is along d.
LinkMotion MotionTracer::trace_aimer(int l) {
  const SketchLink& x = sketch_.links[l];
  Parameters& k = *parameters_of(l);
  LinkMotion motion;
  const Axes axes = axes_of(l);
  motion.origin = point(x.parent, x.o, &k);
  const PointMotion Q = point(x.Q.link, x.Q.p, &k);
  const Vec d = atom(Q.x - motion.origin.x);
  const Expr dx = dot(axes.x, d), dy = dot(axes.y, d);
  const Vector3 P = x.R.transpose() * (x.P.p - x.o);
  const bool slides = x.P.link != l;
  Expr Px = k(P[0]), Py, u_z;
  NumberMotion out{{}, std::vector<Expr>(columns_.size()), {}, {}};
  Vec u;  // of the slide, in the link's axes
  if (slides) {
    out = stretch(x.P.link);
    u = vector(x.R.transpose() * sketch_.links[x.P.link].axis, &k);
    Px = atom(Px + u[0] * out.x);
    Py = u[1] * out.x;
  }
  Expr inverse = Expr(1) / Px, sine, cosine;
  if (Py.is_zero()) {
    sine = atom(dy * inverse);
    cosine = atom(dx * inverse);
  } else {
    inverse = Expr(1) / (Px * Px + Py * Py);
    sine = atom((Px * dy - Py * dx) * inverse);
    cosine = atom((Px * dx + Py * dy) * inverse);
  }
  turn_to(axes, sine, cosine, &motion);

  const LinkMotion& parent = link(x.parent);
  const Vec arm = motion.R.c[0] * Px + motion.R.c[1] * Py + axes.u * k(P[2]);
  const Vec tangent = Py.is_zero() ? motion.R.c[1] * inverse : cross(axes.u, arm) * inverse;
  const Vec slide = motion.R * u;
  NumberMotion turn;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const Vec by = motion.origin.by[j] + cross(parent.w[j], arm) + slide * out.by[j];
    turn.by.push_back(atom(dot(tangent, Q.by[j] - by)));
  }
  turn.rate = atom(total(turn.by));
  const Vec omega = atom(parent.omega + axes.u * turn.rate);
  const Vec alpha = parent.alpha + cross(parent.omega, axes.u) * turn.rate;
  const Vec bias = motion.origin.bias + cross(alpha, arm) + cross(omega, cross(omega, arm)) +
                   cross(omega, slide) * (Expr(2) * out.rate) + slide * out.bias;
  turn.bias = atom(dot(tangent, Q.bias - bias));
  const Vec X = on_link(x.parent, x.R.col(0), &k), Y = on_link(x.parent, x.R.col(1), &k);
  turn.x = atan2(dot(Y, motion.R.c[0]), dot(X, motion.R.c[0]));
  set_rates(l, axes.u, turn, &motion);
  return motion;
}

// (5), in the axes of the link that aims: e = e0 + u x, |e| = |Q - its joint|.
const NumberMotion& MotionTracer::stretch(int slide) {
  const auto found = stretches_.find(slide);
  if (found != stretches_.end()) return found->second;
  const SketchLink& x = sketch_.links[slide];
  const SketchLink& aimer = sketch_.links[x.aimer];
  Parameters& k = *parameters_of(slide);
  Vector3 e0 = aimer.R.transpose() * (x.P.p - aimer.o);
  if (x.is_flat) e0[2] = 0;
  const Vec e = vector(e0, &k), u = vector(aimer.R.transpose() * x.axis, &k);
  const PointMotion from = point(aimer.parent, aimer.o, &k), to = point(x.Q.link, x.Q.p, &k);
  Vec reach = to.x - from.x;
  if (x.is_flat) {
    const Vec n = vector(aimer.basis.col(2), &k);
    reach = reach - n * dot(n, reach);
  }
  reach = atom(reach);
  const Expr b = dot(u, e);
  const Expr root = root_of(b * b - dot(e, e) + dot(reach, reach)) * k(x.branch);
  const Expr inverse = atom(Expr(1) / root);
  NumberMotion out;
  out.x = root - b;
  for (std::size_t j = 0; j < columns_.size(); ++j)
    out.by.push_back(atom(dot(reach, to.by[j] - from.by[j]) * inverse));
  out.rate = atom(total(out.by));
  const Vec speed = atom(to.rate - from.rate);
  out.bias =
      atom((dot(reach, to.bias - from.bias) + dot(speed, speed) - out.rate * out.rate) * inverse);
  return stretches_.emplace(slide, std::move(out)).first->second;
}

LinkMotion MotionTracer::trace_stretch(int l) {
  const SketchLink& x = sketch_.links[l];
  const NumberMotion out = stretch(l);
  LinkMotion motion = link(x.parent);
  const Vec u = on_link(x.parent, x.axis, own_);
  const PointMotion start = point(x.parent, x.o, own_);
  motion.origin = beside(motion, start, u * out.x);
  for (std::size_t j = 0; j < columns_.size(); ++j) motion.origin.by[j] += u * out.by[j];
  motion.origin.rate += u * out.rate;
  motion.origin.bias += cross(motion.omega, u) * (Expr(2) * out.rate) + u * out.bias;
  motion.turn = out;
  motion.has_turn = true;
  return motion;
}

// --- Joints that point ---

// P at Q: k = (Q - c) / l. The spin about k follows from |P2 - Q2| as in trace_mover(), counted
// from an x axis normal to k and to an axis of the base.
LinkMotion MotionTracer::trace_ball(int l) {
  const SketchLink& x = sketch_.links[l];
  Parameters& k = *own_;
  LinkMotion motion;
  motion.origin = point(x.parent, x.o, &k);
  const PointMotion Q = point(x.Q), Q2 = point(x.Q2);
  const Vec arm = atom(Q.x - motion.origin.x);
  const bool slides = x.P.link != l;
  NumberMotion out{{}, std::vector<Expr>(columns_.size()), {}, {}};
  const Vector3 P = x.R.transpose() * (x.P.p - x.o), P2 = x.R.transpose() * (x.P2.p - x.o);
  // In the link's axes: where P is, its direction b3, and two normal to it.
  Vec b1{Expr(1), Expr(0), Expr(0)}, b3{Expr(0), Expr(0), Expr(1)};
  const Vec b2{Expr(0), Expr(1), Expr(0)};
  Expr inverse = k(1 / P.norm());
  Vec p2 = vector(P2, &k);
  Expr sign(1);
  if (slides) {
    out = stretch(x.P.link);
    inverse = atom(Expr(1) / sqrt(dot(arm, arm)));
    // The slide is along the link's z axis, up to its sign.
    sign = k(x.R.col(2).dot(sketch_.links[x.P.link].axis));
    const Expr bx = k(P[0]), bz = k(P[2]);
    b3 = Vec(bx * inverse, Expr(0), (bz + sign * out.x) * inverse);
    b1 = Vec(b3[2], Expr(0), -b3[0]);
    if (x.P2.link != l) p2 = Vec(p2[0], p2[1], p2[2] + sign * out.x);
  }
  const Vec u = atom(arm * inverse);
  const Vector3 u_ref = (x.P.p - x.o).normalized();
  int least = 0;
  u_ref.cwiseAbs().minCoeff(&least);
  const Vec aside(Expr(least == 0), Expr(least == 1), Expr(least == 2));
  const Vec across = cross(aside, u);
  const Vec ax = atom(across * (Expr(1) / sqrt(dot(across, across)))), ay = atom(cross(u, ax));
  const Vec d2 = atom(Q2.x - motion.origin.x);
  const Expr dx = atom(dot(ax, d2)), dy = atom(dot(ay, d2)), dz = dot(u, d2);
  const Expr px = dot(b1, p2), py = dot(b2, p2), pz = dot(b3, p2);
  const Expr A = atom(px * dx + py * dy), B = atom(px * dy - py * dx), square = atom(A * A + B * B);
  const Expr C =
      atom((dot(p2, p2) + dot(d2, d2) - k(*x.length2 * *x.length2)) * Expr(0.5) - pz * dz);
  const Expr root = root_of(square - C * C) * k(x.branch2), scale = atom(Expr(1) / square);
  const Expr cosine = atom((A * C - B * root) * scale), sine = atom((B * C + A * root) * scale);
  Mat turned;
  turned.c[0] = ax * cosine + ay * sine;
  turned.c[1] = ay * cosine - ax * sine;
  turned.c[2] = u;
  motion.R = turned * transpose(Mat{{b1, b2, b3}});
  for (Vec& column : motion.R.c) column = atom(column);

  // w = u x u' + spin u, where u' is what the slide leaves of it.
  const Vec slide = motion.R.c[2] * sign;
  const Vec arm2 = atom(turned * Vec(px, py, pz)), e2 = atom(arm2 - d2);
  const Expr pivot = atom(Expr(-1) / root);
  const bool rides = slides && x.P2.link != l;
  NumberMotion spin;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const Vec moved = Q.by[j] - motion.origin.by[j] - slide * out.by[j];
    const Vec w = atom(cross(u, moved) * inverse);
    Vec by = motion.origin.by[j] + cross(w, arm2) - Q2.by[j];
    if (rides) by += slide * out.by[j];
    spin.by.push_back(atom(dot(e2, by) * pivot));
    motion.w.push_back(atom(w + u * spin.by[j]));
  }
  spin.rate = atom(total(spin.by));
  motion.omega = atom(total(motion.w));
  const Vec& omega = motion.omega;
  const Vec coriolis = cross(omega, slide) * (Expr(2) * out.rate) + slide * out.bias;
  const Vec alpha = atom(cross(u, Q.bias - motion.origin.bias - coriolis) * inverse -
                         cross(u, omega) * dot(omega, u));
  Vec rate = motion.origin.rate + cross(omega, arm2) - Q2.rate;
  Vec missing =
      motion.origin.bias + cross(alpha, arm2) + cross(omega, cross(omega, arm2)) - Q2.bias;
  if (rides) {
    rate += slide * out.rate;
    missing += coriolis;
  }
  rate = atom(rate);
  spin.bias = atom((dot(e2, missing) + dot(rate, rate)) * pivot);
  motion.alpha = atom(alpha + u * spin.bias);
  return motion;
}

// d = Q - c; the spin about d is that which leaves the joint's outer axis normal to its inner one
// u: (w - w_P).n = 0 with n = d - u (u.d).
LinkMotion MotionTracer::trace_universal(int l) {
  const SketchLink& x = sketch_.links[l];
  Parameters& k = *own_;
  const int carrier = sketch_.links[x.parent].parent;
  const double length = (x.P.p - x.o).norm();
  LinkMotion motion;
  motion.origin = point(carrier, x.o, &k);
  const PointMotion Q = point(x.Q);
  const LinkMotion& parent = link(carrier);
  const Vec u = atom(on_link(carrier, x.axis, &k));
  const Vec d = atom(Q.x - motion.origin.x);
  const Vec across = cross(d, u);
  motion.R.c[2] = d * k(1 / length);
  motion.R.c[1] = atom(across * (Expr(1) / sqrt(dot(across, across))));
  motion.R.c[0] = atom(cross(motion.R.c[1], motion.R.c[2]));
  const Expr along = atom(dot(u, d));
  const Vec n = atom(d - u * along);
  const Expr inverse = k(1 / (length * length)), pivot = atom(Expr(1) / dot(d, n));
  Expr spin;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const Vec w = atom(cross(d, Q.by[j] - motion.origin.by[j]) * inverse);
    const Expr by = atom(dot(parent.w[j] - w, n) * pivot);
    motion.w.push_back(atom(w + d * by));
    spin += by * symbols_[j].rate;
  }
  spin = atom(spin);
  motion.omega = atom(total(motion.w));
  const Vec d_rate = atom(Q.rate - motion.origin.rate), u_rate = atom(cross(parent.omega, u));
  const Vec n_rate = d_rate - u_rate * along - u * (dot(u_rate, d) + dot(u, d_rate));
  const Vec alpha = atom(cross(d, Q.bias - motion.origin.bias) * inverse + d_rate * spin);
  const Expr bias =
      atom((dot(parent.alpha - alpha, n) - dot(motion.omega - parent.omega, n_rate)) * pivot);
  motion.alpha = atom(alpha + d * bias);
  return motion;
}

}  // namespace camber::generate
