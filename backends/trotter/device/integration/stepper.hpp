// Steps that stay on the device: products of kicks, drifts and noise, with constraints and virtual sites.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/integration/cluster_arrays.hpp>
#include <trotter/device/integration/evaluated_for.hpp>
#include <trotter/device/integration/networks.hpp>
#include <trotter/device/integration/recorded_step.hpp>
#include <trotter/device/integration/section_text.hpp>
#include <trotter/device/integration/step_text.hpp>
#include <trotter/device/queue_engine.hpp>
#include <trotter/device/uploaded_numbers.hpp>
#include <trotter/host/integrators/sequence_stepper.hpp>
#include <trotter/kernels/networks.hpp>
#include <trotter/kernels/pairs.hpp>

namespace trotter::device {

/// Carries out a product. Letters between two evaluations of the forces are one launch.
template <DeviceQueue Q> class Stepper {
public:
    /// `baths` has for each particle the number of the one that it is in, where the product scales velocities.
    Stepper(Product product, RandomStream noise, Engine<Q>& engine, std::vector<std::int32_t> const& baths = {0})
        : Stepper(std::move(product), noise, Clusters(engine.host.particles), baths, engine) {}

    /// Takes a step.
    void step(Engine<Q>& engine, ForceEvaluator const& evaluate, StepNumbers const& numbers) {
        step(engine, evaluate, numbers_for(numbers), [] {});
    }
    /// The same with what `numbers_for` would give, and launches for what is to be gathered of all particles.
    template <class Gather>
    void step(Engine<Q>& engine, ForceEvaluator const& evaluate, std::vector<double> numbers, Gather const& gather) {
        engine.state.changing_velocities();
        if (!is_compiled_) compile(engine);
        is_compiled_ = true;
        upload(engine, std::move(numbers));
        if (engine.pairs.sort_is_due(engine.host.step_count)) engine.pairs.sort(engine);  // recorded steps do not
        engine.forces.make_clear();                                                       // nor do they clear
        if (placed_ != nullptr && !placed_->is_placed(engine)) placed_->place(engine);    // nor place what they find
        if (!product_.grouped.empty() && !(kept_for_ == EvaluatedFor(engine))) keep_forces(engine, evaluate);
        take_step(engine, evaluate, gather);
        if (!product_.grouped.empty()) kept_for_ = EvaluatedFor(engine);
    }

    /// On the device: kick, drift, decay and spread of noise of a letter, the tolerance, and a number for each bath.
    NumberArray<Q> const& numbers() const { return numbers_.array(); }
    static constexpr std::size_t numbers_of_step = device::numbers_of_step;

    /// These numbers, with baths that do nothing.
    std::vector<double> numbers_for(StepNumbers const& n) const {
        std::vector<double> values{n.kick_size * product_.kick_share, n.step_size * product_.drift_share, n.decay, n.spread,
                                   n.constraint_tolerance};
        values.resize(numbers_of_step + product_.baths, 1);
        for (double const part : product_.grouped.shares) values.push_back(part * n.step_size);
        return values;
    }

private:
    struct LaunchedSection : Section {
        typename Q::Kernel small{}, networks{};
    };

    Stepper(Product product, RandomStream noise, Clusters const& clusters, std::vector<std::int32_t> const& baths,
            Engine<Q>& engine)
        : product_(with_baths(std::move(product), baths, engine.host)),
          noise_(noise),
          clusters_(clusters, engine),
          networks_(clusters.networks, engine),
          baths_(engine.queue, baths),
          numbers_(engine.queue, numbers_of_step + product_.baths + product_.grouped.shares.size(),
                   engine.types.coordinate_is_double),
          are_many_(clusters_.items()
                    > std::size_t{64} * 4 * static_cast<std::size_t>(engine.queue.facts().compute_units)),
          draws_(static_cast<std::size_t>(product_.draws_before(product_.letters.size()))),
          drawn_(engine.queue, draws_beforehand() ? 4 * draws_ * engine.padded : 4,
                 engine.types.real_is_double) {
        for (std::size_t first = 0, end = 0; first < product_.letters.size(); first = end) {
            end = first + 1;
            while (end < product_.letters.size() && !begins_section(end) && end != product_.gathers_before) ++end;
            sections_.push_back({{first, end, evaluates_before(first), product_.letters.find('R', first) < end}});
            if (!product_.grouped.empty()) find_forces(sections_.back());
        }
        if (!product_.grouped.empty())
            kept_ = Array<Q, mm_ulong>(engine.queue, product_.grouped.sets.size() * 3 * engine.padded);
    }
    /// Copies of a System have a bath each.
    static Product with_baths(Product product, std::vector<std::int32_t> const& baths, HostEngine const& host) {
        product.baths = static_cast<std::size_t>(std::max(*std::max_element(baths.begin(), baths.end()) + 1, host.copies));
        return product;
    }
    bool begins_section(std::size_t i) const {
        return product_.grouped.empty() ? evaluates_before(i) : product_.grouped.letters[i].begins_section;
    }
    void find_forces(Section& section) const {
        section.needs_forces = false;
        for (std::size_t i = section.first; i < section.end; ++i)
            if (product_.takes_new_forces(i)) {
                section.needs_forces = true;
                section.set = product_.grouped.letters[i].set;
            }
    }
    // Before a step whose first forces are not those of the step before.
    void keep_forces(Engine<Q>& engine, ForceEvaluator const& evaluate) {
        for (std::size_t set = 0; set < product_.grouped.sets.size(); ++set) {
            evaluate({product_.grouped.sets[set], false});
            engine.forces.cleared_by([&] {
                launch(engine.queue, keep_, groups_for(engine.queue.facts(), engine.padded), engine.forces, kept_,
                       static_cast<std::int32_t>(set));
            });
        }
    }

    template <class Gather>
    void take_step(Engine<Q>& engine, ForceEvaluator const& evaluate, Gather const& gather) {
        auto const as_it_comes = [&] { give(engine, evaluate, gather); };
        if (engine.step_begin.is_unusual() || engine.host_forces.are_expected()) return as_it_comes();
        recorded_.give(engine, as_it_comes);
        engine.state.moving_positions();  // as the recording has done
        if (placed_ != nullptr) placed_->was_placed(engine);
    }

    template <class Gather> void give(Engine<Q>& engine, ForceEvaluator const& evaluate, Gather const& gather) {
        engine.step_begin.add([&] {
            launch(engine.queue, count_, {1, 1}, engine.step_counter);
            if (draws_beforehand())
                launch(engine.queue, draw_, groups_for(engine.queue.facts(), drawn_.size() / 4), engine.step_counter,
                       noise_.seed, noise_.stream, drawn_);
        });
        engine.step_begin.give(engine);
        if (!sections_.front().needs_forces) engine.join();
        for (auto& section : sections_) {
            if (section.needs_forces)
                evaluate({product_.grouped.empty() ? engine.host.integration_groups
                                                   : product_.grouped.sets[static_cast<std::size_t>(section.set)],
                          false});
            if (section.first == product_.gathers_before) gather();
            auto const act = [&] { launch_section(engine, section); };
            section.needs_forces ? engine.forces.cleared_by(act) : act();
            if (section.moves) engine.sites.place(engine);
            if (placed_ != nullptr) placed_->was_placed(engine);
        }
    }
    void launch_section(Engine<Q>& engine, LaunchedSection& section) {
        auto const& positions = engine.state.moving_positions();
        auto const do_networks = [&](auto const&... more) {
            networks_.launch_beside(engine, section.networks, positions, engine.velocities, engine.forces,
                                    numbers_, engine.step_counter, baths_, noise_.seed, noise_.stream, drawn_, more...);
        };
        if (!networks_.empty()) product_.grouped.empty() ? do_networks() : do_networks(kept_);
        std::vector<Argument> arguments{
            argument_of(positions),        argument_of(engine.velocities),   argument_of(engine.forces),
            argument_of(numbers_),         argument_of(engine.step_counter), argument_of(baths_),
            argument_of(noise_.seed),      argument_of(noise_.stream),       argument_of(drawn_)};
        if (!product_.grouped.empty()) arguments.push_back(argument_of(kept_));
        for (auto const& argument : {argument_of(clusters_.members), argument_of(clusters_.ranges),
                                     argument_of(clusters_.shapes), argument_of(engine.failures)})
            arguments.push_back(argument);
        if (placed_ != nullptr)
            for (auto const& argument : placed_->placing_arguments(engine)) arguments.push_back(argument);
        engine.queue.launch(section.small, groups_for(engine.queue.facts(), clusters_.items()), arguments);
        engine.join();
    }

    // Forces are evaluated before the first V and wherever one finds particles that have moved.
    bool evaluates_before(std::size_t i) const {
        return product_.letters.find('V') == i || product_.needs_new_forces[i];
    }

    void compile(Engine<Q>& engine) {
        // Several passes between two evaluations of the pairs are not what their places are made for.
        if (networks_.empty() && engine.sites.empty() && product_.grouped.empty()) placed_ = engine.pairs.placed_by_steps(engine);
        SectionText const texts{product_, engine.host.copies, are_many_, draws_beforehand(),
                                placed_ != nullptr ? placed_->placing_parameters : ""};
        std::string text;
        if (placed_ != nullptr) text += placed_->placing_defines() + kernels::frames;
        text += texts.defines() + Networks<Q>::definitions;
        if (!networks_.empty()) text += kernels::networks;
        for (std::size_t n = 0; n < sections_.size(); ++n) {
            auto const& section = sections_[n];
            std::string const number = std::to_string(n),
                              loop = clusters_.loop([&](ClusterKind kind) { return texts.of_cluster(kind, section); });
            text += texts.small_kernel("section" + number, ClusterArrays<Q>::parameters, loop);
            if (!networks_.empty()) text += texts.network_kernel("networks" + number, section);
        }
        text += texts.other_kernels();
        auto const program = engine.compile(text);
        count_ = program.kernel("count_step");
        keep_ = program.kernel("keep_forces");
        if (draws_beforehand()) draw_ = program.kernel("draw_noise");
        for (std::size_t n = 0; n < sections_.size(); ++n) {
            sections_[n].small = program.kernel("section" + std::to_string(n));
            if (!networks_.empty()) sections_[n].networks = program.kernel("networks" + std::to_string(n));
        }
    }

    // Where there are fewer, a section is as long as one of its work-items, and noise is drawn beside the forces.
    bool draws_beforehand() const { return draws_ > 0 && !are_many_ && product_.grouped.empty(); }

    void upload(Engine<Q>& engine, std::vector<double> values) {
        values[4] = std::max(values[4], smallest_tolerance);
        values.resize(std::max(values.size(), numbers_of_step + product_.baths), 1);
        std::copy(engine.host.noise_factors.begin(), engine.host.noise_factors.end(), values.begin() + numbers_of_step);
        numbers_.set(engine.queue, std::move(values));
    }

    Product product_;
    RandomStream const noise_;
    ClusterArrays<Q> clusters_;
    Networks<Q> networks_;
    Array<Q, std::int32_t> baths_;
    UploadedNumbers<Q> numbers_;
    bool are_many_;  // more than stand side by side
    std::size_t draws_;  // of noise in a step
    NumberArray<Q> drawn_;
    std::vector<LaunchedSection> sections_;
    PairList<Q>* placed_ = nullptr;  // whose slots this step fills
    bool is_compiled_ = false;
    typename Q::Kernel count_, draw_, keep_;
    Array<Q, mm_ulong> kept_;  // forces of each set with which the next step begins
    EvaluatedFor kept_for_;
    RecordedStep<Q> recorded_;
};

}  // namespace trotter::device
