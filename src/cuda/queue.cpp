// Implements `cuda::Queue` with the driver API and NVRTC.
// SPDX-License-Identifier: MIT
#include <trotter/cuda/queue.hpp>

#include <array>
#include <cstddef>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trotter/cuda/compiler.hpp>
#include <trotter/device/runtime/program_cache.hpp>
#include <trotter/error.hpp>

#include "devices.hpp"
#include "driver.hpp"
#include "graph_work.hpp"
#include "staging.hpp"

namespace trotter::cuda {

Buffer::~Buffer() {
    if (address_ == 0) return;
    driver().ctx_set_current(context_);
    driver().mem_free(address_);
}

/// A program: its compiled image and loaded module.
struct Program::Module {
    std::string device;
    device::Version version;
    CUcontext context = nullptr;
    std::shared_future<std::string> image;  // from the compiler, until it is loaded
    CUmodule loaded = nullptr;

    Module() = default;
    Module(Module const&) = delete;
    Module& operator=(Module const&) = delete;
    ~Module() {
        if (loaded == nullptr) return;
        driver().ctx_set_current(context);
        driver().module_unload(loaded);
    }
    CUmodule get() {
        if (loaded == nullptr)
            check(driver().module_load_data(&loaded, image.get().data()), device, "loading a program");
        return loaded;
    }
};

Kernel Program::kernel(std::string const& name) const {
    Kernel kernel(*this, name, module_->version);
    if (module_->loaded != nullptr) kernel.handle();
    return kernel;
}
CUfunction Kernel::handle() {
    if (function_ == nullptr
        && driver().module_get_function(&function_, program_.module()->get(), name_.c_str()) != CUDA_SUCCESS)
        throw UnsupportedError("the device text has no kernel " + name_);
    return function_;
}

struct Queue::Handles {
    device::DeviceProperties properties;
    device::Version version;
    int architecture = 0;
    CUcontext context = nullptr;
    struct Branch {
        CUstream stream = nullptr;
        CUevent joined = nullptr;
    };
    CUstream main = nullptr, current = nullptr;
    std::set<CUstream> ends_in_kernel;  // recording streams whose last work is a kernel
    CUevent forked = nullptr;
    std::vector<Branch> branches;   // made when first needed
    std::size_t busy_branches = 0;  // those that `join` waits for
    bool is_capturing = false;
    std::shared_ptr<Graph::Work> pending;  // a graph still to be launched `pending_count` times
    int pending_count = 0;
    std::optional<Staging> staging;
    device::ProgramCache cache;

    Handles() = default;
    Handles(Handles const&) = delete;
    ~Handles() {
        if (context == nullptr) return;
        driver().ctx_set_current(context);
        if (main != nullptr) driver().stream_synchronize(main);
        for (auto const& branch : branches) {
            if (branch.joined != nullptr) driver().event_destroy(branch.joined);
            driver().stream_destroy(branch.stream);
        }
        if (forked != nullptr) driver().event_destroy(forked);
        if (main != nullptr) driver().stream_destroy(main);
    }

    /// Waiting kernels take room from concurrent branches: at most a sixteenth of the device.
    bool may_wait_on_device(device::LaunchGrid groups) const {
        return groups.count * groups.size <= std::size_t{128} * static_cast<std::size_t>(properties.compute_units);
    }

