// Settings of implicit solvent, and its addition to a System that has charges.
// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include <trotter/app/implicit_solvent.hpp>
#include <trotter/error.hpp>

namespace trotter::app {

ImplicitSolventSettings implicit_solvent_settings(SystemOptions const& options, SurfaceArea default_surface_area) {
    using Method = NonbondedMethod;
    if (options.nonbonded_method == Method::ewald || options.nonbonded_method == Method::pme
        || options.nonbonded_method == Method::ljpme)
        throw InputError(
            "implicit solvent does not go with nonbonded_method Ewald, PME or LJPME: choose NoCutoff, "
            "CutoffNonPeriodic or CutoffPeriodic");
    ImplicitSolventSettings settings;
    settings.model = options.implicit_solvent;
    settings.surface_area = options.surface_area.value_or(default_surface_area);
    settings.solute_dielectric = options.solute_dielectric.value_or(1);
    settings.solvent_dielectric = options.solvent_dielectric.value_or(78.5);
    settings.method = options.nonbonded_method;
    settings.cutoff = options.cutoff.value_or(1);
    // Debye and Hückel's length, reduced by 0.73 for the ions' exclusion as in AMBER's GB; from 1/angstrom to 1/nm.
    auto const by_salt = [&] {
        return 50.33355
               * std::sqrt(options.implicit_solvent_salt.value_or(0) / settings.solvent_dielectric
                           / options.temperature.value_or(298.15))
               * 7.3;
    };
    settings.kappa = options.implicit_solvent_kappa ? *options.implicit_solvent_kappa : by_salt();
    if (!(settings.kappa >= 0) || !std::isfinite(settings.kappa))
        throw InputError(fmt::format("kappa of the implicit solvent is {}, but must be 0 or more", settings.kappa));
    if (!(settings.solute_dielectric > 0 && settings.solvent_dielectric > 0))
        throw InputError("the dielectric constants of the implicit solvent must be positive");
    return settings;
}

void add_implicit_solvent(StandardSystem& system, Topology const& topology, ImplicitSolventSettings const& settings) {
    auto& all = system.forces<NonbondedForce>();
    if (all.size() != 1)
        throw InputError(
            fmt::format("implicit solvent needs the charges of one NonbondedForce, but the System has {}", all.size()));
    auto& nonbonded = all.front();
    nonbonded.reaction_field_dielectric = 1;
    std::vector<double> charges;
    for (auto const& particle : nonbonded.particles) charges.push_back(particle.charge);
    system.add(generalized_born(settings, charges, standard_gb_atoms(topology, settings.model)));
    if (settings.surface_area == SurfaceArea::lcpo)
        system.add(lcpo_surface(topology, settings.method == NonbondedMethod::cutoff_periodic));
}

}  // namespace trotter::app
