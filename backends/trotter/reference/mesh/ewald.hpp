// Reciprocal-space part of a plain Ewald sum.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/parts/mesh/particle_mesh.hpp>
#include <trotter/parts/mesh/reciprocal_charges.hpp>
#include <trotter/reference/mesh/fft.hpp>
#include <trotter/reference/mesh/wave_virial.hpp>

namespace trotter::reference {

/// E = Σ psi(m)|S(m)|² with S(m) = Σ q exp(2 pi i m·x), over half of the wave vectors m of the box, as the other half
/// has equal terms (P. P. Ewald, Ann. Phys. 369, 253 (1921)).
class EwaldSum {
public:
    explicit EwaldSum(EwaldSplitting const& splitting) : splitting_(splitting) {}

    /// Adds the forces on `charges`; returns the energy.
    double add(std::vector<double> const& charges, std::vector<Vec3<>> const& positions, Box const& box,
               std::vector<Vec3<>>& forces) {
        prepare_phases(positions, box);
        double energy = 0;
        for_each_wave([&](std::array<int, 3> const& k) { energy += add_wave(k, charges, box, forces); });
        return energy;
    }
    /// Virial summed over waves, for a strain of positions and box.
    Tensor virial(std::vector<double> const& charges, std::vector<Vec3<>> const& positions, Box const& box) {
        prepare_phases(positions, box);
        Tensor result;
        for_each_wave([&](std::array<int, 3> const& k) {
            Vec3<> const m = box.reciprocal({double(k[0]), double(k[1]), double(k[2])});
            result += wave_virial(m, coulomb_influence, coulomb_influence_slope, splitting_.alpha, box.volume())
                      * std::norm(structure_factor(k, charges));
        });
        return result;
    }

private:
    template <class Visit> void for_each_wave(Visit const& visit) const {
        auto const [nx, ny, nz] = splitting_.wave_limit;
        for (int x = 0; x < nx; ++x)
            for (int y = x == 0 ? 0 : 1 - ny; y < ny; ++y)
                for (int z = x == 0 && y == 0 ? 1 : 1 - nz; z < nz; ++z) visit(std::array{x, y, z});
    }
    // phases_[axis][k][i] = exp(2 pi i k s) for the fraction s of particle i along the axis. The integer part of s,
    // which may be large, is removed to keep digits.
    void prepare_phases(std::vector<Vec3<>> const& positions, Box const& box) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            auto& phases = phases_[axis];
            phases.assign(static_cast<std::size_t>(splitting_.wave_limit[axis]),
                          std::vector<Complex>(positions.size(), 1));
            for (std::size_t i = 0; i < positions.size(); ++i) {
                double const s = box.fractions(positions[i])[axis];
                Complex const one = std::polar(1.0, 2 * std::numbers::pi * (s - std::floor(s)));
                for (std::size_t k = 1; k < phases.size(); ++k) phases[k][i] = times(phases[k - 1][i], one);
            }
        }
        wave_.resize(positions.size());
    }
    Complex phase(std::size_t axis, int k, std::size_t i) const {
        Complex const value = phases_[axis][static_cast<std::size_t>(k < 0 ? -k : k)][i];
        return k < 0 ? std::conj(value) : value;
    }

    // Leaves the terms of the sum in `wave_`.
    Complex structure_factor(std::array<int, 3> const& k, std::vector<double> const& charges) {
        Complex structure = 0;
        for (std::size_t i = 0; i < charges.size(); ++i) {
            wave_[i] = times(times(phase(0, k[0], i), phase(1, k[1], i)), phase(2, k[2], i)) * charges[i];
            structure += wave_[i];
        }
        return structure;
    }
    double add_wave(std::array<int, 3> const& k, std::vector<double> const& charges, Box const& box,
                    std::vector<Vec3<>>& forces) {
        Complex const structure = structure_factor(k, charges);
        Vec3<> const m = box.reciprocal({double(k[0]), double(k[1]), double(k[2])});
        double const psi = coulomb_influence(dot(m, m), splitting_.alpha, box.volume());
        Vec3<> const scale = m * (4 * std::numbers::pi * psi);
        for (std::size_t i = 0; i < charges.size(); ++i)
            forces[i] += scale * times(std::conj(structure), wave_[i]).imag();
        return psi * std::norm(structure);
    }

    EwaldSplitting splitting_;
    std::array<std::vector<std::vector<Complex>>, 3> phases_;
    std::vector<Complex> wave_;
};

}  // namespace trotter::reference
