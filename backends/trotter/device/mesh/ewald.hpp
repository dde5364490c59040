// The reciprocal-space sum of plain Ewald on a device.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <trotter/device/mesh/mesh_text.hpp>
#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/device/runtime/vectors.hpp>
#include <trotter/kernels/ewald.hpp>
#include <trotter/kernels/mesh.hpp>
#include <trotter/parts/mesh/reciprocal_charges.hpp>

namespace trotter::device {

/// E = Σ psi(m)|S(m)|² with S(m) = Σ q exp(2 pi i m·x), over half of the box's wave vectors m: the other half has the
/// same terms (P. P. Ewald, Ann. Phys. 369, 253 (1921)). Three launches; summation order is fixed.
template <DeviceQueue Q> class EwaldSum {
public:
    EwaldSum(Engine<Q>& engine, EwaldSplitting const& splitting) {
        auto const influence = influence_text(MeshKind::coulomb, splitting.alpha, engine.types.real_suffix());
        kernels_.take(engine.compile(kernels::box_maps + influence + kernels::ewald));
        std::vector<mm_int4> waves;
        auto const [nx, ny, nz] = splitting.wave_limit;
        for (int x = 0; x < nx; ++x)
            for (int y = x == 0 ? 0 : 1 - ny; y < ny; ++y)
                for (int z = x == 0 && y == 0 ? 1 : 1 - nz; z < nz; ++z) waves.push_back({x, y, z, 0});
        waves_ = Array<Q, mm_int4>(engine.queue, waves);
        structure_ = NumberArray<Q>(engine.queue, std::max<std::size_t>(2 * waves.size(), 2), engine.types.real_is_double);
        fractions_ = Array<Q, std::uint32_t>(engine.queue, (engine.types.real_is_double ? 6 : 3) * engine.padded);
    }

    /// Like `ParticleMesh::launch`, with charges that include the factor sqrt(1/(4 pi eps0)).
    void launch(Engine<Q>& engine, NumberArray<Q> const& charges, int energy_accumulator, bool with_energy) {
        auto& queue = engine.queue;
        auto const count = static_cast<std::int32_t>(waves_.size());
        auto groups = [](std::size_t wanted) { return LaunchGrid{std::clamp<std::size_t>(wanted, 1, 4096), 64}; };
        device::launch<"ewald_fractions">(queue, kernels_, grid_for(queue.properties(), engine.host.size()), fractions_,
                                          engine.positions, engine.box);
        device::launch<"ewald_structure">(
            queue, kernels_, groups(waves_.size()), structure_, fractions_, charges, waves_, count, engine.box,
            engine.sums, static_cast<std::int32_t>(energy_accumulator), static_cast<std::int32_t>(with_energy));
        device::launch<"ewald_forces">(queue, kernels_, groups(engine.host.size()), structure_, fractions_, charges,
                                       waves_, count, engine.box, engine.forces);
    }

private:
    SourceKernels<Q, kernels::ewald> kernels_;
    Array<Q, mm_int4> waves_;
    NumberArray<Q> structure_;
    Array<Q, std::uint32_t> fractions_;  // integers as wide as `real`
};

}  // namespace trotter::device
