// Validates NonbondedForce.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/core/range_check.hpp>
#include <trotter/core/repeated_pair.hpp>
#include <trotter/error.hpp>
#include <trotter/physics/nonbonded_parameters.hpp>

namespace trotter {

template <class Where> static void require_not_negative(double value, char const* what, Where const& where) {
    if (!allows(Valid::not_negative, value)) refuse_value(what, value, expected_text(Valid::not_negative), where);
}

static void check_particles(NonbondedForce const& force) {
    for (std::size_t i = 0; i < force.particles.size(); ++i) {
        auto const& [charge, sigma, epsilon] = force.particles[i];
        Numbered const where{"particle", i};
        detail::require_finite(charge, "charge", where);
        require_not_negative(sigma, "sigma", where);
        require_not_negative(epsilon, "epsilon", where);
    }
}

static void check_exceptions(NonbondedForce const& force) {
    for (std::size_t n = 0; n < force.exceptions.size(); ++n) {
        auto const& exception = force.exceptions[n];
        Numbered const where{"exception", n};
        detail::require_finite(exception.charge_product, "charge product", where);
        require_not_negative(exception.sigma, "sigma", where);
        require_not_negative(exception.epsilon, "epsilon", where);
    }
}

static void check_pairs_of_exceptions(NonbondedForce const& force, int particle_count) {
    std::vector<std::pair<int, int>> pairs;
    for (std::size_t n = 0; n < force.exceptions.size(); ++n) {
        int const particle1 = force.exceptions[n].particle1, particle2 = force.exceptions[n].particle2;
        Numbered const where{"exception", n};
        check_particle(particle1, particle_count, where);
        check_particle(particle2, particle_count, where);
        if (particle1 == particle2)
            throw InputError(where + " pairs particle " + std::to_string(particle1) + " with itself");
        pairs.emplace_back(particle1, particle2);
    }
    if (auto const repeated = repeated_pair(pairs)) {
        auto const [i, j] = std::minmax(pairs[repeated->second].first, pairs[repeated->second].second);
        throw InputError(Numbered{"exception", repeated->second} + " repeats the pair of particles "
                         + std::to_string(i) + " and " + std::to_string(j) + " of exception "
                         + std::to_string(repeated->first));
    }
}

static void check_offsets(NonbondedForce const& force, std::vector<NonbondedForce::Offset> const& offsets,
                          std::size_t items, std::string const& kind) {
    for (std::size_t n = 0; n < offsets.size(); ++n) {
        auto const& offset = offsets[n];
        std::string const where = kind + " offset " + std::to_string(n);
        if (offset.index < 0 || static_cast<std::size_t>(offset.index) >= items)
            throw InputError(where + ": there is no " + kind + " " + std::to_string(offset.index) + "; the force has "
                             + std::to_string(items) + ", counted from 0");
        auto const& known = force.global_parameters;
        if (std::none_of(known.begin(), known.end(),
                         [&](auto const& parameter) { return parameter.name == offset.parameter; }))
            throw InputError(where + ": the force has no global parameter '" + offset.parameter + "'");
        detail::require_finite(offset.charge_scale, "the charge's scale", where);
        detail::require_finite(offset.sigma_scale, "sigma's scale", where);
        detail::require_finite(offset.epsilon_scale, "epsilon's scale", where);
    }
}

static void check_switching(NonbondedForce const& force) {
    if (!force.use_switching_function) return;
    double const start = force.switching_distance;
    if (!(start >= 0 && start < force.cutoff_distance))
        throw InputError("the switching distance is " + std::to_string(start)
                         + " nm, expected a number from 0 to below the cutoff of "
                         + std::to_string(force.cutoff_distance) + " nm");
    if (start == 0 && force.use_dispersion_correction && force.is_periodic()
        && force.method != NonbondedForce::Method::ljpme)
        throw InputError(
            "the switching distance is 0 nm, for which the dispersion correction is infinite, expected "
            "a positive number");
}

static void check_mesh_or_tolerance(MeshSettings const& mesh, double tolerance, std::string const& name) {
    if (mesh.alpha == 0) {
        if (!(tolerance > 0 && tolerance < 0.5))
            throw InputError("the Ewald error tolerance is " + std::to_string(tolerance)
                             + ", expected a number between 0 and 0.5");
        return;
    }
    check_mesh(mesh, name);
}

static void check_ewald(NonbondedForce const& force, Box const& box) {
    using Method = NonbondedForce::Method;
    if (force.method == Method::ewald) {
        check_mesh_or_tolerance({}, force.ewald_error_tolerance, "Ewald");
        if (!box.is_rectangular())
            throw InputError(
                "the method Ewald needs a rectangular periodic box, but the System's is triclinic; use "
                "PME");
        if (force.ewald_error_tolerance < 1e-16) {  // limit of double precision
            std::ostringstream text;
            text << "the Ewald error tolerance is " << force.ewald_error_tolerance << ", expected at least 1e-16";
            throw InputError(text.str());
        }
    } else {
        check_mesh_or_tolerance(force.pme, force.ewald_error_tolerance, "PME");
        if (force.method == Method::ljpme) check_mesh_or_tolerance(force.ljpme, force.ewald_error_tolerance, "LJPME");
    }
    for (auto const kind : {MeshKind::coulomb, MeshKind::dispersion}) (void)reciprocal_charges(force, kind, box);
}

void check_numbers(NonbondedForce const& force) {
    check_particles(force);
    check_exceptions(force);
    check_offsets(force, force.particle_offsets, force.particles.size(), "particle");
    check_offsets(force, force.exception_offsets, force.exceptions.size(), "exception");
}

void check(NonbondedForce const& force, int particle_count, Box const& box) {
    check_particle_number(force.particles.size(), particle_count);
    check_pairs_of_exceptions(force, particle_count);
    check_numbers(force);
    if (force.uses_cutoff()) check_cutoff(force.cutoff_distance, force.is_periodic(), box);
    check_switching(force);
    if (force.uses_ewald()) check_ewald(force, box);
    bool const has_reaction_field = force.uses_cutoff() && !force.uses_ewald();
    double const dielectric = force.reaction_field_dielectric;
    if (has_reaction_field && !(std::isfinite(dielectric) && dielectric != -0.5))
        throw InputError("the reaction-field dielectric is " + std::to_string(dielectric)
                         + ", expected a finite number other than -0.5, where the field is infinite");
    if (force.reciprocal_force_group < -1)
        throw InputError("the reciprocal force group is " + std::to_string(force.reciprocal_force_group)
                         + ", expected -1 or more");
}

void check_same_shape(NonbondedForce const& force, NonbondedForce const& changed) {
    auto settings = [](NonbondedForce const& f) {
        return std::tuple{f.method,
                          f.cutoff_distance,
                          f.use_switching_function,
                          f.switching_distance,
                          f.reaction_field_dielectric,
                          f.use_dispersion_correction,
                          f.exceptions_use_periodic,
                          f.include_direct_space,
                          f.reciprocal_force_group,
                          f.force_group};
    };
    if (settings(force) != settings(changed))
        throw InputError(
            "the method or one of its settings has changed; only the numbers of particles, exceptions and "
            "offsets can be updated");
    auto same = [](auto const& before, auto const& after, auto const& identity, char const* what) {
        if (before.size() != after.size())
            throw InputError("the number of " + std::string(what) + "s has changed from "
                             + std::to_string(before.size()) + " to " + std::to_string(after.size())
                             + "; only their numbers can be updated");
        for (std::size_t n = 0; n < before.size(); ++n)
            if (identity(before[n]) != identity(after[n]))
                throw InputError(std::string(what) + " " + std::to_string(n)
                                 + " is of something else than before; only its numbers can be updated");
    };
    auto pair = [](NonbondedForce::Exception const& e) { return std::pair{e.particle1, e.particle2}; };
    auto target = [](NonbondedForce::Offset const& o) { return std::tuple{o.parameter, o.index}; };
    check_particle_number(changed.particles.size(), static_cast<int>(force.particles.size()));
    same(force.exceptions, changed.exceptions, pair, "exception");
    same(force.particle_offsets, changed.particle_offsets, target, "particle offset");
    same(force.exception_offsets, changed.exception_offsets, target, "exception offset");
}

}  // namespace trotter
