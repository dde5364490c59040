// SPDX-License-Identifier: MIT
#include "app/modeller/place_hydrogens.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/cell_grid.hpp"
#include "app/modeller/hydrogen_directions.hpp"

namespace trotter::app {
namespace {

constexpr double reach = 0.3;                               // of the score around a hydrogen [nm]
constexpr double longest_bond = 0.145;                      // to a hydrogen [nm]
constexpr double largest_range = reach + 2 * longest_bond;  // from an atom with hydrogens to another
constexpr double closest = 0.11;  // two atoms that are closer clash, if they are not bonded [nm]

/// What the score needs to know of an atom.
struct Kind {
    double charge = 0;    // typical of its element and its bonds [e]
    double distance = 0;  // at which its repulsion of a hydrogen without charge is 1 kJ/mol [nm]
};

/// An atom near the hydrogens of another.
struct Neighbor {
    Vec3<> position;         // [nm]
    double square_distance;  // of its repulsion [nm²]
    double charge;           // [e]
};

/// Places the hydrogens of one structure.
class HydrogenPlacer {
public:
    HydrogenPlacer(Structure& structure, std::vector<bool> const& is_new)
        : structure_(structure),
          is_new_(is_new),
          old_atoms_(atoms_that_are(is_new, false)),
          grid_(places_of_old_atoms(), largest_range, {}) {
        int const count = structure.topology.atom_count();
        kinds_.reserve(static_cast<std::size_t>(count));
        for (int atom = 0; atom < count; ++atom) kinds_.push_back(kind_of(atom));
        for (int const atom : old_atoms_)
            if (!hydrogens_of(atom).empty()) parents_.push_back(atom);
    }

    void place() {
        std::vector<int> can_be_turned;
        for (int const parent : parents_) {
            auto const choices = hydrogen_directions(around_, parent);
            if (choices.size() > 1 || choices[0].size() < hydrogens_of(parent).size())
                can_be_turned.push_back(parent);
            else
                put(parent, choices[0]);
        }
        // The first sweep sees what is fixed and what was turned before, the second sees everything.
        for (int sweep = 0; sweep < 2; ++sweep)
            for (int const parent : can_be_turned) turn(parent);
        bool has_moved = true;
        for (int sweep = 0; sweep < 3 && has_moved; ++sweep) {
            has_moved = false;
            for (int const parent : parents_) has_moved = part_clashing(parent) || has_moved;
        }
    }

private:
    static std::vector<int> atoms_that_are(std::vector<bool> const& is_new, bool value) {
        std::vector<int> found;
        for (std::size_t atom = 0; atom < is_new.size(); ++atom)
            if (is_new[atom] == value) found.push_back(static_cast<int>(atom));
        return found;
    }

    std::vector<Vec3<>> places_of_old_atoms() const {
        std::vector<Vec3<>> places;
        for (int const atom : old_atoms_) places.push_back(structure_.positions[static_cast<std::size_t>(atom)]);
        return places;
    }

    std::vector<int> hydrogens_of(int parent) const {
        std::vector<int> found;
        for (int const other : bonded_[static_cast<std::size_t>(parent)])
            if (is_new_[static_cast<std::size_t>(other)]) found.push_back(other);
        return found;
    }

    /// Rough charges and sizes, enough to tell a hydrogen bond from a clash.
    Kind kind_of(int atom) const {
        auto const symbol = around_.symbol(atom);
        auto const& others = bonded_[static_cast<std::size_t>(atom)];
        bool const is_ion = others.empty() && symbol != "O" && symbol != "N";
        if (symbol.empty()) return {};
        if (symbol == "H") {
            auto const at = others.empty() ? std::string_view{} : around_.symbol(others[0]);
            bool const is_polar = at == "O" || at == "N";
            return {is_polar ? 0.4 : 0.05, 0.17};
        }
        if (symbol == "O") return {-0.6, 0.21};
        if (symbol == "N") return {others.size() < 3 ? -0.5 : 0., 0.22};
        if (symbol == "F" || symbol == "Cl" || symbol == "Br" || symbol == "I") return {is_ion ? -1. : -0.1, 0.23};
        if (symbol == "S") return {-0.2, 0.24};
        return {is_ion ? 1. : 0.1, 0.23};
    }

    /// The other atoms with a place that may be within a distance of a hydrogen of this one.
    std::vector<int> atoms_near(int parent, double distance) const {
        std::vector<int> near;
        grid_.any_within(around_.position(parent), distance + 2 * longest_bond, [&](int index, double from_parent) {
            int const other = old_atoms_[static_cast<std::size_t>(index)];
            if (other != parent && from_parent <= distance + longest_bond) near.push_back(other);
            for (int const hydrogen : bonded_[static_cast<std::size_t>(other)])
                if (is_placed_[static_cast<std::size_t>(hydrogen)]) near.push_back(hydrogen);
            return false;
        });
        return near;
    }

