// Loads NVIDIA's driver.
// SPDX-License-Identifier: MIT
#include "driver.hpp"

#include <map>
#include <mutex>
#include <system_error>
#include <thread>

#include <trotter/cuda/compiler.hpp>

#include "library.hpp"

namespace trotter::cuda {

namespace {

// cuda.h renames functions by macros where their arguments have changed; here stand the names that the library has.
Driver load() {
    Library const library({"libcuda.so.1"}, "there is no CUDA device: NVIDIA's driver (libcuda.so.1) is not installed");
    Driver d{};
    library.find("cuInit", d.init);
    library.find("cuDriverGetVersion", d.driver_get_version);
    library.find("cuGetErrorName", d.get_error_name);
    library.find("cuDeviceGetCount", d.device_get_count);
    library.find("cuDeviceGet", d.device_get);
    library.find("cuDeviceGetName", d.device_get_name);
    library.find("cuDeviceGetAttribute", d.device_get_attribute);
    library.find("cuDeviceTotalMem_v2", d.device_total_mem);
    library.find("cuDevicePrimaryCtxRetain", d.device_primary_ctx_retain);
    library.find("cuCtxSetCurrent", d.ctx_set_current);
    library.find("cuMemGetInfo_v2", d.mem_get_info);
    library.find("cuMemAlloc_v2", d.mem_alloc);
    library.find("cuMemFree_v2", d.mem_free);
    library.find("cuMemHostAlloc", d.mem_host_alloc);
    library.find("cuMemFreeHost", d.mem_free_host);
    library.find("cuMemcpyHtoDAsync_v2", d.memcpy_htod_async);
    library.find("cuMemcpyDtoHAsync_v2", d.memcpy_dtoh_async);
    library.find("cuMemsetD32Async", d.memset_d32_async);
    library.find("cuModuleLoadData", d.module_load_data);
    library.find("cuModuleUnload", d.module_unload);
    library.find("cuModuleGetFunction", d.module_get_function);
    library.find("cuLaunchKernelEx", d.launch_kernel_ex);
    library.find("cuStreamCreate", d.stream_create);
    library.find("cuStreamDestroy_v2", d.stream_destroy);
    library.find("cuStreamSynchronize", d.stream_synchronize);
    library.find("cuStreamWaitEvent", d.stream_wait_event);
    library.find("cuStreamBeginCapture_v2", d.stream_begin_capture);
    library.find("cuStreamEndCapture", d.stream_end_capture);
    library.find("cuEventCreate", d.event_create);
    library.find("cuEventDestroy_v2", d.event_destroy);
    library.find("cuEventRecord", d.event_record);
    library.find("cuEventSynchronize", d.event_synchronize);
    library.find("cuGraphInstantiateWithFlags", d.graph_instantiate);
    library.find("cuGraphCreate", d.graph_create);
    library.find("cuGraphAddChildGraphNode", d.graph_add_child_graph_node);
    library.find("cuGraphDestroy", d.graph_destroy);
    library.find("cuGraphExecDestroy", d.graph_exec_destroy);
    library.find("cuGraphLaunch", d.graph_launch);
    if (auto const code = d.init(0); code != CUDA_SUCCESS) {
        char const* name = nullptr;
        d.get_error_name(code, &name);
        throw UnsupportedError("there is no CUDA device: NVIDIA's driver says "
                               + std::string(name != nullptr ? name : "nothing"));
    }
    return d;
}

}  // namespace

Driver const& driver() {
    static Driver const loaded = load();
    return loaded;
}

std::string error_name(CUresult code) {
    char const* name = nullptr;
    driver().get_error_name(code, &name);
    return name != nullptr ? name : "error " + std::to_string(static_cast<int>(code));
}

void check(CUresult code, std::string const& device, char const* what) {
    if (code != CUDA_SUCCESS)
        throw UnsupportedError("CUDA on " + device + ": " + what + " failed with " + error_name(code));
}

/// Nothing where the machine refuses the thread: who needs what it does then does it.
static std::jthread in_a_thread(void (*work)()) {
    try {
        return std::jthread(work);
    } catch (std::system_error const&) {
        return {};
    }
}

CUcontext primary_context(int device, std::string const& name) {
    static std::mutex mutex;
    static std::map<int, CUcontext> contexts;
    std::lock_guard const lock(mutex);
    auto& context = contexts[device];
    if (context == nullptr) {
        auto const beside = in_a_thread(load_compiler);  // what is needed next, and takes its time too
        check(driver().device_primary_ctx_retain(&context, device), name, "making a context");
    }
    return context;
}

}  // namespace trotter::cuda
