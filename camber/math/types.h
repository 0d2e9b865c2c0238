#pragma once

// Eigen's names as camber uses them at its doors: model descriptions, states, result matrices. The
// recursions inside work on the small types of vec3.h and spatial.h.

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "camber/core/build_flags.h"

static_assert(EIGEN_MAX_ALIGN_BYTES == CAMBER_EIGEN_ALIGNMENT,
              "Eigen aligns memory differently here than in the camber library: do not define "
              "EIGEN_MAX_ALIGN_BYTES, EIGEN_DONT_ALIGN or EIGEN_DONT_VECTORIZE");
static_assert(EIGEN_WORLD_VERSION == CAMBER_EIGEN_WORLD &&
                  EIGEN_MAJOR_VERSION == CAMBER_EIGEN_MAJOR,
              "the camber library was built with another version of Eigen");

namespace camber {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Isometry3 = Eigen::Isometry3d;
using Quaternion = Eigen::Quaterniond;

template <class T>
using VectorX = Eigen::Matrix<T, Eigen::Dynamic, 1>;
template <class T>
using MatrixX = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

}  // namespace camber
