// Arranges constraint networks in batches of slots, pairs and colors.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include <trotter/device/constraints/network_layout.hpp>

namespace trotter::device {

std::vector<std::size_t> colors_of(std::vector<TiedPair> const& network) {
    std::map<int, std::vector<bool>> taken;  // colors in use at each particle
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

NetworkLayout::NetworkLayout(std::vector<std::vector<TiedPair>> const& networks) {
    std::vector<std::vector<TiedPair> const*> batch;
    std::size_t particles = 0;
    auto const close = [&] {
        if (!batch.empty()) add(batch);
        batch.clear();
        particles = 0;
    };
    for (auto const& network : networks) {
        std::size_t const size = particles_of(network).size();
        if (size > small) continue;
        if (particles + size > small) close();
        batch.push_back(&network);
        particles += size;
    }
    close();
    small_count = count;
    for (auto const& network : networks)
        if (particles_of(network).size() > small) add({&network});
    begin_batch();
}
std::map<int, std::size_t> NetworkLayout::particles_of(std::vector<TiedPair> const& network) {
    std::map<int, std::size_t> result;
    for (auto const& pair : network) result[pair.particle1] = result[pair.particle2] = 0;
    return result;
}
void NetworkLayout::begin_batch() {
    for (std::size_t const n : {slots.size(), pairs.size(), color_ends.size()})
        batches.push_back(static_cast<std::int32_t>(n));
}
void NetworkLayout::add(std::vector<std::vector<TiedPair> const*> const& networks) {
    begin_batch();
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

}  // namespace trotter::device
