// Evaluators for the formulas of a CustomIntegrator, with tables and vector functions.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <trotter/common/integration/custom/custom.hpp>
#include <trotter/common/integration/custom/custom_program.hpp>
#include <trotter/common/integration/custom/triple.hpp>
#include <trotter/expression/evaluator.hpp>
#include <trotter/integrators/custom_language.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter::custom_integrator {

/// Tabulated functions, applied by component, and vector functions. Computes values only: no derivatives are needed.
struct Functions {
    Tables const& tables;

    void operator()(int function, std::span<double const* const> operands, std::span<double* const> results,
                    std::size_t lanes) const {
        tables(function, operands, results, lanes);
    }
    void operator()(int function, std::span<Triple const* const> operands, std::span<Triple* const> results,
                    std::size_t lanes) const {
        int const first = static_cast<int>(tables.count());
        for (std::size_t lane = 0; lane < lanes; ++lane)
            results[0][lane] = function < first ? table_value(function, operands, lane)
                                                : vector_value(static_cast<VectorFunction>(function - first), operands, lane);
    }

private:
    Triple table_value(int table, std::span<Triple const* const> operands, std::size_t lane) const {
        std::array<double, 3> of_components{}, x{}, slopes{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            for (std::size_t n = 0; n < operands.size(); ++n) {
                auto const& a = operands[n][lane];
                x[n] = axis == 0 ? a.x : axis == 1 ? a.y : a.z;
            }
            of_components[axis] = tables.evaluate(table, x.data(), slopes.data());
        }
        return {of_components[0], of_components[1], of_components[2]};
    }
    /// Value of a vector function in one lane.
    static Triple vector_value(VectorFunction function, std::span<Triple const* const> operands, std::size_t lane) {
        auto const a = [&](std::size_t n) -> Triple const& { return operands[n][lane]; };
        switch (function) {
        case VectorFunction::cross:
            return {a(0).y * a(1).z - a(0).z * a(1).y, a(0).z * a(1).x - a(0).x * a(1).z,
                    a(0).x * a(1).y - a(0).y * a(1).x};
        case VectorFunction::dot: return Triple(a(0).x * a(1).x + a(0).y * a(1).y + a(0).z * a(1).z);
        case VectorFunction::vector: return {a(0).x, a(1).y, a(2).z};
        case VectorFunction::x: return Triple(a(0).x);
        case VectorFunction::y: return Triple(a(0).y);
        case VectorFunction::z: return Triple(a(0).z);
        }
        return {};
    }
};

struct Evaluators {
    template <class T> using Parts = std::vector<Evaluator<T>>;
    std::vector<Parts<double>> of_components;  // by formula, then by task
    std::vector<Parts<Triple>> of_vectors;

    template <class T> Parts<T>& of(BoundFormula const& formula, std::size_t parts) {
        auto& all = [this]() -> auto& {
            if constexpr (std::is_same_v<T, double>)
                return of_components;
            else
                return of_vectors;
        }();
        all.resize(std::max(all.size(), formula.number + 1));
        while (all[formula.number].size() < parts)
            all[formula.number].emplace_back(formula.expression, std::array<std::string_view, 0>{});
        return all[formula.number];
    }
};

}  // namespace trotter::custom_integrator
