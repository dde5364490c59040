// Dihedrals and energy correction maps of a top file.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "parts.hpp"

namespace trotter::app::gromacs {
namespace {

bool matches(Key const& pattern, Key const& types) {
    for (std::size_t i = 0; i < types.size(); ++i)
        if (pattern[i] != "X" && pattern[i] != types[i]) return false;
    return true;
}

bool has_inner_wildcard(Key const& key) { return key[1] == "X" || key[2] == "X"; }

// Whether a dihedral states its parameters itself.
bool has_parameters(Line const& line) {
    auto const& function = line.words[4];
    return line.words.size() > (function == "3" ? 10U : function == "2" ? 6U : 7U);
}

}  // namespace

// The first match without X, or else the last with X; those with an X inside come after all others.
std::vector<Line> const* find_dihedral(DihedralTypes const& types, Key const& four_types, std::string const& function) {
    auto forward = four_types;
    forward.push_back(function);
    Key backward(four_types.rbegin(), four_types.rend());
    backward.push_back(function);
    std::vector<Line> const* found = nullptr;
    for (bool const inner : {false, true})
        for (auto const& [pattern, lines] : types.all) {
            if (has_inner_wildcard(pattern) != inner || (!matches(pattern, forward) && !matches(pattern, backward)))
                continue;
            found = &lines;
            if (std::find(pattern.begin(), pattern.end(), "X") == pattern.end()) return found;
        }
    return found;
}

void BondedForces::add_dihedrals(Job const& job, Molecule const& molecule) {
    for (auto const& line : molecule.type.dihedrals) {
        if (has_parameters(line)) {
            add_dihedral(molecule, line, line);
            continue;
        }
        Key types;
        for (int const atom : molecule.type.atoms_of<4>(line))
            types.push_back(molecule.bonded[static_cast<std::size_t>(atom)]);
        auto key = types;
        key.push_back(line.words[4]);
        auto const [place, is_new] = found_dihedrals_.try_emplace(std::move(key));
        if (is_new) place->second = find_dihedral(job.contents.dihedral_types, types, line.words[4]);
        auto const* const found = place->second;
        if (!found)
            refuse(
                line.where,
                fmt::format("the dihedral of atoms {} has no parameters of function {}, here or in [ dihedraltypes ]",
                            fmt::join(line.words.begin(), line.words.begin() + 4, ", "), line.words[4]));
        for (auto const& parameters : *found) add_dihedral(molecule, line, parameters);
    }
}

void BondedForces::add_dihedral(Molecule const& molecule, Line const& line, Line const& parameters) {
    auto atoms = molecule.type.atoms_of<4>(line);
    for (int& atom : atoms) atom += molecule.first;
    auto const& function = line.words[4];
    auto const value = [&](std::size_t place) { return parameters.real(5 + place, "a parameter of a dihedral"); };
    if (function == "3" || function == "5") {
        std::array<double, 6> c{};
        std::size_t const count = function == "3" ? 6 : 4;
        for (std::size_t n = 0; n < count; ++n) c[n] = value(n);
        // Fourier coefficients as powers of the cosine.
        if (function == "5")
            c = {c[1] + 0.5 * (c[0] + c[2]), 0.5 * (-c[0] + 3 * c[2]), -c[1] + 4 * c[3], -2 * c[2], -4 * c[3], 0};
        if (std::any_of(c.begin(), c.end(), [](double x) { return x != 0; }))
            ryckaert_bellemans_.torsions.push_back(
                {atoms[0], atoms[1], atoms[2], atoms[3], c[0], c[1], c[2], c[3], c[4], c[5]});
        return;
    }
    double const angle = value(0), k = value(1);
    if (k == 0) return;
    if (function == "2") {
        harmonic_.torsions.push_back(
            {atoms[0], atoms[1], atoms[2], atoms[3], {(angle > 180 ? angle - 360 : angle) * degree, k}});
        return;
    }
    double const repeats = value(2);
    if (!(repeats > -1000 && repeats < 1000))
        refuse(parameters.where, fmt::format("{} is no multiplicity of a dihedral", repeats));
    periodic_.torsions.push_back(
        {atoms[0], atoms[1], atoms[2], atoms[3], static_cast<int>(repeats), angle * degree, k});
}

void BondedForces::add_maps(Job const& job, Molecule const& molecule) {
    for (auto const& line : molecule.type.maps) {
        auto atoms = molecule.type.atoms_of<5>(line);
        Key types;
        for (int const atom : atoms) types.push_back(molecule.bonded[static_cast<std::size_t>(atom)]);
        auto found = job.contents.map_types.find(types);
        if (found == job.contents.map_types.end())
            found = job.contents.map_types.find(Key(types.rbegin(), types.rend()));
        Line const* type = found == job.contents.map_types.end() ? nullptr : &found->second;
        if (line.words.size() > 8) type = &line;
        if (!type)
            refuse(line.where, fmt::format("the map of atoms {} has no parameters, here or in [ cmaptypes ]",
                                           fmt::join(line.words.begin(), line.words.begin() + 5, ", ")));
        int const size = type->integer(6, "the size of a map");
        if (size != type->integer(7, "the size of a map"))
            refuse(type->where, "maps of unlike sizes along both angles are not supported");
        if (size < 2 || size > 1000)
            refuse(type->where, fmt::format("a map of {} points along each angle is not supported", size));
        // A map of the file begins at -180 degrees and has phi in rows; a System's begins at 0, and phi changes
        // fastest.
        auto const n = static_cast<std::size_t>(size);
        std::vector<double> energies;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                energies.push_back(type->real(8 + n * ((j + n / 2) % n) + (i + n / 2) % n, "an energy of a map"));
        auto const [index, is_new] = map_indices_.try_emplace({size, energies}, static_cast<int>(maps_.maps.size()));
        if (is_new) maps_.maps.push_back({size, std::move(energies)});
        for (int& atom : atoms) atom += molecule.first;
        maps_.torsions.push_back(
            {index->second, atoms[0], atoms[1], atoms[2], atoms[3], atoms[1], atoms[2], atoms[3], atoms[4]});
    }
}

}  // namespace trotter::app::gromacs
