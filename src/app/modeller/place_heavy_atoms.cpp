// SPDX-License-Identifier: MIT
#include "app/modeller/place_heavy_atoms.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <trotter/error.hpp>

#include "app/modeller/moving_points.hpp"
#include "app/modeller/residue_builder.hpp"

namespace trotter::app {
namespace {

constexpr double reach = 0.35;     // of contacts [nm]
constexpr double clash = 0.2;      // heavy atoms that are closer and not bonded clash [nm]
constexpr double slight = 1.6e-3;  // sum of squares of overlaps that needs no search [nm²]

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// A residue to be built, and where its atoms are in the ideal one.
struct Task {
    int residue;
    IdealResidue const* ideal;
    std::vector<int> atoms;      // of the structure, for each of the ideal residue; -1 if it has none
    std::vector<int> wanted;     // of the ideal residue
    std::vector<bool> is_known;  // for each of the ideal residue whether it had a place before
    ResidueBuilder builder;
};

class HeavyAtomPlacer {
public:
    HeavyAtomPlacer(Structure& structure, std::vector<bool> const& is_new)
        : structure_(structure), topology_(structure.topology), is_known_(is_new), links_(links(topology_)) {
        is_known_.flip();
        for (int atom = 0; atom < topology_.atom_count(); ++atom)
            if (is_known_[index(atom)]) points_.add(atom, structure.positions[index(atom)]);
        for (int residue = 0; residue < static_cast<int>(topology_.residues.size()); ++residue) {
            auto const& found = topology_.residues[index(residue)];
            for (int atom = found.first_atom; atom < found.first_atom + found.atom_count; ++atom)
                if (is_new[index(atom)]) {
                    waiting_.push_back(residue);
                    break;
                }
        }
    }

    void place() {
        // Caps are built on the residues beside them.
        while (!waiting_.empty()) {
            auto const count = waiting_.size();
            std::erase_if(waiting_, [&](int residue) { return try_to_build(residue); });
            if (waiting_.size() == count)
                throw InputError(topology_.residue_name(waiting_[0])
                                 + " has too few atoms to place the missing ones, expected three that are bonded");
        }
        for (int sweep = 0; sweep < 2; ++sweep)
            for (auto const& task : tasks_)
                if (task.builder.can_turn() && score(task, places_of(task)) > slight) build(task, true);
    }

    void warn_of_clashes(std::vector<std::string>& warnings) const {
        for (auto const& task : tasks_)
            for (int const wanted : task.wanted) {
                int const atom = task.atoms[index(wanted)];
                visit_contacts(task, wanted, structure_.positions[index(atom)], [&](int other, double distance) {
                    if (distance < clash && symbol(other) != "H")
                        warnings.push_back(fmt::format(
                            "{} of {}, which was added, is {:.3f} nm from {} of {}", topology_.atoms[index(atom)].name,
                            topology_.residue_name(task.residue), distance, topology_.atoms[index(other)].name,
                            topology_.residue_name(topology_.atoms[index(other)].residue)));
                });
            }
    }

private:
    /// For each residue whether a bond links it to the one before in its chain.
    static std::vector<bool> links(Topology const& topology) {
        std::vector<bool> linked(topology.residues.size());
        for (auto const& bond : topology.bonds) {
            auto const *first = &topology.atoms[index(bond.atom1)], *second = &topology.atoms[index(bond.atom2)];
            if (first->residue > second->residue) std::swap(first, second);
            bool const is_link =
                (first->name == "C" && second->name == "N") || (first->name == "O3'" && second->name == "P");
            if (is_link && second->residue == first->residue + 1) linked[index(second->residue)] = true;
        }
        return linked;
    }

    std::string_view symbol(int atom) const {
        auto const& element = topology_.atoms[index(atom)].element;
        return element ? element->symbol() : std::string_view{};
    }

    int find(int residue, std::string_view name) const {
        auto const& found = topology_.residues[index(residue)];
        for (int atom = found.first_atom; atom < found.first_atom + found.atom_count; ++atom)
            if (topology_.atoms[index(atom)].name == name) return atom;
        return -1;
    }

    /// The atom that a name of an ideal residue means; -1 if there is none.
    int find_near(int residue, std::string_view name) const {
        if (name[0] == '-') return links_[index(residue)] ? find(residue - 1, name.substr(1)) : -1;
        if (name[0] != '+') return find(residue, name);
        bool const is_linked = index(residue) + 1 < links_.size() && links_[index(residue) + 1];
        return is_linked ? find(residue + 1, name.substr(1)) : -1;
    }

