// SPDX-License-Identifier: MIT
#include "app/selection/classes.hpp"

#include <algorithm>
#include <cctype>
#include <span>

namespace trotter::app {
namespace {

using Names = std::span<std::string_view const>;

constexpr std::string_view class_names[] = {"protein",  "nucleic", "backbone", "sidechain", "water",
                                            "ion",      "lipid",   "sugar",    "hetero",    "heavy",
                                            "hydrogen", "polymer", "solvent",  "ligand",    "virtual"};

// Standard amino acids, their protonation states in AMBER's, CHARMM's and GROMACS's names, and caps.
constexpr std::string_view amino_acids[] = {"ALA", "ARG",  "ASN", "ASP", "CYS",  "GLN",  "GLU",  "GLY", "HIS", "ILE",
                                            "LEU", "LYS",  "MET", "PHE", "PRO",  "SER",  "THR",  "TRP", "TYR", "VAL",
                                            "ASH", "ASPP", "CYM", "CYX", "CYS2", "GLH",  "GLUP", "HID", "HIE", "HIN",
                                            "HIP", "HSD",  "HSE", "HSP", "HISD", "HISE", "HISH", "LYN", "LSN", "MSE",
                                            "SEC", "PYL",  "UNK", "ACE", "NME",  "NMA",  "NH2",  "FOR"};
constexpr std::string_view nucleotides[] = {"A",   "C",   "G",   "U",   "T",   "I",   "DA",  "DC",  "DG",  "DT",
                                            "DI",  "DU",  "A5",  "A3",  "C5",  "C3",  "G5",  "G3",  "U5",  "U3",
                                            "RA",  "RC",  "RG",  "RU",  "ADE", "CYT", "GUA", "URA", "THY", "DA5",
                                            "DA3", "DC5", "DC3", "DG5", "DG3", "DT5", "DT3"};
constexpr std::string_view waters[] = {"HOH",  "WAT",   "SOL",  "H2O",   "DOD", "TIP3", "TIP3P",
                                       "TIP4", "TIP4P", "TIP5", "TIP5P", "SPC", "SPCE"};
constexpr std::string_view lipids[] = {"POPC", "POPE", "POPS", "POPG", "POPA", "DPPC", "DPPE", "DPPS", "DPPG",
                                       "DOPC", "DOPE", "DOPS", "DOPG", "DMPC", "DMPE", "DLPC", "DLPE", "DSPC",
                                       "CHL1", "CHL",  "CLR",  "PSM",  "LA",   "MY",   "PA",   "PC",   "PE",
                                       "PGR",  "PS",   "OL",   "ST",   "AR",   "SA"};
constexpr std::string_view sugars[] = {"GLC", "BGC", "GAL", "GLA", "MAN", "BMA", "NAG", "NDG", "NGA",
                                       "A2G", "FUC", "FUL", "SIA", "SLB", "XYL", "XYP", "FRU", "RIB",
                                       "ARA", "RAM", "GCU", "BDP", "SUC", "TRE", "LAT"};

// Atoms of the chain: by the names of the Protein Data Bank.
constexpr std::string_view protein_chain[] = {"N", "CA", "C", "O"};
constexpr std::string_view nucleic_chain[] = {"P", "OP1", "OP2", "O5'", "C5'", "C4'", "C3'", "O3'"};
constexpr std::string_view amino_acid_atoms[] = {"N", "CA", "C"};
constexpr std::string_view nucleotide_atoms[] = {"C1'", "C3'", "C4'", "O4'"};
constexpr std::string_view terminal_oxygens[] = {"OXT", "OT1", "OT2", "OP3"};

bool is_in(Names names, std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); }

/// Classes of residues and atoms of one topology.
class Classifier {
public:
    explicit Classifier(Topology const& topology) : topology_(topology), bonded_(topology.bonded_atoms()) {}

    bool is_of(AtomClass atom_class, int index) const {
        auto const& atom = topology_.atoms[static_cast<std::size_t>(index)];
        switch (atom_class) {
            case AtomClass::heavy:
                return atom.element && !is_hydrogen(atom);
            case AtomClass::hydrogen:
                return is_hydrogen(atom);
            case AtomClass::virtual_site:
                return !atom.element;
            case AtomClass::backbone:
                return is_backbone(index);
            case AtomClass::sidechain:
                return is_sidechain(index);
            default:
                return is_residue_of(atom_class, atom.residue);
        }
    }

