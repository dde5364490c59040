// Defines the dialect in OpenCL; with NVIDIA_PTX, for the compiler of NVIDIA's driver.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

inline constexpr char const* opencl_preamble = R"(
#define KERNEL __kernel
#define DEVICE
#define CALLED __attribute__((noinline))
#define LOCAL __local
#define GROUP_BOUNDS(size, groups)
#define LOCAL_ARG __local
#define GLOBAL __global
#define RESTRICT restrict
#define LOCAL_ID ((int) get_local_id(0))
#define LOCAL_SIZE ((int) get_local_size(0))
#define GLOBAL_ID ((int) get_global_id(0))
#define GLOBAL_SIZE ((int) get_global_size(0))
#define GROUP_ID ((int) get_group_id(0))
#define NUM_GROUPS ((int) get_num_groups(0))
#define SYNC_THREADS barrier(CLK_LOCAL_MEM_FENCE + CLK_GLOBAL_MEM_FENCE);
#define MEM_FENCE mem_fence(CLK_LOCAL_MEM_FENCE + CLK_GLOBAL_MEM_FENCE);
#ifdef SUPPORTS_64_BIT_ATOMICS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#ifdef SUPPORTS_DOUBLE_PRECISION
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef NVIDIA_PTX
// In the assembly of a kernel, for the queue to find.
#define NOTE_BOUNDS(size, groups) asm volatile("// GROUP_BOUNDS %0 %1" :: "n"(size), "n"(groups));
// What lanes of a warp do together has no words in NVIDIA's OpenCL C but those of its assembler.
#define SYNC_WARPS asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
#define SHUFFLE_FROM(value, lane) shuffle_from(value, lane)
#define BALLOT(condition) lanes_with((condition) ? 1 : 0)
#define ANY_LANE(condition) (BALLOT(condition) != 0)
inline uint lanes_with(uint condition) {
    uint lanes;
    asm volatile("{\n.reg .pred with;\nsetp.ne.u32 with, %1, 0;\nvote.sync.ballot.b32 %0, with, 0xffffffff;\n}"
                 : "=r"(lanes) : "r"(condition));
    return lanes;
}
#define SHUFFLE(NAME, MODE, BOUND)                                                                       \
    inline uint __attribute__((overloadable)) NAME(uint value, int lanes) {                              \
        uint other;                                                                                      \
        asm volatile("shfl.sync." MODE ".b32 %0, %1, %2, " BOUND ", 0xffffffff;"                         \
                     : "=r"(other) : "r"(value), "r"(lanes));                                            \
        return other;                                                                                    \
    }                                                                                                    \
    inline uint2 __attribute__((overloadable)) NAME(uint2 value, int lanes) {                            \
        return (uint2) (NAME(value.x, lanes), NAME(value.y, lanes));                                     \
    }                                                                                                    \
    SHUFFLE_AS(NAME, int, uint)                                                                          \
    SHUFFLE_AS(NAME, float, uint)                                                                        \
    SHUFFLE_AS(NAME, long, uint2)                                                                        \
    SHUFFLE_AS(NAME, ulong, uint2)                                                                       \
    SHUFFLE_AS(NAME, double, uint2)
#define SHUFFLE_AS(NAME, TYPE, WORDS)                                                                    \
    inline TYPE __attribute__((overloadable)) NAME(TYPE value, int lanes) {                              \
        return as_##TYPE(NAME(as_##WORDS(value), lanes));                                                \
    }
SHUFFLE(shuffle_from, "idx", "0x1f")
// Nearly as the processor has them. The exponential of a float x is off by a few |x| 2^-24, about as much as rounding x
// makes of it. The processor's logarithm is off by up to 2^-21.4 near 1 and else by units of its last place; that of x⁸
// makes an eighth of this.
inline float __attribute__((overloadable)) quick_exp(float x) { return native_exp(x); }
inline double __attribute__((overloadable)) quick_exp(double x) { return exp(x); }
inline float __attribute__((overloadable)) quick_log(float x) {
    const bool is_near = fabs(x - 1) < 0.5f;
    const float fourth = (x*x)*(x*x);
    return (is_near ? 0.125f : 1.0f)*native_log(is_near ? fourth*fourth : x);
}
inline double __attribute__((overloadable)) quick_log(double x) { return log(x); }
#else
#define quick_exp(x) exp(x)
#define quick_log(x) log(x)
#define NOTE_BOUNDS(size, groups)
#define SYNC_WARPS barrier(CLK_LOCAL_MEM_FENCE);
#endif
#define ATOMIC_OR(dest, value) atomic_or(dest, value)
#define ATOMIC_EXCHANGE(dest, value) atomic_xchg(dest, value)
#define ROUND_TO_INT(x) convert_int_rte(x)
#define ROUND_TO_LONG(x) convert_long_rte(x)
typedef long mm_long;
typedef ulong mm_ulong;
#ifdef SUPPORTS_64_BIT_ATOMICS
#define ATOMIC_ADD(dest, value) atom_add(dest, value)
#else
// 64 bits by halves of 32, the carry from one to the other: sums are right when all is added, whatever the order, but what a single
// one returns is right in its lower half alone.
#define ATOMIC_ADD(dest, value) add_atomically(dest, value)
#define ADD_ATOMICALLY(SPACE, WHOLE, HALF)                                                          \
    inline HALF __attribute__((overloadable)) add_atomically(volatile SPACE HALF* dest, HALF value) { \
        return atomic_add(dest, value);                                                             \
    }                                                                                               \
    inline WHOLE __attribute__((overloadable)) add_atomically(volatile SPACE WHOLE* dest, WHOLE value) { \
        volatile SPACE uint* halves = (volatile SPACE uint*) dest;                                  \
        const uint low = (uint) value, before = atomic_add(halves + LOW_HALF, low);                 \
        const uint high = (uint) ((ulong) value >> 32) + (before + low < low ? 1 : 0);              \
        if (high != 0) atomic_add(halves + (1 - LOW_HALF), high);                                   \
        return (WHOLE) before;                                                                      \
    }
#ifdef __ENDIAN_LITTLE__
#define LOW_HALF 0
#else
#define LOW_HALF 1
#endif
ADD_ATOMICALLY(__global, long, int)
ADD_ATOMICALLY(__global, ulong, uint)
ADD_ATOMICALLY(__local, long, int)
ADD_ATOMICALLY(__local, ulong, uint)
#endif
#define make_int2(...) ((int2) (__VA_ARGS__))
#define make_int3(...) ((int3) (__VA_ARGS__))
#define make_int4(...) ((int4) (__VA_ARGS__))
#define make_float2(...) ((float2) (__VA_ARGS__))
#define make_float3(...) ((float3) (__VA_ARGS__))
#define make_float4(...) ((float4) (__VA_ARGS__))
#define make_double2(...) ((double2) (__VA_ARGS__))
#define make_double3(...) ((double3) (__VA_ARGS__))
#define make_double4(...) ((double4) (__VA_ARGS__))
#define trimTo3(v) ((v).xyz)
)";

}  // namespace trotter::kernels
