// A queue of work on a CUDA device.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/runtime/queue.hpp>

// CUDA's handles, declared as in cuda.h without its headers.
struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;

namespace trotter::cuda {

class Buffer {
public:
    Buffer() = default;
    Buffer(unsigned long long address, std::size_t bytes, CUctx_st* context, device::Version const& version)
        : address_(address), bytes_(bytes), context_(context), lifetime_(version) {}
    Buffer(Buffer&& other) noexcept { *this = std::move(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(address_, other.address_);
        std::swap(bytes_, other.bytes_);
        std::swap(context_, other.context_);
        std::swap(lifetime_, other.lifetime_);
        return *this;
    }
    ~Buffer();

    std::size_t bytes() const { return bytes_; }
    device::Argument argument() const { return {&address_, sizeof address_}; }
    unsigned long long address() const { return address_; }

private:
    unsigned long long address_ = 0;
    std::size_t bytes_ = 0;
    CUctx_st* context_ = nullptr;
    device::Lifetime lifetime_;
};

class Kernel;

class Program {
public:
    struct Module;

    Program() = default;
    explicit Program(std::shared_ptr<Module> module) : module_(std::move(module)) {}
    /// Throws UnsupportedError if the program has no such kernel; while the program is still being compiled, the first
    /// launch throws instead.
    Kernel kernel(std::string const& name) const;
    std::shared_ptr<Module> const& module() const { return module_; }

private:
    std::shared_ptr<Module> module_;
};

/// A kernel; keeps its program alive.
class Kernel {
public:
    Kernel() = default;
    Kernel(Program program, std::string name, device::Version const& version)
        : program_(std::move(program)), name_(std::move(name)), lifetime_(version) {}
    /// Waits for the compiler and throws its error, if any.
    CUfunc_st* handle();

private:
    Program program_;
    std::string name_;
    CUfunc_st* function_ = nullptr;
    device::Lifetime lifetime_;
};

/// Recorded work; its kernels and buffers must outlive it.
class Graph {
public:
    struct Work;

    Graph() = default;
    explicit Graph(std::shared_ptr<Work> work) : work_(std::move(work)) {}
    std::shared_ptr<Work> const& work() const { return work_; }

private:
    std::shared_ptr<Work> work_;
};

/// In-order queue on one device; models `device::DeviceQueue` and `device::HasGraphs`. Copies pass through a
/// page-locked staging buffer, so that uploads do not wait for the device. Consecutive launches of one graph are
/// submitted in portions, at the latest before any other work.
class Queue {
public:
    using Buffer = cuda::Buffer;
    using Program = cuda::Program;
    using Kernel = cuda::Kernel;
    using Graph = cuda::Graph;

    /// Throws UnsupportedError if there is no such device.
    explicit Queue(int device);
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
    Program compile_async(std::string const& text);
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
    void launch(Graph& graph);

    template <class Work> void fork(Work&& work) {
        begin_branch();
        try {
            std::forward<Work>(work)();
        } catch (...) {
            end_branch();
            throw;
        }
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

/// Returns the devices in the order of their numbers; none if NVIDIA's driver is not installed.
std::vector<device::DeviceProperties> devices();

}  // namespace trotter::cuda
