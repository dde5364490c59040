// Langevin dynamics of Drude oscillators.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include <trotter/base/force_groups.hpp>
#include <trotter/base/not_set.hpp>
#include <trotter/drude/joined.hpp>

namespace trotter {

/// Langevin dynamics with two heat baths (W. Jiang et al., J. Phys. Chem. Lett. 2, 87 (2011)): one for particles and
/// for the centers of mass of Drude particles and their parents, and a cold one for the relative motion of these.
struct DrudeLangevinIntegrator {
    static constexpr std::string_view name = "DrudeLangevinIntegrator";  ///< type name, in messages and files

    double temperature = not_set;          ///< [K]
    double friction = not_set;             ///< [1/ps]
    double drude_temperature = not_set;    ///< of the relative motion [K]
    double drude_friction = not_set;       ///< of the relative motion [1/ps]
    double step_size = not_set;            ///< [ps]
    double maximum_drude_distance = 0.02;  ///< from the parent, where a hard wall reflects it [nm]; 0: no limit
    std::uint64_t seed = 0;                ///< 0: derived from the Context's
    double constraint_tolerance = 1e-5;    ///< relative error of constrained distances
    ForceGroups force_groups{};            ///< those that the integrator applies; all by default
    std::vector<drude::Pair> pairs{};      ///< of the System's DrudeForce; set by the Context

    /// The integrator with the pairs of the System. Throws InputError unless this has one DrudeForce.
    template <class List> DrudeLangevinIntegrator joined_with(System<List> const& system) const {
        auto result = *this;
        result.pairs = drude::pairs_of(system, name);
        return result;
    }
};

class XmlNode;
class XmlWriter;
/// Reads the Integrator element of an OpenMM file. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, DrudeLangevinIntegrator& integrator);
void write(XmlWriter& xml, DrudeLangevinIntegrator const& integrator);  ///< attributes of an OpenMM Integrator element

}  // namespace trotter
