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

/// A step is a list of computations, carried out in order, with variables of its own. What formulas may name:
///
///     everywhere          dt, energy, energy0, energy1 …; uniform, gaussian; global variables; the Context's parameters;
///                         deriv(energy, p), deriv(energy0, p) … for such a parameter p
///     for each component  x, v, f, f0, f1 …, m; per-DOF variables; the functions cross(a, b), dot(a, b),
///     of each particle    vector(a, b, c), _x(a), _y(a), _z(a), which see three components at once
///
/// `f` and `energy` are of the groups in `force_groups`, `f2` and `energy2` of group 2 alone. Random numbers are drawn
/// anew for every computation, and there for every component. Forces and energies belong to the present positions,
/// where virtual sites stay as the step found them until it ends; they are computed when they are first needed and kept
/// as long as nothing changes that they depend on. Particles without mass are left out. Thermostats, barostats and the
/// like act at `update_context_state`, and not at all without it. The time grows by what dt is as the step ends.
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
    /// The numbers are those of OpenMM's files.
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
        Kind kind = Kind::compute_global;  ///< what it does
        /// What is assigned to: dt, a global variable or a parameter of the Context; x, v or a per-DOF variable.
        std::string variable{};
        /// A formula; of a block two of them with =, !=, <, <=, > or >= between.
        std::string expression{};
    };

    double step_size = not_set;  ///< [ps]; formulas know it as dt
    std::vector<Global> globals{};  ///< variables with one value
    std::vector<PerDof> per_dof{};  ///< variables with a value for each degree of freedom
    std::vector<Computation> computations{};  ///< the step, in order
    std::string kinetic_energy = "m*v*v/2";  ///< summed over all components
    std::uint64_t seed = 0;                  ///< 0: derived from the Context's
    double constraint_tolerance = 1e-5;      ///< of distances, relative
    ForceGroups force_groups{};  ///< those that the integrator applies; all by default
    std::vector<TabulatedFunction> tabulated_functions{};  ///< that formulas may call, component by component

    /// Adds a global variable with its initial value.
    void add_global(std::string variable, double value) { globals.push_back({std::move(variable), value}); }
    /// The same value in every component.
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
    /// The sum over all components of all particles.
    void compute_sum(std::string variable, std::string expression) {
        computations.push_back({Kind::compute_sum, std::move(variable), std::move(expression)});
    }
    /// Moves the particles onto the constraints, along their directions where the step began or where they were
    /// constrained last.
    void constrain_positions() { computations.push_back({Kind::constrain_positions}); }
    /// Removes the components of velocities along constraints.
    void constrain_velocities() { computations.push_back({Kind::constrain_velocities}); }
    /// Runs thermostats, barostats and the like.
    void update_context_state() { computations.push_back({Kind::update_context_state}); }
    /// Runs what follows, up to `end_block`, if the condition holds, as "a < b".
    void begin_if(std::string condition) { computations.push_back({Kind::if_block, {}, std::move(condition)}); }
    /// Repeats what follows, up to `end_block`, as long as the condition holds.
    void begin_while(std::string condition) { computations.push_back({Kind::while_block, {}, std::move(condition)}); }
    /// Ends the innermost open block.
    void end_block() { computations.push_back({Kind::end_block}); }

    /// The places in a State where the variables stand; `integrator` counts those of a CompoundIntegrator from 0.
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
