#include "camber/multibody/partition.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/math/dense.h"
#include "camber/multibody/constraint_row.h"
#include "camber/multibody/mechanism_error.h"

namespace camber::multibody {

namespace {

// Relative size below which a row or column counts as a combination of others, in units of rows and
// speeds. Y is exact to about 1e-15, and a loop closed to 1e-9 leaves 1e-9 in rows that should
// vanish.
constexpr double kRankTolerance = 1e-7;

// The first `rank` columns that QR with column pivoting selects.
std::vector<int> pivot_columns(const MatrixX<double>& A) {
  if (A.rows() == 0 || A.cols() == 0) return {};
  math::ColumnOrder order = math::order_columns(A, kRankTolerance);
  order.columns.resize(static_cast<std::size_t>(order.rank));
  return order.columns;
}

MatrixX<double> take_columns(const MatrixX<double>& A, const std::vector<int>& columns) {
  MatrixX<double> B(A.rows(), static_cast<int>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j) B.col(static_cast<int>(j)) = A.col(columns[j]);
  return B;
}
MatrixX<double> take_rows(const MatrixX<double>& A, const std::vector<int>& rows) {
  return take_columns(A.transpose(), rows).transpose();
}

// In the row's unit, for a unit of each speed.
VectorX<double> jacobian_row(const Model<double>& model, const Cluster& cluster, int row,
                             const PositionKinematics<double>& pos, const VectorX<double>& q) {
  VectorX<double> line(cluster.nv);
  const ConstraintRow<double>& r = model.rows[row];
  fill_jacobian_row(model, cluster, r, calc_row(r, pos, q).F, pos, line.data(), 1);
  for (int k = 0; k < cluster.nv; ++k) line[k] *= model.speed_units[cluster.v_start + k] / r.unit;
  return line;
}

// Links on the path from link a of an equation of kind kPoint whose joints do not move a's point
// along e in any configuration; from a inward, as far as this can be proven.
class StillJoints {
 public:
  explicit StillJoints(const ConstraintRow<double>& row)
      : a_(row.a), e_(to_eigen(row.e_A)), p_(to_eigen(row.p_A)) {
    points_to_center_ = is_zero(e_.cross(p_).norm());
  }

  /// To be called link by link.
  bool contain(int l, const Link<double>& link) {
    const bool turns = link.kind == LinkKind::kRevolute || link.kind == LinkKind::kSpherical;
    const bool is_still = l == a_ && link.kind == LinkKind::kRevolute
                              ? is_zero(e_.dot(Vector3::UnitZ().cross(p_)))  // both fixed in a
                              : turns_about_center_ && turns && points_to_center_;
    turns_about_center_ &= turns && to_eigen(link.p_PF).isZero(0);
    return is_still;
  }

 private:
  // As small as the residual of a closed loop.
  bool is_zero(double x) const { return std::abs(x) <= 1e-14 * p_.norm(); }

