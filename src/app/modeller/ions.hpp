// How many ions a box of water needs, and where they go.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <trotter/app/element.hpp>
#include <trotter/app/modeller/add_solvent.hpp>
#include <vector>

namespace trotter::app {

/// Numbers of ions to add.
struct IonCounts {
    int neutralizing = 0;  ///< of either sign
    int pairs = 0;         ///< that make the ionic strength
    int positive = 0, negative = 0;

    int all() const { return positive + negative; }
};

/// Element of an ion such as `Na+`. Throws InputError for one that is not known for the sign.
Element positive_ion(std::string const& name);
Element negative_ion(std::string const& name);

/// The numbers for a System with this charge [e], of which `waters` may be replaced. Throws InputError if they are too
/// few.
IonCounts count_ions(double charge, int waters, AddSolventOptions const& options);

/// Chooses `count` of these places [nm] at random, any two of them more than 0.5 nm apart in the periodic box. Throws
/// InputError if there is no room for so many.
std::vector<int> choose_places_of_ions(std::vector<Vec3<>> const& places, int count, Box const& box,
                                       std::uint64_t seed);

}  // namespace trotter::app
