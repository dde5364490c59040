// Nosé-Hoover chains with their beads on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/common/integration/nose_hoover_groups.hpp>
#include <trotter/device/queue_engine.hpp>
#include <trotter/device/text/traced.hpp>
#include <trotter/kernels/sums.hpp>
#include <trotter/kernels/thermostat_chains.hpp>

namespace trotter::device {

/// Nosé-Hoover chains; one work-item propagates each, since every stage depends on the previous one.
template <DeviceQueue Q> class ThermostatChains {
public:
    using Groups = std::vector<NoseHooverGroup>;

    ThermostatChains(Groups const& groups, Engine<Q>& engine)
        : count_(groups.size()), parts_(parts_of(engine.host.size())) {
        std::vector<std::int32_t> particles, ranges{0};
        for (auto const& group : groups) {
            particles.insert(particles.end(), group.particles.begin(), group.particles.end());
            ranges.push_back(static_cast<std::int32_t>(particles.size()));
            first_bead_.push_back(bead_numbers_);
            bead_numbers_ += 2 * group.chain.beads.size();
        }
        auto& queue = engine.queue;
        bool const is_double = engine.types.coordinate_is_double;
        particles_ = Array<Q, std::int32_t>(queue, particles);
        ranges_ = Array<Q, std::int32_t>(queue, ranges);
        sums_ = NumberArray<Q>(queue, static_cast<std::size_t>(parts_) * count_, is_double);
        totals_ = NumberArray<Q>(queue, count_, is_double);
        settings_ = NumberArray<Q>(queue, settings(groups), is_double);
        beads_ = NumberArray<Q>(queue, bead_numbers_, is_double);
        kernels_.take(
            engine.compile(kernels::parts + text(groups),
                           "#define SETTINGS_OF_THERMOSTAT " + std::to_string(settings_of_thermostat) + '\n'));
    }

    static bool can_do(Groups const& groups) {
        return !groups.empty()
               && std::all_of(groups.begin(), groups.end(), [](auto const& group) { return group.pairs.empty(); });
    }
    /// Thermostat index of each particle; one past the last for particles without a thermostat.
    static std::vector<std::int32_t> numbers(Groups const& groups, std::size_t particle_count) {
        std::vector<std::int32_t> result(particle_count, static_cast<std::int32_t>(groups.size()));
        for (std::size_t thermostat = 0; thermostat < groups.size(); ++thermostat)
            for (int const i : groups[thermostat].particles)
                result[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(thermostat);
        return result;
    }

    /// Call when a temperature has changed.
    void upload_settings(Groups const& groups, Q& queue) { settings_.upload(queue, settings(groups)); }
    void upload(Groups const& groups, Q& queue) {
        std::vector<double> values;
        for (auto const& group : groups)
            for (auto const& bead : group.chain.beads) values.insert(values.end(), {bead.position, bead.velocity});
        beads_.upload(queue, values);
    }
    void download(Groups& groups, Q& queue) {
        auto const values = beads_.download(queue);
        std::size_t n = 0;
        for (auto& group : groups)
            for (auto& bead : group.chain.beads) bead.position = values[n++], bead.velocity = values[n++];
    }

    /// Propagates the chains by the time step `step[0]`; writes velocity scale factors to `step` from index
    /// `first_scale`.
    void propagate(Engine<Q>& engine, NumberArray<Q> const& step, std::size_t first_scale) {
        launch<"sum_thermostats">(engine.queue, kernels_, {static_cast<std::size_t>(parts_) * count_, 64},
                                  engine.velocities, particles_, ranges_, sums_, parts_);
        launch<"propagate_chains">(engine.queue, kernels_, {count_, 64}, sums_, parts_, totals_, settings_, beads_,
                                   step, static_cast<std::int32_t>(first_scale));
    }

private:
    static constexpr std::size_t settings_of_thermostat = 16, first_share = 7;

    static std::vector<double> settings(Groups const& groups) {
        std::vector<double> result;
        for (auto const& group : groups) {
            auto const& chain = group.chain;
            auto const stage = chain.stage();
            result.insert(result.end(),
                          {stage.kT, stage.target, stage.first_mass, stage.mass, double(chain.multiple_time_steps),
                           double(chain.shares.size()), 2 * NoseHooverChain::at_rest});
            result.insert(result.end(), chain.shares.begin(), chain.shares.end());
            result.resize((result.size() + settings_of_thermostat - 1) / settings_of_thermostat
                          * settings_of_thermostat);
        }
        return result;
    }

    std::string text(Groups const& groups) const {
        std::string result = kernels::thermostat_chains;
        for (std::size_t thermostat = 0; thermostat < count_; ++thermostat)
            result += "if (GROUP_ID == " + std::to_string(thermostat) + " && !is_at_rest) {\n"
                      + chain_text(thermostat, groups[thermostat].chain.beads.size()) + "}\n";
        return result + "numbers[first_scale + GROUP_ID] = scale;\n}\n";
    }
    std::string chain_text(std::size_t thermostat, std::size_t length) const {
        Statements statements{"temp", "", "coordinate"};
        auto const number = [&](std::string const& name) { return Traced(statements, name); };
        std::vector<NoseHooverBead<Traced>> beads;
        std::string load, take, store;
        for (std::size_t n = 0; n < length; ++n) {
            std::string const p = "position" + std::to_string(n), v = "velocity" + std::to_string(n),
                              place = std::to_string(first_bead_[thermostat] + 2 * n),
                              next = std::to_string(first_bead_[thermostat] + 2 * n + 1);
            load += "coordinate " + p + " = beads[" + place + "], " + v + " = beads[" + next + "];\n";
            store += "beads[" + place + "] = " + p + ";\nbeads[" + next + "] = " + v + ";\n";
            beads.push_back({number(p), number(v)});
        }
        NoseHooverStage<Traced> const stage{number("kT"), number("target"), number("first_mass"), number("mass")};
        Traced const scale = stage(beads, number("twice_energy"), number("scale"), number("step"));
        for (std::size_t n = 0; n < length; ++n)
            take += "position" + std::to_string(n) + " = " + beads[n].position.name(statements) + ";\nvelocity"
                    + std::to_string(n) + " = " + beads[n].velocity.name(statements) + ";\n";
        return load + "for (int n = 0; n < repeats; ++n)\nfor (int s = 0; s < shares; ++s) {\n"
               + "const coordinate step = settings[" + std::to_string(first_share) + " + s]*time_step/repeats;\n"
               + statements.text() + take + "scale = " + scale.name(statements) + ";\n}\n" + store;
    }

    std::size_t count_, bead_numbers_ = 0;
    std::int32_t const parts_;
    std::vector<std::size_t> first_bead_;
    Array<Q, std::int32_t> particles_, ranges_;
    NumberArray<Q> sums_, totals_, settings_, beads_;
    SourceKernels<Q, kernels::thermostat_chains> kernels_;
};

}  // namespace trotter::device