  int a_;
  Vector3 e_, p_;
  bool points_to_center_ = false;   // e is the line from a's origin to the point
  bool turns_about_center_ = true;  // the next link's axis or center is in a's origin
};

// Which speeds an equation may contain, in any configuration.
std::vector<bool> speeds_in_row(const Model<double>& model, const Cluster& cluster, int row) {
  std::vector<bool> has(static_cast<std::size_t>(cluster.nv), false);
  const ConstraintRow<double>& r = model.rows[row];
  for (const CouplerTerm<double>& term : r.terms) has[term.v - cluster.v_start] = true;
  if (r.kind == RowKind::kCoupler) return has;
  StillJoints still(r);
  for (int a = r.a, b = r.b; a != b;) {
    const bool is_b = b > a;
    const Link<double>& link = model.links[is_b ? b : a];
    const bool is_still = !is_b && r.kind == RowKind::kPoint && still.contain(a, link);
    for (int k = link.v_start; k < link.v_start + link.nv; ++k)
      has[k - cluster.v_start] = !is_still;
    (is_b ? b : a) = link.parent;
  }
  return has;
}

// Speeds on the paths from a and b to their junction.
std::vector<Partition::RowGroup::Speed> speeds_between(const Model<double>& model,
                                                       const Cluster& cluster, int rows, int a,
                                                       int b) {
  std::vector<Partition::RowGroup::Speed> speeds;
  while (a != b) {
    const bool is_on_a = a > b;
    const Link<double>& link = model.links[is_on_a ? a : b];
    for (int k = link.v_start; k < link.v_start + link.nv; ++k)
      speeds.push_back({k, (k - cluster.v_start) * rows, is_on_a ? -1.0 : 1.0});
    (is_on_a ? a : b) = link.parent;
  }
  return speeds;
}

bool have_same_points(const ConstraintRow<double>& x, const ConstraintRow<double>& y) {
  return x.a == y.a && x.b == y.b && to_eigen(x.p_A) == to_eigen(y.p_A) &&
         to_eigen(x.p_B) == to_eigen(y.p_B);
}

void group_rows(const Model<double>& model, const Cluster& cluster, Partition::Part* part) {
  const int n = static_cast<int>(part->rows.size());
  part->groups.clear();
  for (std::size_t r = 0; r < part->rows.size(); ++r) {
    const ConstraintRow<double>& row = model.rows[part->rows[r]];
    const bool is_point = row.kind == RowKind::kPoint;
    const auto group =
        std::find_if(part->groups.begin(), part->groups.end(), [&](const Partition::RowGroup& g) {
          return is_point && g.is_point && g.count < 3 &&
                 have_same_points(row, model.rows[part->rows[g.places[0]]]);
        });
    if (group != part->groups.end()) {
      group->places[group->count++] = static_cast<int>(r);
    } else {
      part->groups.push_back({{static_cast<int>(r)},
                              1,
                              is_point,
                              is_point ? speeds_between(model, cluster, n, row.a, row.b)
                                       : std::vector<Partition::RowGroup::Speed>()});
    }
  }
}

// Independent speeds in a block's equations, or in those of the earlier blocks that they need.
void find_movers(const Model<double>& model, const Cluster& cluster, const Partition::Part& part,
                 LoopBlock* block) {
  std::vector<bool> moves(part.independent.size(), false);
  for (int r = block->start; r < block->start + block->size; ++r) {
    const std::vector<bool> has = speeds_in_row(model, cluster, part.rows[r]);
    for (std::size_t j = 0; j < moves.size(); ++j)
      if (has[part.independent[j] - cluster.v_start]) moves[j] = true;
  }
  for (const LoopBlock& other : part.holonomic_blocks) {
    const bool is_needed = std::any_of(block->earlier.begin(), block->earlier.end(), [&](int k) {
      return k >= other.start && k < other.start + other.size;
    });
    if (!is_needed) continue;
    for (const int j : other.independent) moves[j] = true;
  }
  for (std::size_t j = 0; j < moves.size(); ++j)
    if (moves[j]) block->independent.push_back(static_cast<int>(j));
}

// For each link, the independent speeds that move it.
void find_movers(const Model<double>& model, const Cluster& cluster, Partition::Part* part) {
  const auto ni = part->independent.size();
  std::vector<std::vector<bool>> of_speed(static_cast<std::size_t>(cluster.nv),
                                          std::vector<bool>(ni, false));
  for (std::size_t j = 0; j < ni; ++j) of_speed[part->independent[j] - cluster.v_start][j] = true;
  for (const LoopBlock& block : part->blocks) {
    for (int i = block.start; i < block.start + block.size; ++i) {
      for (const int j : block.independent)
        of_speed[part->dependent[i] - cluster.v_start][j] = true;
    }
  }
  part->movers.assign(static_cast<std::size_t>(cluster.link_count), {});
  for (int i = 0; i < cluster.link_count; ++i) {
    const Link<double>& link = model.links[cluster.first_link + i];
    std::vector<bool> moves(ni, false);
    const int parent = link.parent - cluster.first_link;
    if (parent >= 0) {
      for (const int j : part->movers[parent]) moves[j] = true;
    }
    for (int k = link.v_start; k < link.v_start + link.nv; ++k) {
      for (std::size_t j = 0; j < ni; ++j)
        if (of_speed[k - cluster.v_start][j]) moves[j] = true;
    }
    for (std::size_t j = 0; j < ni; ++j)
      if (moves[j]) part->movers[i].push_back(static_cast<int>(j));
  }
}

// For each independent speed, what it moves; and where columns are in Y.
void find_moved(const Cluster& cluster, Partition::Part* part) {
  part->moved.assign(part->independent.size(), {});
  for (std::size_t b = 0; b < part->blocks.size(); ++b) {
    const LoopBlock& block = part->blocks[b];
    for (const int j : block.independent) {
      part->moved[j].blocks.push_back(static_cast<int>(b));
      for (int i = block.start; i < block.start + block.size; ++i)
        part->moved[j].dependent.push_back(i);
    }
  }
  part->Y_columns.clear();
  const int rows = static_cast<int>(part->rows.size());
  for (const auto* speeds : {&part->dependent, &part->independent}) {
    for (const int v : *speeds) part->Y_columns.push_back((v - cluster.v_start) * rows);
  }
}

void list_link_rates(const Model<double>& model, const Cluster& cluster, Partition::Part* part) {
  part->link_rates.clear();
  const int ni = static_cast<int>(part->independent.size());
  for (int i = 0; i < cluster.link_count; ++i) {
    const Link<double>& link = model.links[cluster.first_link + i];
    const int parent = link.parent - cluster.first_link;
    for (const int j : part->movers[i]) {
      part->link_rates.push_back({i * ni + j, parent < 0 ? -1 : parent * ni + j, link.v_start,
                                  link.nv, j * cluster.nv + link.v_start - cluster.v_start});
    }
  }
}

// Blocks of the holonomic rows and of all; rows and dependent speeds get the blocks' order.
void make_blocks(const Model<double>& model, const Cluster& cluster, const VectorX<double>& q,
                 const PositionKinematics<double>& pos, Partition::Part* part) {
  const auto n = static_cast<std::size_t>(part->holonomic_count);
  std::vector<int> rows(part->rows.begin(), part->rows.begin() + part->holonomic_count);
  std::vector<int> columns(part->dependent.begin(),
                           part->dependent.begin() + part->holonomic_count);
  Pattern pattern(n, std::vector<bool>(n, false));
  MatrixX<double> Y1(part->holonomic_count, part->holonomic_count);
  for (std::size_t r = 0; r < n; ++r) {
    const std::vector<bool> has = speeds_in_row(model, cluster, rows[r]);
    const VectorX<double> line = jacobian_row(model, cluster, rows[r], pos, q);
    for (std::size_t c = 0; c < n; ++c) {
      const int k = columns[c] - cluster.v_start;
      pattern[r][c] = has[k];
      Y1(static_cast<int>(r), static_cast<int>(c)) = line[k];
    }
  }
  part->holonomic_blocks = order_into_blocks(pattern, Y1, &rows, &columns);
  std::copy(rows.begin(), rows.end(), part->rows.begin());
  std::copy(columns.begin(), columns.end(), part->dependent.begin());
  for (LoopBlock& block : part->holonomic_blocks) find_movers(model, cluster, *part, &block);
  // Holonomic rows may contain speeds that other rows determine: then there is one block.
  part->blocks = part->holonomic_blocks;
  if (part->rows.size() != n) {
    part->blocks = whole_block(static_cast<int>(part->rows.size()));
    for (std::size_t j = 0; j < part->independent.size(); ++j)
      part->blocks[0].independent.push_back(static_cast<int>(j));
  }
  find_movers(model, cluster, part);
  find_moved(cluster, part);
  list_link_rates(model, cluster, part);
  group_rows(model, cluster, part);
}

class Chooser {
 public:
  Chooser(const MechanismTree& mechanism, const VectorX<double>& q, const std::vector<bool>& wanted,
          Mobility* mobility)
      : mechanism_(mechanism),
        model_(mechanism.model),
        q_(q),
        wanted_(wanted),
        mobility_(mobility),
        pos_(model_) {
    calc_position_kinematics(model_, q, &pos_);
  }

