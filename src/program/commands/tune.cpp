// Tries numbers of threads and pair list buffers.
// SPDX-License-Identifier: MIT
#include "tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <trotter/error.hpp>

#include "timing.hpp"

namespace trotter::program {
namespace {

/// A choice must be faster than the best so far by this factor; less may be noise.
constexpr double worthwhile = 0.98;

class Tuner {
public:
    Tuner(Inputs const& inputs, Options const& options, std::stop_token stop) : inputs_(inputs), stop_(stop) {
        result_.options = options;
        constexpr std::int64_t more_than_are_tried = 1'000'000'000'000'000;
        check_step_count(inputs.state->step_count, more_than_are_tried);
        auto context = make_context(inputs, options);
        if (context.platform().platform != "cpu")
            throw UnsupportedError("--tune is for the platform cpu; the Context is on " + context.platform().device);
        result_.options.platform = "cpu";
        result_.options.threads = context.platform().threads;
        if (options.minimize) context.minimize({.stop = stop});
        if (options.temperature && inputs.state->velocities.empty())
            context.set_velocities_to_temperature(*options.temperature);
        start_ = context.state(Positions | Velocities);
    }

    Tuned run() {
        try_now();
        while (result_.options.threads > 1 && try_with(&Options::threads, result_.options.threads / 2)) {}
        if (result_.options.list_buffer == 0)
            for (double const buffer : {0.1, 0.15, 0.25, 0.3}) try_with(&Options::list_buffer, buffer);
        return std::move(result_);
    }

private:
    /// Returns whether this value is faster than the best so far, and keeps it then.
    template <class T> bool try_with(T Options::*option, T value) {
        if (stop_.stop_requested()) return false;
        T const before = std::exchange(result_.options.*option, value);
        double const best = best_;
        if (try_now() < worthwhile * best) return true;
        result_.options.*option = before;
        best_ = best;
        return false;
    }

    double try_now() {
        auto context = make_context(inputs_, result_.options);
        context.set_state(start_);
        double const first = step_for(context, 0.1).ms_per_step();
        double const seconds = std::max(0.25, 30 * first / 1000);
        // the smaller of two, as other programs only add time
        best_ = std::min(step_for(context, seconds).ms_per_step(), step_for(context, seconds).ms_per_step());
        result_.trials.push_back({result_.options.threads, result_.options.list_buffer, best_});
        return best_;
    }

    Inputs const& inputs_;
    std::stop_token stop_;
    State start_;
    Tuned result_;
    double best_ = 0;  ///< [ms] a step, with the options of `result_`
};

}  // namespace

std::string Tuned::text() const {
    auto const described = [](int threads, double list_buffer) {
        auto const lists = list_buffer > 0 ? fmt::format("lists {:.3g} nm wider than the cutoff", list_buffer)
                                           : std::string("lists of the usual width");
        return fmt::format("{} thread{}, {}", threads, threads == 1 ? "" : "s", lists);
    };
    auto const chosen = std::find_if(trials.begin(), trials.end(), [&](Trial const& trial) {
        return trial.threads == options.threads && trial.list_buffer == options.list_buffer;
    });
    auto const& first = trials.front();
    auto text = fmt::format("tuned: {}, {:.3g} ms a step", described(options.threads, options.list_buffer),
                            chosen->ms_per_step);
    if (&*chosen != &first)
        text += fmt::format(" instead of {:.3g} ({})", first.ms_per_step, described(first.threads, first.list_buffer));
    return text + fmt::format("; {} choices tried", trials.size());
}

Tuned tuned(Inputs const& inputs, Options const& options, std::stop_token stop) {
    return Tuner(inputs, options, stop).run();
}

}  // namespace trotter::program