    bool try_to_build(int residue) {
        auto const& name = topology_.residues[index(residue)].name;
        auto const* ideal = ideal_residue(name);
        if (ideal == nullptr)
            throw InputError(topology_.residue_name(residue) + " is no residue whose geometry is known");
        std::vector<int> atoms, wanted;
        std::vector<Vec3<>> places(ideal->names.size());
        std::vector<bool> is_known(ideal->names.size());
        for (std::size_t n = 0; n < ideal->names.size(); ++n) {
            int const atom = find_near(residue, ideal->names[n]);
            atoms.push_back(atom);
            if (atom < 0) continue;
            if (is_known_[index(atom)]) {
                is_known[n] = true;
                places[n] = structure_.positions[index(atom)];
            } else if (topology_.atoms[index(atom)].residue == residue) {
                wanted.push_back(static_cast<int>(n));
            }
        }
        ResidueBuilder builder(*ideal, std::move(places), is_known, wanted);
        if (!builder.can_build()) return false;
        tasks_.push_back(
            {residue, ideal, std::move(atoms), std::move(wanted), std::move(is_known), std::move(builder)});
        build(tasks_.back(), false);
        return true;
    }

    void build(Task const& task, bool again) {
        if (again)
            for (int const n : task.wanted)
                points_.remove(task.atoms[index(n)], structure_.positions[index(task.atoms[index(n)])]);
        auto const places = task.builder.best([&](auto const& tried) { return score(task, tried); }, slight);
        for (int const n : task.wanted) {
            int const atom = task.atoms[index(n)];
            structure_.positions[index(atom)] = places[index(n)];
            points_.add(atom, places[index(n)]);
            is_known_[index(atom)] = true;
        }
    }

    std::vector<Vec3<>> places_of(Task const& task) const {
        std::vector<Vec3<>> places(task.atoms.size());
        for (std::size_t n = 0; n < places.size(); ++n)
            if (task.atoms[n] >= 0) places[n] = structure_.positions[index(task.atoms[n])];
        return places;
    }

    /// Atoms near a wanted one that are more than three bonds away.
    template <class Visit> void visit_contacts(Task const& task, int wanted, Vec3<> const& place, Visit&& visit) const {
        auto const& bonds = task.ideal->bonds_between[index(wanted)];
        points_.visit_near(place, [&](int other, double distance) {
            auto const found = std::find(task.atoms.begin(), task.atoms.end(), other);
            if (found != task.atoms.end() && bonds[static_cast<std::size_t>(found - task.atoms.begin())] <= 3) return;
            visit(other, distance);
        });
    }

    /// Distance below which two atoms repel each other [nm].
    static double contact(std::string_view a, std::string_view b) {
        auto const is_polar = [](std::string_view s) { return s == "O" || s == "N"; };
        if (a == "H" || b == "H") return 0.2;
        if (a == "S" || b == "S") return 0.34;
        return is_polar(a) && is_polar(b) ? 0.27 : is_polar(a) || is_polar(b) ? 0.3 : 0.33;
    }

    /// Squares of the errors of bonds to known atoms, which matter where a place is between several [nm²].
    static double errors_of_bonds(Task const& task, std::vector<Vec3<>> const& places) {
        constexpr double weight = 10;  // beside overlaps
        auto const& ideal = *task.ideal;
        double sum = 0;
        for (int const n : task.wanted)
            for (int const other : ideal.bonded[index(n)]) {
                if (!task.is_known[index(other)]) continue;
                double const error = norm(places[index(n)] - places[index(other)])
                                     - norm(ideal.positions[index(n)] - ideal.positions[index(other)]);
                sum += weight * error * error;
            }
        return sum;
    }

    /// Sum of the squares of overlaps with other atoms and of those with each other [nm²], and errors of bonds.
    double score(Task const& task, std::vector<Vec3<>> const& places) const {
        double sum = errors_of_bonds(task, places);
        auto const add = [&](int atom, int other, double distance) {
            double const overlap = contact(symbol(atom), symbol(other)) - distance;
            if (overlap > 0) sum += overlap * overlap;
        };
        for (std::size_t i = 0; i < task.wanted.size(); ++i) {
            int const n = task.wanted[i], atom = task.atoms[index(n)];
            visit_contacts(task, n, places[index(n)], [&](int other, double distance) {
                if (topology_.atoms[index(other)].residue != task.residue || !is_wanted(task, other))
                    add(atom, other, distance);
            });
            for (std::size_t j = 0; j < i; ++j) {
                int const m = task.wanted[j];
                if (task.ideal->bonds_between[index(n)][index(m)] > 3)
                    add(atom, task.atoms[index(m)], norm(places[index(n)] - places[index(m)]));
            }
        }
        return sum;
    }

    static bool is_wanted(Task const& task, int atom) {
        return std::any_of(task.wanted.begin(), task.wanted.end(), [&](int n) { return task.atoms[index(n)] == atom; });
    }

    Structure& structure_;
    Topology const& topology_;
    std::vector<bool> is_known_;  // whether an atom has a place
    std::vector<bool> links_;
    MovingPoints points_{reach};
    std::vector<int> waiting_;  // residues
    std::vector<Task> tasks_;
};

}  // namespace

void place_heavy_atoms(Structure& structure, std::vector<bool> const& is_new, std::vector<std::string>& warnings) {
    HeavyAtomPlacer placer(structure, is_new);
    placer.place();
    placer.warn_of_clashes(warnings);
}

}  // namespace trotter::app
