// Nosé-Hoover dynamics: thermostat groups with their chains, and a step on the host.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <trotter/common/integration/nose_hoover.hpp>
#include <trotter/common/threads/sums.hpp>

namespace trotter {

namespace {

/// Velocities of a pair as centre-of-mass and relative velocity.
struct PairMotion {
    PairMotion(HostState const& host, NoseHooverGroup::Pair const& pair) {
        auto const i = static_cast<std::size_t>(pair.particle1), j = static_cast<std::size_t>(pair.particle2);
        double const m1 = host.particles.masses[i], m2 = host.particles.masses[j];
        mass = m1 + m2;
        reduced_mass = m1 * m2 / mass;
        share1 = m1 / mass;
        center = host.velocities[i] * share1 + host.velocities[j] * (1 - share1);
        relative = host.velocities[i] - host.velocities[j];
    }
    void store(HostState& host, NoseHooverGroup::Pair const& pair) const {
        host.velocities[static_cast<std::size_t>(pair.particle1)] = center + relative * (1 - share1);
        host.velocities[static_cast<std::size_t>(pair.particle2)] = center - relative * share1;
    }
    double mass, reduced_mass, share1;
    Vec3<> center, relative;
};

}  // namespace

void NoseHooverGroup::scale_velocities(HostState& host, double dt) {
    double const twice_energy =
        ordered_sum(host.threads, particles.size(),
                    [&](std::size_t n) {
                        auto const i = static_cast<std::size_t>(particles[n]);
                        return host.particles.masses[i] * dot(host.velocities[i], host.velocities[i]);
                    })
        + ordered_sum(host.threads, pairs.size(), [&](std::size_t n) {
              PairMotion const motion(host, pairs[n]);
              return motion.mass * dot(motion.center, motion.center);
          });
    double const twice_relative = ordered_sum(host.threads, pairs.size(), [&](std::size_t n) {
        PairMotion const motion(host, pairs[n]);
        return motion.reduced_mass * dot(motion.relative, motion.relative);
    });
    double const scale = chain.propagate(twice_energy, dt);
    host.threads.for_each(particles.size(),
                          [&](std::size_t n) { host.velocities[static_cast<std::size_t>(particles[n])] *= scale; });
    if (pairs.empty()) return;
    double const relative_scale = relative_chain.propagate(twice_relative, dt);
    for (Pair const& pair : pairs) {
        PairMotion motion(host, pair);
        motion.center *= scale;
        motion.relative *= relative_scale;
        motion.store(host, pair);
    }
}
void NoseHooverGroup::keep_pairs_within(HostState& host, double limit, double dt) const {
    for (Pair const& pair : pairs) {
        auto const i = static_cast<std::size_t>(pair.particle1), j = static_cast<std::size_t>(pair.particle2);
        Vec3<> const difference = host.positions[i] - host.positions[j];
        double const distance = norm(difference), beyond = distance - limit;
        if (beyond <= 0) continue;
        Vec3<> const direction = difference / distance;
        PairMotion motion(host, pair);
        double const speed = dot(motion.relative, direction);
        double const back = std::sqrt(relative_chain.kT() * host.inverse_masses[i]) * (speed < 0 ? 1 : -1);
        double const time = speed == 0 ? dt : std::min(dt, beyond / std::abs(speed));
        Vec3<> const move = direction * (back * time - beyond);
        host.positions[i] += move * (host.particles.masses[j] / motion.mass);
        host.positions[j] -= move * (host.particles.masses[i] / motion.mass);
        motion.relative += direction * (back - speed);
        motion.store(host, pair);
    }
}

namespace {

/// Throws InputError if an integrator's chains are invalid for these particles.
class NoseHooverCheck {
public:
    explicit NoseHooverCheck(Particles const& particles) : particles_(particles) {}

