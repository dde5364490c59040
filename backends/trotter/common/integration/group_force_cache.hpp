// Caches forces, energies and derivatives for each set of force groups.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <trotter/base/force_groups.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/common/integration/force_cache.hpp>
#include <trotter/core/request.hpp>

namespace trotter::custom_integrator {

/// Cached or requested quantities of a set of force groups.
struct ForceQuantities {
    bool forces = false, energy = false, derivatives = false;

    bool covers(ForceQuantities const& need) const {
        return forces >= need.forces && energy >= need.energy && derivatives >= need.derivatives;
    }
    ForceQuantities operator|(ForceQuantities const& other) const {
        return {forces || other.forces, energy || other.energy, derivatives || other.derivatives};
    }
    ForceQuantities operator&(ForceQuantities const& other) const {
        return {forces && other.forces, energy && other.energy, derivatives && other.derivatives};
    }
    bool operator==(ForceQuantities const&) const = default;
};

/// Records which quantities of each set are up to date; each is computed on first need, until one of its inputs
/// changes. The forces stay where they were computed: an engine stores those of one set.
class GroupForceCache {
public:
    explicit GroupForceCache(std::vector<ForceGroups> const& sets) {
        for (auto const& groups : sets) sets_.push_back({.groups = groups});
    }

    /// Computes the missing quantities of `needs`, together with those of `worth_computing`; before that
    /// `make_room(set)` has to move the forces of another set out of the engine.
    template <class MakeRoom> void provide(std::vector<ForceQuantities> const& needs,
                                           std::vector<ForceQuantities> const& worth_computing, HostState const& host,
                                           ForceEvaluator const& evaluate, MakeRoom const& make_room) {
        for (std::size_t n = 0; n < needs.size(); ++n) {
            if (sets_[n].known.covers(needs[n])) continue;
            if (in_engine_ != none && in_engine_ != n) make_room(in_engine_);
            in_engine_ = n;
            evaluate_set(sets_[n], needs[n] | worth_computing[n], host, evaluate);
        }
    }

    /// The set whose forces are in the engine, or `none`.
    std::size_t in_engine() const { return in_engine_; }
    bool has_any() const { return in_engine_ != none; }
    double energy(int set) const { return at(set).energy; }
    /// 0 if no force has this derivative.
    double derivative(int set, std::string const& parameter) const;

    /// To be called when positions, parameters or the engine's forces may have changed.
    void invalidate();

    static constexpr std::size_t none = ~std::size_t{0};

private:
    struct Set {
        ForceGroups groups;
        ForceQuantities known{};
        double energy = 0;
        std::map<std::string, double> derivatives{};
    };
    Set const& at(int set) const { return sets_[static_cast<std::size_t>(set)]; }
    static void evaluate_set(Set& set, ForceQuantities wanted, HostState const& host, ForceEvaluator const& evaluate);

    std::vector<Set> sets_;
    std::size_t in_engine_ = none;
};

/// The cache together with the forces, in host memory.
class GroupForces {
public:
    GroupForces(std::vector<ForceGroups> const& sets, std::size_t particles)
        : cache_(sets), kept_(sets.size(), std::vector<Vec3<>>(sets.size() > 1 ? particles : 0)) {}

    GroupForceCache& cache() { return cache_; }
    GroupForceCache const& cache() const { return cache_; }

    void provide(std::vector<ForceQuantities> const& needs, std::vector<ForceQuantities> const& worth_computing,
                 HostState& host, ForceEvaluator const& evaluate) {
        cache_.provide(needs, worth_computing, host, evaluate, [&](std::size_t set) { make_room(set, host); });
    }
    void make_room(std::size_t set, HostState& host) { std::swap(host.forces, kept_[set]); }
    std::vector<Vec3<>> const& forces(int set, HostState const& host) const {
        auto const n = static_cast<std::size_t>(set);
        return n == cache_.in_engine() ? host.forces : kept_[n];
    }

    void invalidate() { cache_.invalidate(); }
    /// `store` and `invalidate_if_changed` are to be called before and after code that may change the state.
    void store(HostState& host) {
        if (cache_.has_any()) known_.store(host);
    }
    bool is_valid(HostState const& host) const { return known_.is_valid(host); }
    void invalidate_if_changed(HostState const& host) {
        if (cache_.has_any() && !is_valid(host)) invalidate();
    }

private:
    GroupForceCache cache_;
    std::vector<std::vector<Vec3<>>> kept_;  // per set, while the engine has those of another
    ForceCache known_;
};

}  // namespace trotter::custom_integrator
