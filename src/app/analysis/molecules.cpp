// SPDX-License-Identifier: MIT
#include <trotter/app/analysis/molecules.hpp>

#include <cmath>
#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>

namespace trotter::app {

Molecules::Molecules(Topology const& topology) : of_atoms_(topology.atoms.size(), -1) {
    auto const bonded = topology.bonded_atoms();
    std::vector<int> reached;
    for (int first = 0; first < topology.atom_count(); ++first) {
        if (of_atoms_[static_cast<std::size_t>(first)] >= 0) continue;
        int const molecule = count_++;
        of_atoms_[static_cast<std::size_t>(first)] = molecule;
        reached.assign(1, first);
        for (std::size_t next = 0; next < reached.size(); ++next) {
            int const nearer = reached[next];
            for (int const atom : bonded[static_cast<std::size_t>(nearer)]) {
                if (of_atoms_[static_cast<std::size_t>(atom)] >= 0) continue;
                of_atoms_[static_cast<std::size_t>(atom)] = molecule;
                links_.push_back({atom, nearer});
                reached.push_back(atom);
            }
        }
    }
}

void Molecules::make_whole(std::span<Vec3<>> positions, Box const& box) const {
    for (auto const [atom, nearer] : links_) {
        auto& position = positions[static_cast<std::size_t>(atom)];
        auto const& anchor = positions[static_cast<std::size_t>(nearer)];
        position = anchor + box.minimum_image(position - anchor);
    }
}

Box reduced(Box box) {
    bool const is_lattice = box.a.y == 0 && box.a.z == 0 && box.b.z == 0 && box.a.x > 0 && box.b.y > 0 && box.c.z > 0
                            && is_finite(box.a) && is_finite(box.b) && is_finite(box.c);
    if (!is_lattice)
        throw InputError("the box has the diagonal " + format_number(box.a.x) + ", " + format_number(box.b.y) + ", "
                         + format_number(box.c.z)
                         + " nm, expected positive numbers, its first vector along x and its second one in the xy plane");
    box.c -= box.b * std::round(box.c.y / box.b.y);
    box.c -= box.a * std::round(box.c.x / box.a.x);
    box.b -= box.a * std::round(box.b.x / box.a.x);
    return box;
}

}  // namespace trotter::app
