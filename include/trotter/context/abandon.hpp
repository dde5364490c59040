// Resets an engine after an exception.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

namespace trotter {

/// Runs `work`. If it throws, calls `abandon` of an engine that has it, which drops the unfinished work and all cached
/// state.
template <class Engine, class Work> void or_abandon(Engine& engine, Work&& work) {
    try {
        std::forward<Work>(work)();
    } catch (...) {
        if constexpr (requires { engine.abandon(); }) engine.abandon();
        throw;
    }
}

}  // namespace trotter
