// Loads the OpenCL library on first use: programs run on machines without it.
// SPDX-License-Identifier: MIT
//
// Each OpenCL function that Trotter calls forwards its arguments to the function of the same name in the library.
#include <dlfcn.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_ext.h>

namespace {

void* library() {
    static void* const loaded = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    return loaded;
}

/// Returns the library's function of this name, of the same type as `own`.
template <auto own> auto theirs(char const* name) {
    static auto const found = reinterpret_cast<decltype(own)>(dlsym(library(), name));
    return found;
}

}  // namespace

extern "C" {

/// Always called first: without the library there is no platform, and no other function is called.
cl_int clGetPlatformIDs(cl_uint a, cl_platform_id* b, cl_uint* c) {
    return library() == nullptr ? CL_PLATFORM_NOT_FOUND_KHR : theirs<clGetPlatformIDs>(__func__)(a, b, c);
}

cl_int clBuildProgram(cl_program a, cl_uint b, cl_device_id const* c, char const* d,
                      void(CL_CALLBACK* e)(cl_program, void*), void* f) {
    return theirs<clBuildProgram>(__func__)(a, b, c, d, e, f);
}
cl_mem clCreateBuffer(cl_context a, cl_mem_flags b, size_t c, void* d, cl_int* e) {
    return theirs<clCreateBuffer>(__func__)(a, b, c, d, e);
}
cl_command_queue clCreateCommandQueue(cl_context a, cl_device_id b, cl_command_queue_properties c, cl_int* d) {
    return theirs<clCreateCommandQueue>(__func__)(a, b, c, d);
}
cl_context clCreateContext(cl_context_properties const* a, cl_uint b, cl_device_id const* c,
                           void(CL_CALLBACK* d)(char const*, void const*, size_t, void*), void* e, cl_int* f) {
    return theirs<clCreateContext>(__func__)(a, b, c, d, e, f);
}
cl_kernel clCreateKernel(cl_program a, char const* b, cl_int* c) { return theirs<clCreateKernel>(__func__)(a, b, c); }
cl_program clCreateProgramWithBinary(cl_context a, cl_uint b, cl_device_id const* c, size_t const* d,
                                     unsigned char const** e, cl_int* f, cl_int* g) {
    return theirs<clCreateProgramWithBinary>(__func__)(a, b, c, d, e, f, g);
}
cl_program clCreateProgramWithSource(cl_context a, cl_uint b, char const** c, size_t const* d, cl_int* e) {
    return theirs<clCreateProgramWithSource>(__func__)(a, b, c, d, e);
}
cl_int clEnqueueBarrierWithWaitList(cl_command_queue a, cl_uint b, cl_event const* c, cl_event* d) {
    return theirs<clEnqueueBarrierWithWaitList>(__func__)(a, b, c, d);
}
cl_int clEnqueueMarkerWithWaitList(cl_command_queue a, cl_uint b, cl_event const* c, cl_event* d) {
    return theirs<clEnqueueMarkerWithWaitList>(__func__)(a, b, c, d);
}
cl_int clEnqueueNDRangeKernel(cl_command_queue a, cl_kernel b, cl_uint c, size_t const* d, size_t const* e,
                              size_t const* f, cl_uint g, cl_event const* h, cl_event* i) {
    return theirs<clEnqueueNDRangeKernel>(__func__)(a, b, c, d, e, f, g, h, i);
}
cl_int clEnqueueReadBuffer(cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, void* f, cl_uint g,
                           cl_event const* h, cl_event* i) {
    return theirs<clEnqueueReadBuffer>(__func__)(a, b, c, d, e, f, g, h, i);
}
cl_int clEnqueueWriteBuffer(cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, void const* f, cl_uint g,
                            cl_event const* h, cl_event* i) {
    return theirs<clEnqueueWriteBuffer>(__func__)(a, b, c, d, e, f, g, h, i);
}
cl_int clFinish(cl_command_queue a) { return theirs<clFinish>(__func__)(a); }
cl_int clFlush(cl_command_queue a) { return theirs<clFlush>(__func__)(a); }
cl_int clGetDeviceIDs(cl_platform_id a, cl_device_type b, cl_uint c, cl_device_id* d, cl_uint* e) {
    return theirs<clGetDeviceIDs>(__func__)(a, b, c, d, e);
}
cl_int clGetDeviceInfo(cl_device_id a, cl_device_info b, size_t c, void* d, size_t* e) {
    return theirs<clGetDeviceInfo>(__func__)(a, b, c, d, e);
}
cl_int clGetKernelInfo(cl_kernel a, cl_kernel_info b, size_t c, void* d, size_t* e) {
    return theirs<clGetKernelInfo>(__func__)(a, b, c, d, e);
}
cl_int clGetPlatformInfo(cl_platform_id a, cl_platform_info b, size_t c, void* d, size_t* e) {
    return theirs<clGetPlatformInfo>(__func__)(a, b, c, d, e);
}
cl_int clGetProgramBuildInfo(cl_program a, cl_device_id b, cl_program_build_info c, size_t d, void* e, size_t* f) {
    return theirs<clGetProgramBuildInfo>(__func__)(a, b, c, d, e, f);
}
cl_int clGetProgramInfo(cl_program a, cl_program_info b, size_t c, void* d, size_t* e) {
    return theirs<clGetProgramInfo>(__func__)(a, b, c, d, e);
}
cl_int clReleaseCommandQueue(cl_command_queue a) { return theirs<clReleaseCommandQueue>(__func__)(a); }
cl_int clReleaseContext(cl_context a) { return theirs<clReleaseContext>(__func__)(a); }
cl_int clReleaseDevice(cl_device_id a) { return theirs<clReleaseDevice>(__func__)(a); }
cl_int clReleaseEvent(cl_event a) { return theirs<clReleaseEvent>(__func__)(a); }
cl_int clReleaseKernel(cl_kernel a) { return theirs<clReleaseKernel>(__func__)(a); }
cl_int clReleaseMemObject(cl_mem a) { return theirs<clReleaseMemObject>(__func__)(a); }
cl_int clReleaseProgram(cl_program a) { return theirs<clReleaseProgram>(__func__)(a); }
cl_int clRetainCommandQueue(cl_command_queue a) { return theirs<clRetainCommandQueue>(__func__)(a); }
cl_int clRetainContext(cl_context a) { return theirs<clRetainContext>(__func__)(a); }
cl_int clRetainDevice(cl_device_id a) { return theirs<clRetainDevice>(__func__)(a); }
cl_int clRetainEvent(cl_event a) { return theirs<clRetainEvent>(__func__)(a); }
cl_int clRetainKernel(cl_kernel a) { return theirs<clRetainKernel>(__func__)(a); }
cl_int clRetainProgram(cl_program a) { return theirs<clRetainProgram>(__func__)(a); }
cl_int clSetKernelArg(cl_kernel a, cl_uint b, size_t c, void const* d) {
    return theirs<clSetKernelArg>(__func__)(a, b, c, d);
}
cl_int clWaitForEvents(cl_uint a, cl_event const* b) { return theirs<clWaitForEvents>(__func__)(a, b); }

}  // extern "C"
