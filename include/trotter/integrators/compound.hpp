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

/// All integrators of the library without its extensions.
using BuiltInIntegrators =
    IntegratorList<VerletIntegrator, LangevinMiddleIntegrator, LangevinIntegrator, BrownianIntegrator,
                   VariableVerletIntegrator, VariableLangevinIntegrator, NoseHooverIntegrator, DPDIntegrator,
                   QTBIntegrator, CustomIntegrator>;

/// Several integrators of a list; `Context::set_current_integrator` selects one.
template <class List = BuiltInIntegrators> struct BasicCompoundIntegrator {
    static constexpr std::string_view name = "CompoundIntegrator";  ///< type name, in messages and files
    using Integrators = List;  ///< allowed types

    std::vector<typename List::Any> integrators{};  ///< those that `Context::set_current_integrator` chooses from
    int current = 0;  ///< index of the active integrator
};
}  // namespace trotter
