// OpenCL's library, loaded when it is first needed: the plugin must not fail to load where there is none.
// SPDX-License-Identifier: MIT
//
// Functions of OpenCL that Trotter calls, each of which passes its arguments on to the function of the same name in the
// library.
#include <dlfcn.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_ext.h>

namespace {

void* library() {
    static void* const loaded = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    return loaded;
}

/// Of the function that is called by this name, whose type `own` has.
template <auto own, class... Arguments> auto call(char const* name, Arguments... arguments) {
    static auto const theirs = reinterpret_cast<decltype(own)>(dlsym(library(), name));
    return theirs(arguments...);
}

}  // namespace

extern "C" {

/// The first that anybody calls: without a library there is no platform, and nothing else is asked.
cl_int CL_API_CALL clGetPlatformIDs(cl_uint a, cl_platform_id* b, cl_uint* c) {
    return library() == nullptr ? CL_PLATFORM_NOT_FOUND_KHR : call<&clGetPlatformIDs>("clGetPlatformIDs", a, b, c);
}

cl_int CL_API_CALL clBuildProgram(cl_program a, cl_uint b, cl_device_id const* c, char const* d,
                                  void(CL_CALLBACK* e)(cl_program, void*), void* f) {
    return call<&clBuildProgram>("clBuildProgram", a, b, c, d, e, f);
}
cl_mem CL_API_CALL clCreateBuffer(cl_context a, cl_mem_flags b, size_t c, void* d, cl_int* e) {
    return call<&clCreateBuffer>("clCreateBuffer", a, b, c, d, e);
}
cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context a, cl_device_id b, cl_command_queue_properties c,
                                                  cl_int* d) {
    return call<&clCreateCommandQueue>("clCreateCommandQueue", a, b, c, d);
}
cl_context CL_API_CALL clCreateContext(cl_context_properties const* a, cl_uint b, cl_device_id const* c,
                                       void(CL_CALLBACK* d)(char const*, void const*, size_t, void*), void* e,
                                       cl_int* f) {
    return call<&clCreateContext>("clCreateContext", a, b, c, d, e, f);
}
cl_kernel CL_API_CALL clCreateKernel(cl_program a, char const* b, cl_int* c) {
    return call<&clCreateKernel>("clCreateKernel", a, b, c);
}
cl_program CL_API_CALL clCreateProgramWithBinary(cl_context a, cl_uint b, cl_device_id const* c, size_t const* d,
                                                 unsigned char const** e, cl_int* f, cl_int* g) {
    return call<&clCreateProgramWithBinary>("clCreateProgramWithBinary", a, b, c, d, e, f, g);
}
cl_program CL_API_CALL clCreateProgramWithSource(cl_context a, cl_uint b, char const** c, size_t const* d, cl_int* e) {
    return call<&clCreateProgramWithSource>("clCreateProgramWithSource", a, b, c, d, e);
}
cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue a, cl_uint b, cl_event const* c, cl_event* d) {
    return call<&clEnqueueBarrierWithWaitList>("clEnqueueBarrierWithWaitList", a, b, c, d);
}
cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue a, cl_uint b, cl_event const* c, cl_event* d) {
    return call<&clEnqueueMarkerWithWaitList>("clEnqueueMarkerWithWaitList", a, b, c, d);
}
cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue a, cl_kernel b, cl_uint c, size_t const* d, size_t const* e,
                                          size_t const* f, cl_uint g, cl_event const* h, cl_event* i) {
    return call<&clEnqueueNDRangeKernel>("clEnqueueNDRangeKernel", a, b, c, d, e, f, g, h, i);
}
cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, void* f, cl_uint g,
                                       cl_event const* h, cl_event* i) {
    return call<&clEnqueueReadBuffer>("clEnqueueReadBuffer", a, b, c, d, e, f, g, h, i);
}
cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, void const* f,
                                        cl_uint g, cl_event const* h, cl_event* i) {
    return call<&clEnqueueWriteBuffer>("clEnqueueWriteBuffer", a, b, c, d, e, f, g, h, i);
}
cl_int CL_API_CALL clFinish(cl_command_queue a) {
    return call<&clFinish>("clFinish", a);
}
cl_int CL_API_CALL clFlush(cl_command_queue a) {
    return call<&clFlush>("clFlush", a);
}
cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id a, cl_device_type b, cl_uint c, cl_device_id* d, cl_uint* e) {
    return call<&clGetDeviceIDs>("clGetDeviceIDs", a, b, c, d, e);
}
cl_int CL_API_CALL clGetDeviceInfo(cl_device_id a, cl_device_info b, size_t c, void* d, size_t* e) {
    return call<&clGetDeviceInfo>("clGetDeviceInfo", a, b, c, d, e);
}
cl_int CL_API_CALL clGetKernelInfo(cl_kernel a, cl_kernel_info b, size_t c, void* d, size_t* e) {
    return call<&clGetKernelInfo>("clGetKernelInfo", a, b, c, d, e);
}
cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id a, cl_platform_info b, size_t c, void* d, size_t* e) {
    return call<&clGetPlatformInfo>("clGetPlatformInfo", a, b, c, d, e);
}
cl_int CL_API_CALL clGetProgramBuildInfo(cl_program a, cl_device_id b, cl_program_build_info c, size_t d, void* e,
                                         size_t* f) {
    return call<&clGetProgramBuildInfo>("clGetProgramBuildInfo", a, b, c, d, e, f);
}
cl_int CL_API_CALL clGetProgramInfo(cl_program a, cl_program_info b, size_t c, void* d, size_t* e) {
    return call<&clGetProgramInfo>("clGetProgramInfo", a, b, c, d, e);
}
cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue a) {
    return call<&clReleaseCommandQueue>("clReleaseCommandQueue", a);
}
cl_int CL_API_CALL clReleaseContext(cl_context a) {
    return call<&clReleaseContext>("clReleaseContext", a);
}
cl_int CL_API_CALL clReleaseDevice(cl_device_id a) {
    return call<&clReleaseDevice>("clReleaseDevice", a);
}
cl_int CL_API_CALL clReleaseEvent(cl_event a) {
    return call<&clReleaseEvent>("clReleaseEvent", a);
}
cl_int CL_API_CALL clReleaseKernel(cl_kernel a) {
    return call<&clReleaseKernel>("clReleaseKernel", a);
}
cl_int CL_API_CALL clReleaseMemObject(cl_mem a) {
    return call<&clReleaseMemObject>("clReleaseMemObject", a);
}
cl_int CL_API_CALL clReleaseProgram(cl_program a) {
    return call<&clReleaseProgram>("clReleaseProgram", a);
}
cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue a) {
    return call<&clRetainCommandQueue>("clRetainCommandQueue", a);
}
cl_int CL_API_CALL clRetainContext(cl_context a) {
    return call<&clRetainContext>("clRetainContext", a);
}
cl_int CL_API_CALL clRetainDevice(cl_device_id a) {
    return call<&clRetainDevice>("clRetainDevice", a);
}
cl_int CL_API_CALL clRetainEvent(cl_event a) {
    return call<&clRetainEvent>("clRetainEvent", a);
}
cl_int CL_API_CALL clRetainKernel(cl_kernel a) {
    return call<&clRetainKernel>("clRetainKernel", a);
}
cl_int CL_API_CALL clRetainProgram(cl_program a) {
    return call<&clRetainProgram>("clRetainProgram", a);
}
cl_int CL_API_CALL clSetKernelArg(cl_kernel a, cl_uint b, size_t c, void const* d) {
    return call<&clSetKernelArg>("clSetKernelArg", a, b, c, d);
}
cl_int CL_API_CALL clWaitForEvents(cl_uint a, cl_event const* b) {
    return call<&clWaitForEvents>("clWaitForEvents", a, b);
}

}  // extern "C"