  Partition run() {
    Partition partition;
    partition.y_of_link.assign(model_.links.size(), -1);
    for (int l = 1; l < static_cast<int>(model_.links.size()); ++l) {
      const Link<double>& link = model_.links[l];
      const int c = model_.cluster_of[l];
      if (c < 0) {
        if (link.is_driven) continue;
        partition.y_of_link[l] = partition.ny();
        for (int k = 0; k < link.nv; ++k) partition.v_of_y.push_back(link.v_start + k);
      } else if (l == model_.clusters[c].first_link) {
        Partition::Part part = choose(model_.clusters[c]);
        part.y_start = partition.ny();
        partition.v_of_y.insert(partition.v_of_y.end(), part.independent.begin(),
                                part.independent.end());
        partition.parts.push_back(std::move(part));
      }
    }
    return partition;
  }

 private:
  Partition::Part choose(const Cluster& cluster) {
    MatrixX<double> Y(static_cast<int>(cluster.rows.size()), cluster.nv);
    std::vector<int> holonomic, other;  // places in cluster.rows
    for (std::size_t r = 0; r < cluster.rows.size(); ++r) {
      Y.row(static_cast<int>(r)) = jacobian_row(model_, cluster, cluster.rows[r], pos_, q_);
      const bool is_holonomic = model_.rows[cluster.rows[r]].holonomic();
      (is_holonomic ? holonomic : other).push_back(static_cast<int>(r));
    }
    Partition::Part part;
    std::vector<int> free;  // columns that may be dependent or independent
    for (int k = 0; k < cluster.nv; ++k) {
      (is_driven(cluster.v_start + k) ? part.driven : free).push_back(k);
    }
    // Holonomic rows choose first: their dependent speeds belong to dependent coordinates. The
    // other rows choose from the rest.
    std::vector<int> rows, columns;
    take(cluster.v_start, take_rows(Y, holonomic), holonomic, &free, &rows, &columns);
    part.holonomic_count = static_cast<int>(rows.size());
    if (!other.empty()) {
      MatrixX<double> rest = take_rows(Y, other);
      if (!rows.empty()) {
        const MatrixX<double> Y_h = take_rows(Y, rows);
        const MatrixX<double> Y_h1 = take_columns(Y_h, columns);
        rest -= take_columns(rest, columns) * Y_h1.partialPivLu().solve(Y_h);
      }
      take(cluster.v_start, rest, other, &free, &rows, &columns);
    }
    if (mobility_ != nullptr) {
      for (std::size_t r = 0; r < cluster.rows.size(); ++r) {
        if (std::find(rows.begin(), rows.end(), static_cast<int>(r)) == rows.end()) {
          mobility_->redundant.push_back(model_.rows[cluster.rows[r]].name);
        }
      }
    }
    for (const int r : rows) part.rows.push_back(cluster.rows[r]);
    for (const int c : columns) part.dependent.push_back(cluster.v_start + c);
    for (const int c : free) part.independent.push_back(cluster.v_start + c);
    for (int& c : part.driven) c += cluster.v_start;
    std::vector<bool> is_known(static_cast<std::size_t>(model_.nv), true);
    for (int i = 0; i < part.holonomic_count; ++i) is_known[part.dependent[i]] = false;
    make_blocks(model_, cluster, q_, pos_, &part);
    part.plan = plan_closed_form(mechanism_, cluster, is_known, q_);
    return part;
  }

