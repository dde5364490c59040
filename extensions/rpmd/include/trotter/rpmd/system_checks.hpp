// Checks that a System can be that of a ring polymer.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <trotter/kernel.hpp>
#include <trotter/kernel_hooks.hpp>
#include <trotter/rpmd/rpmd_integrator.hpp>
#include <trotter/system.hpp>

namespace trotter::rpmd {

/// Frequencies of the CMMotionRemovers [steps]. Throws UnsupportedError for other forces that change the state.
template <Backend B, Precision P, class SystemType> std::vector<int> motion_removers(SystemType const& system) {
    std::vector<int> result;
    system.for_each_force([&]<class F>(int index, F const& force) {
        if constexpr (requires { requires F::removes_motion; }) {
            if (force.frequency < 1)
                throw InputError("the frequency of CMMotionRemover is " + std::to_string(force.frequency)
                                 + ", expected at least 1 step");
            result.push_back(force.frequency);
        } else if constexpr (hooks::ChangesState<Kernel<F, B, P>, Engine<B, P>>)
            throw UnsupportedError(
                force_named(index, F::name)
                + " cannot act on a ring polymer, which has a thermostat and a barostat in RPMDIntegrator");
    });
    return result;
}

/// Throws InputError for a barostat in a System without periodic images.
template <class SystemType> void check_barostat(RPMDIntegrator const& integrator, SystemType const& system) {
    if (integrator.barostat && !is_periodic(system))
        throw InputError(
            "RPMDMonteCarloBarostat needs a periodic System, but none of its forces takes periodic images");
}
/// Throws InputError for a checkpoint of another number of copies, or with a barostat where there is none or without.
inline void check_checkpoint(RPMDIntegrator const& integrator, int copies, bool has_barostat) {
    if (copies != integrator.copies)
        throw InputError("the checkpoint is of " + std::to_string(copies) + " copies, expected "
                         + std::to_string(integrator.copies));
    if (has_barostat != integrator.barostat.has_value())
        throw InputError(std::string("the checkpoint is of a simulation ") + (has_barostat ? "with" : "without")
                         + " RPMDMonteCarloBarostat, expected the opposite");
}

}  // namespace trotter::rpmd
