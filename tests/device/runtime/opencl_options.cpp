// Tests options that are default on NVIDIA devices or for large Systems: arguments in one struct, branches.
// SPDX-License-Identifier: MIT
#ifndef TROTTER_TEST_CUDA
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/forces/nonbonded.hpp>
#include <trotter/opencl/arguments.hpp>

#include "device/compare_steps.hpp"

using namespace trotter;

namespace {

/// Counts launches with packed and unpacked arguments, and launches on branches.
class WatchedQueue : public opencl::Queue {
public:
    using opencl::Queue::Queue;

    using opencl::Queue::launch;
    void launch(Kernel& kernel, device::LaunchGrid groups, std::span<device::Argument const> arguments) {
        ++(kernel.is_packed() ? packed : not_packed);
        opencl::Queue::launch(kernel, groups, arguments);
    }
    template <class Work> Graph record(Work&& work) {
        auto graph = opencl::Queue::record(std::forward<Work>(work));
        for (auto const& launch : graph.launches) beside += launch.is_on_branch ? 1 : 0;
        return graph;
    }
    int packed = 0, not_packed = 0, beside = 0;
};
struct WatchedDevice {
    static constexpr std::string_view name = "WatchedDevice";
    static constexpr bool keeps_state_on_host = true;
    using Queue = WatchedQueue;

    opencl::Options options;
    int copies = 1;

    Queue open() const { return Queue(0, options); }
};
constexpr opencl::Options packing{.packs_arguments = true}, branching{.least_branch = 1};

template <class S, class P> State steps_with(S const& system, opencl::Options const& options, P precision) {
    Context context{system, LangevinMiddleIntegrator{.temperature = 300, .friction = 5, .step_size = 2 * fs, .seed = 7},
                    WatchedDevice{options}, precision};
    start_small_system(context);
    context.step(30);
    auto const& queue = context.engine().device.queue;
    if (options.packs_arguments) CHECK((queue.packed > 0 && queue.not_packed == 0));
    CHECK((queue.beside > 0) == (options.least_branch == 1));
    return context.state(all_that_steps_change);
}

/// A chain of rigid bonds, i.e. a constraint network, with charges in a periodic box.
auto charged_chain() {
    System<ForceList<HarmonicBondForce, NonbondedForce, CMMotionRemover>> system;
    system.box = Box::rectangular(6.4, 3.2, 3.3);
    HarmonicBondForce bonds;
    NonbondedForce nonbonded;
    nonbonded.method = NonbondedForce::Method::pme;
    nonbonded.cutoff_distance = 0.9;
    for (int i = 0; i < 40; ++i) {
        system.add_particle(12);
        nonbonded.particles.push_back({i % 2 == 0 ? 0.2 : -0.2, 0.1, 0.4});
        if (i > 0 && i < 9) system.add_constraint(i - 1, i, 0.2);
        if (i > 0) bonds.bonds.push_back({i - 1, i, 0.2, 500});
        if (i > 0) nonbonded.exceptions.push_back({i - 1, i, 0, 1, 0});
    }
    system.add(bonds);
    system.add(nonbonded);
    system.add(CMMotionRemover{});
    return system;
}

std::string const many_text = R"(
#define LATER_PARAMETERS GLOBAL const float4* RESTRICT vectors, double last
KERNEL void GROUP_BOUNDS(32, 1) write_all(GLOBAL double* RESTRICT results, const int first, float4 second, short third
#ifdef NOWHERE
, int nowhere
#else
, mm_long fourth
#endif
, uint2 fifth, LATER_PARAMETERS) {
    results[0] = first; results[1] = second.x; results[2] = second.w; results[3] = third; results[4] = (double) fourth;
    results[5] = fifth.y; results[6] = vectors == 0 ? -1 : vectors[1].z; results[7] = last;
}
)";

std::string const scale_text = R"(
KERNEL void scale(GLOBAL int* RESTRICT values, int count, int factor) {
    for (int i = GLOBAL_ID; i < count; i += GLOBAL_SIZE) values[i] *= factor;
}
)";

}  // namespace

TEST_CASE("signatures of kernels become structs where they are plain", "[device][host]") {
    auto const packed = [](std::string const& text) { return opencl::pack_arguments(text).kernels.size(); };
    CHECK(packed(many_text) == 1);
    CHECK(packed("KERNEL void f(GLOBAL int* a) {} KERNEL\nvoid __attribute__((x(1))) g ( int b ) {}") == 2);
    for (std::string const left :
         {"KERNEL void f() {}", "KERNEL void f(int a);", "KERNEL void f(UNKNOWN) {}",
          "#define A A\nKERNEL void f(A) {}", "KERNEL void f(LOCAL_ARG int* a) {}", "KERNEL void f(int a[3]) {}",
          "KERNEL void f(int a /* first */) {}", "KERNEL", "KERNEL void f(", "A_KERNEL void f(int a) {}"}) {
        CHECK(packed(left) == 0);
        CHECK(opencl::pack_arguments(left).text == left);
    }
}

