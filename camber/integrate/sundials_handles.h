#pragma once

#include <memory>
#include <span>
#include <type_traits>

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sunmatrix/sunmatrix_dense.h>

namespace camber::integrate::internal {

// Owning handles of SUNDIALS objects.
struct FreeVector {
  void operator()(N_Vector v) const { N_VDestroy(v); }
};
struct FreeMatrix {
  void operator()(SUNMatrix A) const { SUNMatDestroy(A); }
};
struct FreeLinearSolver {
  void operator()(SUNLinearSolver s) const { SUNLinSolFree(s); }
};
struct FreeNonlinearSolver {
  void operator()(SUNNonlinearSolver s) const { SUNNonlinSolFree(s); }
};
template <class Handle, class Free>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Free>;
using Vector = Owned<N_Vector, FreeVector>;

inline std::span<double> span_of(N_Vector v) {
  return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))};
}
/// The columns of a dense matrix, one after the other.
inline std::span<double> columns_of(SUNMatrix A) {
  return {SUNDenseMatrix_Data(A), static_cast<std::size_t>(SUNDenseMatrix_LData(A))};
}

}  // namespace camber::integrate::internal
