// An integrator that states no splitting and has no kernel: the error names integrator, backend and precision.
// SPDX-License-Identifier: MIT
// expect: no_kernel_for<LeapIntegrator, trotter::Reference, trotter::Double>
// expect: include_the_backend_header_or_specialize_Kernel
#include <trotter/reference.hpp>
#include <trotter/trotter.hpp>

struct LeapIntegrator {
    static constexpr std::string_view name = "LeapIntegrator";
    double step_size = 0, constraint_tolerance = 1e-5;
    trotter::ForceGroups force_groups;
};

int main() {
    trotter::System<trotter::ForceList<trotter::HarmonicBondForce>> system;
    trotter::Context context{system, LeapIntegrator{.step_size = 0.001}, trotter::Reference{}, trotter::Double{}};
    context.set_velocities_to_temperature(300);
    context.step(1);
    context.set_state(context.state(trotter::Energy | trotter::IntegratorParameters));
    context.reinitialize();
}
