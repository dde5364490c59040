// OrientationRestraintForce: restrains the orientation of a structure.
// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/core/structure_check.hpp>
#include <trotter/forces/orientation_restraint.hpp>

#include "define_kernel.hpp"
#include "superposition.hpp"

namespace trotter::reference {

/// E = 2 k (1 - q0²), since the first component of a rotation's quaternion q is cos(theta/2). If the largest eigenvalue
/// of the matrix F is degenerate, q0² is the squared projection of the first axis on its eigenspace: the rotation by
/// the smallest angle.
template <> class CompiledKernel<OrientationRestraintForce>::Implementation {
public:
    Implementation(OrientationRestraintForce const& force, Engine<Reference, Double>& engine, Registration who)
        : index_(who.index) {
        update(force, engine);
    }

    double compute(Engine<Reference, Double>& engine, Request const& request) {
        auto& host = engine.host;
        if (!request.wants(index_, group_)) return 0;
        auto const x = centered(chosen(host.positions, particles_));
        auto const eigen = eigen_system(rotation_matrix(x, reference_));
        auto const best = count_best(eigen.values);
        double q02 = 0;
        for (std::size_t a = 0; a < best; ++a) q02 += eigen.vectors[a][0] * eigen.vectors[a][0];
        auto const slopes = slopes_of_sums(eigen, best);
        for (std::size_t n = 0; n < x.size(); ++n) {
            Vec3<> gradient;  // of q0², by x: Σ_b ∂q0²/∂s_ab y_b
            for (std::size_t axis = 0; axis < 3; ++axis) gradient[axis] = dot(slopes[axis], reference_[n]);
            host.forces[static_cast<std::size_t>(particles_[n])] += gradient * (2 * k_);
        }
        return 2 * k_ * (1 - q02);
    }

    /// Updates reference, particles and force constant.
    void update(OrientationRestraintForce const& force, Engine<Reference, Double>& engine) {
        int const count = engine.host.particles.count();
        if (!std::isfinite(force.k)) throw InputError("k is " + std::to_string(force.k) + ", expected a finite number");
        check_reference_positions(force.reference_positions, count);
        check_distinct_particles(force.particles, count);
        group_ = force.force_group;
        k_ = force.k;
        particles_ = named_or_all(force.particles, count);
        reference_ = centered(chosen(force.reference_positions, particles_));
    }

private:
    static std::size_t count_best(std::array<double, 4> const& values) {
        double const tolerance = 1e-10 * (std::abs(values[0]) + std::abs(values[3]));
        std::size_t best = 1;
        while (best < 4 && values[0] - values[best] <= tolerance) ++best;
        return best;
    }
    /// ∂q0²/∂s, where s_ab are the sums of x_a y_b: an eigenvector v_a changes by Σ_b v_b (v_b·dF v_a)/(l_a - l_b).
    static std::array<Vec3<>, 3> slopes_of_sums(EigenSystem const& eigen, std::size_t best) {
        std::array<Vec3<>, 3> slopes;
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t column = 0; column < 3; ++column) {
                std::array<Vec3<>, 3> unit;
                unit[row][column] = 1;
                auto const change = rotation_matrix(unit);
                for (std::size_t a = 0; a < best; ++a)
                    for (std::size_t b = best; b < 4; ++b)
                        slopes[row][column] += 2 * eigen.vectors[a][0] * eigen.vectors[b][0]
                                               * between(eigen.vectors[a], change, eigen.vectors[b])
                                               / (eigen.values[a] - eigen.values[b]);
            }
        return slopes;
    }
    static double between(Quaternion const& a, Matrix4 const& m, Quaternion const& b) {
        double sum = 0;
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j < 4; ++j) sum += a[i] * m[i][j] * b[j];
        return sum;
    }

    int index_, group_ = 0;
    double k_ = 0;
    std::vector<int> particles_;
    std::vector<Vec3<>> reference_;
};

template class CompiledKernel<OrientationRestraintForce>;

}  // namespace trotter::reference
