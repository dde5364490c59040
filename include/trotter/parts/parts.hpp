// The parts of a force: sums over terms, over pairs, or on a mesh.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <tuple>
#include <utility>

#include <trotter/parts/mesh/reciprocal_charges.hpp>
#include <trotter/parts/pairs/pair_settings.hpp>

namespace trotter {

/// Declares a sum over terms as one part of a force: pointers to members of the force, and the declarations of
/// `HasTerms` under the same names.
template <class List, class Particles, class Variables, class Fields, class Energy> struct Terms {
    List terms;  ///< pointer to the list member
    Particles particles;  ///< pointers to the particle indices of a term
    Variables variables;  ///< geometric variables of the formula
    Fields fields;  ///< per-term parameters of the formula
    Energy energy;  ///< formula of the energy [kJ/mol]
    bool bonds_molecules = false;  ///< whether the particles of a term belong to one molecule
};
template <class List, class Particles, class Variables, class Fields, class Energy>
Terms(List, Particles, Variables, Fields, Energy, bool = false) -> Terms<List, Particles, Variables, Fields, Energy>;

/// Marks Terms, Pairs and Mesh with missing arguments, so that a Context can report them.
struct LacksArguments {};
/// Declaration with missing arguments.
template <> struct Terms<LacksArguments, void, void, void, void> {
    static constexpr bool lacks_arguments = true;  ///< read by a `static_assert`

    /// Accepts any number of arguments.
    constexpr Terms(auto const&...) {}
};
template <class A, class B> Terms(A, B) -> Terms<LacksArguments, void, void, void, void>;
template <class A, class B, class C> Terms(A, B, C) -> Terms<LacksArguments, void, void, void, void>;
template <class A, class B, class C, class D> Terms(A, B, C, D) -> Terms<LacksArguments, void, void, void, void>;

/// Declares a sum over pairs as one part of a force (see `HasPairs`).
template <class List, class Settings, class Fields, class Energy> struct Pairs {
    List sites;      ///< pointer to the list of per-particle parameters
    Settings pairs;  ///< pointer to the PairSettings member
    Fields fields;  ///< per-particle parameters of the formula
    Energy energy;  ///< formula of the energy of a pair [kJ/mol]
};
template <class List, class Settings, class Fields, class Energy>
Pairs(List, Settings, Fields, Energy) -> Pairs<List, Settings, Fields, Energy>;
/// Declaration with missing arguments.
template <> struct Pairs<LacksArguments, void, void, void> {
    static constexpr bool lacks_arguments = true;  ///< read by a `static_assert`

    /// Accepts any number of arguments.
    constexpr Pairs(auto const&...) {}
};
template <class A, class B> Pairs(A, B) -> Pairs<LacksArguments, void, void, void>;
template <class A, class B, class C> Pairs(A, B, C) -> Pairs<LacksArguments, void, void, void>;

/// Declares the reciprocal-space part of the Coulomb energy of charges in a periodic box, by smooth particle mesh
/// Ewald. For pairs that are not excluded it is q1 q2 erf(alpha r)/(4 pi eps0 r); a sum over pairs adds the
/// direct-space rest, which decays as erfc(alpha r). Scale the charges for a fraction of the interaction.
template <class List, class Charge, class Settings, class Sizes> struct Mesh {
    List sites;      ///< pointer to the list of per-particle parameters
    Charge charge;   ///< pointer to the charge of a site [e]
    Settings pairs;  ///< pointer to the PairSettings member; its exclusions are used
    Sizes mesh;      ///< pointer to the MeshSettings member, with alpha set
};
template <class List, class Charge, class Settings, class Sizes>
Mesh(List, Charge, Settings, Sizes) -> Mesh<List, Charge, Settings, Sizes>;
/// Declaration with missing arguments.
template <> struct Mesh<LacksArguments, void, void, void> {
    static constexpr bool lacks_arguments = true;  ///< read by a `static_assert`

    /// Accepts any number of arguments.
    constexpr Mesh(auto const&...) {}
};
template <class A, class B> Mesh(A, B) -> Mesh<LacksArguments, void, void, void>;
template <class A, class B, class C> Mesh(A, B, C) -> Mesh<LacksArguments, void, void, void>;

/// Part n of a force `F` as passed to engines: a force of terms alone, of pairs alone, or charges on a mesh.
template <class F, std::size_t n, class Stated = std::tuple_element_t<n, std::remove_cvref_t<decltype(F::parts)>>>
struct PartOf;

/// A part that is a sum over terms.
template <class F, std::size_t n, class... Types> struct PartOf<F, n, Terms<Types...>> : F {
    static constexpr auto terms = std::get<n>(F::parts).terms;  ///< the list of terms, found by the generic kernels
    static constexpr auto particles = std::get<n>(F::parts).particles;  ///< particle indices of a term
    static constexpr auto variables = std::get<n>(F::parts).variables;  ///< as declared in `F::parts`
    /// Name in formulas, attribute in XML, member and valid values of each parameter.
    static constexpr auto fields = std::get<n>(F::parts).fields;
    static constexpr auto energy = std::get<n>(F::parts).energy;  ///< as declared in `F::parts`
    static constexpr bool bonds_molecules = std::get<n>(F::parts).bonds_molecules;  ///< as declared in `F::parts`

    /// Copies the force.
    explicit PartOf(F const& force) : F(force) {}
};
/// A part that is a sum over pairs.
template <class F, std::size_t n, class... Types> struct PartOf<F, n, Pairs<Types...>> : F {
    static constexpr auto sites = std::get<n>(F::parts).sites;  ///< as declared in `F::parts`
    /// Name in formulas, attribute in XML, member and valid values of each parameter.
    static constexpr auto fields = std::get<n>(F::parts).fields;
    static constexpr auto energy = std::get<n>(F::parts).energy;  ///< as declared in `F::parts`
    PairSettings pairs;  ///< from the member that `F::parts` names

    /// Copies the force and the settings of this part.
    explicit PartOf(F const& force) : F(force), pairs(force.*std::get<n>(F::parts).pairs) {}
};

/// A part that is a sum over wave vectors.
template <class F, std::size_t n, class... Types> struct PartOf<F, n, Mesh<Types...>> : ReciprocalCharges {
    /// Copies charges, exclusions and mesh from the members that `F::parts` names.
    explicit PartOf(F const& force) {
        auto const& stated = std::get<n>(F::parts);
        method = force.*stated.mesh;
        for (auto const& site : force.*stated.sites) charges.push_back(site.*stated.charge);
        exclusions = (force.*stated.pairs).exclusions;
        force_group = direct_force_group = force.force_group;
    }
};

/// A force that declares its Terms, Pairs and Meshes: `static constexpr auto parts = std::tuple{Terms{…}, Pairs{…}}`.
template <class F>
concept StatesParts = requires { std::tuple_size<std::remove_cvref_t<decltype(F::parts)>>::value; };

/// Returns the parts of a force, each a force of one kind: those that it declares, or those from its member `parts()`,
/// or the force itself.
template <class F> auto parts_of(F const& force) {
    if constexpr (StatesParts<F>)
        return [&]<std::size_t... n>(std::index_sequence<n...>) { return std::tuple{PartOf<F, n>(force)...}; }
    (std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(F::parts)>>>{});
    else if constexpr (requires { force.parts(); })
        return force.parts();
    else
        return std::tuple<F const&>(force);
}

/// Calls `visit` with each part of the force.
template <class F, class Visit> void for_each_part(F const& force, Visit const& visit) {
    std::apply([&](auto const&... part) { (visit(part), ...); }, parts_of(force));
}

}  // namespace trotter
