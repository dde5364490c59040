// Puts the sums over pairs, mesh and solvent together.
// SPDX-License-Identifier: MIT
#include "electrostatics.hpp"

#include <cmath>
#include <numbers>

#include <trotter/units.hpp>

namespace trotter::amoeba {
namespace {

/// Half of the interaction of dipoles with fields: that of both sets, of which each is induced by the other's field.
double polarization_energy(TwoSets const& dipoles, TwoSets const& field) {
    double sum = 0;
    for (std::size_t i = 0; i < dipoles.d.size(); ++i)
        sum += dot(dipoles.d[i], field.p[i]) + dot(dipoles.p[i], field.d[i]);
    return -sum / 4;
}
Vectors mean_of(TwoSets const& sets) {
    Vectors result(sets.d.size());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = (sets.d[i] + sets.p[i]) * 0.5;
    return result;
}

}  // namespace

Electrostatics::Electrostatics(AmoebaMultipoleForce const& force, MeshSettings const& mesh)
    : polarization_(force.polarization),
      target_(force.mutual_target_epsilon),
      cutoff_(force.cutoff_distance),
      alpha_(mesh.alpha),
      most_iterations_(force.mutual_max_iterations),
      weights_(extrapolation_weights(force.extrapolation_coefficients)),
      sites_(force.multipoles),
      scales_(force.multipoles),
      pairs_(scales_),
      direct_(sites_, scales_, pairs_, mesh.alpha) {
    if (alpha_ != 0) mesh_.emplace(mesh);
    if (force.solvent) kirkwood_.emplace(*force.solvent, sites_);
}

double Electrostatics::compute(std::vector<Vec3<>> const& positions, Box const& box, std::vector<Vec3<>>& forces,
                               Threads& threads) {
    sites_.place(positions, threads);
    pairs_.build(positions, box, mesh_ ? std::optional(cutoff_) : std::nullopt, threads);
    direct_.prepare(threads);
    if (mesh_) mesh_->place(positions, box, threads);
    if (kirkwood_) kirkwood_->place(positions, threads);
    TwoSets const field = permanent_field(threads);
    induction_ = induce(field, threads);
    MultipoleGradient gradient(sites_.size());
    double energy =
        add_gradient(gradient, threads) + polarization_energy(induction_.dipoles, field) + induction_.correction;
    energy += permanent_energy_;
    if (mesh_) energy += ewald_constant(box.volume());
    for (std::size_t i = 0; i < sites_.size(); ++i) forces[i] -= gradient.by_positions[i] * constants::coulomb;
    sites_.add_frame_forces(positions, gradient.by_moments, constants::coulomb, forces, threads);
    return energy * constants::coulomb;
}

TwoSets Electrostatics::permanent_field(Threads& threads) {
    TwoSets field{Vectors(sites_.size()), Vectors(sites_.size())};
    permanent_energy_ = 0;
    direct_.add_permanent_field(field, threads);
    if (kirkwood_) permanent_energy_ = kirkwood_->add_permanent_field(field, threads) + kirkwood_->cavity_energy();
    if (!mesh_) return field;
    std::vector<Moments<>> moments(sites_.size());
    for (std::size_t i = 0; i < moments.size(); ++i) moments[i] = mesh_->fractional(sites_.moments[i]);
    mesh_->find_potentials(moments, {}, threads);
    double const own = 4 * alpha_ * alpha_ * alpha_ / (3 * std::sqrt(std::numbers::pi));
    std::vector<double> energies(sites_.size());
    for_each_site(threads, sites_.size(), [&](std::size_t i) {
        auto const potential = mesh_->potential<2>(i);
        energies[i] = energy_of(moments[i], potential) / 2;
        Vec3<> const sum = sites_.moments[i].dipole * own - mesh_->cartesian(potential.first);
        field.d[i] += sum;
        field.p[i] += sum;
    });
    for (double const energy : energies) permanent_energy_ += energy;
    return field;
}

void Electrostatics::add_induced_field(TwoSets const& dipoles, TwoSets& field, Threads& threads) {
    direct_.add_induced_field(dipoles, field, threads);
    if (kirkwood_) kirkwood_->add_induced_field(dipoles, field, threads);
    if (mesh_) add_mesh_field(dipoles.d, dipoles.p, field, threads);
}

void Electrostatics::add_mesh_field(Vectors const& real, Vectors const& imaginary, TwoSets& field, Threads& threads) {
    std::vector<Moments<>> a(real.size()), b(real.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i].dipole = mesh_->fractional(real[i]);
        b[i].dipole = mesh_->fractional(imaginary[i]);
    }
    mesh_->find_potentials(a, b, threads);
    double const own = 4 * alpha_ * alpha_ * alpha_ / (3 * std::sqrt(std::numbers::pi));
    for_each_site(threads, a.size(), [&](std::size_t i) {
        auto const potentials = mesh_->potentials<1>(i);
        field.d[i] += real[i] * own - mesh_->cartesian(potentials[0].first);
        field.p[i] += imaginary[i] * own - mesh_->cartesian(potentials[1].first);
    });
}

