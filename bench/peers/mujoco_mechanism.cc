#include "bench/peers/mujoco_mechanism.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <Eigen/Eigenvalues>
#include <mujoco/mujoco.h>

#include "camber/core/require.h"

namespace camber::bench {
namespace {

using multibody::Body;
using multibody::BodyIndex;
using multibody::Coupler;
using multibody::Joint;
using multibody::JointAxis;
using multibody::JointIndex;
using multibody::JointType;
using multibody::kWorld;
using multibody::Mechanism;
using multibody::SpringDamper;
using multibody::Wrench;

// Closures that connect and weld constraints can express.
bool is_mujoco_closure(JointType type) {
  return type == JointType::kFixed || type == JointType::kRevolute || type == JointType::kSpherical;
}

template <class List>
int count(const List& list) {
  return static_cast<int>(list.size());
}

/// Numbers that read back to the same doubles, for an attribute.
template <class... Numbers>
std::string numbers(const Numbers&... all) {
  std::string text;
  ((text += (text.empty() ? "" : " ") + concat(all)), ...);
  return text;
}
std::string numbers(const Vector3& v) { return numbers(v[0], v[1], v[2]); }
std::string numbers(const Quaternion& q) { return numbers(q.w(), q.x(), q.y(), q.z()); }

std::string pose_attributes(const Isometry3& X) {
  return concat(" pos=\"", numbers(Vector3(X.translation())), "\" quat=\"",
                numbers(Quaternion(X.linear())), "\"");
}

std::string body_name(int body) { return body == 0 ? "world" : concat("b", body); }
std::string file_name(int file) { return concat("mechanism", file, ".xml"); }
std::string joint_name(int body, int k) { return concat("j", body, "_", k); }

/// One of MuJoCo's joints on a body; several make one of camber's.
struct MujocoJoint {
  const char* type;
  const char* axis;  // null: has none
  int speed = 0;     // camber's speed along it, or -1
};

constexpr const char* kX = "1 0 0";
constexpr const char* kY = "0 1 0";
constexpr const char* kZ = "0 0 1";

// Free only on the world: MuJoCo has it nowhere else.
std::vector<MujocoJoint> mujoco_joints(const Joint& joint) {
  switch (joint.type) {
    case JointType::kFixed:
      return {};
    case JointType::kRevolute:
      return {{"hinge", kZ, 0}};
    case JointType::kPrismatic:
      return {{"slide", kZ, 0}};
    case JointType::kScrew:  // coupled by an equality
      return {{"hinge", kZ, 0}, {"slide", kZ, -1}};
    case JointType::kCylindrical:
      return {{"hinge", kZ, 0}, {"slide", kZ, 1}};
    case JointType::kUniversal:
      return {{"hinge", kX, 0}, {"hinge", kY, 1}};
    case JointType::kPlanar:
      return {{"slide", kX, 0}, {"slide", kY, 1}, {"hinge", kZ, 2}};
    case JointType::kSphericalAngles:
      return {{"hinge", kX, 0}, {"hinge", kY, 1}, {"hinge", kZ, 2}};
    case JointType::kFreeAngles:
    case JointType::kSoftHinge:
      return {{"slide", kX, 0}, {"slide", kY, 1}, {"slide", kZ, 2},
              {"hinge", kX, 3}, {"hinge", kY, 4}, {"hinge", kZ, 5}};
    case JointType::kSpherical:
      return {{"ball", nullptr, -1}};
    case JointType::kFree:
      if (joint.parent == kWorld) return {{"free", nullptr, -1}};
      return {{"slide", kX, -1}, {"slide", kY, -1}, {"slide", kZ, -1}, {"ball", nullptr, -1}};
  }
  return {};
}

void require_known_parts(const Mechanism& m) {
  require(m.rollings.empty() && m.bushings.empty(), "MujocoMechanism: \"", m.name,
          "\" has rolling wheels or bushings, which MuJoCo has not got");
  for (const SpringDamper& spring : m.springs) {
    require(!spring.spring && !spring.damper && spring.preload == 0, "MujocoMechanism: spring \"",
            spring.name, "\" is not linear");
  }
  for (const Joint& joint : m.joints) {
    const bool has_axes = joint.type != JointType::kSpherical && joint.type != JointType::kFree;
    for (const JointAxis& axis : joint.axes) {
      require(axis.friction == 0 && axis.stop_stiffness == 0 && axis.stop_damping == 0 &&
                  !axis.motion && (has_axes || (axis.damping == 0 && axis.force == 0)),
              "MujocoMechanism: joint \"", joint.name,
              "\" has more than springs, dampers and constant forces along axes");
    }
  }
}

/// Writes the model. MuJoCo's frame of a body is camber's M, where the body's joint is.
class Writer {
 public:
  explicit Writer(const SplitMechanism& split) : m_(split.mechanism()), tree_(split.tree()) {
    children_.resize(m_.bodies.size());
    for (const TreeNode& node : tree_.nodes)
      children_[node.joint.parent.value].push_back(node.body.value);
  }

