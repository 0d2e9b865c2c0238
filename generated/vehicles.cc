#include "generated/vehicles.h"

#include "generated/hmmwv.h"

namespace camber::generated_code {

int hmmwv(const double* p, const double* q, const double* v, double* a) {
  return generated::hmmwv(p, q, v, a);
}
int hmmwv_one_by_one(const double* p, const double* q, const double* v, double* a) {
  return generated::hmmwv<double, false>(p, q, v, a);
}
int hmmwv(const Lanes* p, const Lanes* q, const Lanes* v, Lanes* a) {
  return generated::hmmwv(p, q, v, a);
}
int hmmwv_motion(const double* p, const double* q, const double* v, double* work) {
  return generated::hmmwv_motion(p, q, v, work);
}
int hmmwv_solve(const double* p, const double* q, const double* v, const double* work, double* a) {
  return generated::hmmwv_solve(p, q, v, work, a);
}
int hmmwv_work_size() { return generated::hmmwv_work_size; }
std::string_view hmmwv_key() { return generated::hmmwv_key; }
std::string_view hmmwv_structure() { return generated::hmmwv_structure; }
std::span<const int> hmmwv_plan() { return generated::hmmwv_plan; }
std::span<const double> hmmwv_plan_constants() { return generated::hmmwv_plan_constants; }
std::span<const double> hmmwv_parameters() { return generated::hmmwv_parameters; }

}  // namespace camber::generated_code
