// Which pairs are in range, found and kept on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/array.hpp>
#include <trotter/device/changing_number.hpp>
#include <trotter/device/launch.hpp>
#include <trotter/device/pairs/interaction.hpp>
#include <trotter/device/pairs/order.hpp>
#include <trotter/error.hpp>
#include <trotter/host/near_positions.hpp>
#include <trotter/kernels/lists.hpp>
#include <trotter/kernels/pairs.hpp>
#include <trotter/kernels/places.hpp>
#include <trotter/kernels/sort.hpp>
#include <trotter/kernels/tree.hpp>

namespace trotter::device {

/// The lists of one range. They reach farther than the cutoff, by a skin, and are built anew where a particle has
/// crossed half of it; the device decides. Where they have no room, groups meet all others whose boxes are in range,
/// until particles are sorted the next time: nothing is ever missed, and when there is room again depends on the steps
/// alone, not on who looked at the forces.
template <DeviceQueue Q> class PairList {
public:
    template <class Engine> PairList(PairRange range, Engine& engine)
        : range_(std::move(range)),
          order_(engine),
          groups_(engine.padded / 32),
          copies_(static_cast<std::size_t>(engine.host.copies)),
          parts_(engine.queue.version()),
          splits_(engine.queue.version()),
          capacity_(engine.queue.version()),
          marks_(engine.queue, std::vector<std::int32_t>(4 * copies_)),
          extents_(engine.queue, extents * copies_),
          slots_(engine.queue, engine.padded) {
        for (std::size_t n = (groups_ / copies_ + 63) / 64; n > 32; n = (n + 31) / 32) nodes_ += n, ++levels_;
        if (copies_ > 1 && levels_ > 1)
            throw UnsupportedError("replicas of " + std::to_string(engine.host.size() / copies_)
                                   + " particles each are too large for one batch, which takes 65536 at most");
        list_warps_ = list_warps_for(engine.queue.facts());
        if (has_cutoff())
            defines_ += "#define USE_CUTOFF\n#define CUTOFF " + literal(range_.cutoff) + "\n#define CUTOFF_SQUARED "
                        + literal(range_.cutoff * range_.cutoff) + "\n#define LIST_RANGE "
                        + literal(range_.cutoff + skin()) + "\n#define LIST_WARPS " + std::to_string(list_warps_)
                        + "\n#define LIST_ROOM " + std::to_string(list_room()) + "\n#define NODE_LEVELS "
                        + std::to_string(levels_) + "\n#define HALF_SKIN " + half_skin() + '\n';
        if (range_.is_periodic) defines_ += "#define USE_PERIODIC\n";
        warps_ = engine.queue.facts().simt_width >= 32 ? 4 : 1;
        bool const are_many = groups_ >= std::size_t{16} * static_cast<std::size_t>(engine.queue.facts().compute_units);
        defines_ +=
            "#define PAIR_WARPS " + std::to_string(warps_) + "\n#define PAIR_GROUPS " + (are_many ? "6\n" : "7\n");
        std::string const begin = std::string(kernels::frames) + kernels::pairs;
        auto place_program = engine.compile(begin + kernels::extents + kernels::places, defines_);
        measure_ = place_program.kernel("measure_extent");
        place_ = place_program.kernel("place_slots");
        if (has_cutoff()) {
            bound_groups_ = place_program.kernel("bound_groups");
            sort_program_ = engine.compile(begin + kernels::extents + kernels::sort, defines_);
            list_program_ = engine.compile(begin + kernels::tree + kernels::lists, defines_);
        }
        built_ = NumberArray<Q>(engine.queue, has_cutoff() ? 4 * engine.padded : 4, engine.types.coordinate_is_double);
        built_box_ = NumberArray<Q>(engine.queue, 12 * copies_, engine.types.coordinate_is_double);
        gaps_ = NumberArray<Q>(engine.queue, {0, 0, 0, 0}, engine.types.coordinate_is_double);
        built_.clear(engine.queue);
        built_box_.clear(engine.queue);
        centers_ = Array<Q, mm_int4>(engine.queue, has_cutoff() ? groups_ + nodes_ : 1);
        halves_ = Array<Q, mm_float4>(engine.queue, has_cutoff() ? groups_ + nodes_ : 1);
        parts_ = parts_for(engine.queue.facts(), static_cast<double>(groups_ / copies_) / 2 + 1);
        splits_ = splits_for(engine.queue.facts());
        if (engine.queue.facts().simt_width >= 32 && !engine.types.real_is_double)
            while (slot_splits_ < 8 && items() < static_cast<std::size_t>(engine.queue.facts().compute_units))
                slot_splits_ *= 2;
        defines_ += "#define SLOT_SPLITS " + std::to_string(slot_splits_) + '\n';
        if (has_cutoff())
            prepare_lists(engine);
        else
            number_slots(engine);
    }

    PairRange const& range() const { return range_; }
    /// Text and arguments for a step that puts particles into their slots as it moves them: see `place_particle`. Where
    /// the frame is that of a periodic box, no other particle has a say in where a slot is.
    bool can_be_placed_by_steps() const { return has_cutoff() && range_.is_periodic; }
    std::string placing_defines() const {
        return "#define USE_PERIODIC\n#define USE_CUTOFF\n#define HALF_SKIN " + half_skin() + '\n';
    }
    static constexpr char const* placing_parameters =
        ", GLOBAL const coordinate4* RESTRICT box, GLOBAL const int* RESTRICT slot_of, GLOBAL int4* RESTRICT slots, "
        "GLOBAL const coordinate4* RESTRICT built, GLOBAL int* RESTRICT list_marks";
    template <class Engine> std::array<Argument, 5> placing_arguments(Engine& engine) const {
        return {engine.box.argument(), order_.slot_of().argument(), slots_.argument(), built_.argument(),
                marks_.argument()};
    }
    /// The same in a launch of its own.
    template <class Engine> void place(Engine& engine) {
        measure(engine);
        launch(engine.queue, place_, groups_for(engine.queue.facts(), engine.padded), engine.positions, gaps_, engine.box,
               marks_, extents_, order_.atoms(), slots_, built_, built_box_);
        was_placed(engine);
    }
    /// Particles are in their slots: a step has put them there as it moved them.
    template <class Engine> void was_placed(Engine const& engine) { placed_for_ = engine.state.motions(); }
    template <class Engine> bool is_placed(Engine const& engine) const { return placed_for_ == engine.state.motions(); }
    /// The particle in each slot.
    Array<Q, std::int32_t> const& order() const { return order_.atoms(); }
    /// In front of the text of `kernels::pairs` and of what loops over pairs.
    std::string const& defines() const { return defines_; }

    /// Slots are sorted anew after so many steps of the Context, however often forces were evaluated in between.
    bool sort_is_due(std::int64_t step_count) const {
        return has_cutoff() && (!sorted_at_ || step_count < *sorted_at_ || step_count >= *sorted_at_ + steps_per_sort);
    }
    /// Waits for the device where there are lists, and makes room for more if they need it.
    template <class Engine> void sort(Engine& engine) {
        sorted_at_.reset();  // should it fail
        placed_for_.reset();
        if (is_sized_ && used(engine) > 0.8 * capacity_) size(engine);
        if (closes_gaps() && engine.state.is_on_device()) {
            std::vector<Vec3<>> positions;
            engine.state.copy_positions(positions);
            choose_gaps(engine, positions);
        }
        measure(engine);
        order_.sort(engine, sort_program_, gaps_, extents_, built_box_);
        bound_partners(engine);
        sorted_at_ = engine.host.step_count;
    }
    /// Before each evaluation: places in slots, and lists where they are due.
    template <class Engine> void update(Engine& engine) {
        if (!has_cutoff()) return;
        if (closes_gaps() && !engine.state.is_on_device()) choose_gaps(engine, engine.host.positions);
        if (sort_is_due(engine.host.step_count)) sort(engine);
        refresh(engine);
        if (!is_sized_) size(engine), refresh(engine);
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
        archive.put(std::int32_t{capacity_});
        archive.put(std::int64_t{parts_});
        archive.put(positions_of_gaps_);
    }
    /// Builds the lists from the positions that they were built from; the engine's arrays of positions and box hold
    /// these afterwards.
    template <class Engine, class Archive> void load(Engine& engine, Archive& archive) {
        sorted_at_.reset();
        is_sized_ = false;
        if (has_cutoff()) allocate(engine, 0);
        if (!archive.template get<bool>()) return;
        sorted_at_ = archive.template get<std::int64_t>();
        is_sized_ = true;
        auto const atoms = archive.template get_vector<std::int32_t>();
        auto const built = archive.template get_vector<double>(), box = archive.template get_vector<double>();
        check_order(atoms, engine.padded);
        if (built.size() != 4 * engine.padded || box.size() != 12 * copies_)
            throw InputError("the checkpoint has lists of pairs of another System");
        allocate(engine, archive.template get<std::int32_t>());
        parts_ = static_cast<std::int32_t>(archive.template get<std::int64_t>());
        splits_ = splits_for(engine.queue.facts());
        set_gaps(engine, archive.template get_vector<Vec3<>>());
        order_.upload(engine.queue, atoms);
        bound_partners(engine);
        built_box_.clear(engine.queue);
        if (box[0] == 0) return;  // sorted, but not built since
        std::vector<double> positions(4 * engine.padded);
        for (std::size_t slot = 0; slot < engine.padded; ++slot)
            std::copy_n(&built[4 * slot], 4, &positions[4 * static_cast<std::size_t>(atoms[slot])]);
        engine.state.show(positions, {box.begin(), box.begin() + 12});
        refresh(engine);
    }

    /// For a loop over all pairs: each item takes 32 work-items that go in step, and a work-group has `warps` times 32.
    std::size_t items() const {
        return groups_ * slot_splits_ * static_cast<std::size_t>(parts_) * static_cast<std::size_t>(splits_);
    }
    std::size_t warps() const { return warps_; }
    template <class Engine> std::vector<Argument> arguments(Engine& engine) {
        item_count_ = static_cast<std::int32_t>(items());
        std::vector<Argument> result{engine.positions.argument(), engine.box.argument(),   marks_.argument(),
                                     slots_.argument(),           argument_of(item_count_), parts_.argument(),
                                     splits_.argument()};
        if (has_cutoff())
            result.insert(result.end(), {starts_.argument(), partners_.argument(), order_.slot_of().argument(),
                                         spans_.argument(), used_.argument(), pool_.argument(), centers_.argument(),
                                         halves_.argument(), capacity_.argument()});
        else
            result.push_back(exclusion_words_.argument());
        return result;
    }

private:
    static constexpr std::int64_t steps_per_sort = 500;
    static constexpr double gap = 200;  // as wide as gaps are left: far more than particles go between two sorts [nm]
    static constexpr std::size_t extents = 32;                       // that are measured apart
    static constexpr double most_capacity = 2e9;                     // starts of lists are 32-bit numbers
    static constexpr std::size_t most_words = std::size_t{1} << 30;  // their places are 32-bit numbers

    static std::string literal(double value) {
        char text[64];
        std::snprintf(text, sizeof text, "((real) %.17e)", value);
        return text;
    }
    bool has_cutoff() const { return range_.cutoff > 0; }
    // Half of the skin but for a margin for rounding.
    std::string half_skin() const { return "((coordinate) " + std::to_string(0.49 * skin()) + ')'; }
    // Wide enough for several steps of 4 fs in water; only the slots between cutoff and skin cost more.
    double skin() const { return std::min(0.15, 0.25 * range_.cutoff); }
    // Lists are split into items that stand side by side on the device: 28 on each multiprocessor, or what
    // PAIR_BOUNDS has room for.
    // Where that splits little, six chunks or fewer stay together, so that items end at about the same time; twelve
    // where there are three rounds of items, which even that out.
    std::int32_t parts_for(DeviceFacts const& facts, double chunks) const {
        double const places = 28.0 * facts.compute_units, groups = static_cast<double>(groups_);
        double const short_enough = groups < 3 * places ? std::ceil(chunks / 6) : chunks / 12;
        return static_cast<std::int32_t>(
            std::clamp(std::max(short_enough, std::min(chunks, places / groups)), 1.0, 1e4));
    }
    // Where there are few lists, more warps work on each: enough for all multiprocessors to change between, but no more
    // than four where those have lists of their own anyway.
    std::size_t list_warps_for(DeviceFacts const& facts) const {
        if (facts.simt_width < 32) return 1;
        std::size_t const units = static_cast<std::size_t>(facts.compute_units);
        std::size_t result = 1;
        while (result < 4 && groups_ * result < 48 * units) result *= 2;
        return groups_ < 2 * units ? 8 : result;
    }
    // Entries that each warp keeps: more than a list of water at 1 nm has, and few enough for 32 lists in 228 KB.
    std::size_t list_room() const { return list_warps_ == 1 ? 1184 : 2048 / list_warps_; }
    // Octets of a list are divided where there are fewer items than multiprocessors, and then their particles: by the
    // text, so by what is known before there are lists; not in double, where it shows that each item's sums are
    // rounded.
    std::int32_t splits_for(DeviceFacts const& facts) const {
        std::int32_t result = 1;
        while (result < 4 && groups_ * static_cast<std::size_t>(parts_ * result) < static_cast<std::size_t>(facts.compute_units))
            result *= 2;
        return result;
    }
    static void check_order(std::vector<std::int32_t> const& atoms, std::size_t count) {
        std::vector<bool> seen(count);
        for (auto const atom : atoms)
            if (atom >= 0 && static_cast<std::size_t>(atom) < count) seen[static_cast<std::size_t>(atom)] = true;
        if (atoms.size() != count || std::find(seen.begin(), seen.end(), false) != seen.end())
            throw InputError("the checkpoint has an order of particles of another System");
    }

    bool closes_gaps() const { return has_cutoff() && !range_.is_periodic; }
    // Gaps are closed anew where some particle has gone so far that one on the other side of a gap may soon be in range:
    // a state on the device is looked at when its particles are sorted.
    template <class Engine> void choose_gaps(Engine& engine, std::vector<Vec3<>> const& positions) {
        bool hold = !positions_of_gaps_.empty();
        for (std::size_t i = 0; hold && i < positions.size(); ++i) {
            Vec3<> const d = positions[i] - positions_of_gaps_[i];
            hold = std::abs(d.x) < gap / 4 && std::abs(d.y) < gap / 4 && std::abs(d.z) < gap / 4;
        }
        if (!hold) set_gaps(engine, positions);
    }
    // Those of these positions; they are kept where there are any gaps.
    template <class Engine> void set_gaps(Engine& engine, std::vector<Vec3<>> const& positions) {
        std::vector<double> numbers{0, 0, 0, 0};
        auto const put = [&](Vec3<> const& v) { numbers.insert(numbers.end(), {v.x, v.y, v.z, 0}); };
        std::size_t const each = positions.size() / copies_;
        for (std::size_t copy = 0; copy < copies_ && each > 0; ++copy) {
            auto const first = positions.begin() + static_cast<std::ptrdiff_t>(copy * each);
            NearPositions near;
            near.close_gaps({first, first + static_cast<std::ptrdiff_t>(each)}, gap + 2 * range_.cutoff);
            if (near.are_moved()) numbers[0] = 1;
            for (std::size_t n = 0; n < each; ++n) {
                put(near.are_moved() ? near.from()[n] : Vec3<>{});
                put(near.are_moved() ? near.to()[n] : Vec3<>{});
            }
        }
        bool const are_there = numbers[0] != 0;
        if (!are_there && positions_of_gaps_.empty()) return;
        gaps_.upload(engine.queue, numbers);
        positions_of_gaps_ = are_there ? positions : std::vector<Vec3<>>{};
        built_box_.clear(engine.queue);
        placed_for_.reset();
    }

    template <class Engine> void measure(Engine& engine) {
        if (!range_.is_periodic) launch(engine.queue, measure_, {extents * copies_, 256}, engine.positions, gaps_,
                                         extents_);
    }
    template <class Engine> void bound_partners(Engine& engine) {
        launch(engine.queue, bound_partners_, groups_for(engine.queue.facts(), engine.padded), order_.atoms(),
               order_.slot_of(), starts_, partners_, partner_groups_);
    }
    template <class Engine> void refresh(Engine& engine) {
        auto& queue = engine.queue;
        if (!is_placed(engine)) place(engine);
        placed_for_.reset();  // they are used up
        std::size_t const units = static_cast<std::size_t>(queue.facts().compute_units);
        Groups const bounds{std::min((groups_ + warps_ - 1) / warps_, 32 * units), 32 * warps_};
        launch(queue, bound_groups_, bounds, engine.positions, engine.box, marks_, slots_, centers_, halves_);
        if (levels_ > 1) launch(queue, bound_nodes_, {std::min(nodes_, 32 * units), 64}, marks_, centers_, halves_);
        // Most steps build no lists, and then groups that do not stand side by side only take time.
        Groups const lists{std::min(groups_, (list_warps_ == 1 ? 32 : 64) * units),
                           queue.facts().simt_width >= 32 ? 32 * list_warps_ : 1};
        launch(queue, build_, lists, engine.positions, engine.box, marks_, slots_, centers_, halves_, starts_,
               partners_, order_.slot_of(), partner_groups_, built_, built_box_, spans_, used_, pool_, capacity_);
    }
    template <class Engine> void upload_exclusions(Engine& engine) {
        std::vector<std::int32_t> starts, partners;
        for (std::size_t i = 0; i <= engine.padded; ++i) {
            starts.push_back(static_cast<std::int32_t>(partners.size()));
            if (i < range_.exclusions.size())
                partners.insert(partners.end(), range_.exclusions[i].begin(), range_.exclusions[i].end());
        }
        partners.resize(std::max<std::size_t>(partners.size(), 1));
        starts_ = Array<Q, std::int32_t>(engine.queue, starts);
        partners_ = Array<Q, std::int32_t>(engine.queue, partners);
    }
    // Without a cutoff particles stay in their slots, and what is excluded is known beforehand: a word for each group
    // from the first to the last that has partners of a particle.
    template <class Engine> void number_slots(Engine& engine) {
        auto const atoms = order_.download(engine.queue), slot_of = order_.download_slots(engine.queue);
        std::vector<mm_int4> slots(engine.padded);
        std::vector<std::uint32_t> words;
        for (std::size_t n = 0; n < slots.size(); ++n) {
            auto const atom = static_cast<std::size_t>(atoms[n]);
            slots[n] = {0, -1, 0, atoms[n]};
            if (atom >= range_.exclusions.size() || range_.exclusions[atom].empty()) continue;
            auto slot_of_partner = [&](int partner) { return slot_of[static_cast<std::size_t>(partner)]; };
            auto const& partners = range_.exclusions[atom];
            std::int32_t const first = slot_of_partner(partners.front()) / 32,
                               last = slot_of_partner(partners.back()) / 32;
            std::size_t const begin = words.size();
            if (begin >= most_words)
                throw UnsupportedError("exclusions between particles without a cutoff reach over too many others");
            slots[n] = {first, last, static_cast<std::int32_t>(begin), atoms[n]};
            words.resize(begin + static_cast<std::size_t>(last - first) + 1);
            for (int const partner : partners) {
                std::int32_t const slot = slot_of_partner(partner);
                words[begin + static_cast<std::size_t>(slot / 32 - first)] |= 1u << (slot % 32);
            }
        }
        slots_.upload(engine.queue, slots);
        words.resize(std::max<std::size_t>(words.size(), 1));
        exclusion_words_ = Array<Q, std::uint32_t>(engine.queue, words);
    }
    template <class Engine> void prepare_lists(Engine& engine) {
        upload_exclusions(engine);
        if (levels_ > 1) bound_nodes_ = list_program_.kernel("bound_nodes");
        build_ = list_program_.kernel("build_lists");
        bound_partners_ = list_program_.kernel("bound_partners");
        partner_groups_ = Array<Q, mm_int2>(engine.queue, engine.padded);
        spans_ = Array<Q, mm_int4>(engine.queue, groups_);
        used_ = Array<Q, mm_ulong>(engine.queue, std::vector<mm_ulong>(2 * copies_));
        allocate(engine, 0);
    }
    // `capacity` is that of each copy.
    template <class Engine> void allocate(Engine& engine, std::int32_t capacity) {
        capacity_ = capacity;
        pool_ = Array<Q, std::uint32_t>(engine.queue,
                                        std::max<std::size_t>(copies_ * static_cast<std::size_t>(capacity), 1));
    }
    // What the newest lists need of the pool, those of the copy that needs most, whether or not there was so much: the
    // other of its two numbers is 0.
    template <class Engine> double used(Engine& engine) {
        double most = 0;
        auto const both = used_.download(engine.queue);
        for (std::size_t n = 0; n < both.size(); n += 2)
            most = std::max(most, static_cast<double>(both[n]) + static_cast<double>(both[n + 1]));
        return most;
    }
    // Half more than is needed now; the next `refresh` builds.
    template <class Engine> void size(Engine& engine) {
        double const wanted = 1.5 * used(engine) + 1024;
        built_box_.clear(engine.queue);
        placed_for_.reset();
        if (wanted * static_cast<double>(copies_) < most_capacity)
            allocate(engine, std::max<std::int32_t>(capacity_, static_cast<std::int32_t>(wanted)));
        if (copies_ == 1) find_parts(engine);
        is_sized_ = true;
    }
    // By the lists as they are. Copies keep to what was chosen before, since none may change what others sum up.
    template <class Engine> void find_parts(Engine& engine) {
        double chunks = 0;
        for (auto const& span : spans_.download(engine.queue)) chunks += (span.y + 31) / 32 + (span.z + 31) / 32;
        parts_ = parts_for(engine.queue.facts(), chunks / static_cast<double>(groups_));
        splits_ = splits_for(engine.queue.facts());
    }

    PairRange range_;
    std::string defines_;
    SlotOrder<Q> order_;
    std::size_t groups_, copies_, nodes_ = 0, levels_ = 1, slot_splits_ = 1, warps_ = 1, list_warps_ = 1;
    ChangingNumber<std::int32_t> parts_, splits_, capacity_;
    std::int32_t item_count_ = 0;  // follows from these
    std::optional<std::int64_t> sorted_at_;    // of the Context's steps
    std::optional<std::uint64_t> placed_for_;  // the motions of the state
    bool is_sized_ = false;
    Array<Q, std::int32_t> marks_, extents_, starts_, partners_;
    Array<Q, mm_int4> slots_, centers_, spans_;
    Array<Q, mm_float4> halves_;
    Array<Q, mm_int2> partner_groups_;
    Array<Q, mm_ulong> used_;
    Array<Q, std::uint32_t> pool_, exclusion_words_;
    NumberArray<Q> built_, built_box_, gaps_;
    std::vector<Vec3<>> positions_of_gaps_;  // from which these are; none where no gap is closed
    typename Q::Program sort_program_, list_program_;
    typename Q::Kernel measure_, place_, bound_groups_, bound_nodes_, build_, bound_partners_;
};

}  // namespace trotter::device
