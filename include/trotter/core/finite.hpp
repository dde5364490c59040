// Finds NaN and infinity in positions, velocities and forces, and the force that produced them.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/core/request.hpp>
#include <trotter/error.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// The index of the first vector with a component that is infinite or NaN, or -1.
template <class Threads> int first_not_finite(std::vector<Vec3<>> const& vectors, Threads& threads) {
    constexpr std::size_t grain = 8192;
    std::vector<int> first(vectors.size() / grain + 1, -1);  // of each range
    auto search = [&](std::size_t begin, std::size_t end) {
        double sum = 0;  // stays 0 unless a number is infinite or NaN
        for (std::size_t i = begin; i < end; ++i) sum += 0 * (vectors[i].x + vectors[i].y + vectors[i].z);
        if (sum == 0) return;
        std::size_t i = begin;
        while (i < end && is_finite(vectors[i])) ++i;
        if (i < end) first[begin / grain] = static_cast<int>(i);
    };
    threads.for_ranges(vectors.size(), search, grain);
    for (int const found : first)
        if (found >= 0) return found;
    return -1;
}

/// Throws InputError unless there is one finite vector for each of `count` particles.
inline void check_vectors(std::vector<Vec3<>> const& vectors, std::size_t count, std::string const& what) {
    if (vectors.size() != count)
        throw InputError(std::to_string(vectors.size()) + " " + what + " were given for a System of " + std::to_string(count)
                         + " particles");
    for (std::size_t i = 0; i < count; ++i)
        if (!is_finite(vectors[i])) throw InputError("the " + what + " of particle " + std::to_string(i) + " are not finite numbers");
}

/// Throws InputError unless the value is finite; `what` names it.
[[gnu::cold]] inline void check_finite_number(char const* what, double value) {
    if (!std::isfinite(value))
        throw InputError("the " + std::string(what) + " is " + std::to_string(value) + ", expected a finite number");
}
/// The same for a value that must not be negative either.
[[gnu::cold]] inline void check_not_negative(char const* what, double value) {
    if (!(value >= 0 && std::isfinite(value)))
        throw InputError("the " + std::string(what) + " is " + std::to_string(value)
                         + ", expected a finite number that is not negative");
}

template <class Context> void check_device(Context& context);
/// Defined in `context/nan_diagnosis.hpp`, which every engine includes, so that a System alone compiles no formulas.
template <class F, class Host> std::string source_of_nan(F const& force, int particle, Host const& host);
template <class F, class Host> std::string part_with_bad_energy(F const& force, Host const& host);

/// Throws NotFiniteError for the energy of a force; `where` begins the message.
template <class Context> [[noreturn, gnu::cold]] void blame_energy_of(Context& context, int force, std::string const& where) {
    (void)context.positions();  // on the host from here on
    std::string_view name;
    std::string part;
    context.system().visit_force(force, [&]<class F>(F const& one) {
        name = F::name;
        part = part_with_bad_energy(one, context.engine().host);
    });
    throw NotFiniteError(where, "the energy of " + force_named(force, name) + part + " is not a finite number");
}
/// The same for the first force whose energy was not finite in the last evaluation.
template <class Context> [[noreturn, gnu::cold]] void throw_nan_energy(Context& context, std::string const& where) {
    auto const& energies = context.energies();
    auto const bad = std::find_if_not(energies.begin(), energies.end(), [](double energy) { return std::isfinite(energy); });
    if (bad == energies.end()) throw NotFiniteError(where, "the sum of all energies is not a finite number");
    blame_energy_of(context, static_cast<int>(bad - energies.begin()), where);
}

/// Throws NotFiniteError that names the first particle of a Context whose position or velocity is not finite.
template <class Context> void check_finite(Context& context) {
    if constexpr (requires { context.engine().is_state_on_device(); })
        if (context.engine().is_state_on_device()) return check_device(context);
    for (auto const* vectors : {&context.positions(), &context.velocities()})
        if (int const particle = first_not_finite(*vectors, context.engine().host.threads); particle >= 0)
            throw NotFiniteError("step " + std::to_string(context.step_count()) + ": ",
                                 std::string("the ") + (vectors == &context.positions() ? "position" : "velocity") + " of "
                                     + context.engine().host.name_of(particle) + " is not a finite number");
}

/// Name of the first force whose force on `particle` is bad, for messages; evaluates the forces one by one.
template <class Context> [[gnu::cold]] std::string force_with_nan(Context& context, int particle,
                                                                  Request const& request,
                                                                  std::function<bool(Vec3<> const&)> const& is_bad) {
    for (int force = 0; force < context.force_count(); ++force) {
        context.evaluate_one(force, {request.groups, false});
        if (!is_bad(context.forces()[static_cast<std::size_t>(particle)])) continue;
        std::string_view name;
        std::string part;
        context.system().visit_force(force, [&]<class F>(F const& one) {
            name = F::name;
            part = source_of_nan(one, particle, context.engine().host);
        });
        return force_named(force, name) + part;
    }
    return "the sum of all forces";
}

/// Throws NotFiniteError with the source of a force on `particle` that is not finite.
template <class Context>
[[noreturn, gnu::cold]] void throw_nan_force(Context& context, int particle, Request const& request) {
    std::string const where = "step " + std::to_string(context.step_count()) + ": ", of = context.engine().host.name_of(particle);
    if (!is_finite(context.positions()[static_cast<std::size_t>(particle)]))
        throw NotFiniteError(where, "the position of " + of + " is not a finite number");
    auto const source =
        force_with_nan(context, particle, request, [](Vec3<> const& force) { return !is_finite(force); });
    std::string range;
    if constexpr (requires { context.engine().range_of_forces; }) range = context.engine().range_of_forces;
    throw NotFiniteError(where, "the force on " + of + " is not a finite number" + range + "; it comes from " + source);
}

}  // namespace trotter
