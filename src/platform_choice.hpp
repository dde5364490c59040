// Picks the compiled Context that the user asked for.
// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

#include <trotter/compiled_contexts.hpp>
#include <trotter/context/platform_description.hpp>

namespace trotter {

/// None where this build lacks it. Reference computes in double whatever is asked for.
CompiledContext const* find_context(std::span<CompiledContext const> compiled, std::string_view platform,
                                    std::string_view precision);

struct ChosenContext {
    CompiledContext const& context;
    BackendChoice const& choice;
    double finding_seconds;  ///< that it took to choose, which may have started drivers

    /// What the Context that was made says of itself, with what the choice adds.
    PlatformDescription completed(PlatformDescription description) const;
};
/// Throws UnsupportedError where this build has no such platform, InputError where there is none.
ChosenContext choose_context(std::span<CompiledContext const> compiled, BackendChoice const& choice);

}  // namespace trotter
