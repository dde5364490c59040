// SPDX-License-Identifier: MIT
#include "app/modeller/protonation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <trotter/error.hpp>

namespace trotter::app {
namespace {

// Limits of hydrogen bonds, tolerant ones, as in OpenMM's Modeller.
constexpr double longest_bond = 0.35;                          // donor to acceptor [nm]
constexpr double largest_angle = 50 * std::numbers::pi / 180;  // between donor–hydrogen and hydrogen–acceptor
constexpr double highest_ph_of_hip = 6.5;

bool is_element(Atom const& atom, std::string_view symbol) { return atom.element && atom.element->symbol() == symbol; }

std::vector<int> acceptors(Topology const& topology) {
    std::vector<int> found;
    for (int index = 0; auto const& atom : topology.atoms) {
        if (is_element(atom, "O") || is_element(atom, "N")) found.push_back(index);
        ++index;
    }
    return found;
}

std::vector<Vec3<>> places(Structure const& structure, std::vector<int> const& atoms) {
    std::vector<Vec3<>> found;
    for (int const atom : atoms) found.push_back(structure.positions[static_cast<std::size_t>(atom)]);
    return found;
}

bool is_hydrogen_bond(Vec3<> const& donor, Vec3<> const& hydrogen, Vec3<> const& acceptor) {
    if (norm(donor - acceptor) > longest_bond) return false;
    Vec3<> const to_hydrogen = hydrogen - donor, to_acceptor = acceptor - hydrogen;
    double const cosine = dot(to_hydrogen, to_acceptor) / (norm(to_hydrogen) * norm(to_acceptor));
    return std::acos(std::min(cosine, 1.)) < largest_angle;
}

}  // namespace

Protonation::Protonation(Structure const& structure, std::vector<std::vector<int>> const& bonded)
    : structure_(structure),
      bonded_(bonded),
      acceptors_(acceptors(structure.topology)),
      grid_(places(structure, acceptors_), longest_bond, {}) {}

std::optional<ChosenVariant> Protonation::variant(int index, double ph) const {
    auto const& residue = structure_.topology.residues[static_cast<std::size_t>(index)];
    if (residue.name == "CYS") return cysteine(residue);
    if (residue.name != "HIS") return {};
    if (ph <= highest_ph_of_hip) return ChosenVariant{"HIP", "the pH is at most 6.5"};
    return histidine(index);
}

std::optional<ChosenVariant> Protonation::cysteine(Residue const& residue) const {
    auto const& atoms = structure_.topology.atoms;
    std::vector<int> sulfurs;
    for (int atom = residue.first_atom; atom < residue.first_atom + residue.atom_count; ++atom)
        if (is_element(atoms[static_cast<std::size_t>(atom)], "S")) sulfurs.push_back(atom);
    if (sulfurs.size() != 1) return {};
    auto const sulfur = static_cast<std::size_t>(sulfurs[0]);
    for (int const other : bonded_[sulfur])
        if (int const bound = atoms[static_cast<std::size_t>(other)].residue; bound != atoms[sulfur].residue)
            return ChosenVariant{"CYX", "its sulfur is bonded to " + structure_.topology.residue_name(bound)};
    return {};
}

ChosenVariant Protonation::histidine(int index) const {
    auto const& topology = structure_.topology;
    auto const& residue = topology.residues[static_cast<std::size_t>(index)];
    auto const only_atom = [&](std::string_view name) {
        int found = -1, count = 0;
        for (int atom = residue.first_atom; atom < residue.first_atom + residue.atom_count; ++atom)
            if (topology.atoms[static_cast<std::size_t>(atom)].name == name) ++count, found = atom;
        if (count != 1)
            throw InputError("add_hydrogens: " + topology.residue_name(index) + " has " + std::to_string(count)
                             + " atoms " + std::string(name) + ", expected 1");
        return found;
    };
    int const nd1 = only_atom("ND1"), ne2 = only_atom("NE2");
    bool const at_nd1 = has_hydrogen(nd1), at_ne2 = has_hydrogen(ne2);
    if (at_nd1 && at_ne2) return {"HIP", "it has hydrogens at both nitrogens"};
    if (at_nd1) return {"HID", "it has a hydrogen at ND1"};
    if (at_ne2) return {"HIE", "it has a hydrogen at NE2"};
    if (would_make_hydrogen_bond(nd1)) return {"HID", "a hydrogen at ND1 makes a hydrogen bond"};
    if (would_make_hydrogen_bond(ne2)) return {"HIE", "only a hydrogen at NE2 makes a hydrogen bond"};
    return {"HID", "a hydrogen at neither nitrogen would make a hydrogen bond"};
}

bool Protonation::has_hydrogen(int atom) const {
    auto const& others = bonded_[static_cast<std::size_t>(atom)];
    return std::any_of(others.begin(), others.end(), [&](int other) {
        return is_element(structure_.topology.atoms[static_cast<std::size_t>(other)], "H");
    });
}

// With the hydrogen 0.1 nm outward, to an atom of another residue.
bool Protonation::would_make_hydrogen_bond(int nitrogen) const {
    auto const index = static_cast<std::size_t>(nitrogen);
    auto const& atoms = structure_.topology.atoms;
    Vec3<> const donor = structure_.positions[index];
    Vec3<> outward;
    for (int const other : bonded_[index]) outward += donor - structure_.positions[static_cast<std::size_t>(other)];
    if (norm(outward) == 0) return false;
    Vec3<> const hydrogen = donor + outward * (0.1 / norm(outward));
    return grid_.any_near(donor, [&](int near) {
        auto const acceptor = static_cast<std::size_t>(acceptors_[static_cast<std::size_t>(near)]);
        return atoms[acceptor].residue != atoms[index].residue
               && is_hydrogen_bond(donor, hydrogen, structure_.positions[acceptor]);
    });
}

}  // namespace trotter::app