  /// The model's file first, then those that it includes.
  std::vector<std::string> run() {
    // Huge frames or masses are the mechanism's own affair; nothing is to be adjusted.
    out_ << "<mujoco>\n"
            "<compiler angle=\"radian\" coordinate=\"local\" inertiafromgeom=\"false\" "
            "balanceinertia=\"false\" boundmass=\"0\" boundinertia=\"0\"/>\n"
         << "<option timestep=\"0.001\" gravity=\"" << numbers(m_.gravity)
         << "\" solver=\"Newton\" tolerance=\"1e-12\" iterations=\"50\">"
         << "<flag contact=\"disable\" limit=\"disable\" frictionloss=\"disable\"/></option>\n";
    // As hard as MuJoCo lets constraints be.
    out_ << "<default><equality solimp=\"0.9999 0.9999 0.001 0.5 2\" solref=\"0.002 1\"/>"
         << "</default>\n<worldbody>\n";
    write_sites(0);
    for (const int child : children_[0]) write_body(child, 1);
    out_ << "</worldbody>\n";
    write_tendons();
    write_equalities();
    out_ << "</mujoco>\n";
    files_[0] = out_.str();
    return std::move(files_);
  }

 private:
  Isometry3 X_BM(int body) const {
    return body == 0 ? Isometry3::Identity() : tree_.nodes[tree_.node_of_body[body]].joint.X_BM;
  }

  // MuJoCo's XML reader takes 100 levels in one file, so a deep tree goes on in others.
  void write_body(int b, int depth) {
    constexpr int kLevels = 60;
    if (depth % kLevels != 0) {
      write_body_here(b, depth);
      return;
    }
    std::ostringstream outer = std::exchange(out_, std::ostringstream());
    out_ << "<mujocoinclude>\n";
    write_body_here(b, depth);
    out_ << "</mujocoinclude>\n";
    outer << "<include file=\"" << file_name(count(files_)) << "\"/>\n";
    files_.push_back(std::exchange(out_, std::move(outer)).str());
  }

  void write_body_here(int b, int depth) {
    const Joint& joint = tree_.nodes[tree_.node_of_body[b]].joint;
    out_ << "<body name=\"" << body_name(b) << '"'
         << pose_attributes(X_BM(joint.parent.value).inverse() * joint.X_PF) << ">\n";
    write_inertia(m_.bodies[b], joint.X_BM);
    const std::vector<MujocoJoint> parts = mujoco_joints(joint);
    for (int k = 0; k < count(parts); ++k) write_joint(joint, parts[k], joint_name(b, k));
    write_sites(b);
    for (const int child : children_[b]) write_body(child, depth + 1);
    out_ << "</body>\n";
  }

  // In principal axes: MuJoCo would find them from fullinertia, too, but only to 1e-12.
  void write_inertia(const Body& body, const Isometry3& X_BM) {
    const Eigen::SelfAdjointEigenSolver<Matrix3> principal(body.I_BBcm_B);
    Matrix3 axes = principal.eigenvectors();
    if (axes.determinant() < 0) axes.col(0) *= -1;
    Isometry3 X_BP = Isometry3::Identity();
    X_BP.linear() = axes;
    X_BP.translation() = body.p_BoBcm_B;
    out_ << "<inertial mass=\"" << numbers(body.mass) << '"'
         << pose_attributes(X_BM.inverse() * X_BP) << " diaginertia=\""
         << numbers(Vector3(principal.eigenvalues())) << "\"/>\n";
  }

