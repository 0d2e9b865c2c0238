#include "camber/mechanism_code/hand_over.h"

#include <algorithm>

namespace camber::mechanism_code {

namespace {

class HandOver {
 public:
  explicit HandOver(Sketch* sketch) : out_(*sketch) {}

  void run() {
    for (int l = size() - 1; l > 0; --l) hand_over_turning(l);
    for (int l = 1; l < size(); ++l) hand_over_rod(l);
    for (int l = 1; l < size(); ++l) find_gyrostat(l);
    for (int l = 1; l < size(); ++l) hand_over_to_base(l);
  }

 private:
  int size() const { return static_cast<int>(out_.links.size()); }
  SketchLink& link(int l) { return out_.links[l]; }
  const multibody::Model<double>& model() const { return out_.mechanism.model; }

  static void add(const Moments& more, Moments* to) {
    const double mass = to->mass + more.mass;
    if (mass <= 0) return;
    const Vector3 center = (to->mass * to->center + more.mass * more.center) / mass;
    const Vector3 a = to->center - center, b = more.center - center;
    to->second += more.second + to->mass * a * a.transpose() + more.mass * b * b.transpose();
    to->mass = mass;
    to->center = center;
  }

  // A sliding link rotates with the link that carries it.
  void hand_over_turning(int l) {
    SketchLink& x = link(l);
    if (x.role != Role::kStretch && x.role != Role::kSlide && x.role != Role::kCoupledSlide) return;
    (x.parent == out_.base ? out_.body : link(x.parent).body).second += x.body.second;
    x.body.second.setZero();
  }

  // A body between two points of other links, with its center on the line between them: these links
  // take its mass, and only second moments remain.
  void hand_over_rod(int l) {
    SketchLink& x = link(l);
    if (x.role != Role::kUniversal || x.body.mass <= 0) return;
    const Vector3 d = x.P.p - x.o, arm = x.body.center - x.o;
    const double share = arm.dot(d) / d.squaredNorm();
    if ((arm - share * d).norm() > 1e-12) return;
    const double m = x.body.mass;
    add_point(link(x.parent).parent, (1 - share) * m, x.o);
    add_point(x.Q.link, share * m, x.Q.p);
    x.body.second -= m * share * (1 - share) * d * d.transpose();
    x.body.mass = 0;
  }

  // A mass on an axis that is fixed in the base does not move: the base takes it.
  void hand_over_to_base(int l) {
    SketchLink& x = link(l);
    const bool turns = x.role == Role::kTurn || x.role == Role::kMover || x.role == Role::kAimer ||
                       x.role == Role::kCoupled;
    if (!turns || x.body.mass <= 0) return;
    const bool is_hinged = link(x.parent).role == Role::kStill;
    const bool is_anchored = x.is_planar && x.anchor && link(x.anchor->link).role == Role::kStill;
    if (!is_hinged && !is_anchored) return;
    Moments& body = x.body;
    const Vector3 from = is_hinged ? x.o : x.anchor->p;
    const Vector3 p = from + x.axis * x.axis.dot(body.center - from), arm = body.center - p;
    add_point(out_.base, body.mass, p);
    body.first = body.mass * arm;
    body.second += body.mass * arm * arm.transpose();
    body.center = p;
    body.mass = 0;
  }

  void add_point(int l, double mass, const Vector3& p) {
    add(Moments{mass, p, Matrix3::Zero()}, l == out_.base || l == 0 ? &out_.body : &link(l).body);
  }

  // A round body on its spin joint, at the end of the tree.
  void find_gyrostat(int l) {
    SketchLink& x = link(l);
    if (x.role != Role::kTurn || model().cluster_of[l] >= 0 || x.body.mass <= 0) return;
    if (x.parent == out_.base) return;
    for (int k = l + 1; k < size(); ++k)
      if (link(k).parent == l) return;
    const auto is_held_by = [l](const auto& element) { return element.a == l || element.b == l; };
    if (std::ranges::any_of(model().springs, is_held_by) ||
        std::ranges::any_of(model().bushings, is_held_by) ||
        std::ranges::any_of(model().wrenches, [l](const auto& w) { return w.link == l; }))
      return;
    const Vector3 u = x.axis, arm = x.body.center - x.o;
    x.is_unround_wheel = true;
    if ((arm - u * u.dot(arm)).norm() > 1e-12) return;
    const double along = u.dot(x.body.second * u), across = 0.5 * (x.body.second.trace() - along);
    const Matrix3 round = across * Matrix3::Identity() + (along - across) * u * u.transpose();
    if ((x.body.second - round).norm() > 1e-12 * x.body.second.norm()) return;
    // The first part of the inertia I_a u u^T + I_t (1 - u u^T) belongs to the spin; the rest moves
    // with the carrier, as a rod along the axis whose second moment is I_t.
    Moments carried{x.body.mass, x.body.center, (along + across) * u * u.transpose()};
    add(carried, &link(x.parent).body);
    x.is_unround_wheel = false;
    x.role = Role::kGyrostat;
    x.axial_inertia = 2 * across;
    x.body = {};
  }

  Sketch& out_;
};

}  // namespace

void hand_over_masses(Sketch* sketch) { HandOver(sketch).run(); }

}  // namespace camber::mechanism_code
