// Exclusions in the format of the pair loops on a device.
// SPDX-License-Identifier: MIT
#include <trotter/device/pairs/exclusions.hpp>

#include <algorithm>

#include <trotter/error.hpp>

namespace trotter::device {

ExcludedPartners::ExcludedPartners(std::vector<std::vector<int>> const& exclusions, std::size_t padded) {
    for (std::size_t i = 0; i <= padded; ++i) {
        starts.push_back(static_cast<std::int32_t>(partners.size()));
        if (i < exclusions.size()) partners.insert(partners.end(), exclusions[i].begin(), exclusions[i].end());
    }
    partners.resize(std::max<std::size_t>(partners.size(), 1));
}

ExclusionWords::ExclusionWords(std::vector<std::vector<int>> const& exclusions, std::vector<std::int32_t> const& atoms,
                               std::vector<std::int32_t> const& slot_of)
    : slots(atoms.size()) {
    constexpr std::size_t most_words = std::size_t{1} << 30;  // offsets are 32-bit integers
    for (std::size_t n = 0; n < slots.size(); ++n) {
        auto const atom = static_cast<std::size_t>(atoms[n]);
        slots[n] = {0, -1, 0, atoms[n]};
        if (atom >= exclusions.size() || exclusions[atom].empty()) continue;
        auto slot_of_partner = [&](int partner) { return slot_of[static_cast<std::size_t>(partner)]; };
        auto const& partners = exclusions[atom];
        std::int32_t const first = slot_of_partner(partners.front()) / 32, last = slot_of_partner(partners.back()) / 32;
        std::size_t const begin = words.size();
        if (begin >= most_words)
            throw UnsupportedError("exclusions between particles without a cutoff reach over too many others");
        slots[n] = {first, last, static_cast<std::int32_t>(begin), atoms[n]};
        words.resize(begin + static_cast<std::size_t>(last - first) + 1);
        for (int const partner : partners) {
            std::int32_t const slot = slot_of_partner(partner);
            words[begin + static_cast<std::size_t>(slot / 32 - first)] |= 1u << (slot % 32);
        }
    }
    words.resize(std::max<std::size_t>(words.size(), 1));
}

}  // namespace trotter::device
