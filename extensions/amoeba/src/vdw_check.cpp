// Checks the parameters of AmoebaVdwForce.
// SPDX-License-Identifier: MIT
#include <string>
#include <tuple>

#include <trotter/amoeba/vdw.hpp>
#include <trotter/core/range_check.hpp>

namespace trotter {
namespace {

using Particle = AmoebaVdwForce::Particle;
using Type = AmoebaVdwForce::Type;
using TypePair = AmoebaVdwForce::TypePair;

constexpr auto own_fields = std::tuple{Field{"sigma", &Particle::sigma, Valid::positive},
                                       Field{"epsilon", &Particle::epsilon, Valid::not_negative}};
constexpr auto particle_fields =
    std::tuple{Field{"reduction factor", &Particle::reduction}, Field{"scale factor", &Particle::scale}};
constexpr auto type_fields = std::tuple{Field{"sigma", &Type::sigma, Valid::positive},
                                        Field{"epsilon", &Type::epsilon, Valid::not_negative}};
constexpr auto pair_fields =
    std::tuple{Field{"sigma", &TypePair::sigma, Valid::positive}, Field{"epsilon", &TypePair::epsilon}};

void check_type(int type, AmoebaVdwForce const& force, Numbered const& where) {
    if (type < 0 || static_cast<std::size_t>(type) >= force.types.size())
        throw InputError(where + (": there is no type " + std::to_string(type) + "; the force has "
                                  + std::to_string(force.types.size()) + ", counted from 0"));
}

void check_particles(AmoebaVdwForce const& force, int particle_count) {
    for (std::size_t i = 0; i < force.particles.size(); ++i) {
        auto const& particle = force.particles[i];
        Numbered const where{"Particle", i};
        check_particle(particle.parent, particle_count, where + ": its parent");
        check_fields(particle_fields, particle, where);
        if (force.use_types) check_type(particle.type, force, where);
        else check_fields(own_fields, particle, where);
        for (int const excluded : particle.exclusions)
            check_particle(excluded, particle_count, where + ": its exclusion");
    }
}

void check_types(AmoebaVdwForce const& force) {
    for (std::size_t n = 0; n < force.types.size(); ++n) check_fields(type_fields, force.types[n], Numbered{"Type", n});
    for (std::size_t n = 0; n < force.type_pairs.size(); ++n) {
        Numbered const where{"Type pair", n};
        check_type(force.type_pairs[n].type1, force, where);
        check_type(force.type_pairs[n].type2, force, where);
        check_fields(pair_fields, force.type_pairs[n], where);
    }
}

}  // namespace

void check(AmoebaVdwForce const& force, int particle_count, Box const& box) {
    check_particle_number(force.particles.size(), particle_count);
    check_particles(force, particle_count);
    if (force.use_types) check_types(force);
    if (force.is_periodic()) check_cutoff(force.cutoff_distance, true, box);
    if (force.softcore_power < 0)
        throw InputError("the softcore power is " + std::to_string(force.softcore_power) + ", expected 0 or more");
    if (!allows(Valid::not_negative, force.softcore_alpha))
        throw InputError("the softcore alpha is " + std::to_string(force.softcore_alpha) + ", expected "
                         + std::string(expected_text(Valid::not_negative)));
}

}  // namespace trotter
