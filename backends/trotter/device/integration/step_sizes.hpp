// Step sizes chosen on the device from the forces.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>
#include <string>
#include <vector>

#include <trotter/common/integration/variable_step.hpp>
#include <trotter/device/queue_engine.hpp>
#include <trotter/device/runtime/uploaded_numbers.hpp>
#include <trotter/device/text/traced.hpp>
#include <trotter/kernels/step_size.hpp>
#include <trotter/kernels/sums.hpp>

namespace trotter::device {

/// Inputs of the step size besides the forces. Without limits, `maximum` and `end_time` are infinite.
struct StepRules {
    double error_tolerance = 0, maximum = 0, end_time = 0, temperature = 0, friction = 0;
};

/// Chooses step sizes and accumulates the time.
template <DeviceQueue Q> class StepSizes {
public:
    struct Clock {
        double step_size = 0, time = 0;
        double refused = 0;  ///< the invalid size, if `has_failed`
        bool has_failed = false;
    };

    /// `drift_share`: each drift's share of the step.
    StepSizes(bool is_stochastic, double drift_share, Engine<Q>& engine)
        : parts_(parts_of(engine.host.size())),
          sums_(engine.queue, static_cast<std::size_t>(parts_), true),
          total_(engine.queue, 1, true),
          clock_(engine.queue, 4, true),
          rules_(engine.queue, 5, true) {
        kernels_.take(engine.compile(kernels::parts + text(is_stochastic, drift_share)));
    }

    /// Float is too imprecise for accumulating time.
    static bool can_do(NumberTypes const& types) { return types.coordinate_is_double; }

    void set_clock(double step_size, double time, Q& queue) { clock_.upload(queue, {step_size, time, 0, 0}); }
    Clock clock(Q& queue) {
        auto const values = clock_.download(queue);
        return {values[0], values[1], values[2], values[3] != 0};
    }
    void set_rules(StepRules const& rules, Q& queue) {
        rules_.set(queue, {rules.error_tolerance, rules.maximum, rules.end_time, rules.temperature, rules.friction});
    }

    /// Chooses a step size for the present forces, advances the clock, and writes a stepper's parameters.
    void choose(Engine<Q>& engine, NumberArray<Q> const& numbers) {
        launch<"sum_accelerations">(engine.queue, kernels_, {static_cast<std::size_t>(parts_), 64}, engine.velocities,
                                    engine.forces, sums_);
        launch<"choose_step">(engine.queue, kernels_, {1, 64}, sums_, parts_, total_, rules_, clock_, numbers,
                              engine.failures);
    }

private:
    static std::string text(bool is_stochastic, double drift_share) {
        Statements statements{"temp", "", "coordinate"};
        auto const number = [&](std::string const& name) { return Traced(statements, name); };
        auto const last = number("last");
        auto const next = next_step_size<Traced>(last, number("acceleration"), number("tolerance"), number("limit"));
        // A leapfrog kick goes from the middle of the last step to the middle of this one.
        auto const kick = is_stochastic ? next : Traced(0.5) * (last + next), drift = Traced(drift_share) * next;
        std::string writes =
            "numbers[0] = " + kick.name(statements) + ";\nnumbers[1] = " + drift.name(statements) + ";\n";
        if (is_stochastic) {
            auto const decay = velocity_decay(next, number("friction")),
                       spread = velocity_spread(next, number("friction"), number("temperature"));
            writes += "numbers[2] = " + decay.name(statements) + ";\nnumbers[3] = " + spread.name(statements) + ";\n";
        }
        return kernels::step_size + statements.text() + writes + "const coordinate next = " + next.name(statements)
               + ';' + kernels::take_step;
    }

    std::int32_t const parts_;
    NumberArray<Q> sums_, total_, clock_;
    UploadedNumbers<Q> rules_;
    SourceKernels<Q, kernels::step_size> kernels_;
};

}  // namespace trotter::device
