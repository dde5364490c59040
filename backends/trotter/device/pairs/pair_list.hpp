// Which pairs are in range, found and kept on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/array.hpp>
#include <trotter/device/launch.hpp>
#include <trotter/device/pairs/interaction.hpp>
#include <trotter/device/pairs/order.hpp>
#include <trotter/error.hpp>
#include <trotter/kernels/lists.hpp>
#include <trotter/kernels/pairs.hpp>
#include <trotter/kernels/sort.hpp>

namespace trotter::device {

/// The lists of one range. They reach farther than the cutoff, by a skin, and are built anew where a particle has crossed
/// half of it; the device decides. A group whose list has no room meets all others until `grow`, so nothing is ever missed.
template <DeviceQueue Q> class PairList {
public:
    template <class Engine> PairList(PairRange range, Engine& engine)
        : range_(std::move(range)), order_(engine), groups_(engine.padded / 32), marks_(engine.queue, 2), slots_(engine.queue, engine.padded) {
        if (has_cutoff()) defines_ += "#define USE_CUTOFF\n#define CUTOFF " + literal(range_.cutoff) + "\n#define CUTOFF_SQUARED "
                                      + literal(range_.cutoff * range_.cutoff) + "\n#define LIST_RANGE " + literal(range_.cutoff + skin())
                                      + "\n#define LIST_WIDTH " + std::to_string(list_width) + "\n#define HALF_SKIN ((coordinate) " + std::to_string(0.49 * skin()) + ")\n";
        if (range_.is_periodic) defines_ += "#define USE_PERIODIC\n";
        warps_ = engine.queue.facts().simt_width >= 32 ? 4 : 1;
        defines_ += "#define PAIR_WARPS " + std::to_string(warps_) + '\n';
        upload_exclusions(engine);
        program_ = engine.compile(std::string(kernels::pairs) + kernels::sort + kernels::lists, defines_);
        measure_ = program_.kernel("measure_extent");
        place_ = program_.kernel("place_slots");
        built_ = NumberArray<Q>(engine.queue, has_cutoff() ? 4 * engine.padded : 4, engine.types.coordinate_is_double);
        built_box_ = NumberArray<Q>(engine.queue, 12, engine.types.coordinate_is_double);
        built_.clear(engine.queue);
        built_box_.clear(engine.queue);
        parts_ = parts_for(engine.queue.facts(), static_cast<double>(groups_) / 2 + 1);
        if (has_cutoff())
            prepare_lists(engine);
        else
            number_slots(engine);
    }

    PairRange const& range() const { return range_; }
    /// In front of the text of `kernels::pairs` and of what loops over pairs.
    std::string const& defines() const { return defines_; }

    /// Slots are sorted anew after so many steps of the Context, however often forces were evaluated in between.
    bool sort_is_due(std::int64_t step_count) const {
        return has_cutoff() && (!sorted_at_ || step_count < *sorted_at_ || step_count >= *sorted_at_ + steps_per_sort);
    }
    template <class Engine> void sort(Engine& engine) {
        measure(engine);
        order_.sort(engine, program_, marks_, built_box_);
        sorted_at_ = engine.host.step_count;
    }
    /// Before each evaluation: places in slots, and lists where they are due.
    template <class Engine> void update(Engine& engine) {
        if (!has_cutoff()) return;
        if (sort_is_due(engine.host.step_count)) sort(engine);
        refresh(engine);
        if (!is_sized_) size(engine), refresh(engine);
    }
    /// Where the host waits for the device anyway: makes room for lists that had none. Waits itself.
    template <class Engine> void grow(Engine& engine) {
        if (has_cutoff() && is_sized_ && overflow_.download(engine.queue).front() != 0) size(engine);
    }

    /// What decides about the lists, and with them about the last bits of forces.
    template <class Engine, class Archive> void save(Engine& engine, Archive& archive) {
        bool const has_lists = sorted_at_ && is_sized_;
        archive.put(has_lists);
        if (!has_lists) return;
        archive.put(*sorted_at_);
        archive.put(order_.download(engine.queue));
        archive.put(built_.download(engine.queue));
        archive.put(built_box_.download(engine.queue));
        archive.put(capacity_);
        archive.put(special_capacity_);
        archive.put(static_cast<std::int64_t>(parts_));
    }
    /// Builds the lists from the positions that they were built from; the engine's arrays of positions and box hold these afterwards.
    template <class Engine, class Archive> void load(Engine& engine, Archive& archive) {
        ++engine.epoch;
        sorted_at_.reset();
        is_sized_ = false;
        if (!archive.template get<bool>()) return;
        sorted_at_ = archive.template get<std::int64_t>();
        is_sized_ = true;
        auto const atoms = archive.template get_vector<std::int32_t>();
        auto const built = archive.template get_vector<double>(), box = archive.template get_vector<double>();
        check_order(atoms, engine.padded);
        if (built.size() != 4 * engine.padded || box.size() != 12) throw InputError("the checkpoint has lists of pairs of another System");
        auto const capacity = archive.template get<std::int32_t>();
        allocate(engine, capacity, archive.template get<std::int32_t>());
        parts_ = static_cast<std::size_t>(archive.template get<std::int64_t>());
        order_.upload(engine.queue, atoms);
        built_box_.clear(engine.queue);
        if (box[0] == 0) return;  // sorted, but not built since
        std::vector<double> positions(4 * engine.padded);
        for (std::size_t slot = 0; slot < engine.padded; ++slot)
            std::copy_n(&built[4 * slot], 4, &positions[4 * static_cast<std::size_t>(atoms[slot])]);
        engine.positions.upload(engine.queue, positions);
        engine.box.upload(engine.queue, box);
        refresh(engine);
    }

    /// For a loop over all pairs: each item takes 32 work-items that go in step, and a work-group has `warps` times 32.
    std::size_t items() const { return groups_ * parts_; }
    std::size_t warps() const { return warps_; }
    template <class Engine> std::vector<Argument> arguments(Engine& engine) {
        numbers_ = {static_cast<std::int32_t>(items()), static_cast<std::int32_t>(parts_), capacity_, special_capacity_};
        std::vector<Argument> result{engine.positions.argument(), engine.box.argument(), marks_.argument(), slots_.argument(), starts_.argument(),
                                     partners_.argument(), order_.slot_of().argument(), argument_of(numbers_[0]), argument_of(numbers_[1])};
        if (has_cutoff())
            result.insert(result.end(), {counts_.argument(), special_.argument(), words_.argument(), plain_.argument(), centers_.argument(),
                                         argument_of(numbers_[2]), argument_of(numbers_[3])});
        return result;
    }

private:
    static constexpr std::int64_t steps_per_sort = 500;
    static constexpr std::size_t list_width = 256;  // work-items that build a list

    static std::string literal(double value) {
        char text[64];
        std::snprintf(text, sizeof text, "((real) %.17e)", value);
        return text;
    }
    bool has_cutoff() const { return range_.cutoff > 0; }
    // Wide enough for ten steps of 4 fs in water; only the slots between cutoff and skin cost more.
    double skin() const { return std::min(0.2, 0.25 * range_.cutoff); }
    // Lists are split so that there is work for all of a device; else at most twelve chunks stay together.
    std::size_t parts_for(DeviceFacts const& facts, double chunks) const {
        double const wanted = 24.0 * facts.compute_units / static_cast<double>(groups_);
        return static_cast<std::size_t>(std::clamp(std::max(chunks / 12, std::min(chunks, wanted)), 1.0, 1e4));
    }
    static void check_order(std::vector<std::int32_t> const& atoms, std::size_t count) {
        std::vector<bool> seen(count);
        for (auto const atom : atoms)
            if (atom >= 0 && static_cast<std::size_t>(atom) < count) seen[static_cast<std::size_t>(atom)] = true;
        if (atoms.size() != count || std::find(seen.begin(), seen.end(), false) != seen.end())
            throw InputError("the checkpoint has an order of particles of another System");
    }

    template <class Engine> void measure(Engine& engine) {
        marks_.clear(engine.queue);
        if (!range_.is_periodic) launch(engine.queue, measure_, groups_for(engine.queue.facts(), engine.padded), engine.positions, marks_);
    }
    template <class Engine> void refresh(Engine& engine) {
        auto& queue = engine.queue;
        measure(engine);
        launch(queue, place_, groups_for(queue.facts(), engine.padded), engine.positions, engine.box, marks_, order_.atoms(), slots_, built_,
               built_box_);
        std::size_t const several = std::min<std::size_t>(groups_, 8 * static_cast<std::size_t>(queue.facts().compute_units));
        launch(queue, bound_, {several, 32}, engine.positions, engine.box, marks_, slots_, centers_, halves_, built_, built_box_);
        launch(queue, build_, {several, list_width}, engine.positions, engine.box, marks_, slots_, centers_, halves_, starts_, partners_,
               order_.slot_of(), counts_, overflow_, special_, words_, plain_, raw_, capacity_, special_capacity_);
    }
    template <class Engine> void upload_exclusions(Engine& engine) {
        std::vector<std::int32_t> starts, partners;
        for (std::size_t i = 0; i <= engine.padded; ++i) {
            starts.push_back(static_cast<std::int32_t>(partners.size()));
            if (i < range_.exclusions.size()) partners.insert(partners.end(), range_.exclusions[i].begin(), range_.exclusions[i].end());
        }
        partners.resize(std::max<std::size_t>(partners.size(), 1));
        starts_ = Array<Q, std::int32_t>(engine.queue, starts);
        partners_ = Array<Q, std::int32_t>(engine.queue, partners);
    }
    template <class Engine> void number_slots(Engine& engine) {
        std::vector<mm_int4> slots(engine.padded);
        for (std::size_t n = 0; n < slots.size(); ++n) slots[n].w = static_cast<std::int32_t>(n);
        slots_.upload(engine.queue, slots);
    }
    template <class Engine> void prepare_lists(Engine& engine) {
        bound_ = program_.kernel("bound_groups");
        build_ = program_.kernel("build_lists");
        centers_ = Array<Q, mm_int4>(engine.queue, groups_);
        halves_ = Array<Q, mm_float4>(engine.queue, groups_);
        counts_ = Array<Q, mm_int2>(engine.queue, groups_);
        overflow_ = Array<Q, std::int32_t>(engine.queue, std::vector<std::int32_t>{0});
        allocate(engine, 0, 0);
    }
    template <class Engine> void allocate(Engine& engine, std::int32_t capacity, std::int32_t special_capacity) {
        capacity_ = capacity;
        special_capacity_ = special_capacity;
        auto array = [&](std::int32_t entries) {
            return Array<Q, std::uint32_t>(engine.queue, std::max<std::size_t>(groups_ * static_cast<std::size_t>(entries), 1));
        };
        plain_ = array(capacity);
        raw_ = array(capacity);
        special_ = array(special_capacity);
        words_ = array(special_capacity);
    }
    // Half more than is needed now; the next `refresh` builds.
    template <class Engine> void size(Engine& engine) {
        std::int32_t plain = 0, special = 0;
        double chunks = 0;
        for (auto const& count : counts_.download(engine.queue)) {
            plain = std::max(plain, count.x);
            special = std::max(special, count.y);
            chunks += (count.x + 31) / 32 + (count.y + 31) / 32;
        }
        auto room = [](std::int32_t count) { return (count + count / 2 + 63) / 32 * 32; };
        allocate(engine, std::max(capacity_, room(plain)), std::max(special_capacity_, room(special)));
        parts_ = parts_for(engine.queue.facts(), chunks / static_cast<double>(groups_));
        overflow_.upload(engine.queue, {0});
        is_sized_ = true;
        built_box_.clear(engine.queue);
        ++engine.epoch;
    }

    PairRange range_;
    std::string defines_;
    SlotOrder<Q> order_;
    std::size_t groups_, parts_ = 1, warps_ = 1;
    std::optional<std::int64_t> sorted_at_;  // of the Context's steps
    bool is_sized_ = false;
    std::int32_t capacity_ = 0, special_capacity_ = 0;
    std::array<std::int32_t, 4> numbers_{};
    Array<Q, std::int32_t> marks_, starts_, partners_, overflow_;
    Array<Q, mm_int4> slots_, centers_;
    Array<Q, mm_float4> halves_;
    Array<Q, mm_int2> counts_;
    Array<Q, std::uint32_t> plain_, raw_, special_, words_;
    NumberArray<Q> built_, built_box_;
    typename Q::Program program_;
    typename Q::Kernel measure_, place_, bound_, build_;
};

}  // namespace trotter::device
