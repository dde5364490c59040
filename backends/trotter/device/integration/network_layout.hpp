// Networks of constraints as groups of work-items see them: bundles of slots, pairs and colours.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <trotter/device/vectors.hpp>
#include <trotter/host/constraints/cluster.hpp>

namespace trotter::device {

/// For each pair of a network a colour, such that pairs of one colour share no particle: always the first that is free.
inline std::vector<std::size_t> colors_of(std::vector<TiedPair> const& network) {
    std::map<int, std::vector<bool>> taken;  // at each particle
    std::vector<std::size_t> colors;
    for (auto const& pair : network) {
        auto &first = taken[pair.particle1], &second = taken[pair.particle2];
        std::size_t color = 0;
        auto const is_taken = [&](std::vector<bool> const& at) { return color < at.size() && at[color]; };
        while (is_taken(first) || is_taken(second)) ++color;
        for (auto* at : {&first, &second}) {
            at->resize(std::max(at->size(), color + 1));
            (*at)[color] = true;
        }
        colors.push_back(color);
    }
    return colors;
}

/// All networks in bundles: small ones share one, so that a group of work-items has enough to do; each of the others
/// has its own, behind those.
struct NetworkLayout {
    static constexpr std::size_t small = 64;  ///< slots of a bundle for a small group

    std::vector<std::int32_t> slots;       ///< particles
    std::vector<mm_int2> pairs;            ///< of slots
    std::vector<double> squares;           ///< of the distances of pairs [nm²]
    std::vector<std::int32_t> color_ends;  ///< of each bundle and colour: the end of its pairs
    std::vector<std::int32_t>
        bundles;  ///< where the slots, the pairs and the colours of each begin; and the ends of all
    std::size_t small_count = 0, count = 0;

    explicit NetworkLayout(std::vector<std::vector<TiedPair>> const& networks) {
        std::vector<std::vector<TiedPair> const*> bundle;
        std::size_t particles = 0;
        auto const close = [&] {
            if (!bundle.empty()) add(bundle);
            bundle.clear();
            particles = 0;
        };
        for (auto const& network : networks) {
            std::size_t const size = particles_of(network).size();
            if (size > small) continue;
            if (particles + size > small) close();
            bundle.push_back(&network);
            particles += size;
        }
        close();
        small_count = count;
        for (auto const& network : networks)
            if (particles_of(network).size() > small) add({&network});
        begin_bundle();
    }

private:
    static std::map<int, std::size_t> particles_of(std::vector<TiedPair> const& network) {
        std::map<int, std::size_t> result;
        for (auto const& pair : network) result[pair.particle1] = result[pair.particle2] = 0;
        return result;
    }
    void begin_bundle() {
        for (std::size_t const n : {slots.size(), pairs.size(), color_ends.size()})
            bundles.push_back(static_cast<std::int32_t>(n));
    }

    void add(std::vector<std::vector<TiedPair> const*> const& networks) {
        begin_bundle();
        ++count;
        std::vector<std::vector<TiedPair>> by_color;
        std::map<int, std::size_t> slot_of;
        for (auto const* network : networks) {
            for (auto const& [particle, unused] : particles_of(*network)) {
                slot_of[particle] = slots.size();
                slots.push_back(particle);
            }
            auto const colors = colors_of(*network);
            for (std::size_t p = 0; p < colors.size(); ++p) {
                by_color.resize(std::max(by_color.size(), colors[p] + 1));
                by_color[colors[p]].push_back((*network)[p]);
            }
        }
        for (auto const& of_color : by_color) {
            for (auto const& pair : of_color) {
                pairs.push_back({static_cast<std::int32_t>(slot_of[pair.particle1]),
                                 static_cast<std::int32_t>(slot_of[pair.particle2])});
                squares.push_back(pair.distance * pair.distance);
            }
            color_ends.push_back(static_cast<std::int32_t>(pairs.size()));
        }
    }
};

}  // namespace trotter::device
