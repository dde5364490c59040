// A formula of a CustomGBForce as a sweep over pairs: its program, and the memory in which tasks run it.
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
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/forces/custom_gb_formulas.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter::cpu {

/// Where the numbers of a particle stand among its parameters: those of the force, values, weights of values. `Arch`,
/// here and below, keeps symbols of different instruction sets apart.
template <class Arch> struct GBColumns {
    int parameters, values;

    int of(GBFormula::Argument const& argument) const {
        using Source = GBFormula::Source;
        return argument.index
               + (argument.source == Source::value    ? parameters
                  : argument.source == Source::weight ? parameters + values
                                                      : 0);
    }
    int count() const { return parameters + 2 * values; }
};

/// Which outputs of a formula are wanted: of `both_orders` the values, or what follows from them; of an energy itself
/// and what follows from it.
template <class Real, class Arch> class FormulaProgram {
    using Source = GBFormula::Source;
    using Sweep = FormulaSweep<Real>;

public:
    enum class Wants { values, energy, chain };

    /// A sum over the partners of each particle: whose derivative by which value it is.
    struct Plane {
        int value;
    };
    /// A sum over all pairs: the energy, or the derivative by a global parameter.
    struct Total {
        int global;  ///< -1: the energy
    };

    FormulaProgram(GBFormula const& formula, Wants wants, GBColumns<Arch> const& columns, double cutoff) {
        auto const unit = formula.expression.unit();
        std::vector<int> outputs;
        auto const output = [&](std::size_t n) {
            outputs.push_back(unit.outputs[n]);
            return static_cast<int>(outputs.size()) - 1;
        };
        if (wants == Wants::energy) totals_.push_back({-1}), total_registers_.push_back(output(0));
        for (std::size_t n = 0; n < formula.arguments.size(); ++n) {
            auto const& argument = formula.arguments[n];
            auto const number = static_cast<int>(n);
            if (argument.source == Source::distance) sweep_.distance = number;
            if (argument.source == Source::global) globals_.push_back({number, argument.index});
            if (argument.source != Source::distance && argument.source != Source::global)
                loads_.push_back({number, columns.of(argument), argument.is_second});
            if (wants == Wants::values) {
                if (argument.source == Source::weight) sums_.push_back({output(n + 1), 0, argument.is_second});
                continue;
            }
            if (argument.source == Source::distance) sweep_.slope = output(n + 1);
            if (argument.source == Source::value)
                sums_.push_back({output(n + 1), plane(argument.index), argument.is_second});
            if (argument.source == Source::global)
                totals_.push_back({argument.index}), total_registers_.push_back(output(n + 1));
        }
        program_ = expression::RegisterAllocation{unit, static_cast<int>(formula.arguments.size()), outputs}.program();
        auto const in_register = [&](int& n) { n = program_.outputs[static_cast<std::size_t>(n)]; };
        if (sweep_.slope >= 0) in_register(sweep_.slope);
        for (auto& sum : sums_) in_register(sum.register_number);
        for (int& total : total_registers_) in_register(total);
        sweep_.column_count = columns.count();
        sweep_.cutoff2 = static_cast<Real>(cutoff * cutoff);
    }

    std::vector<Plane> const& planes() const { return planes_; }
    std::vector<Total> const& totals() const { return totals_; }

    /// What a task runs it in.
    class Memory {
    public:
        void make_room(FormulaProgram const& program) {
            auto const& p = program.program_;
            registers_.resize(std::max(registers_.size(), static_cast<std::size_t>(p.registers) * Sweep::lanes));
            std::size_t const tiles = 3 + program.sums_.size() + program.totals_.size();
            rows_.resize(std::max(rows_.size(), tiles * Sweep::tile));
        }

    private:
        friend FormulaProgram;
        Aligned<Real> registers_, rows_;
    };

    /// The totals.
    std::vector<double> run(PairView<Real> const& view, Memory& memory, std::vector<double> const& globals,
                            Tables const& tables) const {
        std::vector<double> results(totals_.size());
        Context const context{program_, tables};
        Sweep sweep = sweep_;
        sweep.code = program_.code.data(), sweep.code_size = static_cast<int>(program_.code.size());
        sweep.loads = loads_.data(), sweep.load_count = static_cast<int>(loads_.size());
        sweep.sums = sums_.data(), sweep.sum_count = static_cast<int>(sums_.size());
        sweep.totals = total_registers_.data(), sweep.total_count = static_cast<int>(total_registers_.size());
        sweep.registers = memory.registers_.data(), sweep.rows = memory.rows_.data();
        sweep.results = results.data();
        sweep.evaluate_call = &evaluate_call, sweep.context = &context;
        auto const fill = [&](int number, double value) {
            std::fill_n(sweep.registers + static_cast<std::ptrdiff_t>(number) * Sweep::lanes, Sweep::lanes,
                        static_cast<Real>(value));
        };
        for (std::size_t c = 0; c < program_.constants.size(); ++c)
            fill(program_.variables + static_cast<int>(c), program_.constants[c]);
        for (auto const& [number, global] : globals_) fill(number, globals[static_cast<std::size_t>(global)]);
        for (auto const& load : loads_) fill(load.register_number, 0);  // lanes that no pair has filled yet
        Loops<Arch, Real>::formula(view, sweep);
        return results;
    }

private:
    struct Context {
        expression::RegisterProgram const& program;
        Tables const& tables;
    };
    struct Global {
        int register_number, index;
    };

    int plane(int value) {
        for (std::size_t n = 0; n < planes_.size(); ++n)
            if (planes_[n].value == value) return static_cast<int>(n);
        planes_.push_back({value});
        return static_cast<int>(planes_.size()) - 1;
    }
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
    Sweep sweep_{.distance = -1, .slope = -1};
    std::vector<typename Sweep::Load> loads_;
    std::vector<typename Sweep::Sum> sums_;
    std::vector<Global> globals_;
    std::vector<Plane> planes_;
    std::vector<Total> totals_;
    std::vector<int> total_registers_;
};

}  // namespace trotter::cpu
