// Stores forces per term, then sums them per particle, so that no two threads write to the same address.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <trotter/error.hpp>
#include <trotter/vec3.hpp>

#include <trotter/common/threads/threads.hpp>

namespace trotter::cpu {

/// A slot for each particle of each term. Slots of one particle are summed in the order in which terms were registered,
/// so that the sum does not depend on threads.
template <class Arch> class TermForces {
public:
    explicit TermForces(std::size_t particles) : slots_of_particle_(particles) {}

    /// Adds `count` slots for a list of (term, particle); those beyond the list are padding. Returns the number of the
    /// list.
    [[gnu::cold]] std::size_t add_slots(std::vector<int> const& particles, std::size_t count) {
        std::size_t const first = forces_.size();
        if (first + count > std::numeric_limits<std::uint32_t>::max())
            throw InputError("all terms of forces have more than "
                             + std::to_string(std::numeric_limits<std::uint32_t>::max()) + " particles");
        for (std::size_t n = 0; n < particles.size(); ++n)
            slots_of_particle_[static_cast<std::size_t>(particles[n])].push_back(static_cast<std::uint32_t>(first + n));
        forces_.resize(first + count);
        lists_.push_back({first, first + count});
        is_sorted_ = false;
        return lists_.size() - 1;
    }
    bool empty() const { return forces_.empty(); }

    /// Starts an evaluation: no list has any forces yet.
    void begin() {
        for (auto& list : lists_) list.is_written = false;
    }
    /// Returns the slots of a list, all of which the caller must write.
    Vec3<>* write(std::size_t list) {
        lists_[list].is_written = true;
        lists_[list].is_zero = false;
        return forces_.data() + lists_[list].begin;
    }
    void add_to(std::vector<Vec3<>>& forces, Threads& threads) {
        if (!is_sorted_) sort_slots();
        clear_unwritten(threads);
        threads.for_each(particles_.size(), [&](std::size_t n) {
            Vec3<> sum;
            for (std::uint32_t k = begin_[n]; k < begin_[n + 1]; ++k) sum += forces_[order_[k]];
            forces[particles_[n]] += sum;
        });
    }

private:
    struct List {
        std::size_t begin, end;
        bool is_written = false, is_zero = true;
    };

    /// Clears the forces of terms that were not computed in this evaluation.
    void clear_unwritten(Threads& threads) {
        for (auto& list : lists_) {
            if (list.is_written || list.is_zero) continue;
            threads.for_each(list.end - list.begin, [&](std::size_t n) { forces_[list.begin + n] = {}; });
            list.is_zero = true;
        }
    }
    [[gnu::cold]] void sort_slots() {
        particles_.clear(), order_.clear(), begin_ = {0};
        for (std::size_t particle = 0; particle < slots_of_particle_.size(); ++particle) {
            auto const& slots = slots_of_particle_[particle];
            if (slots.empty()) continue;
            particles_.push_back(static_cast<std::uint32_t>(particle));
            order_.insert(order_.end(), slots.begin(), slots.end());
            begin_.push_back(static_cast<std::uint32_t>(order_.size()));
        }
        is_sorted_ = true;
    }

    std::vector<Vec3<>> forces_;
    std::vector<List> lists_;
    std::vector<std::vector<std::uint32_t>> slots_of_particle_;
    std::vector<std::uint32_t> particles_, begin_, order_;  // of the particles that have slots
    bool is_sorted_ = false;
};

}  // namespace trotter::cpu
