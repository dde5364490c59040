// Runs multi-stage forces (GB models) on devices: the order of their launches.
// SPDX-License-Identifier: MIT
#pragma once
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/common/forces/stages.hpp>
#include <trotter/device/engine.hpp>
#include <trotter/device/late_kernel.hpp>
#include <trotter/device/pairs/pair_stage.hpp>

namespace trotter {

namespace device {

/// A pair loop, or a kernel over particles.
template <DeviceQueue Q> class StageLaunch {
public:
    using Arguments = std::function<std::vector<Argument>()>;

    /// With `has_derivatives`, a second pair loop runs when derivatives by global parameters are requested.
    StageLaunch(PairInteraction interaction, Engine<Q>& engine, bool has_derivatives = false)
        : has_derivatives_(has_derivatives) {
        pairs_.emplace(std::move(interaction), engine);
    }
    /// The kernel of this name; one for sums runs only if energies or derivatives are requested.
    StageLaunch(std::string name, Arguments arguments, bool is_for_sums = false)
        : name_(std::move(name)), arguments_(std::move(arguments)), is_for_sums_(is_for_sums) {}

    void prepare(Engine<Q>& engine, Request const& request) {
        if (pairs_) for_wanted(request, [&](PairSums sums) { pairs_->prepare(sums, engine); });
    }
    void take_kernel(typename Q::Program& program) {
        if (!pairs_) kernel_ = program.kernel(name_);
    }
    void launch(Engine<Q>& engine, Request const& request) {
        if (pairs_) return for_wanted(request, [&](PairSums sums) { pairs_->launch(sums, engine); });
        if (is_for_sums_ && !request.energy && !request.parameter_derivatives) return;
        auto const arguments = arguments_();
        engine.queue.launch(kernel_, grid_for(engine.queue.properties(), engine.padded), arguments);
    }

private:
    template <class Visit> void for_wanted(Request const& request, Visit const& visit) {
        visit(PairSums::forces);
        if (request.parameter_derivatives && has_derivatives_) visit(PairSums::energies);
    }

    std::optional<PairStage<Q>> pairs_{};
    bool has_derivatives_ = false;
    std::string name_{};
    Arguments arguments_{};
    bool is_for_sums_ = false;
    typename Q::Kernel kernel_{};
};

/// Launches values before the loop over all pairs, which adds this force's energies, and the chain rule after it.
template <DeviceQueue Q> struct StageLaunches {
    std::deque<StageLaunch<Q>> before{}, after{};
    bool is_compiled = false;

    /// `text()` is the source of all kernels over particles.
    template <class Text> void launch(Engine<Q>& engine, Request const& request, Text const& text) {
        auto const for_each = [this](auto const& visit) {
            for (auto* launches : {&before, &after})
                for (auto& launch : *launches) visit(launch);
        };
        for_each([&](auto& launch) { launch.prepare(engine, request); });
        if (!is_compiled) {
            auto program = engine.compile(text());
            for_each([&](auto& launch) { launch.take_kernel(program); });
            is_compiled = true;
        }
        for (auto& launch : before) launch.launch(engine, request);
        engine.after_pairs([this, &engine, request] {
            for (auto& launch : after) launch.launch(engine, request);
        });
    }
};

/// The stages of a force: `compute` launches them, `late_energy` returns the energy.
template <HasStages F, DeviceQueue Q> class Stages;

}  // namespace device

template <HasStages F, DeviceBackend B, Precision P>
struct Kernel<F, B, P> : device::LateKernel<device::Stages<F, typename B::Queue>> {
    using Kernel::LateKernel::LateKernel;
};

}  // namespace trotter