    void numbers(NoseHooverIntegrator::Chain const& chain) const {
        auto refuse = [](char const* what, int value, char const* wanted) {
            throw InputError("the " + std::string(what) + " of a NoseHooverIntegrator is " + std::to_string(value)
                             + ", expected " + wanted);
        };
        require_set(NoseHooverIntegrator::name, "temperature", chain.temperature);
        require_set(NoseHooverIntegrator::name, "collision frequency", chain.collision_frequency);
        require_not_negative(NoseHooverIntegrator::name, "temperature", chain.temperature);
        require_positive(NoseHooverIntegrator::name, "collision frequency", chain.collision_frequency);
        if (!chain.pairs.empty()) {
            require_not_negative(NoseHooverIntegrator::name, "temperature of pairs", chain.relative_temperature);
            require_positive(NoseHooverIntegrator::name, "collision frequency of pairs",
                             chain.relative_collision_frequency);
        }
        if (chain.chain_length < 1) refuse("chain length", chain.chain_length, "at least 1");
        if (chain.multiple_time_steps < 1)
            refuse("number of multiple time steps", chain.multiple_time_steps, "at least 1");
        int const stages = chain.yoshida_suzuki_steps;
        if (stages != 1 && stages != 3 && stages != 5 && stages != 7)
            refuse("number of Yoshida-Suzuki steps", stages, "1, 3, 5 or 7");
    }
    /// Assigns `particle` to thermostat `chain`, as a single particle or as part of a pair.
    void claim(int particle, int chain, bool in_pair) {
        std::string const which = "particle " + std::to_string(particle);
        if (particle < 0 || particle >= particles_.count())
            throw InputError("thermostat " + std::to_string(chain) + " of a NoseHooverIntegrator names " + which
                             + ", but the System has " + std::to_string(particles_.count()) + " particles");
        if (particles_.masses[static_cast<std::size_t>(particle)] == 0)
            throw InputError(which + " of a NoseHooverIntegrator has no mass and cannot have a thermostat");
        auto const [place, added] = owners_.emplace(particle, chain);
        if (!added && place->second != chain)
            throw InputError(which + " of a NoseHooverIntegrator is in thermostats " + std::to_string(place->second)
                             + " and " + std::to_string(chain) + ", expected one");
        if (!(in_pair ? paired_ : single_).emplace(particle, chain).second)
            throw InputError(which + " of a NoseHooverIntegrator is listed twice in thermostat "
                             + std::to_string(chain));
    }
    /// Number of constraints in each thermostat.
    std::map<int, int> count_constraints() const {
        std::map<int, int> counts;
        for (auto const& [i, j, distance] : particles_.constraints) {
            auto const first = owners_.find(i), second = owners_.find(j);
            int const chain1 = first == owners_.end() ? -1 : first->second,
                      chain2 = second == owners_.end() ? -1 : second->second;
            if (chain1 != chain2)
                throw InputError(
                    "particles " + std::to_string(i) + " and " + std::to_string(j)
                    + " are joined by a constraint, but do not share a thermostat of the NoseHooverIntegrator");
            if (chain1 >= 0) ++counts[chain1];
        }
        return counts;
    }

private:
    Particles const& particles_;
    std::map<int, int> owners_, single_, paired_;
};

NoseHooverChain make_nose_hoover_chain(NoseHooverIntegrator::Chain const& chain, bool relative) {
    NoseHooverChain result;
    result.temperature = relative ? chain.relative_temperature : chain.temperature;
    result.collision_frequency = relative ? chain.relative_collision_frequency : chain.collision_frequency;
    result.multiple_time_steps = chain.multiple_time_steps;
    result.shares = yoshida_suzuki_shares(chain.yoshida_suzuki_steps);
    result.beads.resize(static_cast<std::size_t>(chain.chain_length));
    return result;
}

}  // namespace

std::vector<NoseHooverGroup> make_nose_hoover_groups(NoseHooverIntegrator const& integrator, HostState const& host) {
    NoseHooverCheck check(host.particles);
    std::vector<NoseHooverGroup> groups;
    for (auto const& chain : integrator.chains) {
        check.numbers(chain);
        auto const number = static_cast<int>(groups.size());
        NoseHooverGroup group{chain.particles, chain.pairs, make_nose_hoover_chain(chain, false),
                              make_nose_hoover_chain(chain, true)};
        if (group.particles.empty() && group.pairs.empty())
            for (int i = 0; i < host.particles.count(); ++i)
                if (host.particles.masses[static_cast<std::size_t>(i)] != 0) group.particles.push_back(i);
        for (int i : group.particles) check.claim(i, number, false);
        for (auto const& [i, j] : group.pairs) {
            check.claim(i, number, true);
            check.claim(j, number, true);
        }
        group.chain.degrees_of_freedom = 3 * static_cast<int>(group.particles.size() + group.pairs.size());
        group.relative_chain.degrees_of_freedom = 3 * static_cast<int>(group.pairs.size());
        groups.push_back(std::move(group));
    }
    for (auto const& [number, count] : check.count_constraints())
        groups[static_cast<std::size_t>(number)].chain.degrees_of_freedom -= count;
    if (host.removes_motion && !groups.empty()) {
        auto fewer = [](auto const& a, auto const& b) {
            return a.chain.degrees_of_freedom < b.chain.degrees_of_freedom;
        };
        std::max_element(groups.begin(), groups.end(), fewer)->chain.degrees_of_freedom -= 3;
    }
    return groups;
}

NoseHooverStepper::NoseHooverStepper(NoseHooverIntegrator const& integrator, HostState const& host, Registration who)
    : LiveIntegrator(integrator),
      index_(who.index),
      groups_(make_nose_hoover_groups(integrator, host)),
      stepper_(OperatorSequence::middle_scheme(integrator.force_groups), {}, host.size()) {}
void NoseHooverStepper::check_step() const {
    require_positive(integrator_.name, "step size", integrator_.step_size);
    for (auto const& chain : integrator_.chains) {
        require_positive(integrator_.name, "temperature", chain.temperature);
        if (!chain.pairs.empty())
            require_positive(integrator_.name, "temperature of pairs", chain.relative_temperature);
    }
}
void NoseHooverStepper::step(HostState& host, ForceEvaluator const& evaluate) {
    double const dt = integrator_.step_size;
    check_step();
    stepper_.step(host, evaluate, fixed_step(integrator_), [&] {
        for (auto& group : groups_) group.scale_velocities(host, dt);
    });
    if (integrator_.maximum_pair_distance > 0)
        for (auto const& group : groups_) group.keep_pairs_within(host, integrator_.maximum_pair_distance, dt);
    host.time += dt;
}
double NoseHooverStepper::heat_bath_energy() const {
    double sum = 0;
    for (auto const& group : groups_) sum += group.energy();
    return sum;
}
std::map<std::string, double> NoseHooverStepper::parameters() const {
    std::map<std::string, double> result;
    for_each_bead(*this, [&](int chain, int bead, NoseHooverChain::Bead const& values) {
        result[NoseHooverIntegrator::bead_position(index_, chain, bead)] = values.position;
        result[NoseHooverIntegrator::bead_velocity(index_, chain, bead)] = values.velocity;
    });
    return result;
}
void NoseHooverStepper::set_parameters(std::map<std::string, double> const& parameters) {
    auto value = [&](std::string const& name) {
        auto const place = parameters.find(name);
        return place == parameters.end() ? 0 : place->second;
    };
    for_each_bead(*this, [&](int chain, int bead, NoseHooverChain::Bead& values) {
        values.position = value(NoseHooverIntegrator::bead_position(index_, chain, bead));
        values.velocity = value(NoseHooverIntegrator::bead_velocity(index_, chain, bead));
    });
}

}  // namespace trotter
