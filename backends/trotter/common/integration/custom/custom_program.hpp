// Compiled form of a CustomIntegrator: resolved names, matched blocks, and the forces that each computation needs.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/base/force_groups.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/common/integration/group_force_cache.hpp>
#include <trotter/expression/runtime_statement.hpp>
#include <trotter/integrators/custom.hpp>
#include <trotter/integrators/custom_language.hpp>

namespace trotter::custom_integrator {

/// Storage location of a variable.
struct VariableRef {
    enum class Kind {
        position, velocity, force, mass, per_dof, uniform, gaussian,  // per degree of freedom
        step_size, global, parameter, energy, derivative
    };
    Kind kind{};
    int index = 0;       ///< of a variable, or of a set of force groups
    std::string name{};  ///< of a global parameter

    bool is_random() const { return kind == Kind::uniform || kind == Kind::gaussian; }
};

/// A formula with resolved names: `variables` are its arguments.
struct BoundFormula {
    RuntimeExpression expression{};
    std::vector<VariableRef> variables{};
    bool sees_vectors = false;  ///< calls a vector function
    std::size_t number = 0;     ///< index among the integrator's formulas
};

/// One computation.
struct Step {
    CustomIntegrator::Kind kind{};
    VariableRef target{};
    BoundFormula formula{}, right{};  ///< `right`: right-hand side of a condition
    Comparison comparison{};
    std::size_t partner = 0;  ///< index of the block's other end
    bool repeats = false;     ///< ends a while block
    /// Per set of force groups: what this computation needs, and what an evaluation before it should also compute, as
    /// every path from here needs it before particles move.
    std::vector<ForceQuantities> needs{}, worth_computing{};
};

struct Program {
    std::vector<Step> steps{};
    BoundFormula kinetic_energy{};
    std::vector<ForceQuantities> needs_of_kinetic_energy{};
    std::vector<ForceGroups> sets{};  ///< force groups used in formulas
    bool constrains_positions = false;
};

/// Throws InputError that names the invalid computation or variable.
Program make_program(CustomIntegrator const& integrator, HostState const& host);

}  // namespace trotter::custom_integrator
