// SPDX-License-Identifier: MIT
#include "hydrogen_places.hpp"

#include <algorithm>
#include <utility>

#include <trotter/any_context.hpp>
#include <trotter/error.hpp>

#include "app/cell_grid.hpp"

namespace trotter::program {
namespace {

constexpr double closest = 0.075;  // of a hydrogen and any other atom [nm]

/// By the force field, with a cutoff and without constraints, where only the new hydrogens have a mass.
StandardSystem system_of(app::Structure const& structure, std::vector<bool> const& is_new,
                         app::ForceField const& force_field, std::map<int, std::string> const& residue_templates) {
    app::SystemOptions options;
    options.nonbonded_method = app::NonbondedMethod::cutoff_non_periodic;
    options.rigid_water = false;
    options.remove_cm_motion = false;
    options.residue_templates = residue_templates;
    auto system = force_field.create_system(structure.topology, {}, options);
    for (std::size_t atom = 0; atom < is_new.size(); ++atom)
        if (!is_new[atom]) system.particles.masses[atom] = 0;
    return system;
}

/// Nothing if the minimization fails, as it does where heavy atoms coincide.
std::vector<Vec3<>> minimized(StandardSystem const& system, std::vector<Vec3<>> const& positions) {
    try {
        AnyContext context(system, AnyIntegrator(VerletIntegrator{.step_size = 0.001}), {.platform = "cpu"});
        context.set_positions(positions);
        context.minimize({.tolerance = 1, .max_iterations = 50});
        return context.positions();
    } catch (SimulationError const&) {
        return {};
    }
}

/// Whether a hydrogen is as far from its atom as bonds reach, and not at another atom, as those without Lennard-Jones
/// energy may end.
bool is_possible(app::CellGrid const& grid, std::vector<Vec3<>> const& positions, int hydrogen, int parent) {
    auto const& place = positions[static_cast<std::size_t>(hydrogen)];
    double const bond = norm(place - positions[static_cast<std::size_t>(parent)]);
    return bond > 0.085 && bond < 0.145
           && !grid.any_within(place, closest, [&](int other, double) { return other != hydrogen; });
}

}  // namespace

std::function<void(app::Structure&, std::vector<bool> const&)> minimization_by(
    app::ForceField const& force_field, std::map<int, std::string> residue_templates) {
    return [&force_field, residue_templates = std::move(residue_templates)](app::Structure& structure,
                                                                            std::vector<bool> const& is_new) {
        auto const system = system_of(structure, is_new, force_field, residue_templates);
        if (std::find(is_new.begin(), is_new.end(), true) == is_new.end()) return;
        auto const better = minimized(system, structure.positions);
        if (better.empty()) return;
        app::CellGrid const grid(better, closest, {});
        for (auto const& bond : structure.topology.bonds) {
            auto const hydrogen = static_cast<std::size_t>(bond.atom2);  // of a new one, the second atom
            if (is_new[hydrogen] && is_possible(grid, better, bond.atom2, bond.atom1))
                structure.positions[hydrogen] = better[hydrogen];
        }
    };
}

}  // namespace trotter::program
