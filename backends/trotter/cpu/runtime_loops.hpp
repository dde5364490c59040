// The inner loops of the instruction set that is chosen when the program runs.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <string_view>
#include <vector>

#include <trotter/cpu/loops.hpp>
#include <trotter/cpu/term_table.hpp>

namespace trotter::cpu {

/// Pointers to the loops of an instruction set.
template <class Real> struct Loops<RuntimeArch, Real> {
    static Loops const& in_use();
    static std::string_view instruction_set();

    int (*vector_bytes)();
    int (*find_near)(BoundsView const&, ClusterRange const*, int, float const* low, float const* high, float radius2,
                     std::int32_t*);
    void (*place)(PlacedClusters<Real> const&);
    void (*shorten)(ClusterList const&, ShortParticles& narrow);
    void (*shorten_twice)(ClusterList const&, ShortClusters& wide, ShortParticles& narrow);
    void (*add)(Real const* const* sources, std::size_t source_count, std::size_t count, double*);
    Displacements<Real> (*displaced)(MovedClusters<Real> const&);
    double (*pairs)(PairView<Real> const&, PairConstants<Real> const&, bool energy);
    double (*born)(PairView<Real> const&, BornConstants<Real> const&, BornSweep);
    void (*formula)(PairView<Real> const&, FormulaSweep<Real> const&);
    double (*coded)(PairView<Real> const&, CodedPair<Real> const&);
    PairCodeLayout (*code_layout)();
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
        return {&L::vector_bytes, &L::find_near,       &L::place,        &L::shorten,      &L::shorten_twice,
                &L::add,          &L::displaced,       &L::pairs,        &L::born,         &L::formula,
                &L::coded,        &L::code_layout,     &L::spread,       &L::gather,       &L::collect,
                &L::convolve,     &L::transform_lines, &L::forward_rows, &L::backward_rows};
    }
};

template <class Real> using LoopTable = Loops<RuntimeArch, Real>;

/// What is compiled for one instruction set, in several files.
struct InstructionSet {
    std::string_view name;
    LoopTable<float> const& single;
#ifndef TROTTER_NO_CPU_DOUBLE
    LoopTable<double> const& full;
#endif
    MotionTable motion;
    TermTable terms;

    template <class Real> LoopTable<Real> const& table() const {
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

/// The one in use: the best that the machine has, unless another was asked for.
InstructionSet const& instruction_set();
/// The names of those that this machine has, the best first.
std::vector<std::string_view> instruction_sets();
/// Results have other bits with another instruction set. To be called before any Context is made; throws
/// UnsupportedError that lists the known names where the machine lacks it.
void use_instruction_set(std::string_view name);

template <class Real> Loops<RuntimeArch, Real> const& Loops<RuntimeArch, Real>::in_use() {
    return cpu::instruction_set().table<Real>();
}
template <class Real> std::string_view Loops<RuntimeArch, Real>::instruction_set() {
    return cpu::instruction_set().name;
}
template <> inline MotionTable MotionTable::of<RuntimeArch>() { return cpu::instruction_set().motion; }

template <HasTerms F> requires std::derived_from<TermTable, TermFunction<F>> class TermLoop<F, RuntimeArch> {
public:
    static TermFunction<F> function() { return instruction_set().terms; }
};

}  // namespace trotter::cpu
