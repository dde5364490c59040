// Potentials and moments of a System from the moments of its particles.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>

#include <trotter/amoeba/multipole.hpp>
#include <trotter/amoeba/multipoles/potential.hpp>
#include <trotter/amoeba/multipoles/radial.hpp>
#include <trotter/error.hpp>
#include <trotter/units.hpp>

namespace trotter {
namespace {

Vec3<> center_of_mass(std::vector<Vec3<>> const& positions, std::vector<double> const& masses) {
    Vec3<> sum{};
    double total = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) sum += positions[i] * masses[i], total += masses[i];
    return total > 0 ? sum / total : Vec3<>{};
}

}  // namespace

std::vector<Vec3<>> MultipoleAnswer::total_dipoles() const {
    auto result = permanent_dipoles;
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += induced_dipoles[i];
    return result;
}

std::vector<double> MultipoleAnswer::potential(std::vector<Vec3<>> const& points) const {
    auto const dipoles = total_dipoles();
    std::vector<double> result(points.size());
    for (std::size_t n = 0; n < points.size(); ++n) {
        for (std::size_t i = 0; i < positions.size(); ++i) {
            Vec3<> r = points[n] - positions[i];
            if (box) r = box->minimum_image(r);
            auto const table = amoeba::bare_powers<5>(1 / norm(r));
            result[n] +=
                amoeba::potential_of<2>(amoeba::Moments<>{charges[i], dipoles[i], quadrupoles[i]}, r, table).value;
        }
        result[n] *= constants::coulomb;
    }
    return result;
}

// ∫ρ, ∫r ρ, and 3/2 ∫(r⊗r - r²/3) ρ; a site's Q is a third of its ∫(3/2 r⊗r - r²/2) ρ.
std::array<double, 13> MultipoleAnswer::system_moments(std::vector<double> const& masses) const {
    if (masses.size() != positions.size())
        throw InputError("there are " + std::to_string(masses.size()) + " masses, expected one for each of the "
                         + std::to_string(positions.size()) + " particles");
    constexpr double debye = 4.80321, angstroms = 10;  // D per e Å, as in OpenMM
    Vec3<> const center = center_of_mass(positions, masses);
    auto const dipoles = total_dipoles();
    double charge = 0;
    Vec3<> dipole{};
    amoeba::Symmetric<> square, own;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        Vec3<> const r = positions[i] - center, d = dipoles[i], half = r * (charges[i] / 2) + d;
        charge += charges[i];
        dipole += r * charges[i] + d;
        square += amoeba::Symmetric<>{2 * r.x * half.x, r.x * half.y + r.y * half.x, r.x * half.z + r.z * half.x,
                                      2 * r.y * half.y, r.y * half.z + r.z * half.y, 2 * r.z * half.z};
        own += quadrupoles[i];
    }
    double const mean = (square.xx + square.yy + square.zz) / 3;
    square.xx -= mean, square.yy -= mean, square.zz -= mean;
    own += square * 0.5;
    auto const q = own * (3 * debye * angstroms * angstroms);
    dipole *= debye * angstroms;
    return {charge, dipole.x, dipole.y, dipole.z, q.xx, q.xy, q.xz, q.xy, q.yy, q.yz, q.xz, q.yz, q.zz};
}

}  // namespace trotter
