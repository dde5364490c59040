// The forces of all terms, kept term by term and then summed particle by particle: no two threads write to one place.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/vec3.hpp>

#include <trotter/host/threads.hpp>

namespace trotter::cpu {

/// A slot for each particle of each term. Slots of one particle are summed in the order in which terms were registered,
/// so that the sum does not depend on threads.
template <class Arch> class TermForces {
public:
    explicit TermForces(std::size_t particles) : slots_of_particle_(particles) {}

    /// Slots for one more list of (term, particle), `count` in all: what is written to those beyond the list is not
    /// used. Returns the first.
    [[gnu::cold]] std::size_t add_slots(std::vector<int> const& particles, std::size_t count) {
        std::size_t const first = forces_.size();
        for (std::size_t n = 0; n < particles.size(); ++n)
            slots_of_particle_[static_cast<std::size_t>(particles[n])].push_back(first + n);
        forces_.resize(first + count);
        stale_ = true;
        return first;
    }
    Vec3<>* slot(std::size_t n) { return forces_.data() + n; }
    bool empty() const { return forces_.empty(); }

    /// Forces of terms that nobody computes in this evaluation are zero.
    void clear(Threads& threads) {
        threads.for_each(forces_.size(), [&](std::size_t n) { forces_[n] = {}; });
    }
    void add_to(std::vector<Vec3<>>& forces, Threads& threads) {
        if (stale_) sort_slots();
        threads.for_each(particles_.size(), [&](std::size_t n) {
            Vec3<> sum;
            for (std::size_t k = begin_[n]; k < begin_[n + 1]; ++k) sum += forces_[order_[k]];
            forces[particles_[n]] += sum;
        });
    }

private:
    [[gnu::cold]] void sort_slots() {
        particles_.clear(), order_.clear(), begin_ = {0};
        for (std::size_t particle = 0; particle < slots_of_particle_.size(); ++particle) {
            auto const& slots = slots_of_particle_[particle];
            if (slots.empty()) continue;
            particles_.push_back(particle);
            order_.insert(order_.end(), slots.begin(), slots.end());
            begin_.push_back(order_.size());
        }
        stale_ = false;
    }

    std::vector<Vec3<>> forces_;
    std::vector<std::vector<std::size_t>> slots_of_particle_;
    std::vector<std::size_t> particles_, begin_, order_;  // of the particles that have slots
    bool stale_ = true;
};

}  // namespace trotter::cpu
