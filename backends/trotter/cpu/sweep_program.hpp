// A register program as a sweep over pairs: where its arguments come from, and the memory in which tasks run it.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <trotter/cpu/clusters.hpp>
#include <trotter/cpu/formula_sweep.hpp>
#include <trotter/cpu/loops.hpp>
#include <trotter/expression/registers.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter::cpu {

/// What a `FormulaSweep` points to. Registers begin with the arguments of the unit. `Arch` keeps symbols of different
/// instruction sets apart.
template <class Real, class Arch> class SweepProgram {
public:
    using Sweep = FormulaSweep<Real>;
    /// An argument that is the same for all pairs.
    struct Global {
        int register_number, index;
    };

    SweepProgram(int column_count, double cutoff) {
        sweep.column_count = column_count;
        sweep.cutoff2 = static_cast<Real>(cutoff * cutoff);
    }
    /// `outputs` are those of the unit that are wanted.
    void compile(expression::UnitView unit, int arguments, std::vector<int> const& outputs) {
        program_ = expression::RegisterAllocation{unit, arguments, outputs}.program();
        registers_ = program_.registers;
    }

    Sweep sweep{};  ///< but for what the vectors and `run` give it
    std::vector<typename Sweep::Load> loads;
    std::vector<typename Sweep::Sum> sums;
    std::vector<Global> globals;
    std::vector<int> totals, unswitched_totals;

    /// The register of the n-th of the wanted outputs.
    int output(int n) const { return program_.outputs[static_cast<std::size_t>(n)]; }
    /// One more register, which the program leaves alone.
    int add_register() { return registers_++; }

    /// What a task runs it in.
    class Memory {
    public:
        void make_room(SweepProgram const& program) {
            registers_.resize(
                std::max(registers_.size(), static_cast<std::size_t>(program.registers_) * Sweep::lanes));
            std::size_t const tiles = 3 + program.sums.size() + program.totals.size();
            rows_.resize(std::max(rows_.size(), tiles * Sweep::tile));
        }

    private:
        friend SweepProgram;
        Aligned<Real> registers_, rows_;
    };

    /// The totals. Forces and sums go to the task's buffers.
    std::vector<double> run(PairView<Real> const& view, Memory& memory, std::vector<double> const& values,
                            Tables const& tables) const {
        std::vector<double> results(totals.size());
        Context const context{program_, tables};
        Sweep all = sweep;
        all.code = program_.code.data(), all.code_size = static_cast<int>(program_.code.size());
        all.loads = loads.data(), all.load_count = static_cast<int>(loads.size());
        all.sums = sums.data(), all.sum_count = static_cast<int>(sums.size());
        all.totals = totals.data(), all.total_count = static_cast<int>(totals.size());
        all.unswitched_totals = unswitched_totals.data();
        all.registers = memory.registers_.data(), all.rows = memory.rows_.data();
        all.results = results.data();
        all.evaluate_call = &evaluate_call, all.context = &context;
        auto const fill = [&](int number, double value) {
            std::fill_n(all.registers + static_cast<std::ptrdiff_t>(number) * Sweep::lanes, Sweep::lanes,
                        static_cast<Real>(value));
        };
        for (std::size_t c = 0; c < program_.constants.size(); ++c)
            fill(program_.variables + static_cast<int>(c), program_.constants[c]);
        for (auto const& [number, global] : globals) fill(number, values[static_cast<std::size_t>(global)]);
        for (auto const& load : loads) fill(load.register_number, 0);  // lanes that no pair has filled yet
        Loops<Arch, Real>::formula(view, all);
        return results;
    }

private:
    struct Context {
        expression::RegisterProgram const& program;
        Tables const& tables;
    };

    static void evaluate_call(void const* context, int number, Real* registers) {
        auto const& [program, tables] = *static_cast<Context const*>(context);
        auto const& call = program.calls[static_cast<std::size_t>(number)];
        auto const at = [&](int r) { return registers + static_cast<std::ptrdiff_t>(r) * Sweep::lanes; };
        std::vector<Real const*> operands;
        std::vector<Real*> results;
        for (int const r : call.operands) operands.push_back(at(r));
        for (int const r : call.results) results.push_back(r < 0 ? nullptr : at(r));
        tables(call.function, std::span<Real const* const>(operands), std::span<Real* const>(results), Sweep::lanes);
    }

    expression::RegisterProgram program_;
    int registers_ = 0;
};

}  // namespace trotter::cpu
