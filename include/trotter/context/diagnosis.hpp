// Compile-time diagnosis of types that do not make a Context.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <trotter/concepts.hpp>
#include <trotter/integrators/compound.hpp>
#include <trotter/kernel.hpp>
#include <trotter/kernel_hooks.hpp>
#include <trotter/parts/pairs/pair_settings.hpp>
#include <trotter/parts/parts.hpp>
#include <trotter/registration.hpp>
#include <trotter/system.hpp>

namespace trotter::diagnosis {

enum class Problem {
    none,
    no_name,
    cannot_be_copied,
    no_force_group,
    part_arguments,
    no_terms,
    no_particles,
    particles_are_no_int,
    no_variables,
    no_fields,
    no_energy,
    no_sites,
    no_pair_settings,
    no_kernel,
    kernel_arguments,
    no_hook,
    misspelt_hook,
    update_arguments,
    save_without_load,
    no_step_size,
    no_constraint_tolerance,
    no_force_groups,
    no_heat_bath,
    splitting_letters,
    splitting_needs_both,
    splitting_blanks,
    splitting_parentheses,
    splitting_numbers,
    splitting_too_long
};

/// Whether the header of this backend's engine in this precision is included.
template <class B, class P>
concept HasEngine = requires { sizeof(Engine<B, P>); };

template <class Member> inline constexpr bool points_to_int = false;
template <class Object> inline constexpr bool points_to_int<int Object::*> = true;

/// Whether all `particles` of a force with terms point to `int`; true for other forces.
template <class F> consteval bool particles_are_int() {
    if constexpr (requires { F::terms; std::tuple_size<std::remove_cvref_t<decltype(F::particles)>>::value; }) {
        using Particles = std::remove_cvref_t<decltype(F::particles)>;
        return []<std::size_t... n>(std::index_sequence<n...>) {
            return (points_to_int<std::remove_cvref_t<std::tuple_element_t<n, Particles>>> && ...);
        }
        (std::make_index_sequence<std::tuple_size_v<Particles>>{});
    } else
        return true;
}

/// The member that a force without a kernel lacks to be a sum over terms.
template <class F> consteval Problem problem_of_terms() {
    constexpr bool has_fixed_size = !requires(F const& force) { force.term_size(); };
    if constexpr (!requires(F const& force) { (force.*F::terms).size(); }) return Problem::no_terms;
    else if constexpr (has_fixed_size && !requires { std::tuple_size<std::remove_cvref_t<decltype(F::particles)>>::value; })
        return Problem::no_particles;
    else if constexpr (has_fixed_size && !requires { F::variables; })
        return Problem::no_variables;
    else if constexpr (!requires { F::fields; } && !requires(F const& force) { force.parameter_names; })
        return Problem::no_fields;
    else if constexpr (!requires { F::energy; } && !requires(F const& force) { force.formula(); })
        return Problem::no_energy;
    else
        return Problem::no_kernel;
}
template <class F> consteval Problem problem_of_pairs() {
    if constexpr (!requires(F const& force) { (force.*F::sites).size(); }) return Problem::no_sites;
    else if constexpr (!requires(F const& force) { { force.pairs } -> std::same_as<PairSettings const&>; })
        return Problem::no_pair_settings;
    else if constexpr (!requires { F::fields; } && !requires(F const& force) { force.parameter_names; })
        return Problem::no_fields;
    else if constexpr (!requires { F::energy; })
        return Problem::no_energy;
    else
        return Problem::no_kernel;
}
template <class F> consteval Problem problem_of_statement() {
    if constexpr (requires { F::terms; } || requires { F::variables; }) return problem_of_terms<F>();
    else if constexpr (requires { F::sites; } || requires(F const& force) { force.pairs.exclusions; })
        return problem_of_pairs<F>();
    else
        return Problem::no_kernel;
}
template <class Part>
concept LacksSomeArguments = requires { requires Part::lacks_arguments; };
template <class Parts> inline constexpr bool some_part_lacks_arguments = false;
template <class... Part>
inline constexpr bool some_part_lacks_arguments<std::tuple<Part...>> = (LacksSomeArguments<Part> || ...);

/// Whether all parts of a force are complete; true without parts.
template <class F> consteval bool parts_have_all_arguments() {
    if constexpr (StatesParts<F>) return !some_part_lacks_arguments<std::remove_cvref_t<decltype(F::parts)>>;
    else
        return true;
}

template <class F, class B, class P> consteval Problem problem_of_force() {
    using K = Kernel<F, B, P>;
    if constexpr (!Named<F>) return Problem::no_name;
    else if constexpr (!std::is_copy_constructible_v<F> || !std::is_copy_assignable_v<F>)
        return Problem::cannot_be_copied;
    else if constexpr (!Force<F>)
        return Problem::no_force_group;
    else if constexpr (!parts_have_all_arguments<F>())
        return Problem::part_arguments;
    else if constexpr (!particles_are_int<F>())
        return Problem::particles_are_no_int;
    else if constexpr (requires { requires K::is_missing; })
        return problem_of_statement<F>();
    else if constexpr (!std::is_constructible_v<K, F const&, Engine<B, P>&, Registration>)
        return Problem::kernel_arguments;
    else if constexpr (hooks::is_misspelt<K, F, Engine<B, P>>)
        return Problem::misspelt_hook;
    else if constexpr (!hooks::Computes<K, Engine<B, P>> && !hooks::ChangesState<K, Engine<B, P>>)
        return Problem::no_hook;
    else if constexpr (hooks::has_wrong_update<K, F, Engine<B, P>>)
        return Problem::update_arguments;
    else if constexpr (hooks::Saves<K> != hooks::Loads<K>)
        return Problem::save_without_load;
    else
        return Problem::none;
}

template <class I> consteval Problem problem_of_splitting() {
    auto const of = []<class Splitting>(Splitting const& splitting) {
        using Error = SplittingError;
        switch (splitting.error) {
            case Error::letter: return Problem::splitting_letters;
            case Error::one_letter_missing: return Problem::splitting_needs_both;
            case Error::blank: return Problem::splitting_blanks;
            case Error::parenthesis: return Problem::splitting_parentheses;
            case Error::number: return Problem::splitting_numbers;
            case Error::length: return Problem::splitting_too_long;
            default: return Problem::none;
        }
    };
    if constexpr (requires { I::splitting.error; }) return of(I::splitting);
    else if constexpr (requires { I::nested_splitting.error; })
        return of(I::nested_splitting);
    else
        return Problem::none;
}
template <class I> consteval bool lacks_heat_bath() {
    constexpr bool has_bath = requires(I const& integrator) {
        integrator.temperature;
        integrator.friction;
    };
    if constexpr (requires { I::splitting.is_stochastic(); }) return I::splitting.is_stochastic() && !has_bath;
    else if constexpr (requires { I::nested_splitting.is_stochastic(); })
        return I::nested_splitting.is_stochastic() && !has_bath;
    else
        return false;
}

template <class I, class B, class P> consteval Problem problem_of_integrator() {
    if constexpr (!Named<I>) return Problem::no_name;
    else if constexpr (!std::is_copy_constructible_v<I> || !std::is_copy_assignable_v<I>)
        return Problem::cannot_be_copied;
    else if constexpr (!requires(I const& integrator) { { integrator.step_size } -> std::convertible_to<double>; })
        return Problem::no_step_size;
    else if constexpr (!requires(I const& integrator) { { integrator.constraint_tolerance } -> std::convertible_to<double>; })
        return Problem::no_constraint_tolerance;
    else if constexpr (!Integrator<I>)
        return Problem::no_force_groups;
    else if constexpr (problem_of_splitting<I>() != Problem::none)
        return problem_of_splitting<I>();
    else if constexpr (lacks_heat_bath<I>())
        return Problem::no_heat_bath;
    else if constexpr (requires { requires Kernel<I, B, P>::is_missing; })
        return Problem::no_kernel;
    else
        return Problem::none;
}

/// The compile error for a problem of `Type`, a force or an integrator, on a backend.
template <class Type, class B, class P, Problem problem> struct Explain {
    static_assert(problem != Problem::no_name,
                  "this force or integrator has no name: add `static constexpr std::string_view name = \"MyForce\";`");
    static_assert(problem != Problem::cannot_be_copied,
                  "this force or integrator cannot be copied: a Context keeps a copy of what it is made of");
    static_assert(problem != Problem::no_force_group, "this force has no group: add a member `int force_group = 0;`");
    static_assert(problem != Problem::part_arguments,
                  "a part of this force lacks arguments: expected Terms{list, particles, variables, fields, energy}, "
                  "Pairs{list, settings, fields, energy} or Mesh{list, charge, settings, mesh}");
    static_assert(problem != Problem::no_terms,
                  "this force has variables of terms, but no list of these: add "
                  "`static constexpr auto terms = &MyForce::bonds;`");
    static_assert(problem != Problem::no_particles,
                  "the terms of this force have no particles: add "
                  "`static constexpr auto particles = std::array{&Bond::particle1, &Bond::particle2};`");
    static_assert(problem != Problem::particles_are_no_int,
                  "`particles` of this force points to members that are no int: indices of particles are");
    static_assert(problem != Problem::no_variables,
                  "the terms of this force have no variables: add "
                  "`static constexpr auto variables = std::array{Distance{\"r\", {0, 1}}};`");
    static_assert(problem != Problem::no_fields,
                  "this force does not say which numbers its terms or particles have: add "
                  "`static constexpr auto fields = std::array{Field{\"k\", &Bond::k}};`");
    static_assert(problem != Problem::no_energy,
                  "this force has no formula: add `static constexpr Expression<\"k/2*r^2\"> energy{};`");
    static_assert(problem != Problem::no_sites,
                  "this force has settings of pairs, but no list of what each particle brings: add "
                  "`static constexpr auto sites = &MyForce::particles;`");
    static_assert(problem != Problem::no_pair_settings,
                  "this force over pairs does not say which pairs: add a member `PairSettings pairs{};`");
    static_assert(problem != Problem::no_kernel,
                  "there is no kernel for this force or integrator on this backend in this precision: include the "
                  "backend's header, state terms, pairs or a splitting, or specialize Kernel<Type, Backend, Precision>");
    static_assert(problem != Problem::kernel_arguments,
                  "the Kernel of this force cannot be made from (Force const&, Engine<Backend, Precision>&, Registration)");
    static_assert(problem != Problem::no_hook,
                  "the Kernel of this force does nothing: it has neither `double compute(Engine&, Request const&)` nor "
                  "`void before_step(Engine&, ForceEvaluator)`; is a name misspelt? See kernel_hooks.hpp");
    static_assert(problem != Problem::misspelt_hook,
                  "the Kernel of this force has a member whose name is nearly that of a hook, which nothing would call: "
                  "compute, late_energy, update, before_step, save and load are the names. See kernel_hooks.hpp");
    static_assert(problem != Problem::update_arguments,
                  "`update` of the Kernel of this force does not take (Force const&, Engine&)");
    static_assert(problem != Problem::save_without_load,
                  "the Kernel of this force has one of `save(Archive&)` and `load(Archive&)` without the other");
    static_assert(problem != Problem::no_step_size, "this integrator has no step size: add a member `double step_size;`");
    static_assert(problem != Problem::no_constraint_tolerance,
                  "this integrator has no tolerance of constraints: add a member `double constraint_tolerance = 1e-5;`");
    static_assert(problem != Problem::no_force_groups,
                  "this integrator does not say which forces act: add a member `ForceGroups force_groups{};`");
    static_assert(problem != Problem::no_heat_bath,
                  "the splitting of this integrator has an O, which needs members `double temperature` and `double "
                  "friction`");
    static_assert(problem != Problem::splitting_letters, "a splitting has a letter that is no operator: V, R and O are");
    static_assert(problem != Problem::splitting_needs_both, "a splitting needs at least one V and one R");
    static_assert(problem != Problem::splitting_blanks, "the letters of a splitting are separated by one blank");
    static_assert(problem != Problem::splitting_parentheses,
                  "a nested splitting has a parenthesis without the other, or without ^ and a number behind it");
    static_assert(problem != Problem::splitting_numbers,
                  "a nested splitting needs the number of a force group behind V, and 1 or more behind ^");
    static_assert(problem != Problem::splitting_too_long, "a nested splitting has more letters than fit");
};

/// Checks the types that a Context is made of.
template <class SystemType, class B, class P, class Integrators> struct Check;
template <class... Fs, class B, class P, class... Is>
struct Check<System<ForceList<Fs...>>, B, P, IntegratorList<Is...>> {
    static consteval bool is_sound() {
        if constexpr (!HasEngine<B, P>) return false;
        else
            return ((problem_of_force<Fs, B, P>() == Problem::none) && ...)
                   && ((problem_of_integrator<Is, B, P>() == Problem::none) && ...);
    }
    /// Does not compile unless the types make a Context.
    static void explain() {
        static_assert(HasEngine<B, P>,
                      "this backend does not compute in this precision, or its header is not included: <trotter/cpu.hpp>, "
                      "<trotter/cuda.hpp>, ...; Reference computes in Double alone");
        if constexpr (HasEngine<B, P>) {
            ((void)sizeof(Explain<Fs, B, P, problem_of_force<Fs, B, P>()>), ...);
            ((void)sizeof(Explain<Is, B, P, problem_of_integrator<Is, B, P>()>), ...);
        }
    }
};

}  // namespace trotter::diagnosis