    bool is_residue_of(AtomClass atom_class, int index) const {
        auto const& name = residue_at(index).name;
        switch (atom_class) {
            case AtomClass::protein:
                return is_in(amino_acids, name) || is_linked(index, amino_acid_atoms);
            case AtomClass::nucleic:
                return is_in(nucleotides, name) || is_linked(index, nucleotide_atoms);
            case AtomClass::water:
                return is_in(waters, name);
            case AtomClass::lipid:
                return is_in(lipids, name);
            case AtomClass::sugar:
                return is_in(sugars, name);
            case AtomClass::ion:
                return is_ion(index);
            case AtomClass::solvent:
                return is_residue_of(AtomClass::water, index) || is_ion(index);
            case AtomClass::polymer:
                return is_residue_of(AtomClass::protein, index) || is_residue_of(AtomClass::nucleic, index);
            case AtomClass::hetero:
                return !is_residue_of(AtomClass::polymer, index);
            case AtomClass::ligand:
                return !is_in(lipids, name) && !is_in(sugars, name) && !is_residue_of(AtomClass::polymer, index)
                       && !is_residue_of(AtomClass::solvent, index);
            default:
                return false;
        }
    }

private:
    static bool is_hydrogen(Atom const& atom) { return atom.element && atom.element->atomic_number() == 1; }

    Residue const& residue_at(int index) const { return topology_.residues[static_cast<std::size_t>(index)]; }
    std::span<Atom const> atoms_of(Residue const& residue) const {
        return std::span(topology_.atoms)
            .subspan(static_cast<std::size_t>(residue.first_atom), static_cast<std::size_t>(residue.atom_count));
    }

    /// Whether a residue has atoms of these names and a bond to another residue, as a modified one in a chain.
    bool is_linked(int index, Names names) const {
        auto const& residue = residue_at(index);
        auto const atoms = atoms_of(residue);
        for (auto const name : names)
            if (std::none_of(atoms.begin(), atoms.end(), [&](Atom const& atom) { return atom.name == name; }))
                return false;
        for (int atom = residue.first_atom; atom < residue.first_atom + residue.atom_count; ++atom)
            for (int const other : bonded_[static_cast<std::size_t>(atom)])
                if (topology_.atoms[static_cast<std::size_t>(other)].residue != index) return true;
        return false;
    }

    /// A single atom without bonds that is a metal or a halogen.
    bool is_ion(int index) const {
        auto const& residue = residue_at(index);
        int single = -1, count = 0;
        for (int atom = residue.first_atom; atom < residue.first_atom + residue.atom_count; ++atom)
            if (topology_.atoms[static_cast<std::size_t>(atom)].element) ++count, single = atom;
        if (count != 1 || !bonded_[static_cast<std::size_t>(single)].empty()) return false;
        auto const symbol = topology_.atoms[static_cast<std::size_t>(single)].element->symbol();
        constexpr std::string_view others[] = {"H",  "D",  "B",  "C",  "N",  "O",  "Si", "P", "S",
                                               "Se", "As", "He", "Ne", "Ar", "Kr", "Xe", "Rn"};
        return !is_in(others, symbol);
    }

    bool is_backbone(int index) const {
        auto const& atom = topology_.atoms[static_cast<std::size_t>(index)];
        return (is_in(protein_chain, atom.name) && is_residue_of(AtomClass::protein, atom.residue))
               || (is_in(nucleic_chain, atom.name) && is_residue_of(AtomClass::nucleic, atom.residue));
    }

    /// What is neither in the chain nor at its end, nor a hydrogen there.
    bool is_sidechain(int index) const {
        auto const& atom = topology_.atoms[static_cast<std::size_t>(index)];
        auto const& others = bonded_[static_cast<std::size_t>(index)];
        if (!is_residue_of(AtomClass::polymer, atom.residue)) return false;
        if (is_hydrogen(atom) && !others.empty() && !is_hydrogen(topology_.atoms[static_cast<std::size_t>(others[0])]))
            return is_sidechain(others[0]);
        return !is_backbone(index) && !is_in(terminal_oxygens, atom.name);
    }

    Topology const& topology_;
    std::vector<std::vector<int>> bonded_;
};

}  // namespace

std::optional<AtomClass> class_named(std::string_view name) {
    std::string lower(name);
    for (auto& letter : lower) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    auto const found = std::find(std::begin(class_names), std::end(class_names), lower);
    if (found == std::end(class_names)) return {};
    return static_cast<AtomClass>(found - std::begin(class_names));
}

std::string_view name_of(AtomClass atom_class) { return class_names[static_cast<std::size_t>(atom_class)]; }

std::string names_of_classes() {
    std::string names;
    for (auto const name : class_names) names += (names.empty() ? "" : ", ") + std::string(name);
    return names;
}

std::vector<bool> atoms_of_class(AtomClass atom_class, Topology const& topology) {
    Classifier const classifier(topology);
    std::vector<bool> selected(topology.atoms.size());
    bool const is_by_atom = atom_class == AtomClass::heavy || atom_class == AtomClass::hydrogen
                            || atom_class == AtomClass::virtual_site || atom_class == AtomClass::backbone
                            || atom_class == AtomClass::sidechain;
    if (is_by_atom) {
        for (int atom = 0; atom < topology.atom_count(); ++atom)
            selected[static_cast<std::size_t>(atom)] = classifier.is_of(atom_class, atom);
        return selected;
    }
    for (int index = 0; auto const& residue : topology.residues) {
        if (classifier.is_residue_of(atom_class, index++))
            std::fill_n(selected.begin() + residue.first_atom, residue.atom_count, true);
    }
    return selected;
}

}  // namespace trotter::app