TEST_CASE("bounds that a kernel notes become directives of its assembly", "[device][host]") {
    std::string const text = "#define BOUNDS GROUP_BOUNDS(32*N, 4)\nKERNEL void BOUNDS f(int a) {}";
    CHECK(opencl::pack_arguments(text).text.find("NOTE_BOUNDS(size, groups)\nBOUNDS\n") != std::string::npos);
    std::string const noted = "{\n// GROUP_BOUNDS 128 4\nret;\n}\n", plain = "{\nret;\n}\n",
                      bounds = ".maxntid 128, 1, 1\n.minnctapersm 4\n",
                      sized = ".entry b(\n.param .u64 x\n)\n.reqntid 128, 1, 1\n";
    CHECK(opencl::bound_registers(".version 8\n.entry a()\n" + plain + ".entry b()\n" + noted + ".entry c()\n" + plain)
          == ".version 8\n.entry a()\n" + plain + ".entry b()\n" + bounds + noted + ".entry c()\n" + plain);
    CHECK(opencl::bound_registers(sized + noted) == sized + ".minnctapersm 4\n" + noted);
    CHECK(opencl::bound_registers(plain + noted) == plain + noted);
}

TEST_CASE("arguments of every size find their places in a struct", "[device]") {
    WatchedQueue queue(0, packing);
    auto kernel = queue.compile(many_text).kernel("write_all");
    REQUIRE(kernel.is_packed());
    // Memory that is freed and allocated again, and no memory.
    for (float const z : {5.f, 6.f, -1.f}) {
        device::Array<opencl::Queue, device::mm_float4> vectors;
        if (z > 0) vectors = {queue, std::vector<device::mm_float4>{{}, {0, 0, z, 0}}};
        device::Array<opencl::Queue, double> results(queue, 8);
        device::launch(queue, kernel, {1, 1}, results, std::int32_t{1}, device::mm_float4{2, 0, 0, 3}, std::int16_t{4},
                       std::int64_t{-5}, device::mm_int2{6, 7}, vectors, 8.5);
        CHECK(results.download(queue) == std::vector<double>{1, 2, 3, 4, -5, 7, z, 8.5});
    }
}

TEST_CASE("text that compiles as it was given alone keeps its arguments", "[device]") {
    WatchedQueue queue(0, packing);
    auto kernel =
        queue.compile("typedef GLOBAL int* Numbers;\nKERNEL void put(Numbers all) { all[0] = 7; }").kernel("put");
    CHECK(!kernel.is_packed());
    device::Array<opencl::Queue, std::int32_t> all(queue, 1);
    device::launch(queue, kernel, {1, 1}, all);
    CHECK(all.download(queue).front() == 7);
}

TEST_CASE("text that does not compile in any way is refused as it was given", "[device]") {
    CHECK_THROWS_WITH(WatchedQueue(0, packing).compile("KERNEL void f(int a) { forty_two; }"),
                      Catch::Matchers::Contains("forty_two"));
}

TEST_CASE("work is recorded beside other work where a branch is large", "[device]") {
    WatchedQueue queue(0, {.least_branch = 128});
    std::vector<std::int32_t> const ones(1000, 1);
    device::Array<opencl::Queue, std::int32_t> first(queue, ones), second(queue, ones), third(queue, ones);
    auto kernel = queue.compile(scale_text).kernel("scale");
    auto const scale = [&](auto& array, std::int32_t const factor, std::size_t groups) {
        device::launch(queue, kernel, {groups, 64}, array, std::int32_t{1000}, factor);
    };
    auto const graph = queue.record([&] {
        scale(first, 2, 2);
        queue.fork([&] { scale(second, 3, 2); });
        queue.fork([&] { scale(third, 5, 1); });
        queue.fork([] {});
        scale(first, 7, 2);
        queue.join();
        queue.fork([&] { scale(second, -2, 1); });  // must wait, though it is in order
        queue.join();
        queue.fork([&] { scale(third, 2, 4); });
    });
    std::string who;  // each launch: whether it waits and signals
    for (auto const& launch : graph.launches)
        who += std::string(launch.is_on_branch ? "beside" : "main") + (launch.waits ? " waits" : "")
               + (launch.tells ? " tells" : "") + "; ";
    CHECK(who == "main tells; beside waits tells; main; main; main waits tells; beside waits tells; ");
    CHECK(graph.waits_at_end);
    for (int n = 0; n < 3; ++n) queue.launch(graph);
    CHECK(first.download(queue) == std::vector<std::int32_t>(1000, 14 * 14 * 14));
    CHECK(second.download(queue) == std::vector<std::int32_t>(1000, -6 * 6 * 6));
    CHECK(third.download(queue) == std::vector<std::int32_t>(1000, 1000));
}

TEMPLATE_TEST_CASE("steps have the same bits however a device is used", "[device]", Mixed, Double) {
    auto const check = [](auto const& system) {
        auto const expected = steps_with(system, opencl::Options{}, TestType{});
        check_same_bits(steps_with(system, packing, TestType{}), expected);
        check_same_bits(steps_with(system, branching, TestType{}), expected);
    };
    check(small_system());
    check(charged_chain());
}
#endif