    /// What surrounds the hydrogens of an atom when they are turned: all but what is bonded to the atom, too, whose
    /// distances do not change.
    std::vector<Neighbor> neighbors_of_hydrogens(int parent) const {
        auto const& siblings = bonded_[static_cast<std::size_t>(parent)];
        auto const symbol = around_.symbol(parent);
        bool const is_polar = symbol == "O" || symbol == "N";
        std::vector<Neighbor> neighbors;
        for (int const other : atoms_near(parent, reach)) {
            if (std::find(siblings.begin(), siblings.end(), other) != siblings.end()) continue;
            auto const& kind = kinds_[static_cast<std::size_t>(other)];
            double const distance = is_polar && kind.charge < -0.3 ? kind.distance - 0.05 : kind.distance;
            neighbors.push_back({around_.position(other), distance * distance, kind.charge});
        }
        return neighbors;
    }

    /// Energy of a hydrogen with this charge at a place [kJ/mol].
    static double score(std::vector<Neighbor> const& neighbors, double charge, Vec3<> const& place) {
        constexpr double coulomb = 138.935;  // 1/(4 pi eps0) [kJ/mol nm/e²]
        double sum = 0;
        for (auto const& neighbor : neighbors) {
            Vec3<> const difference = neighbor.position - place;
            double const square = std::max(4e-4, dot(difference, difference));
            if (square > reach * reach) continue;
            double const ratio = neighbor.square_distance / square, ratio3 = ratio * ratio * ratio;
            sum += ratio3 * ratio3 + coulomb * charge * neighbor.charge * (1 / std::sqrt(square) - 1 / reach);
        }
        return sum;
    }

    Vec3<> place_of(int parent, Vec3<> const& direction) const {
        return around_.position(parent) + direction * length_of_bond_to_hydrogen(around_.symbol(parent));
    }

    void put(int parent, Directions const& directions) {
        auto const hydrogens = hydrogens_of(parent);
        for (std::size_t n = 0; n < hydrogens.size() && n < directions.size(); ++n) {
            structure_.positions[static_cast<std::size_t>(hydrogens[n])] = place_of(parent, directions[n]);
            is_placed_[static_cast<std::size_t>(hydrogens[n])] = true;
        }
    }

    /// Chooses the directions of all hydrogens of an atom by their score.
    void turn(int parent) {
        auto const hydrogens = hydrogens_of(parent);
        auto const neighbors = neighbors_of_hydrogens(parent);
        double const charge = kinds_[static_cast<std::size_t>(hydrogens[0])].charge;
        Directions chosen;
        while (chosen.size() < hydrogens.size()) {
            Directions best;
            double lowest = std::numeric_limits<double>::infinity();
            for (auto& choice : hydrogen_directions(around_, parent, chosen)) {
                double sum = 0;
                for (auto const& direction : choice) sum += score(neighbors, charge, place_of(parent, direction));
                if (best.empty() || sum < lowest - 1e-9) {
                    lowest = sum;
                    best = std::move(choice);
                }
            }
            best.resize(std::min(best.size(), hydrogens.size() - chosen.size()));
            chosen.insert(chosen.end(), best.begin(), best.end());
        }
        put(parent, chosen);
    }

    double distance_of_nearest(std::vector<int> const& near, int hydrogen, Vec3<> const& place) const {
        double nearest = closest;
        for (int const other : near)
            if (other != hydrogen) nearest = std::min(nearest, norm(around_.position(other) - place));
        return nearest;
    }

    /// Moves hydrogens that come too close to another atom to the nearest direction where they do not, or else to where
    /// they are farthest from all. Returns whether there was one.
    bool part_clashing(int parent) {
        auto const near = atoms_near(parent, closest);
        bool has_moved = false;
        for (int const hydrogen : hydrogens_of(parent)) {
            auto& place = structure_.positions[static_cast<std::size_t>(hydrogen)];
            double farthest = distance_of_nearest(near, hydrogen, place);
            if (farthest >= closest) continue;
            Vec3<> best = place;
            double smallest_move = std::numeric_limits<double>::infinity();
            for (auto const& direction : even_directions(400)) {
                Vec3<> const other = place_of(parent, direction);
                double const distance = distance_of_nearest(near, hydrogen, other), move = norm(other - place);
                if (distance > farthest || (distance == farthest && move < smallest_move)) {
                    farthest = distance;
                    smallest_move = move;
                    best = other;
                }
            }
            place = best;
            has_moved = true;
        }
        return has_moved;
    }

    Structure& structure_;
    std::vector<bool> const& is_new_;
    std::vector<std::vector<int>> bonded_ = structure_.topology.bonded_atoms();
    Surroundings around_{structure_, is_new_, bonded_};
    std::vector<int> old_atoms_;
    CellGrid grid_;  // of them
    std::vector<bool> is_placed_ = std::vector<bool>(is_new_.size());
    std::vector<Kind> kinds_;
    std::vector<int> parents_;  // atoms with new hydrogens
};

}  // namespace

void place_hydrogens(Structure& structure, std::vector<bool> const& is_new) {
    if (std::find(is_new.begin(), is_new.end(), true) != is_new.end()) HydrogenPlacer(structure, is_new).place();
}

}  // namespace trotter::app
