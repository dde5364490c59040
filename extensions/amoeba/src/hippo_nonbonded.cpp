// Validates HippoNonbondedForce.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <trotter/amoeba/hippo_nonbonded.hpp>
#include <trotter/core/range_check.hpp>
#include <trotter/core/repeated_pair.hpp>
#include <trotter/error.hpp>
#include <trotter/parts/mesh/mesh_sizes.hpp>

namespace trotter {
namespace {

using AxisType = HippoNonbondedForce::AxisType;
using Particle = HippoNonbondedForce::Particle;

constexpr double quadrupole_tolerance = 1e-5;  // [e nm²]; as in OpenMM

void check_quadrupole(std::array<double, 9> const& q, Numbered const& where) {
    for (double const value : q) detail::require_finite(value, "a component of the quadrupole", where);
    if (double const trace = q[0] + q[4] + q[8]; std::abs(trace) > quadrupole_tolerance)
        throw InputError(where + ": the quadrupole has the trace " + std::to_string(trace) + " e nm², expected 0");
    constexpr std::pair<std::size_t, std::size_t> mirrored[] = {{1, 3}, {2, 6}, {5, 7}};
    for (auto const& [a, b] : mirrored)
        if (std::abs(q[a] - q[b]) > quadrupole_tolerance)
            throw InputError(where + ": components " + std::to_string(a) + " and " + std::to_string(b)
                             + " of the quadrupole are " + std::to_string(q[a]) + " and " + std::to_string(q[b])
                             + " e nm², expected equal numbers");
}

/// The number of atoms that define the axes.
int axis_atoms(AxisType type) {
    switch (type) {
        case AxisType::none:
            return 0;
        case AxisType::z_only:
            return 1;
        case AxisType::z_then_x:
        case AxisType::bisector:
            return 2;
        default:
            return 3;
    }
}

void check_axes(Particle const& particle, int index, int particle_count, Numbered const& where) {
    int const type = static_cast<int>(particle.axis_type);
    if (type < 0 || type > static_cast<int>(AxisType::none))
        throw InputError(where + ": the axis type is " + std::to_string(type) + ", expected a number from 0 to 5");
    std::pair<char const*, int> const atoms[] = {
        {"z", particle.axis_z}, {"x", particle.axis_x}, {"y", particle.axis_y}};
    for (int n = 0; n < axis_atoms(particle.axis_type); ++n) {
        auto const [axis, atom] = atoms[n];
        if (atom < 0 || atom >= particle_count)
            throw InputError(where + ": the particle of the " + axis + " axis is " + std::to_string(atom)
                             + ", expected a number from 0 to " + std::to_string(particle_count - 1));
        if (atom == index) throw InputError(where + ": the particle of the " + axis + " axis is the particle itself");
        for (int m = 0; m < n; ++m)
            if (atoms[m].second == atom)
                throw InputError(where + ": the particles of the " + atoms[m].first + " and " + axis + " axes are both "
                                 + std::to_string(atom) + ", expected two particles");
    }
}

void check_exceptions(HippoNonbondedForce const& force, int particle_count) {
    std::vector<std::pair<int, int>> pairs;
    for (std::size_t n = 0; n < force.exceptions.size(); ++n) {
        auto const& exception = force.exceptions[n];
        Numbered const where{"exception", n};
        for (int const particle : {exception.particle1, exception.particle2})
            check_particle(particle, particle_count, where);
        if (exception.particle1 == exception.particle2)
            throw InputError(where + " pairs particle " + std::to_string(exception.particle1) + " with itself");
        for (auto const& field : HippoNonbondedForce::exception_fields) check_field(field, exception, where);
        pairs.emplace_back(exception.particle1, exception.particle2);
    }
    if (auto const repeated = repeated_pair(pairs))
        throw InputError(Numbered{"exception", repeated->second} + " repeats the pair of particles "
                         + std::to_string(pairs[repeated->second].first) + " and "
                         + std::to_string(pairs[repeated->second].second) + " of exception "
                         + std::to_string(repeated->first));
}

void check_meshes(HippoNonbondedForce const& force, Box const& box) {
    for (auto const& [mesh, name] : {std::pair{force.pme, "PME"}, std::pair{force.dispersion_pme, "dispersion PME"}})
        if (mesh.alpha != 0)
            check_mesh(mesh, name);
        else if (double const tolerance = force.ewald_error_tolerance; !(tolerance > 0 && tolerance < 0.5))
            throw InputError("the Ewald error tolerance is " + std::to_string(tolerance)
                             + ", expected a number between 0 and 0.5");
    EwaldAccuracy const accuracy{force.cutoff_distance, force.ewald_error_tolerance};
    (void)chosen_mesh(MeshKind::coulomb, force.pme, accuracy, box);
    (void)chosen_mesh(MeshKind::dispersion, force.dispersion_pme, accuracy, box);
}

}  // namespace

void check(HippoNonbondedForce const& force, int particle_count, Box const& box) {
    check_particle_number(force.particles.size(), particle_count);
    for (std::size_t i = 0; i < force.particles.size(); ++i) {
        auto const& particle = force.particles[i];
        Numbered const where{"particle", i};
        for (auto const& field : HippoNonbondedForce::fields) check_field(field, particle, where);
        for (std::size_t n = 0; n < 3; ++n)
            detail::require_finite(particle.dipole[n], "a component of the dipole", where);
        check_quadrupole(particle.quadrupole, where);
        check_axes(particle, static_cast<int>(i), particle_count, where);
    }
    check_exceptions(force, particle_count);
    for (std::size_t n = 0; n < force.extrapolation_coefficients.size(); ++n)
        detail::require_finite(force.extrapolation_coefficients[n], "value", Numbered{"extrapolation coefficient", n});
    if (!force.uses_cutoff()) return;
    check_cutoff(force.cutoff_distance, force.is_periodic(), box);
    if (!std::isfinite(force.switching_distance))
        throw InputError("the switching distance is " + std::to_string(force.switching_distance)
                         + " nm, expected a finite number");
    check_meshes(force, box);
}

void check_same_shape(HippoNonbondedForce const& force, HippoNonbondedForce const& changed) {
    auto const same_mesh = [](MeshSettings const& a, MeshSettings const& b) {
        return a.alpha == b.alpha && a.nx == b.nx && a.ny == b.ny && a.nz == b.nz;
    };
    if (force.method != changed.method || force.cutoff_distance != changed.cutoff_distance
        || force.switching_distance != changed.switching_distance
        || force.ewald_error_tolerance != changed.ewald_error_tolerance || !same_mesh(force.pme, changed.pme)
        || !same_mesh(force.dispersion_pme, changed.dispersion_pme) || force.force_group != changed.force_group)
        throw InputError(
            "the method, a distance, a mesh or the force group has changed; only parameters of particles and "
            "exceptions "
            "can be updated");
    if (force.extrapolation_coefficients != changed.extrapolation_coefficients)
        throw InputError(
            "the extrapolation coefficients have changed; only parameters of particles and exceptions can be updated");
    if (force.exceptions.size() != changed.exceptions.size())
        throw InputError("there are " + std::to_string(changed.exceptions.size()) + " exceptions, expected "
                         + std::to_string(force.exceptions.size()) + " as before");
}

}  // namespace trotter
