// A native loop over Pinocchio's derivatives of forward dynamics, which its Python package lacks. Rows of doubles.
#include <string>

#include <pinocchio/algorithm/aba-derivatives.hpp>

namespace {

struct Mechanism {
  pinocchio::Model model;
  pinocchio::Data data;
};

using Vector = Eigen::Map<const Eigen::VectorXd>;
using Matrix3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

}  // namespace

extern "C" {

// Each link: parent, number of axes, and doubles: axis (3), axis (3), R_PH (9), r_PH_P (3), mass, com (3), inertia (9).
void *make(const double *gravity, int links, const int *parents, const int *axes, const double *numbers) {
  auto *made = new Mechanism;
  auto &model = made->model;
  model.gravity.linear() = Eigen::Map<const Eigen::Vector3d>(gravity);
  for (int i = 0; i < links; ++i, numbers += 31) {
    const Eigen::Vector3d first(numbers), second(numbers + 3);
    const Eigen::Matrix3d R = Eigen::Map<const Matrix3>(numbers + 6), inertia = Eigen::Map<const Matrix3>(numbers + 22);
    const pinocchio::SE3 placement(R, Eigen::Vector3d(numbers + 15));
    const auto parent = static_cast<pinocchio::JointIndex>(parents[i] + 1);
    pinocchio::JointModel joint = pinocchio::JointModelRevoluteUnaligned(first);
    if (axes[i] == 2) joint = pinocchio::JointModelUniversal(first, second);
    else if (first == Eigen::Vector3d::UnitX()) joint = pinocchio::JointModelRX();
    else if (first == Eigen::Vector3d::UnitY()) joint = pinocchio::JointModelRY();
    else if (first == Eigen::Vector3d::UnitZ()) joint = pinocchio::JointModelRZ();
    const auto number = model.addJoint(parent, joint, placement, "joint" + std::to_string(i));
    model.appendBodyToJoint(number, pinocchio::Inertia(numbers[18], Eigen::Vector3d(numbers + 19), inertia));
  }
  made->data = pinocchio::Data(model);
  return made;
}

void destroy(void *made) { delete static_cast<Mechanism *>(made); }

// Writes ∂u̇/∂q, ∂u̇/∂u and ∂u̇/∂τ (its upper half), column by column.
void derivatives(void *made, int count, const double *q, const double *u, const double *tau, double *slopes) {
  auto &[model, data] = *static_cast<Mechanism *>(made);
  const int n = model.nv;
  using Block = Eigen::Map<Eigen::MatrixXd>;
  using RowBlock = Eigen::Map<Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>;
  for (int i = 0; i < count; ++i, q += model.nq, u += n, tau += n, slopes += 3 * n * n)
    pinocchio::computeABADerivatives(model, data, Vector(q, model.nq), Vector(u, n), Vector(tau, n),
                                     Block(slopes, n, n), Block(slopes + n * n, n, n),
                                     RowBlock(slopes + 2 * n * n, n, n));
}

}  // extern "C"
