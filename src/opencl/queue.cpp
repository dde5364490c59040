// Implements `opencl::Queue` with OpenCL.
// SPDX-License-Identifier: MIT
#include <trotter/opencl/queue.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <trotter/device/runtime/launch.hpp>
#include <trotter/error.hpp>
#include <trotter/opencl/arguments.hpp>

#include "compiler.hpp"
#include "devices.hpp"
#include "recording.hpp"
#include "runtime.hpp"

namespace trotter::opencl {

namespace {

/// Another kernel object of the same function, with its own arguments.
Kernel another(Kernel const& kernel) {
    cl::Kernel const given(kernel.handle(), true);
    cl::Kernel own(given.getInfo<CL_KERNEL_PROGRAM>(), given.getInfo<CL_KERNEL_FUNCTION_NAME>().c_str());
    clRetainKernel(own());
    return {own(), kernel.is_packed()};
}

/// Lays out members like an OpenCL struct: each at a multiple of its size.
class Struct {
public:
    void add(void const* member, std::size_t size) {
        pad_to(size);
        auto const* const begin = static_cast<std::byte const*>(member);
        bytes_.insert(bytes_.end(), begin, begin + size);
        largest_ = std::max(largest_, size);
    }
    std::vector<std::byte> const& finish() {
        pad_to(largest_);
        return bytes_;
    }

private:
    void pad_to(std::size_t size) { bytes_.resize((bytes_.size() + size - 1) / size * size); }

    std::vector<std::byte> bytes_;
    std::size_t largest_ = 1;
};

/// Memory is allocated in whole 32-bit words, which `clear` fills.
std::size_t words_of(std::size_t bytes) { return bytes / 4 + (bytes % 4 != 0); }
constexpr char const* clear_text = R"(
KERNEL void clear_words(GLOBAL int* RESTRICT words, mm_long count) {
    for (mm_long n = GLOBAL_ID; n < count; n += GLOBAL_SIZE) words[n] = 0;
}
)";
// Uses OpenCL's own keyword for kernels, so that arguments are not packed.
constexpr char const* address_text = R"(
__kernel void tell_address(GLOBAL int* memory, GLOBAL mm_ulong* address) { address[0] = (mm_ulong) memory; }
)";

}  // namespace

void Release::operator()(_cl_program* program) const { clReleaseProgram(program); }
void Release::operator()(_cl_kernel* kernel) const { clReleaseKernel(kernel); }

Buffer::~Buffer() {
    if (user_ != nullptr) {
        clFinish(user_);
        clReleaseCommandQueue(user_);
    }
    if (memory_ != nullptr) clReleaseMemObject(memory_);
}

struct Queue::Handles {
    cl::Device device;
    std::shared_ptr<cl::Context> context;
    cl::CommandQueue queue;
    device::DeviceProperties properties;
    device::Version version;
    std::optional<Compiler> compiler;
    bool packs_arguments = false;
    Kernel tell_address;
    std::unordered_map<_cl_mem*, std::uint64_t> addresses;  // of buffers used as arguments
    Kernel clear_words;  // some drivers fill memory more slowly than a kernel does
    std::optional<Recording> recording;
    std::size_t least_branch = 0;
    cl::CommandQueue branch;  // made when a branch first has enough work
    cl::Event mark;           // after an earlier launch
    int launches_since_mark = 0;

