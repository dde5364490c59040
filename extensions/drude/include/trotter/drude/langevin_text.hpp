// Kernels of the Langevin dynamics of Drude oscillators.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::drude {

/// Requires `kernels::noise`. `members` are two for each motion: a particle and SINGLE or TETHERED, or a Drude particle
/// and its parent. `baths` are decay, time and spread of both baths, as in `Bath`. The noise is that of the host.
inline constexpr char const* langevin_text = R"(
inline DEVICE coordinate3 in_bath(coordinate3 v, coordinate3 acceleration, real3 noise, coordinate inverse_mass,
                                  GLOBAL const coordinate* RESTRICT bath) {
    const coordinate spread = bath[2]*sqrt(inverse_mass);
    return v*bath[0] + acceleration*bath[1] + make_coordinate3(spread*noise.x, spread*noise.y, spread*noise.z);
}
inline DEVICE coordinate3 velocity_of(mixed4 stored) { return make_coordinate3(stored.x, stored.y, stored.z); }
inline DEVICE mixed4 with_velocity(mixed4 stored, coordinate3 v) {
    return make_mixed4((mixed) v.x, (mixed) v.y, (mixed) v.z, stored.w);
}

KERNEL void kick_motions(GLOBAL mixed4* RESTRICT velocities, GLOBAL const mm_long* RESTRICT forces,
                         GLOBAL const int* RESTRICT members, int count, GLOBAL const coordinate* RESTRICT baths,
                         GLOBAL const mm_ulong* RESTRICT counter, mm_ulong seed, uint stream) {
    const mm_ulong draw = counter[0] - 1;
    for (int n = GLOBAL_ID; n < count; n += GLOBAL_SIZE) {
        const int i = members[2*n], j = members[2*n + 1];
        const mixed4 stored = velocities[i];
        const coordinate3 v = velocity_of(stored), a = force_on(forces, i)*(coordinate) stored.w;
        const real3 noise = normals(seed, stream, draw, i);
        if (j < 0) {
            velocities[i] = with_velocity(stored, in_bath(v, a, noise, stored.w, baths + (j == TETHERED ? 3 : 0)));
            continue;
        }
        const mixed4 stored_parent = velocities[j];
        const coordinate w = stored.w, w_parent = stored_parent.w, share = w_parent/(w + w_parent);
        const coordinate3 v_parent = velocity_of(stored_parent), a_parent = force_on(forces, j)*w_parent;
        const coordinate inverse_mass = w*share;
        const coordinate3 center = in_bath(v*share + v_parent*(1 - share), a*share + a_parent*(1 - share),
                                           normals(seed, stream, draw, j), inverse_mass, baths);
        const coordinate3 relative = in_bath(v - v_parent, a - a_parent, noise, w + w_parent, baths + 3);
        velocities[i] = with_velocity(stored, center + relative*(1 - share));
        velocities[j] = with_velocity(stored_parent, center - relative*share);
    }
}

// As drude::reflect; `wall` is its distance, kT of the relative motion, and the step size.
KERNEL void reflect_pairs(GLOBAL coordinate4* RESTRICT positions, GLOBAL mixed4* RESTRICT velocities,
                          GLOBAL const int* RESTRICT pairs, int count, GLOBAL const coordinate* RESTRICT wall,
                          GLOBAL int* RESTRICT failures) {
    const coordinate distance = wall[0], kT = wall[1], dt = wall[2];
    for (int n = GLOBAL_ID; n < count; n += GLOBAL_SIZE) {
        const int i = pairs[2*n], j = pairs[2*n + 1];
        const coordinate3 x = trimTo3(positions[i]), x_parent = trimTo3(positions[j]), difference = x - x_parent;
        const coordinate found = sqrt(dot(difference, difference)), beyond = found - distance;
        if (!(beyond > 0)) continue;
        if (beyond > distance) failures[0] = i + 1;
        const mixed4 stored = velocities[i], stored_parent = velocities[j];
        const coordinate3 v = velocity_of(stored), v_parent = velocity_of(stored_parent);
        const coordinate3 direction = difference*(1/found);
        const coordinate w = stored.w, share = w/(w + stored_parent.w), speed = dot(v - v_parent, direction);
        const coordinate back = sqrt(kT*w)*(speed < 0 ? 1 : -1);
        const coordinate time = beyond < dt*fabs(speed) ? beyond/fabs(speed) : dt;
        const coordinate3 moved = direction*(back*time - beyond), change = direction*(back - speed);
        const coordinate3 to = x + moved*share, parent_to = x_parent - moved*(1 - share);
        positions[i] = make_coordinate4(to.x, to.y, to.z, 0);
        positions[j] = make_coordinate4(parent_to.x, parent_to.y, parent_to.z, 0);
        velocities[i] = with_velocity(stored, v + change*share);
        velocities[j] = with_velocity(stored_parent, v_parent - change*(1 - share));
    }
}
)";

}  // namespace trotter::drude
