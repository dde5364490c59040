// Applies offsets and computes exclusions and corrections of a NonbondedForce.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <string>
#include <unordered_map>
#include <utility>

#include <trotter/error.hpp>
#include <trotter/physics/nonbonded_parameters.hpp>
#include <trotter/units.hpp>

namespace trotter {

DirectSpace direct_space(NonbondedForce const& force, UsedMeshes const& meshes) {
    DirectSpace result{.alpha = meshes.pme.alpha, .dispersion_alpha = meshes.ljpme.alpha};
    if (!force.uses_cutoff()) return result;
    double const cutoff = result.cutoff_distance = force.cutoff_distance, dielectric = force.reaction_field_dielectric;
    if (!force.uses_ewald())
        result.field = {(dielectric - 1) / (2 * dielectric + 1) / (cutoff * cutoff * cutoff),
                        3 * dielectric / (2 * dielectric + 1) / cutoff};
    if (force.use_switching_function && force.method != NonbondedForce::Method::ljpme)
        result.switching = {force.switching_distance, 1 / (cutoff - force.switching_distance)};
    return result;
}

namespace {

/// Returns the items with all offsets added; `value(name)` is that of a global parameter, `charge` the member scaled by
/// `charge_scale`.
template <class Item, class Value>
std::vector<Item> with_offsets(std::vector<Item> items, std::vector<NonbondedForce::Offset> const& offsets,
                               double Item::*charge, Value const& value) {
    for (auto const& offset : offsets) {
        Item& item = items[static_cast<std::size_t>(offset.index)];
        double const scale = value(offset.parameter);
        item.*charge += scale * offset.charge_scale;
        item.sigma += scale * offset.sigma_scale;
        item.epsilon += scale * offset.epsilon_scale;
    }
    return items;
}

/// Returns the particles with offsets. Throws InputError for a negative epsilon, because pairs take its root
/// (exceptions do not).
template <class Value>
std::vector<NonbondedForce::Particle> particles_with_offsets(NonbondedForce const& force, Value const& value) {
    auto particles = with_offsets(force.particles, force.particle_offsets, &NonbondedForce::Particle::charge, value);
    for (auto const& offset : force.particle_offsets)
        if (double const epsilon = particles[static_cast<std::size_t>(offset.index)].epsilon; epsilon < 0)
            throw InputError("particle " + std::to_string(offset.index) + ": epsilon becomes " + std::to_string(epsilon)
                             + " with the present global parameters, expected a number that is not negative");
    return particles;
}

}  // namespace

std::vector<NonbondedForce::Particle> effective_particles(NonbondedForce const& force,
                                                          GlobalParameters const& parameters) {
    return particles_with_offsets(force, [&](std::string const& name) { return parameters.value(name); });
}
std::vector<NonbondedForce::Exception> effective_exceptions(NonbondedForce const& force,
                                                            GlobalParameters const& parameters) {
    return with_offsets(force.exceptions, force.exception_offsets, &NonbondedForce::Exception::charge_product,
                        [&](std::string const& name) { return parameters.value(name); });
}

std::vector<std::vector<int>> exclusions(NonbondedForce const& force) {
    std::vector<std::vector<int>> result(force.particles.size());
    for (auto const& exception : force.exceptions) {
        result[static_cast<std::size_t>(exception.particle1)].push_back(exception.particle2);
        result[static_cast<std::size_t>(exception.particle2)].push_back(exception.particle1);
    }
    for (auto& partners : result) std::sort(partners.begin(), partners.end());
    return result;
}

std::vector<double> charges_for(MeshKind kind, std::vector<NonbondedForce::Particle> const& particles) {
    std::vector<double> result;
    result.reserve(particles.size());
    for (auto const& particle : particles)
        result.push_back(kind == MeshKind::coulomb ? particle.charge : dispersion_charge(particle));
    return result;
}

std::optional<ReciprocalCharges> reciprocal_charges(NonbondedForce const& force, MeshKind kind, Box const& box,
                                                    double memory) {
    using Method = NonbondedForce::Method;
    bool const is_of_charges = kind == MeshKind::coulomb;
    if (is_of_charges ? !force.uses_ewald() : force.method != Method::ljpme) return {};
    EwaldAccuracy const accuracy{force.cutoff_distance, force.ewald_error_tolerance};
    int const own_group = force.reciprocal_force_group;
    ReciprocalCharges result{.kind = kind,
                             .charges = charges_for(kind, force.particles),
                             .exclusions_use_periodic = force.exceptions_use_periodic,
                             .force_group = own_group >= 0 ? own_group : force.force_group,
                             .direct_force_group = force.force_group};
    if (force.method == Method::ewald)
        result.method = chosen_waves(accuracy, force.particles.size(), box, memory);
    else {
        auto const& given = is_of_charges ? force.pme : force.ljpme;
        result.method = chosen_mesh(kind, given, accuracy, box, memory);
        result.may_be_finer = given.alpha == 0;
    }
    if (force.include_direct_space)
        for (auto const& exception : force.exceptions)
            result.exclusions.push_back({exception.particle1, exception.particle2});
    return result;
}

namespace {

/// ∫ (1 - S(r)) r^(2 - power) dr over the switching range: Simpson's rule in ln r, where the integrand is smooth.
double switched_tail(Switching const& switching, double cutoff, int power) {
    constexpr int intervals = 4000;
    double const lower = std::log(switching.start), step = (std::log(cutoff) - lower) / intervals;
    double sum = 0;
    for (int n = 0; n <= intervals; ++n) {
        double const r = std::exp(lower + n * step),
                     t = std::min(1.0, std::max(0.0, (r - switching.start) * switching.inverse_width));
        double const weight = n == 0 || n == intervals ? 1 : n % 2 == 1 ? 4 : 2;
        sum += weight * t * t * t * (10 - t * (15 - 6 * t)) * std::pow(r, 3 - power);
    }
    return sum * step / 3;
}

/// Means of ε σ⁶ and ε σ¹² over all N(N+1)/2 pairs of particles, including each with itself.
struct DispersionMeans {
    double of6 = 0, of12 = 0;
};
DispersionMeans dispersion_means(std::vector<NonbondedForce::Particle> const& particles) {
    struct Hash {
        std::size_t operator()(std::pair<double, double> const& kind) const {
            return std::bit_cast<std::uint64_t>(kind.first) * 31 + std::bit_cast<std::uint64_t>(kind.second);
        }
    };
    std::unordered_map<std::pair<double, double>, double, Hash> counts;
    for (auto const& particle : particles) counts[{particle.sigma, particle.epsilon}] += 1;
    std::map<std::pair<double, double>, double> const kinds(counts.begin(), counts.end());  // reproducible order
    DispersionMeans sums;
    for (auto first = kinds.begin(); first != kinds.end(); ++first)
        for (auto second = first; second != kinds.end(); ++second) {
            double const n = first->second, pairs = first == second ? n * (n + 1) / 2 : n * second->second;
            double const sigma = (first->first.first + second->first.first) / 2, sigma3 = sigma * sigma * sigma;
            double const weight = pairs * std::sqrt(first->first.second * second->first.second);
            sums.of6 += weight * sigma3 * sigma3;
            sums.of12 += weight * sigma3 * sigma3 * sigma3 * sigma3;
        }
    double const count = static_cast<double>(particles.size()), pairs = count * (count + 1) / 2;
    return {sums.of6 / pairs, sums.of12 / pairs};
}

}  // namespace

double dispersion_coefficient(NonbondedForce const& force) {
    bool const applies = force.is_periodic() && force.method != NonbondedForce::Method::ljpme;
    if (!force.use_dispersion_correction || !applies || force.particles.empty()) return 0;
    std::map<std::string, double> defaults;
    for (auto const& parameter : force.global_parameters) defaults[parameter.name] = parameter.default_value;
    auto const default_value = [&](std::string const& name) { return defaults.at(name); };
    auto const means = force.particle_offsets.empty()
                           ? dispersion_means(force.particles)
                           : dispersion_means(particles_with_offsets(force, default_value));
    double const cutoff = force.cutoff_distance, count = static_cast<double>(force.particles.size());
    double tail6 = std::pow(cutoff, -3) / 3, tail12 = std::pow(cutoff, -9) / 9;
    if (auto const switched = direct_space(force).switching; switched && means.of6 != 0) {
        tail6 += switched_tail(*switched, cutoff, 6);
        tail12 += switched_tail(*switched, cutoff, 12);
    }
    return 8 * std::numbers::pi * count * count * (means.of12 * tail12 - means.of6 * tail6);
}

}  // namespace trotter
