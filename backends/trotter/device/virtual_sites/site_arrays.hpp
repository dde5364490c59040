// Virtual sites as the kernels of a device see them.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/core/particles.hpp>

namespace trotter::device {

/// All sites of a System, in levels: those of the first depend on no others, and so on. Those of one level are a
/// launch. The sites must not depend on each other in a circle.
struct SiteArrays {
    explicit SiteArrays(Particles const& particles);

    /// For each level and kind of sites: its first work-item, its number of sites, and where its particles and numbers
    /// begin.
    std::vector<std::int32_t> ranges;
    std::size_t ranges_per_level = 0;
    std::vector<std::int32_t> particles;
    std::vector<double> fields;
    std::vector<std::int32_t> items;  ///< of each level
    std::string text;                 ///< of the kernels `place_sites` and `distribute_forces`
};

}  // namespace trotter::device
