// Which pairs are in range, found and kept on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/array.hpp>
#include <trotter/device/launch.hpp>
#include <trotter/device/pairs/interaction.hpp>
#include <trotter/device/pairs/order.hpp>
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
                                      + "\n#define HALF_SKIN ((coordinate) " + std::to_string(0.49 * skin()) + ")\n";
        if (range_.is_periodic) defines_ += "#define USE_PERIODIC\n";
        upload_exclusions(engine);
        program_ = engine.compile(std::string(kernels::pairs) + kernels::sort + kernels::lists, defines_);
        measure_ = program_.kernel("measure_extent");
        place_ = program_.kernel("place_slots");
        built_ = NumberArray<Q>(engine.queue, has_cutoff() ? 4 * engine.padded : 4, engine.types.coordinate_is_double);
        built_box_ = NumberArray<Q>(engine.queue, 12, engine.types.coordinate_is_double);
        built_.clear(engine.queue);
        built_box_.clear(engine.queue);
        parts_ = parts_for(static_cast<double>(groups_) / 2 + 1);
        if (has_cutoff()) prepare_lists(engine);
    }

    PairRange const& range() const { return range_; }
    /// In front of the text of `kernels::pairs` and of what loops over pairs.
    std::string const& defines() const { return defines_; }

    /// Before each evaluation: places in slots, and lists where they are due.
    template <class Engine> void update(Engine& engine) {
        auto& queue = engine.queue;
        Groups const all = groups_for(queue.facts(), engine.padded);
        marks_.clear(queue);
        if (!range_.is_periodic) launch(queue, measure_, all, engine.positions, marks_);
        if (has_cutoff() && updates_++ % updates_per_sort == 0) order_.sort(engine, program_, marks_, built_box_);
        launch(queue, place_, all, engine.positions, engine.box, marks_, order_.atoms(), slots_, built_, built_box_);
        if (!has_cutoff()) return;
        launch(queue, bound_, {std::min<std::size_t>(groups_, 65535), 32}, engine.positions, engine.box, marks_, slots_, centers_, halves_,
               built_, built_box_);
        build(engine);
        if (!is_sized_) size(engine);
    }
    /// Where the host waits for the device anyway: makes room for lists that had none. Waits itself.
    template <class Engine> void grow(Engine& engine) {
        if (has_cutoff() && overflow_.download(engine.queue).front() != 0) size(engine);
    }
    /// The next `update` sorts and builds whatever was before.
    void forget() { updates_ = 0; }

    /// For a loop over all pairs: work-items in groups of 32.
    std::size_t items() const { return groups_ * parts_; }
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
    static constexpr int updates_per_sort = 100;

    static std::string literal(double value) {
        char text[64];
        std::snprintf(text, sizeof text, "((real) %.17e)", value);
        return text;
    }
    bool has_cutoff() const { return range_.cutoff > 0; }
    // Wide enough for several steps of 4 fs; it costs a tenth of the pairs in the lists.
    double skin() const { return 0.15 * range_.cutoff; }
    // Long lists are split so that there is work for all of a device; at most twelve chunks stay together.
    std::size_t parts_for(double chunks) const {
        return static_cast<std::size_t>(std::clamp(chunks / (groups_ < 4000 ? 4 : 12), 1.0, 1e4));
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
    template <class Engine> void prepare_lists(Engine& engine) {
        bound_ = program_.kernel("bound_groups");
        build_ = program_.kernel("build_lists");
        centers_ = Array<Q, mm_int4>(engine.queue, 5 * groups_);
        halves_ = Array<Q, mm_float4>(engine.queue, 5 * groups_);
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
    template <class Engine> void build(Engine& engine) {
        launch(engine.queue, build_, {std::min<std::size_t>(groups_, 65535), 32}, engine.positions, engine.box, marks_, slots_, centers_, halves_,
               starts_, partners_, order_.slot_of(), counts_, overflow_, special_, words_, plain_, raw_, capacity_, special_capacity_);
    }
    // Half more than is needed now.
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
        parts_ = parts_for(chunks / static_cast<double>(groups_));
        overflow_.upload(engine.queue, {0});
        is_sized_ = true;
        built_box_.clear(engine.queue);
        if (updates_ > 1) return;
        marks_.clear(engine.queue);
        --updates_;
        update(engine);
    }

    PairRange range_;
    std::string defines_;
    SlotOrder<Q> order_;
    std::size_t groups_, parts_ = 1;
    std::int64_t updates_ = 0;
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
