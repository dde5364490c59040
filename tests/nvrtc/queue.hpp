// A queue that compiles all text for NVIDIA GPUs and executes nothing: tests of CUDA's text without a device.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include <trotter/cuda/compiler.hpp>
#include <trotter/device/runtime/numbers.hpp>
#include <trotter/device/runtime/queue.hpp>
#include <trotter/error.hpp>

namespace trotter::nvrtc {

class Buffer {
public:
    Buffer() = default;
    explicit Buffer(std::size_t bytes) : memory_(new std::byte[bytes]()), bytes_(bytes) {}
    std::size_t bytes() const { return bytes_; }
    device::Argument argument() const { return {&memory_, sizeof memory_}; }
    std::byte* memory() const { return memory_.get(); }

private:
    std::unique_ptr<std::byte[]> memory_;
    std::size_t bytes_ = 0;
};

struct Kernel {};

/// A program that looks up kernels by their names in the text.
struct Program {
    std::string text;
    Kernel kernel(std::string const& name) const {
        if (text.find(' ' + name + '(') == text.npos) throw UnsupportedError("the device text has no kernel " + name);
        return {};
    }
};

/// The texts compiled in this process, so that none is compiled twice.
inline std::set<std::string>& compiled() {
    static std::set<std::string> identities;
    return identities;
}

/// Models `device::DeviceQueue`. Memory is on the host, and keeps uploaded data; launches do nothing.
class Queue {
public:
    using Buffer = nvrtc::Buffer;
    using Program = nvrtc::Program;
    using Kernel = nvrtc::Kernel;

    device::DeviceProperties const& properties() const { return properties_; }
    device::Version const& version() const { return version_; }
    Buffer allocate(std::size_t bytes) { return Buffer(bytes); }
    void upload(Buffer& buffer, std::size_t offset, void const* from, std::size_t bytes) {
        std::memcpy(buffer.memory() + offset, from, bytes);
    }
    void download(Buffer const& buffer, std::size_t offset, void* to, std::size_t bytes) {
        std::memcpy(to, buffer.memory() + offset, bytes);
    }
    void clear(Buffer& buffer) { std::memset(buffer.memory(), 0, buffer.bytes()); }
    Program compile(std::string const& text) {
        // Only the preamble, common to all texts, depends on the architecture: half of the texts are compiled for each
        // of two.
        bool const is_for_newer = compiled().size() % 2 == 1;
        if (compiled().insert(text).second) cuda::Compilation(text, is_for_newer ? 90 : 80).run();
        return {text};
    }
    void launch(Kernel&, device::LaunchGrid, std::span<device::Argument const>) {}
    void finish() {}

private:
    device::Version version_;
    device::DeviceProperties properties_{.name = "no device",
                               .driver = "none",
                               .compute_units = 132,
                               .warp_size = 32,
                               .local_memory = 49152,
                               .largest_group = 1024,
                               .has_double = true,
                               .has_64_bit_atomics = true};
};

}  // namespace trotter::nvrtc

namespace trotter {

/// The same for all precisions: only the text depends on them.
struct Nvrtc {
    static constexpr std::string_view name = "Nvrtc";
    static constexpr bool keeps_state_on_host = true;
    using Queue = nvrtc::Queue;

    device::NumberTypes (*types_on)(device::DeviceProperties const&);
    int copies = 1;

    Queue open() const { return {}; }
};

}  // namespace trotter
