// Pairwise friction and noise of dissipative particle dynamics.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <trotter/common/integration/dpd.hpp>
#include <trotter/reference/neighbors.hpp>
#include <trotter/units.hpp>

namespace trotter {
namespace {

void check(DPDIntegrator const& integrator, HostState const& host) {
    check_integrator(integrator);
    require_set(DPDIntegrator::name, "default friction", integrator.default_friction);
    require_not_negative(DPDIntegrator::name, "default friction", integrator.default_friction);
    require_positive(DPDIntegrator::name, "default cutoff", integrator.default_cutoff);
    for (auto const& [particle, type] : integrator.particle_types)
        if (particle < 0 || particle >= host.particles.count())
            throw InputError("the DPDIntegrator has a type for particle " + std::to_string(particle) + " of a System of "
                             + std::to_string(host.particles.count()) + " particles");
    for (std::size_t n = 0; n < integrator.type_pairs.size(); ++n) {
        auto const where = "type pair " + std::to_string(n) + " of the DPDIntegrator";
        require_set(where, "friction", integrator.type_pairs[n].friction);
        require_not_negative(where, "friction", integrator.type_pairs[n].friction);
        require_positive(where, "cutoff", integrator.type_pairs[n].cutoff);
    }
}

}  // namespace

PairThermostat::PairThermostat(DPDIntegrator const& integrator, HostState const& host, Registration who)
    : noise_(host.random_stream(integrator.seed, who.stream)) {
    check(integrator, host);
    std::map<int, std::size_t> numbers{{0, 0}};
    for (auto const& entry : integrator.particle_types) numbers.emplace(entry.second, numbers.size());
    type_count_ = numbers.size();
    types_.assign(host.size(), 0);
    for (auto const& [particle, type] : integrator.particle_types) types_[static_cast<std::size_t>(particle)] = numbers.at(type);
    numbers_.assign(type_count_ * type_count_, {integrator.default_friction, integrator.default_cutoff});
    for (auto const& [type1, type2, friction, cutoff] : integrator.type_pairs) {
        auto const one = numbers.find(type1), two = numbers.find(type2);
        if (one == numbers.end() || two == numbers.end()) continue;  // no particle has this type
        numbers_[one->second * type_count_ + two->second] = numbers_[two->second * type_count_ + one->second] = {friction,
                                                                                                                cutoff};
    }
    for (auto const& [friction, cutoff] : numbers_) longest_cutoff_ = std::max(longest_cutoff_, cutoff);
}

void PairThermostat::find_pairs(HostState const& host) {
    if (host.is_periodic && 2 * longest_cutoff_ > host.box.shortest_width())
        throw InputError("the longest cutoff of the DPDIntegrator is " + std::to_string(longest_cutoff_)
                         + " nm, expected at most half of the box, whose shortest width is "
                         + std::to_string(host.box.shortest_width()) + " nm");
    partners_.resize(host.size());
    for (auto& partners : partners_) partners.clear();
    reference::for_each_pair({longest_cutoff_, host.is_periodic}, host.positions, host.box,
                             [&](std::size_t i, std::size_t j, Vec3<> const&, double) {
                                 partners_[std::min(i, j)].push_back(std::max(i, j));
                             });
    for (auto& partners : partners_) std::ranges::sort(partners);
}

void PairThermostat::act(HostState& host, double temperature, double time) const {
    for (std::size_t i = 0; i < partners_.size(); ++i)
        for (std::size_t const j : partners_[i]) {
            Vec3<> const d = host.positions[i] - host.positions[j];
            act_on_pair(host, i, j, host.is_periodic ? host.box.minimum_image(d) : d, temperature, time);
        }
}

// u = (v_i - v_j)·e relaxes as exp(-2 g w² t) to a normal distribution of variance kT/µ, µ = m_i m_j/(m_i + m_j).
void PairThermostat::act_on_pair(HostState& host, std::size_t i, std::size_t j, Vec3<> const& d, double temperature,
                                 double time) const {
    auto const& [friction, cutoff] = numbers(i, j);
    double const r = norm(d), inverse_i = host.inverse_masses[i], inverse_j = host.inverse_masses[j];
    if (r >= cutoff || r == 0 || inverse_i + inverse_j == 0) return;
    auto const is_site = [&](std::size_t k) { return host.particles.is_virtual(static_cast<int>(k)); };
    if ((inverse_i == 0 && is_site(i)) || (inverse_j == 0 && is_site(j))) return;
    Vec3<> const e = d * (1 / r);
    double const w = 1 - r / cutoff, exponent = -2 * friction * w * w * time;
    double const variance = constants::gas_constant * temperature * (inverse_i + inverse_j) * -std::expm1(2 * exponent);
    // One random number per pair and step: the step and the second particle form the counter.
    auto const step = (static_cast<std::uint64_t>(j) << 32) | (static_cast<std::uint64_t>(host.step_count) & 0xFFFFFFFFu);
    double const noise = variance > 0 ? noise_.normals(step, static_cast<std::uint32_t>(i)).x : 0;
    double const change = std::expm1(exponent) * dot(host.velocities[i] - host.velocities[j], e) + std::sqrt(variance) * noise;
    double const impulse = change / (inverse_i + inverse_j);
    host.velocities[i] += e * (impulse * inverse_i);
    host.velocities[j] -= e * (impulse * inverse_j);
}

}  // namespace trotter