  void write_joint(const Joint& joint, const MujocoJoint& part, const std::string& name) {
    out_ << "<joint name=\"" << name << "\" type=\"" << part.type << '"';
    if (part.axis != nullptr) out_ << " axis=\"" << part.axis << '"';
    if (part.speed >= 0 && part.speed < count(joint.axes)) {
      const JointAxis& axis = joint.axes[part.speed];
      out_ << " stiffness=\"" << numbers(axis.stiffness) << "\" springref=\"" << numbers(axis.rest)
           << "\" damping=\"" << numbers(axis.damping) << '"';
    }
    out_ << "/>\n";
  }

  void write_site(const std::string& name, int on, BodyIndex body, const Vector3& p_BP_B) {
    if (body.value != on) return;
    out_ << "<site name=\"" << name << "\" pos=\"" << numbers(Vector3(X_BM(on).inverse() * p_BP_B))
         << "\"/>\n";
  }

  void write_sites(int body) {
    for (int i = 0; i < count(m_.rods); ++i) {
      write_site(concat("rod", i, "a"), body, m_.rods[i].a, m_.rods[i].p_AP_A);
      write_site(concat("rod", i, "b"), body, m_.rods[i].b, m_.rods[i].p_BQ_B);
    }
    for (int i = 0; i < count(m_.springs); ++i) {
      write_site(concat("spring", i, "a"), body, m_.springs[i].a, m_.springs[i].p_AP_A);
      write_site(concat("spring", i, "b"), body, m_.springs[i].b, m_.springs[i].p_BQ_B);
    }
  }

  void write_spatial(const std::string& name, const std::string& attributes) {
    out_ << "<spatial name=\"" << name << '"' << attributes << "><site site=\"" << name
         << "a\"/><site site=\"" << name << "b\"/></spatial>\n";
  }

  void write_tendons() {
    if (m_.rods.empty() && m_.springs.empty() && m_.couplers.empty()) return;
    out_ << "<tendon>\n";
    for (int i = 0; i < count(m_.rods); ++i) write_spatial(concat("rod", i), "");
    for (int i = 0; i < count(m_.springs); ++i) {
      const SpringDamper& spring = m_.springs[i];
      write_spatial(concat("spring", i),
                    concat(" stiffness=\"", spring.stiffness, "\" damping=\"", spring.damping,
                           "\" springlength=\"", spring.free_length, "\""));
    }
    for (int i = 0; i < count(m_.couplers); ++i) {
      out_ << "<fixed name=\"coupler" << i << "\">";
      for (const Coupler::Term& term : m_.couplers[i].terms) {
        const TreeNode& node = tree_.nodes[tree_.node_of_joint[term.joint.value]];
        const std::vector<MujocoJoint> parts = mujoco_joints(node.joint);
        const auto part = std::find_if(parts.begin(), parts.end(),
                                       [&](const MujocoJoint& p) { return p.speed == term.axis; });
        require(part != parts.end(), "MujocoMechanism: coupler \"", m_.couplers[i].name,
                "\" names a joint without axes");
        out_ << "<joint joint=\""
             << joint_name(node.body.value, static_cast<int>(part - parts.begin())) << "\" coef=\""
             << numbers(term.factor) << "\"/>";
      }
      out_ << "</fixed>\n";
    }
    out_ << "</tendon>\n";
  }

