// The plain Ewald sum over wave vectors, for rectangular boxes.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/common/threads/threads.hpp>
#include <trotter/parts/mesh/particle_mesh.hpp>
#include <trotter/parts/mesh/reciprocal_charges.hpp>

namespace trotter::cpu {

/// E = Σ psi(m)|S(m)|² over half of the wave vectors m below the limits, the others being their mirror images (P. P.
/// Ewald, Ann. Phys. 369, 253 (1921)). Always in double.
template <class Arch> class EwaldSum {
public:
    explicit EwaldSum(EwaldSplitting const& splitting) : splitting_(splitting) {}

    /// Adds forces, returns the energy.
    double compute(std::vector<Vec3<>> const& positions, std::vector<double> const& charges, Box const& box,
                   std::vector<Vec3<>>& forces, Threads& threads) {
        make_waves(box);
        make_phases(positions, box, threads);
        std::vector<double> energies(waves_.size());
        threads.run(static_cast<int>(waves_.size()), [&](int k) {
            Wave& wave = waves_[static_cast<std::size_t>(k)];
            std::complex<double> sum = 0;
            for (std::size_t i = 0; i < positions.size(); ++i) sum += charges[i] * phase(wave, i);
            energies[static_cast<std::size_t>(k)] = wave.weight * std::norm(sum);
            wave.sum = 2 * wave.weight * std::conj(sum);
        });
        threads.for_each(positions.size(), [&](std::size_t i) {
            Vec3<> force{};
            for (Wave const& wave : waves_) force += wave.k * (wave.sum * phase(wave, i)).imag();
            forces[i] += force * charges[i];
        });
        double energy = 0;
        for (double part : energies) energy += part;
        return energy;
    }

private:
    struct Wave {
        int n[3];
        Vec3<> k;
        double weight;
        std::complex<double> sum;
    };

    void make_waves(Box const& box) {
        waves_.clear();
        auto const [lx, ly, lz] = splitting_.wave_limit;
        for (int x = 0; x < lx; ++x)
            for (int y = x == 0 ? 0 : 1 - ly; y < ly; ++y)
                for (int z = x == 0 && y == 0 ? 1 : 1 - lz; z < lz; ++z) {
                    Vec3<> const m = box.reciprocal({double(x), double(y), double(z)});
                    waves_.push_back({{x, y, z},
                                      m * (2 * std::numbers::pi),
                                      coulomb_influence(dot(m, m), splitting_.alpha, box.volume()),
                                      0});
                }
    }

    /// exp(2πi n s) for each axis, n below the limit, and particle. The integer part of s, which may be large, is
    /// removed since it costs digits.
    void make_phases(std::vector<Vec3<>> const& positions, Box const& box, Threads& threads) {
        Vec3<> const edges{box.a.x, box.b.y, box.c.z};
        for (std::size_t axis = 0; axis < 3; ++axis)
            phases_[axis].resize(positions.size() * static_cast<std::size_t>(splitting_.wave_limit[axis]));
        threads.for_each(positions.size(), [&](std::size_t i) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                auto const limit = static_cast<std::size_t>(splitting_.wave_limit[axis]);
                double const fraction = positions[i][axis] / edges[axis];
                auto const step = std::polar(1.0, 2 * std::numbers::pi * (fraction - std::floor(fraction)));
                std::complex<double> value = 1;
                for (std::size_t n = 0; n < limit; ++n, value *= step) phases_[axis][i * limit + n] = value;
            }
        });
    }
    std::complex<double> phase(Wave const& wave, std::size_t i) const {
        auto axis_phase = [&](std::size_t axis) {
            auto const n = static_cast<std::size_t>(std::abs(wave.n[axis]));
            auto const value = phases_[axis][i * static_cast<std::size_t>(splitting_.wave_limit[axis]) + n];
            return wave.n[axis] < 0 ? std::conj(value) : value;
        };
        return axis_phase(0) * axis_phase(1) * axis_phase(2);
    }

    EwaldSplitting splitting_;
    std::vector<Wave> waves_;
    std::array<std::vector<std::complex<double>>, 3> phases_;
};

}  // namespace trotter::cpu
