// Checks that an update does not change the declared global parameters.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/error.hpp>

namespace trotter {

/// Throws InputError unless the same names are declared in the same order.
inline void check_same_parameters(std::vector<GlobalParameter> const& before,
                                  std::vector<GlobalParameter> const& after) {
    for (std::size_t n = 0; n < after.size(); ++n)
        if (n >= before.size() || before[n].name != after[n].name)
            throw InputError("global parameter " + std::to_string(n) + " is '" + after[n].name
                             + "', which is not what it was before; parameters of the Context cannot be updated");
}

}  // namespace trotter
