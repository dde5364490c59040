// A System: particles, a periodic box, and forces of listed types.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <trotter/base/by_type.hpp>
#include <trotter/base/type_lists.hpp>
#include <trotter/box.hpp>
#include <trotter/core/particles.hpp>
#include <trotter/error.hpp>
#include <trotter/parts/parts.hpp>

namespace trotter {

/// A list of force types.
template <class... Fs> struct ForceList {};

/// Whether a list of forces has the type `F`.
template <class F, class List> inline constexpr bool lists_force = false;
/// True for each type of the list.
template <class F, class... Fs> inline constexpr bool lists_force<F, ForceList<Fs...>> = (std::same_as<F, Fs> || ...);

/// A list with more types at its end: `ExtendedList<StandardForces, MyForce>`.
template <class List, class... More> using ExtendedList = ConcatenatedLists<List, ForceList<More...>>;

template <class List> class System;

/// Particles, their periodic box, and forces in the order in which they were added: that order gives the indices in
/// files, messages and results.
template <class... Fs> class System<ForceList<Fs...>> {
public:
    using Forces = ForceList<Fs...>;  ///< types of force that it may have
    /// Location of a force: its type in the list, and its position among the forces of that type.
    struct ForceHandle {
        std::size_t type, index;  ///< index of the type in the list, and index among forces of that type
        friend bool operator==(ForceHandle const&, ForceHandle const&) = default;  ///< compares all members
    };

    Particles particles;  ///< masses, constraints and virtual sites
    Box box{.is_given = false};  ///< initial box; meshes and splitting parameters are chosen from it

    System() = default;
    /// Converts a System whose forces are all in this list.
    template <class... Others>
        requires((lists_force<Others, Forces> && ...) && !std::same_as<ForceList<Others...>, Forces>)
    System(System<ForceList<Others...>> const& other) : particles(other.particles), box(other.box) {
        other.for_each_force([this](int, auto const& force) { add(force); });
    }

    /// Adds a particle of the given mass [amu]; returns its index.
    int add_particle(double mass) {
        particles.masses.push_back(mass);
        return particles.count() - 1;
    }
    /// Constrains the distance [nm] of two particles; checked when a Context is made.
    void add_constraint(int particle1, int particle2, double distance) {
        particles.constraints.push_back({particle1, particle2, distance});
    }
    /// Makes the particle, whose mass must be 0, a virtual site; replaces an earlier one.
    void set_virtual_site(int particle, VirtualSite site) { particles.virtual_sites.insert_or_assign(particle, std::move(site)); }

    /// Adds a force; returns its index among all forces.
    template <class F>
        requires lists_force<F, Forces>
    int add(F force) {
        auto& list = forces<F>();
        list.push_back(std::move(force));
        order_.push_back({type_index<F>(), list.size() - 1});
        return static_cast<int>(order_.size()) - 1;
    }

    /// Number of particles, virtual sites included.
    int particle_count() const { return particles.count(); }
    /// Number of forces of all types.
    int force_count() const { return static_cast<int>(order_.size()); }
    /// Type and index of each force, in the order in which they were added.
    std::vector<ForceHandle> const& order() const { return order_; }

    /// All forces of one type.
    template <class F> std::vector<F> const& forces() const { return forces_.template get<std::vector<F>>(); }
    /// All forces of one type, to be changed before a Context is made.
    template <class F> std::vector<F>& forces() { return forces_.template get<std::vector<F>>(); }
    ///@{
    /// The force with this index among all forces, of type F; valid until one of its type is added. Throws InputError
    /// if there is none, or if it is of another type.
    template <class F>
        requires lists_force<F, Forces>
    F const& force(int index) const {
        return forces<F>()[handle_of<F>(index).index];
    }
    template <class F>
        requires lists_force<F, Forces>
    F& force(int index) {
        return forces<F>()[handle_of<F>(index).index];
    }
    ///@}

    /// Calls `visit(index, force)` for every force, in order.
    template <class Visit> void for_each_force(Visit&& visit) const {
        for (std::size_t i = 0; i < order_.size(); ++i)
            visit_handle(handle(static_cast<int>(i)), [&](auto const& f) { visit(static_cast<int>(i), f); });
    }
    /// Calls `visit(force)` with the force of this index.
    template <class Visit> void visit_force(int index, Visit&& visit) const { visit_handle(handle(index), visit); }

    /// Location of the force with this index. Throws InputError if there is none.
    ForceHandle handle(int index) const {
        if (index < 0 || index >= force_count())
            throw InputError("there is no force " + std::to_string(index) + "; the System has " + std::to_string(force_count()));
        auto const handle = order_[static_cast<std::size_t>(index)];
        if (handle.index >= counts()[handle.type])
            throw InputError("force " + std::to_string(index) + " is no longer in its list `forces<...>()`");
        return handle;
    }
    /// The same; throws InputError also if it is not an F.
    template <class F> ForceHandle handle_of(int index) const {
        auto const found = handle(index);
        if (found.type != type_index<F>())
            throw InputError("force " + std::to_string(index) + " is not a " + std::string(F::name));
        return found;
    }
    /// Index of a type in the list; does not compile for a type that is not in it.
    template <class F> static constexpr std::size_t type_index() {
        std::size_t index = 0;
        bool found = false;
        ((found = found || std::same_as<F, Fs>, index += found ? 0 : 1), ...);
        return index;
    }

private:
    std::array<std::size_t, sizeof...(Fs)> counts() const { return {forces<Fs>().size()...}; }
    template <class Visit> void visit_handle(ForceHandle handle, Visit&& visit) const {
        (void)((type_index<Fs>() == handle.type && (visit(forces<Fs>()[handle.index]), true)) || ...);
    }

    ByType<std::vector<Fs>...> forces_;
    std::vector<ForceHandle> order_;
};

namespace detail {

template <class Part> bool takes_images(Part const& part) {
    if constexpr (requires { part.is_periodic(); })
        return part.is_periodic();
    else if constexpr (requires { part.pairs.is_periodic(); })
        return part.pairs.is_periodic();
    else if constexpr (requires { part.periodic; })
        return part.periodic;
    else
        return false;
}

}  // namespace detail

/// Whether a force, or a part of it, uses periodic boundary conditions.
template <class F> bool takes_images(F const& force) {
    if constexpr (!StatesParts<F>) return detail::takes_images(force);
    bool result = false;
    for_each_part(force, [&](auto const& part) { result = result || detail::takes_images(part); });
    return result;
}
/// The index of the first force that uses periodic boundary conditions, or -1.
template <class List> int first_periodic_force(System<List> const& system) {
    int first = -1;
    system.for_each_force([&](int index, auto const& force) {
        if (first < 0 && takes_images(force)) first = index;
    });
    return first;
}
/// Whether a force uses periodic boundary conditions.
template <class List> bool is_periodic(System<List> const& system) { return first_periodic_force(system) >= 0; }

/// The initial box. Throws InputError if a force needs one and none was set.
template <class List> Box box_of(System<List> const& system) {
    int const periodic = system.box.is_given || !(system.box == Box{}) ? -1 : first_periodic_force(system);
    if (periodic >= 0)
        system.visit_force(periodic, [&]<class F>(F const&) {
            throw InputError(force_named(periodic, F::name) + " takes periodic images, but the System's box was not set");
        });
    return {system.box.a, system.box.b, system.box.c};
}

/// A force or an integrator as its kernel gets it: with what it needs from other forces of its System, if it has a member
/// `joined_with(system)` that returns such a copy. It is called when a Context is made, and when any force is updated.
template <class T, class List> decltype(auto) joined(T const& part, System<List> const& system) {
    if constexpr (requires { part.joined_with(system); })
        return part.joined_with(system);
    else
        return (part);
}

/// Whether a force removes center-of-mass motion.
template <class List> bool removes_motion(System<List> const& system) {
    bool result = false;
    system.for_each_force([&]<class F>(int, F const&) {
        if constexpr (requires { requires F::removes_motion; }) result = true;
    });
    return result;
}

}  // namespace trotter
