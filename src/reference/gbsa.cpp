// Generalized Born solvent, pair by pair.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include <trotter/forces/gbsa_formula.hpp>
#include <trotter/reference/gbsa.hpp>
#include <trotter/reference/neighbors.hpp>

#include "define_kernel.hpp"

namespace trotter::reference {

/// Born radii from all pairs, then the energies of pairs, then the forces that come from the change of the radii.
template <> class CompiledKernel<GBSAOBCForce>::Implementation {
public:
    Implementation(GBSAOBCForce const& force, Engine<Reference, Double>& engine, Registration who)
        : index_(who.index), system_box_(engine.host.box) {
        take(force, engine);
    }

    double compute(Engine<Reference, Double>& engine, Request const& request) {
        auto& host = engine.host;
        if (!request.wants(index_, force_.force_group)) return 0;
        find_radii(host);
        double const energy = own_energies() + pair_energies(host);
        add_forces_of_radii(host);
        return energy;
    }

    /// Takes over other numbers of the particles.
    void update(GBSAOBCForce const& force, Engine<Reference, Double>& engine) { take(force, engine); }

private:
    using BornRadius = ValueAndSlope<double>;

    void take(GBSAOBCForce const& force, Engine<Reference, Double> const& engine) {
        check(force, engine.host.particles.count(), system_box_);
        force_ = force;
        rho_.clear();
        scaled_.clear();
        for (auto const& particle : force.particles) {
            rho_.push_back(particle.radius - dielectric_offset);
            scaled_.push_back(particle.scale_factor * rho_.back());
        }
    }
    template <class Visit> void for_each_pair(HostEngine const& host, Visit const& visit) const {
        std::optional<double> const cutoff =
            force_.uses_cutoff() ? std::optional(force_.cutoff_distance) : std::nullopt;
        reference::for_each_pair({cutoff, force_.is_periodic()}, host.positions, host.box, visit);
    }

    static ValueAndSlope<double> taken(double r, double rho, double s) {
        auto const closed = descreening(r, 1 / r, rho, s);
        return central_ratio * r < s ? central_descreening(r, rho, s, closed) : closed;
    }

    void find_radii(HostEngine const& host) {
        std::vector<double> integrals(rho_.size());
        for_each_pair(host, [&](std::size_t i, std::size_t j, Vec3<> const&, double r2) {
            double const r = std::sqrt(r2);
            integrals[i] += taken(r, rho_[i], scaled_[j]).value / 2;
            integrals[j] += taken(r, rho_[j], scaled_[i]).value / 2;
        });
        radii_.clear();
        for (std::size_t i = 0; i < integrals.size(); ++i)
            radii_.push_back(born_radius(integrals[i], force_.particles[i].radius));
    }

    // by_radius_ becomes dE/dB.
    double own_energies() {
        double const prefactor = born_prefactor(force_);
        double energy = 0;
        by_radius_.clear();
        for (std::size_t i = 0; i < radii_.size(); ++i) {
            auto const& particle = force_.particles[i];
            double const born = radii_[i].value, self = prefactor * particle.charge * particle.charge / (2 * born);
            auto const surface = surface_energy(force_.surface_area_energy, particle.radius, born);
            energy += self + surface.value;
            by_radius_.push_back(surface.slope - self / born);
        }
        return energy;
    }
    double pair_energies(HostEngine& host) {
        double const prefactor = born_prefactor(force_), shift = force_.uses_cutoff() ? 1 / force_.cutoff_distance : 0;
        double energy = 0;
        for_each_pair(host, [&](std::size_t i, std::size_t j, Vec3<> const& d, double r2) {
            auto const pair = born_pair(r2, radii_[i].value * radii_[j].value);
            double const product = prefactor * force_.particles[i].charge * force_.particles[j].charge;
            energy += product * (pair.inverse - shift);
            by_radius_[i] += product * pair.radius_slope / radii_[i].value;
            by_radius_[j] += product * pair.radius_slope / radii_[j].value;
            add_force(host, i, j, d * (product * pair.virial / r2), d);
        });
        return energy;
    }
    void add_forces_of_radii(HostEngine& host) {
        for_each_pair(host, [&](std::size_t i, std::size_t j, Vec3<> const& d, double r2) {
            double const r = std::sqrt(r2), inverse_r = 1 / r;
            auto slope = [&](std::size_t a, std::size_t b) {
                return by_radius_[a] * radii_[a].slope * taken(r, rho_[a], scaled_[b]).slope / 2;
            };
            add_force(host, i, j, d * (-(slope(i, j) + slope(j, i)) * inverse_r), d);
        });
    }

    int index_;
    Box system_box_;
    GBSAOBCForce force_;
    std::vector<double> rho_, scaled_, by_radius_;
    std::vector<BornRadius> radii_;
};

template class CompiledKernel<GBSAOBCForce>;

}  // namespace trotter::reference
