// A force of the user's own, stated by its formula, on every backend of an installed Trotter.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>

#include <trotter/reference.hpp>
#include <trotter/trotter.hpp>
#ifdef TROTTER_HAVE_CPU
#include <trotter/cpu.hpp>
#endif
#ifdef TROTTER_HAVE_OPENCL
#include <trotter/opencl.hpp>
#endif
#ifdef TROTTER_HAVE_CUDA
#include <trotter/cuda.hpp>
#endif

namespace mine {
/// E = k (r - length)^4.
struct QuarticBondForce {
    static constexpr std::string_view name = "QuarticBondForce";
    struct Bond {
        int particle1 = 0, particle2 = 0;
        double length = 0, k = 0;
    };
    std::vector<Bond> bonds;
    int force_group = 0;
    bool periodic = false;

    static constexpr auto terms = &QuarticBondForce::bonds;
    static constexpr auto particles = std::tuple{&Bond::particle1, &Bond::particle2};
    static constexpr auto variables = std::tuple{trotter::Distance{"r", {0, 1}}};
    static constexpr auto fields = std::tuple{trotter::Field{"length", "d", &Bond::length}, trotter::Field{"k", "k", &Bond::k}};
    static constexpr trotter::Expression<"k*(r - length)^4"> energy{};
};
}  // namespace mine

template <class Backend, class Precision> bool energy_is_right(Backend backend, Precision precision) {
    using namespace trotter;
    System<ForceList<mine::QuarticBondForce>> system;
    system.add_particle(1 * amu);
    system.add_particle(1 * amu);
    system.add(mine::QuarticBondForce{.bonds = {{0, 1, 0.1, 1000}}});
    auto context = Context{system, VerletIntegrator{.step_size = 1 * fs}, backend, precision};
    context.set_positions({{0, 0, 0}, {0.3, 0, 0}});
    double const energy = context.state(Energy).potential_energy;
    std::printf("%.9f kJ/mol\n", energy);
    return std::abs(energy - 1.6) < 1e-6;
}

int main() {
    bool right = energy_is_right(trotter::Reference{}, trotter::Double{});
#ifdef TROTTER_HAVE_CPU
    right = energy_is_right(trotter::Cpu{}, trotter::Double{}) && energy_is_right(trotter::Cpu{}, trotter::Mixed{}) && right;
#endif
#ifdef TROTTER_HAVE_OPENCL
    if (!trotter::opencl::devices().empty()) right = energy_is_right(trotter::OpenCl{}, trotter::Mixed{}) && right;
#endif
#ifdef TROTTER_HAVE_CUDA
    if (!trotter::cuda::devices().empty()) right = energy_is_right(trotter::Cuda{}, trotter::Mixed{}) && right;
#endif
    return right ? 0 : 1;
}
