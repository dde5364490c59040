// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <map>

#include <trotter/app/structure/standard_bonds.hpp>

namespace trotter::app {
namespace {

constexpr double longest = 0.3;  // nm

/// The sulfur of a cysteine without hydrogen on it; nothing for other residues.
std::optional<int> bare_sulfur(Topology const& topology, Residue const& residue) {
    if (residue.name != "CYS") return {};
    std::optional<int> sulfur;
    for (int i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
        auto const& name = topology.atoms[static_cast<std::size_t>(i)].name;
        if (name == "HG") return {};
        if (name == "SG" && !sulfur) sulfur = i;
    }
    return sulfur;
}

/// Sulfurs that may still be bonded, in cells as wide as the longest bond. Those in it are farther apart than that, as
/// nearer ones are bonded and taken out: a cell holds few.
class FreeSulfurs {
public:
    explicit FreeSulfurs(std::vector<Vec3<>> const& positions) : positions_(positions) {}

    void add(int atom) { cells_[cell(at(atom))].push_back(atom); }

    /// Takes out the nearest one that is closer than a disulfide is long, the first of equally near ones.
    std::optional<int> take_nearest(int to) {
        auto const here = cell(at(to));
        std::vector<int>* nearest_cell = nullptr;
        std::size_t nearest = 0;
        double shortest = longest;
        for (double x : {-1., 0., 1.})
            for (double y : {-1., 0., 1.})
                for (double z : {-1., 0., 1.}) {
                    auto const found = cells_.find({here[0] + x, here[1] + y, here[2] + z});
                    if (found == cells_.end()) continue;
                    auto& atoms = found->second;
                    for (std::size_t i = 0; i < atoms.size(); ++i) {
                        auto const difference = at(to) - at(atoms[i]);
                        double const distance = std::sqrt(dot(difference, difference));
                        bool const is_earlier =
                            nearest_cell != nullptr && distance == shortest && atoms[i] < (*nearest_cell)[nearest];
                        if (!(distance < shortest) && !is_earlier) continue;
                        shortest = distance;
                        nearest_cell = &atoms;
                        nearest = i;
                    }
                }
        if (nearest_cell == nullptr) return {};
        int const atom = (*nearest_cell)[nearest];
        nearest_cell->erase(nearest_cell->begin() + static_cast<std::ptrdiff_t>(nearest));
        return atom;
    }

private:
    using Cell = std::array<double, 3>;
    Vec3<> const& at(int atom) const { return positions_[static_cast<std::size_t>(atom)]; }
    static Cell cell(Vec3<> const& p) {
        return {std::floor(p.x / longest), std::floor(p.y / longest), std::floor(p.z / longest)};
    }

    std::vector<Vec3<>> const& positions_;
    std::map<Cell, std::vector<int>> cells_;
};

}  // namespace

void add_disulfide_bonds(Topology& topology, std::vector<Vec3<>> const& positions) {
    std::vector<bool> is_bonded(topology.atoms.size());
    auto const is_sulfur = [&](int atom) { return topology.atoms[static_cast<std::size_t>(atom)].name == "SG"; };
    for (auto const& bond : topology.bonds)
        if (is_sulfur(bond.atom1) && is_sulfur(bond.atom2))
            is_bonded[static_cast<std::size_t>(bond.atom1)] = is_bonded[static_cast<std::size_t>(bond.atom2)] = true;
    FreeSulfurs free(positions);
    for (auto const& residue : topology.residues) {
        auto const sulfur = bare_sulfur(topology, residue);
        if (!sulfur) continue;
        if (auto const partner = free.take_nearest(*sulfur))
            topology.add_bond(*sulfur, *partner);
        else if (!is_bonded[static_cast<std::size_t>(*sulfur)])
            free.add(*sulfur);
    }
}

}  // namespace trotter::app
