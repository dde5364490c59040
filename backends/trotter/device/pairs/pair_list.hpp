// Builds and keeps pair lists on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/pairs/division.hpp>
#include <trotter/device/pairs/exclusions.hpp>
#include <trotter/device/pairs/gaps.hpp>
#include <trotter/device/pairs/list_pool.hpp>
#include <trotter/device/pairs/pair_interaction.hpp>
#include <trotter/device/pairs/pair_text.hpp>
#include <trotter/device/pairs/spatial_sort.hpp>
#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/changing_number.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/error.hpp>
#include <trotter/expression/literal.hpp>
#include <trotter/kernels/list_entries.hpp>
#include <trotter/kernels/lists.hpp>
#include <trotter/kernels/pairs.hpp>
#include <trotter/kernels/slots.hpp>
#include <trotter/kernels/sort.hpp>
#include <trotter/kernels/tree.hpp>
#include <trotter/vec3.hpp>

namespace trotter::device {

/// The lists of one range. They extend beyond the cutoff by a skin and are rebuilt, as the device decides, when a
/// particle has moved half of it. If the pool is full, groups interact with all groups whose boxes are in range until
/// the next sort: no pair is missed, and when the pool grows depends on the steps alone, not on additional force
/// evaluations.
template <DeviceQueue Q> class PairList {
public:
    PairList(PairRange range, Engine<Q>& engine)
        : range_(std::move(range)),
          order_(engine),
          gaps_(range_, engine),
          groups_(engine.padded / 32),
          copies_(static_cast<std::size_t>(engine.host.copies)),
          division_(engine.queue.properties(), groups_),
          parts_(engine.queue.version()),
          splits_(engine.queue.version()),
          item_count_(engine.queue.version()),
          pool_(engine.queue, copies_),
          marks_(engine.queue, std::vector<std::int32_t>(4 * copies_)),
          extents_(engine.queue, extents * copies_),
          slots_(engine.queue, engine.padded) {
        for (std::size_t n = (groups_ / copies_ + 63) / 64; n > 32; n = (n + 31) / 32) nodes_ += n, ++levels_;
        if (copies_ > 1 && levels_ > 1)
            throw UnsupportedError("replicas of " + std::to_string(engine.host.size() / copies_)
                                   + " particles each are too large for one batch, which takes 65536 at most");
        if (has_cutoff())
            defines_ += "#define USE_CUTOFF\n#define CUTOFF " + literal(range_.cutoff) + "\n#define CUTOFF_SQUARED "
                        + literal(range_.cutoff * range_.cutoff) + "\n#define LIST_RANGE "
                        + literal(range_.cutoff + skin()) + "\n#define LIST_WARPS " + std::to_string(division_.list_warps())
                        + "\n#define LIST_ROOM " + std::to_string(division_.list_room()) + "\n#define NODE_LEVELS "
                        + std::to_string(levels_) + "\n#define HALF_SKIN " + half_skin() + '\n';
        if (range_.is_periodic) defines_ += "#define USE_PERIODIC\n";
        defines_ += "#define PAIR_WARPS " + std::to_string(warps()) + "\n#define PAIR_GROUPS "
                    + (division_.are_many() ? "6\n" : "7\n");
        std::string const begin = std::string(kernels::frames) + kernels::pairs;
        auto const slot_program = engine.compile(
            begin + kernels::extents + kernels::places + (has_cutoff() ? kernels::group_bounds : ""), defines_);
        slot_kernels_.take(slot_program);
        if (has_cutoff()) {
            bound_kernels_.take(slot_program);
            sort_program_ = engine.compile(begin + kernels::extents + kernels::sort, defines_);
            list_program_ = engine.compile(begin + kernels::tree + (levels_ > 1 ? kernels::node_bounds : "")
                                               + kernels::list_entries + kernels::lists,
                                           defines_);
        }
        built_ = NumberArray<Q>(engine.queue, has_cutoff() ? 4 * engine.padded : 4, engine.types.coordinate_is_double);
        built_box_ = NumberArray<Q>(engine.queue, 12 * copies_, engine.types.coordinate_is_double);
        built_.clear(engine.queue);
        built_box_.clear(engine.queue);
        centers_ = Array<Q, mm_int4>(engine.queue, has_cutoff() ? groups_ + nodes_ : 1);
        halves_ = Array<Q, mm_float4>(engine.queue, has_cutoff() ? groups_ + nodes_ : 1);
        set_parts(division_.parts(static_cast<double>(groups_ / copies_) / 2 + 1));
        slot_splits_ = division_.slot_splits(parts_, engine.types.real_is_double);
        defines_ += "#define SLOT_SPLITS " + std::to_string(slot_splits_) + '\n';
        if (has_cutoff()) {
            prepare_lists(engine);
            return;
        }
        ExclusionWords const excluded(range_.exclusions, order_.download(engine.queue), order_.download_slots(engine.queue));
        slots_.upload(engine.queue, excluded.slots);
        exclusion_words_ = Array<Q, std::uint32_t>(engine.queue, excluded.words);
    }

    PairRange const& range() const { return range_; }
    /// Source and arguments for a step that fills slots as it moves particles: see `fill_slot`. In a periodic box, a
    /// slot's position does not depend on other particles.
    bool can_be_filled_by_steps() const { return has_cutoff() && range_.is_periodic; }
    std::string slot_defines() const {
        return "#define USE_PERIODIC\n#define USE_CUTOFF\n#define HALF_SKIN " + half_skin() + '\n';
    }
    static constexpr char const* slot_parameters =
        "GLOBAL const coordinate4* RESTRICT box, GLOBAL const int* RESTRICT slot_of, GLOBAL int4* RESTRICT slots, "
        "GLOBAL const coordinate4* RESTRICT built, GLOBAL int* RESTRICT list_marks";
    void append_slots(std::vector<Argument>& arguments, Engine<Q>& engine) const {
        append_for<ParameterList<slot_parameters>>(arguments, engine.box, order_.slot_of(), slots_, built_, marks_);
    }
    /// Fills the slots in a separate launch.
    void fill(Engine<Q>& engine) {
        measure(engine);
        launch<"fill_slots">(engine.queue, slot_kernels_, grid_for(engine.queue.properties(), engine.padded),
                             engine.positions, gaps_.moves(), engine.box, marks_, extents_, order_.atoms(), slots_,
                             built_, built_box_);
        was_filled(engine);
    }
    /// Marks the slots as filled by a step.
    void was_filled(Engine<Q> const& engine) { filled_for_ = engine.state.motions(); }
    bool is_filled(Engine<Q> const& engine) const { return filled_for_ == engine.state.motions(); }
    /// The particle in each slot.
    Array<Q, std::int32_t> const& order() const { return order_.atoms(); }
    /// Definitions for `kernels::pairs` and pair loops.
    std::string const& defines() const { return defines_; }

    /// Slots are sorted every `steps_per_sort` steps of the Context, regardless of additional force evaluations.
    bool sort_is_due(std::int64_t step_count) const {
        return has_cutoff() && (!sorted_at_ || step_count < *sorted_at_ || step_count >= *sorted_at_ + steps_per_sort);
    }
    /// Sorts particles; if lists exist, waits for the device and enlarges the pool if needed.
    void sort(Engine<Q>& engine) {
        sorted_at_.reset();  // in case of an exception
        filled_for_.reset();
        if (is_sized_ && pool_.is_nearly_full(engine.queue)) size(engine);
        if (gaps_.are_closed() && engine.state.is_on_device()) {  // gaps are checked only here
            std::vector<Vec3<>> positions;
            engine.state.copy_positions(positions);
            choose_gaps(engine, positions);
        }
        measure(engine);
        order_.sort(engine, sort_program_, gaps_.moves(), extents_, built_box_);
        bound_partners(engine);
        sorted_at_ = engine.host.step_count;
    }
    /// Call before each evaluation: fills slots, and rebuilds lists if due.
    void update(Engine<Q>& engine) {
        if (!has_cutoff()) return;
        if (gaps_.are_closed() && !engine.state.is_on_device()) choose_gaps(engine, engine.host.positions);
        if (sort_is_due(engine.host.step_count)) sort(engine);
        refresh(engine);
        if (!is_sized_) size(engine), refresh(engine);
    }
    /// Saves what the lists, and thus the last bits of forces, depend on.
    template <class Archive> void save(Engine<Q>& engine, Archive& archive) {
        bool const has_lists = sorted_at_ && is_sized_;
        archive.put(has_lists);
        if (!has_lists) return;
        archive.put(*sorted_at_);
        archive.put(order_.download(engine.queue));
        archive.put(built_.download(engine.queue));
        archive.put(built_box_.download(engine.queue));
        archive.put(std::int32_t{pool_.capacity()});
        archive.put(std::int64_t{parts_});
        archive.put(gaps_.positions());
    }
    /// Rebuilds the lists from the positions of their last build, which the engine's arrays of positions and box hold
    /// afterwards.
    template <class Archive> void load(Engine<Q>& engine, Archive& archive) {
        sorted_at_.reset();
        is_sized_ = false;
        if (has_cutoff()) pool_.allocate(engine.queue, 0);
        if (!archive.template get<bool>()) return;
        sorted_at_ = archive.template get<std::int64_t>();
        is_sized_ = true;
        auto const atoms = archive.template get_vector<std::int32_t>();
        auto const built = archive.template get_vector<double>(), box = archive.template get_vector<double>();
        order_.upload(engine.queue, atoms);
        if (built.size() != 4 * engine.padded || box.size() != 12 * copies_)
            throw InputError("the checkpoint has lists of pairs of another System");
        pool_.allocate(engine.queue, archive.template get<std::int32_t>());
        set_parts(static_cast<std::int32_t>(archive.template get<std::int64_t>()));
        if (gaps_.set(engine, archive.template get_vector<Vec3<>>())) make_outdated(engine);
        bound_partners(engine);
        built_box_.clear(engine.queue);
        if (box[0] == 0) return;  // sorted, but not built since
        std::vector<double> positions(4 * engine.padded);
        for (std::size_t slot = 0; slot < engine.padded; ++slot)
            std::copy_n(&built[4 * slot], 4, &positions[4 * static_cast<std::size_t>(atoms[slot])]);
        engine.state.show(positions, {box.begin(), box.begin() + 12});
        refresh(engine);
    }

    /// For pair loops: each item takes 32 lockstep work-items, and a work-group has `warps` times 32.
    std::size_t items() const {
        return groups_ * slot_splits_ * static_cast<std::size_t>(parts_) * static_cast<std::size_t>(splits_);
    }
    std::size_t warps() const { return division_.warps(); }
    std::vector<Argument> arguments(Engine<Q>& engine) {
        item_count_ = static_cast<std::int32_t>(items());
        auto result = list_for<ParameterList<loop_parameters>>(engine.positions, engine.box, marks_, slots_,
                                                               item_count_, parts_, splits_);
        if (has_cutoff())
            append_for<ParameterList<list_parameters>>(result, starts_, partners_, order_.slot_of(), spans_,
                                                       pool_.used(), pool_.entries(), centers_, halves_,
                                                       pool_.capacity());
        else
            append_for<ParameterList<exclusion_parameters>>(result, exclusion_words_);
        return result;
    }

private:
    static constexpr std::int64_t steps_per_sort = 500;
    static constexpr std::size_t extents = 32;  // partial extents

    static std::string literal(double value) { return "((real) " + expression::literal(value, {}) + ')'; }
    bool has_cutoff() const { return range_.cutoff > 0; }
    // Half of the skin, less a margin for rounding.
    std::string half_skin() const { return "((coordinate) " + std::to_string(0.49 * skin()) + ')'; }
    // Wide enough for several steps of 4 fs in water; only slots between cutoff and skin cost more.
    double skin() const { return std::min(0.15, 0.25 * range_.cutoff); }
    void choose_gaps(Engine<Q>& engine, std::vector<Vec3<>> const& positions) {
        if (gaps_.choose(engine, positions)) make_outdated(engine);
    }
    // Makes the next `refresh` rebuild the lists.
    void make_outdated(Engine<Q>& engine) {
        built_box_.clear(engine.queue);
        filled_for_.reset();
    }
    void set_parts(std::int32_t parts) {
        parts_ = parts;
        splits_ = division_.splits(parts);
    }
    void measure(Engine<Q>& engine) {
        if (!range_.is_periodic)
            launch<"measure_extent">(engine.queue, slot_kernels_, {extents * copies_, 256}, engine.positions,
                                     gaps_.moves(), extents_);
    }
    void bound_partners(Engine<Q>& engine) {
        launch<"bound_partners">(engine.queue, list_kernels_, grid_for(engine.queue.properties(), engine.padded),
                                 order_.atoms(), order_.slot_of(), starts_, partners_, partner_groups_);
    }
    void refresh(Engine<Q>& engine) {
        auto& queue = engine.queue;
        if (!is_filled(engine)) fill(engine);
        filled_for_.reset();  // used up
        std::size_t const units = static_cast<std::size_t>(queue.properties().compute_units);
        LaunchGrid const bounds{std::min((groups_ + warps() - 1) / warps(), 32 * units), 32 * warps()};
        launch<"bound_groups">(queue, bound_kernels_, bounds, engine.positions, engine.box, marks_, slots_, centers_,
                               halves_);
        if (levels_ > 1)
            launch<"bound_nodes">(queue, node_kernels_, {std::min(nodes_, 32 * units), 64}, marks_, centers_, halves_);
        // Most steps build no lists; more work-groups than run concurrently would then only cost time.
        std::size_t const list_warps = division_.list_warps();
        LaunchGrid const lists{std::min(groups_, (list_warps == 1 ? 32 : 64) * units),
                           queue.properties().warp_size >= 32 ? 32 * list_warps : 1};
        launch<"build_lists">(queue, list_kernels_, lists, engine.positions, engine.box, marks_, slots_, centers_,
                              halves_, starts_, partners_, order_.slot_of(), partner_groups_, built_, built_box_,
                              spans_, pool_.used(), pool_.entries(), pool_.capacity());
    }
    void prepare_lists(Engine<Q>& engine) {
        ExcludedPartners const excluded(range_.exclusions, engine.padded);
        starts_ = Array<Q, std::int32_t>(engine.queue, excluded.starts);
        partners_ = Array<Q, std::int32_t>(engine.queue, excluded.partners);
        if (levels_ > 1) node_kernels_.take(list_program_);
        list_kernels_.take(list_program_);
        partner_groups_ = Array<Q, mm_int2>(engine.queue, engine.padded);
        spans_ = Array<Q, mm_int4>(engine.queue, groups_);
    }
    // Sizes the pool by the present need.
    void size(Engine<Q>& engine) {
        pool_.fit(engine.queue);
        make_outdated(engine);
        if (copies_ == 1) find_parts(engine);
        is_sized_ = true;
    }
    // By the present lists. Copies keep the initial division, since no copy may change another's summation order.
    void find_parts(Engine<Q>& engine) {
        double chunks = 0;
        for (auto const& span : spans_.download(engine.queue)) chunks += (span.y + 31) / 32 + (span.z + 31) / 32;
        set_parts(division_.parts(chunks / static_cast<double>(groups_)));
    }

    PairRange range_;
    std::string defines_;
    SpatialSort<Q> order_;
    Gaps<Q> gaps_;
    std::size_t groups_, copies_, nodes_ = 0, levels_ = 1, slot_splits_ = 1;
    PairDivision division_;
    ChangingNumber<std::int32_t> parts_, splits_, item_count_;
    ListPool<Q> pool_;
    std::optional<std::int64_t> sorted_at_;    // step of the Context
    std::optional<std::uint64_t> filled_for_;  // `motions` of the state
    bool is_sized_ = false;
    Array<Q, std::int32_t> marks_, extents_, starts_, partners_;
    Array<Q, mm_int4> slots_, centers_, spans_;
    Array<Q, mm_float4> halves_;
    Array<Q, mm_int2> partner_groups_;
    Array<Q, std::uint32_t> exclusion_words_;
    NumberArray<Q> built_, built_box_;
    typename Q::Program sort_program_, list_program_;
    SourceKernels<Q, kernels::places> slot_kernels_;
    SourceKernels<Q, kernels::group_bounds> bound_kernels_;
    SourceKernels<Q, kernels::node_bounds> node_kernels_;
    SourceKernels<Q, kernels::lists> list_kernels_;
};

}  // namespace trotter::device
