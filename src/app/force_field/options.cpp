// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <string>

#include <trotter/error.hpp>

namespace trotter::app::force_field {

void Options::use_implicit_solvent() const {
    for (auto const* name : {"implicit_solvent_kappa", "solute_dielectric", "solvent_dielectric", "sasa"})
        used_.insert(name);
}

void Options::check_all_used() const {
    auto const check = [&](std::string_view name, bool is_given) {
        if (is_given && !used_.contains(name))
            throw InputError("the option " + std::string(name) + " was given, but no part of the force field uses it");
    };
    check("switch_distance", all_.switch_distance.has_value());
    check("flexible_constraints", all_.flexible_constraints.value_or(false));
    check("ewald_error_tolerance", all_.ewald_error_tolerance.has_value());
    check("dispersion_correction", all_.dispersion_correction.has_value());
    check("implicit_solvent", all_.implicit_solvent != ImplicitSolvent::none);
    check("implicit_solvent_kappa", all_.implicit_solvent_kappa.has_value());
    check("implicit_solvent_salt", all_.implicit_solvent_salt.has_value());
    check("temperature", all_.temperature.has_value());
    check("solute_dielectric", all_.solute_dielectric.has_value());
    check("solvent_dielectric", all_.solvent_dielectric.has_value());
    check("sasa", all_.surface_area.has_value());
}

}  // namespace trotter::app::force_field
