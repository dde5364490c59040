// Counter-based random numbers, equal to those of trotter/base/random.hpp on the host.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// `normals` are three independent standard normal numbers for an index at a draw, up to the rounding of `real`
/// and its sin, cos and log.
inline constexpr char const* noise = R"(
typedef struct { uint a, b, c, d; } Words;

// Philox4x32-10: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, SC '11, doi:10.1145/2063384.2063405.
inline DEVICE Words philox4x32(Words w, uint key0, uint key1) {
    for (int round = 0; round < 10; ++round) {
        const mm_ulong product0 = (mm_ulong) w.a*0xD2511F53u, product1 = (mm_ulong) w.c*0xCD9E8D57u;
        w.a = (uint) (product1 >> 32) ^ w.b ^ key0;
        w.b = (uint) product1;
        w.c = (uint) (product0 >> 32) ^ w.d ^ key1;
        w.d = (uint) product0;
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    return w;
}

inline DEVICE Words random_words(mm_ulong seed, uint stream, mm_ulong draw, uint index) {
    Words words;
    words.a = index;
    words.b = (uint) draw;
    words.c = (uint) (draw >> 32);
    words.d = stream;
    return philox4x32(words, (uint) seed, (uint) (seed >> 32));
}

// In the open interval (0, 1).
inline DEVICE real uniform_number(uint word) { return ((real) word + (real) 0.5)*(real) 2.3283064365386963e-10; }

// The upper two bits choose the quarter turn, the others an angle within 45 degrees of it.
inline DEVICE real2 direction(uint word) {
    const real fraction = ((real) (word & 0x3FFFFFFFu) + (real) 0.5)*(real) 2.3283064365386963e-10 - (real) 0.125;
    const real sine = sinpi(2*fraction), cosine = cospi(2*fraction), sign = (word >> 31) != 0 ? -1 : 1;
    return ((word >> 30) & 1) != 0 ? make_real2(sign*sine, sign*cosine) : make_real2(sign*cosine, sign*sine);
}

// Called, not inlined: kernels draw for several particles in a row, and text that runs once waits for its instructions.
DEVICE CALLED real3 normals(mm_ulong seed, uint stream, mm_ulong draw, uint index) {
    const Words words = random_words(seed, stream, draw, index);
    const real2 first = direction(words.b), second = direction(words.d);
    const real radius1 = sqrt(-2*log(uniform_number(words.a))), radius2 = sqrt(-2*log(uniform_number(words.c)));
    return make_real3(radius1*first.x, radius1*first.y, radius2*second.x);
}
)";

/// The functions uniform and gaussian of per-DOF formulas. Requires `noise`.
inline constexpr char const* component_noise = R"(
inline DEVICE coordinate uniform_coordinate(uint word) {
    if (sizeof(coordinate) == sizeof(float)) word = (word & 0xFFFFFF00u) | 0x80u;  // more digits would round up to 1
    return ((coordinate) word + (coordinate) 0.5)*(coordinate) 2.3283064365386963e-10;
}
inline DEVICE coordinate3 uniforms(mm_ulong seed, uint stream, mm_ulong draw, uint index) {
    const Words words = random_words(seed, stream, draw, index);
    return make_coordinate3(uniform_coordinate(words.a), uniform_coordinate(words.b), uniform_coordinate(words.c));
}
inline DEVICE coordinate3 gaussians(mm_ulong seed, uint stream, mm_ulong draw, uint index) {
    const real3 numbers = normals(seed, stream, draw, index);
    return make_coordinate3(numbers.x, numbers.y, numbers.z);
}
)";

}  // namespace trotter::kernels
