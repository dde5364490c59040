// Tests the common behavior of queues, and their errors.
// SPDX-License-Identifier: MIT
#include <concepts>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/changing_number.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/device/runtime/vectors.hpp>
#include <trotter/error.hpp>
#include <trotter/opencl/backend.hpp>
#ifdef TROTTER_HAVE_CUDA
#include <trotter/cuda/backend.hpp>
#endif

#include "catch_compat.hpp"

using namespace trotter;

namespace {

template <class Backend> bool has_device() {
    std::size_t count = 0;
    if constexpr (std::same_as<Backend, OpenCl>) count = opencl::devices().size();
#ifdef TROTTER_HAVE_CUDA
    if constexpr (std::same_as<Backend, Cuda>) count = cuda::devices().size();
#endif
    if (count == 0) WARN("there is no device for " << Backend::name);
    return count > 0;
}

template <class Do> std::string refusal(Do const& attempt) {
    try {
        attempt();
    } catch (UnsupportedError const& error) {
        return error.what();
    }
    return "done";
}

std::string const scaling_text = R"(
KERNEL void scale(GLOBAL int* RESTRICT values, int count, int factor, int2 shift) {
    for (int i = GLOBAL_ID; i < count; i += GLOBAL_SIZE) values[i] = factor*values[i] + shift.x + shift.y;
}
)";

#ifdef TROTTER_HAVE_CUDA
using Backends = std::tuple<OpenCl, Cuda>;
#else
using Backends = std::tuple<OpenCl>;
#endif

}  // namespace

TEMPLATE_LIST_TEST_CASE("copies, clearing and kernels with arguments", "[device]", Backends) {
    if (!has_device<TestType>()) return;
    auto queue = TestType{}.open();
    // More than page-locked memory holds at once.
    std::vector<std::int32_t> numbers(3'000'001);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int32_t>(i % 1000);
    device::Array<typename TestType::Queue, std::int32_t> array(queue, numbers);
    auto kernel = queue.compile(scaling_text).kernel("scale");
    auto const count = static_cast<std::int32_t>(numbers.size());
    device::launch(queue, kernel, {7, 64}, array, count, std::int32_t{3}, device::mm_int2{4, 5});
    auto const scaled = array.download(queue);
    bool right = true;
    for (std::size_t i = 0; i < numbers.size(); ++i) right = right && scaled[i] == 3 * numbers[i] + 9;
    CHECK(right);
    CHECK(array.download(queue, 5, 2) == std::vector<std::int32_t>{24, 27});
    array.clear(queue);
    CHECK(array.download(queue) == std::vector<std::int32_t>(numbers.size(), 0));
    queue.finish();
}

TEMPLATE_LIST_TEST_CASE("what a queue cannot do it says in a sentence", "[device]", Backends) {
    CHECK(refusal([] { TestType{.device = 9999}.open(); }).starts_with("there is no "));
    CHECK(refusal([] { TestType{.device = -1}.open(); }).starts_with("there is no "));
    if (!has_device<TestType>()) return;
    auto queue = TestType{}.open();
    CHECK(refusal([&] { queue.allocate(std::size_t{1} << 50); }).find("allocating 1125899906842624 bytes failed with C")
          != std::string::npos);
    CHECK(refusal([&] { queue.compile("KERNEL void f() { forty_two; }"); }).find("forty_two") != std::string::npos);
    CHECK(refusal([&] { queue.compile(scaling_text).kernel("shrink"); }) == "the device text has no kernel shrink");
}

TEMPLATE_LIST_TEST_CASE("the version of a queue advances where recorded work may hold no more", "[device]", Backends) {
    if (!has_device<TestType>()) return;
    using Queue = typename TestType::Queue;
    using Ints = device::Array<Queue, std::int32_t>;
    auto queue = TestType{}.open();
    auto last = queue.version().number();
    auto const advances = [&](auto const& act) {
        act();
        return std::exchange(last, queue.version().number()) != last;
    };
    Ints array, other;
    typename Queue::Kernel kernel;
    auto program = queue.compile(scaling_text);
    device::ChangingNumber<std::int32_t> number(queue.version(), 3);
    device::ChangingReal real(queue.version(), true, 1);
    CHECK_FALSE(advances([&] { array = Ints(queue, 10), other = Ints(queue, 10); }));
    CHECK_FALSE(advances([&] { kernel = program.kernel("scale"); }));
    CHECK_FALSE(advances([&] { array.upload(queue, std::vector<std::int32_t>(10)); }));
    CHECK_FALSE(advances([&] { std::swap(array, other); }));
    CHECK_FALSE(advances([&] { number = 3, real = 1; }));
    CHECK(advances([&] { array.upload(queue, std::vector<std::int32_t>(11)); }));
    CHECK(advances([&] { other = {}; }));
    CHECK(advances([&] { kernel = program.kernel("scale"); }));
    CHECK(advances([&] { number = 4; }));
    CHECK(advances([&] { real = 2; }));
    auto const moved_away = std::move(array);
    CHECK_FALSE(advances([&] { array = Ints(queue, 3); }));
}

