// The sites of multipoles: their moments in the laboratory frame, and the forces on the particles that define frames.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/amoeba/multipole.hpp>
#include <trotter/amoeba/multipoles/frame.hpp>
#include <trotter/amoeba/multipoles/moments.hpp>
#include <trotter/amoeba/multipoles/radial.hpp>
#include <trotter/common/threads/threads.hpp>

namespace trotter::amoeba {

/// Particles of one task: few, as each has many pairs.
inline constexpr std::size_t grain = 16;

/// Calls `body(i)` for each site.
template <class Body> void for_each_site(Threads& threads, std::size_t count, Body const& body) {
    threads.for_ranges(
        count,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) body(i);
        },
        grain);
}

/// Sites with their constants and, at the current positions, their moments.
class Sites {
public:
    explicit Sites(std::vector<AmoebaMultipoleForce::Multipole> const& multipoles);

    std::size_t size() const { return moments.size(); }
    /// Computes `moments` at these positions.
    void place(std::vector<Vec3<>> const& positions, Threads& threads);
    /// Adds the forces that turn the frames; `by_moments` has the derivatives of the energy by the moments of each
    /// site: `value` by the charge, `first` by the dipole and `second` by the quadrupole.
    void add_frame_forces(std::vector<Vec3<>> const& positions, std::vector<Potential<>> const& by_moments, double unit,
                          std::vector<Vec3<>>& forces, Threads& threads);

    std::vector<Moments<>> moments;      ///< in the laboratory frame
    std::vector<TholeSite> thole;        ///< parameters of damping
    std::vector<double> polarizability;  ///< [nm³]

private:
    struct Definition {
        AmoebaMultipoleForce::Axis axis;
        int z, x, y;        // particles, or -1
        Moments<> moments;  // in the frame
    };
    struct Vectors {
        Vec3<> z, x, y;  // to the particles of the frame; 0 for none
    };
    Vectors vectors_of(std::size_t i, std::vector<Vec3<>> const& positions) const;
    Moments<> chiral_moments(std::size_t i, Vectors const& to) const;

    std::vector<Definition> definitions_;
    std::vector<std::array<Vec3<>, 3>> gradients_;  // by the positions of each site's z, x and y particles
};

}  // namespace trotter::amoeba
