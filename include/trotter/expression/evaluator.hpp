// Evaluates a run-time formula for one or many sets of arguments, in any arithmetic type.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <trotter/expression/registers.hpp>

namespace trotter {

/// Program and scratch space for energy and chosen slopes of one formula; use one per thread. T is double, float or a
/// batch of SIMD lanes (requirements: see `expression::apply`). Nothing is allocated after construction.
template <class T>
class Evaluator {
public:
    /// Energy and all slopes, in the order of `formula.names()`.
    template <class F>
    explicit Evaluator(F const& formula) {
        auto const outputs = formula.unit().outputs;
        set(formula.unit(), formula.names().size(), {outputs.begin(), outputs.end()});
    }
    /// Energy and the slopes by `chosen` names, in their order; 0 for a name that is not a variable of the formula.
    template <class F, class Names>
    Evaluator(F const& formula, Names const& chosen) {
        auto const unit = formula.unit();
        std::vector<int> outputs{unit.outputs[0]};
        for (std::string_view const name : chosen) {
            auto const names = formula.names();
            auto const found = std::find(names.begin(), names.end(), name);
            outputs.push_back(found == names.end() ? -1 : unit.outputs[static_cast<std::size_t>(found - names.begin()) + 1]);
        }
        set(unit, formula.names().size(), outputs);
    }

    /// Number of derivatives that follow the energy.
    std::size_t slope_count() const { return program_.outputs.size() - 1; }

    /// The energy for one set of arguments; `slopes` receives `slope_count()` values. `custom` evaluates the
    /// formula's custom functions and their derivatives: see `expression::run`.
    template <class Custom = expression::NoCustomFunctions>
    T operator()(T const* arguments, T* slopes, Custom const& custom = {}) {
        for (std::size_t v = 0; v < variables(); ++v) registers_[v * block] = arguments[v];
        run(program_, registers_.data(), block, 1, custom);
        for (std::size_t i = 0; i < slope_count(); ++i) slopes[i] = *output(i + 1);
        return *output(0);
    }

    /// The same for `count` sets: `arguments[v][i]` is variable v of set i; `energies[i]` and `slopes[s][i]` are
    /// results. If `energies` or `slopes[s]` is null, it is not written.
    template <class Custom = expression::NoCustomFunctions>
    void operator()(std::size_t count, std::span<T const* const> arguments, T* energies, std::span<T* const> slopes,
                    Custom const& custom = {}) {
        for (std::size_t begin = 0; begin < count; begin += block) {
            auto const lanes = std::min(block, count - begin);
            for (std::size_t v = 0; v < variables(); ++v) std::copy_n(arguments[v] + begin, lanes, &registers_[v * block]);
            run(program_, registers_.data(), block, lanes, custom);
            if (energies) std::copy_n(output(0), lanes, energies + begin);
            for (std::size_t s = 0; s < slopes.size(); ++s)
                if (slopes[s]) std::copy_n(output(s + 1), lanes, slopes[s] + begin);
        }
    }

    /// The register program that is run.
    expression::RegisterProgram const& program() const { return program_; }

private:
    // A register of 512 bytes: dozens fit the L1 cache.
    static constexpr std::size_t block = sizeof(T) < 512 ? 512 / sizeof(T) : 1;

    void set(expression::UnitView unit, std::size_t variables, std::vector<int> const& outputs) {
        program_ = expression::RegisterAllocation{unit, static_cast<int>(variables), outputs}.program();
        zero_ = static_cast<std::size_t>(program_.registers) * block;
        registers_.assign(zero_ + block, expression::constant<T>(0));
        for (std::size_t c = 0; c < program_.constants.size(); ++c)
            std::fill_n(&registers_[(variables + c) * block], block, program_.constants[c].template as<T>());
    }
    std::size_t variables() const { return static_cast<std::size_t>(program_.variables); }
    T const* output(std::size_t i) const {
        int const r = program_.outputs[i];
        return &registers_[r < 0 ? zero_ : static_cast<std::size_t>(r) * block];
    }

    expression::RegisterProgram program_;
    std::vector<T> registers_;
    std::size_t zero_ = 0;
};

}  // namespace trotter
