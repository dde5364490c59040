// Observables: virial, pressure tensor, energies of terms and between groups of particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <trotter/base/tensor.hpp>
#include <trotter/common/barostats/box_change.hpp>
#include <trotter/context.hpp>
#include <trotter/core/term_energy.hpp>
#include <trotter/integrators/verlet.hpp>
#include <trotter/reference.hpp>
#include <trotter/reference/two_groups.hpp>
#include <trotter/units.hpp>

namespace trotter {

namespace reference {

/// Context of the backend whose kernels compute observables.
template <class SystemType, class Integrators> using ReferenceContext =
    Context<SystemType, Reference, Double, Integrators>;

/// Evaluates the forces of these groups with the box part of their virial.
template <class SystemType, class Integrators>
HostState& evaluate_with_virial(ReferenceContext<SystemType, Integrators>& context, ForceGroups const& groups) {
    auto& host = context.engine().host;
    host.box_virial.emplace();
    context.evaluate({groups});
    return host;
}

/// Force on a particle; 0 on virtual sites, whose forces have been distributed.
inline Vec3<> force_on(HostState const& host, std::size_t particle) {
    return host.particles.is_virtual(static_cast<int>(particle)) ? Vec3<>{} : host.forces[particle];
}

template <class SystemType, class Integrators>
Tensor virial(ReferenceContext<SystemType, Integrators>& context, ForceGroups const& groups) {
    auto const& host = evaluate_with_virial(context, groups);
    Tensor result = *host.box_virial;
    for (std::size_t i = 0; i < host.size(); ++i) result += outer(force_on(host, i), host.positions[i]);
    return result;
}

/// Forces within molecules cancel if all particles of one move with their mean position, as in barostats.
template <class SystemType, class Integrators>
Tensor pressure_tensor(ReferenceContext<SystemType, Integrators>& context, ForceGroups const& groups) {
    if (!context.engine().host.is_periodic)
        throw InputError("a pressure needs a periodic System, but none of its forces takes periodic images");
    auto& host = evaluate_with_virial(context, groups);
    Tensor sum = *host.box_virial;
    for (auto const& molecule : host.molecules) {
        Vec3<> force, center;
        for (int const particle : molecule) {
            force += force_on(host, static_cast<std::size_t>(particle));
            center += host.positions[static_cast<std::size_t>(particle)];
        }
        sum += outer(force, center / static_cast<double>(molecule.size()));
    }
    auto const [xx, yy, zz, xy, xz, yz] = BoxChange(true).kinetic_tensor(host);
    sum += Tensor{{Vec3<>{xx, xy, xz}, Vec3<>{xy, yy, yz}, Vec3<>{xz, yz, zz}}};
    return sum / (host.box.volume() * constants::bar);
}

/// Calls `visit(kernel, name)` for the kernel of the force with this index.
template <class SystemType, class Integrators, class Visit>
void visit_kernel(ReferenceContext<SystemType, Integrators>& context, int index, Visit const& visit) {
    std::string_view name;
    context.system().visit_force(index, [&]<class F>(F const&) { name = F::name; });
    context.for_each_kernel([&](int other, auto& kernel) {
        if (other == index) visit(kernel, name);
    });
}

template <class SystemType, class Integrators>
std::vector<TermEnergy> term_energies(ReferenceContext<SystemType, Integrators>& context, int index) {
    double const energy = context.evaluate_one(index);
    std::vector<TermEnergy> result;
    visit_kernel(context, index, [&](auto& kernel, std::string_view) {
        auto& engine = context.engine();
        if constexpr (requires { kernel.term_energies(engine); })
            result = kernel.term_energies(engine);
        else if constexpr (requires { kernel.for_each_part([](auto&) {}); })
            kernel.for_each_part([&](auto& part) {
                if constexpr (requires { part.term_energies(engine.host); })
                    for (auto& term : part.term_energies(engine.host)) result.push_back(std::move(term));
                else
                    result.push_back({{}, engine.compute_part(part, {})});
            });
        else
            result.push_back({{}, energy});
    });
    return result;
}

template <class SystemType, class Integrators>
double interaction_energy(ReferenceContext<SystemType, Integrators>& context, int index, std::vector<int> const& first,
                          std::vector<int> const& second) {
    TwoGroups const counts(first, second, context.system().particle_count());
    context.evaluate_one(index);
    std::optional<double> energy;
    std::string_view force_name;
    visit_kernel(context, index, [&](auto& kernel, std::string_view name) {
        auto& engine = context.engine();
        force_name = name;
        if constexpr (requires { kernel.for_each_part([](auto&) {}); })
            kernel.for_each_part([&](auto& part) {
                if constexpr (requires { part.interaction_energy(engine.host, counts); })
                    energy = energy.value_or(0) + part.interaction_energy(engine.host, counts);
            });
    });
    if (!energy)
        throw InputError(force_named(index, force_name)
                         + ": it is no sum over pairs of particles, between whose groups there were an energy");
    return *energy;
}

/// Calls `observe` with a Reference Context of the same System in the same state: it computes in double, and the
/// Context itself is unchanged.
template <class SystemType, Backend B, Precision P, class Integrators, class Observe>
auto observed(Context<SystemType, B, P, Integrators>& context, Observe const& observe) {
    ReferenceContext<SystemType, IntegratorList<VerletIntegrator>> copy(
        context.system(), VerletIntegrator{.step_size = 0}, Reference{}, Double{}, context.seed());
    copy.set_state(context.state(Positions | Velocities | Parameters));
    return observe(copy);
}

}  // namespace reference

/// Virial W = -dU/dε of the forces of these groups [kJ/mol], where positions and box vectors are multiplied by 1 + ε,
/// and virtual sites follow. Computed in double by Reference on any backend; the Context is unchanged. Throws
/// UnsupportedError for a periodic CallbackForce.
template <class SystemType, Backend B, Precision P, class Integrators>
Tensor virial(Context<SystemType, B, P, Integrators>& context, ForceGroups const& groups = {}) {
    return reference::observed(context, [&](auto& copy) { return reference::virial(copy, groups); });
}

/// Pressure as in barostats with rigid molecules [bar], P = (Σ M V⊗V + W)/V over molecules, from the stored velocities,
/// with the virial of the forces on molecules at their mean positions: no constraint forces are needed. Instantaneously
/// asymmetric if there are torques on molecules. Throws InputError if nothing in the System is periodic, and the errors
/// of `virial`.
template <class SystemType, Backend B, Precision P, class Integrators>
Tensor pressure_tensor(Context<SystemType, B, P, Integrators>& context, ForceGroups const& groups = {}) {
    return reference::observed(context, [&](auto& copy) { return reference::pressure_tensor(copy, groups); });
}

/// Energy of each term of the force with this index, or of its parts; a force without either is one term without
/// particles. They sum up to the energy of the force.
template <class SystemType, Backend B, Precision P, class Integrators>
std::vector<TermEnergy> term_energies(Context<SystemType, B, P, Integrators>& context, int force_index) {
    return reference::observed(context, [&](auto& copy) { return reference::term_energies(copy, force_index); });
}

/// Energy of pairs with one particle in each group, each pair once, for a pair force [kJ/mol]: within the cutoff, and
/// exceptions; of Ewald sums and PME direct space only. Throws InputError if it is not a pair force, and for an invalid
/// particle index.
template <class SystemType, Backend B, Precision P, class Integrators>
double interaction_energy(Context<SystemType, B, P, Integrators>& context, int force_index,
                          std::vector<int> const& first, std::vector<int> const& second) {
    return reference::observed(
        context, [&](auto& copy) { return reference::interaction_energy(copy, force_index, first, second); });
}

}  // namespace trotter
