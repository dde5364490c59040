// Virtual sites on the device: they are placed, and their forces handed on, without the host.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <trotter/device/array.hpp>
#include <trotter/device/integration/site_text.hpp>
#include <trotter/device/launch.hpp>
#include <trotter/particles.hpp>

namespace trotter::device {

/// How many sites each particle stands behind: 0 where it is none, 1 where its parents are none, and so on.
/// The sites must not depend on each other in a circle.
inline std::vector<std::size_t> site_depths(Particles const& particles) {
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

/// All sites of a System. Those of one depth are a launch.
template <DeviceQueue Q> class VirtualSites {
public:
    explicit VirtualSites(Particles const& particles) {
        auto const depths = site_depths(particles);
        for (auto const& [particle, site] : particles.virtual_sites) {
            std::size_t const level = depths[static_cast<std::size_t>(particle)] - 1;
            if (levels_.size() <= level) levels_.resize(level + 1);
            levels_[level][SiteKind(site)].emplace_back(particle, site);
            kinds_.try_emplace(SiteKind(site), site);
        }
    }
    bool empty() const { return levels_.empty(); }

    /// Puts every site where it belongs, those first that others depend on.
    template <class Engine> void place(Engine& engine) {
        prepare(engine);
        for (std::size_t level = 0; level < levels_.size(); ++level) launch_level(engine, place_, level);
    }
    /// Adds the force on each site to those on the particles that it depends on. The sites' own forces stay.
    template <class Engine> void distribute_forces(Engine& engine) {
        prepare(engine);
        for (std::size_t level = levels_.size(); level-- > 0;) launch_level(engine, distribute_, level);
    }

private:
    using Sites = std::vector<std::pair<int, VirtualSite>>;
    static constexpr std::size_t numbers_per_range = 4;

    template <class Engine> void launch_level(Engine& engine, typename Q::Kernel& kernel, std::size_t level) {
        std::int32_t const ranges = static_cast<std::int32_t>(level * kinds_.size() * numbers_per_range),
                           items = items_[level];
        launch(engine.queue, kernel, groups_for(engine.queue.facts(), static_cast<std::size_t>(items)),
               engine.positions, engine.forces, engine.box, particles_, fields_, ranges_, ranges, items);
    }

    template <class Engine> void prepare(Engine& engine) {
        if (empty() || std::exchange(is_prepared_, true)) return;
        layout(engine);
        auto program = engine.compile(text());
        place_ = program.kernel("place_sites");
        distribute_ = program.kernel("distribute_forces");
    }

    // For each level and kind: its first work-item, its number of sites, and where its particles and numbers begin.
    // Kinds begin at multiples of 32, so that work-items in step do one kind of work.
    template <class Engine> void layout(Engine& engine) {
        std::vector<std::int32_t> ranges, particles;
        std::vector<double> fields;
        for (auto const& level : levels_) {
            std::size_t items = 0;
            for (auto const& [kind, example] : kinds_) {
                Sites const none;
                Sites const& sites = level.contains(kind) ? level.at(kind) : none;
                for (std::size_t const n : {items, sites.size(), particles.size(), fields.size()})
                    ranges.push_back(static_cast<std::int32_t>(n));
                items += (sites.size() + 31) / 32 * 32;
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
            items_.push_back(static_cast<std::int32_t>(items));
        }
        particles_ = Array<Q, std::int32_t>(engine.queue, particles);
        ranges_ = Array<Q, std::int32_t>(engine.queue, ranges);
        fields_ = NumberArray<Q>(engine.queue, fields, engine.types.coordinate_is_double);
    }
    // The first numbers of all rows, then the second ones, …
    template <class T, class RowOf>
    static void append_transposed(std::vector<T>& to, Sites const& sites, RowOf const& row_of) {
        std::size_t const begin = to.size();
        for (std::size_t n = 0; n < sites.size(); ++n) {
            auto const row =
                std::visit([&](auto const& site) { return row_of(sites[n].first, site); }, sites[n].second);
            to.resize(begin + sites.size() * row.size());
            for (std::size_t k = 0; k < row.size(); ++k) to[begin + k * sites.size() + n] = row[k];
        }
    }

    std::string text() const {
        std::string place, distribute;
        for (std::size_t k = 0; auto const& [kind, example] : kinds_) {
            std::string const
                n = std::to_string(numbers_per_range * k++),
                begin = "{ const int index = item - ranges[" + n + "], count = ranges[" + n + " + 1];\n"
                        + "if (index >= 0 && index < count) {\nGLOBAL const int* particles = all_particles + ranges["
                        + n + " + 2];\n#define FIELD(n) fields[ranges[" + n
                        + " + 3] + (n)*count + index]\nconst int site = particles[index];\n",
                end = "#undef FIELD\n}}\n";
            place += begin + place_text(example) + end;
            distribute += begin + distribute_text(example) + end;
        }
        return kernel_text("place_sites", place) + kernel_text("distribute_forces", distribute);
    }
    static std::string kernel_text(std::string const& name, std::string const& cases) {
        return "KERNEL void " + name
               + "(GLOBAL coordinate4* RESTRICT positions, GLOBAL mm_ulong* RESTRICT forces, "
                 "GLOBAL const coordinate4* RESTRICT box, "
                 "GLOBAL const int* RESTRICT all_particles, GLOBAL const coordinate* RESTRICT fields, "
                 "GLOBAL const int* RESTRICT all_ranges, int first_range, int items) {\n"
                 "GLOBAL const int* ranges = all_ranges + first_range;\n"
                 "for (int item = GLOBAL_ID; item < items; item += GLOBAL_SIZE) {\n"
               + cases + "}\n}\n";
    }

    std::vector<std::map<SiteKind, Sites>> levels_;
    std::map<SiteKind, VirtualSite> kinds_;
    bool is_prepared_ = false;
    std::vector<std::int32_t> items_;  // of each level
    Array<Q, std::int32_t> particles_, ranges_;
    NumberArray<Q> fields_;
    typename Q::Kernel place_, distribute_;
};

}  // namespace trotter::device
