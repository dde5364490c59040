// The vector types of kernel source on the host: same layout, names prefixed by `mm_`.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace trotter::device {

struct mm_int2 { std::int32_t x, y; };
struct mm_int4 { std::int32_t x, y, z, w; };
struct mm_float4 { float x, y, z, w; };
using mm_long = std::int64_t;
using mm_ulong = std::uint64_t;

}  // namespace trotter::device
