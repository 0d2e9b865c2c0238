#include "camber/multibody/mechanism_values.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/parse.h"
#include "camber/symbolic/tokens.h"

namespace camber::multibody::internal {

namespace {

constexpr double kDegree = std::numbers::pi / 180;

// A smaller sine of the angle between two directions counts as zero: hardpoints have six digits.
constexpr double kParallel = 1e-6;

std::vector<TomlNode> entries_of(const TomlNode& root, std::string_view key) {
  const TomlNode table = root.find(key);
  return table ? table.entries() : std::vector<TomlNode>();
}

}  // namespace

Vector3 off_axis(const Vector3& direction, const Vector3& first, const Vector3& second) {
  return std::abs(direction.dot(first)) < 0.9 ? first : second;
}

Matrix3 frame_with_z(const Vector3& z, const Vector3& hint) {
  const Vector3 x = (hint - hint.dot(z) * z).normalized();
  Matrix3 R;
  R << x, z.cross(x), z;
  return R;
}

MechanismValues::MechanismValues(const TomlNode& root) {
  for (const TomlNode& node : entries_of(root, "parameters")) {
    node.expect_in_file("parameter");
    try {
      symbolic::symbol(node.key());
      if (node.key() == "t") {
        node.error("t is the time, a parameter needs another name");
      } else if (symbolic::is_reserved_word(node.key())) {
        node.error("a reserved word cannot be a parameter's name");
      } else {
        parameters_.emplace(node.key(), Parameter{node});
      }
    } catch (const std::invalid_argument& error) {
      node.error(error.what());
    }
  }
  for (const TomlNode& node : entries_of(root, "points")) {
    points_.emplace(node.key(), Point{node});
    point_names_.push_back(node.key());
  }
  body_nodes_ = entries_of(root, "bodies");
  body_names_ = {"world"};
  for (const TomlNode& node : body_nodes_) body_names_.push_back(node.key());
  body_states_.assign(body_names_.size(), State::kNew);
  X_WB_.assign(body_names_.size(), Isometry3::Identity());
  body_states_[0] = State::kDone;

  for (const auto& [name, parameter] : parameters_) resolve_parameter(name, parameter.node);
  for (const auto& [name, point] : points_) resolve_point(name, point.node);
  for (std::size_t i = 1; i < body_names_.size(); ++i) X_WB(BodyIndex(i));
}

bool MechanismValues::is_short_chain(const TomlNode& asking) {
  constexpr int kLongestChain = 1000;
  if (depth_ <= kLongestChain) return true;
  if (!std::exchange(has_long_chain_, true))
    asking.error(concat("is the end of a chain of more than ", kLongestChain,
                        " names that are defined by one another"));
  return false;
}

// --- Numbers ---

void MechanismValues::resolve_parameter(const std::string& name, const TomlNode& asking) {
  Parameter& parameter = parameters_.at(name);
  if (parameter.state == State::kDone) return;
  if (parameter.state == State::kBusy) {
    asking.error(concat("the parameter \"", name, "\" is defined by itself"));
    vocabulary_.add(name, symbolic::Expr(1));  // so that the name is known and not reported again
    return;
  }
  const Depth depth(&depth_);
  parameter.state = State::kBusy;
  const double value = is_short_chain(asking) ? number(parameter.node, "") : 1;
  if (vocabulary_.find(name) == nullptr) vocabulary_.add(name, symbolic::Expr(value));
  parameter.state = State::kDone;
}

// Names may refer to each other in any order: the names that a text uses are resolved before it is
// parsed.
void MechanismValues::prepare_names(const std::string& text, const TomlNode& asking) {
  for (const symbolic::internal::Token& token : symbolic::internal::tokenize(text, {})) {
    const std::string name(token.text);
    if (token.kind != symbolic::internal::TokenKind::kName || vocabulary_.find(name) != nullptr)
      continue;
    if (parameters_.contains(name)) {
      resolve_parameter(name, asking);
      continue;
    }
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos || dot + 2 != name.size()) continue;
    const int component = name.back() - 'x';
    const std::string owner = name.substr(0, dot);
    if (component < 0 || component > 2 || !points_.contains(owner)) continue;
    const double value = resolve_point(owner, asking)[component];
    if (vocabulary_.find(name) == nullptr) vocabulary_.add(name, symbolic::Expr(value));
  }
}

