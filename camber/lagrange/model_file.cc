#include "camber/lagrange/model_file.h"

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "camber/core/require.h"
#include "camber/core/run_table.h"
#include "camber/core/suggestion.h"
#include "camber/core/toml_reader.h"
#include "camber/lagrange/cut_hinge.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/parse.h"
#include "camber/symbolic/parse_error.h"
#include "camber/symbolic/probe.h"
#include "camber/symbolic/simplify.h"
#include "camber/symbolic/tokens.h"
#include "camber/symbolic/user_function.h"
#include "camber/symbolic/vocabulary.h"

namespace camber::lagrange {

namespace {

/// Names may refer to each other in any order, so the meaning of a name is resolved at its first
/// use.
template <class T>
class Definitions {
 public:
  Definitions(std::string kind, std::function<T(const TomlNode&)> read)
      : kind_(std::move(kind)), read_(std::move(read)) {}

  void add(const TomlNode& node) { nodes_.emplace(node.key(), node); }
  bool has(const std::string& name) const { return nodes_.contains(name) || known_.contains(name); }
  void preset(const std::string& name, const T& value) { known_.emplace(name, value); }

  /// `asking` is where the name was written, for messages.
  T get(const std::string& name, const TomlNode& asking) {
    if (const auto found = known_.find(name); found != known_.end()) return found->second;
    const auto node = nodes_.find(name);
    if (node == nodes_.end()) {
      std::vector<std::string> names;
      for (const auto& [other, ignored] : nodes_) names.push_back(other);
      for (const auto& [other, ignored] : known_) names.push_back(other);
      const auto close = closest_match(name, names);
      asking.error("no " + kind_ + " \"" + name + "\"" +
                   (close ? "; did you mean \"" + *close + "\"?" : ""));
      return known_.emplace(name, T{}).first->second;
    }
    if (!in_progress_.insert(name).second) {
      asking.error("the " + kind_ + " \"" + name + "\" is defined by itself, through " + path());
      return T{};
    }
    constexpr std::size_t kLongestChain = 1000;  // more would overflow the stack
    if (in_progress_.size() > kLongestChain) {
      if (!std::exchange(has_long_chain_, true)) {
        asking.error("the " + kind_ + " \"" + name + "\" is the end of a chain of more than " +
                     std::to_string(kLongestChain) + " that are defined by one another");
      }
      in_progress_.erase(name);
      return known_.emplace(name, T{}).first->second;
    }
    T value = read_(node->second);
    in_progress_.erase(name);
    return known_.emplace(name, std::move(value)).first->second;
  }

  void resolve_all() {
    for (const auto& [name, node] : nodes_) get(name, node);
  }
  const std::map<std::string, T>& known() const { return known_; }

 private:
  std::string path() const {
    std::string names;
    for (const std::string& name : in_progress_)
      names += (names.empty() ? "\"" : ", \"") + name + "\"";
    return names;
  }

  std::string kind_;
  std::function<T(const TomlNode&)> read_;
  std::map<std::string, TomlNode> nodes_;
  std::map<std::string, T> known_;
  std::set<std::string> in_progress_;
  bool has_long_chain_ = false;  // reported once
};

Axis read_axis(const TomlNode& node) {
  const std::string axis = node.choice({"x", "y", "z"});
  return axis == "x" ? Axis::kX : axis == "y" ? Axis::kY : Axis::kZ;
}

/// A point of a model file: what it belongs to, and the frame in which its coordinates NAME.x,
/// NAME.y and NAME.z are given. The second never changes the first: a point of a wheel stays one of
/// the wheel when its coordinates are those in the ground.
struct NamedPoint {
  Point point;
  Point shown;  // the same place, coordinates in the frame of the key `in`
};

/// A name for a symbol or variable; an invalid one is reported and replaced by a valid one.
std::string name_from(const TomlNode& node, const std::string& name) {
  try {
    symbolic::symbol(name);
    return name;
  } catch (const std::invalid_argument& error) {
    node.error(error.what());
    return "invalid_name";
  }
}

class Reader {
 public:
  explicit Reader(const TomlNode& root)
      : root_(root),
        frames_("frame", [this](const TomlNode& node) { return read_frame(node); }),
        points_("point", [this](const TomlNode& node) { return read_point(node); }),
        vectors_("vector", [this](const TomlNode& node) { return read_vector(node); }),
        scalars_("definition", [this](const TomlNode& node) { return read_definition(node); }) {}

