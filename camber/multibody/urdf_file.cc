#include "camber/multibody/urdf_file.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <mutex>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/run_table.h"
#include "camber/core/suggestion.h"
#include "camber/core/toml_reader.h"
#include "camber/multibody/inertia_check.h"
#include "camber/multibody/mechanism_values.h"

#ifdef CAMBER_HAS_URDF
#include <console_bridge/console.h>
#include <tinyxml.h>
#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>
#endif

namespace camber::multibody {

namespace {

constexpr std::size_t kMaxBytes = std::size_t{8} << 20;  // a robot with meshes beside it has 100 kB

#ifdef CAMBER_HAS_URDF

using Part = MechanismProblem::Part;

// TinyXML parses by recursion: a file of nothing but opening tags would use up the stack.
constexpr int kMaxDepth = 200;

/// The position after the next `end`, or the end of the text.
std::size_t skip_to(std::string_view end, std::string_view text, std::size_t from) {
  const std::size_t found = text.find(end, from);
  return found == std::string_view::npos ? text.size() : found + end.size();
}

/// The position after the tag that starts at `from`; quoted text does not end it.
std::size_t skip_tag(std::string_view text, std::size_t from) {
  std::size_t i = from;
  while (i < text.size() && text[i] != '>') {
    const bool is_quote = text[i] == '"' || text[i] == '\'';
    i = is_quote ? skip_to(text.substr(i, 1), text, i + 1) : i + 1;
  }
  return std::min(i + 1, text.size());
}

bool is_too_deep(std::string_view text) {
  int depth = 0;
  for (std::size_t i = text.find('<'); i < text.size(); i = text.find('<', i)) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("<!--")) {
      i = skip_to("-->", text, i + 4);
    } else if (rest.starts_with("<![CDATA[")) {
      i = skip_to("]]>", text, i);
    } else if (rest.starts_with("</")) {
      --depth;
      i = skip_to(">", text, i);
    } else if (rest.size() > 1 && (std::isalpha(static_cast<unsigned char>(rest[1])) != 0 ||
                                   rest[1] == '_' || static_cast<unsigned char>(rest[1]) > 126)) {
      i = skip_tag(text, i);
      if (!text.substr(0, i).ends_with("/>") && ++depth > kMaxDepth) return true;
    } else {
      i = skip_to(">", text, i);  // a declaration, or not an element for TinyXML
    }
  }
  return false;
}

/// Keeps messages of liburdfdom from the terminal during its lifetime.
class Listener : public console_bridge::OutputHandler {
 public:
  Listener() : lock_(mutex_) { console_bridge::useOutputHandler(this); }
  ~Listener() override { console_bridge::restorePreviousOutputHandler(); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR) errors.push_back(text);
  }

  std::vector<std::string> errors;

 private:
  static std::mutex mutex_;  // there is one handler for the whole program
  std::lock_guard<std::mutex> lock_;
};
std::mutex Listener::mutex_;

Isometry3 to_isometry(const urdf::Pose& pose) {
  Isometry3 X = Isometry3::Identity();
  double x = 0, y = 0, z = 0, w = 1;
  pose.rotation.getQuaternion(x, y, z, w);
  X.linear() = Quaternion(w, x, y, z).normalized().toRotationMatrix();
  X.translation() = Vector3(pose.position.x, pose.position.y, pose.position.z);
  return X;
}

class UrdfReader {
 public:
  UrdfReader(const std::string& text, const std::string& file, const UrdfOptions& options)
      : text_(text), file_(file), options_(options), settings_(parse_toml("", file)) {}

  Mechanism read() {
    read_robot_settings();
    if (text_.find('\0') != std::string::npos) fail({file_}, "has a NUL byte, is not XML");
    if (is_too_deep(text_)) fail({file_}, "elements are nested too deeply");
    find_places();
    const urdf::ModelInterfaceSharedPtr model = parse();
    const Release release{*model};
    mechanism_.name = model->getName();
    add_tree(*model);
    add_mimics(*model);
    check_masses();
    apply_joint_settings();
    for (const MechanismProblem& problem : find_problems(mechanism_))
      diagnostics_.error(place(problem), concat(problem.key, ": ", problem.text));
    for (const MechanismProblem& problem : find_impossible_inertias(mechanism_))
      doubt(place(problem), concat(problem.key, ": ", problem.text));
    diagnostics_.throw_if_any();
    return std::move(mechanism_);
  }

  const UrdfNotes& notes() const { return notes_; }

