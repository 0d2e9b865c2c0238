#include "camber/multibody/mechanism_file.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "camber/core/require.h"
#include "camber/core/run_table.h"
#include "camber/core/toml_reader.h"
#include "camber/multibody/compile.h"
#include "camber/multibody/inertia_check.h"
#include "camber/multibody/mechanism_parts.h"
#include "camber/multibody/mechanism_values.h"

namespace camber::multibody {

namespace {

using internal::MechanismValues;
using Part = MechanismProblem::Part;

class Reader {
 public:
  Reader(const TomlNode& root, Diagnostics* diagnostics)
      : root_(root), diagnostics_(diagnostics), values_(root) {}

  Mechanism read() {
    root_.at("kind").choice({"mechanism"});
    mechanism_.name = root_.at("name").text();
    root_.get("about", std::string()).text();  // human-readable
    if (const auto gravity = root_.find("gravity"))
      mechanism_.gravity = values_.triple(gravity, "m/s^2");
    const auto alone = [this](auto read_part) {
      return [this, read_part](const TomlNode& node) { return read_part(node, &values_); };
    };
    const auto with_mechanism = [this](auto read_part) {
      return
          [this, read_part](const TomlNode& node) { return read_part(node, mechanism_, &values_); };
    };
    mark(Part::kBody, root_, [] {});  // the world
    for (const TomlNode& node : values_.body_nodes())
      mark(Part::kBody, node,
           [&] { mechanism_.bodies.push_back(internal::read_body(node, mechanism_, &values_)); });
    read_list("joints", Part::kJoint, &mechanism_.joints, with_mechanism(internal::read_joint));
    read_list("rods", Part::kRod, &mechanism_.rods, with_mechanism(internal::read_rod));
    read_list("couplers", Part::kCoupler, &mechanism_.couplers,
              with_mechanism(internal::read_coupler));
    read_list("rolling", Part::kRolling, &mechanism_.rollings,
              with_mechanism(internal::read_rolling));
    read_list("springs", Part::kSpring, &mechanism_.springs, alone(internal::read_spring));
    read_list("bushings", Part::kBushing, &mechanism_.bushings, alone(internal::read_bushing));
    read_list("wrenches", Part::kWrench, &mechanism_.wrenches, alone(internal::read_wrench));
    read_independent();
    report_problems();
    return std::move(mechanism_);
  }

  MechanismPlaces places() const {
    MechanismPlaces places = independent_;
    for (const auto& [part, sources] : sources_) {
      for (const Source& source : sources) {
        if (source.node.key().empty()) continue;  // the world
        const std::string element = concat(word_for(part), " \"", source.node.key(), "\"");
        places.emplace(element, source.node.position());
        if (part != Part::kJoint) continue;
        for (const char* key : {"motion", "speed"}) {
          if (const auto value = source.node.find(key))
            places.emplace(concat(element, ".", key), value.position());
        }
      }
    }
    return places;
  }

 private:
  struct Source {
    TomlNode node;
    bool sound;  // read without a mistake, so find_problems() does not repeat an error
  };

  template <class Action>
  void mark(Part part, const TomlNode& node, Action action) {
    const std::size_t errors = diagnostics_->error_count();
    action();
    sources_[part].push_back({node, diagnostics_->error_count() == errors});
  }

  template <class T, class ReadOne>
  void read_list(std::string_view key, Part part, std::vector<T>* list, ReadOne read_one) {
    const TomlNode table = root_.find(key);
    if (!table) return;
    for (const TomlNode& node : table.entries())
      mark(part, node, [&] { list->push_back(read_one(node)); });
  }

  void read_independent() {
    const TomlNode list = root_.find("independent");
    if (!list) return;
    std::set<std::pair<int, int>> seen;
    for (const TomlNode& element : list.elements()) {
      const std::string name = element.text();
      if (!element.is_text()) continue;
      const auto term = internal::find_axis(name, mechanism_, element);
      if (term && !seen.insert({term->joint.value, term->axis}).second)
        element.error("is named twice");
      independent_.emplace(concat("independent \"", name, "\""), element.position());
      mechanism_.independent.push_back(name);
    }
  }

  // --- Problems of the whole, at their places ---

  static const char* word_for(Part part) {
    switch (part) {
      case Part::kMechanism:
        return "mechanism";
      case Part::kBody:
        return "body";
      case Part::kJoint:
        return "joint";
      case Part::kRod:
        return "rod";
      case Part::kCoupler:
        return "coupler";
      case Part::kRolling:
        return "rolling";
      case Part::kSpring:
        return "spring";
      case Part::kBushing:
        return "bushing";
      case Part::kWrench:
        return "wrench";
    }
    return "";
  }