  // Anchors and lengths come after compilation: MuJoCo would take them from its own reference
  // configuration, in which loops are open.
  void write_equalities() {
    out_ << "<equality>\n";
    for (const JointIndex k : tree_.closures) {
      const Joint& joint = m_.joints[k.value];
      const std::string pair = concat("body1=\"", body_name(joint.parent.value), "\" body2=\"",
                                      body_name(joint.child.value), "\" anchor=\"0 0 0\"");
      switch (joint.type) {
        case JointType::kSpherical:
          out_ << "<connect name=\"c" << k.value << "\" " << pair << "/>\n";
          break;
        case JointType::kRevolute:  // two points of the axis
          out_ << "<connect name=\"c" << k.value << "\" " << pair << "/>\n"
               << "<connect name=\"d" << k.value << "\" " << pair << "/>\n";
          break;
        case JointType::kFixed:
          out_ << "<weld name=\"c" << k.value << "\" " << pair << "/>\n";
          break;
        default:
          break;
      }
    }
    for (const TreeNode& node : tree_.nodes) {
      if (node.joint.type != JointType::kScrew) continue;
      out_ << "<joint joint1=\"" << joint_name(node.body.value, 1) << "\" joint2=\""
           << joint_name(node.body.value, 0) << "\" polycoef=\""
           << numbers(0, node.joint.pitch, 0, 0, 0) << "\"/>\n";
    }
    for (int i = 0; i < count(m_.rods); ++i)
      out_ << "<tendon name=\"rod" << i << "\" tendon1=\"rod" << i << "\"/>\n";
    for (int i = 0; i < count(m_.couplers); ++i)
      out_ << "<tendon name=\"coupler" << i << "\" tendon1=\"coupler" << i << "\"/>\n";
    out_ << "</equality>\n";
  }

  const Mechanism& m_;
  const SpanningTree& tree_;
  std::vector<std::vector<int>> children_;
  std::vector<std::string> files_{1};
  std::ostringstream out_;
};

[[noreturn]] void throw_mujoco_error(const char* text) { throw std::runtime_error(text); }
void ignore_mujoco_warning(const char*) {}

struct DeleteModel {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};
struct DeleteData {
  void operator()(mjData* data) const { mj_deleteData(data); }
};

std::unique_ptr<mjModel, DeleteModel> compile(const std::vector<std::string>& texts) {
  mju_user_error = [](const char* message) { throw_mujoco_error(message); };
  mju_user_warning = ignore_mujoco_warning;
  const auto files = std::make_unique<mjVFS>();  // two megabytes
  mj_defaultVFS(files.get());
  for (int i = 0; i < count(texts); ++i) {
    mj_makeEmptyFileVFS(files.get(), file_name(i).c_str(), static_cast<int>(texts[i].size()));
    std::memcpy(files->filedata[i], texts[i].data(), texts[i].size());
  }
  char error[1000] = "";
  std::unique_ptr<mjModel, DeleteModel> model(
      mj_loadXML(file_name(0).c_str(), files.get(), error, sizeof error));
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(concat("MuJoCo: ", error));
  return model;
}

Eigen::Map<const Vector3> vector(const mjtNum* p) { return Eigen::Map<const Vector3>(p); }
void store(const Vector3& v, mjtNum* p) { std::copy_n(v.data(), 3, p); }
Quaternion quaternion(const double* q) { return Quaternion(q[0], q[1], q[2], q[3]); }
void store(const Quaternion& q, mjtNum* p) {
  p[0] = q.w();
  std::copy_n(q.vec().data(), 3, p + 1);
}

}  // namespace

class MujocoMechanism::Impl {
 public:
  explicit Impl(const Mechanism& mechanism) : split_(mechanism, is_mujoco_closure) {
    require_known_parts(mechanism);
    files_ = Writer(split_).run();
    model_ = compile(files_);
    set_equality_data();
    data_.reset(mj_makeData(model_.get()));
    if (!data_) throw std::runtime_error("MuJoCo: no memory for the data");
  }

  int add_state(const PeerState& state) {
    Prepared prepared;
    prepared.qpos.resize(model_->nq);
    prepared.qvel.resize(model_->nv);
    prepared.qfrc.setZero(model_->nv);
    prepared.xfrc.setZero(Eigen::Index{6} * model_->nbody);
    const PeerState parts = split_.split(state);
    for (const TreeNode& node : split_.tree().nodes) set_node(node, parts, &prepared);
    set_wrenches(parts, &prepared);
    prepared_.push_back(std::move(prepared));
    return count(prepared_) - 1;
  }

