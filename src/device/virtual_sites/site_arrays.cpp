// Arranges virtual sites by levels and kinds for the device's kernels.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include <trotter/device/virtual_sites/site_arrays.hpp>
#include <trotter/device/virtual_sites/site_text.hpp>

namespace trotter::device {

namespace {

using Sites = std::vector<std::pair<int, VirtualSite>>;
using Kinds = std::map<SiteKind, VirtualSite>;  // with an example of each
constexpr std::size_t numbers_per_level = 4;

/// Depth of each particle: 0 if it is no site, 1 if its parents are no sites, and so on.
std::vector<std::size_t> site_depths(Particles const& particles) {
    std::vector<std::size_t> depths(particles.masses.size());
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (auto const& [particle, site] : particles.virtual_sites) {
            std::size_t depth = 1;
            for (int const parent : parents(site))
                depth = std::max(depth, 1 + depths[static_cast<std::size_t>(parent)]);
            has_changed = has_changed || std::exchange(depths[static_cast<std::size_t>(particle)], depth) != depth;
        }
    }
    return depths;
}

// Appends the first numbers of all rows, then the second ones, …
template <class T, class RowOf> void append_transposed(std::vector<T>& to, Sites const& sites, RowOf const& row_of) {
    std::size_t const begin = to.size();
    for (std::size_t n = 0; n < sites.size(); ++n) {
        auto const row = std::visit([&](auto const& site) { return row_of(sites[n].first, site); }, sites[n].second);
        to.resize(begin + sites.size() * row.size());
        for (std::size_t k = 0; k < row.size(); ++k) to[begin + k * sites.size() + n] = row[k];
    }
}

std::string kernel_text(std::string const& name, std::string const& cases) {
    return "KERNEL void " + name + '(' + site_parameters
           + ") {\nGLOBAL const int* ranges = all_ranges + first_range;\n"
             "for (int item = GLOBAL_ID; item < items; item += GLOBAL_SIZE) {\n"
           + cases + "}\n}\n";
}
std::string text_of(Kinds const& kinds) {
    std::string place, distribute;
    for (std::size_t k = 0; auto const& [kind, example] : kinds) {
        std::string const
            n = std::to_string(numbers_per_level * k++),
            begin = "{ const int index = item - ranges[" + n + "], count = ranges[" + n + " + 1];\n"
                    + "if (index >= 0 && index < count) {\nGLOBAL const int* particles = all_particles + ranges[" + n
                    + " + 2];\n#define FIELD(n) fields[ranges[" + n
                    + " + 3] + (n)*count + index]\nconst int site = particles[index];\n",
            end = "#undef FIELD\n}}\n";
        place += begin + place_text(example) + end;
        distribute += begin + distribute_text(example) + end;
    }
    return kernel_text("place_sites", place) + kernel_text("distribute_forces", distribute);
}

}  // namespace

// Kinds begin at multiples of 32, so that the work-items of a warp do one kind of work.
SiteArrays::SiteArrays(Particles const& all) {
    std::vector<std::map<SiteKind, Sites>> levels;
    Kinds kinds;
    auto const depths = site_depths(all);
    for (auto const& [particle, site] : all.virtual_sites) {
        std::size_t const level = depths[static_cast<std::size_t>(particle)] - 1;
        if (levels.size() <= level) levels.resize(level + 1);
        levels[level][SiteKind(site)].emplace_back(particle, site);
        kinds.try_emplace(SiteKind(site), site);
    }
    for (auto const& level : levels) {
        std::size_t item = 0;
        for (auto const& [kind, example] : kinds) {
            Sites const none;
            Sites const& sites = level.contains(kind) ? level.at(kind) : none;
            for (std::size_t const n : {item, sites.size(), particles.size(), fields.size()})
                ranges.push_back(static_cast<std::int32_t>(n));
            item += (sites.size() + 31) / 32 * 32;
            append_transposed(particles, sites, [](int particle, auto const& site) {
                std::vector<std::int32_t> row{particle};
                for (std::size_t k = 0; k < parent_count(site); ++k) row.push_back(parent(site, k));
                return row;
            });
            append_transposed(fields, sites, [](int, auto const& site) {
                std::vector<double> row;
                for_each_number(site, [&](double number) { row.push_back(number); });
                return row;
            });
        }
        items.push_back(static_cast<std::int32_t>(item));
    }
    ranges_per_level = kinds.size() * numbers_per_level;
    if (!levels.empty()) text = text_of(kinds);
}

}  // namespace trotter::device