  // Dependent columns among the free ones for these rows, and as many independent rows.
  void take(int v_start, const MatrixX<double>& Y, const std::vector<int>& names,
            std::vector<int>* free, std::vector<int>* rows, std::vector<int>* columns) const {
    if (Y.rows() == 0 || free->empty()) return;  // all speeds are given: every row is redundant
    MatrixX<double> scaled = take_columns(Y, *free);
    const std::size_t rank = pivot_columns(scaled).size();
    // Requested independent speeds are left out if the others suffice; those of quaternions are
    // taken first.
    for (std::size_t j = 0; j < free->size(); ++j) {
      const int v = v_start + (*free)[j];
      if (wanted_[v]) scaled.col(static_cast<int>(j)) *= 1e-5;
      if (mechanism_.is_quaternion[v]) scaled.col(static_cast<int>(j)) *= 1e2;
    }
    std::vector<int> chosen = math::order_columns(scaled).columns;  // places in free
    chosen.resize(rank);
    std::vector<int> new_columns;
    for (const int j : chosen) new_columns.push_back((*free)[j]);
    const MatrixX<double> tall = take_columns(Y, new_columns);
    std::vector<int> new_rows = pivot_columns(tall.transpose());
    // If the rank is in doubt, the tolerance may give one row less than columns; the smaller number
    // counts.
    while (new_columns.size() > new_rows.size()) new_columns.pop_back();
    order_for_elimination(take_rows(take_columns(Y, new_columns), new_rows), new_rows.data(),
                          new_columns.data());
    for (const int r : new_rows) rows->push_back(names[r]);
    columns->insert(columns->end(), new_columns.begin(), new_columns.end());
    std::erase_if(*free, [&](int c) {
      return std::find(new_columns.begin(), new_columns.end(), c) != new_columns.end();
    });
  }

