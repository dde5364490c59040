// Replicates a System: particles, constraints, virtual sites and forces, one copy after the other.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <trotter/error.hpp>
#include <trotter/forces/andersen_thermostat.hpp>
#include <trotter/forces/cm_motion_remover.hpp>
#include <trotter/forces/custom_centroid_bond.hpp>
#include <trotter/parts/parts.hpp>
#include <trotter/parts/terms/terms.hpp>
#include <trotter/system.hpp>

namespace trotter {

/// `items` repeated `copies` times; `shift(item, n)` changes those of copy n.
template <class T, class Shift>
std::vector<T> replicate_items(std::vector<T> const& items, int copies, Shift const& shift) {
    std::vector<T> result;
    result.reserve(items.size() * static_cast<std::size_t>(copies));
    for (int n = 0; n < copies; ++n)
        for (T item : items) {
            shift(item, n);
            result.push_back(std::move(item));
        }
    return result;
}
/// `items` repeated `copies` times.
template <class T> std::vector<T> replicate_items(std::vector<T> const& items, int copies) {
    return replicate_items(items, copies, [](T&, int) {});
}

namespace detail {

/// Whether part n is the first to name a list: a list that two parts of a force name is copied once.
template <class F, std::size_t n, class Pointer> constexpr bool is_first_to_name(Pointer member) {
    auto const names = [&](auto const& part) {
        auto const is = [&](auto other) {
            if constexpr (std::is_same_v<decltype(other), Pointer>)
                return other == member;
            else
                return false;
        };
        if constexpr (requires { part.sites; })
            return is(part.sites) || is(part.pairs);
        else
            return is(part.terms);
    };
    return [&]<std::size_t... earlier>(std::index_sequence<earlier...>) {
        return !(names(std::get<earlier>(F::parts)) || ...);
    }
    (std::make_index_sequence<n>{});
}
template <class Term> void shift_particles(Term& term, auto const& members, int by) {
    std::apply([&](auto... particle) { ((term.*particle += by), ...); }, members);
}
template <class Settings> void repeat_exclusions(Settings& pairs, int particles, int copies) {
    pairs.exclusions = replicate_items(pairs.exclusions, copies, [&](auto& exclusion, int n) {
        exclusion.particle1 += n * particles;
        exclusion.particle2 += n * particles;
    });
}

}  // namespace detail

/// A force in `copies` copies of a System of `particles` particles. Other kinds of force provide an overload in their
/// namespace.
template <HasTerms F> F replicate(F force, int particles, int copies) {
    force.*F::terms = replicate_items(force.*F::terms, copies, [&](auto& term, int n) {
        if constexpr (HasTermsOfAnySize<F>)
            for (int& particle : term.particles) particle += n * particles;
        else
            detail::shift_particles(term, F::particles, n * particles);
    });
    return force;
}
template <StatesParts F> F replicate(F force, int particles, int copies) {
    auto const repeat = [&]<std::size_t n>(std::integral_constant<std::size_t, n>) {
        auto const& part = std::get<n>(F::parts);
        if constexpr (requires { part.sites; }) {
            if (detail::is_first_to_name<F, n>(part.sites))
                force.*part.sites = replicate_items(force.*part.sites, copies);
            if (detail::is_first_to_name<F, n>(part.pairs))
                detail::repeat_exclusions(force.*part.pairs, particles, copies);
        } else if (detail::is_first_to_name<F, n>(part.terms))
            force.*part.terms = replicate_items(force.*part.terms, copies, [&](auto& term, int copy) {
                detail::shift_particles(term, part.particles, copy * particles);
            });
    };
    [&]<std::size_t... n>(std::index_sequence<n...>) { (repeat(std::integral_constant<std::size_t, n>{}), ...); }
    (std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(F::parts)>>>{});
    return force;
}
/// Forces with per-particle parameters, exceptions, and offsets of both by global parameters.
template <Force F>
requires requires(F& force) {
    force.exceptions.size();
    force.particle_offsets.size();
    force.exception_offsets.size();
}
F replicate(F force, int particles, int copies) {
    int const exceptions = static_cast<int>(force.exceptions.size());
    force.particles = replicate_items(force.particles, copies);
    force.exceptions = replicate_items(force.exceptions, copies, [&](auto& exception, int n) {
        exception.particle1 += n * particles;
        exception.particle2 += n * particles;
    });
    force.particle_offsets =
        replicate_items(force.particle_offsets, copies, [&](auto& offset, int n) { offset.index += n * particles; });
    force.exception_offsets =
        replicate_items(force.exception_offsets, copies, [&](auto& offset, int n) { offset.index += n * exceptions; });
    return force;
}
/// Forces over pairs, with per-particle parameters and exclusions.
template <Force F>
requires requires(F& force) {
    (force.*F::sites).size();
    force.pairs.exclusions.size();
}
F replicate(F force, int particles, int copies) {
    force.*F::sites = replicate_items(force.*F::sites, copies);
    detail::repeat_exclusions(force.pairs, particles, copies);
    if constexpr (requires { force.interaction_groups; })
        for (auto& group : force.interaction_groups)
            for (auto* set : {&group.set1, &group.set2})
                for (int const particle : std::vector<int>(set->begin(), set->end()))
                    for (int n = 1; n < copies; ++n) set->insert(particle + n * particles);
    return force;
}
/// Groups of later copies follow those of earlier ones.
inline CustomCentroidBondForce replicate(CustomCentroidBondForce force, int particles, int copies) {
    int const groups = static_cast<int>(force.groups.size());
    force.groups = replicate_items(force.groups, copies, [&](auto& group, int n) {
        for (int& particle : group.particles) particle += n * particles;
    });
    force.bonds = replicate_items(force.bonds, copies, [&](auto& bond, int n) {
        for (int& group : bond.groups) group += n * groups;
    });
    return force;
}
// Forces that act in each copy as in one System.
/// Once for all copies.
inline CMMotionRemover replicate(CMMotionRemover remover, int, int) { return remover; }
/// With the same parameters.
inline AndersenThermostat replicate(AndersenThermostat thermostat, int, int) { return thermostat; }

namespace detail {

inline VirtualSite shifted(VirtualSite site, int by) {
    std::visit(
        [by](auto& s) {
            if constexpr (requires { s.particles; })
                for (int& particle : s.particles) particle += by;
            if constexpr (requires { s.particle; }) s.particle += by;
            if constexpr (requires { s.particle2; }) s.particle1 += by, s.particle2 += by;
            if constexpr (requires { s.particle3; }) s.particle3 += by;
        },
        site);
    return site;
}

}  // namespace detail

/// Particle i of copy n is particle n*count + i of the result. Throws UnsupportedError for a force without an overload
/// for copies, such as one that changes the box.
template <class List> System<List> replicate(System<List> const& system, int copies) {
    int const count = system.particle_count();
    System<List> result;
    result.box = system.box;
    auto const& particles = system.particles;
    result.particles.masses = replicate_items(particles.masses, copies);
    result.particles.constraints = replicate_items(particles.constraints, copies, [&](auto& constraint, int n) {
        constraint.particle1 += n * count;
        constraint.particle2 += n * count;
    });
    for (int n = 0; n < copies; ++n)
        for (auto const& [particle, site] : particles.virtual_sites)
            result.set_virtual_site(particle + n * count, detail::shifted(site, n * count));
    system.for_each_force([&]<class F>(int index, F const& force) {
        if constexpr (requires { replicate(force, count, copies); })
            result.add(replicate(force, count, copies));
        else
            throw UnsupportedError(force_named(index, F::name)
                                   + " cannot act in a batch of replicas, which share one box and one launch");
    });
    return result;
}

}  // namespace trotter
