// Virtual sites in the format of the device's kernels.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/core/particles.hpp>

namespace trotter::device {

/// Parameters of the kernels.
inline constexpr char const* site_parameters =
    "GLOBAL coordinate4* RESTRICT positions, GLOBAL mm_ulong* RESTRICT forces, GLOBAL const coordinate4* RESTRICT box, "
    "GLOBAL const int* RESTRICT all_particles, GLOBAL const coordinate* RESTRICT fields, "
    "GLOBAL const int* RESTRICT all_ranges, int first_range, int items";

/// All sites of a System, by levels: those of the first depend on no others, and so on. Each level is one launch. Sites
/// must not have cyclic dependencies.
struct SiteArrays {
    explicit SiteArrays(Particles const& particles);

    /// For each level and kind of sites: first work-item, number of sites, offsets of particles and parameters.
    std::vector<std::int32_t> ranges;
    std::size_t ranges_per_level = 0;
    std::vector<std::int32_t> particles;
    std::vector<double> fields;
    std::vector<std::int32_t> items;  ///< of each level
    std::string text;                 ///< source of the kernels `place_sites` and `distribute_forces`
};

}  // namespace trotter::device
