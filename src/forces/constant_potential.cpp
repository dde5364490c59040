// Validates ConstantPotentialForce.
// SPDX-License-Identifier: MIT
#include <trotter/forces/constant_potential.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>

#include <trotter/base/field.hpp>
#include <trotter/core/range_check.hpp>
#include <trotter/error.hpp>

namespace trotter {
namespace {

using Electrode = ConstantPotentialForce::Electrode;

constexpr auto electrode_fields =
    std::tuple{Field{"potential", "", &Electrode::potential},
               Field{"gaussian_width", "", &Electrode::gaussian_width, Valid::positive},
               Field{"thomas_fermi_scale", "", &Electrode::thomas_fermi_scale, Valid::not_negative}};

/// Returns the electrode of each particle, -1 for none.
std::vector<int> electrode_of_particles(ConstantPotentialForce const& force, std::vector<double> const& masses) {
    std::vector<int> result(masses.size(), -1);
    for (std::size_t n = 0; n < force.electrodes.size(); ++n) {
        Numbered const where{"electrode", n};
        for (int const particle : force.electrodes[n].particles) {
            check_particle(particle, static_cast<int>(masses.size()), where);
            auto& known = result[static_cast<std::size_t>(particle)];
            if (known >= 0)
                throw InputError(where + ": particle " + std::to_string(particle) + " belongs to electrode "
                                 + std::to_string(known) + " as well, expected one of no other electrode");
            known = static_cast<int>(n);
            if (double const mass = masses[static_cast<std::size_t>(particle)];
                force.method == ConstantPotentialForce::Method::matrix && mass != 0)
                throw InputError(where + ": particle " + std::to_string(particle) + " has the mass "
                                 + std::to_string(mass) + ", expected 0 for the matrix method");
        }
        check_fields(electrode_fields, force.electrodes[n], where);
    }
    return result;
}

}  // namespace

NonbondedForce ConstantPotentialForce::fixed_charges() const {
    NonbondedForce result{.method = NonbondedForce::Method::pme,
                          .cutoff_distance = cutoff_distance,
                          .use_dispersion_correction = false,
                          .ewald_error_tolerance = ewald_error_tolerance,
                          .pme = pme,
                          .exceptions_use_periodic = exceptions_use_periodic,
                          .force_group = force_group};
    for (double const charge : charges) result.particles.push_back({charge, 1, 0});
    for (auto const& [particle1, particle2, charge_product] : exceptions)
        result.exceptions.push_back({particle1, particle2, charge_product, 1, 0});
    return result;
}

void check(ConstantPotentialForce const& force, std::vector<double> const& masses, Box const& box) {
    check(force.fixed_charges(), static_cast<int>(masses.size()), box);
    auto const electrode_of = electrode_of_particles(force, masses);
    for (std::size_t n = 0; n < force.exceptions.size(); ++n)
        for (int const particle : {force.exceptions[n].particle1, force.exceptions[n].particle2})
            if (int const electrode = electrode_of[static_cast<std::size_t>(particle)]; electrode >= 0)
                throw InputError(Numbered{"exception", n} + ": particle " + std::to_string(particle)
                                 + " belongs to electrode " + std::to_string(electrode) + ", expected one of none");
    auto const& field = force.external_field;
    if (!std::isfinite(field.x + field.y + field.z)) throw InputError("the external field is not of finite numbers");
    if (!(std::isfinite(force.gradient_tolerance) && force.gradient_tolerance > 0))
        throw InputError("gradient_tolerance is " + std::to_string(force.gradient_tolerance)
                         + ", expected a positive number");
    if (!std::isfinite(force.total_charge)) throw InputError("total_charge is not a finite number");
    bool const has_electrodes =
        std::any_of(electrode_of.begin(), electrode_of.end(), [](int electrode) { return electrode >= 0; });
    if (force.use_charge_constraint && !has_electrodes)
        throw InputError("the total charge is constrained, but there is no electrode whose charge could change");
}

void check_same_shape(ConstantPotentialForce const& force, ConstantPotentialForce const& changed) {
    check_same_shape(force.fixed_charges(), changed.fixed_charges());
    auto const settings = [](ConstantPotentialForce const& f) {
        return std::tuple{f.method,           f.gradient_tolerance, f.use_preconditioner, f.use_charge_constraint,
                          f.external_field.x, f.external_field.y,   f.external_field.z,   f.electrodes.size()};
    };
    if (settings(force) != settings(changed))
        throw InputError("the method or one of its settings has changed; only numbers can be updated");
    for (std::size_t n = 0; n < force.electrodes.size(); ++n)
        if (force.electrodes[n].particles != changed.electrodes[n].particles)
            throw InputError(Numbered{"electrode", n}
                             + " is of other particles than before; only its numbers can be updated");
}

}  // namespace trotter
