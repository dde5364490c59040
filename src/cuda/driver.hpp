// The functions of NVIDIA's driver, found when they are first needed: programs run on machines without it.
// SPDX-License-Identifier: MIT
#pragma once
#include <cuda.h>

#include <string>

namespace trotter::cuda {

/// Named as in cuda.h, less the prefix; units and meaning are there.
struct Driver {
    decltype(&cuInit) init;
    decltype(&cuDriverGetVersion) driver_get_version;
    decltype(&cuGetErrorName) get_error_name;
    decltype(&cuDeviceGetCount) device_get_count;
    decltype(&cuDeviceGet) device_get;
    decltype(&cuDeviceGetName) device_get_name;
    decltype(&cuDeviceGetAttribute) device_get_attribute;
    decltype(&cuDeviceTotalMem) device_total_mem;
    decltype(&cuDevicePrimaryCtxRetain) device_primary_ctx_retain;
    decltype(&cuCtxSetCurrent) ctx_set_current;
    decltype(&cuMemGetInfo) mem_get_info;
    decltype(&cuMemAlloc) mem_alloc;
    decltype(&cuMemFree) mem_free;
    decltype(&cuMemHostAlloc) mem_host_alloc;
    decltype(&cuMemFreeHost) mem_free_host;
    decltype(&cuMemcpyHtoDAsync) memcpy_htod_async;
    decltype(&cuMemcpyDtoHAsync) memcpy_dtoh_async;
    decltype(&cuMemsetD32Async) memset_d32_async;
    decltype(&cuModuleLoadData) module_load_data;
    decltype(&cuModuleUnload) module_unload;
    decltype(&cuModuleGetFunction) module_get_function;
    decltype(&cuLaunchKernelEx) launch_kernel_ex;
    decltype(&cuStreamCreate) stream_create;
    decltype(&cuStreamDestroy) stream_destroy;
    decltype(&cuStreamSynchronize) stream_synchronize;
    decltype(&cuStreamWaitEvent) stream_wait_event;
    decltype(&cuStreamBeginCapture) stream_begin_capture;
    decltype(&cuStreamEndCapture) stream_end_capture;
    decltype(&cuEventCreate) event_create;
    decltype(&cuEventDestroy) event_destroy;
    decltype(&cuEventRecord) event_record;
    decltype(&cuEventSynchronize) event_synchronize;
    decltype(&cuGraphInstantiate) graph_instantiate;
    decltype(&cuGraphCreate) graph_create;
    decltype(&cuGraphAddChildGraphNode) graph_add_child_graph_node;
    decltype(&cuGraphDestroy) graph_destroy;
    decltype(&cuGraphExecDestroy) graph_exec_destroy;
    decltype(&cuGraphLaunch) graph_launch;
};

/// Throws UnsupportedError where the driver is not installed or has no device.
Driver const& driver();

/// CUDA's own name of an error.
std::string error_name(CUresult code);

/// Throws UnsupportedError that says what failed on which device.
void check(CUresult code, std::string const& device, char const* what);

/// The context of a device that everybody in the process shares, for as long as it runs.
CUcontext primary_context(int device, std::string const& name);

}  // namespace trotter::cuda