  void forward(int state) {
    set_state(state);
    mj_forward(model_.get(), data_.get());
  }

  void forward_exactly(int state) {
    mjData* d = data_.get();
    const VectorX<double> Jdot_v = calc_Jdot_v(state);
    set_state(state);
    mj_fwdPosition(model_.get(), d);
    mj_fwdVelocity(model_.get(), d);
    mj_fwdActuation(model_.get(), d);
    mj_fwdAcceleration(model_.get(), d);
    const int n = d->nefc;
    acceleration_error_ = 0;
    if (n == 0) {
      mj_fwdConstraint(model_.get(), d);
      return;
    }
    constexpr double kHarder = 1e-3;
    VectorX<double> aref = -Jdot_v, residual(n);
    for (int i = 0; i < n; ++i) {
      d->efc_R[i] *= kHarder;
      d->efc_D[i] /= kHarder;
    }
    // J a = aref - R f, so aref + R f of the last round as this round's aref leaves R times the
    // change of f.
    Eigen::Map<VectorX<double>> efc_aref(d->efc_aref, n);
    efc_aref = aref;
    for (int round = 0; round < 30; ++round) {
      mj_fwdConstraint(model_.get(), d);
      mj_mulJacVec(model_.get(), d, residual.data(), d->qacc);
      residual += Jdot_v;
      acceleration_error_ = residual.lpNorm<Eigen::Infinity>();
      if (acceleration_error_ < 1e-13 * (1 + Jdot_v.lpNorm<Eigen::Infinity>())) break;
      for (int i = 0; i < n; ++i) efc_aref[i] = -Jdot_v[i] + d->efc_R[i] * d->efc_force[i];
    }
  }

  VectorX<double> accelerations() const {
    const SpanningTree& tree = split_.tree();
    VectorX<double> vdot(tree.nv);
    for (const TreeNode& node : tree.nodes) read_node(node, vdot.data() + node.v_start);
    return split_.join_speeds(vdot);
  }

  Isometry3 pose(BodyIndex body) const {
    Isometry3 X_WM = Isometry3::Identity();
    const Eigen::Index b = find(mjOBJ_BODY, body_name(body.value));
    X_WM.translation() = vector(data_->xpos + 3 * b);
    X_WM.linear() = quaternion(data_->xquat + 4 * b).toRotationMatrix();
    return X_WM * X_BM(body.value).inverse();
  }

  double constraint_error() const { return largest(data_->efc_pos); }
  double constraint_acceleration_error() const { return acceleration_error_; }
  int constraint_count() const { return data_->nefc; }
  const SpanningTree& tree() const { return split_.original_tree(); }
  const std::vector<std::string>& files() const { return files_; }

 private:
  struct Prepared {
    VectorX<double> qpos, qvel, qfrc, xfrc;
  };

  int find(mjtObj type, const std::string& name) const {
    return mj_name2id(model_.get(), type, name.c_str());
  }

  Isometry3 X_BM(int body) const {
    const SpanningTree& tree = split_.tree();
    return body == 0 ? Isometry3::Identity() : tree.nodes[tree.node_of_body[body]].joint.X_BM;
  }

  double largest(const mjtNum* values) const {
    double result = 0;
    for (int i = 0; i < data_->nefc; ++i) result = std::max(result, std::abs(values[i]));
    return result;
  }

  mjtNum* equality_data(const std::string& name) {
    return model_->eq_data + Eigen::Index{mjNEQDATA} * find(mjOBJ_EQUALITY, name);
  }