Induction Electrostatics::induce(TwoSets const& field, Threads& threads) {
    auto const add_field = [&](TwoSets const& dipoles, TwoSets& result) {
        add_induced_field(dipoles, result, threads);
    };
    using Polarization = AmoebaMultipoleForce::Polarization;
    auto const& alpha = sites_.polarizability;
    if (polarization_ == Polarization::mutual)
        return ConjugateGradients(alpha, field).solve(add_field, target_, most_iterations_);
    return extrapolated(alpha, field, polarization_ == Polarization::direct ? std::vector{1.0} : weights_, add_field);
}

double Electrostatics::add_gradient(MultipoleGradient& gradient, Threads& threads) {
    auto const squares = dipole_squares(polarization_, induction_, weights_);
    double const energy = direct_.add_gradient(induction_.dipoles, squares, gradient, threads);
    if (!mesh_ && !kirkwood_) return energy;
    // Without scale factors, the energy of permanent multipoles M and their interaction with the mean induced dipoles ν
    // are the energy of M + ν without that of ν.
    Vectors const mean = mean_of(induction_.dipoles);
    std::vector<Moments<>> moments = sites_.moments;
    for (std::size_t i = 0; i < moments.size(); ++i) moments[i].dipole += mean[i];
    auto const rest = squares_without_scales(squares, mean);
    if (kirkwood_) kirkwood_->add_gradient(moments, rest, gradient, threads);
    if (mesh_) add_mesh_gradient(moments, rest, gradient, threads);
    return energy;
}

std::vector<DipoleSquare> Electrostatics::squares_without_scales(std::vector<DipoleSquare> squares,
                                                                 Vectors const& mean) const {
    if (polarization_ == AmoebaMultipoleForce::Polarization::mutual)
        squares.erase(squares.begin());  // that of ν itself
    else
        squares.push_back({-1, mean});
    return squares;
}

void Electrostatics::add_mesh_gradient(std::vector<Moments<>> const& moments, std::vector<DipoleSquare> const& squares,
                                       MultipoleGradient& gradient, Threads& threads) {
    std::size_t const count = sites_.size();
    std::vector<std::vector<Moments<>>> sets(1 + squares.size(), std::vector<Moments<>>(count));
    for (std::size_t i = 0; i < count; ++i) {
        sets[0][i] = mesh_->fractional(moments[i]);
        for (std::size_t n = 0; n < squares.size(); ++n)
            sets[n + 1][i].dipole = mesh_->fractional(squares[n].dipoles[i]);
    }
    std::vector<Moments<>> const none;
    double const own = 4 * alpha_ * alpha_ * alpha_ / (3 * std::sqrt(std::numbers::pi));  // turns no quadrupole
    for (std::size_t n = 0; n < sets.size(); n += 2) {
        bool const is_pair = n + 1 < sets.size();
        mesh_->find_potentials(sets[n], is_pair ? sets[n + 1] : none, threads);
        for_each_site(threads, count, [&](std::size_t i) {
            auto const potentials = mesh_->potentials<3>(i);
            double const sign = n == 0 ? 1 : squares[n - 1].sign;
            Vec3<> sum = gradient_of(sets[n][i], potentials[0]) * sign;
            if (is_pair) sum += gradient_of(sets[n + 1][i], potentials[1]) * squares[n].sign;
            gradient.by_positions[i] += mesh_->cartesian(sum);
            if (n > 0) return;
            auto by_moments = mesh_->cartesian(potentials[0]);
            by_moments.first -= moments[i].dipole * own;
            gradient.by_moments[i] += by_moments;
        });
    }
}

// -alpha/√pi Σ (q² + 2/3 alpha² μ² + 8/5 alpha⁴ Q:Q), the interaction of each site's Gaussian charge distribution with
// itself, and -pi (Σ q)²/(2 V alpha²) of the neutralizing background.
double Electrostatics::ewald_constant(double volume) const {
    double const a2 = alpha_ * alpha_, pi = std::numbers::pi;
    double sum = 0, charge = 0;
    for (auto const& m : sites_.moments) {
        sum += m.charge * m.charge + 2 * a2 / 3 * dot(m.dipole, m.dipole)
               + 8 * a2 * a2 / 5 * contract(m.quadrupole, m.quadrupole);
        charge += m.charge;
    }
    return -alpha_ / std::sqrt(pi) * sum - pi * charge * charge / (2 * volume * a2);
}

MultipoleAnswer Electrostatics::answer() const {
    MultipoleAnswer result;
    for (auto const& m : sites_.moments) {
        result.charges.push_back(m.charge);
        result.permanent_dipoles.push_back(m.dipole);
        result.quadrupoles.push_back(m.quadrupole);
    }
    result.induced_dipoles = induction_.dipoles.d;
    result.iterations = induction_.iterations;
    return result;
}

}  // namespace trotter::amoeba
