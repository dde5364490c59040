// A pair loop launched by a force itself, before or after other stages.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <utility>
#include <vector>

#include <trotter/device/pairs/pair_interaction.hpp>
#include <trotter/device/pairs/pairs.hpp>

namespace trotter::device {

/// One interaction with its own loops over a list that may be shared.
template <DeviceQueue Q> class PairStage {
public:
    PairStage(PairInteraction interaction, Engine<Q>& engine) : interaction_(std::move(interaction)) {
        engine.pairs.add_stage(interaction_);
    }
    PairStage(PairStage const&) = delete;
    PairStage& operator=(PairStage const&) = delete;

    PairInteraction const& interaction() const { return interaction_; }

    /// Call when all forces have added their interactions, before the first launch of an evaluation.
    void prepare(PairSums wants, Engine<Q>& engine) {
        if (!list_) list_ = &engine.pairs.list(interaction_, engine);
        if (!loops_.contains(wants))
            loops_.try_emplace(wants, std::vector<PairInteraction const*>{&interaction_}, *list_, wants, engine);
    }
    void launch(PairSums wants, Engine<Q>& engine) {
        engine.pairs.up_to_date(*list_, engine);
        loops_.at(wants).launch(engine);
    }

private:
    PairInteraction interaction_;
    PairList<Q>* list_ = nullptr;
    std::map<PairSums, PairLoop<Q>> loops_;
};

}  // namespace trotter::device
