// SPDX-License-Identifier: MIT
#include <trotter/app/analysis/hydrogen_bonds.hpp>

#include <algorithm>
#include <numbers>
#include <trotter/app/analysis/geometry.hpp>
#include <trotter/error.hpp>

#include "app/cell_grid.hpp"

namespace trotter::app {
namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double largest_hydrogen_distance = 0.25, largest_donor_distance = 0.35;  // to the acceptor [nm]
constexpr double smallest_angle = 120 * degree, largest_tilt = 30 * degree;

bool is_element(Atom const& atom, int atomic_number) {
    return atom.element && atom.element->atomic_number() == atomic_number;
}
bool is_nitrogen_or_oxygen(Atom const& atom) { return is_element(atom, 7) || is_element(atom, 8); }

}  // namespace

HydrogenBonds::HydrogenBonds(std::vector<int> const& atoms, Topology const& topology, HydrogenBondCriterion criterion)
    : criterion_(criterion) {
    auto const bonded = topology.bonded_atoms();
    std::vector<bool> is_chosen(topology.atoms.size());
    for (int const atom : atoms) is_chosen[static_cast<std::size_t>(atom)] = true;
    for (int const atom : atoms) {
        if (!is_nitrogen_or_oxygen(topology.atoms[static_cast<std::size_t>(atom)])) continue;
        acceptors_.push_back(atom);
        for (int const other : bonded[static_cast<std::size_t>(atom)])
            if (is_chosen[static_cast<std::size_t>(other)] && is_element(topology.atoms[static_cast<std::size_t>(other)], 1))
                donors_.push_back({atom, other, -1});
    }
    if (acceptors_.empty()) throw InputError("the atoms have no acceptor of hydrogen bonds, expected nitrogen or oxygen");
    if (donors_.empty())
        throw InputError("the atoms have no donor of hydrogen bonds, expected hydrogen that is bonded to nitrogen or oxygen");
}

bool HydrogenBonds::is_bond(HydrogenBond const& bond, Frame const& frame) const {
    auto const at = [&](int atom) { return frame.positions[static_cast<std::size_t>(atom)]; };
    auto const donor = at(bond.donor), hydrogen = at(bond.hydrogen), acceptor = at(bond.acceptor);
    if (criterion_ == HydrogenBondCriterion::baker_hubbard)
        return distance(hydrogen, acceptor, frame.box) < largest_hydrogen_distance
               && angle(donor, hydrogen, acceptor, frame.box) > smallest_angle;
    return distance(donor, acceptor, frame.box) < largest_donor_distance
           && angle(hydrogen, donor, acceptor, frame.box) < largest_tilt;
}

std::vector<HydrogenBond> HydrogenBonds::add(Frame const& frame) {
    std::vector<Vec3<>> places;
    for (int const atom : acceptors_) places.push_back(frame.positions[static_cast<std::size_t>(atom)]);
    // By the triangle inequality the hydrogen is nearer than the donor by no more than their bond; 0.35 nm from the
    // hydrogen hold all acceptors of either criterion, as the hydrogen points to the acceptor.
    CellGrid const grid(std::move(places), largest_donor_distance, frame.box);
    std::vector<HydrogenBond> found;
    for (auto bond : donors_) {
        auto const& hydrogen = frame.positions[static_cast<std::size_t>(bond.hydrogen)];
        grid.any_within(hydrogen, largest_donor_distance, [&](int n, double) {
            bond.acceptor = acceptors_[static_cast<std::size_t>(n)];
            if (bond.acceptor != bond.donor && is_bond(bond, frame)) found.push_back(bond);
            return false;
        });
    }
    std::sort(found.begin(), found.end());
    for (auto const& bond : found) ++counts_[bond];
    ++frame_count_;
    return found;
}

}  // namespace trotter::app