  LagrangianModel read() {
    root_.at("kind").choice({"lagrangian"});
    const TomlNode name = root_.at("name");
    system_.name = name.text();
    if (name.is_text())
      name_from(name, system_.name);  // used as the name of generated code and its files
    model_.about = root_.get("about", std::string()).text();
    read_names();
    read_definitions();
    read_parameters();
    if (const auto gravity = root_.find("gravity")) system_.gravity = triple(gravity);
    for (const TomlNode& node : entries("bodies")) {
      system_.bodies.push_back(read_body(node));
      check_moves(system_.bodies.back(), node);
    }
    read_loads();
    read_constraints();
    for (const TomlNode& node : entries("extra")) {
      system_.extra.push_back({symbolic::variable(name_from(node, node.key())), expression(node)});
    }
    for (const TomlNode& node : entries("outputs"))
      system_.outputs.push_back({node.key(), expression(node)});
    read_linearization();
    for (const TomlNode& node : entries("initial")) model_.initial[leaf(node)] = expression(node);
    model_.frames = frames_.known();
    for (const auto& [key, named] : points_.known()) model_.points.emplace(key, named.point);
    model_.vectors = vectors_.known();
    model_.system = std::move(system_);
    return std::move(model_);
  }

 private:
  std::vector<TomlNode> entries(std::string_view key) const {
    const TomlNode table = root_.find(key);
    return table ? table.entries() : std::vector<TomlNode>();
  }
  std::vector<TomlNode> elements(std::string_view key) const {
    const TomlNode array = root_.find(key);
    return array ? array.elements() : std::vector<TomlNode>();
  }

  // --- Names and expressions ---

  void declare(const TomlNode& node, const std::string& name, const Expr& meaning) {
    try {
      vocabulary_.add(name, meaning);
    } catch (const std::invalid_argument& error) {
      node.error(error.what());
    }
  }

  void read_names() {
    vocabulary_.add("t", system_.time);
    for (const TomlNode& node : entries("parameters")) {
      if (node.key() == system_.time.name())
        node.error("is the time already; a parameter needs another name");
      declare(node, node.key(), symbolic::symbol(name_from(node, node.key())));
    }
    for (const TomlNode& node : elements("coordinates")) {
      const std::string name = name_from(node, node.text());
      declare(node, name, system_.add_coordinate(name));
      model_.places.emplace(name, node.position());
    }
    for (const TomlNode& node : elements("inputs")) {
      const std::string name = name_from(node, node.text());
      system_.inputs.push_back(symbolic::variable(name));
      declare(node, name, system_.inputs.back());
    }
    for (const TomlNode& node : entries("extra"))
      declare(node, node.key(), symbolic::variable(name_from(node, node.key())));
    for (const TomlNode& node : entries("tables")) read_table(node);
  }

  void read_table(const TomlNode& node) {
    const auto kind =
        node.get("interpolation", std::string("cubic")).choice({"linear", "cubic"}) == "linear"
            ? symbolic::Interpolation::kLinear
            : symbolic::Interpolation::kCubic;
    const std::vector<double> x = node.at("x").numbers("");
    try {
      if (const auto y = node.find("y")) {
        const std::vector<double> grid = y.numbers("");
        const auto values = node.at("values").matrix(x.size(), grid.size(), "");
        vocabulary_.add_function(symbolic::register_table(node.key(), x, grid, values, kind));
      } else {
        vocabulary_.add_function(
            symbolic::register_table(node.key(), x, node.at("values").numbers(""), kind));
      }
    } catch (const std::invalid_argument& error) {
      node.error(error.what());
    }
  }

  /// Components of points and vectors, NAME.x, and definitions become known when an expression asks
  /// for them.
  void prepare_names(const TomlNode& node, const std::string& text) {
    for (const symbolic::internal::Token& token : symbolic::internal::tokenize(text, {})) {
      const std::string name(token.text);
      if (token.kind != symbolic::internal::TokenKind::kName || vocabulary_.find(name) != nullptr)
        continue;
      if (scalars_.has(name)) {
        declare(node, name, scalars_.get(name, node));
        continue;
      }
      const std::size_t dot = name.rfind('.');
      if (dot == std::string::npos || dot + 2 != name.size()) continue;
      const int component = name.back() - 'x';
      const std::string owner = name.substr(0, dot);
      if (component < 0 || component > 2) continue;
      if (vectors_.has(owner)) {
        declare(node, name, vectors_.get(owner, node).components[component]);
      } else if (points_.has(owner)) {
        declare(node, name, points_.get(owner, node).shown.coordinates[component]);
      }
    }
  }

