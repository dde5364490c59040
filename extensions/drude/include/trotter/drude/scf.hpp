// Dynamics with Drude particles at the minimum of the energy.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>
#include <tuple>
#include <vector>

#include <trotter/base/force_groups.hpp>
#include <trotter/base/not_set.hpp>
#include <trotter/drude/joined.hpp>

namespace trotter {

/// Leapfrog dynamics in which the Drude particles are moved to the minimum of the energy after each step (G. Lamoureux,
/// B. Roux, J. Chem. Phys. 119, 3025 (2003), self-consistent field). Drude particles with mass move in the step, too.
struct DrudeSCFIntegrator {
    static constexpr std::string_view name = "DrudeSCFIntegrator";  ///< type name, in messages
    static constexpr bool couples_all_particles = true;  ///< no batches of replicas

    double step_size = not_set;          ///< [ps]
    double minimization_tolerance = 1;   ///< root mean square of the remaining force on a Drude particle [kJ/mol/nm]
    double drude_temperature = 0;        ///< of relative velocities that a Context draws [K]
    double constraint_tolerance = 1e-5;  ///< relative error of constrained distances
    ForceGroups force_groups{};          ///< those that the integrator applies; all by default
    std::vector<drude::Springs::Spring> springs{};  ///< of the System's DrudeForce; set by the Context

    /// The integrator with the springs of the System. Throws InputError unless this has one DrudeForce.
    template <class List> DrudeSCFIntegrator joined_with(System<List> const& system) const {
        auto result = *this;
        result.springs = std::get<0>(drude::force_of(system, name).parts()).springs;
        return result;
    }
};

class XmlNode;
class XmlWriter;
/// Throws InputError: OpenMM has no format for it.
void read(XmlNode const& node, DrudeSCFIntegrator& integrator);
void write(XmlWriter& xml, DrudeSCFIntegrator const& integrator);  ///< throws as `read` does

}  // namespace trotter
