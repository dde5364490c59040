// Tests how signatures are read from kernel source.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/changing_number.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/device/runtime/vectors.hpp>
#include <trotter/kernels/near.hpp>

#include "catch_compat.hpp"
#include "device/tested_device.hpp"

using namespace trotter;

namespace {

using Queue = TestedDevice::Queue;

constexpr char const* two_kernels = R"(
#define MORE GLOBAL const int* RESTRICT begins, \
             int more
KERNEL void BOUNDS first(GLOBAL real4* RESTRICT sites,
                         MORE, mm_ulong seed) {}
KERNEL void second(int count) {}
)";
constexpr char const* begin_list = "GLOBAL int* RESTRICT values, int count";
constexpr char const* end_list = "int factor, int2 shift";
constexpr char const* macro_list = "MORE";
constexpr char const* definition = "#define MORE int more\n";

std::vector<std::string> types(device::Parameters const& parameters) {
    std::vector<std::string> result;
    for (std::size_t n = 0; n < parameters.count; ++n)
        result.push_back(std::string(parameters.list[n].type) + (parameters.list[n].is_array ? "*" : ""));
    return result;
}

}  // namespace

TEST_CASE("a signature is the parameter list of the kernel's source, with macros and bounds", "[host][signature]") {
    using First = device::SignatureIn<two_kernels, "first", two_kernels>;
    using Second = device::SignatureIn<two_kernels, "second">;
    CHECK(types(First::parameters) == std::vector<std::string>{"real4*", "int*", "int", "mm_ulong"});
    CHECK(types(Second::parameters) == std::vector<std::string>{"int"});
    STATIC_REQUIRE(device::SignatureIn<kernels::near_search, "find_near", kernels::near>::parameters.count == 16);
}

TEST_CASE("lists of parameters are joined for the source, and macros expanded for the check alone",
          "[host][signature]") {
    using Joined = device::ParameterList<begin_list, macro_list, definition>;
    CHECK(device::ParameterList<begin_list, end_list>::text()
          == "GLOBAL int* RESTRICT values, int count, int factor, int2 shift");
    constexpr auto const& both = device::ParameterList<begin_list, end_list>::parameters;
    CHECK(types(both) == std::vector<std::string>{"int*", "int", "int", "int2"});
    CHECK(Joined::text() == "GLOBAL int* RESTRICT values, int count, MORE");
    CHECK(types(Joined::parameters) == std::vector<std::string>{"int*", "int", "int"});
}

TEST_CASE("arguments fit parameters of their type", "[host][signature]") {
    using device::fits;
    device::Parameter const reals{"coordinate4", true}, real{"mixed", false}, integer{"int", false},
        pairs{"int2", true}, mesh{"mesh_integer", true};
    CHECK((fits<device::NumberArray<Queue>>(reals) && fits<device::ChangingReal>(real)));
    CHECK((fits<std::int32_t>(integer) && fits<device::ChangingNumber<std::int32_t>>(integer)));
    CHECK((fits<device::Array<Queue, device::mm_int2>>(pairs) && fits<device::Array<Queue, std::uint64_t>>(mesh)));
    CHECK_FALSE((fits<device::NumberArray<Queue>>(real) || fits<device::ChangingReal>(reals)));
    CHECK_FALSE((fits<std::uint32_t>(integer) || fits<float>(integer) || fits<double>(real)));
    CHECK_FALSE((fits<device::Array<Queue, std::int32_t>>(pairs) || fits<device::Array<Queue, std::int32_t>>(integer)));
}

TEST_CASE("kernels with checked arguments", "[device][signature]") {
    static constexpr char const* scaling = R"(
KERNEL void scale(GLOBAL int* RESTRICT values, int count, int factor, int2 shift) {
    for (int i = GLOBAL_ID; i < count; i += GLOBAL_SIZE) values[i] = factor*values[i] + shift.x + shift.y;
}
)";
    auto queue = TestedDevice{}.open();
    device::Array<Queue, std::int32_t> array(queue, {1, 2, 3});
    device::SourceKernels<Queue, scaling> kernels;
    kernels.take(queue.compile(scaling));
    device::TypedKernel<Queue, device::ParameterList<begin_list, end_list>> kernel;
    kernel.take(queue.compile(scaling), "scale");
    device::launch<"scale">(queue, kernels, {1, 64}, array, std::int32_t{3}, std::int32_t{10}, device::mm_int2{1, 1});
    kernel.launch(queue, {1, 64}, array, std::int32_t{2}, std::int32_t{2}, device::mm_int2{0, 0});
    CHECK(array.download(queue) == std::vector<std::int32_t>{24, 44, 32});
}
