// The pair lists of an engine: sums over the same pairs share one.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <trotter/common/host_state.hpp>
#include <trotter/cpu/mesh/pme.hpp>
#include <trotter/cpu/neighbor_list/neighbor_list.hpp>

namespace trotter::cpu {

/// Selects pairs: within the cutoff (0: all), by minimum image or not, without excluded partners. `Arch` only keeps
/// symbols of different instruction sets apart.
template <class Arch> struct PairRange {
    double cutoff = 0;
    bool is_periodic = false;
    std::vector<std::vector<int>> partners{};  ///< of each particle, ascending
};

/// A pair list shared by several sums: in each evaluation it is updated once, and the forces on its slots are added to
/// those on particles once. Each sum has its own per-particle parameters.
template <class Arch, class Real> class SharedPairs {
public:
    SharedPairs(PairRange<Arch> const& range, PairListBuffers const& buffers)
        : neighbor_list_(range.cutoff, range.is_periodic, {range.partners, false, false}, buffers) {}

    Clusters<Arch, Real> const& clusters() const { return neighbor_list_.clusters; }
    double largest_displacement() const { return neighbor_list_.largest_displacement(); }
    bool is_periodic() const { return neighbor_list_.is_periodic(); }
    bool is_of(PairRange<Arch> const& range) const {
        return neighbor_list_.is_of(range.cutoff, range.is_periodic, range.partners);
    }

    /// Registers a sum; returns its number. Charges, types and missing Lennard-Jones sites are stored with coordinates:
    /// those of the sum with charges, of which there is one at most, or the types of the first.
    int join(bool with_charges) {
        if (with_charges || sums_ == 0) owner_ = sums_;
        has_charges_ = has_charges_ || with_charges;
        return sums_++;
    }
    bool has_charges() const { return has_charges_; }
    void set_charge(std::size_t slot, Real charge) { neighbor_list_.clusters.set_charge(slot, charge); }
    void set_without_lj(std::vector<char> without_lj) { neighbor_list_.set_without_lj(std::move(without_lj)); }
    void set_types(int sum, AtomTypes<Arch, Real> const& types, SlotParameters<Arch, Real>& parameters,
                   Threads& threads) {
        if (sum == owner_) neighbor_list_.clusters.set_types(types, parameters, threads);
    }
    /// Makes the loop of the force with this index apply Ewald corrections to excluded pairs, between minimum images or
    /// not.
    void screen(int force, bool between_images) {
        screening_force_ = force;
        neighbor_list_.screen(between_images);
    }
    bool screens(int force) const { return force == screening_force_; }
    bool screens(int i, int j) const {
        return neighbor_list_.exclusions().in_loop(neighbor_list_.positions_at_build(), clusters().cell, i, j);
    }

    void begin() { is_current_ = has_forces_ = has_mesh_forces_ = false; }
    /// Updates positions once per evaluation. Returns how often particles were sorted, see OncePerSort.
    long update(HostState& host) {
        if (!std::exchange(is_current_, true) && neighbor_list_.update(host.positions, host.box, host.threads))
            ++sorts_;
        return sorts_;
    }
    int task_count() const { return neighbor_list_.task_count(); }
    /// Calls `work(task, view)` for all tasks, in parallel; forces go to the buffers in the view.
    template <class Work>
    void add(SlotParameters<Arch, Real> const& parameters, Threads& threads, Work const& work) {
        bool const goes_on = std::exchange(has_forces_, true);
        threads.run(task_count(), [&](int task) { work(task, neighbor_list_.view(task, parameters, goes_on)); });
    }
    /// The same for `work` that does not add forces.
    template <class Work>
    void look_at(SlotParameters<Arch, Real> const& parameters, Threads& threads, Work const& work) {
        threads.run(task_count(), [&](int task) { work(task, neighbor_list_.view(task, parameters, true)); });
    }
    /// Computes a mesh sum and its forces on slots; returns the energy.
    double add_mesh(Pme<Arch, Real>& mesh, bool with_energy, Threads& threads) {
        mesh_forces_.resize(record_size * clusters().particles.size());
        auto const how = std::exchange(has_mesh_forces_, true) ? MeshForces::add : MeshForces::put;
        return mesh.compute(clusters(), mesh_forces_, how, with_energy, threads);
    }
    /// Adds the forces to those on particles.
    void finish(HostState& host) const {
        if (has_forces_ || has_mesh_forces_)
            neighbor_list_.add_forces(host.forces, host.threads, has_forces_,
                                      has_mesh_forces_ ? mesh_forces_.data() : nullptr);
    }

    template <class Archive> void save(Archive& archive) const { neighbor_list_.save(archive); }
    template <class Archive> void load(Archive& archive) {
        neighbor_list_.load(archive);
        ++sorts_;
    }

private:
    NeighborList<Arch, Real> neighbor_list_;
    bool has_charges_ = false;
    int sums_ = 0, owner_ = 0, screening_force_ = -1;
    bool is_current_ = false, has_forces_ = false, has_mesh_forces_ = false;  ///< in this evaluation
    long sorts_ = 0;
    Aligned<Real> mesh_forces_;  ///< records of slots
};

/// Work to repeat whenever particles have other slots, such as filling these.
template <class Arch> class OncePerSort {
public:
    /// `sorts` is how often particles were sorted.
    template <class Work> void run(long sorts, Work const& work) {
        if (sorts == done_at_) return;
        work();
        done_at_ = sorts;
    }
    /// Makes the work due even without a sort.
    void invalidate() { done_at_ = never; }

private:
    static constexpr long never = -1;
    long done_at_ = never;
};

/// All shared pair lists of an engine.
template <class Arch, class Real> class PairLists {
public:
    using List = SharedPairs<Arch, Real>;

    PairLists(BasicCpu<Arch> const& backend, std::size_t particles) : backend_(backend), particles_(particles) {}

    /// Returns the matching list or a new one. With `charges`, one where no other sum has charges. Throws InputError if
    /// the backend's `list_buffer` is invalid.
    List& of(PairRange<Arch> const& range, bool charges = false) {
        for (auto& list : lists_)
            if (list->is_of(range) && !(charges && list->has_charges())) return *list;
        return *lists_.emplace_back(std::make_unique<List>(range, pair_list_buffers<Real>(backend_, particles_)));
    }
    /// The list whose loop applies the Ewald corrections of the force with this index, or null.
    List* screened_by(int force) {
        return find([&](List const& list) { return list.screens(force); });
    }
    /// Returns a periodic list, whose particles are sorted by position; a new one with a negligible cutoff if there is
    /// none.
    List& sorted() {
        if (auto* const list = find([](List const& list) { return list.is_periodic(); })) return *list;
        constexpr double shortest_reach = 1e-3;  // [nm]
        return of({shortest_reach, true, std::vector<std::vector<int>>(particles_)});
    }

    std::size_t size() const { return lists_.size(); }

    void begin() {
        for (auto& list : lists_) list->begin();
    }
    void finish(HostState& host) {
        if (lists_.empty()) return;
        auto const part = host.threads.profile.part("sums over tasks");
        for (auto& list : lists_) list->finish(host);
    }

    template <class Archive> void save(Archive& archive) const {
        for (auto const& list : lists_) list->save(archive);
    }
    template <class Archive> void load(Archive& archive) {
        for (auto& list : lists_) list->load(archive);
    }

private:
    template <class Is> List* find(Is const& is) {
        for (auto& list : lists_)
            if (is(*list)) return list.get();
        return nullptr;
    }

    BasicCpu<Arch> backend_;
    std::size_t particles_;
    std::vector<std::unique_ptr<List>> lists_;  // pointers: callers keep references
};

}  // namespace trotter::cpu
