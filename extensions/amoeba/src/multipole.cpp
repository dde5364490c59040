// Validates AmoebaMultipoleForce.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>

#include <trotter/amoeba/multipole.hpp>
#include <trotter/core/range_check.hpp>
#include <trotter/parts/mesh/mesh_sizes.hpp>

namespace trotter {
namespace {

using Multipole = AmoebaMultipoleForce::Multipole;

void check_moments(Multipole const& m, Numbered const& where) {
    detail::require_finite(m.charge, "the charge", where);
    for (double const value : m.dipole) detail::require_finite(value, "a component of the dipole", where);
    for (double const value : m.quadrupole) detail::require_finite(value, "a component of the quadrupole", where);
    constexpr double tolerance = 1e-5;  // OpenMM's [e nm²]: quadrupoles in files are rounded
    auto const& q = m.quadrupole;
    if (double const trace = q[0] + q[4] + q[8]; std::abs(trace) > tolerance)
        throw InputError(where + ": the trace of the quadrupole is " + std::to_string(trace)
                         + " e nm², expected a traceless quadrupole");
    for (auto const& [a, b, name] : {std::tuple{1, 3, "xy and yx"}, {2, 6, "xz and zx"}, {5, 7, "yz and zy"}})
        if (double const one = q[static_cast<std::size_t>(a)], other = q[static_cast<std::size_t>(b)];
            std::abs(one - other) > tolerance)
            throw InputError(where + ": the components " + name + " of the quadrupole are " + std::to_string(one)
                             + " and " + std::to_string(other) + ", expected a symmetric quadrupole");
}

void check_polarizability(Multipole const& m, Numbered const& where) {
    for (auto const& [value, name] : {std::pair{m.thole, "Thole's parameter"},
                                      {m.damping, "the damping factor"},
                                      {m.polarizability, "the polarizability"}})
        if (!allows(Valid::not_negative, value)) refuse_value(name, value, expected_text(Valid::not_negative), where);
}

void check_axis_particle(int particle, char const* name, int own, int particles, Numbered const& where) {
    std::string const what = where + ": the " + name + " particle of its frame is " + std::to_string(particle);
    if (particle < 0 || particle >= particles)
        throw InputError(what + ", expected a number from 0 to " + std::to_string(particles - 1));
    if (particle == own) throw InputError(what + ", expected another particle than itself");
}

void check_frame(Multipole const& m, int own, int particles, Numbered const& where) {
    using Axis = AmoebaMultipoleForce::Axis;
    if (static_cast<int>(m.axis) < 0 || m.axis > Axis::none)
        throw InputError(where + ": the axis type is " + std::to_string(static_cast<int>(m.axis))
                         + ", expected a number from 0 to 5");
    if (m.axis == Axis::none) return;
    bool const needs_x = m.axis != Axis::z_only, needs_y = m.axis == Axis::z_bisect || m.axis == Axis::three_fold;
    check_axis_particle(m.z_particle, "z", own, particles, where);
    if (needs_x) check_axis_particle(m.x_particle, "x", own, particles, where);
    if (needs_y || (m.axis == Axis::z_then_x && m.y_particle >= 0))
        check_axis_particle(m.y_particle, "y", own, particles, where);
}

void check_covalent(Multipole const& m, int particles, Numbered const& where) {
    for (auto const& list : m.covalent)
        for (int const particle : list) check_particle(particle, particles, where);
}

void check_polarization(AmoebaMultipoleForce const& force) {
    using Polarization = AmoebaMultipoleForce::Polarization;
    auto expect = [](bool is_valid, std::string const& what, std::string const& value, std::string const& expected) {
        if (!is_valid) throw InputError(what + " is " + value + ", expected " + expected);
    };
    if (force.polarization == Polarization::mutual) {
        expect(force.mutual_target_epsilon > 0 && std::isfinite(force.mutual_target_epsilon),
               "the target error of induced dipoles", std::to_string(force.mutual_target_epsilon) + " D",
               "a positive number");
        expect(force.mutual_max_iterations >= 0, "the largest number of iterations",
               std::to_string(force.mutual_max_iterations), "0 or more");
    }
    if (force.polarization == Polarization::extrapolated) {
        auto const& coefficients = force.extrapolation_coefficients;
        constexpr std::size_t most = 100;
        expect(!coefficients.empty() && coefficients.size() <= most, "the number of extrapolation coefficients",
               std::to_string(coefficients.size()), "1 to 100");
        for (std::size_t n = 0; n < coefficients.size(); ++n)
            detail::require_finite(coefficients[n], "its value", Numbered{"extrapolation coefficient", n});
    }
}

void check_solvent(AmoebaMultipoleForce const& force, int particle_count) {
    if (force.is_periodic())
        throw InputError("the method is PME with an AmoebaGeneralizedKirkwoodForce, expected no cutoff");
    check(*force.solvent, particle_count);
    for (std::size_t i = 0; i < force.multipoles.size(); ++i)
        if (double const own = force.multipoles[i].charge, other = force.solvent->particles[i].charge; own != other)
            throw InputError(Numbered{"particle", i} + ": the charge is " + std::to_string(own)
                             + " e, expected that of the AmoebaGeneralizedKirkwoodForce, " + std::to_string(other)
                             + " e");
}

}  // namespace

void check(AmoebaMultipoleForce const& force, int particle_count, Box const& box) {
    check_particle_number(force.multipoles.size(), particle_count);
    for (std::size_t i = 0; i < force.multipoles.size(); ++i) {
        Numbered const where{"particle", i};
        auto const& multipole = force.multipoles[i];
        check_moments(multipole, where);
        check_polarizability(multipole, where);
        check_frame(multipole, static_cast<int>(i), particle_count, where);
        check_covalent(multipole, particle_count, where);
    }
    check_polarization(force);
    if (force.solvent) check_solvent(force, particle_count);
    if (!force.is_periodic()) return;
    check_cutoff(force.cutoff_distance, true, box);
    if (force.pme.alpha != 0 && force.pme.nx != 0)
        check_mesh(force.pme, "PME");
    else if (double const tolerance = force.ewald_error_tolerance; !(tolerance > 0 && tolerance < 0.5))
        throw InputError("the Ewald error tolerance is " + std::to_string(tolerance)
                         + ", expected a number between 0 and 0.5");
    (void)force.mesh(box);
}

MeshSettings AmoebaMultipoleForce::mesh(Box const& box) const {
    // Real and imaginary parts and the influence function in double take three times the memory of other meshes.
    return chosen_mesh(MeshKind::coulomb, pme.nx == 0 ? MeshSettings{} : pme, {cutoff_distance, ewald_error_tolerance},
                       box, memory_of_machine() / 3);
}

}  // namespace trotter