  MechanismPlaces places(const Mechanism& mechanism) const {
    MechanismPlaces places;
    for (const Body& body : mechanism.bodies)
      places.emplace(concat("body \"", body.name, "\""), place("link", body.name));
    for (const Joint& joint : mechanism.joints)
      places.emplace(concat("joint \"", joint.name, "\""), place("joint", joint.name));
    return places;
  }

 private:
  [[noreturn]] static void fail(Position where, std::string text) {
    throw ModelFileError(std::move(where), std::move(text));
  }

  // --- XML ---

  // liburdfdom does not report where a link or a joint is in the file; TinyXML does.
  void find_places() {
    TiXmlDocument document;
    document.Parse(text_.c_str());
    if (document.Error()) {
      fail({file_, document.ErrorRow(), document.ErrorCol()},
           concat("is not XML: ", document.ErrorDesc()));
    }
    const TiXmlElement* robot = document.FirstChildElement("robot");
    if (robot == nullptr) fail({file_}, "has no <robot>");
    robot_ = {file_, robot->Row(), robot->Column(), "robot"};
    for (const TiXmlElement* each = robot->FirstChildElement(); each != nullptr;
         each = each->NextSiblingElement()) {
      const std::string kind = each->Value();
      const char* name = each->Attribute("name");
      if ((kind != "link" && kind != "joint") || name == nullptr) continue;
      const std::string key = concat(kind, " ", name);
      const Position where{file_, each->Row(), each->Column(), key};
      if (!places_.emplace(key, where).second) repeated_.emplace(key, where);
      const auto link_of = [&](const char* end) -> std::string {
        const TiXmlElement* element = each->FirstChildElement(end);
        const char* link = element != nullptr ? element->Attribute("link") : nullptr;
        return link != nullptr ? link : "";
      };
      if (kind == "joint") carriers_.emplace(link_of("child"), Carrier{name, link_of("parent")});
    }
  }

  Position place(std::string_view kind, const std::string& name) const {
    const auto found = places_.find(concat(kind, " ", name));
    return found == places_.end() ? Position{file_, 0, 0, concat(kind, " ", name)} : found->second;
  }

  urdf::ModelInterfaceSharedPtr parse() {
    Listener listener;
    urdf::ModelInterfaceSharedPtr model;
    try {
      model = urdf::parseURDF(text_);
    } catch (const std::exception& error) {
      listener.errors.push_back(error.what());
    }
    // It continues after some mistakes, with an incomplete link.
    if (model && model->getRoot() && listener.errors.empty()) return model;
    if (listener.errors.empty()) fail(robot_, "is not a robot that liburdfdom can read");
    throw ModelFileError(locate(listener.errors));
  }

  // --- Where liburdfdom's errors are: it names links and joints as [arm] or 'arm', if at all ---

  std::vector<Diagnostic> locate(const std::vector<std::string>& errors) const {
    std::vector<Diagnostic> diagnostics;
    std::size_t waiting = 0;  // that name no element: the enclosing element comes after them
    bool is_told = false;     // the element's error was reported, so that the rest only repeats it
    for (const std::string& error : errors) {
      if (error.find("No root link found") != std::string::npos) {
        diagnostics.push_back(describe_cycle());
        is_told = true;
        continue;
      }
      const std::optional<Position> found = find_named(error);
      if (!found && is_told && error.ends_with("xml is not initialized correctly")) continue;
      for (; found && waiting > 0; --waiting)
        diagnostics[diagnostics.size() - waiting].where = *found;
      is_told = found.has_value();
      waiting += found ? 0 : 1;
      diagnostics.push_back({Severity::kError, found.value_or(robot_), error});
    }
    return diagnostics;
  }

  std::optional<Position> find_named(std::string_view text) const {
    std::optional<Position> place;
    const auto& places = text.find("not unique") != std::string_view::npos ? repeated_ : places_;
    for (std::size_t i = text.find_first_of("['"); i < text.size();) {
      const std::size_t end = text.find(text[i] == '[' ? ']' : '\'', i + 1);
      if (end == std::string_view::npos) break;
      const std::string name(text.substr(i + 1, end - i - 1));
      const auto is_after = [&](std::string_view word) {
        return text.substr(0, i).ends_with(word);
      };
      const bool is_joint = is_after("oint "), is_link = is_after("ink ");
      for (const char* kind : {"joint", "link"}) {
        if (place || (is_link && kind[0] == 'j') || (is_joint && kind[0] == 'l')) continue;
        if (const auto found = places.find(concat(kind, " ", name)); found != places.end())
          place = found->second;
      }
      i = text.find_first_of("['", end + 1);
    }
    return place;
  }

