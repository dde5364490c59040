// Lennard-Jones and Coulomb interactions, pair by pair.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <trotter/physics/pair_energies.hpp>
#include <trotter/reference/neighbors.hpp>
#include <trotter/reference/nonbonded.hpp>

namespace trotter {
namespace {

/// Interaction of two particles within the cutoff.
class DirectPair {
public:
    explicit DirectPair(DirectSpace const& space)
        : space_(space), cutoff2_(space.cutoff_distance * space.cutoff_distance) {
        if (space.dispersion_alpha != 0)
            mesh_at_cutoff_ = mesh_dispersion(1.0, cutoff2_, space.dispersion_alpha).energy;
    }

    PairValue<double> operator()(LennardJonesSite const& a, LennardJonesSite const& b, double qq, double r2) const {
        double const r = std::sqrt(r2), inverse_r = 1 / r;
        return dispersion(a, b, r2, r) + coulomb(qq, r2, r, inverse_r);
    }

    PairValue<double> coulomb(double qq, double r2, double r, double inverse_r) const {
        if (qq == 0) return {0, 0};
        if (space_.alpha == 0) return coulomb_with_field(qq, inverse_r, r2, space_.field.k, space_.field.c);
        double const x = space_.alpha * r;
        return screened_coulomb(qq, inverse_r, x, std::erfc(x), std::exp(-x * x));
    }
    PairValue<double> dispersion(LennardJonesSite const& a, LennardJonesSite const& b, double r2, double r) const {
        double const sigma = a.half_sigma + b.half_sigma, sigma2 = sigma * sigma, four_epsilon = a.root * b.root;
        auto at = [&](double distance2) {
            double const s2 = sigma2 / distance2;
            return lennard_jones(s2 * s2 * s2, four_epsilon);
        };
        if (four_epsilon == 0) return {0, 0};
        if (auto const& s = space_.switching) return switched(at(r2), r, s->start, s->inverse_width);
        if (space_.dispersion_alpha == 0) return at(r2);
        // The mesh includes its C6 at all distances; the rest is shifted to zero at the cutoff.
        double const c6 = a.dispersion_charge * b.dispersion_charge;
        auto result = at(r2) - mesh_dispersion(c6, r2, space_.dispersion_alpha);
        result.energy -= at(cutoff2_).energy - c6 * mesh_at_cutoff_;
        return result;
    }

private:
    DirectSpace space_;
    double cutoff2_, mesh_at_cutoff_ = 0;
};

}  // namespace

using Loop = NonbondedPairLoop<Engine<Reference, Double>>;

Loop::NonbondedPairLoop(NonbondedPairs const& pairs, Engine<Reference, Double>& engine, Registration who)
    : pairs_(pairs), index_(who.index), exclusions_(exclusions(pairs.force)) {
    update(engine);
}

void Loop::update(Engine<Reference, Double>&) {
    sites_ = std::vector<LennardJonesSite>(pairs_.particles.begin(), pairs_.particles.end());
}

double Loop::charge_product(std::size_t i, std::size_t j) const {
    return constants::coulomb * pairs_.particles[i].charge * pairs_.particles[j].charge;
}
template <class Visit> void Loop::for_each_pair(HostState const& host, Visit const& visit) const {
    auto const& force = pairs_.force;
    std::optional<double> const cutoff = force.uses_cutoff() ? std::optional(force.cutoff_distance) : std::nullopt;
    reference::for_each_pair({cutoff, force.is_periodic()}, host.positions, host.box,
                             [&](std::size_t i, std::size_t j, Vec3<> const& d, double r2) {
                                 auto const& excluded = exclusions_[i];
                                 if (!std::binary_search(excluded.begin(), excluded.end(), static_cast<int>(j)))
                                     visit(i, j, d, r2);
                             });
}

double Loop::compute(Engine<Reference, Double>& engine, Request const& request) {
    auto& host = engine.host;
    if (!request.wants(index_, pairs_.force.force_group)) return 0;
    DirectPair const pair(pairs_.space());
    double energy = 0;
    for_each_pair(host, [&](std::size_t i, std::size_t j, Vec3<> const& d, double r2) {
        auto const value = pair(sites_[i], sites_[j], charge_product(i, j), r2);
        energy += value.energy;
        add_force(host, i, j, d * (value.virial / r2), d);
    });
    return energy;
}

std::vector<TermEnergy> Loop::term_energies(HostState& host) const {
    DirectPair const pair(pairs_.space());
    TermEnergy coulomb{{}, 0, "Coulomb within the cutoff"}, dispersion{{}, 0, "Lennard-Jones within the cutoff"};
    for_each_pair(host, [&](std::size_t i, std::size_t j, Vec3<> const&, double r2) {
        coulomb.energy += pair.coulomb(charge_product(i, j), r2, std::sqrt(r2), 1 / std::sqrt(r2)).energy;
        dispersion.energy += pair.dispersion(sites_[i], sites_[j], r2, std::sqrt(r2)).energy;
    });
    return {coulomb, dispersion};
}
double Loop::interaction_energy(HostState& host, reference::TwoGroups const& groups) const {
    DirectPair const pair(pairs_.space());
    double energy = 0;
    for_each_pair(host, [&](std::size_t i, std::size_t j, Vec3<> const&, double r2) {
        if (groups(i, j)) energy += pair(sites_[i], sites_[j], charge_product(i, j), r2).energy;
    });
    return energy;
}

}  // namespace trotter
