// Sums of the generalized Kirkwood reaction field over all pairs.
// SPDX-License-Identifier: MIT
#include "kirkwood.hpp"

#include <cmath>

#include <trotter/amoeba/multipoles/potential.hpp>
#include <trotter/units.hpp>

namespace trotter::amoeba {
namespace {

Potential<> half(Potential<> p) {
    p.value *= 0.5, p.first *= 0.5, p.second = p.second * 0.5;
    return p;
}
/// The mean of a potential and its adjoint, without third derivatives.
Potential<> mean_potential(Moments<> const& source, Vec3<> const& r, KirkwoodTable const& table) {
    auto result = half(potential_of<2>(source, r, table));
    result += half(potential_of<2>(source, r, AdjointTable{table}));
    return result;
}

}  // namespace

KirkwoodPair Kirkwood::functions_of(std::size_t i, std::size_t j) const {
    Vec3<> const r = (*positions_)[i] - (*positions_)[j];
    return function_(dot(r, r), born_.radii()[i] * born_.radii()[j]);
}
std::array<double, 2> Kirkwood::dipole_functions_of(std::size_t i, std::size_t j) const {
    Vec3<> const r = (*positions_)[i] - (*positions_)[j];
    return function_.of_dipole(dot(r, r), born_.radii()[i] * born_.radii()[j]);
}

void Kirkwood::place(std::vector<Vec3<>> const& positions, Threads& threads) {
    positions_ = &positions;
    born_.place(positions, threads);
    std::size_t const count = positions.size();
    of_dipoles_.resize(count * count <= most_pairs ? count * count : 0);
    if (of_dipoles_.empty()) return;
    for_each_site(threads, count, [&](std::size_t i) {
        for (std::size_t j = 0; j < count; ++j) of_dipoles_[i * count + j] = dipole_functions_of(i, j);
    });
}

double Kirkwood::add_permanent_field(TwoSets& field, Threads& threads) const {
    auto const& positions = *positions_;
    std::vector<double> energies(positions.size());
    for_each_site(threads, positions.size(), [&](std::size_t i) {
        Potential<> sum;
        for (std::size_t j = 0; j < positions.size(); ++j)
            sum += mean_potential(sites_.moments[j], positions[i] - positions[j], functions_of(i, j).table);
        field.d[i] -= sum.first;
        field.p[i] -= sum.first;
        energies[i] = energy_of(sites_.moments[i], sum) / 2;
    });
    double energy = 0;
    for (double const of_site : energies) energy += of_site;
    return energy;
}

void Kirkwood::add_induced_field(TwoSets const& dipoles, TwoSets& field, Threads& threads) const {
    auto const& positions = *positions_;
    std::size_t const count = positions.size();
    for_each_site(threads, count, [&](std::size_t i) {
        Vec3<> of_d{}, of_p{};
        for (std::size_t j = 0; j < count; ++j) {
            Vec3<> const r = positions[i] - positions[j], &d = dipoles.d[j], &p = dipoles.p[j];
            auto const [f0, f1] = of_dipoles_.empty() ? dipole_functions_of(i, j) : of_dipoles_[i * count + j];
            of_d += r * (dot(d, r) * f1) - d * f0;
            of_p += r * (dot(p, r) * f1) - p * f0;
        }
        field.d[i] += of_d;
        field.p[i] += of_p;
    });
}

double Kirkwood::add_gradient_of(std::size_t i, std::vector<Moments<>> const& moments,
                                 std::vector<DipoleSquare> const& squares, MultipoleGradient& gradient) const {
    auto const& positions = *positions_;
    double by_radius = 0;
    Vec3<> by_position{};
    for (std::size_t j = 0; j < positions.size(); ++j) {
        Vec3<> const r = positions[i] - positions[j];
        auto const [table, by_product] = functions_of(i, j);
        auto const of_j = potential_of<3>(moments[j], r, table), of_i = potential_of<3>(moments[i], -r, table);
        by_position += (gradient_of(moments[i], of_j) - gradient_of(moments[j], of_i)) * 0.5;
        gradient.by_moments[i] += half(of_j);
        gradient.by_moments[i] += half(potential_of<2>(moments[j], r, AdjointTable{table}));
        double slope = energy_of(moments[i], mean_potential(moments[j], r, by_product));
        for (auto const& [sign, dipoles] : squares) {
            Dipole<> const other{dipoles[j]};
            by_position += second_potential_derivative(other, r, table) * (dipoles[i] * sign);
            slope += sign * dot(dipoles[i], potential_gradient(other, r, by_product));
        }
        by_radius += born_.radii()[j] * slope;
    }
    gradient.by_positions[i] += by_position;
    return by_radius;
}

void Kirkwood::add_gradient(std::vector<Moments<>> const& moments, std::vector<DipoleSquare> const& squares,
                            MultipoleGradient& gradient, Threads& threads) const {
    std::vector<double> by_radii(moments.size());
    for_each_site(threads, moments.size(), [&](std::size_t i) {
        by_radii[i] = add_gradient_of(i, moments, squares, gradient) - 6 * cavity_energy_of(i) / born_.radii()[i];
    });
    born_.add_gradient(by_radii, *positions_, gradient.by_positions, threads);
}

// -1/6 Σ factor (ρ + probe)² (ρ/a)⁶ with ρ the radius plus the dielectric offset (M. Schaefer, C. Bartels, M. Karplus,
// J. Mol. Biol. 284, 835 (1998)).
double Kirkwood::cavity_energy_of(std::size_t i) const {
    if (!force_.include_cavity_term) return 0;
    double const radius = force_.particles[i].radius + force_.dielectric_offset, outer = radius + force_.probe_radius,
                 ratio = radius / born_.radii()[i];
    return -force_.surface_area_factor / 6 * outer * outer * std::pow(ratio, 6) / constants::coulomb;
}
double Kirkwood::cavity_energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < force_.particles.size(); ++i) sum += cavity_energy_of(i);
    return sum;
}

}  // namespace trotter::amoeba
