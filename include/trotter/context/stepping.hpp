// Time steps of a Context.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <limits>

#include <trotter/concepts.hpp>
#include <trotter/context/abandon.hpp>
#include <trotter/context/checked_evaluation.hpp>
#include <trotter/context/context_engine.hpp>
#include <trotter/core/request.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

/// Applies the forces that change the state, runs the integrator's kernel, and places virtual sites.
class Stepping {
public:
    std::function<void()> state_change{};  ///< called after the forces that change the state

    /// Takes `steps` steps, or fewer if `stop.stop_requested()` between two; returns their number. A variable-step
    /// integrator does not step beyond `end_time`, if that is finite.
    template <class Context, Backend B, Precision P, class Stop>
    std::int64_t take(Context& context, ContextEngine<B, P>& engine, std::int64_t steps, Stop const& stop,
                      double end_time) {
        auto evaluator = [&](Request const& request) { return evaluate_checked(context, request); };
        std::int64_t done = 0;
        or_abandon(engine.owned(), [&] {
            for (; done < steps && !stop.stop_requested(); ++done)
                take_one(context, engine, ForceEvaluator(evaluator), end_time);
        });
        return done;
    }

private:
    template <class Context, Backend B, Precision P>
    void take_one(Context& context, ContextEngine<B, P>& engine, ForceEvaluator const& evaluator, double end_time) {
        auto take_step_size = [&] {
            engine.host().step_size =
                context.visit_integrator([](auto& kernel) { return kernel.integrator().step_size; });
        };
        engine.host().strong_forces.reset();
        take_step_size();  // also for integrators that never apply a state change
        auto change_state = [&] {
            take_step_size();
            context.for_each_kernel([&](int, auto& kernel) {
                if constexpr (requires { kernel.before_step(engine.owned(), evaluator); })
                    kernel.before_step(engine.owned(), evaluator);
            });
            if (state_change) state_change();
        };
        context.visit_integrator([&](auto& kernel) { step_once(kernel, engine, evaluator, change_state, end_time); });
        if (engine.host().strong_forces) check_thrown(context);
        if (!engine.host().virtual_sites.empty() && !engine.is_state_on_device()) context.compute_virtual_sites();
        ++engine.host().step_count;
        if (++steps_taken_ % steps_between_questions == 0) check_device(context);
    }
    // State changes act before the step, unless the integrator chooses when.
    template <class KernelType, Backend B, Precision P, class Change>
    static void step_once(KernelType& kernel, ContextEngine<B, P>& engine, ForceEvaluator const& evaluator,
                          Change& change_state, double end_time) {
        auto change = [&] { change_state(), host_for(kernel, engine); };
        if constexpr (requires { kernel.step_towards(end_time, engine.host(), evaluator); })
            if (end_time < std::numeric_limits<double>::infinity()) {
                change_state();
                return kernel.step_towards(end_time, host_for(kernel, engine), evaluator);
            }
        if constexpr (requires { kernel.step(engine.host(), evaluator, StateChange(change)); }) {
            kernel.step(host_for(kernel, engine), evaluator, StateChange(change));
        } else {
            change_state();
            kernel.step(host_for(kernel, engine), evaluator);
        }
    }
    template <class KernelType, Backend B, Precision P>
    static auto& host_for(KernelType const& kernel, ContextEngine<B, P>& engine) {
        if constexpr (requires { kernel.stays_on_device(); })
            if (kernel.stays_on_device()) return engine.host();
        return engine.writable_state();
    }

    static constexpr std::int64_t steps_between_questions = 50;  // to a device: each waits for it

    std::int64_t steps_taken_ = 0;
};

}  // namespace trotter
