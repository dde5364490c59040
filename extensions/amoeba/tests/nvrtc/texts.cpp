// The device text of AMOEBA and HIPPO compiles for the supported NVIDIA architectures, in every precision.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include <trotter/amoeba/device_kernels.hpp>
#include <trotter/context.hpp>
#include <trotter/device.hpp>
#include <trotter/integrators/verlet.hpp>

#include "../hippo_molecules.hpp"
#include "../multipole_molecules.hpp"
#include "nvrtc/queue.hpp"

namespace amoeba_nvrtc_test {
namespace {

using namespace trotter;

/// Two steps with this force; each precision has text that no other has.
template <class F> void check_text(F const& force, Box const& box, std::vector<Vec3<>> const& positions) {
    for (auto const types :
         {&device::NumberTypes::of<Single>, &device::NumberTypes::of<Mixed>, &device::NumberTypes::of<Double>}) {
        System<ForceList<F>> system;
        for (std::size_t i = 0; i < positions.size(); ++i) system.add_particle(12);
        system.box = box;
        system.add(force);
        auto const before = nvrtc::compiled().size();
        Context context{system, VerletIntegrator{.step_size = 0.001}, Nvrtc{types}, Mixed{}};
        context.set_positions(positions);
        context.state(Energy | Forces);
        context.step(2);
        CHECK(nvrtc::compiled().size() > before);
    }
}

}  // namespace

TEST_CASE("text of multipoles", "[nvrtc]") {
    using namespace amoeba_multipole_test;
    std::vector const axes{Axis::z_then_x, Axis::bisector, Axis::z_bisect, Axis::three_fold, Axis::z_only, Axis::none};
    auto const positions = places(8);
    check_text(molecules(8, axes, Polarization::mutual, Method::pme), skewed, positions);
    check_text(molecules(8, axes, Polarization::direct, Method::no_cutoff), skewed, positions);
}
TEST_CASE("text of the van der Waals forces of AMOEBA", "[nvrtc]") {
    using namespace amoeba_multipole_test;
    using Vdw = AmoebaVdwForce;
    auto const positions = places(2);
    for (auto const potential : {Vdw::Potential::buffered_14_7, Vdw::Potential::lennard_jones}) {
        Vdw force{.potential = potential, .method = Vdw::Method::cutoff_periodic, .cutoff_distance = 0.9,
                  .alchemy = Vdw::Alchemy::decouple};
        for (int i = 0; i < 10; ++i) {
            Vdw::Particle particle{.parent = i - i % 5, .sigma = 0.16, .epsilon = 0.3 + 0.1 * (i % 3)};
            particle.reduction = i % 5 == 0 ? 1 : 0.9;
            particle.is_alchemical = i < 5;
            force.particles.push_back(particle);
        }
        check_text(force, skewed, positions);
    }
}
TEST_CASE("text of the torsion pairs of AMOEBA", "[nvrtc]") {
    using namespace amoeba_multipole_test;
    using Pairs = AmoebaTorsionTorsionForce;
    std::vector<double> angles;
    for (int n = 0; n <= 6; ++n) angles.push_back(-180 + 60 * n);
    Pairs force{.grids = {Pairs::Grid::fitted(angles, angles, std::vector<double>(49, 1.5))}, .periodic = true};
    force.terms = {{1, 0, 2, 3, 4, 6, 0}};
    check_text(force, skewed, places(2));
}
TEST_CASE("text of HIPPO", "[nvrtc]") {
    using namespace hippo_test;
    auto const particle_of = [](int kind) {
        return Particle{.core_charge = 1.0 + 2 * kind, .alpha = 36.0 + kind, .epsilon = 2, .damping = 30, .c6 = 0.003,
                        .pauli_k = 1, .pauli_q = 1, .pauli_alpha = 33, .polarizability = 0.0003};
    };
    std::vector<AxisType> const types{AxisType::z_then_x, AxisType::bisector, AxisType::none};
    for (auto const method : {Method::pme, Method::no_cutoff}) {
        auto force = molecules_of(8, types, method, particle_of);
        for (int i = 0; i < 40; ++i) {
            auto& particle = force.particles[static_cast<std::size_t>(i)];
            particle.axis_z = neighbor_of(i, 1), particle.axis_x = neighbor_of(i, 2), particle.axis_y = neighbor_of(i, 3);
        }
        check_text(force, skewed, places(8));
    }
}

}  // namespace amoeba_nvrtc_test
