// Functions of NVIDIA's driver, loaded on first use: programs run on machines without it.
// SPDX-License-Identifier: MIT
#pragma once
#include <cuda.h>

#include <string>

#include "library.hpp"

namespace trotter::cuda {

/// Named as in cuda.h, without the prefix; units and meaning are documented there. cuda.h renames functions with
/// changed arguments by macros; the strings are the library's names.
struct Driver {
    Library library{{"libcuda.so.1"}, "there is no CUDA device: NVIDIA's driver (libcuda.so.1) is not installed"};
    decltype(&cuInit) init = library.find("cuInit");
    decltype(&cuDriverGetVersion) driver_get_version = library.find("cuDriverGetVersion");
    decltype(&cuGetErrorName) get_error_name = library.find("cuGetErrorName");
    decltype(&cuDeviceGetCount) device_get_count = library.find("cuDeviceGetCount");
    decltype(&cuDeviceGet) device_get = library.find("cuDeviceGet");
    decltype(&cuDeviceGetName) device_get_name = library.find("cuDeviceGetName");
    decltype(&cuDeviceGetAttribute) device_get_attribute = library.find("cuDeviceGetAttribute");
    decltype(&cuDeviceTotalMem) device_total_mem = library.find("cuDeviceTotalMem_v2");
    decltype(&cuDevicePrimaryCtxRetain) device_primary_ctx_retain = library.find("cuDevicePrimaryCtxRetain");
    decltype(&cuCtxSetCurrent) ctx_set_current = library.find("cuCtxSetCurrent");
    decltype(&cuMemGetInfo) mem_get_info = library.find("cuMemGetInfo_v2");
    decltype(&cuMemAlloc) mem_alloc = library.find("cuMemAlloc_v2");
    decltype(&cuMemFree) mem_free = library.find("cuMemFree_v2");
    decltype(&cuMemHostAlloc) mem_host_alloc = library.find("cuMemHostAlloc");
    decltype(&cuMemFreeHost) mem_free_host = library.find("cuMemFreeHost");
    decltype(&cuMemcpyHtoDAsync) memcpy_htod_async = library.find("cuMemcpyHtoDAsync_v2");
    decltype(&cuMemcpyDtoHAsync) memcpy_dtoh_async = library.find("cuMemcpyDtoHAsync_v2");
    decltype(&cuMemsetD32Async) memset_d32_async = library.find("cuMemsetD32Async");
    decltype(&cuModuleLoadData) module_load_data = library.find("cuModuleLoadData");
    decltype(&cuModuleUnload) module_unload = library.find("cuModuleUnload");
    decltype(&cuModuleGetFunction) module_get_function = library.find("cuModuleGetFunction");
    decltype(&cuLaunchKernelEx) launch_kernel_ex = library.find("cuLaunchKernelEx");
    decltype(&cuStreamCreate) stream_create = library.find("cuStreamCreate");
    decltype(&cuStreamDestroy) stream_destroy = library.find("cuStreamDestroy_v2");
    decltype(&cuStreamSynchronize) stream_synchronize = library.find("cuStreamSynchronize");
    decltype(&cuStreamWaitEvent) stream_wait_event = library.find("cuStreamWaitEvent");
    decltype(&cuStreamBeginCapture) stream_begin_capture = library.find("cuStreamBeginCapture_v2");
    decltype(&cuStreamEndCapture) stream_end_capture = library.find("cuStreamEndCapture");
    decltype(&cuEventCreate) event_create = library.find("cuEventCreate");
    decltype(&cuEventDestroy) event_destroy = library.find("cuEventDestroy_v2");
    decltype(&cuEventRecord) event_record = library.find("cuEventRecord");
    decltype(&cuEventSynchronize) event_synchronize = library.find("cuEventSynchronize");
    decltype(&cuGraphInstantiate) graph_instantiate = library.find("cuGraphInstantiateWithFlags");
    decltype(&cuGraphCreate) graph_create = library.find("cuGraphCreate");
    decltype(&cuGraphAddChildGraphNode) graph_add_child_graph_node = library.find("cuGraphAddChildGraphNode");
    decltype(&cuGraphDestroy) graph_destroy = library.find("cuGraphDestroy");
    decltype(&cuGraphExecDestroy) graph_exec_destroy = library.find("cuGraphExecDestroy");
    decltype(&cuGraphLaunch) graph_launch = library.find("cuGraphLaunch");
};

/// Throws UnsupportedError if the driver is not installed or has no device.
Driver const& driver();

/// CUDA's own name of an error.
std::string error_name(CUresult code);

/// Throws UnsupportedError with the failed operation and the device.
void check(CUresult code, std::string const& device, char const* what);

/// Returns a device's context, shared by the whole process until its end.
CUcontext primary_context(int device, std::string const& name);

}  // namespace trotter::cuda
