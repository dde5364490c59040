// The inner loops of the instruction set that is chosen when the program runs.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <string_view>
#include <vector>

#include <trotter/cpu/loops.hpp>
#include <trotter/cpu/term_table.hpp>

namespace trotter::cpu {

/// Pointers to the functions of `Loops<Arch, Real>`.
template <class Real> struct LoopTable {
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

    template <class Arch> static constexpr LoopTable of() {
        using L = Loops<Arch, Real>;
        return {&L::vector_bytes, &L::find_near, &L::place,           &L::shorten,     &L::shorten_twice,
                &L::add,          &L::displaced, &L::pairs,           &L::born,        &L::formula,
                &L::coded,        &L::code_layout, &L::spread,        &L::gather,      &L::collect,
                &L::convolve,     &L::transform_lines, &L::forward_rows, &L::backward_rows};
    }
};

/// Those that move particles: in double always.
struct MotionTable {
    void (*normals)(RandomStream const&, std::uint64_t step, std::uint32_t first, NormalBlock&);
    MotionLoops (*motion)();
    ConstraintKernels (*constraints)();

    template <class Arch> static constexpr MotionTable of() {
        using L = Loops<Arch, double>;
        return {&L::normals, &L::motion, &L::constraints};
    }
};

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

template <class Real> struct Loops<RuntimeArch, Real> {
    static LoopTable<Real> const& table() { return cpu::instruction_set().table<Real>(); }
    static std::string_view instruction_set() { return cpu::instruction_set().name; }
    static int vector_bytes() { return table().vector_bytes(); }
    static int find_near(BoundsView const& bounds, ClusterRange const* ranges, int range_count, float const* low,
                         float const* high, float radius2, std::int32_t* found) {
        return table().find_near(bounds, ranges, range_count, low, high, radius2, found);
    }
    static void place(PlacedClusters<Real> const& clusters) { table().place(clusters); }
    static void shorten(ClusterList const& list, ShortParticles& narrow) { table().shorten(list, narrow); }
    static void shorten_twice(ClusterList const& list, ShortClusters& wide, ShortParticles& narrow) {
        table().shorten_twice(list, wide, narrow);
    }
    static void add(Real const* const* sources, std::size_t source_count, std::size_t count, double* to) {
        table().add(sources, source_count, count, to);
    }
    static Displacements<Real> displaced(MovedClusters<Real> const& moved) { return table().displaced(moved); }
    static double pairs(PairView<Real> const& view, PairConstants<Real> const& constants, bool energy) {
        return table().pairs(view, constants, energy);
    }
    static double born(PairView<Real> const& view, BornConstants<Real> const& constants, BornSweep sweep) {
        return table().born(view, constants, sweep);
    }
    static void formula(PairView<Real> const& view, FormulaSweep<Real> const& sweep) { table().formula(view, sweep); }
    static double coded(PairView<Real> const& view, CodedPair<Real> const& pair) { return table().coded(view, pair); }
    static PairCodeLayout code_layout() { return table().code_layout(); }
    static PlaneRange spread(MeshView<Real> const& view) { return table().spread(view); }
    static void gather(MeshView<Real> const& view, std::int32_t const* plane_of, std::int32_t const* row_of,
                       Real* forces, MeshForces how) {
        table().gather(view, plane_of, row_of, forces, how);
    }
    static void collect(PlaneSum<Real> const& plane) { table().collect(plane); }
    static double convolve(SpectrumRows<Real> const& spectrum, bool with_energy) {
        return table().convolve(spectrum, with_energy);
    }
    static void transform_lines(LineView<Real> const& lines) { table().transform_lines(lines); }
    static void forward_rows(RowView<Real> const& rows) { table().forward_rows(rows); }
    static void backward_rows(RowView<Real> const& rows) { table().backward_rows(rows); }
    static void normals(RandomStream const& stream, std::uint64_t step, std::uint32_t first, NormalBlock& out) {
        cpu::instruction_set().motion.normals(stream, step, first, out);
    }
    static MotionLoops motion() { return cpu::instruction_set().motion.motion(); }
    static ConstraintKernels constraints() { return cpu::instruction_set().motion.constraints(); }
};

template <HasTerms F> requires std::derived_from<TermTable, TermFunction<F>> class TermLoop<F, RuntimeArch> {
public:
    static TermFunction<F> function() { return instruction_set().terms; }
};

}  // namespace trotter::cpu
