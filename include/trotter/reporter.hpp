// Reporters: called at a fixed interval of steps.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include <trotter/error.hpp>

namespace trotter {

/// Called with a Context every `interval` steps: any struct with these two members. `report` may be a template,
/// `void report(auto& context)`, or take a certain type of Context. It may read, evaluate and change the Context, but
/// take no step.
template <class R, class Context>
concept Reporter = requires(R& reporter, Context& context) {
    { reporter.interval } -> std::convertible_to<std::int64_t>;
    reporter.report(context);
};

/// The first multiple of `interval` after `step`, or the largest number if that would overflow.
inline std::int64_t next_multiple(std::int64_t step, std::int64_t interval) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    auto const missing = interval - step % interval;
    return missing > most - step ? most : step + missing;
}

namespace diagnosis {

/// Explains why a type is not a Reporter.
template <class R, class Context> struct ExplainReporter {
    static_assert(requires(R& reporter) { { reporter.interval } -> std::convertible_to<std::int64_t>; },
                  "this reporter does not say how often it reports: add a member `std::int64_t interval = 100;`, in steps");
    static_assert(!requires(R& reporter) { { reporter.interval } -> std::convertible_to<std::int64_t>; }
                      || Reporter<R, Context>,
                  "this reporter has no `report` that takes the Context: add a member `void report(auto& context)`");
};

}  // namespace diagnosis

namespace detail {

/// The step count after `steps` steps from `first`. Throws InputError unless these can be taken.
inline std::int64_t last_step_of(std::int64_t first, std::int64_t steps) {
    if (steps < 0) throw InputError("the number of steps is " + std::to_string(steps) + ", expected 0 or more");
    if (steps > std::numeric_limits<std::int64_t>::max() - first)
        throw InputError("the step count is " + std::to_string(first) + ", and " + std::to_string(steps)
                         + " steps more cannot be counted, expected a sum below 2^63");
    return first + steps;
}
inline void check_interval(std::int64_t interval, int reporter) {
    if (interval < 1)
        throw InputError("the interval of reporter " + std::to_string(reporter) + " is " + std::to_string(interval)
                         + " steps, expected at least 1 (reporters are counted from 0)");
}

}  // namespace detail

/// Takes `steps` steps of a Context or an AnyContext. Each reporter reports where the step count is a multiple of its
/// interval, in the order given; not before the first step. Throws InputError for a negative number of steps and for an
/// interval below 1, before the first step, and whatever `step` and the reporters throw.
template <class Context, class... Reporters>
void simulate(Context& context, std::int64_t steps, Reporters&&... reporters) {
    if constexpr ((Reporter<std::remove_reference_t<Reporters>, Context> && ...)) {
        auto const last = detail::last_step_of(context.step_count(), steps);
        [[maybe_unused]] int number = 0;
        (detail::check_interval(reporters.interval, number++), ...);
        for (auto step = context.step_count(); step < last; step = context.step_count()) {
            auto next = last;
            ((next = std::min(next, next_multiple(step, reporters.interval))), ...);
            context.step(next - step);
            ((next % reporters.interval == 0 ? (void)reporters.report(context) : void()), ...);
        }
    } else
        ((void)sizeof(diagnosis::ExplainReporter<std::remove_reference_t<Reporters>, Context>), ...);
}

}  // namespace trotter