    void check(cl_int code, std::string const& what) const {
        if (code != CL_SUCCESS) fail(properties.name, what, code);
    }
    void set_arguments(Kernel const& kernel, std::span<device::Argument const> arguments) {
        if (kernel.is_packed()) return set_packed_arguments(kernel, arguments);
        for (cl_uint n = 0; n < arguments.size(); ++n)
            check(clSetKernelArg(kernel.handle(), n, arguments[n].size, arguments[n].bytes),
                  "setting a kernel's argument");
    }
    void set_packed_arguments(Kernel const& kernel, std::span<device::Argument const> arguments) {
        Struct all;
        for (auto const& argument : arguments) {
            if (!argument.is_buffer) {
                all.add(argument.bytes, argument.size);
                continue;
            }
            auto const address = address_of(*static_cast<_cl_mem* const*>(argument.bytes));
            all.add(&address, sizeof address);
        }
        auto const& bytes = all.finish();
        check(clSetKernelArg(kernel.handle(), 0, bytes.size(), bytes.data()), "setting a kernel's arguments");
    }
    std::uint64_t address_of(_cl_mem* memory) {
        if (memory == nullptr) return 0;
        auto const known = addresses.find(memory);
        return known != addresses.end() ? known->second : addresses[memory] = ask_for_address(memory);
    }
    std::uint64_t ask_for_address(_cl_mem* memory) {
        if (tell_address.handle() == nullptr) tell_address = compiler->compile(address_text).kernel("tell_address");
        std::uint64_t result = 0;
        try {
            cl::Kernel kernel(tell_address.handle(), true);
            cl::Buffer const answer(*context, CL_MEM_READ_WRITE, sizeof result);
            kernel.setArg(0, sizeof memory, &memory);
            kernel.setArg(1, answer);
            queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1));
            queue.enqueueReadBuffer(answer, CL_TRUE, 0, sizeof result, &result);
        } catch (cl::Error const& error) {
            fail(properties.name, "asking for an address", error.err());
        }
        return result;
    }
    /// Waits for the event `wait`, and sets `told` to the launch's event; either may be null.
    void give(cl::CommandQueue const& to, Kernel const& kernel, device::LaunchGrid groups,
              cl::Event const* wait = nullptr, cl::Event* told = nullptr) {
        std::size_t const all = groups.count * groups.size;
        cl_event event = nullptr;
        check(clEnqueueNDRangeKernel(to(), kernel.handle(), 1, nullptr, &all, &groups.size, wait != nullptr,
                                     wait != nullptr ? &(*wait)() : nullptr, told != nullptr ? &event : nullptr),
              "launching a kernel");
        if (told != nullptr) {
            *told = cl::Event(event);
            check(clFlush(to()), "giving work to the device");  // otherwise the other queue might wait forever
        }
        if (++launches_since_mark == launches_ahead) wait_for_earlier_launches();
    }
    /// Queued launches use host memory until they are done.
    void wait_for_earlier_launches() {
        launches_since_mark = 0;
        try {
            if (mark() != nullptr) mark.wait();
            queue.enqueueMarkerWithWaitList(nullptr, &mark);
            queue.flush();
        } catch (cl::Error const& error) {
            fail(properties.name, "waiting for the device", error.err());
        }
    }
    static constexpr int launches_ahead = 4096;

    /// Event after the main queue's work before the graph.
    cl::Event begin_of_graph() const {
        cl::Event result;
        queue.enqueueMarkerWithWaitList(nullptr, &result);
        queue.flush();
        return result;
    }
    void give(Graph const& graph) {
        std::array<cl::Event, 2> told;  // last event of each queue
        try {
            for (auto const& [kernel, groups, is_on_branch, waits, tells] : graph.launches) {
                if (is_on_branch && branch() == nullptr) branch = cl::CommandQueue(*context, device);
                if (is_on_branch && told[0]() == nullptr) told[0] = begin_of_graph();
                give(is_on_branch ? branch : queue, kernel, groups, waits ? &told[!is_on_branch] : nullptr,
                     tells ? &told[is_on_branch] : nullptr);
            }
            std::vector<cl::Event> const last{told[1]};
            if (graph.waits_at_end) queue.enqueueBarrierWithWaitList(&last);
        } catch (cl::Error const& error) {
            fail(properties.name, "giving a branch to the device", error.err());
        }
    }
};

Queue::Queue(int device, Options const& options) : handles_(std::make_unique<Handles>()) {
    auto const found = all_devices();
    if (device < 0 || static_cast<std::size_t>(device) >= found.size())
        throw UnsupportedError("there is no OpenCL device " + std::to_string(device) + "; there are "
                               + std::to_string(found.size()) + ", counted from 0");
    handles_->device = found[static_cast<std::size_t>(device)];
    handles_->properties = properties_of(handles_->device);
    bool const is_nvidia = is_of_nvidia(handles_->device);
    handles_->properties.has_64_bit_atomics = handles_->properties.has_64_bit_atomics && options.may_use_64_bit_atomics;
    handles_->least_branch = options.least_branch;
    handles_->packs_arguments = options.packs_arguments.value_or(is_nvidia);
    try {
        handles_->context = context_on(handles_->device);
        handles_->queue = cl::CommandQueue(*handles_->context, handles_->device);
        handles_->compiler.emplace(*handles_->context, handles_->device, handles_->properties, is_nvidia,
                                   handles_->version);
    } catch (cl::Error const& error) {
        fail(handles_->properties.name, error.what(), error.err());
    }
}
Queue::Queue(Queue&&) noexcept = default;
Queue& Queue::operator=(Queue&&) noexcept = default;
Queue::~Queue() = default;

