// [Featherstone 2008] Table 5.1, about one point O and in W:
//   F_l = M A + V x* (M V) - F_external + sum of F over its children,   tau = H^T F_l
#include "camber/multibody/inverse_dynamics.h"

#include "camber/multibody/scalars.h"

namespace camber::multibody {

template <class T>
void calc_inverse_dynamics(const Model<T>& model, const PositionKinematics<T>& pos,
                           const VelocityKinematics<T>& vel, const Forces<T>& forces,
                           std::vector<Spatial<T>>* carried, VectorX<T>* tau) {
  const int n = static_cast<int>(model.links.size());
  std::vector<Spatial<T>>& F = *carried;
  F.resize(model.links.size());
  tau->resize(model.nv);
  F[0] = Spatial<T>();
  for (int l = 1; l < n; ++l) {
    F[l] = -forces.F[l];
    if (model.links[l].has_mass) F[l] += inertial_force(pos.M[l], vel.V[l], vel.A[l]);
  }
  for (int l = n - 1; l > 0; --l) {
    const Link<T>& link = model.links[l];
    for (int k = link.v_start; k < link.v_start + link.nv; ++k)
      (*tau)[k] = dot(pos.H[k], F[l]) - forces.tau[k];
    F[link.parent] += F[l];
  }
}

#define CAMBER_INSTANTIATE(T)                                                         \
  template void calc_inverse_dynamics(const Model<T>&, const PositionKinematics<T>&,  \
                                      const VelocityKinematics<T>&, const Forces<T>&, \
                                      std::vector<Spatial<T>>*, VectorX<T>*);
CAMBER_FOR_EACH_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::multibody
