#pragma once

// The values of a mechanism's file: numbers and expressions, points, directions, frames. Numbers
// are in the frame E that the caller names; names of points mean places in the design
// configuration and are converted to E.

#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "camber/core/toml_reader.h"
#include "camber/math/types.h"
#include "camber/multibody/mechanism.h"
#include "camber/symbolic/vocabulary.h"

namespace camber::multibody::internal {

class MechanismValues {
 public:
  /// Reads [parameters], [points] and the frames of [bodies].
  explicit MechanismValues(const TomlNode& root);

  // --- Numbers: as such, or as an expression in the parameters ---

  double number(const TomlNode& node, std::string_view unit);
  double positive(const TomlNode& node, std::string_view unit);
  /// `fallback` if the table does not have the key.
  double number_or(const TomlNode& table, std::string_view key, std::string_view unit,
                   double fallback);
  std::vector<double> numbers(const TomlNode& node, std::string_view unit);
  std::vector<double> numbers(const TomlNode& node, std::size_t count, std::string_view unit);
  /// n numbers for the diagonal, or n rows of n.
  MatrixX<double> square(const TomlNode& node, std::size_t n, std::string_view unit);
  Vector3 triple(const TomlNode& node, std::string_view unit);
  /// A function of t, with a value at t = 0.
  symbolic::Expr motion(const TomlNode& node) { return function(node, {}); }
  /// A function of t, of the coordinates of these names and of their speeds (primed), with a value
  /// where all are zero.
  symbolic::Expr function(const TomlNode& node, const std::vector<std::string>& coordinates);

  // --- Geometry ---

  /// A name, three numbers in E, { body, at }, or { between, part }.
  Vector3 point(const TomlNode& node, const Isometry3& X_WE = Isometry3::Identity());
  /// A unit vector in E: "x" or "-z", three numbers in E, two points, or { body, axis }.
  Vector3 direction(const TomlNode& node, const Matrix3& R_WE = Matrix3::Identity());
  /// X_EF from the keys at, axis, x_axis, euler, euler_deg, quaternion of a table.
  Isometry3 frame(const TomlNode& table, const Isometry3& X_WE = Isometry3::Identity());
  /// Only the orientation; identity if no key gives one.
  Matrix3 rotation(const TomlNode& table, const Matrix3& R_WE = Matrix3::Identity());

  // --- Bodies ---

  /// The body of this name; if there is none, an error, and the world.
  BodyIndex body(const TomlNode& node);
  /// Its frame in the design configuration.
  Isometry3 X_WB(BodyIndex body);
  const std::vector<TomlNode>& body_nodes() const { return body_nodes_; }  // without the world

 private:
  enum class State { kNew, kBusy, kDone };
  /// Counts names that are resolved on behalf of others: a chain of 10,000 would overflow the
  /// stack.
  class Depth {
   public:
    explicit Depth(int* depth) : depth_(depth) { ++*depth_; }
    ~Depth() { --*depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    int* depth_;
  };
  /// False, with an error, if the chain is too long.
  bool is_short_chain(const TomlNode& asking);
  struct Parameter {
    TomlNode node;
    State state = State::kNew;
  };
  struct Point {
    TomlNode node;
    State state = State::kNew;
    Vector3 p_W = Vector3::Zero();
  };

  void resolve_parameter(const std::string& name, const TomlNode& asking);
  Vector3 resolve_point(const std::string& name, const TomlNode& asking);
  void prepare_names(const std::string& text, const TomlNode& asking);
  std::optional<double> value_of_text(const TomlNode& node);
  std::optional<symbolic::Expr> expression(const TomlNode& node,
                                           const symbolic::Vocabulary& vocabulary);
  Vector3 between(const TomlNode& node, const TomlNode& ends, const Isometry3& X_WE);
  Matrix3 axis_rotation(const TomlNode& table, const TomlNode& axis, const Matrix3& R_WE);

  std::map<std::string, Parameter> parameters_;
  std::map<std::string, Point> points_;
  std::vector<std::string> point_names_, body_names_;
  std::vector<TomlNode> body_nodes_;
  std::vector<State> body_states_;
  std::vector<Isometry3> X_WB_;
  int depth_ = 0;
  bool has_long_chain_ = false;      // reported once
  symbolic::Vocabulary vocabulary_;  // the parameters and components of points met so far
};

/// The one key of these that the table has; a second one is a mistake.
std::optional<TomlNode> only_one(const TomlNode& table,
                                 std::initializer_list<std::string_view> keys,
                                 std::string_view what);

/// The value where t, coordinates and speeds are zero. Throws std::domain_error if there is none.
double value_at_zero(const symbolic::Expr& e);

/// A right-handed frame with the given z, and its x as close to `hint` as possible.
Matrix3 frame_with_z(const Vector3& z, const Vector3& hint);
/// One of two axes, the one that is not close to the given direction.
Vector3 off_axis(const Vector3& direction, const Vector3& first, const Vector3& second);

}  // namespace camber::multibody::internal
