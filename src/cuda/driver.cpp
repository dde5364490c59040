// Loads NVIDIA's driver.
// SPDX-License-Identifier: MIT
#include "driver.hpp"

#include <dlfcn.h>

#include <map>
#include <mutex>

#include <trotter/error.hpp>

namespace trotter::cuda {

namespace {

template <class Function> void find(void* library, char const* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) throw UnsupportedError("there is no CUDA device: NVIDIA's driver is too old, it has no " + std::string(name));
}

// cuda.h renames functions by macros where their arguments have changed; here stand the names that the library has.
Driver load() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == nullptr) throw UnsupportedError("there is no CUDA device: NVIDIA's driver (libcuda.so.1) is not installed");
    Driver d{};
    find(library, "cuInit", d.init);
    find(library, "cuDriverGetVersion", d.driver_get_version);
    find(library, "cuGetErrorName", d.get_error_name);
    find(library, "cuDeviceGetCount", d.device_get_count);
    find(library, "cuDeviceGet", d.device_get);
    find(library, "cuDeviceGetName", d.device_get_name);
    find(library, "cuDeviceGetAttribute", d.device_get_attribute);
    find(library, "cuDevicePrimaryCtxRetain", d.device_primary_ctx_retain);
    find(library, "cuCtxSetCurrent", d.ctx_set_current);
    find(library, "cuMemGetInfo_v2", d.mem_get_info);
    find(library, "cuMemAlloc_v2", d.mem_alloc);
    find(library, "cuMemFree_v2", d.mem_free);
    find(library, "cuMemHostAlloc", d.mem_host_alloc);
    find(library, "cuMemFreeHost", d.mem_free_host);
    find(library, "cuMemcpyHtoDAsync_v2", d.memcpy_htod_async);
    find(library, "cuMemcpyDtoHAsync_v2", d.memcpy_dtoh_async);
    find(library, "cuMemsetD32Async", d.memset_d32_async);
    find(library, "cuModuleLoadData", d.module_load_data);
    find(library, "cuModuleUnload", d.module_unload);
    find(library, "cuModuleGetFunction", d.module_get_function);
    find(library, "cuLaunchKernel", d.launch_kernel);
    find(library, "cuStreamCreate", d.stream_create);
    find(library, "cuStreamDestroy_v2", d.stream_destroy);
    find(library, "cuStreamSynchronize", d.stream_synchronize);
    find(library, "cuStreamWaitEvent", d.stream_wait_event);
    find(library, "cuStreamBeginCapture_v2", d.stream_begin_capture);
    find(library, "cuStreamEndCapture", d.stream_end_capture);
    find(library, "cuEventCreate", d.event_create);
    find(library, "cuEventDestroy_v2", d.event_destroy);
    find(library, "cuEventRecord", d.event_record);
    find(library, "cuEventSynchronize", d.event_synchronize);
    find(library, "cuGraphInstantiateWithFlags", d.graph_instantiate);
    find(library, "cuGraphDestroy", d.graph_destroy);
    find(library, "cuGraphExecDestroy", d.graph_exec_destroy);
    find(library, "cuGraphLaunch", d.graph_launch);
    if (auto const code = d.init(0); code != CUDA_SUCCESS) {
        char const* name = nullptr;
        d.get_error_name(code, &name);
        throw UnsupportedError("there is no CUDA device: NVIDIA's driver says " + std::string(name != nullptr ? name : "nothing"));
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
    if (code != CUDA_SUCCESS) throw UnsupportedError("CUDA on " + device + ": " + what + " failed with " + error_name(code));
}

CUcontext primary_context(int device, std::string const& name) {
    static std::mutex mutex;
    static std::map<int, CUcontext> contexts;
    std::lock_guard const lock(mutex);
    auto& context = contexts[device];
    if (context == nullptr) check(driver().device_primary_ctx_retain(&context, device), name, "making a context");
    return context;
}

}  // namespace trotter::cuda