std::optional<symbolic::Expr> MechanismValues::expression(const TomlNode& node,
                                                          const symbolic::Vocabulary& vocabulary) {
  try {
    return symbolic::parse(node.text(), vocabulary);
  } catch (const symbolic::ParseError& error) {
    node.error_in_text(error.offset(), error.message());
  } catch (const std::exception& error) {
    node.error(error.what());
  }
  return std::nullopt;
}

std::optional<double> MechanismValues::value_of_text(const TomlNode& node) {
  try {
    prepare_names(node.text(), node);
    if (const auto e = expression(node, vocabulary_)) return symbolic::evaluate(*e, {});
  } catch (const symbolic::ParseError& error) {
    node.error_in_text(error.offset(), error.message());
  } catch (const std::exception& error) {
    node.error(error.what());
  }
  return std::nullopt;
}

double MechanismValues::number(const TomlNode& node, std::string_view unit) {
  return node.is_text() ? value_of_text(node).value_or(0) : node.number(unit);
}

double MechanismValues::positive(const TomlNode& node, std::string_view unit) {
  if (!node.is_text()) return node.positive(unit);
  const double x = value_of_text(node).value_or(1);
  if (x > 0) return x;
  node.error(concat("must be > 0 ", unit, ", got ", x));
  return 1;
}

double MechanismValues::number_or(const TomlNode& table, std::string_view key,
                                  std::string_view unit, double fallback) {
  const TomlNode node = table.find(key);
  return node ? number(node, unit) : fallback;
}

std::vector<double> MechanismValues::numbers(const TomlNode& node, std::string_view unit) {
  if (!node.is_array()) return node.numbers(unit);  // reports the error
  std::vector<double> values;
  for (const TomlNode& element : node.elements()) values.push_back(number(element, unit));
  return values;
}

std::vector<double> MechanismValues::numbers(const TomlNode& node, std::size_t count,
                                             std::string_view unit) {
  if (node.is_array() && node.elements().size() != count) {
    node.error(concat("expected ", count, count == 1 ? " number" : " numbers", ", found ",
                      node.elements().size()));
    return std::vector<double>(count);
  }
  std::vector<double> values = numbers(node, unit);
  values.resize(count);
  return values;
}

MatrixX<double> MechanismValues::square(const TomlNode& node, std::size_t n,
                                        std::string_view unit) {
  const auto size = static_cast<Eigen::Index>(n);
  MatrixX<double> A = MatrixX<double>::Zero(size, size);
  const std::vector<TomlNode> rows = node.elements();
  if (rows.empty() || !rows[0].is_array()) {
    if (node.is_array() && rows.size() != n) {
      node.error(concat("expected ", n, " numbers or ", n, " rows of ", n, ", found ", rows.size(),
                        rows.size() == 1 ? " number" : " numbers"));
      return A;
    }
    const std::vector<double> diagonal = numbers(node, n, unit);
    for (Eigen::Index i = 0; i < size; ++i) A(i, i) = diagonal[static_cast<std::size_t>(i)];
    return A;
  }
  if (rows.size() != n) {
    node.error(concat("expected ", n, " rows, found ", rows.size()));
    return A;
  }
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::vector<double> row = numbers(rows[static_cast<std::size_t>(i)], n, unit);
    for (Eigen::Index j = 0; j < size; ++j) A(i, j) = row[static_cast<std::size_t>(j)];
  }
  return A;
}

Vector3 MechanismValues::triple(const TomlNode& node, std::string_view unit) {
  const std::vector<double> values = numbers(node, 3, unit);
  return {values[0], values[1], values[2]};
}

double value_at_zero(const symbolic::Expr& e) {
  symbolic::Bindings zeros;
  for (const symbolic::Expr& leaf : e.leaves()) zeros.emplace(leaf, 0.0);
  return symbolic::evaluate(e, zeros);
}

