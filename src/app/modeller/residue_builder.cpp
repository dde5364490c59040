// SPDX-License-Identifier: MIT
#include "app/modeller/residue_builder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace trotter::app {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Axes of three places: along the first two, across in their plane, and the normal. Nothing if they are on a line.
struct Frame {
    Vec3<> origin, along, across, normal;

    static std::optional<Frame> of(Vec3<> const& a, Vec3<> const& b, Vec3<> const& c) {
        Vec3<> const along = b - a, normal = cross(along, c - a);
        double const length = norm(along), height = norm(normal);
        if (!(length > 1e-4) || !(height > 1e-4 * length)) return {};
        Vec3<> const x = along / length, z = normal / height;
        return Frame{a, x, cross(z, x), z};
    }
    Vec3<> inside(Vec3<> const& place) const {
        Vec3<> const d = place - origin;
        return {dot(d, along), dot(d, across), dot(d, normal)};
    }
    Vec3<> outside(Vec3<> const& d) const { return origin + along * d.x + across * d.y + normal * d.z; }
};

void turn(std::vector<Vec3<>>& places, IdealTorsion const& torsion, double angle) {
    Vec3<> const origin = places[at(torsion.atoms[1])];
    Vec3<> const bond = places[at(torsion.atoms[2])] - origin, axis = bond / norm(bond);
    double const cosine = std::cos(angle), sine = std::sin(angle);
    for (int const atom : torsion.beyond) {  // Rodrigues' formula
        Vec3<> const d = places[at(atom)] - origin;
        places[at(atom)] = origin + d * cosine + cross(axis, d) * sine + axis * (dot(axis, d) * (1 - cosine));
    }
}

double torsion_of(std::vector<Vec3<>> const& places, std::array<int, 4> const& atoms) {
    return torsion_angle(places[at(atoms[0])], places[at(atoms[1])], places[at(atoms[2])], places[at(atoms[3])]);
}

}  // namespace

ResidueBuilder::ResidueBuilder(IdealResidue const& ideal, std::vector<Vec3<>> places, std::vector<bool> is_known,
                               std::vector<int> wanted)
    : ideal_(ideal),
      places_(std::move(places)),
      turned_(ideal.positions),
      is_known_(std::move(is_known)),
      wanted_(std::move(wanted)) {
    for (auto const& torsion : ideal.torsions) determine(torsion);
    std::vector<double> torsions;
    for (auto const* torsion : free_) torsions.push_back(torsion->usual[0]);
    can_build_ = !built(torsions).empty();
}

/// A torsion has its value from any known atoms at the ends of a known bond; else it is free if atoms beyond it are
/// wanted, in one direction alone.
void ResidueBuilder::determine(IdealTorsion const& torsion) {
    auto const known_at = [&](int atom, int besides) {
        for (int const other : ideal_.bonded[at(atom)])
            if (other != besides && is_known_[at(other)]) return other;
        return -1;
    };
    int const b = torsion.atoms[1], c = torsion.atoms[2], a = known_at(b, c), d = known_at(c, b);
    if (is_known_[at(b)] && is_known_[at(c)] && a >= 0 && d >= 0) {
        std::array<int, 4> const atoms{a, b, c, d};
        return turn(turned_, torsion, torsion_of(places_, atoms) - torsion_of(turned_, atoms));
    }
    auto const is_wanted = [&](int atom) { return std::find(wanted_.begin(), wanted_.end(), atom) != wanted_.end(); };
    bool const is_reverse = std::any_of(free_.begin(), free_.end(), [&](auto const* other) {
        return other->atoms[1] == torsion.atoms[2] && other->atoms[2] == torsion.atoms[1];
    });
    if (!is_reverse && std::any_of(torsion.beyond.begin(), torsion.beyond.end(), is_wanted)) free_.push_back(&torsion);
}

/// By two atoms around the one that it is bonded to, or else by a torsion.
bool ResidueBuilder::place(int atom, std::vector<Vec3<>> const& ideal, std::vector<Vec3<>>& places,
                           std::vector<bool> const& is_placed) const {
    auto const try_frame = [&](int a, int b, int c) {
        if (!is_placed[at(a)] || !is_placed[at(b)] || !is_placed[at(c)]) return false;
        if (atom == b || atom == c || a == c || b == c) return false;
        auto const from = Frame::of(ideal[at(a)], ideal[at(b)], ideal[at(c)]),
                   to = Frame::of(places[at(a)], places[at(b)], places[at(c)]);
        if (!from || !to) return false;
        places[at(atom)] = to->outside(from->inside(ideal[at(atom)]));
        return true;
    };
    auto const& bonded = ideal_.bonded;
    for (bool const around : {true, false})
        for (int const a : bonded[at(atom)])
            for (int const b : bonded[at(a)])
                for (int const c : bonded[at(around ? a : b)])
                    if (try_frame(a, b, c)) return true;
    return false;
}

/// Empty if an atom cannot be placed.
std::vector<Vec3<>> ResidueBuilder::built(std::vector<double> const& torsions) const {
    auto ideal = turned_;
    for (std::size_t n = 0; n < free_.size(); ++n)
        turn(ideal, *free_[n], torsions[n] - torsion_of(ideal, free_[n]->atoms));
    auto places = places_;
    auto is_placed = is_known_;
    auto waiting = wanted_;
    while (!waiting.empty()) {
        auto const count = waiting.size();
        std::erase_if(waiting, [&](int atom) {
            if (!place(atom, ideal, places, is_placed)) return false;
            is_placed[at(atom)] = true;
            return true;
        });
        if (waiting.size() == count) return {};
    }
    return places;
}

std::vector<double> ResidueBuilder::usual_torsions(std::vector<std::size_t> const& choice) const {
    std::vector<double> torsions;
    for (std::size_t n = 0; n < free_.size(); ++n) torsions.push_back(free_[n]->usual[choice[n]]);
    return torsions;
}

std::vector<Vec3<>> ResidueBuilder::best(std::function<double(std::vector<Vec3<>> const&)> const& score,
                                         double acceptable) const {
    constexpr double preference = 2e-4;  // for each place in the list of usual values [nm², as overlaps]
    std::vector<std::size_t> choice(free_.size());
    std::vector<double> torsions = usual_torsions(choice);
    auto places = built(torsions);
    double lowest = score(places);
    auto const consider = [&](std::vector<double> const& tried, double penalty) {
        auto candidate = built(tried);
        double const value = score(candidate) + penalty;
        if (!(value < lowest - 1e-12)) return;
        lowest = value;
        torsions = tried;
        places = std::move(candidate);
    };
    for (std::size_t n = 0; n < free_.size();) {  // counts through all choices
        if (++choice[n] == free_[n]->usual.size()) {
            choice[n++] = 0;
            continue;
        }
        n = 0;
        std::size_t rank = 0;
        for (auto const index : choice) rank += index;
        consider(usual_torsions(choice), preference * static_cast<double>(rank));
    }
    constexpr int steps = 36;
    for (int sweep = 0; sweep < 3 && lowest > acceptable; ++sweep)
        for (std::size_t n = 0; n < free_.size(); ++n)
            for (int step = 1; step < steps; ++step) {
                auto tried = torsions;
                tried[n] += step * 2 * std::numbers::pi / steps;
                consider(tried, 0);
            }
    return places;
}

}  // namespace trotter::app
