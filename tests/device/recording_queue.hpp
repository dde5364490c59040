// OpenCl with recorded work like Cuda's: checks and replays recordings without a CUDA device.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <trotter/opencl.hpp>

namespace trotter {

/// Models `device::HasGraphs`. Concurrent work runs as late as possible, when it is joined; operations that cannot be
/// recorded throw in a recording.
class RecordingQueue {
public:
    using Buffer = opencl::Buffer;
    using Program = opencl::Program;
    using Kernel = opencl::Kernel;

    /// A launch with its arguments, whose bytes are copied, or a buffer to be cleared.
    struct Launch {
        Kernel* kernel = nullptr;
        device::LaunchGrid groups;
        std::vector<std::vector<std::byte>> bytes;
        std::vector<device::Argument> arguments;
    };
    using Item = std::variant<Launch, Buffer*>;
    using Graph = std::vector<Item>;

    explicit RecordingQueue(int device) : queue_(device) {}

    device::DeviceProperties const& properties() const { return queue_.properties(); }
    device::Version const& version() const { return queue_.version(); }
    Buffer allocate(std::size_t bytes) {
        refuse_in_recording("allocate");
        return queue_.allocate(bytes);
    }
    void upload(Buffer& buffer, std::size_t offset, void const* from, std::size_t bytes) {
        refuse_in_recording("upload");
        queue_.upload(buffer, offset, from, bytes);
    }
    void download(Buffer const& buffer, std::size_t offset, void* to, std::size_t bytes) {
        refuse_in_recording("download");
        queue_.download(buffer, offset, to, bytes);
    }
    Program compile(std::string const& text) {
        refuse_in_recording("compile");
        return queue_.compile(text);
    }
    void clear(Buffer& buffer) { take(&buffer); }
    void launch(Kernel& kernel, device::LaunchGrid groups, std::span<device::Argument const> arguments) {
        Launch launch{&kernel, groups, {}, {arguments.begin(), arguments.end()}};
        for (auto& argument : launch.arguments) {
            auto const* bytes = static_cast<std::byte const*>(argument.bytes);
            argument.bytes = launch.bytes.emplace_back(bytes, bytes + argument.size).data();
        }
        take(std::move(launch));
    }
    void finish() { queue_.finish(); }

    template <class Work> Graph record(Work&& work) {
        is_recording_ = true;
        std::forward<Work>(work)();
        if (!branch_.empty()) throw std::logic_error("a recording ends before its branches are joined");
        is_recording_ = false;
        ++recordings;
        return std::exchange(recorded_, {});
    }
    void launch(Graph const& graph) {
        ++replays;
        for (auto const& item : graph) carry_out(item);
    }
    /// Throws unless both have the same launches with the same arguments.
    void check(Graph const& recorded, Graph const& now) {
        --recordings;
        ++checks;
        if (recorded.size() != now.size())
            throw std::logic_error("a recorded step has " + std::to_string(recorded.size()) + " launches, and would have "
                                   + std::to_string(now.size()) + " now");
        for (std::size_t n = 0; n < now.size(); ++n)
            if (!is_same(recorded[n], now[n]))
                throw std::logic_error("launch " + std::to_string(n) + " of a recorded step has become another");
    }
    template <class Work> void fork(Work&& work) {
        is_on_branch_ = true;
        std::forward<Work>(work)();
        is_on_branch_ = false;
    }
    void join() {
        for (auto& item : std::exchange(branch_, {})) take(std::move(item));
    }

    int recordings = 0, replays = 0, checks = 0;

private:
    void refuse_in_recording(char const* what) const {
        if (is_recording_ || is_on_branch_) throw std::logic_error(std::string("recorded work must not ") + what);
    }
    static bool is_same(Item const& a, Item const& b) {
        if (a.index() != b.index()) return false;
        if (auto const* buffer = std::get_if<Buffer*>(&a)) return *buffer == std::get<Buffer*>(b);
        auto const &one = std::get<Launch>(a), &other = std::get<Launch>(b);
        return one.kernel == other.kernel && one.groups.count == other.groups.count && one.groups.size == other.groups.size
               && one.bytes == other.bytes;
    }
    void take(Item item) {
        if (is_on_branch_)
            branch_.push_back(std::move(item));
        else if (is_recording_)
            recorded_.push_back(std::move(item));
        else
            carry_out(item);
    }
    void carry_out(Item const& item) {
        if (auto* const* buffer = std::get_if<Buffer*>(&item)) return queue_.clear(**buffer);
        auto const& launch = std::get<Launch>(item);
        queue_.launch(*launch.kernel, launch.groups, launch.arguments);
    }

    opencl::Queue queue_;
    bool is_recording_ = false, is_on_branch_ = false;
    std::vector<Item> recorded_, branch_;
};
static_assert(device::ChecksGraphs<RecordingQueue>);

struct RecordedOpenCl {
    static constexpr std::string_view name = "RecordedOpenCl";
    static constexpr bool keeps_state_on_host = true;
    using Queue = RecordingQueue;

    Queue open() const { return Queue(0); }
};

}  // namespace trotter
