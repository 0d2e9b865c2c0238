#pragma once

// Eigen's names as camber uses them at its doors: model descriptions, states, result matrices. The
// recursions inside work on the small types of vec3.h and spatial.h.

#include <Eigen/Core>
#include <Eigen/Geometry>

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
