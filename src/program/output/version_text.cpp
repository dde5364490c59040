// Describes this build.
// SPDX-License-Identifier: MIT
#include "version_text.hpp"

#include <fmt/format.h>

#include <trotter/platforms.hpp>
#include <trotter/program.hpp>
#include <trotter/version.hpp>

namespace trotter::program {

std::string version_text(KnownForces const& forces) {
    std::string text = "trotter " + std::string(version) + " (MIT licence)";
    text += fmt::format("\nbackends: {}", fmt::join(list_platforms(forces.compiled), ", "));
    return text + "\nFourier transforms: Trotter's own";
}

}  // namespace trotter::program
