// A device whose queue cannot record: every step is submitted launch by launch.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "tested_device.hpp"

namespace trotter {

class PlainQueue {
public:
    using Queue = TestedDevice::Queue;
    using Buffer = Queue::Buffer;
    using Program = Queue::Program;
    using Kernel = Queue::Kernel;

    explicit PlainQueue(int device) : queue_(device) {}

    device::DeviceProperties const& properties() const { return queue_.properties(); }
    device::Version const& version() const { return queue_.version(); }
    Buffer allocate(std::size_t bytes) { return queue_.allocate(bytes); }
    void upload(Buffer& buffer, std::size_t offset, void const* from, std::size_t bytes) {
        queue_.upload(buffer, offset, from, bytes);
    }
    void download(Buffer const& buffer, std::size_t offset, void* to, std::size_t bytes) {
        queue_.download(buffer, offset, to, bytes);
    }
    void clear(Buffer& buffer) { queue_.clear(buffer); }
    Program compile(std::string const& text) { return queue_.compile(text); }
    void launch(Kernel& kernel, device::LaunchGrid groups, std::span<device::Argument const> arguments) {
        queue_.launch(kernel, groups, arguments);
    }
    void finish() { queue_.finish(); }

private:
    Queue queue_;
};
static_assert(device::DeviceQueue<PlainQueue> && !device::HasGraphs<PlainQueue>);

struct PlainDevice {
    static constexpr std::string_view name = "PlainDevice";
    static constexpr bool keeps_state_on_host = true;
    using Queue = PlainQueue;

    Queue open() const { return Queue(0); }
};

}  // namespace trotter
