// A queue of work on an OpenCL device.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/runtime/queue.hpp>

// OpenCL's handles, declared as in CL/cl.h without its headers.
struct _cl_command_queue;
struct _cl_mem;
struct _cl_program;
struct _cl_kernel;

namespace trotter::opencl {

/// Releases an OpenCL handle.
struct Release {
    void operator()(_cl_program* program) const;
    void operator()(_cl_kernel* kernel) const;
};

/// Device memory. Launches with its address alone do not retain it: if it has a `user`, it waits for that queue before
/// release.
class Buffer {
public:
    Buffer() = default;
    Buffer(_cl_mem* memory, std::size_t bytes, _cl_command_queue* user, device::Version const& version)
        : memory_(memory), bytes_(bytes), user_(user), lifetime_(version) {}
    Buffer(Buffer&& other) noexcept { *this = std::move(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(bytes_, other.bytes_);
        std::swap(user_, other.user_);
        std::swap(lifetime_, other.lifetime_);
        return *this;
    }
    ~Buffer();

    std::size_t bytes() const { return bytes_; }
    device::Argument argument() const { return {&memory_, sizeof(_cl_mem*), true}; }
    _cl_mem* handle() const { return memory_; }

private:
    _cl_mem* memory_ = nullptr;
    std::size_t bytes_ = 0;
    _cl_command_queue* user_ = nullptr;
    device::Lifetime lifetime_;
};

class Kernel {
public:
    Kernel() = default;
    Kernel(_cl_kernel* kernel, bool is_packed, device::Lifetime lifetime = {})
        : kernel_(kernel), is_packed_(is_packed), lifetime_(std::move(lifetime)) {}
    _cl_kernel* handle() const { return kernel_.get(); }
    bool is_packed() const { return is_packed_; }  ///< its arguments are one struct: see `pack_arguments`

private:
    std::unique_ptr<_cl_kernel, Release> kernel_;
    bool is_packed_ = false;
    device::Lifetime lifetime_;
};

class Program {
public:
    Program() = default;
    Program(_cl_program* program, std::set<std::string> packed_kernels, device::Version version)
        : program_(program), packed_kernels_(std::move(packed_kernels)), version_(std::move(version)) {}
    /// Throws UnsupportedError if the program has no such kernel.
    Kernel kernel(std::string const& name) const;

private:
    std::unique_ptr<_cl_program, Release> program_;
    std::set<std::string> packed_kernels_;
    device::Version version_;
};

/// Recorded work: launches with their own kernels, whose arguments are set. The buffers must outlive it.
class Graph {
public:
    struct Launch {
        Kernel kernel;
        device::LaunchGrid groups;
        bool is_on_branch = false;  ///< in a second queue
        bool waits = false;         ///< for the last launch before it, in the other queue, that signals
        bool tells = false;         ///< signals completion
    };
    std::vector<Launch> launches;
    bool waits_at_end = false;  ///< later work waits for the branches
};

/// Options that override the device's defaults.
struct Options {
    /// If false or not available, sums have the same bits and are slower.
    bool may_use_64_bit_atomics = true;
    /// Whether kernels take one struct with addresses; by default on NVIDIA's devices, whose addresses do not change.
    std::optional<bool> packs_arguments = {};
    /// Minimum work-items in a launch of a recorded branch for which it is moved to a second queue.
    std::size_t least_branch = 100000;
};

/// In-order queue on one device; models `device::DeviceQueue` and `device::HasGraphs`: replay costs no more than the
/// recorded launches. Branches run in order, except large ones of recorded work. Waits for the device if it is
/// thousands of launches behind.
class Queue {
public:
    using Buffer = opencl::Buffer;
    using Program = opencl::Program;
    using Kernel = opencl::Kernel;
    using Graph = opencl::Graph;

    /// `device` is the index among the devices of all platforms. Throws UnsupportedError if there is no such device.
    explicit Queue(int device, Options const& options = {});
    Queue(Queue&&) noexcept;
    Queue& operator=(Queue&&) noexcept;
    ~Queue();

    device::DeviceProperties const& properties() const;
    device::Version const& version() const;
    Buffer allocate(std::size_t bytes);
    void upload(Buffer& buffer, std::size_t offset, void const* from, std::size_t bytes);
    void download(Buffer const& buffer, std::size_t offset, void* to, std::size_t bytes);
    void clear(Buffer& buffer);
    Program compile(std::string const& text);
    void launch(Kernel& kernel, device::LaunchGrid groups, std::span<device::Argument const> arguments);
    void finish();

    template <class Work> Graph record(Work&& work) {
        begin_capture();
        try {
            std::forward<Work>(work)();
        } catch (...) {
            drop_capture();
            throw;
        }
        return end_capture();
    }
    void launch(Graph const& graph);
    template <class Work> void fork(Work&& work) {
        begin_branch();
        std::forward<Work>(work)();
        end_branch();
    }
    void join();

private:
    void begin_capture();
    Graph end_capture();
    void drop_capture() noexcept;
    void begin_branch();
    void end_branch();

    struct Handles;
    std::unique_ptr<Handles> handles_;
};

/// Returns the devices in the order of their numbers.
std::vector<device::DeviceProperties> devices();

}  // namespace trotter::opencl