  /// A number, or a text in the grammar of expressions.
  Expr expression(const TomlNode& node) {
    if (!node.is_text()) return Expr(node.number(""));
    const std::string text = node.text();
    try {
      prepare_names(node, text);
      return symbolic::parse(text, vocabulary_);
    } catch (const symbolic::ParseError& error) {
      node.error_in_text(error.offset(), error.message());
    } catch (const std::exception& error) {
      node.error(error.what());
    }
    return Expr(1);
  }

  Vector3 triple(const TomlNode& node) {
    const std::vector<TomlNode> parts = node.elements();
    if (parts.size() != 3) {
      node.error("expected three components, got " + std::to_string(parts.size()));
      return Vector3::Zero();
    }
    return {expression(parts[0]), expression(parts[1]), expression(parts[2])};
  }

  /// The key of an entry as a coordinate, speed or other variable: q, q', lambda_NAME.
  Expr leaf(const TomlNode& node) {
    try {
      const Expr e = symbolic::parse(node.key(), vocabulary_);
      if (e.kind() == symbolic::Kind::kVariable) return e;
      node.error("expected a variable of time");
    } catch (const symbolic::ParseError& error) {
      node.error(error.message());
    }
    return symbolic::variable("invalid_name");
  }

  // --- Frames, points, vectors, definitions ---

  void read_definitions() {
    frames_.preset("ground", Frame());
    for (const TomlNode& node : entries("frames")) frames_.add(node);
    for (const TomlNode& node : entries("points")) points_.add(node);
    for (const TomlNode& node : entries("vectors")) vectors_.add(node);
    for (const TomlNode& node : entries("definitions")) scalars_.add(node);
    // Quasi-velocities are names that others may use, so their frames come first.
    for (const TomlNode& node : entries("frames")) {
      if (node.is_table() && node.find("quasi")) frames_.get(node.key(), node);
    }
    frames_.resolve_all();
    points_.resolve_all();
    vectors_.resolve_all();
    scalars_.resolve_all();
  }

  Frame frame_named(const TomlNode& node) { return frames_.get(node.text(), node); }

  Frame read_motion(const TomlNode& node) {
    try {
      if (const auto p = node.find("translate")) return translate(triple(p));
      if (const auto angle = node.find("rotate"))
        return rotate(read_axis(node.at("about")), expression(angle));
      if (const auto angles = node.find("euler")) {
        const Vector3 a = triple(angles);
        return euler_angles(node.at("sequence").text(), a[0], a[1], a[2]);
      }
      if (const auto parameters = node.find("euler_parameters")) {
        const auto e = four(parameters);
        return euler_parameters(e[0], e[1], e[2], e[3]);
      }
      if (const auto link = node.find("denavit_hartenberg")) {
        const auto e = four(link);
        return denavit_hartenberg(e[0], e[1], e[2], e[3]);
      }
      if (const auto other = node.find("inverse_of")) return inverse(frame_named(other));
    } catch (const std::invalid_argument& error) {
      node.error(error.what());
      return {};
    }
    node.error(
        "expected one of translate, rotate, euler, euler_parameters, denavit_hartenberg, "
        "inverse_of");
    return {};
  }

  std::vector<Expr> four(const TomlNode& node) {
    std::vector<Expr> result;
    for (const TomlNode& element : node.elements()) result.push_back(expression(element));
    if (result.size() != 4)
      node.error("expected four values, got " + std::to_string(result.size()));
    result.resize(4);
    return result;
  }

  Frame read_frame(const TomlNode& node) {
    Frame frame;
    if (const auto parent = node.find("from")) frame = frame_named(parent);
    if (const auto at = node.find("at")) {
      const Point p = points_.get(at.text(), at).point;
      frame = anchored_at(p.frame * translate(p.coordinates));
      if (node.find("from"))
        node.error("a frame starts either from a frame or at a point, not both");
    }
    if (const auto motion = node.find("motion")) {
      for (const TomlNode& step : motion.elements()) frame = frame * read_motion(step);
    }
    const auto quasi = node.find("quasi");
    return quasi ? read_base(node, quasi, frame) : frame;
  }