symbolic::Expr MechanismValues::function(const TomlNode& node,
                                         const std::vector<std::string>& coordinates) {
  if (!node.is_text()) return symbolic::Expr(node.number(""));
  const symbolic::Expr t = symbolic::symbol("t");
  try {
    prepare_names(node.text(), node);
    symbolic::Vocabulary vocabulary = vocabulary_;
    vocabulary.add("t", t);
    for (const std::string& name : coordinates) {
      if (vocabulary.find(name) == nullptr) vocabulary.add_variable(name);  // a parameter stays one
    }
    if (const auto e = expression(node, vocabulary)) {
      value_at_zero(*e);
      symbolic::diff(symbolic::diff(*e, t), t);  // a motion's acceleration may overflow: 1e300^2
      return *e;
    }
  } catch (const symbolic::ParseError& error) {
    node.error_in_text(error.offset(), error.message());
  } catch (const std::exception& error) {
    node.error(error.what());
  }
  return symbolic::Expr(0);
}

// --- Geometry ---

Vector3 MechanismValues::resolve_point(const std::string& name, const TomlNode& asking) {
  const auto found = points_.find(name);
  if (found == points_.end()) {
    asking.error(concat("no point \"", name, "\"", did_you_mean(name, point_names_)));
    return Vector3::Zero();
  }
  Point& p = found->second;
  if (p.state == State::kBusy) {
    asking.error(concat("the point \"", name, "\" is defined by itself"));
  } else if (p.state == State::kNew) {
    const Depth depth(&depth_);
    p.state = State::kBusy;
    if (is_short_chain(asking)) p.p_W = point(p.node);
    p.state = State::kDone;
  }
  return p.p_W;
}

Vector3 MechanismValues::point(const TomlNode& node, const Isometry3& X_WE) {
  if (node.is_text()) return X_WE.inverse() * resolve_point(node.text(), node);
  if (node.is_table()) {
    if (const auto ends = node.find("between")) return between(node, ends, X_WE);
    const BodyIndex owner = body(node.at("body"));
    const Vector3 p_B = triple(node.at("at"), "m");
    return X_WE.inverse() * (X_WB(owner) * p_B);
  }
  if (node && !node.is_array()) {
    node.error(
        "expected a point: a name of [points], three numbers [m], { body, at } or { between }");
    return Vector3::Zero();
  }
  return node ? triple(node, "m") : Vector3::Zero();
}

Vector3 MechanismValues::between(const TomlNode& node, const TomlNode& ends,
                                 const Isometry3& X_WE) {
  const double part = number_or(node, "part", "", 0.5);
  const std::vector<TomlNode> points = ends.elements();
  if (points.size() != 2) {
    if (ends.is_array()) ends.error(concat("expected two points, found ", points.size()));
    return Vector3::Zero();
  }
  const Vector3 from = point(points[0], X_WE), to = point(points[1], X_WE);
  return from + part * (to - from);
}

Vector3 MechanismValues::direction(const TomlNode& node, const Matrix3& R_WE) {
  Vector3 v = Vector3::Zero();
  if (node.is_text()) {
    const std::string text = node.text();
    const std::string_view letter = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
    if (letter == "x" || letter == "y" || letter == "z") {
      v[letter[0] - 'x'] = text.starts_with('-') ? -1 : 1;
      return v;
    }
  } else if (node.is_table()) {
    const Matrix3 R_WB = X_WB(body(node.at("body"))).linear();
    return R_WE.transpose() * (R_WB * direction(node.at("axis"), R_WB));
  } else if (node.is_array()) {
    const std::vector<TomlNode> parts = node.elements();
    if (parts.size() == 3) {
      v = triple(node, "");
    } else if (parts.size() == 2) {
      v = R_WE.transpose() * (point(parts[1]) - point(parts[0]));
    }
    if (parts.size() == 2 || parts.size() == 3) {
      const double length = v.norm();
      if (length > 1e-12 && std::isfinite(length)) return v / length;
      node.error(concat("must be a direction, its length is ", length));
      return Vector3::UnitZ();
    }
  }
  if (node)
    node.error(
        "expected a direction: \"x\" or \"-z\", three numbers, two points [from, to], or "
        "{ body, axis }");
  return Vector3::UnitZ();
}

