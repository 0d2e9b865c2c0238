#include "camber/rolling_wheel/wheel_file.h"

#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "camber/codegen/interpreter.h"
#include "camber/core/require.h"
#include "camber/core/run_table.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/parse.h"

namespace camber::rolling_wheel {
namespace {

using symbolic::Expr;

/// mu, drive and brake as one program of t. Schedules may be copied; each copy has its own
/// interpreter.
class Schedule {
 public:
  explicit Schedule(const codegen::Program& program) : interpreter_(program) {}
  WheelInputs operator()(double t) {
    double values[3];
    interpreter_.run(std::span(&t, 1), values);
    return {values[0], values[1], values[2]};
  }

 private:
  codegen::Interpreter<double> interpreter_;
};

class Reader {
 public:
  explicit Reader(TomlFile file) : file_(std::move(file)) {}

  WheelScenario read() {
    const TomlNode root = file_.root();
    root.at("kind").choice({"rolling_wheel"});
    scenario_.name = root.at("name").text();
    scenario_.about = root.get("about", std::string()).text();
    scenario_.law = *find_wheel_law(root.get("law", std::string("relaxed"))
                                        .choice({"relaxed", "events", "regularized", "printed"}));
    scenario_.duration = root.get("duration", 20.0).positive("s");
    read_parameters(root);
    read_wheel(root.at("wheel"));
    read_ground(root.at("ground"));
    read_loads(root);
    read_start(root);
    read_run_table(root);
    if (const TomlNode run = root.find("run"))
      if (const TomlNode duration = run.find("duration"))
        duration.error("the duration of a rolling wheel is the key duration of its file");
    file_.finish();
    return std::move(scenario_);
  }

 private:
  void read_parameters(const TomlNode& root) {
    const TomlNode table = root.find("parameters");
    if (!table) return;
    for (const TomlNode& node : table.entries()) {
      node.expect_in_file("parameter");
      try {
        require(node.key() != "t", "t is the time");
        if (const std::optional<Expr> value = expression(node, "")) {
          vocabulary_.add(node.key(), *value);
        }
      } catch (const std::invalid_argument& error) {  // an invalid name
        node.error(error.what());
      }
    }
  }

  /// A number, or an expression in the parameters so far and, if `t` is given, in the time.
  std::optional<Expr> expression(const TomlNode& node, std::string_view unit,
                                 const Expr* t = nullptr) {
    if (!node.is_text()) return Expr(node.number(unit));
    try {
      symbolic::Vocabulary vocabulary = vocabulary_;
      if (t != nullptr) vocabulary.add("t", *t);
      const Expr e = symbolic::parse(node.text(), vocabulary);
      if (t == nullptr) return Expr(symbolic::evaluate(e, {}));
      return e;
    } catch (const symbolic::ParseError& error) {
      node.error_in_text(error.offset(), error.message());
    } catch (const std::exception& error) {
      node.error(error.what());
    }
    return {};
  }

  /// A function of time that has a value during the whole run and, if requested, is not negative.
  Expr over_time(const TomlNode& node, std::string_view unit, bool may_be_negative) {
    const std::optional<Expr> e = expression(node, unit, &t_);
    if (!e) return Expr(0);
    constexpr int kLooks = 1000;
    for (int i = 0; i <= kLooks; ++i) {
      const double t = scenario_.duration * i / kLooks;
      double value = 0;
      try {
        value = symbolic::evaluate(*e, {{t_, t}});
      } catch (const std::exception& error) {
        node.error(concat(error.what(), ", at t = ", t, " s"));
        return Expr(0);
      }
      if (std::isfinite(value) && (may_be_negative || value >= 0)) continue;
      const std::string space = unit.empty() ? "" : " ";
      node.error(concat("must be ", may_be_negative ? "finite" : concat(">= 0", space, unit),
                        ", got ", value, node.is_text() ? concat(" at t = ", t, " s") : ""));
      return Expr(0);
    }
    return *e;
  }

  void read_wheel(const TomlNode& node) {
    RollingWheel& wheel = scenario_.wheel;
    wheel.mass = node.at("mass").positive("kg");
    wheel.radius = node.at("radius").positive("m");
    const double disc = 0.5 * wheel.mass * wheel.radius * wheel.radius;
    const TomlNode inertia = node.find("inertia");
    wheel.inertia = inertia ? inertia.positive("kg m^2") : disc;
    wheel.locked = node.get("locked", false).boolean();
  }

  void read_ground(const TomlNode& node) {
    RollingWheel& wheel = scenario_.wheel;
    mu_ = over_time(node.at("mu"), "", false);
    wheel.gravity = node.get("gravity", 9.81).positive("m/s^2");
    wheel.slope = node.get("slope_deg", 0.0).in_range(-89, 89, "deg") * std::numbers::pi / 180;
    wheel.slip_speed = node.get("slip_speed", wheel.slip_speed).positive("m/s");
    wheel.k_s = node.get("k_s", 1.0).number("");
    wheel.k_F = node.get("k_F", 1.0).number("");
  }

  void read_loads(const TomlNode& root) {
    RollingWheel& wheel = scenario_.wheel;
    Expr drive(0), brake(0);
    if (const TomlNode node = root.find("drive")) drive = over_time(node.at("torque"), "N m", true);
    if (const TomlNode node = root.find("brake")) {
      brake = over_time(node.at("torque"), "N m", false);
      scenario_.brake_from = node.at("from").in_range(0, scenario_.duration, "s");
      wheel.brake_sharpness = node.get("sharpness", wheel.brake_sharpness).positive("s/rad");
      scenario_.stop_speed = node.get("stop_speed", scenario_.stop_speed).positive("m/s");
    }
    if (const TomlNode node = root.find("resistance")) {
      wheel.drag = node.get("drag", 0.0).non_negative("N s^2/m^2");
      wheel.bearing = node.get("bearing", 0.0).non_negative("N m s/rad");
    }
    codegen::ProgramBuilder program("schedule");
    program.add_input("t", {t_}).add_output("inputs", {mu_, drive, brake});
    scenario_.schedule = Schedule(program.build());
  }

  void read_start(const TomlNode& root) {
    const TomlNode node = root.find("start");
    if (!node) return;
    scenario_.speed = node.get("speed", 0.0).number("m/s");
    const TomlNode rim = node.find("rim_speed");
    const double rolling = scenario_.wheel.locked ? 0 : scenario_.speed;
    scenario_.rim_speed = rim ? rim.number("m/s") : rolling;
    if (scenario_.wheel.locked && scenario_.rim_speed != 0) {
      rim.error(concat("a locked wheel does not rotate, got ", scenario_.rim_speed, " m/s"));
    }
  }

  TomlFile file_;
  WheelScenario scenario_;
  symbolic::Vocabulary vocabulary_;
  Expr t_ = symbolic::symbol("t");
  Expr mu_ = Expr(0);
};

}  // namespace

WheelScenario read_wheel_scenario(TomlFile file) { return Reader(std::move(file)).read(); }

WheelScenario load_wheel_scenario(const std::string& path, const Overrides& overrides) {
  return read_wheel_scenario(load_toml(path, overrides));
}

}  // namespace camber::rolling_wheel
