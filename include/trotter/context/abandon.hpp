// Resets an engine after an exception.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

namespace trotter {

/// Does `work` of an engine. Where that throws, an engine that keeps something of its work has a function `abandon`, which
/// is called: it drops that, and takes nothing for granted.
template <class Engine, class Work> void or_abandon(Engine& engine, Work&& work) {
    try {
        std::forward<Work>(work)();
    } catch (...) {
        if constexpr (requires { engine.abandon(); }) engine.abandon();
        throw;
    }
}

}  // namespace trotter
