// Radii and screening of atoms by element, bonds and residue.
//
// Radii: "bondi", "mbondi", "mbondi2" and "mbondi3" of AMBER's LEaP (reference manual, chapter "The Generalized Born
// model"). Screening and the parameters of GBn2: H. Nguyen, D. R. Roe, C. Simmerling, J. Chem. Theory Comput. 9, 2020
// (2013), and for nucleic acids H. Nguyen et al., ibid. 11, 3714 (2015), as OpenMM 8.6 has them.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string_view>

#include <trotter/app/implicit_solvent.hpp>

namespace trotter::app {
namespace {

using Neighbors = std::vector<std::vector<int>>;

// Of an element; empty for extra particles. Deuterium is a hydrogen here.
std::string_view symbol_of(Atom const& atom) {
    if (!atom.element) return {};
    return atom.element->symbol() == "D" ? std::string_view{"H"} : atom.element->symbol();
}
std::string_view symbol_of(Topology const& topology, int atom) {
    return symbol_of(topology.atoms[static_cast<std::size_t>(atom)]);
}

// By element alone, as A. Bondi, J. Phys. Chem. 68, 441 (1964) [angstrom].
double bondi_radius(std::string_view symbol) {
    if (symbol == "H") return 1.2;
    if (symbol == "C" || symbol == "Cl") return 1.7;
    if (symbol == "N") return 1.55;
    if (symbol == "Si") return 2.1;
    if (symbol == "P") return 1.85;
    if (symbol == "S") return 1.8;
    return 1.5;
}

// Of a hydrogen by what it is bonded to [angstrom].
double mbondi_hydrogen(std::string_view partner) {
    if (partner == "C" || partner == "N") return 1.3;
    return partner == "O" || partner == "S" ? 0.8 : 1.2;
}

// An oxygen whose only partner is a carbon of three bonds, one of the others to oxygen, too.
bool is_carboxylate_oxygen(Topology const& topology, Neighbors const& neighbors, int atom) {
    auto const& partners = neighbors[static_cast<std::size_t>(atom)];
    if (symbol_of(topology, atom) != "O" || partners.size() != 1 || symbol_of(topology, partners[0]) != "C")
        return false;
    auto const& others = neighbors[static_cast<std::size_t>(partners[0])];
    return others.size() == 3 && std::any_of(others.begin(), others.end(), [&](int other) {
               return other != atom && symbol_of(topology, other) == "O";
           });
}

double radius(Topology const& topology, Neighbors const& neighbors, int index, ImplicitSolvent model) {
    auto const& atom = topology.atoms[static_cast<std::size_t>(index)];
    auto const symbol = symbol_of(atom);
    auto const& partners = neighbors[static_cast<std::size_t>(index)];
    auto const partner = partners.empty() ? std::string_view{} : symbol_of(topology, partners[0]);
    if (model == ImplicitSolvent::gbn2) {
        if (is_carboxylate_oxygen(topology, neighbors, index)) return 1.4;
        if (topology.residues[static_cast<std::size_t>(atom.residue)].name == "ARG"
            && (atom.name.starts_with("HH") || atom.name.starts_with("HE")))
            return 1.17;
    }
    if (symbol != "H" || model == ImplicitSolvent::gbn) return bondi_radius(symbol);
    return model == ImplicitSolvent::hct ? mbondi_hydrogen(partner) : partner == "N" ? 1.3 : 1.2;
}

// Of one element: for HCT and both OBC, GBn, GBn2, and GBn2 in nucleic acids.
struct Screening {
    std::string_view symbol;
    double usual, gbn, gbn2, gbn2_nucleic;
};
constexpr Screening other_element{"", 0.8, 0.5, 0.5, 0.5};
constexpr std::array screenings{Screening{"H", 0.85, 1.09085413633, 1.425952, 1.696538},
                                Screening{"C", 0.72, 0.48435382330, 1.058554, 1.268902},
                                Screening{"N", 0.79, 0.700147318409, 0.733599, 1.4259728},
                                Screening{"O", 0.85, 1.06557401132, 1.061039, 0.1840098},
                                Screening{"F", 0.88, 0.5, 0.5, 0.5},
                                Screening{"P", 0.86, 0.5, 0.5, 1.5450597},
                                Screening{"S", 0.96, 0.602256336067, -0.703469, 0.05}};

// Of GBn2's tanh(alpha psi - beta psi² + gamma psi³).
struct Rescaling {
    std::string_view symbol;
    double alpha, beta, gamma;
};
constexpr Rescaling other_rescaling{"", 1.0, 0.8, 4.851};
constexpr std::array protein_rescalings{
    Rescaling{"H", 0.788440, 0.798699, 0.437334}, Rescaling{"C", 0.733756, 0.506378, 0.205844},
    Rescaling{"N", 0.503364, 0.316828, 0.192915}, Rescaling{"O", 0.867814, 0.876635, 0.387882},
    Rescaling{"S", 0.867814, 0.876635, 0.387882}};
constexpr std::array nucleic_rescalings{
    Rescaling{"H", 0.537050, 0.362861, 0.116704}, Rescaling{"C", 0.331670, 0.196842, 0.093422},
    Rescaling{"N", 0.686311, 0.463189, 0.138722}, Rescaling{"O", 0.606344, 0.463006, 0.142262},
    Rescaling{"S", 0.606344, 0.463006, 0.142262}, Rescaling{"P", 0.418365, 0.290054, 0.1064245}};

template <class Rows> auto row_of(Rows const& rows, std::string_view symbol, typename Rows::value_type other) {
    auto const found = std::find_if(rows.begin(), rows.end(), [&](auto const& row) { return row.symbol == symbol; });
    return found == rows.end() ? other : *found;
}

bool is_nucleotide(std::string_view residue) {
    constexpr std::array<std::string_view, 8> names{"A", "C", "G", "U", "DA", "DC", "DG", "DT"};
    return std::find(names.begin(), names.end(), residue) != names.end();
}

}  // namespace

std::vector<GBAtom> standard_gb_atoms(Topology const& topology, ImplicitSolvent model) {
    auto const neighbors = topology.bonded_atoms();
    std::vector<GBAtom> result(topology.atoms.size());
    for (int i = 0; i < topology.atom_count(); ++i) {
        auto const& atom = topology.atoms[static_cast<std::size_t>(i)];
        auto const symbol = symbol_of(atom);
        bool const nucleic = is_nucleotide(topology.residues[static_cast<std::size_t>(atom.residue)].name);
        auto& made = result[static_cast<std::size_t>(i)];
        made.radius = radius(topology, neighbors, i, model) / 10;
        auto const screening = row_of(screenings, symbol, other_element);
        made.screening = model == ImplicitSolvent::gbn    ? screening.gbn
                         : model != ImplicitSolvent::gbn2 ? screening.usual
                         : nucleic                        ? screening.gbn2_nucleic
                                                          : screening.gbn2;
        auto const rescaling = nucleic ? row_of(nucleic_rescalings, symbol, other_rescaling)
                                       : row_of(protein_rescalings, symbol, other_rescaling);
        made.alpha = rescaling.alpha, made.beta = rescaling.beta, made.gamma = rescaling.gamma;
    }
    return result;
}

}  // namespace trotter::app
