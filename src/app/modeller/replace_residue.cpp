// SPDX-License-Identifier: MIT
#include "app/modeller/replace_residue.hpp"

#include <algorithm>
#include <cmath>

#include "app/modeller/ideal_residues.hpp"

namespace trotter::app {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr double longest_bond = 0.21;    // C-Se among them [nm]
constexpr double same_distance = 0.006;  // of two ideal ones of atoms one or two bonds apart [nm]
constexpr double same_bond = 0.03;       // of a bond and an ideal one [nm]
constexpr double same_volume = 1.2e-3;   // half of that of a tetrahedral center [nm³]

/// Atoms that do not depend on what the side chain or base is.
bool is_backbone(std::string_view name) {
    for (std::string_view const other : {"N", "CA", "C", "O", "OXT", "P", "OP1", "OP2", "OP3"})
        if (name == other) return true;
    return name.ends_with('\'');
}

class Replacement {
public:
    Replacement(Structure const& structure, int residue, std::string const& name)
        : structure_(structure),
          old_(structure.topology.residues[at(residue)]),
          ideal_(*ideal_residue(name)),
          old_ideal_(ideal_residue(old_.name)),
          kept_(ideal_.names.size(), -1) {}

    ResidueEdit edit(std::string const& name) {
        for (std::size_t n = 0; n < kept_.size(); ++n)
            if (is_backbone(ideal_.names[n])) kept_[n] = find(ideal_.names[n]);
        bool has_changed = true;
        while (has_changed) {
            has_changed = false;
            for (std::size_t n = 0; n < kept_.size(); ++n)
                if (kept_[n] < 0 && keep(static_cast<int>(n))) has_changed = true;
        }
        ResidueEdit result{.name = name};
        for (int atom = old_.first_atom; atom < old_.first_atom + old_.atom_count; ++atom)
            if (std::find(kept_.begin(), kept_.end(), atom) == kept_.end()) result.dropped.insert(atom);
        for (std::size_t n = 0; n < kept_.size(); ++n)
            if (kept_[n] >= 0 && structure_.topology.atoms[at(kept_[n])].name != ideal_.names[n])
                result.renamed[kept_[n]] = ideal_.names[n];
        return result;
    }

private:
    int find(std::string_view name) const {
        if (old_.name == "MSE" && name == "SD") name = "SE";
        for (int atom = old_.first_atom; atom < old_.first_atom + old_.atom_count; ++atom)
            if (structure_.topology.atoms[at(atom)].name == name) return atom;
        return -1;
    }

    Vec3<> const& place(int ideal_atom) const { return structure_.positions[at(kept_[at(ideal_atom)])]; }

    bool keep(int n) {
        int const atom = find(ideal_.names[at(n)]);
        if (atom < 0) return false;
        kept_[at(n)] = atom;
        if (has_same_bonds(n)) return true;
        kept_[at(n)] = -1;
        return false;
    }

    bool is_kept(int n) const { return kept_[at(n)] >= 0; }

    bool has_same_bonds(int n) const {
        bool is_bonded = false;
        for (int other = 0; other < static_cast<int>(kept_.size()); ++other) {
            if (other == n || !is_kept(other)) continue;
            double const length = norm(place(n) - place(other));
            auto const& bonded = ideal_.bonded[at(n)];
            bool const is_bond = std::find(bonded.begin(), bonded.end(), other) != bonded.end();
            if (is_bond != (length < longest_bond)) return false;
            bool const is_near = ideal_.bonds_between[at(n)][at(other)] <= 2;
            if (is_near && !is_backbone(ideal_.names[at(other)]) && !has_same_distance(n, other)) return false;
            if (!is_bond) continue;
            is_bonded = true;
            double const expected = norm(ideal_.positions[at(n)] - ideal_.positions[at(other)]);
            if (std::abs(length - expected) > same_bond || !has_same_chirality(other)) return false;
        }
        return is_bonded;
    }

    /// Where the ideal geometry of the old residue is known.
    bool has_same_distance(int n, int other) const {
        if (old_ideal_ == nullptr) return true;
        int const a = old_ideal_->find(ideal_.names[at(n)]), b = old_ideal_->find(ideal_.names[at(other)]);
        if (a < 0 || b < 0) return true;
        double const before = norm(old_ideal_->positions[at(a)] - old_ideal_->positions[at(b)]),
                     now = norm(ideal_.positions[at(n)] - ideal_.positions[at(other)]);
        return std::abs(before - now) < same_distance;
    }

    /// Of the atoms kept around a center, with the one that is tried.
    bool has_same_chirality(int center) const {
        std::vector<int> around;
        for (int const other : ideal_.bonded[at(center)])
            if (is_kept(other)) around.push_back(other);
        for (std::size_t i = 2; i < around.size(); ++i) {
            int const a = around[i - 2], b = around[i - 1], c = around[i];
            double const wanted = chiral_volume(ideal_.positions[at(center)], ideal_.positions[at(a)],
                                                ideal_.positions[at(b)], ideal_.positions[at(c)]);
            if (std::abs(wanted - chiral_volume(place(center), place(a), place(b), place(c))) > same_volume)
                return false;
        }
        return true;
    }

    Structure const& structure_;
    Residue const& old_;
    IdealResidue const& ideal_;
    IdealResidue const* old_ideal_;
    std::vector<int> kept_;  // atom of the structure for each of the ideal residue, or -1
};

}  // namespace

ResidueEdit replacement(Structure const& structure, int residue, std::string const& name) {
    return Replacement(structure, residue, name).edit(name);
}

}  // namespace trotter::app
