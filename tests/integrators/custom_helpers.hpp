// Helpers for tests of CustomIntegrators: the System of data/make_custom.py, and OpenMM's results for it.
// SPDX-License-Identifier: MIT
#pragma once
#include <fstream>
#include <sstream>
#include <string>

#include "catch_compat.hpp"
#include "common/harness.hpp"
#include "folder.hpp"

#include <trotter/base/archive.hpp>
#include <trotter/context.hpp>
#include <trotter/forces/cm_motion_remover.hpp>
#include <trotter/forces/custom_bond.hpp>
#include <trotter/forces/custom_external.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/io/forces.hpp>
#include <trotter/io/integrator.hpp>
#include <trotter/io/state.hpp>
#include <trotter/io/system.hpp>
#include <trotter/reference.hpp>

namespace trotter::testing {

using CustomForces = ForceList<HarmonicBondForce, CustomBondForce, CustomExternalForce, CMMotionRemover>;

inline std::string data_file(std::string const& name) { return tests_folder() + "/integrators/data/" + name; }

/// Sets the initial state of data/make_custom.py.
template <class Context> void start(Context& context) {
    context.set_positions({{0, 0, 0}, {.12, 0, 0}, {.13, .1, .02}, {.21, .13, .03}, {.4, .1, -.1}});
    context.set_velocities({{.5, .2, .1}, {.5, -.5, .1}, {.2, .7, .2}, {-.3, .1, .4}, {0, 0, 0}});
}
template <class TestedBackend, class I> auto make_context(System<CustomForces> const& system, I const& integrator) {
    Context context(system, integrator, typename TestedBackend::Backend{}, typename TestedBackend::Precision{}, 5);
    start(context);
    return context;
}
template <class Context> auto& kernel_of(Context& context) {
    return context.visit_integrator([](auto& kernel) -> auto& { return kernel; });
}

inline void close_to(double ours, double theirs, double tolerance) {
    CHECK(std::abs(ours - theirs) <= tolerance * std::max(1.0, std::abs(theirs)));
}

/// Compares with the rows of data/custom_steps.txt for `name`, except those of the variable `but`.
template <class Context>
void compare(Context& context, std::string const& name, double tolerance, std::string const& but = "") {
    std::ifstream file(data_file("custom_steps.txt"));
    std::string line;
    int rows = 0;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        std::string of, what;
        int particle = -1;
        words >> of >> what >> particle;
        if (of != name || what == but) continue;
        ++rows;
        INFO(line);
        Vec3<> theirs;
        words >> theirs.x >> theirs.y >> theirs.z;
        if (what == "kinetic") close_to(context.kinetic_energy(), theirs.x, tolerance);
        else if (particle < 0 && context.parameters().has(what)) close_to(context.parameter(what), theirs.x, tolerance);
        else if (particle < 0) {
            double infinite = std::numeric_limits<double>::infinity();
            if (what == "inf") CHECK(kernel_of(context).global(what) == infinite);
            else close_to(kernel_of(context).global(what), theirs.x, tolerance);
        } else {
            auto const i = static_cast<std::size_t>(particle);
            Vec3<> const ours = what == "x"   ? context.positions()[i]
                                : what == "v" ? context.velocities()[i]
                                              : kernel_of(context).per_dof(what)[i];
            for (std::size_t axis = 0; axis < 3; ++axis) close_to(ours[axis], theirs[axis], tolerance);
        }
    }
    CHECK(rows > 10);
}

}  // namespace trotter::testing
