// Andersen collisions of particles with a heat bath.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Requires `noise`. `leaders` has for each particle the first one of its constrained cluster: these collide together.
/// `numbers` holds kT [kJ/mol], the collision frequency [1/ps] and the time since the last collisions [ps]. The counter
/// holds the number of previous steps.
inline constexpr char const* collisions = R"(
KERNEL void collide(GLOBAL mixed4* RESTRICT velocities, GLOBAL const int* RESTRICT leaders,
                    GLOBAL const coordinate* RESTRICT numbers, GLOBAL const mm_ulong* RESTRICT counter, mm_ulong seed,
                    uint stream) {
    const mm_ulong decision = 2*counter[0];
    const coordinate kT = numbers[0], probability = -expm1(-numbers[1]*numbers[2]);
    for (int i = GLOBAL_ID; i < NUM_ATOMS; i += GLOBAL_SIZE) {
        const mixed inverse_mass = velocities[i].w;
        const uint word = random_words(seed, stream, decision, (uint) leaders[i]).a;
        const coordinate decided = ((coordinate) word + (coordinate) 0.5)*(coordinate) 2.3283064365386963e-10;
        if (inverse_mass == 0 || decided >= probability) continue;
        const real3 normal = normals(seed, stream, decision + 1, (uint) i);
        const mixed spread = (mixed) sqrt(kT*inverse_mass);
        velocities[i] = make_mixed4(spread*normal.x, spread*normal.y, spread*normal.z, inverse_mass);
    }
}
)";

}  // namespace trotter::kernels
