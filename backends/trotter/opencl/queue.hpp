// A queue of work on an OpenCL device.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/queue.hpp>

// As CL/cl.h names them: the handles of OpenCL, without its headers.
struct _cl_mem;
struct _cl_program;
struct _cl_kernel;

namespace trotter::opencl {

/// Gives a handle back to OpenCL.
struct Release {
    void operator()(_cl_mem* memory) const;
    void operator()(_cl_program* program) const;
    void operator()(_cl_kernel* kernel) const;
};

class Buffer {
public:
    Buffer() = default;
    Buffer(_cl_mem* memory, std::size_t bytes) : memory_(memory), bytes_(bytes) {}

    std::size_t bytes() const { return bytes_; }
    device::Argument argument() const { return {&memory_, sizeof(_cl_mem*)}; }
    _cl_mem* handle() const { return memory_.get(); }

private:
    std::unique_ptr<_cl_mem, Release> memory_;
    std::size_t bytes_ = 0;
    static_assert(sizeof(std::unique_ptr<_cl_mem, Release>) == sizeof(_cl_mem*));
};

class Kernel {
public:
    Kernel() = default;
    explicit Kernel(_cl_kernel* kernel) : kernel_(kernel) {}
    _cl_kernel* handle() const { return kernel_.get(); }

private:
    std::unique_ptr<_cl_kernel, Release> kernel_;
};

class Program {
public:
    Program() = default;
    explicit Program(_cl_program* program) : program_(program) {}
    /// Throws UnsupportedError where the text has no such kernel.
    Kernel kernel(std::string const& name) const;

private:
    std::unique_ptr<_cl_program, Release> program_;
};

/// Recorded work: launches with kernels of their own, whose arguments have been set. The buffers must outlive it.
class Graph {
public:
    struct Launch {
        Kernel kernel;
        device::Groups groups;
    };
    std::vector<Launch> launches;
};

/// In-order queue on one device; models `device::DeviceQueue` and `device::HasGraphs`, with branches in line: what is
/// given again costs no more than its launches. It waits for the device where that is thousands of launches behind.
class Queue {
public:
    using Buffer = opencl::Buffer;
    using Program = opencl::Program;
    using Kernel = opencl::Kernel;
    using Graph = opencl::Graph;

    /// `device` counts the devices of all platforms. Throws UnsupportedError where there is none of that number.
    /// Without 64-bit atomics, by choice or by nature of the device, sums have the same bits and take longer.
    explicit Queue(int device, bool may_use_64_bit_atomics = true);
    Queue(Queue&&) noexcept;
    Queue& operator=(Queue&&) noexcept;
    ~Queue();

    device::DeviceFacts const& facts() const;
    Buffer allocate(std::size_t bytes);
    void upload(Buffer& buffer, std::size_t offset, void const* from, std::size_t bytes);
    void download(Buffer const& buffer, std::size_t offset, void* to, std::size_t bytes);
    void clear(Buffer& buffer);
    Program compile(std::string const& text);
    void launch(Kernel& kernel, device::Groups groups, std::span<device::Argument const> arguments);
    void finish();

    void begin_capture();
    Graph end_capture();
    void launch(Graph const& graph);
    template <class Work> void fork(Work&& work) { std::forward<Work>(work)(); }
    void join() {}

private:
    struct Handles;
    std::unique_ptr<Handles> handles_;
};

/// The devices that there are, in the order of their numbers.
std::vector<device::DeviceFacts> devices();

}  // namespace trotter::opencl