  Frame read_base(const TomlNode& node, const TomlNode& quasi, const Frame& pose) {
    std::vector<Expr> coordinates;
    for (const TomlNode& element : quasi.elements()) {
      const std::string name = name_from(element, element.text());
      coordinates.push_back(symbolic::variable(name));
      const auto given = std::ranges::find(system_.coordinates, coordinates.back());
      if (given == system_.coordinates.end()) {
        element.error("must be one of the coordinates");
      } else {
        // It becomes a coordinate of the base, with a quasi-velocity instead of its rate.
        system_.speeds.erase(system_.speeds.begin() + (given - system_.coordinates.begin()));
        system_.coordinates.erase(given);
      }
    }
    try {
      Frame base = system_.add_base(node.key(), pose, coordinates);
      for (const char* component : {"wx", "wy", "wz", "vx", "vy", "vz"}) {
        const std::string name = node.key() + "." + component;
        declare(node, name, symbolic::variable(name));
      }
      return base;
    } catch (const std::exception& error) {
      quasi.error(error.what());
      return pose;
    }
  }

  NamedPoint read_point(const TomlNode& node) {
    Point point;
    if (const auto other = node.find("from")) {
      point = points_.get(other.text(), other).point + vectors_.get(node.at("plus").text(), node);
    } else {
      point.frame = frame_named(node.at("frame"));
      if (const auto at = node.find("at")) point.coordinates = triple(at);
    }
    const auto in = node.find("in");
    return {point, in ? project(point, frame_named(in)) : point};
  }

  NamedPoint named_point(const TomlNode& node) {
    const std::string name = node.text();
    if (points_.has(name) || !frames_.has(name)) return points_.get(name, node);
    const Point p = origin(frames_.get(name, node));
    return {p, p};
  }
  Point point_named(const TomlNode& node) { return named_point(node).point; }

  Vector read_vector(const TomlNode& node) {
    const auto in = node.find("in");
    if (const auto point = node.find("velocity")) {
      const std::string kind =
          node.get("kind", std::string("absolute")).choice({"absolute", "relative", "eulerian"});
      const Velocity which = kind == "absolute"   ? Velocity::kAbsolute
                             : kind == "relative" ? Velocity::kRelative
                                                  : Velocity::kEulerian;
      const NamedPoint p = named_point(point);
      return velocity(p.point, which, in ? frame_named(in) : p.shown.frame);
    }
    Vector vector;
    if (const auto frame = node.find("angular_velocity")) {
      vector = angular_velocity(frame_named(frame));
    } else if (const auto other = node.find("rate_of")) {
      vector = velocity(vectors_.get(other.text(), other), Velocity::kAbsolute);
    } else if (const auto from = node.find("from")) {
      vector = named_point(node.at("to")).shown - named_point(from).shown;
    } else if (const auto product = node.find("cross")) {
      const auto [a, b] = two_vectors(product);
      vector = cross(a, b);
    } else if (const auto summands = node.find("sum")) {
      for (const TomlNode& summand : summands.elements())
        vector = vector + vectors_.get(summand.text(), summand);
    } else {
      vector.frame = frame_named(node.get("frame", std::string("ground")));
      vector.components = triple(node.at("components"));
    }
    return in ? project(vector, frame_named(in)) : vector;
  }

  // --- What the system is made of ---

  void read_parameters() {
    for (const TomlNode& node : entries("parameters")) {
      node.expect_in_file("parameter");
      system_.parameters.push_back(
          {symbolic::symbol(name_from(node, node.key())), expression(node)});
    }
    try {
      parameter_values(system_);
    } catch (const std::exception& error) {  // a circle, a division by zero
      root_.find("parameters").error(error.what());
    }
  }

  std::pair<Vector, Vector> two_vectors(const TomlNode& product) {
    const auto both = product.elements();
    if (both.size() != 2) {
      product.error("expected two vectors");
      return {};
    }
    return {vectors_.get(both[0].text(), both[0]), vectors_.get(both[1].text(), both[1])};
  }

  /// An expression, or the dot product of two vectors.
  Expr read_definition(const TomlNode& node) {
    if (!node.is_table()) return expression(node);
    const auto [a, b] = two_vectors(node.at("dot"));
    return dot(a, b);
  }

