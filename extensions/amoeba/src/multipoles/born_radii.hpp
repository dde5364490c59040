// Born radii of the generalized Kirkwood model.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/amoeba/generalized_kirkwood.hpp>
#include <trotter/common/threads/threads.hpp>
#include <trotter/vec3.hpp>

namespace trotter::amoeba {

/// Born radii by integrals over the solute, and forces through them.
class BornRadii {
public:
    explicit BornRadii(AmoebaGeneralizedKirkwoodForce const& force);

    /// Computes the radii at these positions.
    void place(std::vector<Vec3<>> const& positions, Threads& threads);
    /// The radii [nm].
    std::vector<double> const& radii() const { return radii_; }
    /// Adds the gradient of an energy with these derivatives by the radii.
    void add_gradient(std::vector<double> const& by_radii, std::vector<Vec3<>> const& positions,
                      std::vector<Vec3<>>& by_positions, Threads& threads) const;

private:
    template <class T> T integral(std::size_t i, std::size_t j, T const& r) const;
    template <class T> T radius_of(std::size_t i, T const& integral) const;

    AmoebaGeneralizedKirkwoodForce force_;
    std::vector<double> starts_;          // of the integrals
    std::vector<double> spheres_;         // radii of descreening spheres
    std::vector<double> radii_, slopes_;  // and derivatives by the integrals
};

}  // namespace trotter::amoeba
