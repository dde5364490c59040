// Evaluates the forces on several copies of a System: in the same launches on devices, concurrently on hosts.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <trotter/context.hpp>
#include <trotter/integrators/verlet.hpp>
#include <trotter/replicas/batched.hpp>
#include <trotter/rpmd/ring.hpp>

namespace trotter::rpmd {

/// Threads of the host for a backend's work; 0: all.
template <Backend B> int host_threads(B const& backend) {
    if constexpr (requires { backend.threads; })
        return backend.threads;
    else
        return BatchingBackend<B> ? 0 : 1;
}

/// Box, parameters and random numbers of a Context.
template <class ContextType> auto& host_of(ContextType& context) { return context.engine().host; }

/// Whether one Context evaluates all copies of this System.
template <class SystemType, Backend B> bool can_batch(SystemType const&, B const&) { return BatchingBackend<B>; }

/// Whether some force calls a user's function, which expects the thread that uses the ring polymer.
template <class SystemType> bool has_callback(SystemType const& system) {
    bool result = false;
    system.for_each_force([&](int, auto const& force) {
        if constexpr (requires { force.function; }) result = true;
        if constexpr (requires { force.variables->force_count(); }) result = result || has_callback(*force.variables);
        if constexpr (requires { force.forces->force_count(); }) result = result || has_callback(*force.forces);
    });
    return result;
}

/// The Context that evaluates copies. An integrator is needed to make a Context; it takes no step.
template <class SystemType, Backend B, Precision P> struct ContextOfCopies {
    using Type = Context<SystemType, B, P, typename ListFor<VerletIntegrator>::Type>;
};

/// A BatchingBackend has one Context for all copies. Other backends have one for each copy, which are evaluated
/// concurrently if the backend has threads.
template <class SystemType, Backend B, Precision P> class Copies {
public:
    using ContextType = typename ContextOfCopies<SystemType, B, P>::Type;

    /// Throws as Contexts and `Replicas` do.
    Copies(SystemType const& system, double step_size, B const& backend, int copies, std::uint64_t seed)
        : copies_(copies),
          has_sites_(!system.particles.virtual_sites.empty()),
          is_batch_(can_batch(system, backend)),
          threads_(is_batch_ || has_callback(system) ? 1 : std::min(copies, thread_count(backend))) {
        VerletIntegrator const integrator{.step_size = step_size};
        if constexpr (BatchingBackend<B>)
            if (is_batch_) {
                B batching = backend;
                batching.copies = copies;
                contexts_.emplace_back(replicate(system, copies), integrator, batching, P{}, seed);
                return;
            }
        for (int k = 0; k < copies; ++k)
            contexts_.emplace_back(system, integrator, share_of(backend, copies), P{}, seed);
    }

    /// Whether one Context evaluates all copies.
    bool is_batch() const { return is_batch_; }
    /// Updates the parameters of a force in all copies. Throws as `Context::update` does.
    template <Force F> void update(int index, F const& force, std::size_t particles) {
        if constexpr (BatchingBackend<B> && requires { replicate(force, 1, 1); })
            if (is_batch_) return contexts_.front().update(index, replicate(force, static_cast<int>(particles), copies_));
        for (auto& context : contexts_) context.update(index, force);
    }

    /// Places virtual sites in `positions`, writes forces, and returns the energy of all copies, 0 unless requested.
    /// Throws NotFiniteError for a force that is not finite.
    double evaluate(CopyVectors& positions, std::int64_t step, Request const& request, CopyVectors& forces) {
        std::size_t const each = positions.size() / contexts_.size();
        std::vector<double> energies(contexts_.size());
        threads_.run(static_cast<int>(contexts_.size()), [&](int k) {
            named(k, [&] {
                auto const n = static_cast<std::size_t>(k);
                energies[n] = evaluate_one(contexts_[n], positions.begin() + static_cast<std::ptrdiff_t>(n * each),
                                           each, step, request, forces.begin() + static_cast<std::ptrdiff_t>(n * each));
            });
        });
        double sum = 0;
        for (double const energy : energies) sum += energy;
        return request.energy ? sum : 0;
    }

    /// Places virtual sites in `positions`.
    void place_sites(CopyVectors& positions) {
        if (!has_sites_) return;
        std::size_t const each = positions.size() / contexts_.size();
        for (std::size_t n = 0; n < contexts_.size(); ++n)
            give_positions(contexts_[n], positions.begin() + static_cast<std::ptrdiff_t>(n * each), each);
    }

    /// Calls `visit(context)` for each Context.
    template <class Visit> void for_each_context(Visit const& visit) {
        for (auto& context : contexts_) visit(context);
    }
    /// Box, parameters and threads.
    decltype(auto) host() { return host_of(contexts_.front()); }

private:
    using Iterator = CopyVectors::iterator;

    static int thread_count(B const& backend) {
        int const count = host_threads(backend);
        return count > 0 ? count : Threads::available();
    }
    /// The threads of a backend are divided among the copies.
    static B share_of(B backend, int copies) {
        if constexpr (requires { backend.threads = 1; }) backend.threads = std::max(1, thread_count(backend) / copies);
        return backend;
    }
    template <class Work> void named(int context, Work const& work) const {
        if (contexts_.size() == 1) return work();
        try {
            work();
        } catch (NotFiniteError const& error) {
            throw NotFiniteError("copy " + std::to_string(context) + ": " + error.where, error.sentence);
        }
    }
    void give_positions(ContextType& context, Iterator positions, std::size_t count) const {
        context.set_positions(CopyVectors(positions, positions + static_cast<std::ptrdiff_t>(count)));
        if (!has_sites_) return;
        context.compute_virtual_sites();
        std::copy(context.positions().begin(), context.positions().end(), positions);
    }
    double evaluate_one(ContextType& context, Iterator positions, std::size_t count, std::int64_t step,
                        Request const& request, Iterator forces) const {
        context.set_step_count(step);
        give_positions(context, positions, count);
        double const energy = evaluate_checked(context, request);
        std::copy(context.forces().begin(), context.forces().end(), forces);
        return energy;
    }

    int copies_;
    bool has_sites_, is_batch_;
    Threads threads_;  // over Contexts
    std::deque<ContextType> contexts_;
};

}  // namespace trotter::rpmd
