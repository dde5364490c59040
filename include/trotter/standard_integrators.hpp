// The integrators that files may hold.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/base/type_lists.hpp>
#include <trotter/extensions/integrators.hpp>
#include <trotter/integrators/compound.hpp>

namespace trotter {

/// All integrators of the library, and those of the extensions in this build.
using StandardIntegrators = ConcatenatedLists<BuiltInIntegrators, ExtensionIntegrators>;
using CompoundIntegrator = BasicCompoundIntegrator<StandardIntegrators>;  ///< several of the standard integrators

}  // namespace trotter
