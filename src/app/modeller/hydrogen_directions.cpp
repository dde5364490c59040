// SPDX-License-Identifier: MIT
#include "app/modeller/hydrogen_directions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trotter::app {
namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double tetrahedral = 109.4712206 * degree;

Vec3<> unit(Vec3<> const& v, Vec3<> const& otherwise) {
    double const length = norm(v);
    return length > 1e-6 ? v / length : otherwise;
}

Vec3<> any_perpendicular(Vec3<> const& axis) {
    Vec3<> const other = std::abs(axis.x) < 0.6 ? Vec3<>{1, 0, 0} : Vec3<>{0, 1, 0};
    return unit(cross(axis, other), {0, 0, 1});
}

// Directions of the bonds of an atom whose places are known.
Directions known_bonds(Surroundings const& around, int parent) {
    Directions known;
    for (int const other : around.bonded[static_cast<std::size_t>(parent)])
        if (!around.is_new[static_cast<std::size_t>(other)])
            known.push_back(unit(around.position(other) - around.position(parent), {0, 0, 1}));
    return known;
}

std::size_t count_new(Surroundings const& around, int parent) {
    auto const& others = around.bonded[static_cast<std::size_t>(parent)];
    return static_cast<std::size_t>(std::count_if(
        others.begin(), others.end(), [&](int other) { return bool(around.is_new[static_cast<std::size_t>(other)]); }));
}

// Opposite to all bonds together.
Vec3<> outward(Directions const& known) {
    Vec3<> sum;
    for (auto const& bond : known) sum += bond;
    Vec3<> const fallback =
        known.size() >= 2 ? unit(cross(known[0], known[1]), any_perpendicular(known[0])) : any_perpendicular(known[0]);
    return norm(sum) > 0.1 ? -sum / norm(sum) : fallback;
}

// Beside two bonds: in their plane, or the other two corners of a tetrahedron.
std::vector<Directions> beside_two(Directions const& known, std::size_t count, bool is_planar) {
    Vec3<> const middle = outward(known), normal = unit(cross(known[0], known[1]), any_perpendicular(known[0]));
    if (count == 1 && is_planar) return {{middle}};
    Vec3<> const along = middle * std::cos(tetrahedral / 2), across = normal * std::sin(tetrahedral / 2);
    if (count == 1) return {{along + across}, {along - across}};
    return {{along + across, along - across}};
}

// Angle of a bond to hydrogen with the only other bond of the atom.
double angle_with_one_bond(std::string_view symbol, bool is_planar, bool is_linear, bool is_water) {
    if (is_linear) return 180 * degree;
    if (is_water) return 104.52 * degree;
    if (symbol == "O") return 108.5 * degree;
    if (symbol == "S" || symbol == "Se") return 96 * degree;
    return is_planar ? 120 * degree : tetrahedral;
}

// An atom bonded to one other, about whose bond its hydrogens can be turned: `reference` has the torsion 0.
struct Rotor {
    Vec3<> axis;       // from the atom to the other
    Vec3<> reference;  // across the axis
    double angle;

    Vec3<> direction(double torsion) const {
        Vec3<> const turned = reference * std::cos(torsion) + cross(axis, reference) * std::sin(torsion);
        return axis * std::cos(angle) + turned * std::sin(angle);
    }
};

// Torsions of `count` hydrogens: in steps of 10 degrees from where they are staggered, or in the plane of the other
// atom.
std::vector<Directions> turned(Rotor const& rotor, std::size_t count, bool is_planar, bool is_staggered) {
    std::vector<Directions> found;
    if (is_planar) {
        if (count == 1) return {{rotor.direction(0)}, {rotor.direction(180 * degree)}};
        return {{rotor.direction(0), rotor.direction(180 * degree)}};
    }
    if (is_staggered && count > 1) {  // methyl and ammonium, and what lacks one of their atoms
        for (int start = 60; start < (count == 2 ? 360 : 180); start += 120) {
            Directions hydrogens;
            for (std::size_t n = 0; n < count; ++n)
                hydrogens.push_back(rotor.direction((start + 120 * static_cast<double>(n)) * degree));
            found.push_back(std::move(hydrogens));
        }
        return found;
    }
    for (int start = 0; start < (count == 3 ? 120 : 360); start += 10) {
        Directions hydrogens;
        for (std::size_t n = 0; n < count; ++n)
            hydrogens.push_back(rotor.direction((start + 120 * static_cast<double>(n)) * degree));
        found.push_back(std::move(hydrogens));
    }
    return found;
}