  bool is_driven(int v) const { return mechanism_.motions[v].has_value(); }

  const MechanismTree& mechanism_;
  const Model<double>& model_;
  const VectorX<double>& q_;
  const std::vector<bool>& wanted_;
  Mobility* mobility_;
  PositionKinematics<double> pos_;
};

// When the first cluster on a link is closed, the link is in place: all clusters on it can be
// closed together, so that a processor works on several of their steps at once.
void make_closures(const Model<double>& model, Partition* partition) {
  std::map<int, std::size_t> first_on;  // cluster, of the link that carries it
  for (std::size_t c = 0; c < model.clusters.size(); ++c) {
    Partition::Part& part = partition->parts[c];
    part.closure = {};
    if (part.plan.empty()) continue;
    const Cluster& cluster = model.clusters[c];
    const auto [found, is_first] = first_on.insert({model.links[cluster.first_link].parent, c});
    add_in_turn(order_steps(model, cluster, part.plan), &partition->parts[found->second].closure);
  }
}

std::string independent_element(const std::string& name) {
  return concat("independent \"", name, "\"");
}

std::string describe_no_coordinate(const MechanismTree& mechanism, const std::string& name) {
  const std::vector<Joint>& joints = mechanism.mechanism.joints;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (mechanism.joints[j].in_tree) continue;
    for (int axis = 0; axis < speed_count(joints[j].type); ++axis) {
      if (axis_name(joints[j], axis) != name) continue;
      return concat("independent: joint \"", joints[j].name,
                    "\" closes a loop and has no coordinate; mark another joint of the loop with "
                    "cut = true");
    }
  }
  return concat("independent: there is no coordinate \"", name, "\"",
                did_you_mean(name, mechanism.v_names));
}

}  // namespace

Partition choose_partition(const MechanismTree& mechanism, const VectorX<double>& q,
                           const std::vector<std::string>& named, Mobility* mobility) {
  const Model<double>& model = mechanism.model;
  require(q.size() == model.nq, "choose_partition: q has ", q.size(), " entries, the model needs ",
          model.nq);
  std::vector<bool> wanted(static_cast<std::size_t>(model.nv), false);
  for (const std::string& name : named) {
    const auto found = std::find(mechanism.v_names.begin(), mechanism.v_names.end(), name);
    if (found == mechanism.v_names.end())
      throw MechanismError(describe_no_coordinate(mechanism, name), independent_element(name));
    wanted[static_cast<std::size_t>(found - mechanism.v_names.begin())] = true;
  }
  if (mobility != nullptr) *mobility = {};
  Partition partition = Chooser(mechanism, q, wanted, mobility).run();
  for (int v = 0; v < model.nv; ++v) {
    const bool is_independent =
        std::find(partition.v_of_y.begin(), partition.v_of_y.end(), v) != partition.v_of_y.end();
    if (!wanted[v] || is_independent) continue;
    const std::string& name = mechanism.v_names[v];
    throw MechanismError(
        mechanism.motions[v]
            ? concat("independent: \"", name, "\" cannot be independent, its motion is given")
            : concat("independent: \"", name,
                     "\" cannot be independent here, it follows from the other coordinates of its "
                     "loops; free are ",
                     partition.ny(), " of ", model.nv),
        independent_element(name));
  }
  make_closures(model, &partition);
  if (mobility != nullptr) {
    mobility->coordinates = model.nv;
    mobility->constraints = static_cast<int>(model.rows.size());
    mobility->driven =
        static_cast<int>(std::count_if(mechanism.motions.begin(), mechanism.motions.end(),
                                       [](const auto& motion) { return motion.has_value(); }));
    mobility->degrees_of_freedom = partition.ny();
  }
  return partition;
}

