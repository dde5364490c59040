// The OpenCL runtime behind `opencl::Queue`.
// SPDX-License-Identifier: MIT
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <CL/opencl.hpp>
#pragma GCC diagnostic pop

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include <trotter/device/launch.hpp>
#include <trotter/device/program_cache.hpp>
#include <trotter/error.hpp>
#include <trotter/kernels/opencl_preamble.hpp>
#include <trotter/opencl/queue.hpp>

namespace trotter::opencl {

namespace {

std::vector<cl::Device> all_devices() {
    // Drivers begin at the first question, and not all of them bear two at once.
    static std::mutex mutex;
    std::lock_guard const lock(mutex);
    std::vector<cl::Platform> platforms;
    std::vector<cl::Device> result;
    // Without any platform the loader reports an error.
    try {
        cl::Platform::get(&platforms);
    } catch (cl::Error const&) {
        return {};
    }
    for (auto const& platform : platforms) {
        std::vector<cl::Device> found;
        try {
            platform.getDevices(CL_DEVICE_TYPE_ALL, &found);
        } catch (cl::Error const&) {
            continue;
        }
        result.insert(result.end(), found.begin(), found.end());
    }
    return result;
}

device::DeviceFacts facts_of(cl::Device const& device) {
    std::string const extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
    auto has = [&](char const* extension) { return extensions.find(extension) != std::string::npos; };
    bool const is_nvidia = has("cl_nv_device_attribute_query");
    return {.name = device.getInfo<CL_DEVICE_NAME>().c_str(),
            .driver = device.getInfo<CL_DRIVER_VERSION>().c_str(),
            .compute_units = static_cast<int>(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()),
            .simt_width = is_nvidia ? 32 : 1,
            .local_memory = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>(),
            .largest_group = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>(),
            .has_double = has("cl_khr_fp64"),
            .has_64_bit_atomics = has("cl_khr_int64_base_atomics"),
            .is_processor = (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0};
}

std::string error_name(cl_int code) {
    static constexpr std::array names{
        std::pair{CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
        std::pair{CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
        std::pair{CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
        std::pair{CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
        std::pair{CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
        std::pair{CL_INVALID_ARG_INDEX, "CL_INVALID_ARG_INDEX"},
        std::pair{CL_INVALID_ARG_VALUE, "CL_INVALID_ARG_VALUE"},
        std::pair{CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE"},
        std::pair{CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
        std::pair{CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
        std::pair{CL_INVALID_MEM_OBJECT, "CL_INVALID_MEM_OBJECT"},
        std::pair{CL_INVALID_VALUE, "CL_INVALID_VALUE"},
    };
    for (auto const& [known, name] : names)
        if (known == code) return name;
    return "error " + std::to_string(code);
}

[[noreturn]] void fail(device::DeviceFacts const& facts, std::string const& what, cl_int code) {
    throw UnsupportedError("OpenCL on " + facts.name + ": " + what + " failed with " + error_name(code));
}

/// The same function, with arguments of its own.
Kernel another(Kernel const& kernel) {
    cl::Kernel const given(kernel.handle(), true);
    cl::Kernel own(given.getInfo<CL_KERNEL_PROGRAM>(), given.getInfo<CL_KERNEL_FUNCTION_NAME>().c_str());
    clRetainKernel(own());
    return Kernel(own());
}

/// Memory comes in whole words of 32 bits, which `clear` fills.
std::size_t words_of(std::size_t bytes) { return bytes / 4 + (bytes % 4 != 0); }
constexpr char const* clear_text = R"(
KERNEL void clear_words(GLOBAL int* RESTRICT words, mm_long count) {
    for (mm_long n = GLOBAL_ID; n < count; n += GLOBAL_SIZE) words[n] = 0;
}
)";

}  // namespace

void Release::operator()(_cl_mem* memory) const { clReleaseMemObject(memory); }
void Release::operator()(_cl_program* program) const { clReleaseProgram(program); }
void Release::operator()(_cl_kernel* kernel) const { clReleaseKernel(kernel); }

struct Queue::Handles {
    cl::Device device;
    cl::Context context;
    cl::CommandQueue queue;
    device::DeviceFacts facts;
    device::ProgramCache cache;
    Kernel clear_words;  // some drivers take longer to fill memory than a kernel does
    std::optional<Graph> recorded;
    cl::Event mark;  // behind some launch
    int launches_since_mark = 0;

    void check(cl_int code, std::string const& what) const {
        if (code != CL_SUCCESS) fail(facts, what, code);
    }
    void set_arguments(Kernel const& kernel, std::span<device::Argument const> arguments) const {
        for (cl_uint n = 0; n < arguments.size(); ++n)
            check(clSetKernelArg(kernel.handle(), n, arguments[n].size, arguments[n].bytes), "setting a kernel's argument");
    }
    void give(Kernel const& kernel, device::Groups groups) {
        std::size_t const all = groups.count * groups.size;
        check(clEnqueueNDRangeKernel(queue(), kernel.handle(), 1, nullptr, &all, &groups.size, 0, nullptr, nullptr),
              "launching a kernel");
        if (++launches_since_mark == launches_ahead) wait_for_earlier_launches();
    }
    /// What is given takes memory of the host until it is done.
    void wait_for_earlier_launches() {
        launches_since_mark = 0;
        try {
            if (mark() != nullptr) mark.wait();
            queue.enqueueMarkerWithWaitList(nullptr, &mark);
            queue.flush();
        } catch (cl::Error const& error) {
            fail(facts, "waiting for the device", error.err());
        }
    }
    static constexpr int launches_ahead = 4096;

    /// A program of an earlier process; none where the driver does not take it.
    cl::Program restore(std::string const& identity) const {
        auto const kept = cache.find(identity);
        if (!kept) return {};
        try {
            cl::Program program(context, {device}, cl::Program::Binaries{{kept->begin(), kept->end()}});
            program.build({device});
            return program;
        } catch (cl::Error const&) {
            return {};
        }
    }
    cl::Program build(std::string const& source) const {
        cl::Program program(context, source);
        try {
            program.build({device});
        } catch (cl::Error const&) {
            throw UnsupportedError("device text does not compile for " + facts.name + ":\n"
                                   + program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device));
        }
        return program;
    }
};

Queue::Queue(int device, bool may_use_64_bit_atomics) : handles_(std::make_unique<Handles>()) {
    auto const found = all_devices();
    if (device < 0 || static_cast<std::size_t>(device) >= found.size())
        throw UnsupportedError("there is no OpenCL device " + std::to_string(device) + "; there are " + std::to_string(found.size())
                               + ", counted from 0");
    handles_->device = found[static_cast<std::size_t>(device)];
    handles_->facts = facts_of(handles_->device);
    handles_->facts.has_64_bit_atomics = handles_->facts.has_64_bit_atomics && may_use_64_bit_atomics;
    try {
        handles_->context = cl::Context(handles_->device);
        handles_->queue = cl::CommandQueue(handles_->context, handles_->device);
    } catch (cl::Error const& error) {
        fail(handles_->facts, error.what(), error.err());
    }
}
Queue::Queue(Queue&&) noexcept = default;
Queue& Queue::operator=(Queue&&) noexcept = default;
Queue::~Queue() = default;

device::DeviceFacts const& Queue::facts() const { return handles_->facts; }

Buffer Queue::allocate(std::size_t bytes) {
    // Some drivers notice only when the memory is used.
    if (bytes > handles_->device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>())
        handles_->check(CL_MEM_OBJECT_ALLOCATION_FAILURE, "allocating " + std::to_string(bytes) + " bytes");
    cl_int code = CL_SUCCESS;
    auto const memory = clCreateBuffer(handles_->context(), CL_MEM_READ_WRITE, 4 * std::max<std::size_t>(words_of(bytes), 1), nullptr, &code);
    handles_->check(code, "allocating " + std::to_string(bytes) + " bytes");
    return {memory, bytes};
}
void Queue::upload(Buffer& buffer, std::size_t offset, void const* from, std::size_t bytes) {
    handles_->check(clEnqueueWriteBuffer(handles_->queue(), buffer.handle(), CL_TRUE, offset, bytes, from, 0, nullptr, nullptr),
                    "writing to the device");
}
void Queue::download(Buffer const& buffer, std::size_t offset, void* to, std::size_t bytes) {
    handles_->check(clEnqueueReadBuffer(handles_->queue(), buffer.handle(), CL_TRUE, offset, bytes, to, 0, nullptr, nullptr),
                    "reading from the device");
}
void Queue::clear(Buffer& buffer) {
    auto& kernel = handles_->clear_words;
    if (kernel.handle() == nullptr) kernel = compile(clear_text).kernel("clear_words");
    std::size_t const words = words_of(buffer.bytes());
    device::launch(*this, kernel, device::groups_for(facts(), words), buffer, static_cast<std::int64_t>(words));
}

Program Queue::compile(std::string const& text) {
    auto const& facts = handles_->facts;
    std::string source = "#define SIMT_WIDTH " + std::to_string(facts.simt_width) + '\n';
    if (facts.has_64_bit_atomics) source += "#define SUPPORTS_64_BIT_ATOMICS\n";
    if (facts.has_double) source += "#define SUPPORTS_DOUBLE_PRECISION\n";
    source += kernels::opencl_preamble + text;
    std::string const platform = cl::Platform(handles_->device.getInfo<CL_DEVICE_PLATFORM>()).getInfo<CL_PLATFORM_VERSION>();
    std::string const identity = platform + ", " + facts.name + ", " + facts.driver + '\n' + source;
    auto program = handles_->restore(identity);
    if (program() == nullptr) {
        program = handles_->build(source);
        auto const binaries = program.getInfo<CL_PROGRAM_BINARIES>();
        if (binaries.size() == 1) handles_->cache.keep(identity, {reinterpret_cast<char const*>(binaries[0].data()), binaries[0].size()});
    }
    clRetainProgram(program());
    return Program(program());
}

Kernel Program::kernel(std::string const& name) const {
    cl_int code = CL_SUCCESS;
    auto const kernel = clCreateKernel(program_.get(), name.c_str(), &code);
    if (code != CL_SUCCESS) throw UnsupportedError("the device text has no kernel " + name);
    return Kernel(kernel);
}

void Queue::launch(Kernel& kernel, device::Groups groups, std::span<device::Argument const> arguments) {
    if (handles_->recorded) {
        auto own = another(kernel);
        handles_->set_arguments(own, arguments);
        handles_->recorded->launches.push_back({std::move(own), groups});
        return;
    }
    handles_->set_arguments(kernel, arguments);
    handles_->give(kernel, groups);
}
void Queue::begin_capture() { handles_->recorded.emplace(); }
Graph Queue::end_capture() { return *std::exchange(handles_->recorded, std::nullopt); }
void Queue::launch(Graph const& graph) {
    for (auto const& [kernel, groups] : graph.launches) handles_->give(kernel, groups);
}
void Queue::finish() { handles_->check(clFinish(handles_->queue()), "waiting for the device"); }

std::vector<device::DeviceFacts> devices() {
    std::vector<device::DeviceFacts> result;
    for (auto const& device : all_devices()) result.push_back(facts_of(device));
    return result;
}

}  // namespace trotter::opencl