std::vector<Directions> beside_one(Surroundings const& around, int parent, Vec3<> const& bond, std::size_t count) {
    Rotor rotor{bond, any_perpendicular(bond), 0};
    int neighbor = -1;
    for (int const other : around.bonded[static_cast<std::size_t>(parent)])
        if (!around.is_new[static_cast<std::size_t>(other)]) neighbor = other;
    bool has_reference = false;
    if (neighbor >= 0)
        for (int const other : around.bonded[static_cast<std::size_t>(neighbor)]) {
            if (other == parent || around.is_new[static_cast<std::size_t>(other)]) continue;
            Vec3<> const reach = around.position(other) - around.position(neighbor);
            Vec3<> const across = reach - bond * dot(reach, bond);
            if (norm(across) < 1e-3) continue;  // in line with the axis
            rotor.reference = across / norm(across);
            has_reference = true;
            break;
        }
    auto const symbol = around.symbol(parent);
    auto const bonds_of = [&](int atom) { return around.bonded[static_cast<std::size_t>(atom)].size(); };
    bool const is_planar_neighbor = neighbor >= 0 && around.is_planar(neighbor);
    bool const is_planar = around.is_planar(parent) && is_planar_neighbor && has_reference;
    bool const is_linear =
        symbol == "C" && count == 1 && neighbor >= 0 && bonds_of(neighbor) == 2 && !is_planar_neighbor;
    rotor.angle = angle_with_one_bond(symbol, is_planar, is_linear, symbol == "O" && neighbor < 0);
    if (is_linear) return {{rotor.direction(0)}};
    return turned(rotor, count, is_planar, has_reference && !is_planar_neighbor);
}

}  // namespace

std::string_view Surroundings::symbol(int atom) const {
    auto const& element = structure.topology.atoms[static_cast<std::size_t>(atom)].element;
    return element ? element->symbol() : std::string_view{};
}

bool Surroundings::is_planar(int atom) const {
    auto const& others = bonded[static_cast<std::size_t>(atom)];
    if (others.size() != 3 || (symbol(atom) != "C" && symbol(atom) != "N")) return false;
    auto const is_flat = [&](int other) {  // a carbon with three bonds, or oxygen of a carbonyl
        return symbol(other) != "H" && bonded[static_cast<std::size_t>(other)].size() < 4 && symbol(other) != "O";
    };
    if (symbol(atom) == "C") {
        auto const hydrogens = std::count_if(others.begin(), others.end(), [&](int o) { return symbol(o) == "H"; });
        return hydrogens < 2 || std::any_of(others.begin(), others.end(), is_flat);
    }
    return std::any_of(others.begin(), others.end(), is_flat);
}

Directions even_directions(int count) {
    Directions found;  // points of a spiral from pole to pole
    for (int n = 0; n < count; ++n) {
        double const z = 1 - (2 * n + 1.) / count, radius = std::sqrt(1 - z * z);
        double const angle = n * std::numbers::pi * (3 - std::sqrt(5.));
        found.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
    return found;
}

std::vector<Directions> hydrogen_directions(Surroundings const& around, int parent, Directions const& oriented) {
    auto known = known_bonds(around, parent);
    known.insert(known.end(), oriented.begin(), oriented.end());
    std::size_t const count = count_new(around, parent) - oriented.size();
    std::vector<Directions> found;
    if (known.empty()) {  // one of them anywhere, to be followed by the others
        for (auto const& direction : even_directions(72)) found.push_back({direction});
    } else if (known.size() == 1) {
        found = beside_one(around, parent, known[0], count);
    } else if (known.size() == 2) {
        found = beside_two(known, count, around.is_planar(parent));
    } else {
        found = {{outward(known)}};
    }
    return found;
}

double length_of_bond_to_hydrogen(std::string_view symbol) {
    if (symbol == "N") return 0.101;
    if (symbol == "O") return 0.096;
    if (symbol == "S") return 0.1336;
    if (symbol == "P" || symbol == "Se") return 0.142;
    return 0.109;
}

}  // namespace trotter::app
