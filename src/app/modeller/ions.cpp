// SPDX-License-Identifier: MIT
#include "app/modeller/ions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <trotter/base/random.hpp>
#include <trotter/error.hpp>

#include "app/cell_grid.hpp"

namespace trotter::app {
namespace {

constexpr double distance_of_ions = 0.5;    // [nm], as in OpenMM's Modeller, which does not look at images
constexpr double molarity_of_water = 55.4;  // [mol/l], as in OpenMM's Modeller
constexpr std::uint32_t stream_of_ions = 0x30000;

Element ion(std::string const& name, char sign, std::initializer_list<std::string_view> symbols) {
    std::string known;
    for (auto const symbol : symbols) {
        auto const ion_name = std::string(symbol) + sign;
        if (ion_name == name) return *Element::from_symbol(symbol);
        known += (known.empty() ? "" : ", ") + ion_name;
    }
    throw InputError("add_solvent: " + name + " is no " + (sign == '+' ? "positive" : "negative")
                     + " ion that can be added; known are " + known);
}

// A random order of the indices below `count`, another one for each attempt.
std::vector<int> random_order(int count, std::uint64_t seed, int attempt) {
    RandomStream const random{seed, stream_of_ions};
    std::vector<std::uint64_t> keys;
    for (int n = 0; n < count; ++n) {
        auto const bits = random.bits(static_cast<std::uint64_t>(attempt), static_cast<std::uint32_t>(n));
        keys.push_back(std::uint64_t{bits[0]} << 32 | bits[1]);
    }
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
    });
    return order;
}

// Takes one place after another in a random order if it is far from all that were taken.
std::vector<int> attempt_to_choose(CellGrid const& grid, std::vector<Vec3<>> const& places, int count,
                                   std::vector<int> const& order) {
    std::vector<int> chosen;
    std::vector<bool> is_chosen(places.size());
    for (int const index : order) {
        if (static_cast<int>(chosen.size()) == count) break;
        auto const& place = places[static_cast<std::size_t>(index)];
        bool const is_close = grid.any_within(
            place, distance_of_ions, [&](int other, double) { return is_chosen[static_cast<std::size_t>(other)]; });
        if (is_close) continue;
        is_chosen[static_cast<std::size_t>(index)] = true;
        chosen.push_back(index);
    }
    return chosen;
}

}  // namespace

Element positive_ion(std::string const& name) { return ion(name, '+', {"Cs", "K", "Li", "Na", "Rb"}); }
Element negative_ion(std::string const& name) { return ion(name, '-', {"Br", "Cl", "F", "I"}); }

IonCounts count_ions(double charge, int waters, AddSolventOptions const& options) {
    IonCounts counts;
    double const rounded = std::floor(0.5 + charge);
    if (options.neutralize) {
        if (!(std::abs(rounded) <= waters))
            throw InputError("add_solvent: a charge of " + std::to_string(std::llround(rounded))
                             + " e cannot be neutralized, as only " + std::to_string(waters)
                             + " waters were added that ions could replace");
        counts.neutralizing = static_cast<int>(std::abs(rounded));
        (rounded > 0 ? counts.negative : counts.positive) = counts.neutralizing;
    }
    double const pairs = std::floor((waters - counts.neutralizing) * options.ionic_strength / molarity_of_water + 0.5);
    if (counts.neutralizing + 2 * pairs > waters)
        throw InputError("add_solvent: an ionic strength of " + std::to_string(options.ionic_strength)
                         + " mol/l needs more ions than the " + std::to_string(waters)
                         + " waters that they could replace");
    counts.pairs = static_cast<int>(pairs);
    counts.positive += counts.pairs;
    counts.negative += counts.pairs;
    return counts;
}

std::vector<int> choose_places_of_ions(std::vector<Vec3<>> const& places, int count, Box const& box,
                                       std::uint64_t seed) {
    CellGrid const grid(places, distance_of_ions, box);
    std::size_t most = 0;
    for (int attempt = 0; attempt < 10; ++attempt) {
        auto chosen =
            attempt_to_choose(grid, places, count, random_order(static_cast<int>(places.size()), seed, attempt));
        if (static_cast<int>(chosen.size()) == count) return chosen;
        most = std::max(most, chosen.size());
    }
    throw InputError("add_solvent: there is room for only " + std::to_string(most) + " of " + std::to_string(count)
                     + " ions more than 0.5 nm apart; a larger box or fewer ions are needed");
}

}  // namespace trotter::app
