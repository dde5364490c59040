// A device whose call of a chosen number fails.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <trotter/error.hpp>

#include "tested_device.hpp"

namespace trotter {

/// Counts calls and throws at the chosen one, like a device that is out of memory.
class FailingQueue {
public:
    using Queue = TestedDevice::Queue;
    using Buffer = Queue::Buffer;
    using Program = Queue::Program;
    using Kernel = Queue::Kernel;
    using Graph = Queue::Graph;

    explicit FailingQueue(int device) : queue_(device) {}

    device::DeviceProperties const& properties() const { return queue_.properties(); }
    device::Version const& version() const { return queue_.version(); }
    Buffer allocate(std::size_t bytes) {
        count();
        return queue_.allocate(bytes);
    }
    void upload(Buffer& buffer, std::size_t offset, void const* from, std::size_t bytes) {
        count();
        queue_.upload(buffer, offset, from, bytes);
    }
    void download(Buffer const& buffer, std::size_t offset, void* to, std::size_t bytes) {
        count();
        queue_.download(buffer, offset, to, bytes);
    }
    void clear(Buffer& buffer) {
        count();
        queue_.clear(buffer);
    }
    Program compile(std::string const& text) {
        count();
        return queue_.compile(text);
    }
    void launch(Kernel& kernel, device::LaunchGrid groups, std::span<device::Argument const> arguments) {
        count();
        queue_.launch(kernel, groups, arguments);
    }
    void finish() { queue_.finish(); }

    template <class Work> Graph record(Work&& work) { return queue_.record(std::forward<Work>(work)); }
    void launch(Graph& graph) {
        count();
        queue_.launch(graph);
    }
    template <class Work> void fork(Work&& work) { queue_.fork(std::forward<Work>(work)); }
    void join() { queue_.join(); }

    int calls = 0, failing_call = 0;

private:
    void count() {
        if (++calls == failing_call) throw UnsupportedError("the device has failed");
    }

    Queue queue_;
};
static_assert(device::HasGraphs<FailingQueue>);

struct FailingDevice {
    static constexpr std::string_view name = "FailingDevice";
    static constexpr bool keeps_state_on_host = true;
    using Queue = FailingQueue;

    Queue open() const { return Queue(0); }
};

}  // namespace trotter
