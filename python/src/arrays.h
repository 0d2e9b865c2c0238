#pragma once

// Arrays between NumPy and camber.

#include <cmath>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>

#include "camber/core/require.h"
#include "python/src/common.h"

namespace camber::python {

/// Numbers from the caller, as doubles in C order; NumPy converts where that loses nothing a person
/// would miss (integers, lists, other strides). Complex numbers, texts and objects are a TypeError.
struct Numbers : py::array_t<double, py::array::c_style | py::array::forcecast> {
  using array_t::array_t;
  Numbers() = default;
};

template <class T>
py::array_t<T> read_only(py::array_t<T> array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

/// A read-only array over memory that `owner` keeps alive: no copy, and valid for as long as the
/// array lives, whatever becomes of the object that handed it out.
template <class T>
py::array_t<T> view_of(const T* data, std::vector<py::ssize_t> shape,
                       std::shared_ptr<const void> owner) {
  auto* kept = new std::shared_ptr<const void>(std::move(owner));
  const py::capsule capsule(
      kept, [](void* pointer) { delete static_cast<std::shared_ptr<const void>*>(pointer); });
  return read_only(py::array_t<T>(std::move(shape), data, capsule));
}

/// A read-only array that takes a vector over.
template <class T>
py::array_t<T> to_array(std::vector<T> values, std::vector<py::ssize_t> shape = {}) {
  const auto kept = std::make_shared<const std::vector<T>>(std::move(values));
  if (shape.empty()) shape = {static_cast<py::ssize_t>(kept->size())};
  return view_of(kept->data(), std::move(shape), kept);
}

/// An Eigen matrix as an array of rows.
template <class Matrix>
py::array_t<double> to_matrix(const Matrix& m) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(m.size()));
  for (int i = 0; i < m.rows(); ++i)
    for (int j = 0; j < m.cols(); ++j) values.push_back(m(i, j));
  return to_array(std::move(values), {m.rows(), m.cols()});
}

inline std::span<const double> span_of(const Numbers& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

inline void require_finite(const Numbers& array, const char* what) {
  for (const double x : span_of(array))
    require(std::isfinite(x), what, ": every number must be finite, got ", x);
}

}  // namespace camber::python

template <>
struct pybind11::detail::type_caster<camber::python::Numbers> {
  PYBIND11_TYPE_CASTER(camber::python::Numbers, handle_type_name<array_t<double>>::name);

  bool load(handle source, bool) {
    const array given = array::ensure(source);
    if (!given) {
      PyErr_Clear();
      return false;
    }
    constexpr std::string_view kinds = "biuf";  // truth values, whole numbers, floating point
    if (kinds.find(given.dtype().kind()) == std::string_view::npos) return false;
    value = camber::python::Numbers(given);
    return true;
  }
};
