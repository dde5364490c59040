// CustomManyParticleForce on devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <trotter/device/custom_many_particle_text.hpp>
#include <trotter/device/set_energy.hpp>
#include <trotter/forces/custom_many_particle.hpp>

namespace trotter {

namespace device {

/// Sets of particles from lists of each one's neighbours, which are as long as the first evaluation asks for. Later
/// neighbours that a list has no room for are found where they are needed, which is slow; lists are made longer when
/// energies were asked for, where the host waits anyway.
template <DeviceQueue Q> class ManyParticle {
public:
    ManyParticle(CustomManyParticleForce const& force, Engine<Q>& engine) : sets_(force, engine) { upload(engine); }

    void compute(Engine<Q>& engine, Request const& request) {
        if (!sets_.begin(engine, request) || force().particles.empty()) return;
        if (!is_compiled_) compile(engine);
        if (force().particles_per_set > 1) {
            find_neighbors(engine);
            if (!std::exchange(is_measured_, true) && make_room(engine)) find_neighbors(engine);
        }
        auto& queue = engine.queue;
        std::size_t const count = force().particles.size();
        auto const groups = groups_for(queue.facts(), count * static_cast<std::size_t>(capacity_));
        if (request.energy) sets_.keep(groups, engine);
        launch(queue, add_sets_, groups, engine.forces, engine.positions, engine.box, fields_, sets_.parameters(),
               sets_.tables(), blocks_, exclusions_.begins(), exclusions_.partners(), allowed_, neighbors_, counts_,
               request.energy ? sets_.kept() : blocks_, capacity_, static_cast<std::int32_t>(request.energy));
        if (request.energy) sets_.sum_up(engine);
    }
    double late_energy(Engine<Q>& engine, Request const& request) {
        double const energy = sets_.late_energy(engine, request);
        if (request.energy && force().particles_per_set > 1 && !force().particles.empty()) make_room(engine);
        return energy;
    }
    /// Takes over everything but the parameters of the Context.
    void update(CustomManyParticleForce const& force, Engine<Q>& engine) {
        sets_.update(force, engine);
        upload(engine);
        is_compiled_ = false;
    }

private:
    CustomManyParticleForce const& force() const { return sets_.force(); }
    std::size_t block_count() const {
        constexpr std::size_t size = kernels::sets_block;
        return (force().particles.size() + size - 1) / size;
    }
    void find_neighbors(Engine<Q>& engine) {
        auto& queue = engine.queue;
        std::size_t const count = force().particles.size();
        if (force().uses_cutoff())
            launch(queue, find_blocks_, groups_for(queue.facts(), block_count()), engine.positions, engine.box, all_,
                   static_cast<std::int32_t>(count), blocks_);
        launch(queue, find_neighbors_, groups_for(queue.facts(), count), engine.positions, engine.box, blocks_,
               exclusions_.begins(), exclusions_.partners(), neighbors_, counts_, capacity_);
    }
    void upload(Engine<Q>& engine) {
        auto& queue = engine.queue;
        bool const is_fine = engine.types.coordinate_is_double;
        std::size_t const count = std::max<std::size_t>(force().particles.size(), 1);
        std::vector<std::int32_t> all(count), allowed(count);
        std::iota(all.begin(), all.end(), 0);
        for (std::size_t i = 0; i < force().particles.size(); ++i)
            for (std::size_t place = 0; place < static_cast<std::size_t>(force().particles_per_set); ++place)
                if (force().allows(place, force().particles[i].type)) allowed[i] |= 1 << place;
        all_ = Array<Q, std::int32_t>(queue, all);
        allowed_ = Array<Q, std::int32_t>(queue, allowed);
        counts_ = Array<Q, std::int32_t>(queue, count);
        counts_.clear(queue);
        fields_ = NumberArray<Q>(queue,
                                 columns_of(force().particles, force().parameter_names.size(),
                                            [](auto const& particle) { return particle.parameters; }),
                                 is_fine);
        blocks_ = NumberArray<Q>(queue, 8 * std::max<std::size_t>(block_count(), 1), is_fine);
        std::vector<std::vector<std::int32_t>> excluded(force().particles.size());
        for (auto const& [i, j] : force().exclusions) {
            excluded[static_cast<std::size_t>(i)].push_back(j);
            excluded[static_cast<std::size_t>(j)].push_back(i);
        }
        exclusions_.upload(queue, std::move(excluded));
        take_capacity(first_capacity, engine);
        is_measured_ = false;
    }
    // At most as many as there are others, and a gigabyte of numbers.
    void take_capacity(std::size_t wanted, Engine<Q>& engine) {
        std::size_t const count = std::max<std::size_t>(force().particles.size(), 1),
                          most = std::min(count, (std::size_t{1} << 28) / count);
        std::size_t const capacity =
            force().particles_per_set > 1 ? std::max<std::size_t>(std::min(wanted, most), 1) : 1;
        if (capacity == static_cast<std::size_t>(capacity_) && neighbors_.size() == capacity * count) return;
        capacity_ = static_cast<std::int32_t>(capacity);
        neighbors_ = Array<Q, std::int32_t>(engine.queue, capacity * count);
        ++engine.epoch;
    }
    // Waits for the device. Returns whether lists were too short.
    bool make_room(Engine<Q>& engine) {
        auto const counts = counts_.download(engine.queue);
        auto const most = static_cast<std::size_t>(*std::max_element(counts.begin(), counts.end()));
        if (most <= static_cast<std::size_t>(capacity_)) return false;
        take_capacity(most + most / 4, engine);
        return true;
    }
    void compile(Engine<Q>& engine) {
        is_compiled_ = true;
        ManyParticleText const text(force(), sets_.formula(), engine.types.coordinate_suffix());
        if (!sets_.compile(text.text(), engine)) return;
        find_blocks_ = sets_.kernel("find_blocks");
        find_neighbors_ = sets_.kernel("find_neighbors");
        add_sets_ = sets_.kernel("add_sets");
    }

    static constexpr std::size_t first_capacity = 48;  // of water within 0.45 nm

    SetEnergy<Q, CustomManyParticleForce> sets_;
    bool is_compiled_ = false, is_measured_ = false;
    std::int32_t capacity_ = 0;
    typename Q::Kernel find_blocks_, find_neighbors_, add_sets_;
    Array<Q, std::int32_t> all_, allowed_, neighbors_, counts_;
    NumberArray<Q> fields_, blocks_;
    PartnerLists<Q> exclusions_;
};

}  // namespace device

/// CustomManyParticleForce on a device.
template <DeviceBackend B, Precision P> struct Kernel<CustomManyParticleForce, B, P> {
    device::ManyParticle<typename B::Queue> sets;

    Kernel(CustomManyParticleForce const& force, Engine<B, P>& engine) : sets(force, engine.device) {}
    double compute(Engine<B, P>& engine, Request const& request) {
        sets.compute(engine.device, request);
        return 0;
    }
    double late_energy(Engine<B, P>& engine, Request const& request) {
        return sets.late_energy(engine.device, request);
    }
    void update(CustomManyParticleForce const& force, Engine<B, P>& engine) { sets.update(force, engine.device); }
};

}  // namespace trotter
