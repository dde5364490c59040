// Dispatch table: the inner loops of the instruction set chosen at run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <string_view>
#include <vector>

#include <trotter/cpu/loops.hpp>
#include <trotter/cpu/terms/term_table.hpp>

namespace trotter::cpu {

/// Pointers to the loops of an instruction set.
template <class Real> struct Loops<DynamicDispatch, Real> {
    static Loops const& in_use();
    static std::string_view instruction_set();

    int (*vector_bytes)();
    int (*find_near)(BoundsView const&, ClusterRange const*, int, float const* low, float const* high, float radius2,
                     std::int32_t*);
    void (*fill_slots)(FilledClusters<Real> const&);
    void (*prune)(ClusterList const&, PrunedParticleList& narrow);
    void (*prune_twice)(ClusterList const&, PrunedClusterList& wide, PrunedParticleList& narrow);
    void (*add)(Real const* const* sources, std::size_t source_count, std::size_t count, double*);
    Displacements<Real> (*displaced)(MovedClusters<Real> const&);
    double (*pairs)(PairView<Real> const&, PairConstants<Real> const&, bool energy);
    double (*born)(PairView<Real> const&, BornConstants<Real> const&, BornPass);
    void (*formula)(PairView<Real> const&, PairKernelView<Real> const&);
    double (*jit_pairs)(PairView<Real> const&, JitPair<Real> const&);
    JitPairLayout (*code_layout)();
    PlaneRange (*spread)(MeshView<Real> const&);
    void (*gather)(MeshView<Real> const&, std::int32_t const* plane_of, std::int32_t const* row_of, Real* forces,
                   MeshForces how);
    void (*collect)(PlaneSum<Real> const&);
    double (*convolve)(SpectrumRows<Real> const&, bool with_energy);
    void (*transform_lines)(LineView<Real> const&);
    void (*forward_rows)(RowView<Real> const&);
    void (*backward_rows)(RowView<Real> const&);

    template <class Arch> static constexpr Loops of() {
        using L = cpu::Loops<Arch, Real>;
        return {&L::vector_bytes, &L::find_near, &L::fill_slots, &L::prune, &L::prune_twice, &L::add,
                &L::displaced, &L::pairs, &L::born, &L::formula, &L::jit_pairs, &L::code_layout, &L::spread,
                &L::gather, &L::collect, &L::convolve, &L::transform_lines, &L::forward_rows, &L::backward_rows};
    }
};

template <class Real> using DispatchTable = Loops<DynamicDispatch, Real>;

/// The dispatch tables of one instruction set, compiled in several files.
struct InstructionSet {
    std::string_view name;
    DispatchTable<float> const& single;
#ifndef TROTTER_NO_CPU_DOUBLE
    DispatchTable<double> const& full;
#endif
    IntegrationTable motion;
    TermTable terms;

    template <class Real> DispatchTable<Real> const& table() const {
        if constexpr (sizeof(Real) == 4)
            return single;
        else {
#ifdef TROTTER_NO_CPU_DOUBLE
            static_assert(sizeof(Real) == 4, "this Trotter was built without Cpu in double precision: TROTTER_CPU_DOUBLE");
#else
            return full;
#endif
        }
    }
};

/// Returns the instruction set in use: the best of the machine unless `use_instruction_set` chose another.
InstructionSet const& instruction_set();
/// Returns the names of the sets that this machine supports, best first.
std::vector<std::string_view> instruction_sets();
/// Selects an instruction set, on which the last bits of results depend. Call before any Context is created. Throws
/// UnsupportedError, listing the known names, if the machine lacks it.
void use_instruction_set(std::string_view name);

template <class Real> Loops<DynamicDispatch, Real> const& Loops<DynamicDispatch, Real>::in_use() {
    return cpu::instruction_set().table<Real>();
}
template <class Real> std::string_view Loops<DynamicDispatch, Real>::instruction_set() {
    return cpu::instruction_set().name;
}
template <> inline IntegrationTable IntegrationTable::of<DynamicDispatch>() { return cpu::instruction_set().motion; }

template <HasTerms F> requires std::derived_from<TermTable, TermFunction<F>> class TermLoop<F, DynamicDispatch> {
public:
    static TermFunction<F> function() { return instruction_set().terms; }
};

}  // namespace trotter::cpu