Matrix3 MechanismValues::axis_rotation(const TomlNode& table, const TomlNode& axis,
                                       const Matrix3& R_WE) {
  const Vector3 z = direction(axis, R_WE);
  Vector3 x = off_axis(z, Vector3::UnitX(), Vector3::UnitY());
  if (const auto given = table.find("x_axis")) {
    const Vector3 hint = direction(given, R_WE);
    if (hint.cross(z).norm() > kParallel) {
      x = hint;
    } else {
      given.error("must not be along axis");
    }
  }
  return frame_with_z(z, x);
}

Matrix3 MechanismValues::rotation(const TomlNode& table, const Matrix3& R_WE) {
  const TomlNode axis = table.find("axis"), euler = table.find("euler"),
                 euler_deg = table.find("euler_deg"), quaternion = table.find("quaternion");
  std::string first;
  for (const TomlNode& node : {axis, euler, euler_deg, quaternion}) {
    if (!node) continue;
    if (!first.empty())
      node.error(concat("gives the orientation again; it is already given by \"", first, "\""));
    first = node.key();
  }
  if (axis) return axis_rotation(table, axis, R_WE);
  if (euler || euler_deg) {
    const Vector3 angles =
        euler ? triple(euler, "rad") : Vector3(triple(euler_deg, "deg") * kDegree);
    return (Eigen::AngleAxisd(angles[2], Vector3::UnitZ()) *
            Eigen::AngleAxisd(angles[1], Vector3::UnitY()) *
            Eigen::AngleAxisd(angles[0], Vector3::UnitX()))
        .toRotationMatrix();
  }
  if (quaternion) {
    const std::vector<double> q = numbers(quaternion, 4, "");
    const Quaternion unit(q[0], q[1], q[2], q[3]);
    if (std::abs(unit.norm() - 1) < 1e-3) return unit.normalized().toRotationMatrix();
    quaternion.error(concat("must have length 1, got ", unit.norm()));
  }
  return Matrix3::Identity();
}

Isometry3 MechanismValues::frame(const TomlNode& table, const Isometry3& X_WE) {
  Isometry3 X_EF = Isometry3::Identity();
  if (const auto at = table.find("at")) X_EF.translation() = point(at, X_WE);
  X_EF.linear() = rotation(table, X_WE.linear());
  return X_EF;
}

// --- Bodies ---

BodyIndex MechanismValues::body(const TomlNode& node) {
  if (!node.is_text()) {
    node.text();  // reports the error
    return kWorld;
  }
  const std::string name = node.text();
  const auto found = std::find(body_names_.begin(), body_names_.end(), name);
  if (found != body_names_.end()) return BodyIndex(static_cast<int>(found - body_names_.begin()));
  node.error(concat("no body \"", name, "\"", did_you_mean(name, body_names_)));
  return kWorld;
}

Isometry3 MechanismValues::X_WB(BodyIndex body) {
  const auto i = static_cast<std::size_t>(body.value);
  if (body_states_[i] == State::kBusy) {
    body_nodes_[i - 1].error("the frame of this body is defined by itself");
  } else if (body_states_[i] == State::kNew) {
    const Depth depth(&depth_);
    body_states_[i] = State::kBusy;
    const TomlNode node = body_nodes_[i - 1];
    if (!is_short_chain(node)) {
      // reported
    } else if (const auto given = node.find("frame"))
      X_WB_[i] = frame(given);
    body_states_[i] = State::kDone;
  }
  return X_WB_[i];
}

std::optional<TomlNode> only_one(const TomlNode& table,
                                 std::initializer_list<std::string_view> keys,
                                 std::string_view what) {
  std::optional<TomlNode> first;
  for (const std::string_view key : keys) {
    const TomlNode node = table.find(key);
    if (!node) continue;
    if (first) {
      node.error(concat("gives ", what, " again; it is already given by \"", first->key(), "\""));
    } else {
      first = node;
    }
  }
  return first;
}

}  // namespace camber::multibody::internal
