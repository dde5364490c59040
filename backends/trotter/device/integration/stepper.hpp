// Steps that stay on the device: sequences of kicks, drifts and noise, with constraints and virtual sites.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <trotter/common/integration/sequence_stepper.hpp>
#include <trotter/device/constraints/cluster_arrays.hpp>
#include <trotter/device/constraints/constraint_networks.hpp>
#include <trotter/device/integration/evaluated_for.hpp>
#include <trotter/device/integration/recorded_step.hpp>
#include <trotter/device/integration/section_text.hpp>
#include <trotter/device/integration/step_text.hpp>
#include <trotter/device/queue_engine.hpp>
#include <trotter/device/runtime/uploaded_numbers.hpp>
#include <trotter/kernels/constraint_networks.hpp>
#include <trotter/kernels/pairs.hpp>
#include <trotter/kernels/step.hpp>

namespace trotter::device {

/// Executes a splitting. Operators between two force evaluations are one launch.
template <DeviceQueue Q> class Stepper {
public:
    /// `thermostats`: thermostat index of each particle, for splittings that scale velocities.
    Stepper(StepSequence sequence, RandomStream noise, Engine<Q>& engine,
            std::vector<std::int32_t> const& thermostats = {0})
        : Stepper(std::move(sequence), noise, Clusters(engine.host.particles), thermostats, engine) {}

    /// Takes a step.
    void step(Engine<Q>& engine, ForceEvaluator const& evaluate, StepNumbers const& numbers) {
        step(engine, evaluate, numbers_for(numbers), [] {});
    }
    /// Takes a step with `numbers` as from `numbers_for`; `gather` launches reductions over all particles.
    template <class Gather>
    void step(Engine<Q>& engine, ForceEvaluator const& evaluate, std::vector<double> numbers, Gather const& gather) {
        engine.state.changing_velocities();
        if (!is_compiled_) compile(engine);
        is_compiled_ = true;
        upload(engine, std::move(numbers));
        if (engine.pairs.sort_is_due(engine.host.step_count)) engine.pairs.sort(engine);  // not recorded
        engine.forces.make_clear();                                                       // nor is this
        if (filled_list_ != nullptr && !filled_list_->is_filled(engine))
            filled_list_->fill(engine);  // nor this
        if (!sequence_.grouped.empty() && !(kept_for_ == EvaluatedFor(engine))) keep_forces(engine, evaluate);
        take_step(engine, evaluate, gather);
        if (!sequence_.grouped.empty()) kept_for_ = EvaluatedFor(engine);
    }

    /// On the device: kick size, drift size, decay and noise amplitude, constraint tolerance, and each thermostat's
    /// scale factor.
    NumberArray<Q> const& numbers() const { return numbers_.array(); }
    static constexpr std::size_t numbers_of_step = device::numbers_of_step;

    /// Returns these, with thermostat factors of 1.
    std::vector<double> numbers_for(StepNumbers const& n) const {
        std::vector<double> values{n.kick_size * sequence_.kick_share, n.step_size * sequence_.drift_share, n.decay,
                                   n.spread, n.constraint_tolerance};
        values.resize(numbers_of_step + sequence_.thermostats, 1);
        for (double const part : sequence_.grouped.shares) values.push_back(part * n.step_size);
        return values;
    }

private:
    struct LaunchedSection : Section {
        typename Q::Kernel small{}, networks{};
    };

    Stepper(StepSequence sequence, RandomStream noise, Clusters const& clusters,
            std::vector<std::int32_t> const& thermostats, Engine<Q>& engine)
        : sequence_(with_thermostats(std::move(sequence), thermostats, engine.host)),
          noise_(noise),
          clusters_(clusters, engine),
          networks_(clusters.networks, engine),
          thermostats_(engine.queue, thermostats),
          numbers_(engine.queue, numbers_of_step + sequence_.thermostats + sequence_.grouped.shares.size(),
                   engine.types.coordinate_is_double),
          are_many_(clusters_.items()
                    > std::size_t{64} * 4 * static_cast<std::size_t>(engine.queue.properties().compute_units)),
          draws_(static_cast<std::size_t>(sequence_.draws_before(sequence_.operators.size()))),
          drawn_(engine.queue, draws_beforehand() ? 4 * draws_ * engine.padded : 4, engine.types.real_is_double) {
        for (std::size_t first = 0, end = 0; first < sequence_.operators.size(); first = end) {
            end = first + 1;
            while (end < sequence_.operators.size() && !begins_section(end) && end != sequence_.gathers_before) ++end;
            sections_.push_back({{first, end, evaluates_before(first), sequence_.operators.find('R', first) < end}});
            if (!sequence_.grouped.empty()) find_forces(sections_.back());
        }
        if (!sequence_.grouped.empty())
            kept_ = Array<Q, mm_ulong>(engine.queue, sequence_.grouped.sets.size() * 3 * engine.padded);
    }
    /// Each copy of a System has a thermostat.
    static StepSequence with_thermostats(StepSequence sequence, std::vector<std::int32_t> const& thermostats,
                                         HostState const& host) {
        sequence.thermostats = static_cast<std::size_t>(
            std::max(*std::max_element(thermostats.begin(), thermostats.end()) + 1, host.copies));
        return sequence;
    }
    bool begins_section(std::size_t i) const {
        return sequence_.grouped.empty() ? evaluates_before(i) : sequence_.grouped.operators[i].begins_section;
    }
    void find_forces(Section& section) const {
        section.needs_forces = false;
        for (std::size_t i = section.first; i < section.end; ++i)
            if (sequence_.takes_new_forces(i)) {
                section.needs_forces = true;
                section.set = sequence_.grouped.operators[i].set;
            }
    }
    // For a step whose first forces are not stored from the previous step.
    void keep_forces(Engine<Q>& engine, ForceEvaluator const& evaluate) {
        for (std::size_t set = 0; set < sequence_.grouped.sets.size(); ++set) {
            evaluate({sequence_.grouped.sets[set], false});
            engine.forces.cleared_by([&] {
                launch<"keep_forces">(engine.queue, keeping_, grid_for(engine.queue.properties(), engine.padded),
                                      engine.forces, kept_, static_cast<std::int32_t>(set));
            });
        }
    }

    template <class Gather>
    void take_step(Engine<Q>& engine, ForceEvaluator const& evaluate, Gather const& gather) {
        auto const as_it_comes = [&] { give(engine, evaluate, gather); };
        if (engine.step_begin.is_unusual() || engine.host_forces.are_expected()) return as_it_comes();
        recorded_.give(engine, as_it_comes);
        engine.state.moving_positions();  // as in the recorded step
        if (filled_list_ != nullptr) filled_list_->was_filled(engine);
    }

    template <class Gather> void give(Engine<Q>& engine, ForceEvaluator const& evaluate, Gather const& gather) {
        engine.step_begin.add([&] {
            launch<"count_step">(engine.queue, counting_, {1, 1}, engine.step_counter);
            if (draws_beforehand())
                draw_.launch(engine.queue, grid_for(engine.queue.properties(), drawn_.size() / 4), engine.step_counter,
                             noise_.seed, noise_.stream, drawn_);
        });
        engine.step_begin.give(engine);
        if (!sections_.front().needs_forces) engine.join();
        for (auto& section : sections_) {
            if (section.needs_forces)
                evaluate({sequence_.grouped.empty() ? engine.host.integration_groups
                                                    : sequence_.grouped.sets[static_cast<std::size_t>(section.set)],
                          false});
            if (section.first == sequence_.gathers_before) gather();
            auto const act = [&] { launch_section(engine, section); };
            section.needs_forces ? engine.forces.cleared_by(act) : act();
            if (section.moves) engine.sites.place(engine);
            if (filled_list_ != nullptr) filled_list_->was_filled(engine);
        }
    }
    void launch_section(Engine<Q>& engine, LaunchedSection& section) {
        auto const& positions = engine.state.moving_positions();
        auto const launch_with_more = [&](typename Q::Kernel& kernel, LaunchGrid groups,
                                          std::vector<Argument> arguments) {
            if (!sequence_.grouped.empty()) append_for<ParameterList<kept_parameter>>(arguments, kept_);
            if (filled_list_ != nullptr) filled_list_->append_slots(arguments, engine);
            engine.queue.launch(kernel, groups, arguments);
        };
        auto const launch_networks = [&](LaunchGrid groups, auto const&... arguments) {
            launch_with_more(section.networks, groups, list_for<NetworkSectionList>(arguments...));
        };
        networks_.launch_concurrently(engine, launch_networks, positions, engine.velocities, engine.forces, numbers_,
                                      engine.step_counter, thermostats_, noise_.seed, noise_.stream, drawn_);
        launch_with_more(
            section.small, grid_for(engine.queue.properties(), clusters_.items()),
            list_for<SmallSectionList>(positions, engine.velocities, engine.forces, numbers_, engine.step_counter,
                                       thermostats_, noise_.seed, noise_.stream, drawn_, clusters_.members,
                                       clusters_.ranges, clusters_.shapes, engine.failures));
        engine.join();
    }

    // Forces are evaluated before the first V, and before each V that follows a drift.
    bool evaluates_before(std::size_t i) const {
        return sequence_.operators.find('V') == i || sequence_.needs_new_forces[i];
    }

    void compile(Engine<Q>& engine) {
        // Slots cannot be filled by several passes between two evaluations of pairs.
        if (networks_.empty() && engine.sites.empty() && sequence_.grouped.empty())
            filled_list_ = engine.pairs.filled_by_steps(engine);
        SectionText const texts{sequence_, engine.host.copies, are_many_, draws_beforehand(),
                                filled_list_ != nullptr ? filled_list_->slot_parameters : ""};
        std::string text;
        if (filled_list_ != nullptr) text += filled_list_->slot_defines() + kernels::frames;
        text += texts.defines() + network_definitions;
        if (!networks_.empty()) text += kernels::networks;
        for (std::size_t n = 0; n < sections_.size(); ++n) {
            auto const& section = sections_[n];
            std::string const number = std::to_string(n),
                              loop = clusters_.loop([&](ClusterKind kind) { return texts.of_cluster(kind, section); });
            text += texts.small_kernel("section" + number, loop);
            if (!networks_.empty()) text += texts.network_kernel("networks" + number, section);
        }
        auto const program = engine.compile(text + kernels::step_counter + kernels::kept_forces + texts.noise_kernel());
        counting_.take(program);
        keeping_.take(program);
        if (draws_beforehand()) draw_.take(program, "draw_noise");
        for (std::size_t n = 0; n < sections_.size(); ++n) {
            sections_[n].small = program.kernel("section" + std::to_string(n));
            if (!networks_.empty()) sections_[n].networks = program.kernel("networks" + std::to_string(n));
        }
    }

    // With few clusters, a section takes as long as one work-item; random numbers are then drawn during the forces.
    bool draws_beforehand() const { return draws_ > 0 && !are_many_ && sequence_.grouped.empty(); }

    void upload(Engine<Q>& engine, std::vector<double> values) {
        values[4] = std::max(values[4], smallest_tolerance);
        values.resize(std::max(values.size(), numbers_of_step + sequence_.thermostats), 1);
        std::copy(engine.host.noise_factors.begin(), engine.host.noise_factors.end(), values.begin() + numbers_of_step);
        numbers_.set(engine.queue, std::move(values));
    }

    StepSequence sequence_;
    RandomStream const noise_;
    ClusterArrays<Q> clusters_;
    ConstraintNetworks<Q> networks_;
    Array<Q, std::int32_t> thermostats_;
    UploadedNumbers<Q> numbers_;
    bool are_many_;  // more than run concurrently
    std::size_t draws_;  // of noise in a step
    NumberArray<Q> drawn_;
    std::vector<LaunchedSection> sections_;
    PairList<Q>* filled_list_ = nullptr;  // the list whose slots this step fills
    bool is_compiled_ = false;
    SourceKernels<Q, kernels::step_counter> counting_;
    SourceKernels<Q, kernels::kept_forces> keeping_;
    TypedKernel<Q, ParameterList<noise_parameters>> draw_;
    Array<Q, mm_ulong> kept_;  // forces of each set, for the start of the next step
    EvaluatedFor kept_for_;
    RecordedStep<Q> recorded_;
};

}  // namespace trotter::device
