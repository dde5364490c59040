// SPDX-License-Identifier: MIT
#include "app/modeller/place_hydrogens.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/cell_grid.hpp"
#include "app/modeller/hydrogen_directions.hpp"

namespace trotter::app {
namespace {

constexpr double reach = 0.35;          // of the score around a hydrogen [nm]
constexpr double longest_bond = 0.145;  // to a hydrogen [nm]
constexpr double closest = 0.11;        // two atoms that are closer clash, if they are not bonded [nm]

/// What the score needs to know of an atom.
struct Kind {
    double charge = 0;    // typical of its element and its bonds [e]
    double distance = 0;  // at which its repulsion of a hydrogen without charge is 1 kJ/mol [nm]
    bool is_polar_hydrogen = false;
};

/// Places the hydrogens of one structure.
class HydrogenPlacer {
public:
    HydrogenPlacer(Structure& structure, std::vector<bool> const& is_new)
        : structure_(structure), is_new_(is_new), grid_(structure.positions, reach + longest_bond, {}) {
        int const count = structure.topology.atom_count();
        kinds_.reserve(static_cast<std::size_t>(count));
        for (int atom = 0; atom < count; ++atom) kinds_.push_back(kind_of(atom));
        for (int atom = 0; atom < count; ++atom)
            if (!hydrogens_of(atom).empty() && !is_new[static_cast<std::size_t>(atom)]) parents_.push_back(atom);
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
        // The first sweep sees what is fixed and what was turned before, the others see everything.
        for (int sweep = 0; sweep < 3; ++sweep)
            for (int const parent : can_be_turned) turn(parent);
        for (int sweep = 0; sweep < 3; ++sweep)
            for (int const parent : parents_)
                for (int const hydrogen : hydrogens_of(parent)) part_if_clashing(parent, hydrogen);
    }

private:
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
            return {is_polar ? 0.4 : 0.05, 0.17, is_polar};
        }
        if (symbol == "O") return {-0.6, 0.21, false};
        if (symbol == "N") return {others.size() < 3 ? -0.5 : 0., 0.22, false};
        if (symbol == "F" || symbol == "Cl" || symbol == "Br" || symbol == "I")
            return {is_ion ? -1. : -0.1, 0.23, false};
        if (symbol == "S") return {-0.2, 0.24, false};
        return {is_ion ? 1. : 0.1, 0.23, false};
    }

    /// Energy of a hydrogen at a place with atoms that are not bonded to its parent [kJ/mol].
    double score(int parent, int hydrogen, Vec3<> const& place) const {
        auto const& own = kinds_[static_cast<std::size_t>(hydrogen)];
        auto const& siblings = bonded_[static_cast<std::size_t>(parent)];
        double sum = 0;
        auto const add = [&](int other) {
            if (other == parent || std::find(siblings.begin(), siblings.end(), other) != siblings.end()) return;
            double const r = std::max(0.02, norm(structure_.positions[static_cast<std::size_t>(other)] - place));
            if (r > reach) return;
            auto const& kind = kinds_[static_cast<std::size_t>(other)];
            bool const may_bond = own.is_polar_hydrogen && kind.charge < -0.3;
            double const ratio = (may_bond ? kind.distance - 0.05 : kind.distance) / r, ratio3 = ratio * ratio * ratio;
            constexpr double coulomb = 138.935;  // 1/(4 pi eps0) [kJ/mol nm/e²]
            sum += ratio3 * ratio3 * ratio3 * ratio3 + coulomb * own.charge * kind.charge * (1 / r - 1 / reach);
        };
        visit_near(place, add);
        return sum;
    }

    /// Visits the old atoms near a place, and the new hydrogens that already have one.
    template <class Visit> void visit_near(Vec3<> const& place, Visit&& visit) const {
        grid_.any_near(place, [&](int other) {
            if (is_new_[static_cast<std::size_t>(other)]) return false;
            visit(other);
            for (int const hydrogen : bonded_[static_cast<std::size_t>(other)])
                if (is_placed_[static_cast<std::size_t>(hydrogen)]) visit(hydrogen);
            return false;
        });
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
        Directions chosen;
        while (chosen.size() < hydrogens.size()) {
            Directions best;
            double lowest = std::numeric_limits<double>::infinity();
            for (auto& choice : hydrogen_directions(around_, parent, chosen)) {
                double sum = 0;
                for (std::size_t n = 0; n < choice.size(); ++n)
                    sum += score(parent, hydrogens[chosen.size() + n], place_of(parent, choice[n]));
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

    double distance_of_nearest(int parent, int hydrogen, Vec3<> const& place) const {
        double nearest = reach;
        visit_near(place, [&](int other) {
            if (other != parent && other != hydrogen)
                nearest = std::min(nearest, norm(structure_.positions[static_cast<std::size_t>(other)] - place));
        });
        return nearest;
    }

    /// Moves a hydrogen that comes too close to another atom to the nearest direction where it does not, or else to
    /// where it is farthest from all.
    void part_if_clashing(int parent, int hydrogen) {
        Vec3<> const place = around_.position(hydrogen);
        double farthest = distance_of_nearest(parent, hydrogen, place);
        if (farthest >= closest) return;
        static auto const directions = even_directions(400);
        Vec3<> best = place;
        double smallest_move = std::numeric_limits<double>::infinity();
        for (auto const& direction : directions) {
            Vec3<> const other = place_of(parent, direction);
            double const distance = std::min(distance_of_nearest(parent, hydrogen, other), closest);
            double const move = norm(other - place);
            if (distance > farthest || (distance == farthest && move < smallest_move)) {
                farthest = distance;
                smallest_move = move;
                best = other;
            }
        }
        structure_.positions[static_cast<std::size_t>(hydrogen)] = best;
    }

    Structure& structure_;
    std::vector<bool> const& is_new_;
    std::vector<std::vector<int>> bonded_ = structure_.topology.bonded_atoms();
    Surroundings around_{structure_, is_new_, bonded_};
    CellGrid grid_;  // of all atoms at the beginning, when new hydrogens are at their parents
    std::vector<bool> is_placed_ = std::vector<bool>(is_new_.size());
    std::vector<Kind> kinds_;
    std::vector<int> parents_;  // atoms with new hydrogens
};

}  // namespace

void place_hydrogens(Structure& structure, std::vector<bool> const& is_new) {
    if (std::find(is_new.begin(), is_new.end(), true) != is_new.end()) HydrogenPlacer(structure, is_new).place();
}

}  // namespace trotter::app
