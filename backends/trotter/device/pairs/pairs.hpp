// All pair interactions of a Context; those of one range are evaluated together.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/core/request.hpp>
#include <trotter/device/pairs/pair_interaction.hpp>
#include <trotter/device/pairs/pair_list.hpp>
#include <trotter/device/pairs/pair_text.hpp>
#include <trotter/device/pairs/spatial_sort.hpp>
#include <trotter/device/runtime/accumulators.hpp>
#include <trotter/device/runtime/launch.hpp>

namespace trotter::device {

/// A compiled loop over the pairs of a list.
template <DeviceQueue Q> class PairLoop {
public:
    PairLoop(std::vector<PairInteraction const*> interactions, PairList<Q>& list, PairSums wants, Engine<Q>& engine)
        : interactions_(std::move(interactions)), list_(&list), wants_(wants), warps_(list.warps()) {
        std::string defines = list.defines();
        std::size_t const bytes = local_bytes_per_warp(interactions_, wants, engine.types.real_is_double ? 8 : 4),
                          most_bytes = 48 << 10;  // CUDA's limit for arrays of constant size
        while (warps_ > 1 && warps_ * bytes > most_bytes) warps_ /= 2;
        if (warps_ != list.warps()) defines += "#undef PAIR_WARPS\n#define PAIR_WARPS " + std::to_string(warps_) + '\n';
        if (interactions_.size() == 1) {
            auto const& occupancy = interactions_[0]->occupancy;
            item_splits_ = static_cast<std::size_t>(occupancy.item_splits);
            if (occupancy.groups > 0)
                defines += "#undef PAIR_GROUPS\n#define PAIR_GROUPS " + std::to_string(occupancy.groups) + '\n';
        }
        defines += "#define ITEM_SPLITS " + std::to_string(item_splits_) + '\n';
        auto const program =
            engine.compile(std::string(kernels::frames) + kernels::pairs + pair_text(interactions_, wants), defines);
        kernel_ = program.kernel("evaluate_pairs");
    }

    /// The list must be up to date.
    void launch(Engine<Q>& engine) {
        auto arguments = list_->arguments(engine);
        bool const wants_energies = wants_ == PairSums::energies;
        bool const adds = std::any_of(interactions_.begin(), interactions_.end(),
                                      [](auto const* i) { return i->adds_to_particles(); });
        if (adds && !wants_energies) append_for<ParameterList<force_parameter>>(arguments, engine.forces);
        if (wants_energies) append_for<ParameterList<sum_parameter>>(arguments, engine.sums);
        for (auto const* interaction : interactions_)
            for (auto const& parameter : interaction->parameters) arguments.push_back(parameter.array());
        for (auto const* interaction : interactions_)
            for (auto const& argument : interaction->arguments) arguments.push_back(argument.value());
        std::size_t const most = wants_energies ? Accumulators<Q>::width : std::size_t(1) << 24;
        engine.queue.launch(kernel_, {std::min((item_splits_ * list_->items() + warps_ - 1) / warps_, most), 32 * warps_}, arguments);
    }

private:
    std::vector<PairInteraction const*> interactions_;
    PairList<Q>* list_;
    PairSums wants_;
    std::size_t warps_, item_splits_ = 1;
    typename Q::Kernel kernel_;
};

/// Pair lists and interactions. Forces with their own pair loops call `list`, and `up_to_date` before use; others add a
/// PairInteraction, which is evaluated at the end of an evaluation.
template <DeviceQueue Q> class Pairs {
public:
    /// Returns the index of the interaction, which is evaluated with all others of its range.
    int add(PairInteraction interaction) {
        interactions_.push_back(std::move(interaction));
        return static_cast<int>(interactions_.size()) - 1;
    }
    /// Replaces an interaction's source and parameters; its range and force group stay.
    void replace(int number, PairInteraction interaction) {
        interactions_[static_cast<std::size_t>(number)] = std::move(interaction);
        loops_.clear();
    }
    /// Call when a force's own loop is created, so that its list exists when a checkpoint is loaded before the first
    /// evaluation.
    void add_stage(PairInteraction const& interaction) {
        Wanted wanted{interaction.range, ignores_exclusions(interaction)};
        if (std::find(stages_.begin(), stages_.end(), wanted) == stages_.end()) stages_.push_back(std::move(wanted));
    }
    PairInteraction const& interaction(int number) const { return interactions_[static_cast<std::size_t>(number)]; }

    /// The list for an interaction, possibly shared; its address is stable. An interaction that ignores exclusions
    /// takes any list of its range, so call this when all interactions are known.
    PairList<Q>& list(PairInteraction const& interaction, Engine<Q>& engine) {
        find_lists(engine);
        return find_list({interaction.range, ignores_exclusions(interaction)}, engine);
    }

    /// Call before an evaluation: makes lists and loops for it.
    void prepare(Engine<Q>& engine, Request const& request) {
        for_wanted_loops(engine, request, [](PairList<Q>&, PairLoop<Q>&) {});
        for (auto& entry : lists_) entry.is_up_to_date = false;
    }
    /// Updates slots and list for the present positions, once per evaluation.
    void up_to_date(PairList<Q>& list, Engine<Q>& engine) {
        for (auto& entry : lists_)
            if (&entry.list == &list && !std::exchange(entry.is_up_to_date, true)) list.update(engine);
    }

    void launch_wanted(Engine<Q>& engine, Request const& request) {
        for_wanted_loops(engine, request, [&](PairList<Q>& list, PairLoop<Q>& loop) {
            up_to_date(list, engine);
            loop.launch(engine);
        });
    }
    /// Whether `sort` must be called before a step, since recorded work cannot sort.
    bool sort_is_due(std::int64_t step_count) const {
        return std::any_of(lists_.begin(), lists_.end(),
                           [&](auto const& entry) { return entry.list.sort_is_due(step_count); });
    }
    /// Sorts by the engine's positions and box.
    void sort(Engine<Q>& engine) {
        for (auto& entry : lists_)
            if (entry.list.sort_is_due(engine.host.step_count)) entry.list.sort(engine);
    }
    /// The list whose slots a step may fill as it moves particles: the only one, if periodic; otherwise null.
    PairList<Q>* filled_by_steps(Engine<Q>& engine) {
        find_lists(engine);
        return lists_.size() == 1 && lists_.front().list.can_be_filled_by_steps() ? &lists_.front().list : nullptr;
    }
    /// The particles in an order in which neighbors are close to each other, if there is a list with a cutoff; constant
    /// until the evaluation ends.
    Array<Q, std::int32_t> const& order(Engine<Q>& engine) {
        find_lists(engine);
        sort(engine);
        for (auto const& entry : lists_)
            if (entry.list.range().cutoff > 0) return entry.list.order();
        if (!own_order_) own_order_.emplace(engine);
        return own_order_->atoms();
    }

    template <class Archive> void save(Engine<Q>& engine, Archive& archive) {
        find_lists(engine);
        for (auto& entry : lists_) entry.list.save(engine, archive);
    }
    template <class Archive> void load(Engine<Q>& engine, Archive& archive) {
        find_lists(engine);
        for (auto& entry : lists_) entry.list.load(engine, archive);
    }

private:
    struct Entry {
        PairList<Q> list;
        bool is_up_to_date = false;
    };
    template <class Visit>
    void for_wanted_loops(Engine<Q>& engine, Request const& request, Visit const& visit) {
        find_lists(engine);
        for (auto& entry : lists_) {
            std::vector<std::size_t> together;
            for (std::size_t k = 0; k < interactions_.size(); ++k)
                if (lists_of_[k] == &entry.list && request.wants(interactions_[k].force, interactions_[k].group))
                    together.push_back(k);
            if (together.empty()) continue;
            visit(entry.list, loop(together, entry.list, PairSums::forces, engine));
            if (request.energy || request.parameter_derivatives)
                visit(entry.list, loop(together, entry.list, PairSums::energies, engine));
        }
    }
    /// The list that an interaction needs.
    struct Wanted {
        PairRange range;
        bool ignores_exclusions = false;

        friend bool operator==(Wanted const&, Wanted const&) = default;
    };
    static bool ignores_exclusions(PairInteraction const& interaction) {
        return interaction.range.exclusions.empty() && interaction.sees_excluded && !names(interaction.text, "isExcluded");
    }
    void find_lists(Engine<Q>& engine) {
        if (lists_of_.size() == interactions_.size() && known_stages_ == stages_.size()) return;
        std::vector<Wanted> wanted;
        for (auto const& interaction : interactions_) wanted.push_back({interaction.range, ignores_exclusions(interaction)});
        wanted.insert(wanted.end(), stages_.begin(), stages_.end());
        for (auto const& one : wanted)
            if (!one.range.exclusions.empty()) find_list(one, engine);
        for (auto const& one : wanted) find_list(one, engine);
        for (std::size_t k = lists_of_.size(); k < interactions_.size(); ++k)
            lists_of_.push_back(&find_list(wanted[k], engine));
        known_stages_ = stages_.size();
    }
    PairList<Q>& find_list(Wanted const& wanted, Engine<Q>& engine) {
        auto const& range = wanted.range;
        for (auto& entry : lists_) {
            auto const& other = entry.list.range();
            if (other == range
                || (wanted.ignores_exclusions && other.cutoff == range.cutoff && other.is_periodic == range.is_periodic))
                return entry.list;
        }
        return lists_.emplace_back(Entry{PairList<Q>(range, engine), false}).list;
    }
    PairLoop<Q>& loop(std::vector<std::size_t> const& together, PairList<Q>& list, PairSums wants, Engine<Q>& engine) {
        std::pair const key{together, wants};
        auto const place = loops_.find(key);
        if (place != loops_.end()) return place->second;
        std::vector<PairInteraction const*> interactions;
        for (std::size_t const k : together) interactions.push_back(&interactions_[k]);
        return loops_.emplace(key, PairLoop<Q>(interactions, list, wants, engine)).first->second;
    }

    std::deque<PairInteraction> interactions_;  // elements keep their addresses
    std::vector<Wanted> stages_;
    std::size_t known_stages_ = 0;  // that have lists
    std::deque<Entry> lists_;
    std::vector<PairList<Q>*> lists_of_;       // of each interaction
    std::optional<SpatialSort<Q>> own_order_;  // if no list has one
    std::map<std::pair<std::vector<std::size_t>, PairSums>, PairLoop<Q>> loops_;
};

}  // namespace trotter::device
