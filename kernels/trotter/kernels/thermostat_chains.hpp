// Kinetic energies for Nosé-Hoover thermostats, and propagation of their chains.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Thermostat b acts on particles[ranges[b]] to particles[ranges[b + 1] - 1]. `sums` receives Σ m v² [kJ/mol] of
/// `parts` work-groups of 64 for each thermostat. The kernel that propagates the chains, with a work-group of 64 per
/// thermostat, is to be continued by lines that store `scale`.
inline constexpr char const* thermostat_chains = R"(
KERNEL void sum_thermostats(GLOBAL const mixed4* RESTRICT velocities, GLOBAL const int* RESTRICT particles,
                      GLOBAL const int* RESTRICT ranges, GLOBAL coordinate* RESTRICT sums, int parts) {
    LOCAL coordinate scratch[64];
    const int thermostat = GROUP_ID/parts, part = GROUP_ID - thermostat*parts, end = ranges[thermostat + 1];
    coordinate sum = 0;
    for (int n = ranges[thermostat] + 64*part + LOCAL_ID; n < end; n += 64*parts) {
        const mixed4 v = velocities[particles[n]];
        sum += ((coordinate) v.x*v.x + (coordinate) v.y*v.y + (coordinate) v.z*v.z)/v.w;
    }
    if (LOCAL_ID == 0) sums[GROUP_ID] = 0;
    SYNC_THREADS
    add_group_sum(sum, scratch, sums);
}

// `settings` of a thermostat: kT, target and masses of its chain, repeats per step, number of shares, rest limit, shares.
KERNEL void propagate_chains(GLOBAL const coordinate* RESTRICT sums, int parts, GLOBAL coordinate* RESTRICT totals,
                             GLOBAL const coordinate* RESTRICT all_settings, GLOBAL coordinate* RESTRICT beads,
                             GLOBAL coordinate* RESTRICT numbers, int first_scale) {
    LOCAL coordinate scratch[64];
    add_parts(sums, parts, scratch, totals);
    if (LOCAL_ID != 0) return;
    const coordinate twice_energy = totals[GROUP_ID], time_step = numbers[0];
    GLOBAL const coordinate* settings = all_settings + SETTINGS_OF_THERMOSTAT*GROUP_ID;
    const coordinate kT = settings[0], target = settings[1], first_mass = settings[2], mass = settings[3];
    const int repeats = (int) settings[4], shares = (int) settings[5];
    const bool is_at_rest = twice_energy < settings[6] || target <= 0;
    coordinate scale = 1;
)";

}  // namespace trotter::kernels
