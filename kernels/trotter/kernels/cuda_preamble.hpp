// Defines the dialect in CUDA, with the vector arithmetic that is built into OpenCL.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

inline constexpr char const* cuda_preamble = R"(
#define KERNEL extern "C" __global__
// Waits until the kernel before has ended, where this one was launched early, and lets the next one be launched early.
#if __CUDA_ARCH__ >= 900
#define KERNEL_BEGIN asm volatile("griddepcontrol.wait; griddepcontrol.launch_dependents;" ::: "memory");
#else
#define KERNEL_BEGIN
#endif
#define DEVICE __device__
#define CALLED __noinline__
#define LOCAL __shared__
#define GROUP_BOUNDS(size, groups) __launch_bounds__(size, groups)
#define LOCAL_ARG
#define GLOBAL
#define RESTRICT __restrict__
#define LOCAL_ID ((int) threadIdx.x)
#define LOCAL_SIZE ((int) blockDim.x)
#define GLOBAL_ID ((int) (blockIdx.x*blockDim.x + threadIdx.x))
#define GLOBAL_SIZE ((int) (blockDim.x*gridDim.x))
#define GROUP_ID ((int) blockIdx.x)
#define NUM_GROUPS ((int) gridDim.x)
#define SYNC_THREADS __syncthreads();
#define SYNC_WARPS __syncwarp();
#define MEM_FENCE __threadfence_block();
#define ATOMIC_ADD(dest, value) atomicAdd(dest, value)
#define ATOMIC_OR(dest, value) atomicOr(dest, value)
#define ATOMIC_EXCHANGE(dest, value) atomicExch(dest, value)
#define SUPPORTS_64_BIT_ATOMICS
#define SUPPORTS_DOUBLE_PRECISION
typedef long long mm_long;
typedef unsigned long long mm_ulong;
typedef unsigned int uint;
inline __device__ int ROUND_TO_INT(float x) { return __float2int_rn(x); }
inline __device__ int ROUND_TO_INT(double x) { return __double2int_rn(x); }
inline __device__ mm_long ROUND_TO_LONG(float x) { return __float2ll_rn(x); }
inline __device__ mm_long ROUND_TO_LONG(double x) { return __double2ll_rn(x); }
// Nearly as the processor has them. The exponential of a float x is off by a few |x| 2^-24, about as much as rounding x
// makes of it. The processor's logarithm is off by up to 2^-21.4 near 1 and else by units of its last place; that of x⁸
// makes an eighth of this.
inline __device__ float quick_exp(float x) { return __expf(x); }
inline __device__ double quick_exp(double x) { return exp(x); }
inline __device__ float quick_log(float x) {
    const bool is_near = fabsf(x - 1) < 0.5f;
    const float fourth = (x*x)*(x*x);
    return (is_near ? 0.125f : 1.0f)*__logf(is_near ? fourth*fourth : x);
}
inline __device__ double quick_log(double x) { return log(x); }
#define popcount(x) __popc(x)
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define VECTOR_OPERATORS_2(T, S) \
    inline __device__ T##2 operator+(T##2 a, T##2 b) { return make_##T##2(a.x + b.x, a.y + b.y); } \
    inline __device__ T##2 operator-(T##2 a, T##2 b) { return make_##T##2(a.x - b.x, a.y - b.y); } \
    inline __device__ T##2 operator*(T##2 a, T##2 b) { return make_##T##2(a.x*b.x, a.y*b.y); } \
    inline __device__ T##2 operator*(T##2 a, S b) { return make_##T##2(a.x*b, a.y*b); } \
    inline __device__ T##2 operator*(S a, T##2 b) { return b*a; } \
    inline __device__ T##2 operator-(T##2 a) { return make_##T##2(-a.x, -a.y); } \
    inline __device__ void operator+=(T##2& a, T##2 b) { a = a + b; } \
    inline __device__ void operator-=(T##2& a, T##2 b) { a = a - b; } \
    inline __device__ void operator*=(T##2& a, S b) { a = a*b; }
#define VECTOR_OPERATORS_3(T, S) \
    inline __device__ T##3 make_##T##3(S x) { return make_##T##3(x, x, x); } \
    inline __device__ T##3 operator+(T##3 a, T##3 b) { return make_##T##3(a.x + b.x, a.y + b.y, a.z + b.z); } \
    inline __device__ T##3 operator-(T##3 a, T##3 b) { return make_##T##3(a.x - b.x, a.y - b.y, a.z - b.z); } \
    inline __device__ T##3 operator*(T##3 a, T##3 b) { return make_##T##3(a.x*b.x, a.y*b.y, a.z*b.z); } \
    inline __device__ T##3 operator*(T##3 a, S b) { return make_##T##3(a.x*b, a.y*b, a.z*b); } \
    inline __device__ T##3 operator*(S a, T##3 b) { return b*a; } \
    inline __device__ T##3 operator/(T##3 a, S b) { return a*(S(1)/b); } \
    inline __device__ T##3 operator-(T##3 a) { return make_##T##3(-a.x, -a.y, -a.z); } \
    inline __device__ void operator+=(T##3& a, T##3 b) { a = a + b; } \
    inline __device__ void operator-=(T##3& a, T##3 b) { a = a - b; } \
    inline __device__ void operator*=(T##3& a, S b) { a = a*b; }
#define VECTOR_OPERATORS_4(T, S) \
    inline __device__ T##4 make_##T##4(S x) { return make_##T##4(x, x, x, x); } \
    inline __device__ T##4 operator+(T##4 a, T##4 b) { return make_##T##4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); } \
    inline __device__ T##4 operator-(T##4 a, T##4 b) { return make_##T##4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); } \
    inline __device__ T##4 operator*(T##4 a, T##4 b) { return make_##T##4(a.x*b.x, a.y*b.y, a.z*b.z, a.w*b.w); } \
    inline __device__ T##4 operator*(T##4 a, S b) { return make_##T##4(a.x*b, a.y*b, a.z*b, a.w*b); } \
    inline __device__ T##4 operator*(S a, T##4 b) { return b*a; } \
    inline __device__ T##4 operator/(T##4 a, S b) { return a*(S(1)/b); } \
    inline __device__ T##4 operator-(T##4 a) { return make_##T##4(-a.x, -a.y, -a.z, -a.w); } \
    inline __device__ void operator+=(T##4& a, T##4 b) { a = a + b; } \
    inline __device__ void operator-=(T##4& a, T##4 b) { a = a - b; } \
    inline __device__ void operator*=(T##4& a, S b) { a = a*b; }
#define VECTOR_OPERATORS(T) VECTOR_OPERATORS_2(T, T) VECTOR_OPERATORS_3(T, T) VECTOR_OPERATORS_4(T, T)
VECTOR_OPERATORS(int)
VECTOR_OPERATORS(float)
VECTOR_OPERATORS(double)
#define VECTOR_GEOMETRY(T) \
    inline __device__ T dot(T##3 a, T##3 b) { return a.x*b.x + a.y*b.y + a.z*b.z; } \
    inline __device__ T dot(T##4 a, T##4 b) { return a.x*b.x + a.y*b.y + a.z*b.z + a.w*b.w; } \
    inline __device__ T##3 cross(T##3 a, T##3 b) { return make_##T##3(a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x); } \
    inline __device__ T##4 cross(T##4 a, T##4 b) { return make_##T##4(a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x, T(0)); }
VECTOR_GEOMETRY(float)
VECTOR_GEOMETRY(double)
inline __device__ int3 trimTo3(int4 v) { return make_int3(v.x, v.y, v.z); }
inline __device__ float3 trimTo3(float4 v) { return make_float3(v.x, v.y, v.z); }
inline __device__ double3 trimTo3(double4 v) { return make_double3(v.x, v.y, v.z); }
)";

}  // namespace trotter::kernels