TEMPLATE_LIST_TEST_CASE("recorded work is done each time that it is given", "[device]", Backends) {
    if constexpr (device::HasGraphs<typename TestType::Queue>) {
        if (!has_device<TestType>()) return;
        auto queue = TestType{}.open();
        std::vector<std::int32_t> const ones(1000, 1);
        device::Array<typename TestType::Queue, std::int32_t> first(queue, ones), second(queue, ones);
        auto kernel = queue.compile(scaling_text).kernel("scale");
        auto const scale = [&](auto& array, std::int32_t const factor) {
            device::launch(queue, kernel, {4, 64}, array, std::int32_t{1000}, factor, device::mm_int2{0, 0});
        };
        auto graph = queue.record([&] {
            queue.fork([&] { scale(second, 3); });
            scale(first, 2);
            queue.join();
            scale(second, 5);
        });
        CHECK(first.download(queue).front() == 1);
        for (int n = 0; n < 3; ++n) queue.launch(graph);
        CHECK(first.download(queue) == std::vector<std::int32_t>(1000, 8));
        CHECK(second.download(queue) == std::vector<std::int32_t>(1000, 15 * 15 * 15));
    }
}

TEMPLATE_LIST_TEST_CASE("recorded work that is given many times is done as often, and before what follows", "[device]",
                        Backends) {
    using Queue = typename TestType::Queue;
    if constexpr (device::HasGraphs<Queue>) {
        if (!has_device<TestType>()) return;
        auto queue = TestType{}.open();
        device::Array<Queue, std::int32_t> sum(queue, std::vector<std::int32_t>{0});
        auto kernel = queue.compile(scaling_text).kernel("scale");
        auto const recorded = [&](std::int32_t const factor, std::int32_t shift) {
            return queue.record([&] {
                device::launch(queue, kernel, {1, 64}, sum, std::int32_t{1}, factor, device::mm_int2{shift, 0});
            });
        };
        auto one = recorded(1, 1), two = recorded(1, 2);
        std::int32_t expected = 0;
        // Whole portions, remainders, and alternating graphs.
        for (int const count : {1, 63, 8, 7, 100, 3}) {
            for (int n = 0; n < count; ++n) queue.launch(one);
            for (int n = 0; n < count / 2; ++n) queue.launch(two);
            expected += count + 2 * (count / 2);
            if (count == 8) continue;  // the remainder waits for the next launch
            CHECK(sum.download(queue).front() == expected);
        }
        for (int n = 0; n < 5; ++n) queue.launch(one);
        device::launch(queue, kernel, {1, 64}, sum, std::int32_t{1}, std::int32_t{-1}, device::mm_int2{0, 0});
        CHECK(sum.download(queue).front() == -(expected + 5));
    }
}

TEMPLATE_LIST_TEST_CASE("recorded kernels see all that those before them have done", "[device]", Backends) {
    using Queue = typename TestType::Queue;
    if constexpr (device::HasGraphs<Queue>) {
        if (!has_device<TestType>()) return;
        auto queue = TestType{}.open();
        std::int32_t const size = 1 << 20;  // more than run concurrently on a device
        device::Array<Queue, std::int32_t> numbers(queue, std::vector<std::int32_t>(size, 1));
        auto kernel = queue.compile(scaling_text).kernel("scale");
        auto graph = queue.record([&] {
            for (int n = 0; n < 6; ++n)  // of different lengths, so that short ones could overtake
                device::launch(queue, kernel, {n % 2 == 0 ? std::size_t{4096} : std::size_t{3}, 64}, numbers, size,
                               std::int32_t{n % 2 == 0 ? 1 : -1}, device::mm_int2{n + 1, 0});
        });
        std::int32_t expected = 1;
        for (int round = 0; round < 100; ++round) {
            queue.launch(graph);
            for (int n = 0; n < 6; ++n) expected = (n % 2 == 0 ? expected : -expected) + n + 1;
        }
        CHECK(numbers.download(queue) == std::vector<std::int32_t>(size, expected));
    }
}

TEMPLATE_LIST_TEST_CASE("a queue works on where what it was to record or to branch failed", "[device]", Backends) {
    using Queue = typename TestType::Queue;
    if constexpr (device::HasGraphs<Queue>) {
        if (!has_device<TestType>()) return;
        auto queue = TestType{}.open();
        device::Array<Queue, std::int32_t> number(queue, std::vector<std::int32_t>{2});
        auto kernel = queue.compile(scaling_text).kernel("scale");
        auto const twice = [&] {
            device::launch(queue, kernel, {1, 64}, number, std::int32_t{1}, std::int32_t{2}, device::mm_int2{0, 0});
        };
        auto const fail = [&] {
            twice();
            throw UnsupportedError("enough");
        };
        CHECK(refusal([&] { queue.fork(fail); }) == "enough");
        queue.join();
        CHECK(number.download(queue).front() == 4);
        CHECK(refusal([&] { queue.record([&] { queue.fork(fail); }); }) == "enough");
        CHECK(number.download(queue).front() == 4);
        auto graph = queue.record(twice);
        queue.launch(graph);
        CHECK(number.download(queue).front() == 8);
    }
}