  void set_equality_data() {
    const Mechanism& m = split_.mechanism();
    for (const JointIndex k : split_.tree().closures) {
      const Joint& joint = m.joints[k.value];
      if (!is_mujoco_closure(joint.type)) continue;
      const Isometry3 X_1F = X_BM(joint.parent.value).inverse() * joint.X_PF;
      const Isometry3 X_2M = X_BM(joint.child.value).inverse() * joint.X_BM;
      mjtNum* data = equality_data(concat("c", k.value));
      if (joint.type == JointType::kFixed) {  // anchors on 2 and on 1, then the rotation of 2 in 1
        store(X_2M.translation(), data);
        store(X_1F.translation(), data + 3);
        store(Quaternion(X_1F.linear() * X_2M.linear().transpose()), data + 6);
        data[10] = 1;  // meters of a radian
        continue;
      }
      store(X_1F.translation(), data);
      store(X_2M.translation(), data + 3);
      if (joint.type != JointType::kRevolute) continue;
      data = equality_data(concat("d", k.value));
      store(X_1F * Vector3::UnitZ(), data);
      store(X_2M * Vector3::UnitZ(), data + 3);
    }
    for (int i = 0; i < count(m.rods); ++i) {
      const std::string name = concat("rod", i);
      equality_data(name)[0] = m.rods[i].length - model_->tendon_length0[find(mjOBJ_TENDON, name)];
    }
    for (int i = 0; i < count(m.couplers); ++i) {
      const std::string name = concat("coupler", i);
      equality_data(name)[0] =
          m.couplers[i].offset - model_->tendon_length0[find(mjOBJ_TENDON, name)];
    }
  }

  // Where MuJoCo keeps a body's coordinates and speeds.
  struct Addresses {
    int q = 0, v = 0;
  };
  Addresses addresses(const TreeNode& node) const {
    const int joint = model_->body_jntadr[find(mjOBJ_BODY, body_name(node.body.value))];
    return {model_->jnt_qposadr[joint], model_->jnt_dofadr[joint]};
  }

  void set_node(const TreeNode& node, const PeerState& state, Prepared* prepared) const {
    const Joint& joint = node.joint;
    if (joint.type == JointType::kFixed) return;
    const double* q = state.q.data() + node.q_start;
    const double* v = state.v.data() + node.v_start;
    const Addresses at = addresses(node);
    double* qpos = prepared->qpos.data() + at.q;
    double* qvel = prepared->qvel.data() + at.v;
    if (joint.type == JointType::kSpherical) {
      store(quaternion(q).normalized(), qpos);
      std::copy_n(v, 3, qvel);
    } else if (joint.type == JointType::kFree) {
      const Isometry3 X_FM = calc_joint_pose(joint, q);
      const Vector3 w_FM_M = vector(v), v_FM_M = vector(v + 3);
      if (joint.parent == kWorld) {
        const Isometry3 X_WM = joint.X_PF * X_FM;
        store(X_WM.translation(), qpos);
        store(Quaternion(X_WM.linear()), qpos + 3);
        store(X_WM.linear() * v_FM_M, qvel);
      } else {
        store(X_FM.translation(), qpos);
        store(quaternion(q).normalized(), qpos + 3);
        store(X_FM.linear() * v_FM_M, qvel);
      }
      store(w_FM_M, qvel + 3);
    } else {
      const int n = multibody::speed_count(joint.type);
      std::copy_n(q, n, qpos);
      std::copy_n(v, n, qvel);
      for (int i = 0; i < count(joint.axes); ++i) prepared->qfrc[at.v + i] = joint.axes[i].force;
      if (joint.type == JointType::kScrew) {
        qpos[1] = joint.pitch * q[0];
        qvel[1] = joint.pitch * v[0];
      }
    }
  }

  void read_node(const TreeNode& node, double* vdot) const {
    const Joint& joint = node.joint;
    if (joint.type == JointType::kFixed) return;
    const Addresses at = addresses(node);
    const double* qacc = data_->qacc + at.v;
    if (joint.type != JointType::kFree) {
      std::copy_n(qacc, multibody::speed_count(joint.type), vdot);
      return;
    }
    // The velocity's components in M from those in an axes system E, F or W, that M turns in:
    // v_M = R_ME v_E, so vdot_M = R_ME (vdot_E - w x v_E).
    const Quaternion R_EM = quaternion(data_->qpos + at.q + 3);
    const Vector3 v_E = vector(data_->qvel + at.v);
    const Vector3 w_E = R_EM * Vector3(vector(data_->qvel + at.v + 3));
    store(Vector3(vector(qacc + 3)), vdot);
    store(R_EM.conjugate() * Vector3(vector(qacc) - w_E.cross(v_E)), vdot + 3);
  }

