#include "generated/hmmwv.h"
#include "generated/vehicles.h"

namespace camber::generated_code {

using FourVehicles = math::Lanes<4>;

int hmmwv_motion(const FourVehicles* p, const FourVehicles* q, const FourVehicles* v,
                 FourVehicles* work) {
  return generated::hmmwv_motion(p, q, v, work);
}
int hmmwv_solve(const FourVehicles* p, const FourVehicles* q, const FourVehicles* v,
                const FourVehicles* work, FourVehicles* a) {
  return generated::hmmwv_solve(p, q, v, work, a);
}

}  // namespace camber::generated_code