device::DeviceProperties const& Queue::properties() const { return handles_->properties; }
device::Version const& Queue::version() const { return handles_->version; }

Buffer Queue::allocate(std::size_t bytes) {
    // Some drivers fail only when the memory is used.
    if (bytes > handles_->properties.memory)
        handles_->check(CL_MEM_OBJECT_ALLOCATION_FAILURE, "allocating " + std::to_string(bytes) + " bytes");
    cl_int code = CL_SUCCESS;
    auto const memory = clCreateBuffer((*handles_->context)(), CL_MEM_READ_WRITE,
                                       4 * std::max<std::size_t>(words_of(bytes), 1), nullptr, &code);
    handles_->check(code, "allocating " + std::to_string(bytes) + " bytes");
    handles_->addresses.erase(memory);  // of an earlier buffer with this handle
    if (!handles_->packs_arguments) return {memory, bytes, nullptr, handles_->version};
    clRetainCommandQueue(handles_->queue());
    return {memory, bytes, handles_->queue(), handles_->version};
}
void Queue::upload(Buffer& buffer, std::size_t offset, void const* from, std::size_t bytes) {
    handles_->check(
        clEnqueueWriteBuffer(handles_->queue(), buffer.handle(), CL_TRUE, offset, bytes, from, 0, nullptr, nullptr),
        "writing to the device");
}
void Queue::download(Buffer const& buffer, std::size_t offset, void* to, std::size_t bytes) {
    handles_->check(
        clEnqueueReadBuffer(handles_->queue(), buffer.handle(), CL_TRUE, offset, bytes, to, 0, nullptr, nullptr),
        "reading from the device");
}
void Queue::clear(Buffer& buffer) {
    auto& kernel = handles_->clear_words;
    if (kernel.handle() == nullptr) kernel = compile(clear_text).kernel("clear_words");
    std::size_t const words = words_of(buffer.bytes());
    device::launch(*this, kernel, device::grid_for(properties(), words), buffer, static_cast<std::int64_t>(words));
}

Program Queue::compile(std::string const& text) {
    auto const& compiler = *handles_->compiler;
    if (!handles_->packs_arguments) return compiler.compile(text);
    auto packed = pack_arguments(text);
    try {
        return compiler.compile(packed.text, std::move(packed.kernels));
    } catch (UnsupportedError const&) {
        return compiler.compile(text);  // or throws the compiler's log for the original source
    }
}

Kernel Program::kernel(std::string const& name) const {
    cl_int code = CL_SUCCESS;
    auto const kernel = clCreateKernel(program_.get(), name.c_str(), &code);
    if (code != CL_SUCCESS) throw UnsupportedError("the device text has no kernel " + name);
    return {kernel, packed_kernels_.contains(name), device::Lifetime(version_)};
}

void Queue::launch(Kernel& kernel, device::LaunchGrid groups, std::span<device::Argument const> arguments) {
    auto& h = *handles_;
    if (h.recording) {
        auto own = another(kernel);
        h.set_arguments(own, arguments);
        h.recording->launch(std::move(own), groups);
        return;
    }
    h.set_arguments(kernel, arguments);
    h.give(h.queue, kernel, groups);
}
void Queue::begin_capture() { handles_->recording.emplace(); }
Graph Queue::end_capture() { return std::exchange(handles_->recording, std::nullopt)->finish(); }
void Queue::drop_capture() noexcept { handles_->recording.reset(); }
void Queue::launch(Graph const& graph) { handles_->give(graph); }
void Queue::begin_branch() {
    if (handles_->recording) handles_->recording->begin_branch();
}
void Queue::end_branch() {
    if (handles_->recording) handles_->recording->end_branch(handles_->least_branch);
}
void Queue::join() {
    if (handles_->recording) handles_->recording->join();
}
void Queue::finish() { handles_->check(clFinish(handles_->queue()), "waiting for the device"); }

}  // namespace trotter::opencl