  Body read_body(const TomlNode& node) {
    const Point center = point_named(node.at("center"));
    const Vector3 moments = node.find("inertia") ? triple(node.at("inertia")) : Vector3::Zero();
    // yz, xz, xy: elements of the tensor, or the integrals of y z dm and so on, which are minus
    // those.
    const TomlNode elements = node.find("products");
    const TomlNode integrals = node.find("product_integrals");
    if (elements && integrals)
      node.error("has both products and product_integrals: these are the same up to their sign");
    Vector3 products = Vector3::Zero();
    if (elements) products = triple(elements);
    if (integrals) products = -triple(integrals);
    const TomlNode mass = node.find("mass");
    return make_body(node.key(), center, mass ? expression(mass) : Expr(0), moments[0], moments[1],
                     moments[2], products[0], products[1], products[2]);
  }

  /// A body that never enters the kinetic energy has no part in the equations: a mistake that would
  /// go unnoticed.
  void check_moves(const Body& body, const TomlNode& node) const {
    const bool has_inertia = body.inertia != Matrix3::Zero();
    if (body.mass.is_zero() && !has_inertia) {
      node.error("has neither mass nor inertia, so no part in the equations of motion");
      return;
    }
    const auto moves = [&](const Vector3& velocity) {
      return std::ranges::any_of(velocity, [&](const Expr& component) {
        return std::ranges::any_of(component.leaves(),
                                   [&](const Expr& leaf) { return is_speed(leaf); });
      });
    };
    const Twist twist = (body.frame * translate(body.center_of_mass)).twist();
    const bool enters =
        (!body.mass.is_zero() && moves(twist.v)) || (has_inertia && moves(body.inertia * twist.w));
    if (!enters) node.error("no coordinate moves it, so it has no part in the equations of motion");
  }

  /// A body or a frame, by name.
  Frame frame_of_body(const TomlNode& node) {
    const std::string name = node.text();
    for (const Body& body : system_.bodies) {
      if (body.name == name) return body.frame;
    }
    if (frames_.has(name)) return frames_.get(name, node);
    std::vector<std::string> names;
    for (const Body& body : system_.bodies) names.push_back(body.name);
    for (const auto& [frame, ignored] : frames_.known()) names.push_back(frame);
    const auto close = closest_match(name, names);
    node.error("no body or frame \"" + name + "\"" +
               (close ? "; did you mean \"" + std::string(*close) + "\"?" : ""));
    return {};
  }

  Vector load(const TomlNode& node) {
    return {frame_named(node.get("frame", std::string("ground"))), triple(node.at("components"))};
  }

  void read_loads() {
    const auto reacting = [&](const TomlNode& node) {
      const auto body = node.find("reacting");
      return body ? frame_of_body(body) : Frame();
    };
    for (const TomlNode& node : entries("forces")) {
      system_.forces.push_back({node.key(), load(node), point_named(node.at("point")),
                                frame_of_body(node.at("acting")), reacting(node)});
    }
    for (const TomlNode& node : entries("torques")) {
      system_.torques.push_back(
          {node.key(), load(node), frame_of_body(node.at("acting")), reacting(node)});
    }
    for (const TomlNode& node : entries("potentials"))
      system_.potentials.push_back({node.key(), expression(node)});
    for (const TomlNode& node : entries("generalized_forces")) {
      const Expr q = leaf(node);
      const Expr speed = std::ranges::find(system_.speeds, q) != system_.speeds.end()
                             ? q
                             : symbolic::variable(q.name(), q.order() + 1);
      if (std::ranges::find(system_.speeds, speed) == system_.speeds.end())
        node.error("acts on a coordinate or a speed");
      system_.generalized_forces.push_back({node.key(), speed, expression(node)});
    }
  }

  void read_constraints() {
    for (const TomlNode& node : entries("constraints")) {
      const auto holonomic = node.find("holonomic");
      const auto kind = holonomic ? Constraint::Kind::kHolonomic : Constraint::Kind::kNonholonomic;
      const TomlNode zero = holonomic ? holonomic : node.at("nonholonomic");
      const Expr f = expression(zero);
      for (const Expr& q : f.leaves()) {
        const bool rate = q.kind() == symbolic::Kind::kVariable && q.order() > 0;
        if (holonomic && rate)
          node.error("a holonomic constraint has no speeds; this one has " + q.to_string());
      }
      if (!holonomic) check_nonholonomic(f, zero);
      check_demands(f, holonomic ? system_.coordinates : speeds_in(f), zero);
      const TomlNode rate = node.find("rate");
      system_.constraints.push_back(
          {name_from(node, node.key()), f, kind, rate ? expression(rate) : Expr(0)});
      model_.places.emplace(node.key(), node.key_position());
    }
    for (const TomlNode& node : entries("loops")) {
      read_loop(node);
      for (const Constraint& constraint : system_.constraints)
        model_.places.emplace(constraint.name, node.key_position());  // those that are new
    }
    for (const Constraint& constraint : system_.constraints) {
      declare(root_, "lambda_" + constraint.name, symbolic::variable("lambda_" + constraint.name));
    }
  }

