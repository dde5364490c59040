// The integrators of this extension: none.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/integrators/compound.hpp>

namespace trotter::amoeba {

using Integrators = IntegratorList<>;  ///< none

}  // namespace trotter::amoeba
