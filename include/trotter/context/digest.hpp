// Digests that identify the Context of a checkpoint.
// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <trotter/base/members.hpp>
#include <trotter/error.hpp>
#include <trotter/parts/parts.hpp>
#include <trotter/system.hpp>

namespace trotter {

/// Whether the members of a force describe it completely, declared by its constant `is_all_members`. Of other forces
/// with terms or sites, mostly users' own, these and the common members count; of any other only the name.
template <class F> inline constexpr bool is_all_members = requires { requires F::is_all_members; };

/// A hash of numbers and texts that depends on their order.
class Digest {
public:
    /// The digest of all that was added.
    std::uint64_t value() const { return value_; }

    /// Mixes in one word.
    void add(std::uint64_t word) {
        value_ = (value_ ^ word) * 0x9E3779B97F4A7C15u;
        value_ ^= value_ >> 29;
    }
    /// Adds a number, text, container, variant, formula or aggregate, member by member.
    template <class T> void add_value(T const& value) {
        if constexpr (std::is_enum_v<T>)
            add(static_cast<std::uint64_t>(value));
        else if constexpr (std::floating_point<T>)
            add(std::bit_cast<std::uint64_t>(static_cast<double>(value)));
        else if constexpr (std::integral<T>)
            add(static_cast<std::uint64_t>(value));
        else if constexpr (requires { value.has_value(); }) {
            add(value.has_value());
            if (value.has_value()) add_value(*value);
        } else if constexpr (requires { value.formula(); })
            add_value(std::string_view(value.formula()));
        else if constexpr (requires { value.for_each_force([](int, auto const&) {}); })
            value.for_each_force([&](int, auto const& force) { add_force(force); });
        else if constexpr (requires { value.begin(), value.size(); }) {
            add(value.size());
            for (auto const& item : value) add_value(item);
        } else if constexpr (requires { value.valueless_by_exception(); }) {
            add(value.index());
            std::visit([&](auto const& one) { add_value(one); }, value);
        } else if constexpr (requires { value.first, value.second; }) {
            add_value(value.first);
            add_value(value.second);
        } else if constexpr (requires { *value, value.operator->(); })
            add_value(*value);
        else
            add_members(value);
    }
    /// Adds the members of an aggregate in order.
    template <class T> void add_members(T const& object) {
        visit_members(object, [&](auto const&... members) { (add_value(members), ...); });
    }
    /// Adds name and parameters of a force, as far as `is_all_members` and its parts give access to them.
    template <class F> void add_force(F const& force) {
        add_value(std::string_view(F::name));
        if constexpr (is_all_members<F>)
            add_members(force);
        else if constexpr (StatesParts<F>)
            for_each_part(force, [this](auto const& part) { add_part(part); });
        else
            add_part(force);
    }

private:
    template <class F> void add_part(F const& force) {
        if constexpr (std::derived_from<F, ReciprocalCharges>) return add_members(static_cast<ReciprocalCharges const&>(force));
        if constexpr (requires { force.force_group; }) add_value(force.force_group);
        if constexpr (requires { force.periodic; }) add_value(bool{force.periodic});
        if constexpr (requires { force.pairs.cutoff_distance; }) add_value(force.pairs);
        if constexpr (requires { force.global_parameters; }) add_value(force.global_parameters);
        if constexpr (requires { force.parameter_names; }) add_value(force.parameter_names);
        if constexpr (requires { force.tabulated_functions; }) add_value(force.tabulated_functions);
        if constexpr (requires { force.maps; }) add_value(force.maps);
        if constexpr (requires { force.energy.is_set(); }) add_value(force.energy);
        if constexpr (requires { force.*F::terms; }) add_items<F>(force.*F::terms);
        if constexpr (requires { force.*F::sites; }) add_items<F>(force.*F::sites);
    }
    template <class F, class List> void add_items(List const& items) {
        add(items.size());
        for (auto const& item : items) {
            if constexpr (requires { item.particles.size(); })
                add_value(item.particles);
            else if constexpr (requires { std::get<0>(F::particles); })
                std::apply([&](auto... member) { (add_value(item.*member), ...); }, F::particles);
            if constexpr (requires { std::get<0>(F::fields); })
                std::apply([&](auto const&... field) { (add_value(item.*field.member), ...); }, F::fields);
            if constexpr (requires { item.parameters.size(); }) add_value(item.parameters);
        }
    }

    std::uint64_t value_ = 0x243F6A8885A308D3u;
};

/// Names of the components of a Context, each with a digest of its parameters.
using Identity = std::vector<std::pair<std::string, std::uint64_t>>;

/// Adds the particles, the box and the forces of a System.
template <class List> void add_system(System<List> const& system, Identity& identity) {
    auto const digest_of = [](auto const&... values) {
        Digest digest;
        (digest.add_value(values), ...);
        return digest.value();
    };
    auto const& [masses, constraints, virtual_sites] = system.particles;
    identity.emplace_back(std::to_string(system.particle_count()) + " particles", 0);
    identity.emplace_back("the masses", digest_of(masses));
    identity.emplace_back("the constraints", digest_of(constraints));
    identity.emplace_back("the virtual sites", digest_of(virtual_sites));
    identity.emplace_back("the box", digest_of(system.box.a, system.box.b, system.box.c));
    identity.emplace_back(std::to_string(system.force_count()) + " forces", 0);
    system.for_each_force([&]<class F>(int index, F const& force) {
        Digest digest;
        digest.add_force(force);
        identity.emplace_back(force_named(index, F::name), digest.value());
    });
}

/// Adds an integrator: its name, and its computations or its splitting. Variable parameters are in the checkpoint.
template <class I> void add_integrator(I const& integrator, Identity& identity) {
    Digest digest;
    if constexpr (requires { integrator.computations; }) {
        digest.add_value(integrator.computations);
        for (auto const& one : integrator.globals) digest.add_value(one.name);
        for (auto const& one : integrator.per_dof) digest.add_value(one.name);
    }
    if constexpr (requires { I::splitting.letters; }) digest.add_value(I::splitting.letters);
    if constexpr (requires { I::nested_splitting.letters; }) digest.add_value(I::nested_splitting.letters);
    if constexpr (requires { requires I::is_metropolized; }) digest.add_value(std::string_view("metropolized"));
    if constexpr (requires { integrator.chains; }) digest.add(integrator.chains.size());
    identity.emplace_back("the integrator " + std::string(I::name), digest.value());
}

/// Appends the digests to an archive.
template <class Archive> void save_identity(Identity const& identity, Archive& archive) {
    archive.put(std::uint64_t{identity.size()});
    for (auto const& [name, digest] : identity) {
        archive.put(std::string_view(name));
        archive.put(digest);
    }
}
/// Throws InputError for the first difference from the identity in `archive`.
template <class Archive> void check_identity(Identity const& identity, Archive& archive) {
    auto const refuse = [](std::string const& what) {
        throw InputError("the checkpoint is of another simulation: " + what);
    };
    auto const size = archive.template get<std::uint64_t>();
    for (std::size_t n = 0; n < size; ++n) {
        std::string const name = archive.get_string();
        auto const digest = archive.template get<std::uint64_t>();
        if (n >= identity.size()) refuse("it has " + name + ", which this Context lacks");
        auto const& [own_name, own_digest] = identity[n];
        if (name != own_name) refuse("it has " + name + ", this Context " + own_name);
        if (digest != own_digest) refuse("the numbers or settings of " + name + " differ");
    }
    if (size < identity.size()) refuse("it lacks " + identity[size].first + " of this Context");
}

}  // namespace trotter