  /// What the equations are written for, and rates of coordinates in terms of these.
  bool is_speed(const Expr& leaf) const {
    const auto is_rate = [&](const Expr& q) { return leaf == symbolic::variable(q.name(), 1); };
    return std::ranges::find(system_.speeds, leaf) != system_.speeds.end() ||
           std::ranges::any_of(system_.coordinates, is_rate);
  }

  std::vector<Expr> speeds_in(const Expr& f) const {
    std::vector<Expr> speeds;
    for (const Expr& x : f.leaves()) {
      if (is_speed(x)) speeds.push_back(x);
    }
    return speeds;
  }

  /// A constraint between `unknowns` has a slope along one of them: zero at random points means that
  /// it vanishes everywhere.
  static void check_demands(const Expr& f, const std::vector<Expr>& unknowns,
                            const TomlNode& node) {
    std::vector<Expr> slopes;
    for (const Expr& x : unknowns) slopes.push_back(symbolic::diff(f, x));
    const auto probed = symbolic::internal::probe(slopes);
    if (!probed || !std::ranges::all_of(*probed, symbolic::internal::is_zero)) return;
    node.error(unknowns.empty() ? "has no speed, so it demands nothing"
                                : "is zero whatever the motion, so it demands nothing");
  }

  /// Its multiplier acts along the derivatives by the speeds: these are free of speeds.
  void check_nonholonomic(const Expr& f, const TomlNode& node) const {
    const auto first_speed = [&](const Expr& e) {
      const auto found =
          std::ranges::find_if(e.leaves(), [&](const Expr& x) { return is_speed(x); });
      return found == e.leaves().end() ? Expr(0) : *found;
    };
    for (const Expr& x : f.leaves()) {
      const bool rate = x.kind() == symbolic::Kind::kVariable && x.order() > 0;
      if (rate && is_speed(symbolic::variable(x.name(), x.order() - 1)))
        node.error("a nonholonomic constraint has no accelerations; this one has " + x.to_string());
    }
    for (const Expr& speed : f.leaves()) {
      if (!is_speed(speed)) continue;
      const Expr slope = symbolic::diff(f, speed);
      if (first_speed(slope).is_zero()) continue;
      const Expr other = first_speed(symbolic::simplify(slope));  // squares may cancel
      if (other.is_zero()) continue;
      node.error("must be linear in the speeds; its derivative by " + speed.to_string() +
                 " depends on " + other.to_string());
      return;
    }
  }

  void read_loop(const TomlNode& node) {
    const Frame inboard = frame_of_body(node.at("inboard"));
    const Frame outboard = frame_of_body(node.at("outboard"));
    if (const auto plane = node.find("in_plane_normal_to")) {
      close_loop_in_plane(&system_, node.key(), inboard, outboard, read_axis(plane));
      return;
    }
    static const std::map<std::string, Hinge> hinges = {{"spherical", Hinge::kSpherical},
                                                        {"fixed", Hinge::kFixed},
                                                        {"revolute", Hinge::kRevolute},
                                                        {"prismatic", Hinge::kPrismatic},
                                                        {"cylindrical", Hinge::kCylindrical},
                                                        {"universal", Hinge::kUniversal},
                                                        {"planar", Hinge::kPlanar}};
    const std::string hinge = node.at("hinge").choice(
        {"spherical", "fixed", "revolute", "prismatic", "cylindrical", "universal", "planar"});
    const auto found = hinges.find(hinge);
    const auto axis = node.get("axis", std::string("z"));
    if (found != hinges.end())
      close_loop(&system_, node.key(), inboard, outboard, found->second, read_axis(axis));
  }

  // --- What to do with it ---

