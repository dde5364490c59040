// Nosé-Hoover dynamics of Drude oscillators.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>
#include <vector>

#include <trotter/base/force_groups.hpp>
#include <trotter/base/not_set.hpp>
#include <trotter/drude/joined.hpp>

namespace trotter {

/// Constant temperature by two Nosé-Hoover chains (C. Y. Son, J. G. McDaniel, Q. Cui, A. Yethiraj, J. Phys. Chem. Lett.
/// 10, 7523 (2019)): one for particles and for the centers of mass of Drude particles and their parents, and a cold one
/// for the relative motion of these. A NoseHooverIntegrator whose pairs are those of the System's DrudeForce.
struct DrudeNoseHooverIntegrator {
    static constexpr std::string_view name = "DrudeNoseHooverIntegrator";  ///< type name, in messages and files
    static constexpr bool couples_all_particles = true;  ///< no batches of replicas

    double temperature = not_set;                ///< [K]
    double collision_frequency = not_set;        ///< [1/ps]
    double drude_temperature = not_set;          ///< of the relative motion [K]
    double drude_collision_frequency = not_set;  ///< of the relative motion [1/ps]
    double step_size = not_set;                  ///< [ps]
    int chain_length = 3;                        ///< thermostats, each acting on the one before
    int multiple_time_steps = 3;                 ///< substeps of the chains per step
    int yoshida_suzuki_steps = 7;                ///< 1, 3, 5 or 7
    double maximum_drude_distance = 0.02;        ///< from the parent, where a hard wall reflects it [nm]; 0: no limit
    double constraint_tolerance = 1e-5;          ///< relative error of constrained distances
    ForceGroups force_groups{};                  ///< those that the integrator applies; all by default
    std::vector<drude::Pair> pairs{};            ///< of the System's DrudeForce; set by the Context

    /// The integrator with the pairs of the System. Throws InputError unless this has one DrudeForce.
    template <class List> DrudeNoseHooverIntegrator joined_with(System<List> const& system) const {
        auto result = *this;
        result.pairs = drude::pairs_of(system, name);
        return result;
    }
};

class XmlNode;
class XmlWriter;
/// Reads the Integrator element of an OpenMM file. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, DrudeNoseHooverIntegrator& integrator);
void write(XmlWriter& xml,
           DrudeNoseHooverIntegrator const& integrator);  ///< attributes of an OpenMM Integrator element

}  // namespace trotter
