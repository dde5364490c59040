// The inner loops that are compiled for each instruction set.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstring>

#include <trotter/common/constraints/kernels.hpp>
#include <trotter/common/integration/integration_block.hpp>
#include <trotter/common/integration/noise.hpp>
#include <trotter/common/simd/unroll.hpp>
#include <trotter/cpu/arch.hpp>
#include <trotter/cpu/formulas/formula_loop.hpp>
#include <trotter/cpu/formulas/jit_pair.hpp>
#include <trotter/cpu/mesh/line_transform.hpp>
#include <trotter/cpu/mesh/pme_loops.hpp>
#include <trotter/cpu/mesh/row_transform.hpp>
#include <trotter/cpu/neighbor_list/displacements.hpp>
#include <trotter/cpu/neighbor_list/near_clusters.hpp>
#include <trotter/cpu/neighbor_list/pruning.hpp>
#include <trotter/cpu/neighbor_list/slot_filling.hpp>
#include <trotter/cpu/pair_loops/born_pair.hpp>
#include <trotter/cpu/pair_loops/nonbonded_pair.hpp>
#include <trotter/cpu/pair_loops/pair_loop.hpp>

namespace trotter::cpu {

/// Bytes of the widest vectors.
template <class Arch> inline constexpr int widest_vector = has_avx512<Arch> ? 64 : has_avx<Arch> ? 32 : 16;

/// The inner loops; for `DynamicDispatch`, pointers to them (dispatch_table.hpp). No standard containers are used here,
/// so that none of their symbols is compiled for an instruction set that a machine may lack.
template <class Arch, class Real> struct Loops {
    static Loops in_use() { return {}; }
    static constexpr char const* instruction_set() { return Arch::name(); }
    /// Bytes of the widest vector of `Real`.
    static int vector_bytes() { return static_cast<int>(sizeof(Real) * Batch<Real, Arch>::size); }
    static int find_near(BoundsView const& bounds, ClusterRange const* ranges, int range_count, float const* low,
                         float const* high, float radius2, std::int32_t* found) {
        return cpu::find_near<Arch>(bounds, ranges, range_count, low, high, radius2, found);
    }
    static void fill_slots(FilledClusters<Real> const& clusters) { SlotFilling<Real, Arch>::run(clusters); }
    static void prune(ClusterList const& list, PrunedParticleList& narrow) { Pruning<Arch>::run(list, narrow); }
    static void prune_twice(ClusterList const& list, PrunedClusterList& wide, PrunedParticleList& narrow) {
        Pruning<Arch>::run(list, wide, narrow);
    }

    /// Adds `count` numbers from each source to `to`, one source after the other.
    static void add(Real const* const* sources, std::size_t source_count, std::size_t count, double* to) {
        constexpr int together = 4, double_bytes = widest_vector<Arch>;
        constexpr int width = double_bytes / static_cast<int>(sizeof(double));
        using Doubles [[gnu::vector_size(double_bytes)]] = double;
        using Numbers [[gnu::vector_size(width * sizeof(Real))]] = Real;
        std::size_t n = 0;
        for (; n + together * width <= count; n += together * width) {
            Doubles sums[together];
            std::memcpy(sums, to + n, sizeof sums);
            for (std::size_t s = 0; s < source_count; ++s)
                unroll<together>([&](auto k) __attribute__((always_inline)) {
                    Numbers numbers;
                    std::memcpy(&numbers, sources[s] + n + k * width, sizeof numbers);
                    sums[k] += __builtin_convertvector(numbers, Doubles);
                });
            std::memcpy(to + n, sums, sizeof sums);
        }
        for (; n < count; ++n)
            for (std::size_t s = 0; s < source_count; ++s) to[n] += static_cast<double>(sources[s][n]);
    }
    static Displacements<Real> displaced(MovedClusters<Real> const& moved) { return Displaced<Real, Arch>::run(moved); }

    /// Adds the forces of a task's pairs to its buffer; returns their energy, 0 if it is not wanted.
    static double pairs(PairView<Real> const& view, PairConstants<Real> const& constants, bool energy) {
        return energy ? choose_coulomb<true>(view, constants) : choose_coulomb<false>(view, constants);
    }

    /// The same for one pass of generalized Born, which also adds to the task's sums.
    static double born(PairView<Real> const& view, BornConstants<Real> const& constants, BornPass pass) {
        if (pass == BornPass::integrals) return born<BornPass::integrals>(view, constants);
        if (pass == BornPass::energies) return born<BornPass::energies>(view, constants);
        return born<BornPass::chain>(view, constants);
    }

    /// The same for a run-time formula, by its register program.
    static void formula(PairView<Real> const& view, PairKernelView<Real> const& kernel) {
        FormulaLoop<Real, Arch>::run(view, kernel);
    }

    /// The same for a JIT-compiled formula; returns the energy if the code sums it.
    static double jit_pairs(PairView<Real> const& view, JitPair<Real> const& pair) {
        return PairLoop<Real, Arch, JitPair<Real>>::run(view, pair);
    }
    static JitPairLayout code_layout() { return PairLoop<Real, Arch, JitPair<Real>>::code_layout(); }

    static PlaneRange spread(MeshView<Real> const& view) { return MeshLoops<Real, Arch>::spread(view); }
    static void gather(MeshView<Real> const& view, std::int32_t const* plane_of, std::int32_t const* row_of,
                       Real* forces, MeshForces how) {
        MeshLoops<Real, Arch>::gather(view, plane_of, row_of, forces, how);
    }

    static void collect(PlaneSum<Real> const& plane) { MeshLoops<Real, Arch>::collect(plane); }
    static double convolve(SpectrumRows<Real> const& spectrum, bool with_energy) {
        return MeshLoops<Real, Arch>::convolve(spectrum, with_energy);
    }

    static void transform_lines(LineView<Real> const& lines) { LineTransform<Real, Arch>::run(lines); }
    static void forward_rows(RowView<Real> const& rows) { RowTransform<Real, Arch>::forward(rows); }
    static void backward_rows(RowView<Real> const& rows) { RowTransform<Real, Arch>::backward(rows); }

private:
    template <BornPass pass>
    [[gnu::noinline]] static double born(PairView<Real> const& view, BornConstants<Real> const& constants) {
        using Pair = BornPairs<Real, pass>;
        return PairLoop<Real, Arch, Pair>::run(view, Pair(constants));
    }

    // Not inline: with and without energy, they are compiled in two files (src/cpu/).
    template <bool energy>
    static double choose_coulomb(PairView<Real> const& view, PairConstants<Real> const& constants);
    template <CoulombKind coulomb, int degree, bool energy>
    static double choose_dispersion(PairView<Real> const& view, PairConstants<Real> const& constants) {
        if (constants.dispersion == DispersionKind::plain)
            return run<coulomb, DispersionKind::plain, degree, energy>(view, constants);
        if (constants.dispersion == DispersionKind::switched)
            return run<coulomb, DispersionKind::switched, degree, energy>(view, constants);
        if constexpr (coulomb == CoulombKind::ewald)
            return run<coulomb, DispersionKind::mesh, degree, energy>(view, constants);
        return 0;
    }
    template <CoulombKind coulomb, DispersionKind dispersion, int degree, bool energy>
    [[gnu::noinline]] static double run(PairView<Real> const& view, PairConstants<Real> const& constants) {
        using Pair = NonbondedPair<Real, coulomb, dispersion, degree, energy>;
        return PairLoop<Real, Arch, Pair>::run(view, Pair(constants));
    }
};

template <class Arch, class Real>
template <bool energy>
double Loops<Arch, Real>::choose_coulomb(PairView<Real> const& view, PairConstants<Real> const& constants) {
    constexpr int usual = unrolled_degree<Real>;
    if (constants.coulomb == CoulombKind::none)
        return choose_dispersion<CoulombKind::none, 0, energy>(view, constants);
    if (constants.coulomb == CoulombKind::reaction_field)
        return choose_dispersion<CoulombKind::reaction_field, 0, energy>(view, constants);
    if (constants.is_unrolled && !energy)
        return choose_dispersion<CoulombKind::ewald, usual, energy>(view, constants);
    return choose_dispersion<CoulombKind::ewald, 0, energy>(view, constants);
}

/// Returns the loops to call: `loops<Arch, Real>().pairs(...)`.
template <class Arch, class Real> decltype(auto) loops() { return Loops<Arch, Real>::in_use(); }

/// Loops of integrators and constraints: always in double, in the widest vectors.
struct IntegrationTable {
    void (*fill_normals)(RandomStream const&, std::uint64_t step, std::uint32_t first, NormalBlock&);
    IntegrationLoops motion;
    ConstraintKernels constraints;

    template <class Arch> static constexpr IntegrationTable of() {
        constexpr int bytes = widest_vector<Arch>;
        return {&trotter::fill_normals<VectorLanes<bytes>, Arch>, BlockIntegration<bytes, Arch>::table(),
                constraint_kernels<trotter::Lanes<Arch, bytes, bytes == 16 ? 2 : 1>>()};
    }
};

}  // namespace trotter::cpu
