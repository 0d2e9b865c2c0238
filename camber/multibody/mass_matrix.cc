// [Featherstone 2008] Table 6.2, with one change: the book works in body coordinates, we take every
// quantity about one point O, so a force needs no transform when it is passed inward.
//   K_i  = M_i + sum of K_j over the children j of i                     (1)
//   M_ii = H_i^T K_i H_i,   M_ji = H_j^T K_i H_i  for each ancestor j    (2)
#include "camber/multibody/mass_matrix.h"

#include "camber/core/require.h"
#include "camber/multibody/scalars.h"

namespace camber::multibody {

template <class T>
void calc_mass_matrix(const Model<T>& model, const PositionKinematics<T>& pos,
                      std::vector<SymMat6<T>>* composites, MatrixX<T>* M) {
  const int n = static_cast<int>(model.links.size());
  *M = MatrixX<T>::Constant(model.nv, model.nv, T(0));
  std::vector<SymMat6<T>>& K = *composites;
  K.assign(model.links.size(), SymMat6<T>());
  for (int l = n - 1; l > 0; --l) {
    const Link<T>& link = model.links[l];
    if (link.has_mass) K[l] += SymMat6<T>(pos.M[l]);
    if (link.parent > 0) K[link.parent] += K[l];  // (1)
    for (int k = link.v_start; k < link.v_start + link.nv; ++k) {
      const Spatial<T> F = K[l] * pos.H[k];
      for (int a = l; a > 0; a = model.links[a].parent) {  // (2)
        const Link<T>& ancestor = model.links[a];
        for (int j = ancestor.v_start; j < ancestor.v_start + ancestor.nv; ++j) {
          (*M)(j, k) = (*M)(k, j) = dot(pos.H[j], F);
        }
      }
    }
  }
}

template <class T>
void calc_jacobian(const Model<T>& model, const PositionKinematics<T>& pos, BodyIndex body,
                   const Vec3<T>& p_BQ_B, MatrixX<T>* J) {
  require(body.valid() && body.value < static_cast<int>(model.bodies.size()),
          "calc_jacobian: there is no body ", body.value);
  const BodyPlace<T>& place = model.bodies[body.value];
  const Vec3<T> p_OQ =
      pos.p_OL[place.link] + pos.R_WL[place.link] * (place.p_LB + place.R_LB * p_BQ_B);
  *J = MatrixX<T>::Constant(6, model.nv, T(0));
  for (int l = place.link; l > 0; l = model.links[l].parent) {
    const Link<T>& link = model.links[l];
    for (int k = link.v_start; k < link.v_start + link.nv; ++k) {
      const Vec3<T> w = pos.H[k].top(), v = velocity_at(pos.H[k], p_OQ);
      for (int i = 0; i < 3; ++i) {
        (*J)(i, k) = w[i];
        (*J)(3 + i, k) = v[i];
      }
    }
  }
}

template <class T>
MassCenter<T> calc_mass_center(const Model<T>& model, const PositionKinematics<T>& pos) {
  MassCenter<T> result{T(0), Vec3<T>()};
  Vec3<T> mc;
  for (std::size_t l = 1; l < model.links.size(); ++l) {
    if (!model.links[l].has_mass) continue;
    result.mass += pos.M[l].m;
    mc += pos.M[l].mc;
  }
  result.p_WC = pos.p_WO + mc * T(T(1) / result.mass);
  return result;
}

template <class T>
Momentum<T> calc_momentum(const Model<T>& model, const PositionKinematics<T>& pos,
                          const VelocityKinematics<T>& vel) {
  Spatial<T> h;
  for (std::size_t l = 1; l < model.links.size(); ++l) {
    if (model.links[l].has_mass) h += pos.M[l] * vel.V[l];
  }
  const Vec3<T> p_OC = calc_mass_center(model, pos).p_WC - pos.p_WO;
  return {h.bottom(), h.top() - cross(p_OC, h.bottom()), h.top() + cross(pos.p_WO, h.bottom())};
}

template <class T>
T calc_kinetic_energy(const Model<T>& model, const PositionKinematics<T>& pos,
                      const VelocityKinematics<T>& vel) {
  T twice = T(0);
  for (std::size_t l = 1; l < model.links.size(); ++l) {
    if (model.links[l].has_mass) twice += dot(vel.V[l], pos.M[l] * vel.V[l]);
  }
  return twice * T(0.5);
}

template <class T>
T calc_gravity_energy(const Model<T>& model, const PositionKinematics<T>& pos) {
  T energy = T(0);
  for (std::size_t l = 1; l < model.links.size(); ++l) {
    if (model.links[l].has_mass) energy -= dot(model.gravity, pos.M[l].mc + pos.p_WO * pos.M[l].m);
  }
  return energy;
}

#define CAMBER_INSTANTIATE(T)                                                             \
  template void calc_mass_matrix(const Model<T>&, const PositionKinematics<T>&,           \
                                 std::vector<SymMat6<T>>*, MatrixX<T>*);                  \
  template void calc_jacobian(const Model<T>&, const PositionKinematics<T>&, BodyIndex,   \
                              const Vec3<T>&, MatrixX<T>*);                               \
  template MassCenter<T> calc_mass_center(const Model<T>&, const PositionKinematics<T>&); \
  template Momentum<T> calc_momentum(const Model<T>&, const PositionKinematics<T>&,       \
                                     const VelocityKinematics<T>&);                       \
  template T calc_kinetic_energy(const Model<T>&, const PositionKinematics<T>&,           \
                                 const VelocityKinematics<T>&);                           \
  template T calc_gravity_energy(const Model<T>&, const PositionKinematics<T>&);
CAMBER_FOR_EACH_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::multibody
