// What OpenCL and CUDA both are to the rest: a queue of work on one device, with memory and programs.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>

#include <trotter/device/runtime/version.hpp>

namespace trotter::device {

/// What a device is and can do.
struct DeviceProperties {
    std::string name, driver;
    int compute_units = 1;
    int warp_size = 1;  ///< work-items that run in step and see each other's local memory without a barrier
    std::size_t local_memory = 0, largest_group = 0;
    std::size_t memory = ~std::size_t{0};  ///< [bytes]
    bool has_double = false, has_64_bit_atomics = false;
    bool is_processor = false;  ///< of the host
    bool keeps_programs = false;  ///< the driver itself keeps on disk what it has compiled
};

/// The size of a launch: so many groups of so many work-items.
struct LaunchGrid {
    std::size_t count = 1, size = 64;
};

/// The bytes of one argument of a kernel: a number, a vector, or the handle of a buffer.
struct Argument {
    void const* bytes = nullptr;
    std::size_t size = 0;
    bool is_buffer = false;  ///< where that says more than the handle's bytes
};

/// A type that has the same size in OpenCL, CUDA and host memory. Vectors of three have not: 16 bytes in OpenCL, 12 in CUDA.
template <class T>
concept Storable = std::is_trivially_copyable_v<T> && (sizeof(T) & (sizeof(T) - 1)) == 0;

/// Owns memory of the device; moves, and does not copy.
template <class B>
concept DeviceBuffer = std::movable<B> && requires(B const& buffer) {
    { buffer.bytes() } -> std::convertible_to<std::size_t>;
    { buffer.argument() } -> std::same_as<Argument>;
};

/// Work is carried out in the order in which it is given. `upload` and `download` return when the host's memory may be
/// used again; nothing else waits, but `finish`. `compile` takes text in the dialect of `kernels/` behind its preamble,
/// and throws UnsupportedError with the compiler's log where it does not compile. Buffers and kernels of queues that can record
/// have a Lifetime of their queue's version.
template <class Q>
concept DeviceQueue = std::movable<Q> && DeviceBuffer<typename Q::Buffer> &&
    requires(Q& queue, typename Q::Buffer& buffer, typename Q::Program& program, typename Q::Kernel& kernel,
             std::string const& text, std::size_t n, void const* in, void* out) {
    { queue.properties() } -> std::convertible_to<DeviceProperties const&>;
    { queue.version() } -> std::convertible_to<Version const&>;
    { queue.allocate(n) } -> std::same_as<typename Q::Buffer>;
    queue.upload(buffer, n, in, n);
    queue.download(buffer, n, out, n);
    queue.clear(buffer);
    { queue.compile(text) } -> std::same_as<typename Q::Program>;
    { program.kernel(text) } -> std::same_as<typename Q::Kernel>;
    queue.launch(kernel, LaunchGrid{}, std::span<Argument const>{});
    queue.finish();
};

/// Queues whose work can be recorded and then given as a whole, again and again, and whose work can branch. What is
/// given by the function given to `record` is recorded instead of carried out: launches and `clear`, no copies.
/// What the function given to `fork` gives to the queue runs beside what is given after it and beside other forks, until `join`:
/// again launches and `clear`.
template <class Q>
concept HasGraphs = DeviceQueue<Q> && std::movable<typename Q::Graph> && requires(Q& queue, typename Q::Graph& graph) {
    { queue.record([] {}) } -> std::same_as<typename Q::Graph>;
    queue.launch(graph);
    queue.fork([] {});
    queue.join();
};

/// Queues that see to it, in tests, that what was recorded is what would be given now: `check` throws where it is not.
template <class Q>
concept ChecksGraphs = HasGraphs<Q> && requires(Q& queue, typename Q::Graph const& graph) { queue.check(graph, graph); };

/// Queues whose programs can be compiled beside other work: what `compile` throws, the first launch does.
template <class Q>
concept CompilesAsync = DeviceQueue<Q> && requires(Q& queue, std::string const& text) {
    { queue.compile_async(text) } -> std::same_as<typename Q::Program>;
};

}  // namespace trotter::device
