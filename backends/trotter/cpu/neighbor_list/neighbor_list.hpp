// The neighbor list: clusters, lists and force buffers of each task, and the criteria for rebuilding.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <trotter/error.hpp>

#include <trotter/common/forces/near_positions.hpp>
#include <trotter/cpu/loops.hpp>
#include <trotter/cpu/neighbor_list/force_buffer.hpp>
#include <trotter/cpu/neighbor_list/pair_list_buffers.hpp>
#include <trotter/cpu/neighbor_list/pair_search.hpp>
#include <trotter/cpu/neighbor_list/particle_lists.hpp>

namespace trotter::cpu {

/// A buffered list of the pairs within a cutoff, in two layers: the outer one is built with a wide buffer, the inner
/// one is pruned from it with a narrow buffer, and more often; PairListBuffers determines when. Tasks depend on the
/// System alone; each has a force buffer for the clusters that it touches.
template <class Arch, class Real> class NeighborList {
public:
    /// `cutoff` 0: all pairs. Tasks also sum `sum_count` quantities for each particle.
    NeighborList(double cutoff, bool periodic, Exclusions<Arch> exclusions, PairListBuffers const& buffers,
                 int sum_count = 0)
        : exclusions_(std::move(exclusions)),
          cutoff_(cutoff),
          buffers_(buffers),
          is_periodic_(periodic),
          sum_count_(sum_count) {
        buffers_.outer_limit = std::min(buffers_.outer_limit, std::max(cutoff / 4, exact_lists<Arch>.outer_limit));
        exclusions_.reach = std::max(0.0, cutoff_ - 2 * buffers_.outer_limit);
    }

    Clusters<Arch, Real> clusters;

    bool is_periodic() const { return is_periodic_; }
    /// Whether it holds these pairs.
    bool is_of(double cutoff, bool periodic, std::vector<std::vector<int>> const& partners) const {
        return cutoff == cutoff_ && periodic == is_periodic_ && exclusions_.are_of(partners);
    }
    /// Makes loops apply Ewald corrections to excluded pairs, between minimum images or unwrapped positions.
    void screen(bool between_images) {
        exclusions_.screened = true;
        exclusions_.periodic = between_images;
        is_built_ = false;
    }
    /// Sets the particles without a Lennard-Jones site (empty: none). Loops skip interactions that they lack.
    void set_without_lj(std::vector<char> without_lj) {
        if (without_lj != without_lj_) is_built_ = false;
        without_lj_ = std::move(without_lj);
    }

    /// The largest displacement since clusters were built.
    double largest_displacement() const { return buffers_.outer_limit; }
    Exclusions<Arch> const& exclusions() const { return exclusions_; }
    std::vector<Vec3<>> const& positions_at_build() const { return positions_at_build_; }
    int task_count() const { return static_cast<int>(tasks_.size()); }

    /// Updates positions; returns true if particles were sorted, so that their parameters must be copied to slots
    /// again.
    bool update(std::vector<Vec3<>> const& positions, Box const& box, Threads& threads) {
        auto const part = threads.profile.part("displacements");
        if (!is_built_ || (is_periodic_ && !(box == clusters.cell))) {
            build(positions, box, threads);
            return true;
        }
        auto const& near = near_positions(positions, threads);
        auto const since_prune = displacements(coordinates_at_prune_, buffers_.inner, threads, [&](int begin, int end) {
            clusters.load(near, static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
        });
        bool const is_inner_outdated = is_outdated(since_prune, buffers_.inner_limit);
        // The outer list is checked only then, or if a particle may have moved too far for it.
        if (!is_inner_outdated && moved_at_prune_ + static_cast<double>(since_prune.largest) <= buffers_.outer_limit)
            return false;
        auto const since_build = displacements(coordinates_at_build_, buffers_.outer, threads);
        if (is_outdated(since_build, buffers_.outer_limit)) {
            build(positions, box, threads);
            return true;
        }
        if (!is_inner_outdated) return false;
        prune(threads);
        return false;
    }

    /// Returns a task's view for the loops; clears its buffers unless `goes_on`.
    PairView<Real> view(int task, SlotParameters<Arch, Real> const& parameters, bool goes_on = false) {
        Task& t = tasks_[static_cast<std::size_t>(task)];
        if (!goes_on) t.buffer.clear();
        return {clusters.view(parameters),
                t.inner.groups.data(),
                t.inner.group_count,
                t.inner.masked.data(),
                t.inner.slots.data(),
                !has_inner(),
                clusters.padding_slot(),
                t.buffer.slot_mask(),
                t.buffer.forces(),
                t.buffer.sums(),
                static_cast<std::ptrdiff_t>(t.buffer.sum_stride()),
                {static_cast<Real>(half_box_.x), static_cast<Real>(half_box_.y), static_cast<Real>(half_box_.z)}};
    }

    /// Adds the forces on slots to those on their particles: the sums over tasks, in task order, if wanted, and the
    /// records `beside`, unless null.
    void add_forces(std::vector<Vec3<>>& forces, Threads& threads, bool with_tasks = true,
                    Real const* beside = nullptr) const {
        threads.run(reduction_block_count(), [&](int g) {
            fetch(g, forces.data());
            std::array<double, record_size * slots_per_block> sum{};
            auto const add = [&](Real const* const* sources, std::size_t count) {
                loops<Arch, Real>().add(sources, count, record_size * reduction_block_size(g), sum.data());
            };
            auto const& of_tasks = sources_[static_cast<std::size_t>(g)].forces;
            if (with_tasks) add(of_tasks.data(), of_tasks.size());
            Real const* const records = beside + (beside ? sum.size() * static_cast<std::size_t>(g) : 0);
            if (beside) add(&records, 1);
            for_reduction_block(g, [&](std::size_t n, std::size_t particle) {
                double const* const force = sum.data() + record_size * n;
                forces[particle] += Vec3<>{force[0], force[1], force[2]};
            });
        });
    }
    /// Adds one quantity's sums over tasks, in task order, for the slots of a reduction block.
    template <class Sum> void sum_sums(int g, Sum& sum, int number = 0) const {
        for (int task : sources_[static_cast<std::size_t>(g)].tasks) {
            Real const* const numbers =
                tasks_[static_cast<std::size_t>(task)].buffer.sums_of(g, static_cast<std::size_t>(number));
            loops<Arch, Real>().add(&numbers, 1, reduction_block_size(g), sum.data());
        }
    }
    int reduction_block_count() const { return clusters.reduction_block_count(); }
    /// The size in slots.
    std::size_t reduction_block_size(int g) const {
        return width()
               * static_cast<std::size_t>(std::min(int{clusters_per_block}, clusters.size() - g * clusters_per_block));
    }

    /// Calls `visit(slot, particle, sum)` for the particles of a reduction block, given sums over its slots.
    template <class Sum, class Visit> void for_sums(int g, Sum const& sum, Visit const& visit) const {
        for_reduction_block(g, [&](std::size_t n, std::size_t particle) {
            visit(static_cast<std::size_t>(g) * slots_per_block + n, particle, sum[n]);
        });
    }

    /// The number of pairs in the lists.
    std::int64_t pair_count() const {
        std::int64_t result = 0;
        for (auto const& task : tasks_)
            for (int n = 0; n < task.inner.group_count; ++n) {
                ParticleGroup const& group = task.inner.groups[static_cast<std::size_t>(n)];
                for (int s = 0; s < group.i.count; ++s) {
                    int const plain = group.plain[s].count() + group.without_lj.count();
                    result += cluster_size
                              * (cluster_size * group.i.masked[s].count() + plain * (has_inner() ? 1 : cluster_size));
                }
            }
        return result;
    }

    /// Saves the positions at which lists were built, which determine them.
    template <class Archive> void save(Archive& archive) const {
        archive.put(is_built_);
        if (!is_built_) return;
        archive.put(box_at_build_);
        archive.put(positions_at_build_);
        archive.put(is_pruned_);
        if (is_pruned_) archive.put(coordinates_at_prune_);
    }
    template <class Archive> void load(Archive& archive) {
        Threads threads(1);
        is_built_ = archive.template get<bool>();
        if (!is_built_) return;
        auto const box = archive.template get<Box>();
        build(archive.template get_vector<Vec3<>>(), box, threads);
        // Otherwise the inner list is that of the build, in another order.
        if (!archive.template get<bool>()) return;
        auto const pruned = archive.template get_vector<Real>();
        if (pruned.size() != clusters.coordinates.size())
            throw InputError(archive.name() + ": a pair list has " + std::to_string(pruned.size())
                             + " coordinates, expected " + std::to_string(clusters.coordinates.size()));
        std::copy(pruned.begin(), pruned.end(), clusters.coordinates.begin());
        prune(threads);
    }

private:
    struct Task {
        int begin = 0, end = 0;  ///< i clusters
        ClusterLists<Arch> outer;
        ParticleLists<Arch> inner;
        ForceBuffer<Arch, Real> buffer;
    };
    /// Calls `visit(n, particle)` for slot n of a reduction block, where there is a particle.
    template <class Visit> void for_reduction_block(int g, Visit const& visit) const {
        std::size_t const first = static_cast<std::size_t>(g) * slots_per_block;
        for (std::size_t n = 0; n < reduction_block_size(g); ++n)
            if (int const particle = clusters.particles[first + n]; particle >= 0)
                visit(n, static_cast<std::size_t>(particle));
    }
    /// Prefetches data of a reduction block's particles, whose indices are scattered.
    void fetch(int g, Vec3<> const* of_particles) const {
        for_reduction_block(g,
                            [&](std::size_t, std::size_t particle) { __builtin_prefetch(of_particles + particle, 1); });
    }

    static constexpr std::size_t width() { return cluster_size; }
    bool has_inner() const { return cutoff_ > 0; }

    void build(std::vector<Vec3<>> const& positions, Box const& box, Threads& threads) {
        auto const part = threads.profile.part("search");
        positions_at_build_ = positions;
        box_at_build_ = box;
        // Wider than the list radius, and than the cutoff plus the largest displacements of both particles.
        double const gap = 2 * (cutoff_ + buffers_.outer + buffers_.outer_limit);
        if (is_periodic_)
            near_.fold(positions, box);
        else if (has_inner())
            near_.close_gaps(positions, gap);
        auto const& near = near_positions(positions, threads);
        clusters.sort(near, is_periodic_ ? &box : nullptr, near_.parts(), threads);
        mark_without_lj();
        coordinates_at_build_ = clusters.coordinates;
        coordinates_at_prune_ = clusters.coordinates;
        moved_at_prune_ = 0;
        is_pruned_ = false;
        make_tasks();
        round(threads);
        SearchRadii<Arch> const radii{has_inner() ? cutoff_ + buffers_.outer : std::numeric_limits<double>::infinity(),
                                      cutoff_, buffers_.outer_limit};
        HalfBox<Arch> const half_box(is_periodic_ ? &box : nullptr, cutoff_, 2 * buffers_.outer_limit);
        half_box_ = half_box.half;
        threads.run(task_count(), [&](int n) {
            Task& task = tasks_[static_cast<std::size_t>(n)];
            ClusterLists<Arch> found;
            PairSearch<Arch, Real>(clusters, positions, exclusions_, radii, half_box).run(task.begin, task.end, found);
            if (has_inner())
                prune_both(task, found);
            else {
                task.outer = std::move(found);
                task.inner.take_all(task.outer);
            }
            choose_buffer(task);
        });
        find_sources();
        is_built_ = true;
    }

    /// Returns `positions`, or a copy with some moved.
    std::vector<Vec3<>> const& near_positions(std::vector<Vec3<>> const& positions, Threads& threads) {
        if (!near_.are_moved()) return positions;
        moved_.resize(positions.size());
        threads.for_each(positions.size(), [&](std::size_t i) { moved_[i] = near_.moved(positions[i], i); });
        return moved_;
    }

    void make_tasks() {
        auto const particles = static_cast<int>(clusters.slots.size());
        // Beyond what many threads need, tasks grow: neighborhoods of larger ones overlap less.
        constexpr int enough = 64, most = 256;
        int const least = std::min(16, (clusters.size() + 7) / 8), small = std::min(particles / 700, enough),
                  wanted = std::clamp(std::max(small, particles / 3500), least, most);
        tasks_.resize(static_cast<std::size_t>(std::max(1, wanted)));
        for (int n = 0; n < wanted; ++n) {
            auto cut = [&](int k) { return static_cast<int>(std::int64_t{clusters.size()} * k / wanted); };
            tasks_[static_cast<std::size_t>(n)].begin = cut(n);
            tasks_[static_cast<std::size_t>(n)].end = cut(n + 1);
        }
    }

    void choose_buffer(Task& task) {
        std::vector<char> is_in_use(static_cast<std::size_t>(reduction_block_count()));
        auto touch = [&](int cluster) { is_in_use[static_cast<std::size_t>(cluster / clusters_per_block)] = 1; };
        for (auto const& group : task.outer.groups) touch(group.i.cluster), touch(group.i.cluster + group.i.count - 1);
        for (auto const& pair : task.outer.masked) touch(pair.cluster);
        for (auto const& list : task.outer.plain)
            std::for_each(list.begin(), list.end() - static_cast<std::ptrdiff_t>(read_behind), touch);
        std::vector<int> touched;
        for (int g = 0; g < reduction_block_count(); ++g)
            if (is_in_use[static_cast<std::size_t>(g)]) touched.push_back(g);
        touched.push_back(clusters.padding_slot() / slots_per_block);
        task.buffer.choose(std::move(touched), sum_count_);
    }

    void find_sources() {
        sources_.assign(static_cast<std::size_t>(reduction_block_count() + 1), {});
        for (int n = 0; n < task_count(); ++n) {
            auto const& buffer = tasks_[static_cast<std::size_t>(n)].buffer;
            for (int g : buffer.reduction_blocks()) {
                sources_[static_cast<std::size_t>(g)].tasks.push_back(n);
                sources_[static_cast<std::size_t>(g)].forces.push_back(buffer.forces_of(g));
            }
        }
    }

    void prune(Threads& threads) {
        coordinates_at_prune_ = clusters.coordinates;
        is_pruned_ = true;
        moved_at_prune_ = displacements(coordinates_at_build_, buffers_.outer, threads).largest;
        if (!has_inner()) return;
        auto const part = threads.profile.part("pruning");
        round(threads);
        threads.run(task_count(), [&](int n) {
            Task& task = tasks_[static_cast<std::size_t>(n)];
            ParticleRoom<Arch> room(task.inner, task.outer, squared(cutoff_ + buffers_.inner));
            loops<Arch, Real>().prune(view(task.outer), room.narrow);
            task.inner.group_count = room.narrow.group_count;
        });
    }

    /// Prunes cluster pairs without any particle pair in range, and builds the inner list at the same time.
    void prune_both(Task& task, ClusterLists<Arch> const& found) {
        auto& outer = task.outer;
        outer.groups.resize(found.groups.size() + 1);
        outer.masked.resize(found.masked.size() + 1);
        // Clusters near both i clusters may turn out to be near one.
        for (std::size_t which = 0; which < 3; ++which)
            outer.plain[which].resize(found.plain[which].size() + cluster_size
                                      + (which == near_both ? 0 : found.plain[near_both].size()));
        PrunedClusterList wide{squared(cutoff_ + buffers_.outer),
                               outer.groups.data(),
                               outer.masked.data(),
                               {outer.plain[0].data(), outer.plain[1].data(), outer.plain[2].data()},
                               0,
                               0,
                               {}};
        ParticleRoom<Arch> room(task.inner, found, squared(cutoff_ + buffers_.inner));
        loops<Arch, Real>().prune_twice(view(found), wide, room.narrow);
        task.inner.group_count = room.narrow.group_count;
        outer.groups.resize(static_cast<std::size_t>(wide.group_count));
        outer.masked.resize(static_cast<std::size_t>(wide.masked_count));
        for (std::size_t which = 0; which < 3; ++which) {
            auto& list = outer.plain[which];
            list.resize(static_cast<std::size_t>(wide.plain_count[which]));
            list.resize(list.size() + read_behind);  // zeros: an existing cluster
        }
    }
    /// Radius², enlarged by more than the rounding errors of coordinates, and of sums of squares and products that are
    /// a few nm², see Pruning.
    static float squared(double radius) { return static_cast<float>(radius * radius * (1 + 2e-5)); }

    /// Rounds coordinates to float, in which lists are pruned: their buffers are far wider than rounding errors.
    void round(Threads& threads) {
        if constexpr (sizeof(Real) == 8) {
            rounded_.resize(clusters.coordinates.size());
            threads.for_ranges(
                rounded_.size(),
                [&](std::size_t begin, std::size_t end) {
                    for (std::size_t n = begin; n < end; ++n) rounded_[n] = static_cast<float>(clusters.coordinates[n]);
                },
                8192);
        }
    }
    float const* rounded() const {
        if constexpr (sizeof(Real) == 8)
            return rounded_.data();
        else
            return clusters.coordinates.data();
    }

    ClusterList view(ClusterLists<Arch> const& lists) const {
        return {clusters.view(rounded()),
                lists.groups.data(),
                static_cast<int>(lists.groups.size()),
                lists.masked.data(),
                {lists.plain[0].data(), lists.plain[1].data(), lists.plain[2].data()}};
    }
    void mark_without_lj() {
        clusters.without_lj.assign(static_cast<std::size_t>(clusters.size()), 0);
        if (without_lj_.empty()) return;
        for (std::size_t slot = 0; slot < clusters.particles.size(); ++slot)
            if (int const particle = clusters.particles[slot];
                particle >= 0 && without_lj_[static_cast<std::size_t>(particle)] != 0)
                clusters.without_lj[slot / width()] |= static_cast<std::uint16_t>(1u << 4 * (slot % width()));
    }

    /// Displacements since `before`. Calls prepare(begin, end) for clusters just before reading them.
    template <class Prepare> Displacements<Real> displacements(Aligned<Real> const& before, double buffer,
                                                               Threads& threads, Prepare const& prepare) const {
        // Pairs of clusters half the list apart; of an odd number, one is left over.
        int const count = clusters.size(), half = count / 2, grain = 256, full = (half + grain - 1) / grain;
        std::vector<Displacements<Real>> moved(static_cast<std::size_t>(full + count % 2));
        threads.run(static_cast<int>(moved.size()), [&](int n) {
            bool const is_left = n == full;
            int const begin = is_left ? count - 1 : n * grain, end = is_left ? count : std::min(begin + grain, half),
                      away = is_left ? 0 : half;
            prepare(begin, end);
            if (!is_left) prepare(begin + half, end + half);
            moved[static_cast<std::size_t>(n)] = loops<Arch, Real>().displaced(
                {clusters.coordinates.data(), before.data(), begin, end, away, static_cast<Real>(buffer)});
        });
        Displacements<Real> all{0, 0};
        for (auto const& part : moved) {
            all.largest = std::max(all.largest, part.largest);
            all.beyond_buffer += part.beyond_buffer;
        }
        return all;
    }
    Displacements<Real> displacements(Aligned<Real> const& before, double buffer, Threads& threads) const {
        return displacements(before, buffer, threads, [](int, int) {});
    }
    bool is_outdated(Displacements<Real> const& moved, double limit) const {
        return static_cast<double>(moved.largest) > limit || (has_inner() && missed(moved) > buffers_.missed_pairs);
    }
    /// The expected fraction of missed pairs: unlisted ones that have come nearer than the cutoff R. With u, the
    /// approach along their line, distributed as along any axis, these are 4πR²ρ⟨(u - buffer)₊⟩ of 4πR³ρ/3, where
    /// ⟨(u - buffer)₊⟩ = ⟨(|u| - buffer)₊⟩/2.
    double missed(Displacements<Real> const& moved) const {
        double const axes_of_pairs = 3.0 * cluster_size * (clusters.size() / 2);
        return axes_of_pairs > 0 ? 1.5 / cutoff_ * moved.beyond_buffer / axes_of_pairs : 0;
    }

    Exclusions<Arch> exclusions_;
    double cutoff_;
    PairListBuffers buffers_;
    bool is_periodic_, is_built_ = false, is_pruned_ = false;  ///< pruned since the build
    int sum_count_;
    Box box_at_build_;
    Vec3<> half_box_;  ///< see HalfBox
    std::vector<Vec3<>> positions_at_build_;
    NearPositions near_;
    std::vector<Vec3<>> moved_;  ///< positions, if `near_` moves any
    Aligned<Real> coordinates_at_build_, coordinates_at_prune_;
    Aligned<float> rounded_;     ///< coordinates in float, if `Real` is double
    double moved_at_prune_ = 0;  ///< the largest displacement since the build
    std::vector<char> without_lj_;
    std::vector<Task> tasks_;
    /// The tasks that touch a reduction block, and their forces in it.
    struct Sources {
        std::vector<int> tasks;
        std::vector<Real const*> forces;
    };
    std::vector<Sources> sources_;  ///< of each reduction block
};

}  // namespace trotter::cpu
