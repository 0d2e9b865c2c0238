#include <string>
#include <vector>

#include "camber/core/require.h"
#include "camber/multibody/mechanism_parts.h"

namespace camber::multibody::internal {

namespace {

Matrix3 cylinder_inertia(const TomlNode& node, double mass, double radius, const Vector3& along) {
  const double length = along.norm();
  if (!(length > 0)) {
    node.error("its ends must be apart");
    return Matrix3::Zero();
  }
  const Vector3 u = along / length;
  const double axial = mass * radius * radius / 2;
  const double across = mass * (3 * radius * radius + length * length) / 12;
  return across * Matrix3::Identity() + (axial - across) * u * u.transpose();
}

Matrix3 read_inertia(const TomlNode& node, MechanismValues* values) {
  const std::vector<TomlNode> parts = node.elements();
  const bool is_rows = !parts.empty() && parts[0].is_array();
  if (is_rows || parts.size() != 6) {
    if (is_rows || parts.size() == 3 || !node.is_array()) return values->square(node, 3, "kg m^2");
    node.error(concat("expected 3 numbers (xx yy zz), 6 (and xy xz yz) or 3 rows, found ",
                      parts.size(), parts.size() == 1 ? " number" : " numbers"));
    return Matrix3::Zero();
  }
  const std::vector<double> I = values->numbers(node, 6, "kg m^2");  // xx yy zz xy xz yz
  Matrix3 result;
  result << I[0], I[3], I[4],  //
      I[3], I[1], I[5],        //
      I[4], I[5], I[2];
  return result;
}

Matrix3 read_shape(const TomlNode& node, const std::string& shape, double mass,
                   MechanismValues* values) {
  if (shape == "sphere") {
    const double radius = values->positive(node, "m");
    return 0.4 * mass * radius * radius * Matrix3::Identity();
  }
  if (shape == "box") {
    const std::vector<double> edges = values->numbers(node, 3, "m");
    for (const double edge : edges) {
      if (edge < 0) node.error(concat("its edges must be >= 0 m, got ", edge));
    }
    const Vector3 square = Vector3(edges[0], edges[1], edges[2]).array().square();
    return Vector3(mass / 12 * (square.sum() - square.array())).asDiagonal();
  }
  const double radius = values->positive(node.at("radius"), "m");
  const double length = values->positive(node.at("length"), "m");
  const auto axis = node.find("axis");
  const Vector3 along = axis ? values->direction(axis) : Vector3(Vector3::UnitZ());
  return cylinder_inertia(node, mass, radius, length * along);
}

}  // namespace

Body read_body(const TomlNode& node, const Mechanism& mechanism, MechanismValues* values) {
  Body body;
  body.name = node.key();
  if (body.name == "world")
    node.error("the name of the world is reserved; give the body another name");
  body.mass = values->number(node.at("mass"), "kg");
  const Isometry3 X_WB = values->X_WB(BodyIndex(mechanism.bodies.size()));
  const auto center = node.find("center");
  if (center) body.p_BoBcm_B = values->point(center, X_WB);
  Matrix3 R_BE = Matrix3::Identity();
  const auto axes = node.find("inertia_axes");
  if (axes) R_BE = values->rotation(axes, X_WB.linear());
  const auto given = only_one(node, {"inertia", "box", "cylinder", "sphere", "rod"}, "the inertia");
  if (axes && (!given || given->key() == "rod" || given->key() == "sphere"))
    axes.error("requires inertia, box or cylinder: only these have axes of their own");
  if (!given) return body;
  const std::string key = given->key();
  if (key == "inertia") {
    body.I_BBcm_B = R_BE * read_inertia(*given, values) * R_BE.transpose();
  } else if (key == "rod") {
    const Vector3 from = values->point(given->at("from"), X_WB),
                  to = values->point(given->at("to"), X_WB);
    const double radius = values->positive(given->at("radius"), "m");
    body.I_BBcm_B = cylinder_inertia(*given, body.mass, radius, to - from);
    if (!center) body.p_BoBcm_B = (from + to) / 2;
  } else {
    body.I_BBcm_B = R_BE * read_shape(*given, key, body.mass, values) * R_BE.transpose();
  }
  return body;
}

}  // namespace camber::multibody::internal
