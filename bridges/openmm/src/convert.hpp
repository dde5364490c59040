// Converts Systems, forces and integrators of OpenMM to Trotter's.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <openmm/Force.h>
#include <openmm/Integrator.h>
#include <openmm/PythonForce.h>
#include <openmm/System.h>
#include <openmm/Vec3.h>
#include <openmm/internal/CustomCPPForceImpl.h>
#include <trotter/io/integrator.hpp>
#include <trotter/standard_system.hpp>

namespace trotter::openmm {

inline Vec3<> from_openmm(OpenMM::Vec3 const& v) { return {v[0], v[1], v[2]}; }
inline OpenMM::Vec3 to_openmm(Vec3<> const& v) { return {v.x, v.y, v.z}; }
inline std::vector<Vec3<>> from_openmm(std::vector<OpenMM::Vec3> const& vectors) {
    std::vector<Vec3<>> result;
    result.reserve(vectors.size());
    for (auto const& v : vectors) result.push_back(from_openmm(v));
    return result;
}
inline void to_openmm(std::span<Vec3<> const> vectors, std::vector<OpenMM::Vec3>& result) {
    result.clear();
    result.reserve(vectors.size());
    for (auto const& v : vectors) result.push_back(to_openmm(v));
}

/// Returns the callback of a force computed by user code, or an empty one for other forces.
using FindCallback = std::function<CallbackForce<>(OpenMM::Force const&)>;

/// `step_count` returns the number of steps taken.
CallbackForce<> call_python(OpenMM::PythonForce const& force, std::function<std::int64_t()> const& step_count);
CallbackForce<> call_cpp(OpenMM::CustomCPPForceImpl& force, OpenMM::ContextImpl& context);

/// Converts particles, constraints, virtual sites and box.
StandardSystem convert_frame(OpenMM::System const& system);

/// Whether OpenMM itself applies the force, through platform kernels: a barostat.
bool acts_by_itself(OpenMM::Force const& force);
/// Whether it is a barostat for an RPMDIntegrator.
bool is_for_rings(OpenMM::Force const& force);

/// Adds the converted force. Throws InputError if it is invalid or unknown.
void add_force(StandardSystem& system, OpenMM::Force const& force, FindCallback const& find_callback);

AnyIntegrator convert_integrator(OpenMM::Integrator const& integrator);

}  // namespace trotter::openmm
