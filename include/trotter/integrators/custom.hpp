// An integrator given as a list of computations.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/base/force_groups.hpp>
#include <trotter/base/not_set.hpp>
#include <trotter/tables/tabulated_function.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// An integrator whose step is a list of computations, carried out in order, with its own variables. Names in formulas:
///
///     everywhere          dt, energy, energy0, energy1 …; uniform, gaussian; global variables; Context parameters;
///                         deriv(energy, p), deriv(energy0, p) … for a Context parameter p
///     for each component  x, v, f, f0, f1 …, m; per-DOF variables; the functions cross(a, b), dot(a, b),
///     of each particle    vector(a, b, c), _x(a), _y(a), _z(a), of three components
///
/// `f` and `energy` are of the groups in `force_groups`, `f2` and `energy2` of group 2 alone. Random numbers are drawn
/// anew for every computation and component. Forces and energies belong to the current positions, except that virtual
/// sites are updated only at the end of the step; they are computed on first use and cached until they are out of date.
/// Massless particles are left out. Thermostats, barostats and the like act only at `update_context_state`. The time
/// advances by the value of dt at the end of the step.
struct CustomIntegrator {
    static constexpr std::string_view name = "CustomIntegrator";  ///< type name, in messages and files

    /// A global variable and its initial value.
    struct Global {
        std::string name{};  ///< name in formulas
        double value = 0;  ///< initial value
    };
    /// A variable with three components for each particle, and its initial values.
    struct PerDof {
        std::string name{};  ///< name in formulas
        std::vector<Vec3<>> values{};  ///< one for each particle, or one for all
    };
    /// Type of a computation, numbered as in OpenMM's files.
    enum class Kind {
        compute_global = 0,
        compute_per_dof = 1,
        compute_sum = 2,
        constrain_positions = 3,
        constrain_velocities = 4,
        update_context_state = 5,
        if_block = 6,
        while_block = 7,
        end_block = 8,
    };
    /// One computation of the step.
    struct Computation {
        Kind kind = Kind::compute_global;  ///< type of the computation
        /// Target of the assignment: dt, a global variable or a Context parameter; x, v or a per-DOF variable.
        std::string variable{};
        /// A formula; for a block two formulas separated by =, !=, <, <=, > or >=.
        std::string expression{};
    };

    double step_size = not_set;  ///< [ps]; dt in formulas
    std::vector<Global> globals{};  ///< variables with one value
    std::vector<PerDof> per_dof{};  ///< variables with a value for each degree of freedom
    std::vector<Computation> computations{};  ///< the step, in order
    std::string kinetic_energy = "m*v*v/2";  ///< formula, summed over all components
    std::uint64_t seed = 0;                  ///< 0: derived from the Context's
    double constraint_tolerance = 1e-5;      ///< of distances, relative
    ForceGroups force_groups{};  ///< those that the integrator applies; all by default
    std::vector<TabulatedFunction> tabulated_functions{};  ///< available in formulas, component by component

    /// Adds a global variable with its initial value.
    void add_global(std::string variable, double value) { globals.push_back({std::move(variable), value}); }
    /// Adds a per-DOF variable with the same initial value in every component.
    void add_per_dof(std::string variable, double value) {
        per_dof.push_back({std::move(variable), {{value, value, value}}});
    }
    /// Assigns the value of a formula to dt, a global variable or a Context parameter.
    void compute_global(std::string variable, std::string expression) {
        computations.push_back({Kind::compute_global, std::move(variable), std::move(expression)});
    }
    /// Assigns the value of a formula to each component of x, v or a per-DOF variable.
    void compute_per_dof(std::string variable, std::string expression) {
        computations.push_back({Kind::compute_per_dof, std::move(variable), std::move(expression)});
    }
    /// Assigns the sum of a formula over all components of all particles to a variable.
    void compute_sum(std::string variable, std::string expression) {
        computations.push_back({Kind::compute_sum, std::move(variable), std::move(expression)});
    }
    /// Applies position constraints, along their directions at the start of the step or at the last constraint.
    void constrain_positions() { computations.push_back({Kind::constrain_positions}); }
    /// Removes velocity components along constraints.
    void constrain_velocities() { computations.push_back({Kind::constrain_velocities}); }
    /// Runs thermostats, barostats and the like.
    void update_context_state() { computations.push_back({Kind::update_context_state}); }
    /// Runs the computations up to `end_block` if the condition, as "a < b", holds.
    void begin_if(std::string condition) { computations.push_back({Kind::if_block, {}, std::move(condition)}); }
    /// Repeats the computations up to `end_block` while the condition holds.
    void begin_while(std::string condition) { computations.push_back({Kind::while_block, {}, std::move(condition)}); }
    /// Ends the innermost open block.
    void end_block() { computations.push_back({Kind::end_block}); }

    /// Prefix of the names of global variables in a State; `integrator` is the index in a CompoundIntegrator.
    static std::string path_of_globals(int integrator) {
        return "IntegratorParameters[" + std::to_string(integrator) + "]/GlobalVariables[0]/";
    }
    /// Prefix of per-DOF variables.
    static std::string path_of_per_dof(int integrator) {
        return "IntegratorParameters[" + std::to_string(integrator) + "]/PerDofVariables[0]/";
    }
    /// Name of one component of a per-DOF variable.
    static std::string path_of_value(int integrator, std::string const& variable, std::size_t particle, char axis) {
        return path_of_per_dof(integrator) + variable + "[0]/Value[" + std::to_string(particle) + "]/" + axis;
    }
};

}  // namespace trotter
