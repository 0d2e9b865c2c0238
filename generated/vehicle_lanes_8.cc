#include "generated/hmmwv.h"
#include "generated/vehicles.h"

namespace camber::generated_code {

using EightVehicles = math::Lanes<8>;

int hmmwv_motion(const EightVehicles* p, const EightVehicles* q, const EightVehicles* v,
                 EightVehicles* work) {
  return generated::hmmwv_motion(p, q, v, work);
}
int hmmwv_solve(const EightVehicles* p, const EightVehicles* q, const EightVehicles* v,
                const EightVehicles* work, EightVehicles* a) {
  return generated::hmmwv_solve(p, q, v, work, a);
}

}  // namespace camber::generated_code
