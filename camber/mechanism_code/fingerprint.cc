#include "camber/mechanism_code/fingerprint.h"

namespace camber::mechanism_code {

namespace {

class LawHash {
 public:
  explicit LawHash(std::string_view name) : value_(Fingerprint::of_symbol(name)) {}
  void add(Fingerprint x) { value_ = select(value_, x, value_); }
  void add(const std::vector<Fingerprint>& table) {
    add(Fingerprint(static_cast<double>(table.size()) + 1));
    for (const Fingerprint x : table) add(x);
  }
  Fingerprint value() const { return value_; }

 private:
  Fingerprint value_;
};

}  // namespace

Fingerprint calc_tension(const multibody::SpringForce<Fingerprint>& spring, Fingerprint length,
                         Fingerprint rate) {
  LawHash law("tension");
  for (const Fingerprint x : {spring.free_length, spring.stiffness, spring.damping, spring.preload,
                              spring.shortest, spring.longest, spring.end_rate, length, rate})
    law.add(x);
  for (const auto* table : {&spring.spring_x, &spring.spring_y, &spring.damper_x, &spring.damper_y,
                            &spring.end_x, &spring.end_y})
    law.add(*table);
  return law.value();
}

Fingerprint calc_axis_force(const multibody::AxisForce<Fingerprint>& axis, Fingerprint position,
                            Fingerprint speed) {
  LawHash law("axis force");
  for (const Fingerprint x :
       {axis.stiffness, axis.rest, axis.damping, axis.friction, axis.friction_speed, axis.lower,
        axis.upper, axis.stop_stiffness, axis.stop_damping, axis.force, position, speed})
    law.add(x);
  law.add(Fingerprint(1.0 + (axis.q < 0 ? 1 : 0) + (axis.has_lower ? 2 : 0) +
                      (axis.has_upper ? 4 : 0)));
  return law.value();
}

}  // namespace camber::mechanism_code
