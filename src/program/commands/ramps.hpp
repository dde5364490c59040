// Changes temperature, pressure and other parameters during a run.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/any_context.hpp>

#include "program/input/options.hpp"

namespace trotter::program {

/// The ramps of a run. Values change every `steps_between_changes` steps from the first one on, and depend on the step
/// alone: a resumed run has the same ones.
class RunRamps {
public:
    static constexpr std::int64_t steps_between_changes = 50;

    /// Throws InputError for a ramp of something that the Context does not have, or if steps have no fixed length.
    RunRamps(std::vector<NamedRamp> const& ramps, AnyContext const& context, std::int64_t first_step, double step_size);

    /// The next step with a change, at most `limit`.
    std::int64_t next_change(std::int64_t step, std::int64_t limit) const;
    /// Sets the values of the Context's step.
    void apply(AnyContext& context) const;

private:
    struct OneRamp {
        bool is_of_integrator = false;        ///< whether the integrator's temperature follows it
        std::vector<std::string> parameters;  ///< Context parameters that follow it
        app::Ramp ramp;
    };

    std::vector<OneRamp> ramps_;
    std::int64_t first_step_ = 0;
    double step_size_ = 0;  ///< [ps]
};

}  // namespace trotter::program
