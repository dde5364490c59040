// A force that states no parts and has no kernel: the error names force, backend and precision.
// SPDX-License-Identifier: MIT
// expect: no_kernel_for<SpringForce, trotter::Reference, trotter::Double>
// expect: include_the_backend_header_or_specialize_Kernel
#include <trotter/reference.hpp>
#include <trotter/trotter.hpp>

struct SpringForce {
    static constexpr std::string_view name = "SpringForce";
    int force_group = 0;
};

int main() {
    trotter::System<trotter::ForceList<SpringForce>> system;
    trotter::Context context{system, trotter::VerletIntegrator{.step_size = 0.001}, trotter::Reference{}, trotter::Double{}};
}