  /// The joint that carries each link: in a cycle, the one that is last in the file.
  Diagnostic describe_cycle() const {
    Diagnostic result{Severity::kError, robot_, "has no root: every link is the child of a joint"};
    if (carriers_.empty()) return result;
    std::string link = carriers_.begin()->first;
    for (std::size_t i = 0; i < carriers_.size(); ++i) {  // into the circle
      const auto carrier = carriers_.find(link);
      if (carrier == carriers_.end()) return result;
      link = carrier->second.parent;
    }
    const std::string first = link;
    std::string links;
    do {
      const auto carrier = carriers_.find(link);
      if (carrier == carriers_.end()) return result;
      links += concat(links.empty() ? "" : ", ", link);
      const Position where = place("joint", carrier->second.joint);
      if (result.where.key == "robot" || where.line > result.where.line) result.where = where;
      link = carrier->second.parent;
    } while (link != first);
    result.text = concat("closes a cycle of links, ", links, "; a robot is a tree");
    return result;
  }

  /// Links of a cycle own each other; this releases them.
  struct Release {
    explicit Release(urdf::ModelInterface& m) : model(m) {}
    ~Release() {
      for (const auto& [name, link] : model.links_) {
        link->child_links.clear();
        link->child_joints.clear();
        link->parent_joint.reset();
      }
    }
    Release(const Release&) = delete;
    Release& operator=(const Release&) = delete;
    urdf::ModelInterface& model;
  };

  // --- Links and joints ---

  void add_tree(const urdf::ModelInterface& model) {
    const urdf::Link& root = *model.getRoot();
    if (root.name == "world") {
      bodies_.emplace("world", kWorld);
      if (options_.floating_base)
        doubt(place("link", "world"),
              "is the world, which cannot float: the option for a floating base has no effect");
    } else {
      Joint joint;
      joint.name = root.name;
      while (model.joints_.contains(joint.name)) joint.name += "_base";
      places_.emplace(concat("joint ", joint.name), place("link", root.name));
      joint.type = options_.floating_base ? JointType::kFree : JointType::kFixed;
      joint.child = add_link(root);
      mechanism_.add(std::move(joint));
    }
    std::vector<const urdf::Link*> queue = {&root};
    while (!queue.empty()) {
      const urdf::Link& parent = *queue.back();
      queue.pop_back();
      std::vector<urdf::JointSharedPtr> joints = parent.child_joints;
      std::sort(joints.begin(), joints.end(), [&](const auto& a, const auto& b) {
        return place("joint", a->name).line < place("joint", b->name).line;
      });
      for (const urdf::JointSharedPtr& joint : joints) {
        const urdf::Link& child = *model.getLink(joint->child_link_name);
        if (bodies_.contains(child.name)) {
          diagnostics_.error(
              place("joint", joint->name),
              concat("link \"", child.name, "\" is already the child of another joint"));
          continue;
        }
        add_joint(*joint, bodies_.at(parent.name), add_link(child));
        queue.push_back(&child);
      }
    }
    for (const auto& [name, link] : model.links_) {
      if (!bodies_.contains(name))
        diagnostics_.error(place("link", name), "is not connected to the root, or is in a cycle");
    }
  }

  BodyIndex add_link(const urdf::Link& link) {
    Body body;
    body.name = link.name;
    if (link.inertial) {
      const urdf::Inertial& given = *link.inertial;
      const Isometry3 X_BE = to_isometry(given.origin);
      Matrix3 I;
      I << given.ixx, given.ixy, given.ixz,  //
          given.ixy, given.iyy, given.iyz,   //
          given.ixz, given.iyz, given.izz;
      body.mass = given.mass;
      body.p_BoBcm_B = X_BE.translation();
      const Matrix3 turned = X_BE.linear() * I * X_BE.linear().transpose();
      body.I_BBcm_B = (turned + turned.transpose()) / 2;
    }
    const BodyIndex index = mechanism_.add(std::move(body));
    bodies_.emplace(link.name, index);
    return index;
  }

  static JointType type_of(const urdf::Joint& joint) {
    switch (joint.type) {
      case urdf::Joint::REVOLUTE:
      case urdf::Joint::CONTINUOUS:
        return JointType::kRevolute;
      case urdf::Joint::PRISMATIC:
        return JointType::kPrismatic;
      case urdf::Joint::FLOATING:
        return JointType::kFree;
      case urdf::Joint::PLANAR:
        return JointType::kPlanar;
      default:
        return JointType::kFixed;
    }
  }

