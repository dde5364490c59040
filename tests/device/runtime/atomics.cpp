// Tests that devices without 64-bit atomics give the same bits as those with them.
// SPDX-License-Identifier: MIT
#ifndef TROTTER_TEST_CUDA
#include "catch_compat.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/device/pairs/nonbonded.hpp>
#include <trotter/opencl.hpp>
#include <trotter/trotter.hpp>

using namespace trotter;

namespace {

struct OpenClByHalves {
    static constexpr std::string_view name = "OpenClByHalves";
    static constexpr bool keeps_state_on_host = true;
    using Queue = opencl::Queue;

    Queue open() const { return Queue(0, {.may_use_64_bit_atomics = false}); }
};

std::string const atomic_text = R"(
#ifdef SUPPORTS_64_BIT_ATOMICS
#error this device has 64-bit atomics
#endif
KERNEL void add(GLOBAL const mm_long* RESTRICT values, int count, GLOBAL mm_long* sum, GLOBAL mm_ulong* same, GLOBAL int* calls) {
    LOCAL mm_ulong of_group;
    if (LOCAL_ID == 0) of_group = 0;
    SYNC_THREADS
    for (int i = GLOBAL_ID; i < count; i += GLOBAL_SIZE) {
        ATOMIC_ADD(sum, values[i]);
        ATOMIC_ADD(&of_group, (mm_ulong) values[i]);
        ATOMIC_ADD(calls, 1);
    }
    SYNC_THREADS
    if (LOCAL_ID == 0) ATOMIC_ADD(same, of_group);
}
)";

/// Ions on a lattice in random order; in Double, their mesh counts in 64 bits.
struct Salt {
    System<ForceList<NonbondedForce>> system;
    std::vector<Vec3<>> positions;

    explicit Salt(int edge) {
        double const spacing = 0.28;
        system.box = Box::rectangular(edge * spacing, edge * spacing, edge * spacing);
        NonbondedForce force{.method = NonbondedForce::Method::pme, .cutoff_distance = 0.9};
        for (int i = 0; i < edge * edge * edge; ++i) {
            int const x = i % edge, y = i / edge % edge, z = i / (edge * edge);
            system.add_particle(20);
            force.particles.push_back({(x + y + z) % 2 == 0 ? 0.5 : -0.5, 0.24, 0.5});
            positions.push_back(
                {spacing * x + 0.02 * std::sin(i * 1.7), spacing * y + 0.02 * std::cos(i * 2.9), spacing * z});
        }
        system.add(force);
    }
};

template <class B, class P> State run(Salt const& salt, B backend, P precision) {
    Context context{salt.system,
                    LangevinMiddleIntegrator{.temperature = 300, .friction = 5, .step_size = 2 * fs, .seed = 7},
                    backend, precision};
    context.set_positions(salt.positions);
    context.set_velocities_to_temperature(300, 5);
    context.step(10);
    return context.state(StateData::positions | StateData::velocities | StateData::energy | StateData::forces);
}
template <class P> void check_same(Salt const& salt, P precision) {
    auto const expected = run(salt, OpenCl{}, precision), found = run(salt, OpenClByHalves{}, precision);
    CHECK(found.positions == expected.positions);
    CHECK(found.velocities == expected.velocities);
    CHECK(found.forces == expected.forces);
    CHECK(found.potential_energy == expected.potential_energy);
}

}  // namespace

TEST_CASE("sums of 64 bits by halves carry, in both signs", "[device]") {
    auto queue = OpenClByHalves{}.open();
    std::vector<std::int64_t> values;
    std::uint64_t bits = 1, expected = 0;
    for (int i = 0; i < 100'000; ++i) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        // some of 64 bits, some small ones around zero
        values.push_back(static_cast<std::int64_t>(i % 2 == 0 ? bits : bits % 7 - 3));
        expected += static_cast<std::uint64_t>(values.back());
    }
    device::Array<opencl::Queue, std::int64_t> const given(queue, values);
    device::Array<opencl::Queue, std::int64_t> sum(queue, std::vector<std::int64_t>{0});
    device::Array<opencl::Queue, std::uint64_t> same(queue, std::vector<std::uint64_t>{0});
    device::Array<opencl::Queue, std::int32_t> calls(queue, std::vector<std::int32_t>{0});
    auto kernel = queue.compile(atomic_text).kernel("add");
    device::launch(queue, kernel, {64, 64}, given, static_cast<std::int32_t>(values.size()), sum, same, calls);
    CHECK(static_cast<std::uint64_t>(sum.download(queue).front()) == expected);
    CHECK(same.download(queue).front() == expected);
    CHECK(calls.download(queue).front() == 100'000);
}
TEST_CASE("steps with forces, mesh and lists have the same bits without 64-bit atomics", "[device]") {
    Salt const salt(8);
    check_same(salt, Mixed{});
    check_same(salt, Double{});
}
#endif
