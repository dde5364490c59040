// CustomManyParticleForce: sets of particles found from neighbor lists.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include <trotter/forces/custom_many_particle.hpp>
#include <trotter/reference/neighbors.hpp>
#include <trotter/reference/set_energy.hpp>

#include "define_kernel.hpp"

namespace trotter::reference {

/// Order of a set's particles in the formula: the first permutation that the type filters allow, among those made by
/// swapping the first particle with each from the first on, then the second, and so on.
class OrderByTypes {
public:
    explicit OrderByTypes(CustomManyParticleForce const& force) : force_(&force) {
        for (auto const& filter : force.type_filters) has_filters_ = has_filters_ || !filter.empty();
    }

    /// Permutes a set into that order, keeping its first `fixed` particles; returns false if none is allowed.
    bool arrange(std::vector<int>& set, std::size_t fixed) {
        if (!has_filters_) return true;
        types_.clear();
        for (int const particle : set) types_.push_back(force_->particles[static_cast<std::size_t>(particle)].type);
        auto const [place, is_new] = orders_.try_emplace(types_);
        auto& order = place->second;
        if (is_new) {
            order.resize(set.size());
            std::iota(order.begin(), order.end(), 0u);
            for (std::size_t k = 0; k < fixed; ++k)
                if (!force_->allows(k, types_[k])) order.clear();
            if (!order.empty() && !find(order, fixed)) order.clear();
        }
        if (order.empty()) return false;
        sorted_ = set;
        for (std::size_t k = 0; k < set.size(); ++k) set[k] = sorted_[order[k]];
        return true;
    }

private:
    bool find(std::vector<std::size_t>& order, std::size_t k) const {
        if (k == order.size()) return true;
        for (std::size_t i = k; i < order.size(); ++i) {
            std::swap(order[k], order[i]);
            if (force_->allows(k, types_[order[k]]) && find(order, k + 1)) return true;
            std::swap(order[k], order[i]);
        }
        return false;
    }

    CustomManyParticleForce const* force_;
    bool has_filters_ = false;
    std::map<std::vector<int>, std::vector<std::size_t>> orders_;  // by the types of a set; empty: none allowed
    std::vector<int> types_, sorted_;
};

template <> class CompiledKernel<CustomManyParticleForce>::Implementation {
    using Permutations = CustomManyParticleForce::Permutations;

public:
    Implementation(CustomManyParticleForce const& force, Engine<Reference, Double>& engine, Registration who)
        : sets_(force, engine.host, who) {
        collect_exclusions();
    }

    double compute(Engine<Reference, Double>& engine, Request const& request) {
        auto& host = engine.host;
        if (!sets_.begin(host, request)) return 0;
        if (force().particles_per_set > 1) find_neighbors(host);
        double energy = 0;
        for (int i = 0; i < static_cast<int>(force().particles.size()); ++i) {
            set_ = {i};
            std::vector<int> candidates;
            if (force().particles_per_set > 1) candidates = neighbors_[static_cast<std::size_t>(i)];
            if (!is_central())
                candidates.erase(candidates.begin(), std::upper_bound(candidates.begin(), candidates.end(), i));
            energy += add_sets(host, candidates);
        }
        return energy;
    }

    void update(CustomManyParticleForce const& force, Engine<Reference, Double>& engine) {
        sets_.update(force, engine.host);
        order_ = OrderByTypes(sets_.force());
        collect_exclusions();
    }

private:
    CustomManyParticleForce const& force() const { return sets_.force(); }
    bool is_central() const { return force().permutations == Permutations::unique_central; }
    void collect_exclusions() { excluded_ = excluded_partners(force().exclusions, force().particles.size()); }
    bool are_excluded(int i, int j) const {
        auto const& partners = excluded_[static_cast<std::size_t>(i)];
        return std::binary_search(partners.begin(), partners.end(), j);
    }

    // Pairs at the cutoff are out of range.
    void find_neighbors(HostState const& host) {
        neighbors_.assign(force().particles.size(), {});
        auto const take = [&](std::size_t i, std::size_t j) {
            if (are_excluded(static_cast<int>(i), static_cast<int>(j))) return;
            neighbors_[i].push_back(static_cast<int>(j));
            neighbors_[j].push_back(static_cast<int>(i));
        };
        if (force().uses_cutoff()) {
            double const cutoff = force().cutoff_distance;
            reference::for_each_pair({cutoff, force().is_periodic()}, host.positions, host.box,
                                     [&](std::size_t i, std::size_t j, Vec3<> const&, double r2) {
                                         if (r2 < cutoff * cutoff) take(i, j);
                                     });
        } else
            for (std::size_t i = 0; i < neighbors_.size(); ++i)
                for (std::size_t j = 0; j < i; ++j) take(i, j);
        for (auto& list : neighbors_) std::sort(list.begin(), list.end());
    }

    // Energy of all sets that begin with `set_`, continued with ascending candidates.
    double add_sets(HostState& host, std::vector<int> const& candidates) {
        if (set_.size() == static_cast<std::size_t>(force().particles_per_set)) return add_set(host);
        bool const is_last = set_.size() + 1 == static_cast<std::size_t>(force().particles_per_set);
        double energy = 0;
        std::vector<int> next;
        for (auto c = candidates.begin(); c != candidates.end(); ++c) {
            next.clear();
            if (!is_last && is_central())
                std::copy_if(c + 1, candidates.end(), std::back_inserter(next),
                             [&](int other) { return !are_excluded(*c, other); });
            else if (!is_last) {
                auto const& near = neighbors_[static_cast<std::size_t>(*c)];
                std::set_intersection(c + 1, candidates.end(), near.begin(), near.end(), std::back_inserter(next));
            }
            set_.push_back(*c);
            energy += add_sets(host, next);
            set_.pop_back();
        }
        return energy;
    }
    double add_set(HostState& host) {
        ordered_ = set_;
        if (!order_.arrange(ordered_, is_central() ? 1 : 0)) return 0;
        fields_.clear();
        for (int const particle : ordered_) {
            auto const& own = force().particles[static_cast<std::size_t>(particle)].parameters;
            fields_.insert(fields_.end(), own.begin(), own.end());
        }
        return sets_.add(host, ordered_, fields_);
    }

    SetEnergy<CustomManyParticleForce> sets_;
    OrderByTypes order_{sets_.force()};                   // refers to the force in sets_
    std::vector<std::vector<int>> excluded_, neighbors_;  // per particle, ascending
    std::vector<int> set_, ordered_;
    std::vector<double> fields_;
};

template class CompiledKernel<CustomManyParticleForce>;

}  // namespace trotter::reference
