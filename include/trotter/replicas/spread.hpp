// Independent simulations spread over the devices of one host.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <trotter/context.hpp>
#include <trotter/precision.hpp>

namespace trotter {

/// One of several simulations; each may have other parameters of its System and integrator.
template <class SystemType, class I> struct Simulation {
    SystemType system{};  ///< its own copy
    I integrator;  ///< its own parameters
    std::uint64_t seed = 1;  ///< of its random numbers
};
template <class S, class I> Simulation(S, I, std::uint64_t = 1) -> Simulation<S, I>;

/// Contexts on several devices of one host: simulation k is on backend k modulo their number, such as Cuda{.device = 0}
/// and Cuda{.device = 1}. During a call each backend has a host thread, which works on its simulations in order. The
/// results of a simulation do not depend on the others. Used by one thread at a time.
template <class SystemType, class I, Backend B, Precision P> class Spread {
public:
    using ContextType = Context<SystemType, B, P, typename ListFor<I>::Type>;  ///< one simulation

    /// Makes all Contexts. If some throw, throws the first one's type of error, with the messages of all of them.
    Spread(std::vector<Simulation<SystemType, I>> const& simulations, std::vector<B> backends, P = {})
        : backends_(std::move(backends)), contexts_(simulations.size()) {
        if (backends_.empty()) throw InputError("there is no backend to spread simulations over");
        run([&](std::size_t k, B const& backend) {
            auto const& [system, integrator, seed] = simulations[k];
            contexts_[k].emplace(std::in_place, system, integrator, backend, P{}, seed);
        });
    }

    /// Number of simulations.
    int count() const { return static_cast<int>(contexts_.size()); }
    /// Throws InputError if there is no such simulation.
    ContextType& operator[](int k) {
        if (k < 0 || k >= count())
            throw InputError("there is no simulation " + std::to_string(k) + "; there are " + std::to_string(count())
                             + ", counted from 0");
        return **contexts_[static_cast<std::size_t>(k)];
    }

    /// Calls `work(context, k)` for each simulation in the thread of its backend, so `work` must be thread-safe. If one
    /// fails, the others continue; throws afterwards as the constructor does.
    template <class Work> void for_each(Work const& work) {
        run([&](std::size_t k, B const&) { work(**contexts_[k], static_cast<int>(k)); });
    }
    /// Sets the temperature of all simulations [K]; `spread[k]` gives access to one.
    void set_temperature(double temperature) {
        for_each([temperature](ContextType& context, int) { context.set_temperature(temperature); });
    }
    /// Sets the friction of all simulations [1/ps].
    void set_friction(double friction) {
        for_each([friction](ContextType& context, int) { context.set_friction(friction); });
    }
    /// Sets the step size of all simulations [ps].
    void set_step_size(double step_size) {
        for_each([step_size](ContextType& context, int) { context.set_step_size(step_size); });
    }
    /// Takes `steps` steps of each simulation.
    void step(std::int64_t steps) {
        for_each([steps](ContextType& context, int) { context.step(steps); });
    }

private:
    template <class Work> void run(Work const& work) {
        std::vector<std::exception_ptr> failures(contexts_.size());
        {
            auto const take = [&](std::size_t first) {
                for (std::size_t k = first; k < contexts_.size(); k += backends_.size()) try {
                        work(k, backends_[first]);
                    } catch (...) {
                        failures[k] = std::current_exception();
                    }
            };
            std::vector<std::jthread> threads;
            for (std::size_t first = 0; first < backends_.size(); ++first) try {
                    threads.emplace_back(take, first);
                } catch (std::system_error const&) {  // no more threads available
                    take(first);
                }
        }
        raise(failures);
    }
    static void raise(std::vector<std::exception_ptr> const& failures) {
        std::string text;
        std::exception_ptr first;
        for (std::size_t k = 0; k < failures.size(); ++k) {
            if (!failures[k]) continue;
            if (!first) first = failures[k];
            text += (text.empty() ? "simulation " : "; simulation ") + std::to_string(k) + ": " + words_of(failures[k]);
        }
        if (!first) return;
        try {
            std::rethrow_exception(first);
        } catch (InputError const&) {
            throw InputError(text);
        } catch (UnsupportedError const&) {
            throw UnsupportedError(text);
        } catch (NotFiniteError const&) {
            throw NotFiniteError("", text);
        } catch (std::exception const&) {
            throw SimulationError(text);
        }
    }
    static std::string words_of(std::exception_ptr const& failure) {
        try {
            std::rethrow_exception(failure);
        } catch (std::exception const& error) {
            return error.what();
        }
    }

    std::vector<B> backends_;
    std::vector<std::optional<Owned<ContextType>>> contexts_;
};

template <class S, class I, class B, class P = Mixed>
Spread(std::vector<Simulation<S, I>> const&, std::vector<B>, P = {}) -> Spread<S, I, B, P>;

}  // namespace trotter