  void read_linearization() {
    const TomlNode node = root_.find("linearization");
    if (!node) return;
    LinearizationSpec& spec = model_.linearization;
    if (const auto moving = node.find("moving_frame")) {
      // The new variables first: the motion and the rates are written in them.
      for (const TomlNode& variable : moving.at("variables").elements()) {
        const std::string name = name_from(variable, variable.text());
        declare(variable, name, symbolic::variable(name));
      }
      for (const TomlNode& rate : moving.at("rates").entries())
        spec.moving_frame.push_back({leaf(rate), expression(rate)});
    }
    if (const auto motion = node.find("motion")) {
      for (const TomlNode& entry : motion.entries()) spec.motion[leaf(entry)] = expression(entry);
    }
    if (const auto independent = node.find("independent")) {
      for (const TomlNode& element : independent.elements())
        spec.independent.push_back(expression(element));
    }
    if (const auto relations = node.find("relations")) {
      for (const TomlNode& relation : relations.entries()) {
        const Expr symbol = symbolic::symbol(name_from(relation, relation.key()));
        if (vocabulary_.find(relation.key()) == nullptr)
          relation.error("no parameter of this name");
        spec.relations[symbol] = expression(relation);
      }
    }
  }

  TomlNode root_;
  LagrangianModel model_;
  System system_;
  symbolic::Vocabulary vocabulary_;
  Definitions<Frame> frames_;
  Definitions<NamedPoint> points_;
  Definitions<Vector> vectors_;
  Definitions<Expr> scalars_;
};

}  // namespace

LagrangianModel read_lagrangian(TomlFile file) {
  const TomlNode kind = file.root().find("kind");
  if (kind && kind.is_text() && kind.text() != "lagrangian") {
    kind.choice({"lagrangian"});
    file.diagnostics().throw_if_any();  // further errors would only be consequences
  }
  Reader reader(file.root());
  LagrangianModel model = reader.read();
  read_run_table(file.root());
  file.finish();
  return model;
}

LagrangianModel load_lagrangian(const std::string& path, const Overrides& overrides) {
  return read_lagrangian(load_toml(path, overrides));
}

LagrangianModel parse_lagrangian(std::string text, std::string file) {
  return read_lagrangian(parse_toml(std::move(text), std::move(file)));
}

symbolic::Substitution parameter_values(const System& system,
                                        const std::map<std::string, double>& set) {
  symbolic::Substitution values;
  std::vector<std::string> names;
  for (const Parameter& parameter : system.parameters) {
    const std::string name(parameter.symbol.name());
    names.push_back(name);
    const auto given = set.find(name);
    values[parameter.symbol] = given == set.end() ? parameter.value : Expr(given->second);
  }
  for (const auto& [name, value] : set) {
    const auto close = closest_match(name, names);
    require(std::ranges::find(names, name) != names.end(), "no parameter \"", name, "\"",
            close ? "; did you mean \"" + std::string(*close) + "\"?" : "");
  }
  // Derived parameters after those that they are defined by, each once.
  std::unordered_map<Expr, std::vector<Expr>> users;
  std::unordered_map<Expr, std::size_t> missing;
  std::vector<Expr> ready;
  for (const auto& [symbol, value] : values) {
    if (value.is_number()) continue;
    std::size_t count = 0;
    for (const Expr& leaf : value.leaves()) {
      const auto known = values.find(leaf);
      if (known == values.end() || known->second.is_number()) continue;
      users[leaf].push_back(symbol);
      ++count;
    }
    missing.emplace(symbol, count);
    if (count == 0) ready.push_back(symbol);
  }
  while (!ready.empty()) {
    const Expr symbol = ready.back();
    ready.pop_back();
    Expr& value = values.at(symbol);
    symbolic::Substitution needed;
    for (const Expr& leaf : value.leaves()) {
      const auto known = values.find(leaf);
      if (known != values.end()) needed.emplace(leaf, known->second);
    }
    value = symbolic::substitute(value, needed);
    // Functions of exact numbers stay exact; a parameter is a number in the end.
    if (value.leaves().empty()) value = Expr(symbolic::evaluate(value, {}));
    for (const Expr& user : users[symbol]) {
      if (--missing.at(user) == 0) ready.push_back(user);
    }
  }
  std::string circle;
  for (const auto& [symbol, value] : values) {
    if (!value.is_number()) circle += (circle.empty() ? "" : ", ") + std::string(symbol.name());
  }
  if (circle.empty()) return values;
  throw std::invalid_argument("parameters that are defined by each other: " + circle);
}

}  // namespace camber::lagrange