  void set_wrenches(const PeerState& parts, Prepared* prepared) const {
    const Mechanism& m = split_.mechanism();
    if (m.wrenches.empty()) return;
    const BodyMotions motions = calc_body_motions(split_.tree(), parts);
    for (const Wrench& wrench : m.wrenches) {
      if (wrench.body == kWorld) continue;
      const Matrix3 R_WB = motions.X_WB[wrench.body.value].linear();
      const Matrix3 R_WE = wrench.in_world ? Matrix3::Identity() : R_WB;
      const Vector3 force = R_WE * wrench.force;
      const Vector3 arm = R_WB * (wrench.p_BQ_B - m.bodies[wrench.body.value].p_BoBcm_B);
      const Eigen::Index b = find(mjOBJ_BODY, body_name(wrench.body.value));
      prepared->xfrc.segment<3>(6 * b) += force;
      prepared->xfrc.segment<3>(6 * b + 3) += R_WE * wrench.torque + arm.cross(force);
    }
  }

  void set_state(int state) {
    const Prepared& p = prepared_[state];
    mju_copy(data_->qpos, p.qpos.data(), model_->nq);
    mju_copy(data_->qvel, p.qvel.data(), model_->nv);
    mju_copy(data_->qfrc_applied, p.qfrc.data(), model_->nv);
    mju_copy(data_->xfrc_applied, p.xfrc.data(), 6 * model_->nbody);
  }

  // J v at the configuration that constant speeds reach after `time`.
  VectorX<double> calc_constraint_speeds(int state, double time) {
    set_state(state);
    mj_integratePos(model_.get(), data_->qpos, data_->qvel, time);
    mj_fwdPosition(model_.get(), data_.get());
    VectorX<double> speeds(data_->nefc);
    if (data_->nefc > 0) mj_mulJacVec(model_.get(), data_.get(), speeds.data(), data_->qvel);
    return speeds;
  }

  // d/dt (J v) at constant v, by differences of fourth order.
  VectorX<double> calc_Jdot_v(int state) {
    const double h = 1e-3 / (1 + prepared_[state].qvel.lpNorm<Eigen::Infinity>());
    return (8 * (calc_constraint_speeds(state, h) - calc_constraint_speeds(state, -h)) -
            (calc_constraint_speeds(state, 2 * h) - calc_constraint_speeds(state, -2 * h))) /
           (12 * h);
  }

  SplitMechanism split_;
  std::vector<std::string> files_;
  std::unique_ptr<mjModel, DeleteModel> model_;
  std::unique_ptr<mjData, DeleteData> data_;
  std::vector<Prepared> prepared_;
  double acceleration_error_ = 0;
};

MujocoMechanism::MujocoMechanism(const Mechanism& mechanism)
    : impl_(std::make_unique<Impl>(mechanism)) {}
MujocoMechanism::~MujocoMechanism() = default;

const SpanningTree& MujocoMechanism::tree() const { return impl_->tree(); }
int MujocoMechanism::add_state(const PeerState& state) { return impl_->add_state(state); }
void MujocoMechanism::forward(int state) { impl_->forward(state); }
void MujocoMechanism::forward_exactly(int state) { impl_->forward_exactly(state); }
VectorX<double> MujocoMechanism::accelerations() const { return impl_->accelerations(); }
Isometry3 MujocoMechanism::pose(BodyIndex body) const { return impl_->pose(body); }
double MujocoMechanism::constraint_error() const { return impl_->constraint_error(); }
double MujocoMechanism::constraint_acceleration_error() const {
  return impl_->constraint_acceleration_error();
}
int MujocoMechanism::constraint_count() const { return impl_->constraint_count(); }
const std::vector<std::string>& MujocoMechanism::files() const { return impl_->files(); }
std::string MujocoMechanism::version() { return mj_versionString(); }

}  // namespace camber::bench
