// A CustomIntegrator made ready to run: names looked up, blocks matched, and what each computation needs of the forces.
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

/// Where a variable is kept.
struct VariableRef {
    enum class Kind {
        position, velocity, force, mass, per_dof, uniform, gaussian,  // of each component of each particle
        step_size, global, parameter, energy, derivative
    };
    Kind kind{};
    int index = 0;       ///< of a variable, or of a set of force groups
    std::string name{};  ///< of a parameter of the Context

    bool is_random() const { return kind == Kind::uniform || kind == Kind::gaussian; }
};

/// A formula whose names have been looked up: `variables` are those of its arguments.
struct BoundFormula {
    RuntimeExpression expression{};
    std::vector<VariableRef> variables{};
    bool sees_vectors = false;  ///< calls a function of three components
    std::size_t number = 0;     ///< among all of the integrator
};

/// A computation.
struct Step {
    CustomIntegrator::Kind kind{};
    VariableRef target{};
    BoundFormula formula{}, right{};  ///< `right` is the other side of a condition
    Comparison comparison{};
    std::size_t partner = 0;  ///< of a block's end, where it begins, and the other way round
    bool repeats = false;     ///< the end of a while block
    /// For each set of groups what this computation needs, and what an evaluation before it had better find out: that
    /// which is needed on every way from here before particles move.
    std::vector<ForceQuantities> needs{}, worth_computing{};
};

struct Program {
    std::vector<Step> steps{};
    BoundFormula kinetic_energy{};
    std::vector<ForceQuantities> needs_of_kinetic_energy{};
    std::vector<ForceGroups> sets{};  ///< of force groups that some formula names
    bool constrains_positions = false;
};

/// Throws InputError that names the computation or variable which makes no sense.
Program make_program(CustomIntegrator const& integrator, HostState const& host);

}  // namespace trotter::custom_integrator
