// Parameters of CHARMM by types of atoms.
// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/app/charmm/parameters.hpp>

namespace trotter::app {
namespace charmm {

/// Minimum of a Lennard-Jones potential: half of its distance for an atom [angstrom], and its depth [kcal/mol].
struct Well {
    double rmin = 0, epsilon = 0;
};
/// Of atoms further apart, and of those three bonds apart.
struct Wells {
    Well usual, one_four;
};

/// A type of atom.
struct AtomType {
    std::string name;
    int atomic_number = 0;               ///< 0: extra particle
    std::optional<Wells> wells;          ///< of NONBONDED
    std::map<std::string, Wells> nbfix;  ///< by the other type: distances of the minimum as a whole
};

struct BondType {
    double k, length;  ///< [kcal/mol/angstrom²], [angstrom]
};
struct AngleType {
    double k, angle;                       ///< [kcal/mol/radian²], [degree]
    std::optional<BondType> urey_bradley;  ///< between the ends
};
struct DihedralType {
    double k;  ///< [kcal/mol]
    int periodicity;
    double phase;  ///< [degree]
};
struct ImproperType {
    double k, angle;  ///< [kcal/mol/radian²], [degree]
};
/// Energies [kcal/mol] from -180 degrees on, the second angle fastest.
struct MapType {
    int size;
    std::vector<double> energies;
};

/// Names of types, in the smaller of both directions.
using Key = std::vector<std::string>;
/// The key of these names.
Key key_of(Key names);
/// The key of a map: both dihedrals are turned independently.
Key map_key_of(Key const& names);

/// The entry of names, or of names of which up to three are X; nullptr if there is none.
template <class Type> Type const* find_with_wildcards(std::map<Key, Type> const& types, Key const& names) {
    auto const count = names.size();
    for (int wildcards = 0; wildcards <= 3; ++wildcards)
        // Choices of positions in lexicographic order: the first position is the highest bit.
        for (auto choice = (1U << count) - 1; choice < 1U << count; --choice) {
            if (std::popcount(choice) != wildcards) continue;
            auto key = names;
            for (std::size_t i = 0; i < count; ++i)
                if ((choice >> (count - 1 - i) & 1U) != 0) key[i] = "X";
            if (auto const found = types.find(key_of(std::move(key))); found != types.end()) return &found->second;
        }
    return nullptr;
}

}  // namespace charmm

/// What the files of a parameter set state together.
struct CharmmParameterTables {
    std::map<std::string, charmm::AtomType> atom_types;
    std::map<int, std::string> type_names;  ///< by number
    std::map<charmm::Key, charmm::BondType> bonds;
    std::map<charmm::Key, charmm::AngleType> angles;
    std::map<charmm::Key, std::vector<charmm::DihedralType>> dihedrals;
    std::map<charmm::Key, charmm::ImproperType> impropers;
    std::map<charmm::Key, charmm::MapType> maps;
    int exclusions = 5;         ///< NBXMOD
    double one_four_scale = 1;  ///< E14FAC, of charges
};

}  // namespace trotter::app
