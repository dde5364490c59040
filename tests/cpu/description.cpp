// The description of a Context on Cpu: threads and instruction set.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <concepts>

#include <trotter/context.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/integrators/verlet.hpp>
#include <trotter/system.hpp>

#include "systems.hpp"

using namespace trotter;
using namespace trotter::testing;

static_assert(std::same_as<Cpu, BasicCpu<cpu::DynamicDispatch>>, "Cpu takes its loops out of the library at run time");

namespace {

template <class B, class P> PlatformDescription description_on(B backend, P precision) {
    System<ForceList<HarmonicBondForce>> system;
    for (int i = 0; i < 2; ++i) system.add_particle(1);
    system.add(HarmonicBondForce{.bonds = {{0, 1, 0.1, 1000}}});
    Context const context{system, VerletIntegrator{.step_size = 0.001}, backend, precision};
    return context.description();
}

}  // namespace

TEST_CASE("a Context describes the instruction set of the loops in use", "[cpu]") {
    with_each_instruction_set([] {
        auto const description = description_on(Cpu{.threads = 2}, Mixed{});
        CHECK(description.platform == "cpu");
        CHECK(description.precision == "mixed");
        CHECK(description.threads == 2);
        CHECK(description.instruction_set == cpu::Loops<cpu::DynamicDispatch, float>::instruction_set());
        CHECK(description.instruction_set == cpu::instruction_set().name);
        CHECK_THAT(description.device, Catch::Matchers::EndsWith(", 2 threads, " + description.instruction_set));
    });
    CHECK(description_on(Cpu{}, Double{}).instruction_set == cpu::instruction_sets().front());
}

TEST_CASE("with the loops of this file it describes the file's instruction set", "[cpu]") {
    auto const description = description_on(BasicCpu<xsimd::default_arch>{.threads = 1}, Double{});
    CHECK(description.platform == "cpu");
    CHECK(description.precision == "double");
    CHECK(description.instruction_set == xsimd::default_arch::name());
}
