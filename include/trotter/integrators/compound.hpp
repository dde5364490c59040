// Several integrators for one Context, one of which is current.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>
#include <variant>
#include <vector>

#include <trotter/integrators/brownian.hpp>
#include <trotter/integrators/custom.hpp>
#include <trotter/integrators/dpd.hpp>
#include <trotter/integrators/langevin.hpp>
#include <trotter/integrators/nose_hoover.hpp>
#include <trotter/integrators/qtb.hpp>
#include <trotter/integrators/verlet.hpp>

namespace trotter {

/// A list of integrator types.
template <class... Is> struct IntegratorList {
    using Any = std::variant<Is...>;  ///< one integrator of the list
};

/// Every integrator that ships.
using StandardIntegrators =
    IntegratorList<VerletIntegrator, LangevinMiddleIntegrator, LangevinIntegrator, BrownianIntegrator,
                   VariableVerletIntegrator, VariableLangevinIntegrator, NoseHooverIntegrator, DPDIntegrator,
                   QTBIntegrator, CustomIntegrator>;

/// Integrators of a list side by side; `Context::set_current_integrator` changes between them.
template <class List = StandardIntegrators> struct BasicCompoundIntegrator {
    static constexpr std::string_view name = "CompoundIntegrator";  ///< type name, in messages and files
    using Integrators = List;  ///< list of the types that may be in it

    std::vector<typename List::Any> integrators{};  ///< those that `Context::set_current_integrator` chooses from
    int current = 0;  ///< index of the one that steps
};
using CompoundIntegrator = BasicCompoundIntegrator<>;  ///< any of the standard integrators side by side

}  // namespace trotter
