// Fields and forces of the meshes of HIPPO.
// SPDX-License-Identifier: MIT
#include "meshes.hpp"

#include <cmath>
#include <numbers>

#include <trotter/parts/mesh/mesh_sizes.hpp>
#include <trotter/units.hpp>

namespace trotter::amoeba::hippo {
namespace {

constexpr std::size_t grain = 64;  // sites of a task

MeshSettings mesh_of(HippoNonbondedForce const& force, MeshKind kind, Box const& box) {
    return chosen_mesh(kind, kind == MeshKind::coulomb ? force.pme : force.dispersion_pme,
                       {force.cutoff_distance, force.ewald_error_tolerance}, box);
}

template <class Body> void for_each_site(Threads& threads, std::size_t count, Body const& body) {
    threads.for_ranges(
        count,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) body(i);
        },
        grain);
}

}  // namespace

Meshes::Meshes(HippoNonbondedForce const& force, Box const& box)
    : mesh_(mesh_of(force, MeshKind::coulomb, box)),
      dispersion_settings_(mesh_of(force, MeshKind::dispersion, box)),
      dispersion_(dispersion_settings_, MeshKind::dispersion) {
    orders_.resize(force.extrapolation_coefficients.size());
}

void Meshes::place(std::vector<Vec3<>> const& positions, Box const& box, Threads& threads) {
    positions_ = positions;
    box_ = box;
    mesh_.place(positions, box, threads);
    moments_.resize(positions.size());
    permanent_.resize(positions.size());
}

// The field of a dipole's own Gaussian at its center, per dipole.
double Meshes::own_field() const {
    double const alpha = multipoles().alpha;
    return 4 * alpha * alpha * alpha / (3 * std::sqrt(std::numbers::pi));
}

void Meshes::add_permanent_field(std::vector<Site<>> const& sites, std::vector<Vec3<>>& field, Threads& threads) {
    for_each_site(threads, sites.size(), [&](std::size_t i) { moments_[i] = mesh_.fractional(sites[i].all()); });
    mesh_.find_potentials(moments_, {}, threads);
    for_each_site(threads, sites.size(), [&](std::size_t i) {
        permanent_[i] = mesh_.potentials<3>(i)[0];
        field[i] += sites[i].electrons.dipole * own_field() - mesh_.cartesian(permanent_[i].first);
    });
}

void Meshes::find_potentials_of(std::vector<Vec3<>> const& dipoles, Threads& threads) {
    std::vector<Moments<>> moments(dipoles.size());
    for_each_site(threads, dipoles.size(), [&](std::size_t i) { moments[i].dipole = mesh_.fractional(dipoles[i]); });
    mesh_.find_potentials(moments, {}, threads);
}

void Meshes::add_induced_field(std::size_t n, std::vector<Vec3<>> const& dipoles, std::vector<Vec3<>>& field,
                               Threads& threads) {
    find_potentials_of(dipoles, threads);
    orders_[n].resize(dipoles.size());
    for_each_site(threads, dipoles.size(), [&](std::size_t i) {
        auto const potential = mesh_.potential<2>(i);
        orders_[n][i] = potential.second;
        field[i] += dipoles[i] * own_field() - mesh_.cartesian(potential.first);
    });
}

double Meshes::add_loads(std::vector<Site<>> const& sites, InducedDipoles const& induced, std::vector<Load<>>& loads,
                         Threads& threads) {
    find_potentials_of(induced.total(), threads);
    for_each_site(threads, sites.size(), [&](std::size_t i) {
        loads[i] += load_of(i, sites[i], induced) * constants::coulomb;
        loads[i].force += dispersion_forces_[i];
    });
    return self_energy(sites) + dispersion_energy_;
}

// Without the Coulomb constant.
Load<> Meshes::load_of(std::size_t i, Site<> const& site, InducedDipoles const& induced) const {
    Load<> load;
    load.energy = energy_of(moments_[i], permanent_[i]) / 2;
    Potential<> all = permanent_[i];
    all += mesh_.potentials<3>(i)[0];
    Vec3<> gradient = gradient_of(moments_[i], all) + permanent_[i].second * mesh_.fractional(site.induced);
    for (std::size_t n = 0; n + 1 < induced.orders(); ++n)
        gradient += orders_[n][i] * mesh_.fractional(induced.partners(n)[i]);
    load.force = -mesh_.cartesian(gradient);
    load.add_moments(mesh_.cartesian(all), 1);
    load.by_dipole -= site.induced * own_field();
    return load;
}

// -k alpha/√pi Σ (q² + 2 alpha² μ²/3 + 8 alpha⁴ Q:Q/5) (C. Sagui, L. G. Pedersen, T. A. Darden, J. Chem. Phys. 120, 73
// (2004)), and that of the neutralizing background.
double Meshes::self_energy(std::vector<Site<>> const& sites) const {
    double const alpha = multipoles().alpha, square = 2 * alpha * alpha;
    double sum = 0, charge = 0;
    for (auto const& site : sites) {
        auto const m = site.all();
        sum += m.charge * m.charge
               + square * (dot(m.dipole, m.dipole) / 3 + 2 * square * contract(m.quadrupole, m.quadrupole) / 5);
        charge += m.charge;
    }
    return -constants::coulomb
           * (alpha / std::sqrt(std::numbers::pi) * sum
              + std::numbers::pi * charge * charge / (square * box_.volume()));
}

void Meshes::find_dispersion(std::vector<Site<>> const& sites) {
    std::vector<double> charges;
    double own = 0;
    for (auto const& site : sites) {
        charges.push_back(site.of->c6);
        own += site.of->c6 * site.of->c6;
    }
    dispersion_forces_.assign(sites.size(), {});
    dispersion_energy_ = dispersion_.add(charges, positions_, box_, dispersion_forces_)
                         + std::pow(dispersion_settings_.alpha, 6) / 12 * own;
}

}  // namespace trotter::amoeba::hippo
