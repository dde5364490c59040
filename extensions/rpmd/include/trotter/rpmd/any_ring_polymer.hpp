// Ring polymers of standard forces on a backend chosen at run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/any_context.hpp>
#include <trotter/common/integration/noise.hpp>
#include <trotter/precision.hpp>
#include <trotter/rpmd/ring_polymer.hpp>
#include <trotter/standard_system.hpp>

namespace trotter::rpmd {

/// A backend, and its precision, chosen at run time.
struct ChosenBackend {
    static constexpr std::string_view name = "ChosenBackend";  ///< in messages

    BackendChoice choice{};  ///< but for the members below, and the seed, which is the RingPolymer's
    int threads = choice.threads;  ///< of `cpu` and `reference`; 0: all
    int copies = 1;  ///< in one Context of `opencl` and `cuda`
};

/// Evaluates copies on a ChosenBackend.
class ChosenContext : public AnyContext {
public:
    ChosenContext(StandardSystem const& system, AnyIntegrator const& integrator, ChosenBackend const& backend, Double,
                  std::uint64_t seed);
};
template <> struct ContextOfCopies<StandardSystem, ChosenBackend, Double> { using Type = ChosenContext; };

inline double evaluate_checked(ChosenContext& context, Request const& request) { return context.evaluate(request); }

/// The same members as HostState has.
struct ChosenHost {
    struct Parameters {
        std::map<std::string, double, std::less<>> const& all;
        auto const& values() const { return all; }
    };

    Box const& box;
    Parameters parameters;
    std::uint64_t seed, evaluations;
    decltype(&fill_normals<VectorLanes<16>>) fill_normals = &trotter::fill_normals<VectorLanes<16>>;

    RandomStream random_stream(std::uint64_t own_seed, std::uint32_t stream) const {
        return {own_seed != 0 ? own_seed : derived_seed(seed, stream), stream};
    }
};
inline ChosenHost host_of(ChosenContext& context) {
    return {context.box(), {context.parameters()}, context.seed(), context.evaluations()};
}

/// Whether the choice is a device, and all forces can be replicated; with others, each copy has a Context.
template <> bool can_batch(StandardSystem const& system, ChosenBackend const& backend);
/// The forces that Reference's kernels tell to change the state.
template <> std::vector<int> motion_removers<ChosenBackend, Double>(StandardSystem const& system);

/// On a backend chosen at run time: `AnyRingPolymer ring(system, integrator, {choice})`. Normal modes are computed on
/// the host. Programs link `Trotter::rpmd` and `Trotter::standard`.
using AnyRingPolymer = RingPolymer<StandardSystem, ChosenBackend, Double>;

extern template class RingPolymer<StandardSystem, ChosenBackend, Double>;

}  // namespace trotter::rpmd