    void check(CUresult code, char const* what) const { cuda::check(code, properties.name, what); }
    /// The thread, or the queue in use, may have changed since the last call.
    void use() {
        check(driver().ctx_set_current(context), "using a context");
        give_pending();
    }
    void give_pending() {
        int const count = std::exchange(pending_count, 0);
        if (count == 0) return;
        auto& work = *pending;
        if (count == Graph::Work::together) {
            if (work.portion == nullptr) work.make_portion(properties.name);
            check(driver().graph_launch(work.portion, main), "launching a graph");
        } else
            for (int n = 0; n < count; ++n) check(driver().graph_launch(work.once, main), "launching a graph");
    }
    void add_branch() {
        Branch branch;
        check(driver().stream_create(&branch.stream, CU_STREAM_NON_BLOCKING), "making a stream");
        branches.push_back(branch);
        check(driver().event_create(&branches.back().joined, CU_EVENT_DISABLE_TIMING), "making an event");
    }
    Staging& use_staging() {
        if (is_capturing || current != main)
            throw UnsupportedError("CUDA on " + properties.name + ": copies cannot be captured, nor branch");
        use();
        if (!staging) staging.emplace(properties.name);
        return *staging;
    }
};

Queue::Queue(int device) : handles_(std::make_unique<Handles>()) {
    int const count = device_count();
    if (device < 0 || device >= count)
        throw UnsupportedError("there is no CUDA device " + std::to_string(device) + "; there are "
                               + std::to_string(count) + ", counted from 0");
    auto& h = *handles_;
    CUdevice handle = 0;
    check(driver().device_get(&handle, device), std::to_string(device), "opening the device");
    h.properties = properties_of(handle);
    h.architecture = 10 * attribute(handle, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
                     + attribute(handle, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    h.context = primary_context(handle, h.properties.name);
    h.use();
    h.check(driver().stream_create(&h.main, CU_STREAM_NON_BLOCKING), "making a stream");
    h.current = h.main;
    h.check(driver().event_create(&h.forked, CU_EVENT_DISABLE_TIMING), "making an event");
}
Queue::Queue(Queue&&) noexcept = default;
Queue& Queue::operator=(Queue&&) noexcept = default;
Queue::~Queue() = default;

device::DeviceProperties const& Queue::properties() const { return handles_->properties; }
device::Version const& Queue::version() const { return handles_->version; }

Buffer Queue::allocate(std::size_t bytes) {
    handles_->use();
    CUdeviceptr address = 0;
    // Whole 32-bit words, which `clear` fills.
    auto const code = driver().mem_alloc(&address, bytes > 0 ? (bytes + 3) / 4 * 4 : 4);
    std::size_t free = 0, total = 0;
    if (code == CUDA_ERROR_OUT_OF_MEMORY && driver().mem_get_info(&free, &total) == CUDA_SUCCESS)
        throw UnsupportedError("CUDA on " + handles_->properties.name + ": allocating " + std::to_string(bytes)
                               + " bytes failed with " + error_name(code) + ", " + std::to_string(free) + " of "
                               + std::to_string(total) + " are free");
    handles_->check(code, ("allocating " + std::to_string(bytes) + " bytes").c_str());
    return {address, bytes, handles_->context, handles_->version};
}
void Queue::upload(Buffer& buffer, std::size_t offset, void const* from, std::size_t bytes) {
    handles_->use_staging().upload(handles_->current, buffer.address() + offset, from, bytes);
}
void Queue::download(Buffer const& buffer, std::size_t offset, void* to, std::size_t bytes) {
    handles_->use_staging().download(handles_->current, to, buffer.address() + offset, bytes);
}
void Queue::clear(Buffer& buffer) {
    auto& h = *handles_;
    h.use();
    h.ends_in_kernel.erase(h.current);
    h.check(driver().memset_d32_async(buffer.address(), 0, (buffer.bytes() + 3) / 4, h.current), "clearing memory");
}

Program Queue::compile_async(std::string const& text) {
    auto& h = *handles_;
    h.use();
    auto module = std::make_shared<Program::Module>();
    module->device = h.properties.name;
    module->version = h.version;
    module->context = h.context;
    Compilation compilation(text, h.architecture);
    // Compiles anew what the driver refuses.
    auto const kept = h.cache.find(compilation.identity);
    if (!kept || driver().module_load_data(&module->loaded, kept->data()) != CUDA_SUCCESS)
        module->image = std::async(std::launch::async, [compilation = std::move(compilation), cache = h.cache] {
            auto image = compilation.run();
            cache.keep(compilation.identity, image);
            return image;
        });
    return Program(std::move(module));
}
Program Queue::compile(std::string const& text) {
    auto program = compile_async(text);
    program.module()->get();
    return program;
}

void Queue::launch(Kernel& kernel, device::LaunchGrid groups, std::span<device::Argument const> arguments) {
    auto& h = *handles_;
    h.use();
    std::array<void*, 64> pointers;
    if (arguments.size() > pointers.size()) throw UnsupportedError("CUDA: a kernel has more than 64 arguments");
    for (std::size_t n = 0; n < arguments.size(); ++n) pointers[n] = const_cast<void*>(arguments[n].bytes);
    // A recorded kernel after another is on the device when that one ends, and waits there: see KERNEL_BEGIN. After a
    // join it waits for all branches.
    CUlaunchAttribute early{};
    early.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    early.value.programmaticStreamSerializationAllowed = 1;
    CUlaunchConfig config{};
    config.gridDimX = static_cast<unsigned>(groups.count);
    config.blockDimX = static_cast<unsigned>(groups.size);
    config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
    config.hStream = h.current;
    config.attrs = &early;
    config.numAttrs = h.is_capturing && h.may_wait_on_device(groups) && h.ends_in_kernel.contains(h.current) && waits_for_kernel_before(h.architecture);
    h.check(driver().launch_kernel_ex(&config, kernel.handle(), pointers.data(), nullptr), "launching a kernel");
    h.ends_in_kernel.insert(h.current);
}
void Queue::finish() {
    handles_->use();
    handles_->check(driver().stream_synchronize(handles_->main), "waiting for the device");
}

void Queue::begin_capture() {
    auto& h = *handles_;
    h.use();
    h.ends_in_kernel.clear();
    h.check(driver().stream_begin_capture(h.main, CU_STREAM_CAPTURE_MODE_RELAXED), "beginning a graph");
    h.is_capturing = true;
}
void Queue::drop_capture() noexcept {
    auto& h = *handles_;
    CUgraph recorded = nullptr;
    if (driver().stream_end_capture(h.main, &recorded) == CUDA_SUCCESS) driver().graph_destroy(recorded);
    h.is_capturing = false;
    h.busy_branches = 0;
}
Graph Queue::end_capture() {
    auto& h = *handles_;
    h.use();
    h.is_capturing = false;
    auto work = std::make_shared<Graph::Work>(h.context);
    h.check(driver().stream_end_capture(h.main, &work->recorded), "ending a graph");
    h.check(driver().graph_instantiate(&work->once, work->recorded, 0), "making a graph");
    return Graph(std::move(work));
}
void Queue::launch(Graph& graph) {
    auto& h = *handles_;
    if (h.pending != graph.work()) {
        h.use();
        h.pending = graph.work();
    }
    ++h.pending_count;
    if (++h.pending->given < Graph::Work::many || h.pending_count == Graph::Work::together) h.use();
}

void Queue::begin_branch() {
    auto& h = *handles_;
    h.use();
    if (h.busy_branches == h.branches.size()) h.add_branch();
    CUstream const stream = h.branches[h.busy_branches++].stream;
    h.check(driver().event_record(h.forked, h.main), "recording an event");
    h.check(driver().stream_wait_event(stream, h.forked, 0), "waiting for an event");
    h.ends_in_kernel.erase(stream);
    h.current = stream;
}
void Queue::end_branch() {
    auto& h = *handles_;
    auto const code = driver().event_record(h.branches[h.busy_branches - 1].joined, h.current);
    h.current = h.main;
    h.check(code, "recording an event");
}
void Queue::join() {
    auto& h = *handles_;
    if (h.busy_branches == 0) return;
    h.use();
    for (; h.busy_branches > 0; --h.busy_branches)
        h.check(driver().stream_wait_event(h.main, h.branches[h.busy_branches - 1].joined, 0), "waiting for an event");
}

}  // namespace trotter::cuda
