// A register program as a pass over pairs: sources of its arguments, and the memory of tasks.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include <trotter/common/formulas/traced.hpp>
#include <trotter/cpu/formulas/pair_kernel_view.hpp>
#include <trotter/cpu/loops.hpp>
#include <trotter/cpu/neighbor_list/clusters.hpp>
#include <trotter/expression/registers.hpp>
#include <trotter/physics/pair_energies.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter::cpu {

/// The data of a `PairKernelView`. The first registers are the arguments of the unit. `Arch` keeps symbols of different
/// instruction sets apart.
template <class Real, class Arch> class PairKernelProgram {
public:
    using KernelView = PairKernelView<Real>;
    /// An argument that is the same for all pairs.
    struct Global {
        int register_number, index;
    };
    /// Between `start` and the cutoff, outputs are multiplied by the switching function.
    struct SwitchingRange {
        double start, inverse_width;
    };

    PairKernelProgram(int column_count, double cutoff) {
        kernel.column_count = column_count;
        kernel.cutoff2 = static_cast<Real>(cutoff * cutoff);
    }
    /// Compiles the wanted `outputs` of the unit. Set its arguments before.
    void compile(expression::UnitView unit, int arguments, std::vector<int> const& outputs,
                 std::optional<SwitchingRange> const& switching = {}) {
        program_ = expression::RegisterAllocation{unit, arguments, outputs}.program();
        if (switching) switch_off(*switching);
        find_lanes();
        if (kernel.distance >= 0 && !reads(kernel.distance)) kernel.distance = -1;
        if (kernel.inverse < 0) kernel.inverse = add_register();
        if (kernel.square < 0) kernel.square = add_register();
    }

    /// JIT-compiles it if possible: the whole pair loop if the outputs are forces and at most an energy, otherwise runs
    /// of instructions. Set everything else before.
    void make_code() {
        bool const is_of_pairs = kernel.virial >= 0 && sums.empty() && totals.size() <= 1 && kernel.column_count > 0
                                 && kernel.column_count <= record_size;
        if (is_of_pairs) make_jit_pair_kernel();
        if (!jit_pair_kernel_) make_runs();
    }

    bool has_jit_pair_kernel() const { return static_cast<bool>(jit_pair_kernel_); }

    KernelView kernel{};  ///< without the members that `run` and the vectors provide
    std::vector<typename KernelView::Load> loads;
    std::vector<typename KernelView::Sum> sums;
    std::vector<Global> globals;
    std::vector<int> totals;

    /// The register of the n-th wanted output.
    int output(int n) const { return program_.outputs[static_cast<std::size_t>(n)]; }
    /// Adds a register that the program does not use.
    int add_register() {
        last_lanes_.push_back(KernelView::lanes - 1);
        return static_cast<int>(last_lanes_.size()) - 1;
    }

    /// The memory in which a task runs it.
    class Memory {
    public:
        void make_room(PairKernelProgram const& program) {
            std::size_t const tiles = 3 + program.sums.size() + program.totals.size();
            grow(rows_, tiles * KernelView::tile);
            grow(registers_, program.jit_pair_kernel_
                                 ? static_cast<std::size_t>(program.jit_pair_kernel_.frame_vectors() * vector_size())
                                 : program.last_lanes_.size() * KernelView::lanes);
        }

    private:
        friend PairKernelProgram;
        static void grow(Aligned<Real>& numbers, std::size_t count) {
            if (numbers.size() < count) numbers.resize(count);
        }
        Aligned<Real> registers_, rows_;
    };

    /// Evaluates a task's pairs and returns the totals. Forces and sums go to the task's buffers.
    std::vector<double> run(PairView<Real> const& view, Memory& memory, std::vector<double> const& values,
                            Tables const& tables) const {
        if (jit_pair_kernel_) return run_jit_pair_kernel(view, memory, values);
        std::vector<double> results(totals.size());
        KernelView all = kernel;
        all.code = program_.code.data(), all.code_size = static_cast<int>(program_.code.size());
        all.runs = jit_code_.runs().data(), all.run_count = static_cast<int>(jit_code_.runs().size());
        all.loads = loads.data(), all.load_count = static_cast<int>(loads.size());
        all.sums = sums.data(), all.sum_count = static_cast<int>(sums.size());
        all.totals = totals.data(), all.total_count = static_cast<int>(totals.size());
        all.registers = memory.registers_.data(), all.rows = memory.rows_.data();
        all.last_lanes = last_lanes_.data();
        all.results = results.data();
        auto const calls = table_calls(tables);
        all.calls = calls.data();
        for_each_fixed(values, [&](int number, Real value) {
            std::fill_n(all.registers + static_cast<std::ptrdiff_t>(number) * KernelView::lanes,
                        last_lanes_[static_cast<std::size_t>(number)] + 1, value);
        });
        loops<Arch, Real>().formula(view, all);
        return results;
    }

private:
    /// Numbers per SIMD vector.
    static int vector_size() { return loops<Arch, Real>().vector_bytes() / static_cast<int>(sizeof(Real)); }

    /// Visits the registers that hold the same number for all pairs: `visit(register, number)`.
    template <class Visit> void for_each_fixed(std::vector<double> const& values, Visit const& visit) const {
        for (std::size_t c = 0; c < program_.constants.size(); ++c)
            visit(program_.variables + static_cast<int>(c), program_.constants[c].template as<Real>());
        for (auto const& [number, value] : known_) visit(number, static_cast<Real>(value));
        for (auto const& [number, global] : globals)
            visit(number, static_cast<Real>(values[static_cast<std::size_t>(global)]));
    }
    /// Appends instructions and their registers to the program.
    struct Further {
        using Name = int;
        PairKernelProgram& program;

        int write(expression::Op op, int a, int b) {
            int const result = program.program_.registers++;
            program.program_.code.push_back({op, result, a, b, a});
            return result;
        }
        int constant(double value) {
            for (auto const& known : program.known_)
                if (known.value == value) return known.register_number;
            program.known_.push_back({program.program_.registers, value});
            return program.program_.registers++;
        }
    };
    /// Multiplies outputs by the switching function: the energy, r times its derivative by r, and any other sums over
    /// pairs.
    void switch_off(SwitchingRange const& range) {
        Further further{*this};
        using Number = Traced<Further>;
        Number const r(further, kernel.distance);
        auto const [factor, minus_slope] = switched<Number>({1.0, 0.0}, r, range.start, range.inverse_width);
        auto& outputs = program_.outputs;
        Number const energy(further, outputs[0]);
        for (int& output : outputs) output = (Number(further, output) * factor).name(further);
        outputs[1] = (Number(further, outputs[1]) - minus_slope * energy).name(further);
    }
    std::vector<double> run_jit_pair_kernel(PairView<Real> const& view, Memory& memory,
                                            std::vector<double> const& values) const {
        Real* const frame = memory.registers_.data();
        auto const in_frame = [&](int n) { return frame + static_cast<std::ptrdiff_t>(vector_size()) * n; };
        auto const fill = [&](int n, Real value) { std::fill_n(in_frame(n), vector_size(), value); };
        for_each_fixed(values, fill);
        fill(jit_pair_kernel_.cutoff(), kernel.cutoff2);
        fill(jit_pair_kernel_.energy(), 0);
        Real* const energies = totals.empty() ? nullptr : in_frame(jit_pair_kernel_.energy());
        double const energy = loops<Arch, Real>().jit_pairs(view, {jit_pair_kernel_.function(), frame, energies});
        return totals.empty() ? std::vector<double>{} : std::vector{energy};
    }
    std::vector<TableCall> table_calls(Tables const& tables) const {
        std::vector<TableCall> result;
        for (auto const& [function, operands, results] : program_.calls) {
            TableCall call{.table = tables.view(static_cast<std::size_t>(function)), .value = results[0]};
            for (std::size_t n = 0; n < operands.size(); ++n)
                call.operands[n] = operands[n], call.slopes[n] = results[n + 1];
            result.push_back(call);
        }
        return result;
    }

    void find_lanes() {
        last_lanes_.assign(static_cast<std::size_t>(program_.registers), KernelView::lanes - 1);
        auto const set = [&](int number, int last) { last_lanes_[static_cast<std::size_t>(number)] = last; };
        for (std::size_t c = 0; c < program_.constants.size(); ++c)
            set(program_.variables + static_cast<int>(c), KernelView::tile - 1);
        for (auto const& known : known_) set(known.register_number, KernelView::tile - 1);
        for (auto const& [number, global] : globals) set(number, KernelView::tile - 1);
        for (auto const& load : loads)
            if (!load.is_second) set(load.register_number, KernelView::tile - 1);
        // These are read in all lanes.
        for (int const number : program_.outputs)
            if (number >= 0) set(number, KernelView::lanes - 1);
        for (auto const& call : program_.calls)
            for (int const number : call.operands) set(number, KernelView::lanes - 1);
    }
    void make_jit_pair_kernel() {
        auto program = program_;
        program.outputs = {kernel.virial};
        program.outputs.insert(program.outputs.end(), totals.begin(), totals.end());
        JitPairArguments arguments{{}, kernel.distance, kernel.inverse, kernel.square, !totals.empty()};
        for (auto const& [number, column, is_second] : loads)
            arguments.parameters.push_back({number, column, is_second});
        jit_pair_kernel_ = JitPairKernel(program, arguments, loops<Arch, Real>().code_layout());
    }
    void make_runs() {
        constexpr int number_bytes = sizeof(Real);
        RegisterLayout layout{number_bytes,
                              loops<Arch, Real>().vector_bytes(),
                              KernelView::lanes * number_bytes,
                              KernelView::tile * number_bytes,
                              {}};
        for (int const last : last_lanes_) layout.is_repeated.push_back(last < KernelView::lanes - 1);
        jit_code_ = JitCode(program_, layout);
    }

    /// Whether the program reads a register.
    bool reads(int number) const {
        auto const has = [&](std::vector<int> const& numbers) { return std::ranges::count(numbers, number) > 0; };
        return has(program_.outputs)
               || std::ranges::any_of(program_.calls, [&](auto const& call) { return has(call.operands); })
               || std::ranges::any_of(program_.code, [&](auto const& instruction) {
                      auto const& [op, result, a, b, c] = instruction;
                      return op != expression::Op::custom && (a == number || b == number || c == number);
                  });
    }

    struct Known {
        int register_number;
        double value;
    };

    expression::RegisterProgram program_;
    std::vector<Known> known_;  // constants that the unit lacks
    JitCode jit_code_;
    JitPairKernel jit_pair_kernel_;
    std::vector<int> last_lanes_;  // of each register, see PairKernelView
};

}  // namespace trotter::cpu