  /// File keys that a field of the description may come from, besides its own name.
  static std::vector<std::string_view> keys_for(const std::string& key) {
    if (key == "inertia") return {"inertia", "box", "cylinder", "sphere", "rod"};
    if (key == "parent_frame" || key == "child_frame") return {key, "frame", "at", "axis"};
    if (key == "position") return {"position", "position_deg"};
    if (key == "rest") return {"rest", "rest_deg"};
    if (key == "limits") return {"lower", "lower_deg", "upper", "upper_deg"};
    if (key == "force") return {"force", "torque"};
    if (key == "pitch") return {"pitch", "lead"};
    if (key == "axes") return {"axes", "motion", "stiffness", "lower", "upper"};
    if (key == "frames") return {"frame", "a_frame", "b_frame"};
    if (key == "terms") return {"terms", "gear"};
    if (key == "length" || key == "free_length") return {key, "points"};
    if (key == "factor") return {"terms", "ratio", "teeth"};
    if (key == "name") return {};
    return {key};
  }

  static TomlNode locate(const TomlNode& node, Part part, const std::string& key) {
    if (part == Part::kMechanism) {
      const TomlNode found = node.find(key);
      return found ? found : node;
    }
    for (const std::string_view each : keys_for(key)) {
      if (const auto found = node.find(each)) return found;
    }
    if (part != Part::kJoint) return node;
    const TomlNode axes = node.find("axes");
    if (!axes) return node;
    for (const TomlNode& element : axes.elements()) {
      for (const std::string_view each : keys_for(key)) {
        if (const auto found = element.find(each)) return found;
      }
    }
    return axes;
  }

  bool is_echo(const MechanismProblem& problem) const {
    if (problem.part == Part::kMechanism) return false;
    const auto i = static_cast<std::size_t>(problem.index);
    if (!sources_.at(problem.part)[i].sound) return true;
    if (problem.part != Part::kCoupler) return false;
    return std::any_of(mechanism_.couplers[i].terms.begin(), mechanism_.couplers[i].terms.end(),
                       [&](const Coupler::Term& term) {
                         const auto joint = static_cast<std::size_t>(term.joint.value);
                         return !sources_.at(Part::kJoint)[joint].sound;
                       });
  }

  void report_problems() {
    std::vector<MechanismProblem> problems = find_problems(mechanism_);
    for (MechanismProblem& problem : find_impossible_inertias(mechanism_))
      problems.push_back(std::move(problem));
    for (const MechanismProblem& problem : problems) {
      if (is_echo(problem)) continue;
      const TomlNode& owner =
          problem.part == Part::kMechanism
              ? root_
              : sources_[problem.part][static_cast<std::size_t>(problem.index)].node;
      locate(owner, problem.part, problem.key).error(problem.text);
    }
    if (diagnostics_->error_count() == 0) report_idle_cuts();
    if (diagnostics_->error_count() == 0) report_relaxed_carriers();
  }

  /// The only joint that reaches a child carries it, even if it is marked as cut: the loop would be
  /// cut elsewhere.
  void report_idle_cuts() {
    for (std::size_t j = 0; j < mechanism_.joints.size(); ++j) {
      const Joint& joint = mechanism_.joints[j];
      const auto reaches = [&](const Joint& other) { return other.child == joint.child; };
      if (!joint.cut || std::ranges::count_if(mechanism_.joints, reaches) > 1) continue;
      sources_[Part::kJoint][j].node.find("cut").error(
          concat("no other joint carries body \"", mechanism_.bodies[joint.child.value].name,
                 "\", so this one must; cut a joint whose child another joint carries, or swap "
                 "parent and child along the chain between them"));
    }
  }

  /// Joints that relax must close a loop: which of them do is seen in the finished mechanism.
  void report_relaxed_carriers() {
    for (const int j : find_relaxed_carriers(mechanism_)) {
      sources_[Part::kJoint][static_cast<std::size_t>(j)].node.find("relax").error(
          "this joint carries its child; only a joint that closes a loop relaxes (cut = true where "
          "there is a loop)");
    }
  }

  TomlNode root_;
  Diagnostics* diagnostics_;
  MechanismValues values_;
  Mechanism mechanism_;
  MechanismPlaces independent_;
  std::map<Part, std::vector<Source>> sources_;  // in the order of the mechanism's lists
};

}  // namespace

Mechanism read_mechanism(TomlFile file, MechanismPlaces* places) {
  Reader reader(file.root(), &file.diagnostics());
  Mechanism mechanism = reader.read();
  read_run_table(file.root());
  if (places != nullptr) *places = reader.places();
  file.finish();
  return mechanism;
}

Mechanism load_mechanism(const std::string& path, const Overrides& overrides) {
  return read_mechanism(load_toml(path, overrides));
}

Mechanism parse_mechanism(std::string text, std::string file) {
  return read_mechanism(parse_toml(std::move(text), std::move(file)));
}

}  // namespace camber::multibody
