// Checks for the DrudeForce that integrators need.
// SPDX-License-Identifier: MIT
#include <trotter/drude/joined.hpp>

#include <string>

#include <trotter/error.hpp>

namespace trotter::drude {

void check_count_of_forces(std::string_view integrator, std::size_t count) {
    if (count != 1)
        throw InputError("the System has " + (count == 0 ? "no" : std::to_string(count)) + " DrudeForce"
                         + (count > 1 ? "s" : "") + ", expected one for the " + std::string(integrator));
}

}  // namespace trotter::drude