  void add_joint(const urdf::Joint& given, BodyIndex parent, BodyIndex child) {
    Joint joint;
    joint.name = given.name;
    joint.type = type_of(given);
    joint.parent = parent;
    joint.child = child;
    joint.X_PF = to_isometry(given.parent_to_joint_origin_transform);
    if (joint.type != JointType::kFixed && joint.type != JointType::kFree) {
      // URDF's joint frame is the child's, with the axis anywhere in it; ours has the axis as z.
      const Vector3 axis(given.axis.x, given.axis.y, given.axis.z);
      if (axis.allFinite() && axis.norm() > 1e-9) {
        const Vector3 z = axis.normalized();
        joint.X_BM.linear() =
            internal::frame_with_z(z, internal::off_axis(z, Vector3::UnitX(), Vector3::UnitY()));
        joint.X_PF = joint.X_PF * joint.X_BM;
      } else {
        diagnostics_.error(place("joint", given.name),
                           concat("its axis must be a direction, its length is ", axis.norm()));
      }
    }
    if (speed_count(joint.type) == 1) add_axis(given, &joint);
    mechanism_.add(std::move(joint));
  }

  void add_axis(const urdf::Joint& given, Joint* joint) {
    JointAxis axis;
    if (given.dynamics) {
      axis.damping = given.dynamics->damping;
      axis.friction = given.dynamics->friction;
    }
    // URDF treats limits that are both 0 as absent.
    if (given.limits && given.type != urdf::Joint::CONTINUOUS &&
        (given.limits->lower != 0 || given.limits->upper != 0)) {
      axis.lower = given.limits->lower;
      axis.upper = given.limits->upper;
      axis.stop_stiffness = options_.stop_stiffness;
      axis.stop_damping = options_.stop_damping;
    }
    joint->axes.push_back(axis);
  }

  /// q = multiplier * q of the other + offset
  void add_mimics(const urdf::ModelInterface& model) {
    std::vector<std::string> names;
    for (const Joint& joint : mechanism_.joints) names.push_back(joint.name);
    for (std::size_t i = 0; i < mechanism_.joints.size(); ++i) {
      Joint& joint = mechanism_.joints[i];
      const urdf::JointConstSharedPtr given = model.getJoint(joint.name);
      if (!given || !given->mimic) continue;
      const urdf::JointMimic& mimic = *given->mimic;
      const Position where = place("joint", joint.name);
      const JointIndex other = mechanism_.find_joint(mimic.joint_name);
      if (!other.valid()) {
        diagnostics_.error(where,
                           concat("mimics joint \"", mimic.joint_name, "\", which does not exist",
                                  did_you_mean(mimic.joint_name, names)));
        continue;
      }
      const Joint& leader = mechanism_.joints[static_cast<std::size_t>(other.value)];
      if (joint.type == JointType::kFixed) {  // left over from a robot whose joint moves
        doubt(where, concat("is fixed and cannot mimic joint \"", mimic.joint_name,
                            "\"; its <mimic> is ignored"));
        continue;
      }
      if (&leader == &joint || speed_count(joint.type) != 1 ||
          (speed_count(leader.type) != 1 && leader.type != JointType::kFixed)) {
        diagnostics_.error(
            where,
            concat("cannot mimic joint \"", mimic.joint_name,
                   "\": both must be rotational or both translational, and they must differ"));
        continue;
      }
      Coupler coupler;
      coupler.name = joint.name;
      coupler.terms.push_back({JointIndex(i), 0, 1});
      // A fixed joint stays at zero.
      if (mimic.multiplier != 0 && leader.type != JointType::kFixed)
        coupler.terms.push_back({other, 0, -mimic.multiplier});
      coupler.offset = mimic.offset;
      joint.q0 = {mimic.offset};
      mechanism_.couplers.push_back(std::move(coupler));
    }
  }

  // --- Checks ---

  // A joint that moves only massless links has no equation of motion.
  void check_masses() {
    std::vector<double> outboard;
    for (const Body& body : mechanism_.bodies) outboard.push_back(body.mass);
    for (auto joint = mechanism_.joints.rbegin(); joint != mechanism_.joints.rend(); ++joint) {
      const double moved = outboard[static_cast<std::size_t>(joint->child.value)];
      outboard[static_cast<std::size_t>(joint->parent.value)] += moved;
      if (joint->type != JointType::kFixed && moved == 0)
        diagnostics_.error(
            place("joint", joint->name),
            concat("moves no mass; link \"",
                   mechanism_.bodies[static_cast<std::size_t>(joint->child.value)].name,
                   "\" needs an <inertial>"));
    }
  }

  Position place(const MechanismProblem& problem) const {
    const auto i = static_cast<std::size_t>(problem.index);
    if (problem.part == Part::kBody) return place("link", mechanism_.bodies[i].name);
    if (problem.part == Part::kJoint) return place("joint", mechanism_.joints[i].name);
    if (problem.part == Part::kCoupler) return place("joint", mechanism_.couplers[i].name);
    return {file_};
  }