bool exchange_speeds(const MechanismTree& mechanism, const VectorX<double>& q,
                     const LoopKinematics<double>& loops, Partition* partition) {
  const Model<double>& model = mechanism.model;
  bool changed = false;
  for (std::size_t c = 0; c < model.clusters.size(); ++c) {
    const Cluster& cluster = model.clusters[c];
    Partition::Part& part = partition->parts[c];
    const int nd = static_cast<int>(part.dependent.size()),
              ni = static_cast<int>(part.independent.size());
    if (part.holonomic_count != nd || ni == 0) continue;
    MatrixX<double> G(nd, ni);
    for (int i = 0; i < nd; ++i) {
      for (int j = 0; j < ni; ++j) {
        G(i, j) = loops.clusters[c].G[j * cluster.nv + part.dependent[i] - cluster.v_start] *
                  model.speed_units[part.independent[j]] / model.speed_units[part.dependent[i]];
      }
    }
    bool part_changed = false;
    // Each exchange multiplies the determinant of Y1 by more than 1.05, so the exchanges end.
    for (int exchanges = 0; exchanges < 10 * (nd + ni); ++exchanges) {
      int r = -1, k = -1;
      double most = 1.05;
      for (int i = 0; i < nd; ++i) {
        if (mechanism.is_quaternion[part.dependent[i]]) continue;
        for (int j = 0; j < ni; ++j) {
          if (std::abs(G(i, j)) > most) {
            most = std::abs(G(i, j));
            r = i;
            k = j;
          }
        }
      }
      if (r < 0) break;
      // v_r = sum of G_rj y_j, solved for y_k.
      const double pivot = G(r, k);
      const Eigen::RowVectorXd row = G.row(r);
      const VectorX<double> column = G.col(k);
      G -= column * row / pivot;
      G.col(k) = column / pivot;
      G.row(r) = -row / pivot;
      G(r, k) = 1 / pivot;
      std::swap(part.dependent[r], part.independent[k]);
      partition->v_of_y[part.y_start + k] = part.independent[k];
      part_changed = true;
    }
    if (!part_changed) continue;
    changed = true;
    std::vector<bool> is_known(static_cast<std::size_t>(model.nv), true);
    for (const int v : part.dependent) is_known[v] = false;
    PositionKinematics<double> pos(model);
    calc_position_kinematics(model, q, &pos);
    make_blocks(model, cluster, q, pos, &part);
    part.plan = plan_closed_form(mechanism, cluster, is_known, q);
  }
  if (changed) make_closures(model, partition);
  return changed;
}

bool choose_rows_again(const MechanismTree& mechanism, const VectorX<double>& q, std::size_t c,
                       Partition* partition) {
  const Model<double>& model = mechanism.model;
  const Cluster& cluster = model.clusters[c];
  Partition::Part& part = partition->parts[c];
  const auto n = static_cast<std::size_t>(part.holonomic_count);
  PositionKinematics<double> pos(model);
  calc_position_kinematics(model, q, &pos);
  std::vector<int> candidates;
  for (const int r : cluster.rows)
    if (model.rows[r].holonomic()) candidates.push_back(r);
  MatrixX<double> Y1(part.holonomic_count, static_cast<int>(candidates.size()));  // transposed
  for (std::size_t r = 0; r < candidates.size(); ++r) {
    const VectorX<double> line = jacobian_row(model, cluster, candidates[r], pos, q);
    for (std::size_t i = 0; i < n; ++i)
      Y1(static_cast<int>(i), static_cast<int>(r)) = line[part.dependent[i] - cluster.v_start];
  }
  const std::vector<int> order = math::order_columns(Y1).columns;
  std::vector<int> old_rows(part.rows.begin(), part.rows.begin() + part.holonomic_count), rows;
  for (std::size_t i = 0; i < n; ++i) rows.push_back(candidates[order[i]]);
  std::sort(rows.begin(), rows.end());
  std::sort(old_rows.begin(), old_rows.end());
  if (rows == old_rows) return false;
  std::copy(rows.begin(), rows.end(), part.rows.begin());
  make_blocks(model, cluster, q, pos, &part);
  return true;
}

}  // namespace camber::multibody
