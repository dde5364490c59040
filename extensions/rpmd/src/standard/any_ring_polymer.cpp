// Ring polymers of standard forces on a backend chosen at run time.
// SPDX-License-Identifier: MIT
#include <trotter/rpmd/any_ring_polymer.hpp>

#include <trotter/error.hpp>
#include <trotter/reference.hpp>
#include <trotter/replicas/replicate.hpp>

namespace trotter::rpmd {

namespace {

BackendChoice completed(ChosenBackend const& backend, std::uint64_t seed) {
    auto choice = backend.choice;
    choice.threads = backend.threads;
    choice.copies = backend.copies;
    choice.seed = seed;
    return choice;
}

}  // namespace

ChosenContext::ChosenContext(StandardSystem const& system, AnyIntegrator const& integrator,
                             ChosenBackend const& backend, Double, std::uint64_t seed)
    : AnyContext(system, integrator, completed(backend, seed)) {}

template <> bool can_batch(StandardSystem const& system, ChosenBackend const& backend) {
    if (backend.choice.platform != "opencl" && backend.choice.platform != "cuda") return false;
    try {
        (void)replicate(system, 1);
        return true;
    } catch (UnsupportedError const&) {
        return false;
    }
}

template <> std::vector<int> motion_removers<ChosenBackend, Double>(StandardSystem const& system) {
    return motion_removers<Reference, Double>(system);
}

template class RingPolymer<StandardSystem, ChosenBackend, Double>;

}  // namespace trotter::rpmd
