// Adds the extra particles of templates.
// SPDX-License-Identifier: MIT
#include <utility>

#include <trotter/common/virtual_sites/placement.hpp>

#include "app/modeller/copier.hpp"
#include "at.hpp"
#include "bonds.hpp"
#include "data.hpp"

namespace trotter::app {
namespace {

using force_field::MatchedResidue;
using force_field::Template;
using Positions = std::vector<std::optional<Vec3<>>>;

// Where a site is; nothing while the position of a particle that it depends on is unknown.
std::optional<Vec3<>> position_of(VirtualSite const& site, Positions const& known) {
    auto const particles = parents(site);
    for (int const parent : particles)
        if (!at(known, parent)) return {};
    auto const x = [&](std::size_t k) { return *at(known, particles[k]); };
    return std::visit([&](auto const& s) { return site_position(s, x, Box{}); }, site);
}

// The extra particles of one template, and where they go.
class Placer {
public:
    Placer(Structure const& structure, MatchedResidue const& residue) : template_(*residue.matched) {
        std::vector<int> atoms, of_template;
        for (int const one : residue.residues)
            for (int const atom : force_field::atoms_of(structure.topology, one))
                if (at(structure.topology.atoms, atom).element) atoms.push_back(atom);
        for (int i = 0; i < count(template_.atoms); ++i)
            if (at(template_.atoms, i).element) of_template.push_back(i);
        atom_.assign(template_.atoms.size(), -1);
        positions_.resize(template_.atoms.size());
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            int const place = at(of_template, residue.template_atoms[i]);
            at(atom_, place) = atoms[i];
            at(positions_, place) = at(structure.positions, atoms[i]);
        }
        place_sites();
        place_others();
    }

    int atom(int place) const { return at(atom_, place); }  ///< of the structure; -1 for an extra particle
    Vec3<> position(int place) const { return *at(positions_, place); }
    /// The atom whose residue an extra particle belongs to; -1 if it is not a site.
    int owner(int place) const {
        for (auto const& rule : template_.sites)
            if (rule.atom == place) return atom(parent_of(rule));
        return -1;
    }

private:
    static int parent_of(force_field::SiteRule const& rule) { return parents(rule.site)[0]; }

    // Sites may depend on other sites.
    void place_sites() {
        for (bool is_done = false; !std::exchange(is_done, true);)
            for (auto const& rule : template_.sites)
                if (!at(positions_, rule.atom) && (at(positions_, rule.atom) = position_of(rule.site, positions_)))
                    is_done = false;
    }
    // Others are put near an atom that they are bonded to, else near any; each somewhat farther away.
    void place_others() {
        double distance = 0;
        for (int place = 0; place < count(positions_); ++place) {
            if (at(positions_, place)) continue;
            Vec3<> near;
            for (auto const& known : positions_)
                if (known) near = *known;
            for (int const other : at(template_.graph.atoms, place).bonded)
                if (at(positions_, other)) near = *at(positions_, other);
            at(positions_, place) = near + Vec3<>{distance += 0.01, 0, 0};
        }
    }

    Template const& template_;
    std::vector<int> atom_;
    Positions positions_;
};

// Copies a structure and changes the residues whose extra particles are not those of their template.
class Adder {
public:
    Adder(Structure const& structure, force_field::Assignment const& assignment)
        : structure_(structure), copier_(structure) {
        added_to_.resize(structure.topology.residues.size());
        is_changed_.resize(structure.topology.residues.size(), false);
        for (auto const& residue : assignment.residues) plan(residue);
    }

    Structure run() {
        auto const& topology = structure_.topology;
        for (int chain = 0; chain < count(topology.chains); ++chain) {
            copier_.copy_chain(chain);
            auto const& [id, first, number] = at(topology.chains, chain);
            for (int residue = first; residue < first + number; ++residue) copy(residue);
        }
        copier_.copy_bonds();
        for (auto const& change : changes_) add_bonds(change);
        return copier_.finish();
    }

private:
    struct Change {
        Template const* matched;
        Placer placer;
        std::vector<int> added;  // new indices of extra particles, by place in the template
    };
    struct Addition {
        std::size_t change;
        int place;
    };

    void plan(MatchedResidue const& residue) {
        int number = 0;
        for (int const one : residue.residues) number += at(structure_.topology.residues, one).atom_count;
        if (number == count(residue.matched->atoms)) return;
        changes_.push_back(
            {residue.matched, Placer(structure_, residue), std::vector<int>(residue.matched->atoms.size(), -1)});
        auto const& placer = changes_.back().placer;
        for (int const one : residue.residues) is_changed_[static_cast<std::size_t>(one)] = true;
        for (int place = 0; place < count(residue.matched->atoms); ++place) {
            if (placer.atom(place) >= 0) continue;
            int const owner = placer.owner(place);
            int const target = owner < 0 ? residue.residues[0] : at(structure_.topology.atoms, owner).residue;
            at(added_to_, target).push_back({changes_.size() - 1, place});
        }
    }

    void copy(int residue) {
        copier_.copy_residue(residue);
        for (int const atom : force_field::atoms_of(structure_.topology, residue))
            if (!at(is_changed_, residue) || at(structure_.topology.atoms, atom).element) copier_.copy_atom(atom);
        for (auto const& [change, place] : at(added_to_, residue)) {
            auto& [matched, placer, added] = changes_[change];
            at(added, place) = copier_.add_atom(at(matched->atoms, place).name, std::nullopt, placer.position(place));
        }
    }

    void add_bonds(Change const& change) {
        auto const new_index = [&](int place) {
            return at(change.added, place) >= 0 ? at(change.added, place)
                                                : copier_.new_index(change.placer.atom(place));
        };
        for (auto const& [a, b] : change.matched->bonds)
            if (at(change.added, a) >= 0 || at(change.added, b) >= 0)
                copier_.structure().topology.add_bond(new_index(a), new_index(b));
    }

    Structure const& structure_;
    Copier copier_;
    std::vector<Change> changes_;
    std::vector<std::vector<Addition>> added_to_;  // of each residue
    std::vector<bool> is_changed_;
};

}  // namespace

Structure add_extra_particles(Structure const& structure, ForceField const& force_field, SystemOptions const& options) {
    auto& data = force_field.data();
    std::lock_guard const lock(data.mutex);
    auto const assignment = force_field::assign_templates(data, structure.topology, options, true);
    return Adder(structure, assignment).run();
}

}  // namespace trotter::app