  /// What robots of other people have and simulators accept: a note, or an error if strict.
  void doubt(const Position& where, std::string text) {
    if (options_.is_strict) return diagnostics_.error(where, std::move(text));
    notes_.push_back(camber::to_text(Diagnostic{Severity::kError, where, std::move(text)}));
  }

  // --- Settings: of the robot as a whole; how its joints start, and loads on them ---

  void read_robot_settings() {
    options_.settings.apply("", &settings_);
    read_run_table(settings_.root());
    const TomlNode robot = settings_.root().find("robot");
    if (!robot) return;
    if (const TomlNode node = robot.find("floating_base")) options_.floating_base = node.boolean();
    if (const TomlNode node = robot.find("strict")) options_.is_strict = node.boolean();
    if (const TomlNode node = robot.find("stop_stiffness"))
      options_.stop_stiffness = node.positive("N m/rad or N/m");
    if (const TomlNode node = robot.find("stop_damping")) {
      options_.stop_damping = node.non_negative("N m s/rad or N s/m");
      if (options_.stop_stiffness == 0) node.error("goes with robot.stop_stiffness");
    }
  }

  void apply_joint_settings() {
    std::vector<std::string> names;
    for (const Joint& joint : mechanism_.joints) names.push_back(joint.name);
    if (const TomlNode joints = settings_.root().find("joints")) {
      for (const TomlNode& node : joints.entries()) {
        const JointIndex index = mechanism_.find_joint(node.key());
        if (!index.valid()) {
          node.error(concat("the robot has no such joint", did_you_mean(node.key(), names)));
          continue;
        }
        apply_setting(node, &mechanism_.joints[static_cast<std::size_t>(index.value)]);
      }
    }
    settings_.finish();
  }

  static void apply_setting(const TomlNode& node, Joint* joint) {
    const bool turns = joint->type == JointType::kRevolute;
    if (speed_count(joint->type) != 1)
      return node.error("only joints that rotate about an axis or slide along one can be set");
    if (const TomlNode position = node.find("position"))
      joint->q0 = {position.number(turns ? "rad" : "m")};
    if (turns) {
      constexpr double kDegree = std::numbers::pi / 180;
      if (const TomlNode position = node.find("position_deg")) {
        if (node.find("position")) position.error("the position is already given");
        joint->q0 = {kDegree * position.number("deg")};
      }
    }
    if (const TomlNode speed = node.find("speed"))
      joint->v0 = {speed.number(turns ? "rad/s" : "m/s")};
    JointAxis& axis = joint->axes.front();
    if (const TomlNode load = node.find(turns ? "torque" : "force"))
      axis.force = load.number(turns ? "N m" : "N");
    if (const TomlNode damping = node.find("damping"))
      axis.damping = damping.non_negative(turns ? "N m s/rad" : "N s/m");
    if (const TomlNode friction = node.find("friction"))
      axis.friction = friction.non_negative(turns ? "N m" : "N");
  }

  const std::string& text_;
  std::string file_;
  UrdfOptions options_;
  TomlFile settings_;
  Mechanism mechanism_;
  Diagnostics diagnostics_;
  UrdfNotes notes_;
  Position robot_;
  std::map<std::string, Position> places_;    // "link forearm", "joint elbow"
  std::map<std::string, Position> repeated_;  // where a name is used again
  struct Carrier {
    std::string joint, parent;
  };
  std::map<std::string, Carrier> carriers_;  // of each link that is a child
  std::map<std::string, BodyIndex> bodies_;
};

#endif

}  // namespace

Mechanism load_urdf(const std::string& path, const UrdfOptions& options) {
  std::string text;
  try {
    text = read_file(path, kMaxBytes);
  } catch (const FileError& error) {
    throw ModelFileError({path}, error.reason());
  }
  return parse_urdf(text, path, options);
}

Mechanism parse_urdf(const std::string& text, const std::string& file, const UrdfOptions& options,
                     MechanismPlaces* places, UrdfNotes* notes) {
#ifdef CAMBER_HAS_URDF
  UrdfReader reader(text, file, options);
  Mechanism mechanism = reader.read();
  if (places != nullptr) *places = reader.places(mechanism);
  if (notes != nullptr) *notes = reader.notes();
  return mechanism;
#else
  (void)text;
  (void)options;
  (void)places;
  (void)notes;
  throw ModelFileError({file}, "camber was built without liburdfdom, it cannot read URDF files");
#endif
}

}  // namespace camber::multibody
