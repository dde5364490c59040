// Validates a DrudeForce and states it as sums over terms.
// SPDX-License-Identifier: MIT
#include <trotter/drude/drude_force.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include <trotter/error.hpp>
#include <trotter/units.hpp>

namespace trotter {
namespace {

/// Polarizabilities along both axes and the third direction, relative to the mean; 1 along an axis that does not exist.
struct Shape {
    double first, second, third;

    explicit Shape(DrudeForce::Particle const& particle)
        : first(particle.has_first_axis() ? particle.anisotropy12 : 1),
          second(particle.has_second_axis() ? particle.anisotropy34 : 1),
          third(3 - first - second) {}
};

void check_axes(DrudeForce::Particle const& particle, Numbered const& where) {
    for (int const index : {particle.particle2, particle.particle3, particle.particle4})
        if (index < -1)
            throw InputError(where + ": a particle of an axis is " + std::to_string(index)
                             + ", expected an index from 0, or -1 for no axis");
    auto const check_ends = [&](char const* what, int to, int from) {
        if (to == from)
            throw InputError(where + ": the " + what + " axis is from particle " + std::to_string(from)
                             + " to itself, expected two different particles");
    };
    if (particle.has_first_axis()) check_ends("first", particle.parent, particle.particle2);
    if (particle.has_second_axis()) check_ends("second", particle.particle3, particle.particle4);
    Shape const shape(particle);
    auto const check_positive = [&](char const* what, double value) {
        if (!allows(Valid::positive, value)) refuse_value(what, value, expected_text(Valid::positive), where);
    };
    check_positive("anisotropy12", shape.first);
    check_positive("anisotropy34", shape.second);
    check_positive("the relative polarizability across both axes, 3 - anisotropy12 - anisotropy34,", shape.third);
}

void check_particles(DrudeForce const& force) {
    std::unordered_map<int, std::size_t> users;
    for (std::size_t n = 0; n < force.particles.size(); ++n) {
        auto const& particle = force.particles[n];
        Numbered const where{"Particle", n};
        if (particle.drude == particle.parent)
            throw InputError(where + ": Drude particle " + std::to_string(particle.drude)
                             + " is its own parent, expected another particle");
        for (int const index : {particle.drude, particle.parent})
            if (auto const [place, added] = users.emplace(index, n); !added)
                throw InputError(where + ": particle " + std::to_string(index) + " is also used by Particle "
                                 + std::to_string(place->second) + ", expected a particle of one oscillator only");
        check_fields(DrudeForce::fields, particle, where);
        check_axes(particle, where);
    }
}

void check_screened_pairs(DrudeForce const& force) {
    auto const count = static_cast<int>(force.particles.size());
    std::set<std::pair<int, int>> known;
    for (std::size_t n = 0; n < force.screened_pairs.size(); ++n) {
        auto const& [i, j, thole] = force.screened_pairs[n];
        Numbered const where{"ScreenedPair", n};
        for (int const index : {i, j})
            if (index < 0 || index >= count)
                throw InputError(where + ": there is no Drude particle " + std::to_string(index) + "; the force has "
                                 + std::to_string(count) + ", counted from 0");
        if (i == j)
            throw InputError(where + " is of Drude particle " + std::to_string(i) + " with itself, expected two");
        if (!known.emplace(std::min(i, j), std::max(i, j)).second)
            throw InputError(where + " of Drude particles " + std::to_string(i) + " and " + std::to_string(j)
                             + " repeats an earlier one, expected each pair once");
        if (!std::isfinite(thole)) refuse_value("thole", thole, expected_text(Valid::any), where);
    }
}

}  // namespace

void check(DrudeForce const& force) {
    check_particles(force);
    check_screened_pairs(force);
}

// With stiffness k, k' and k" across and along the axes, the springs of the axes add k' - k and k" - k to the isotropic
// one.
std::tuple<drude::Springs, drude::AxisSprings, drude::ScreenedPairs> DrudeForce::parts() const {
    check(*this);
    drude::Springs springs{.force_group = force_group};
    drude::AxisSprings axes{.force_group = force_group};
    drude::ScreenedPairs pairs{.force_group = force_group, .periodic = periodic};
    for (auto const& particle : particles) {
        Shape const shape(particle);
        double const mean = constants::coulomb * particle.charge * particle.charge / particle.polarizability;
        double const k = mean / shape.third;
        springs.springs.push_back({particle.drude, particle.parent, k});
        if (particle.has_first_axis())
            axes.springs.push_back(
                {particle.drude, particle.parent, particle.parent, particle.particle2, mean / shape.first - k});
        if (particle.has_second_axis())
            axes.springs.push_back(
                {particle.drude, particle.parent, particle.particle3, particle.particle4, mean / shape.second - k});
    }
    for (auto const& [i, j, thole] : screened_pairs) {
        auto const &first = particles[static_cast<std::size_t>(i)], &second = particles[static_cast<std::size_t>(j)];
        pairs.pairs.push_back({first.drude, first.parent, second.drude, second.parent,
                               constants::coulomb * first.charge * second.charge,
                               thole / std::pow(first.polarizability * second.polarizability, 1.0 / 6)});
    }
    return {std::move(springs), std::move(axes), std::move(pairs)};
}

DrudeForce replicate(DrudeForce const& force, int particles, int copies) {
    auto result = force;
    auto const count = static_cast<int>(force.particles.size());
    result.particles.clear();
    result.screened_pairs.clear();
    for (int copy = 0; copy < copies; ++copy) {
        for (auto particle : force.particles) {
            for (int* const index :
                 {&particle.drude, &particle.parent, &particle.particle2, &particle.particle3, &particle.particle4})
                if (*index >= 0) *index += copy * particles;
            result.particles.push_back(particle);
        }
        for (auto const& [i, j, thole] : force.screened_pairs)
            result.screened_pairs.push_back({i + copy * count, j + copy * count, thole});
    }
    return result;
}

}  // namespace trotter
