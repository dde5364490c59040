// The per-particle part of a CustomIntegrator's step on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/common/integration/custom/custom.hpp>
#include <trotter/device/constraints/constraints.hpp>
#include <trotter/device/integration/custom/custom_text.hpp>
#include <trotter/device/integration/evaluated_for.hpp>
#include <trotter/device/queue_engine.hpp>
#include <trotter/device/runtime/uploaded_numbers.hpp>
#include <trotter/kernels/noise.hpp>
#include <trotter/kernels/step.hpp>
#include <trotter/kernels/sums.hpp>

namespace trotter::device {

/// Implements the vector operations of `CustomStepper::carry_out`. Consecutive per-DOF computations are one launch,
/// which ends before a computation that needs forces at newly assigned positions. Per-DOF variables are on the device
/// after the first step; `fetch_variables` and `variables_have_changed` synchronize the stepper's.
template <DeviceQueue Q> class CustomVectors {
    using Kind = CustomIntegrator::Kind;
    using ForceQuantities = custom_integrator::ForceQuantities;

public:
    CustomVectors(CustomStepper& stepper, Engine<Q>& engine)
        : stepper_(stepper),
          engine_(engine),
          sum_width_((engine.host.size() + 63) / 64),
          kept_(engine.queue, std::max<std::size_t>(stepper.program().sets.size(), 1) * 3 * engine.padded),
          masses_(number_array(engine.padded)),
          variables_(number_array(std::max<std::size_t>(variable_size() * stepper.integrator().per_dof.size(), 1))),
          sums_(number_array(64 * sum_width_)),
          totals_(number_array(64)),
          total_(number_array(1)),
          tables_(number_array(std::max<std::size_t>(stepper.tables().numbers().size(), 4))) {
        masses_.upload(engine.queue, engine.host.particles.masses);
        tables_.upload(engine.queue, stepper.tables().numbers());
        sums_.clear(engine.queue);
        if (engine.host.constraints.empty() || !constrains()) return;
        constraints_.emplace(Clusters(engine.host.particles), engine);
        start_ = number_array(4 * engine.padded);
    }

    /// A launch needs the quantities of all its computations beforehand: those worth computing for the first one.
    std::vector<ForceQuantities> const& needs_of(std::size_t n) const {
        auto const& step = stepper_.program().steps[n];
        return step.kind == Kind::compute_per_dof ? step.worth_computing : step.needs;
    }
    bool are_forces_valid() const { return known_for_ == EvaluatedFor(engine_); }
    void make_room(std::size_t set) {
        launch<"keep_set">(engine_.queue, own_kernels_, grid_for(engine_.queue.properties(), engine_.padded),
                           engine_.forces, kept_, static_cast<std::int32_t>(set), engine_.failures);
    }

    void begin_step() {
        engine_.state.take();
        if (!is_compiled_) compile();
        is_compiled_ = true;
        if (!are_variables_here_) upload_variables();
        are_variables_here_ = true;
        keep_positions();
    }
    void end_step() {
        launch<"count_step">(engine_.queue, counting_, {1, 1}, engine_.step_counter);
        if (stepper_.take_old_sites()) place_sites();
        known_for_ = EvaluatedFor(engine_);
    }
    void change_state(StateChange const& change) {
        known_for_ = EvaluatedFor(engine_);
        change();
        engine_.state.take();
        engine_.catch_up();
    }

    std::size_t compute_from(std::size_t n) {
        auto& run = *runs_[n];
        give(run);
        if (run.moves) stepper_.positions_have_changed();
        is_stepper_behind_ = is_stepper_behind_ || run.assigns_variables;
        return run.end;
    }
    double sum_at(std::size_t n) {
        give(*runs_[n]);
        launch<"add_up">(engine_.queue, summing_, {64, 64}, sums_, totals_, static_cast<std::int32_t>(sum_width_));
        launch<"add_up">(engine_.queue, summing_, {1, 64}, totals_, total_, std::int32_t{64});
        return total_.download(engine_.queue).front();
    }
    void constrain_positions(double tolerance) {
        if (!constraints_) return;
        constraints_->constrain_positions(engine_, start_, tolerance);
        keep_positions();
        stepper_.positions_have_changed();
    }
    void place_sites() { engine_.sites.place(engine_); }
    void constrain_velocities(double tolerance) {
        if (!constraints_) return;
        constraints_->constrain_velocities(engine_, engine_.state.changing_velocities(), tolerance);
    }

    /// Copies per-DOF variables to the stepper.
    void fetch_variables() {
        if (!is_stepper_behind_) return;
        auto const numbers = variables_.download(engine_.queue);
        for (std::size_t k = 0; k < stepper_.integrator().per_dof.size(); ++k) {
            auto values = stepper_.integrator().per_dof[k].values;
            for (std::size_t i = 0; i < values.size(); ++i)
                for (std::size_t axis = 0; axis < 3; ++axis)
                    values[i][axis] = numbers[k * variable_size() + axis * engine_.padded + i];
            stepper_.set_per_dof(stepper_.integrator().per_dof[k].name, std::move(values));
        }
        is_stepper_behind_ = false;
    }
    /// Call after `fetch_variables` and before setting the stepper's variables.
    void variables_have_changed() { are_variables_here_ = is_stepper_behind_ = false; }

private:
    /// Computations of one launch.
    struct Run {
        std::size_t end = 0;  ///< index after the last computation
        bool moves = false, assigns_variables = false;
        std::uint64_t draws = 0;
        std::vector<custom_integrator::VariableRef> variables{};  // global values that it reads
        UploadedNumbers<Q> numbers;
        TypedKernel<Q, ParameterList<CustomText::parameters>> kernel{};
    };

    NumberArray<Q> number_array(std::size_t size) {
        return {engine_.queue, size, engine_.types.coordinate_is_double};
    }
    std::size_t variable_size() const { return 3 * engine_.padded; }
    bool constrains() const {
        auto const& steps = stepper_.program().steps;
        return std::any_of(steps.begin(), steps.end(), [](auto const& step) {
            return step.kind == Kind::constrain_positions || step.kind == Kind::constrain_velocities;
        });
    }
    // Constraint forces act along the directions at these positions.
    void keep_positions() {
        if (!constraints_ || !stepper_.program().constrains_positions) return;
        launch<"copy_positions">(engine_.queue, copying_, grid_for(engine_.queue.properties(), engine_.padded),
                                 engine_.positions, start_);
    }
    void upload_variables() {
        std::vector<double> numbers(variables_.size());
        for (std::size_t k = 0; auto const& one : stepper_.integrator().per_dof) {
            for (std::size_t i = 0; i < one.values.size(); ++i)
                for (std::size_t axis = 0; axis < 3; ++axis)
                    numbers[k * variable_size() + axis * engine_.padded + i] = one.values[i][axis];
            ++k;
        }
        variables_.upload(engine_.queue, numbers);
    }

    void give(Run& run) {
        std::vector<double> numbers;
        for (auto const& variable : run.variables) numbers.push_back(stepper_.value_of(variable, engine_.host));
        run.numbers.set(engine_.queue, std::move(numbers));
        auto const in_engine = static_cast<std::int32_t>(
            std::min(stepper_.force_cache().in_engine(), stepper_.program().sets.size()));
        std::uint64_t const draw = stepper_.take_draws(run.draws, engine_.host);
        auto const& noise = stepper_.noise();
        run.kernel.launch(engine_.queue, grid_for(engine_.queue.properties(), engine_.host.size()),
                          run.moves ? engine_.state.moving_positions() : engine_.positions,
                          engine_.state.changing_velocities(), engine_.forces, kept_, in_engine, masses_, variables_,
                          sums_, run.numbers, tables_, engine_.failures, noise.seed, noise.stream, draw);
    }

    void compile() {
        std::string text = std::string(kernels::noise) + kernels::component_noise + kernels::parts + kernels::sums
                           + kernels::step_counter + kernels::copied_positions + own_kernels;
        if (!stepper_.tables().empty()) text += kernels::tables("coordinate");
        auto const& steps = stepper_.program().steps;
        runs_.resize(steps.size());
        for (std::size_t n = 0; n < steps.size(); ++n)
            if (steps[n].kind == Kind::compute_per_dof || steps[n].kind == Kind::compute_sum) {
                CustomText run(stepper_.tables(), engine_.types);
                auto const end = steps[n].kind == Kind::compute_sum ? n + 1 : write_run(n, run);
                if (steps[n].kind == Kind::compute_sum) run.add_up(steps[n].formula);
                text += run.kernel("run" + std::to_string(n));
                runs_[n] = Run{.end = end, .moves = run.moves(), .assigns_variables = run.assigns_variables(),
                               .draws = run.draws(), .variables = run.numbers(),
                               .numbers = {engine_.queue, std::max<std::size_t>(run.numbers().size(), 1),
                                           engine_.types.coordinate_is_double}};
                n = end - 1;
            }
        auto program = engine_.compile(text);
        for (std::size_t n = 0; n < runs_.size(); ++n)
            if (runs_[n]) runs_[n]->kernel.take(program, "run" + std::to_string(n));
        counting_.take(program);
        copying_.take(program);
        own_kernels_.take(program);
        summing_.take(program);
    }
    // Blocks begin and end with other kinds of computations, so nothing jumps into the middle of a run.
    std::size_t write_run(std::size_t n, CustomText& run) const {
        auto const& steps = stepper_.program().steps;
        auto const needs_something = [](ForceQuantities const& need) { return need != ForceQuantities{}; };
        for (; n < steps.size() && steps[n].kind == Kind::compute_per_dof; ++n) {
            auto const& needs = steps[n].needs;
            if (run.moves() && std::any_of(needs.begin(), needs.end(), needs_something)) break;
            run.assign(steps[n].target, steps[n].formula);
        }
        return n;
    }

    static constexpr char const* own_kernels = R"(
KERNEL void keep_set(GLOBAL const mm_long* RESTRICT forces, GLOBAL mm_long* RESTRICT kept, int set,
                     GLOBAL int* RESTRICT failures) {
    if (GLOBAL_ID == 0 && forces[3*PADDED_NUM_ATOMS] != 0) failures[0] = (int) forces[3*PADDED_NUM_ATOMS];
    for (int i = GLOBAL_ID; i < 3*PADDED_NUM_ATOMS; i += GLOBAL_SIZE) kept[3*PADDED_NUM_ATOMS*set + i] = forces[i];
}
)";

    CustomStepper& stepper_;
    Engine<Q>& engine_;
    std::size_t sum_width_;
    Array<Q, mm_ulong> kept_;  // forces of each set, when the engine has another set's
    NumberArray<Q> masses_, variables_, sums_, totals_, total_, tables_, start_;
    std::optional<Constraints<Q>> constraints_;
    std::vector<std::optional<Run>> runs_;  // indexed by their first computation
    SourceKernels<Q, kernels::step_counter> counting_;
    SourceKernels<Q, kernels::copied_positions> copying_;
    SourceKernels<Q, own_kernels> own_kernels_;
    SourceKernels<Q, kernels::sums> summing_;
    EvaluatedFor known_for_;
    bool is_compiled_ = false, are_variables_here_ = false, is_stepper_behind_ = false;
};

}  // namespace trotter::device
