// The common interface of OpenCL and CUDA: a queue of work on one device, with memory and programs.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>

#include <trotter/device/runtime/version.hpp>

namespace trotter::device {

/// Properties of a device.
struct DeviceProperties {
    std::string name, driver;
    int compute_units = 1;
    int warp_size = 1;  ///< work-items in lockstep, which see each other's local memory without a barrier
    std::size_t local_memory = 0, largest_group = 0;
    std::size_t memory = ~std::size_t{0};  ///< [bytes]
    bool has_double = false, has_64_bit_atomics = false;
    bool is_processor = false;  ///< the host's CPU
    bool keeps_programs = false;  ///< the driver caches compiled programs on disk
};

/// Launch size: `count` work-groups of `size` work-items.
struct LaunchGrid {
    std::size_t count = 1, size = 64;
};

/// The bytes of a kernel argument: a number, a vector, or a buffer's handle.
struct Argument {
    void const* bytes = nullptr;
    std::size_t size = 0;
    bool is_buffer = false;  ///< set if the handle must be told apart from plain bytes
};

/// A type of equal size in OpenCL, CUDA and host memory. Vectors of three are not: 16 bytes in OpenCL, 12 in CUDA.
template <class T>
concept Storable = std::is_trivially_copyable_v<T> && (sizeof(T) & (sizeof(T) - 1)) == 0;

/// Element type of arrays whose numbers are float or double as chosen at run time.
struct AnyReal;

/// Owns device memory; movable, not copyable.
template <class B>
concept DeviceBuffer = std::movable<B> && requires(B const& buffer) {
    { buffer.bytes() } -> std::convertible_to<std::size_t>;
    { buffer.argument() } -> std::same_as<Argument>;
};

/// An in-order queue. `upload` and `download` return when the host's memory may be reused; only `finish` waits
/// otherwise. `compile` takes source in the dialect of `kernels/`, without its preamble, and throws UnsupportedError
/// with the compiler's log on failure. Buffers and kernels of recording queues have a Lifetime of the queue's version.
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

/// Queues that can record work, replay it, and branch. Work submitted by the function passed to `record` is recorded
/// instead of executed: launches and `clear`, no copies. Work submitted by the function passed to `fork`, again
/// launches and `clear`, runs concurrently with later work and other forks until `join`.
template <class Q>
concept HasGraphs = DeviceQueue<Q> && std::movable<typename Q::Graph> && requires(Q& queue, typename Q::Graph& graph) {
    { queue.record([] {}) } -> std::same_as<typename Q::Graph>;
    queue.launch(graph);
    queue.fork([] {});
    queue.join();
};

/// Queues for tests: `check` throws if recorded work differs from what would be submitted now.
template <class Q>
concept ChecksGraphs = HasGraphs<Q> && requires(Q& queue, typename Q::Graph const& graph) { queue.check(graph, graph); };

/// Queues that can compile concurrently: errors of `compile` are thrown by the first launch.
template <class Q>
concept CompilesAsync = DeviceQueue<Q> && requires(Q& queue, std::string const& text) {
    { queue.compile_async(text) } -> std::same_as<typename Q::Program>;
};

template <DeviceQueue Q> class Engine;  // queue_engine.hpp

}  // namespace trotter::device
