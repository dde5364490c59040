// LCPO surfaces: types of atoms by element and bonds.
// SPDX-License-Identifier: MIT
#include "lcpo.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include <trotter/error.hpp>

namespace trotter::app {
namespace {

// J. Weiser, P. S. Shenkin, W. C. Still, J. Comput. Chem. 20, 217 (1999); F and Mg as in AMBER.
struct Row {
    LcpoType type;
    double radius, p1, p2, p3, p4;  // [angstrom], [1], [1], [1], [1/angstrom²]
};
using enum LcpoType;
constexpr std::array rows{Row{none, 0, 0, 0, 0, 0},
                          Row{c_sp3_1, 1.7, 0.77887, -0.28063, -0.0012968, 0.00039328},
                          Row{c_sp3_2, 1.7, 0.56482, -0.19608, -0.0010219, 0.0002658},
                          Row{c_sp3_3, 1.7, 0.23348, -0.072627, -0.00020079, 0.00007967},
                          Row{c_sp3_4, 1.7, 0, 0, 0, 0},
                          Row{c_sp2_2, 1.7, 0.51245, -0.15966, -0.00019781, 0.00016392},
                          Row{c_sp2_3, 1.7, 0.070344, -0.019015, -0.000022009, 0.000016875},
                          Row{o_sp3_1, 1.6, 0.77914, -0.25262, -0.0016056, 0.00035071},
                          Row{o_sp3_2, 1.6, 0.49392, -0.16038, -0.00015512, 0.00016453},
                          Row{o_sp2_1, 1.6, 0.68563, -0.1868, -0.00135573, 0.00023743},
                          Row{o_carboxylate, 1.6, 0.88857, -0.33421, -0.0018683, 0.00049372},
                          Row{n_sp3_1, 1.65, 0.078602, -0.29198, -0.0006537, 0.00036247},
                          Row{n_sp3_2, 1.65, 0.22599, -0.036648, -0.0012297, 0.000080038},
                          Row{n_sp3_3, 1.65, 0.051481, -0.012603, -0.00032006, 0.000024774},
                          Row{n_sp2_1, 1.65, 0.73511, -0.22116, -0.00089148, 0.0002523},
                          Row{n_sp2_2, 1.65, 0.41102, -0.12254, -0.000075448, 0.00011804},
                          Row{n_sp2_3, 1.65, 0.062577, -0.017874, -0.00008312, 0.000019849},
                          Row{s_1, 1.9, 0.7722, -0.26393, 0.0010629, 0.0002179},
                          Row{s_2, 1.9, 0.54581, -0.19477, -0.0012873, 0.00029247},
                          Row{p_3, 1.9, 0.3865, -0.18249, -0.0036598, 0.0004264},
                          Row{p_4, 1.9, 0.03873, -0.0089339, 0.0000083582, 0.0000030381},
                          Row{chlorine, 1.8, 0.98318, -0.40437, 0.00011249, 0.00049901},
                          Row{fluorine, 1.47, 0.68563, -0.1868, -0.00135573, 0.00023743},
                          Row{magnesium, 1.18, 0.49392, -0.16038, -0.00015512, 0.00016453}};

LCPOForce::Particle particle_of(LcpoType type) {
    constexpr double solvent_radius = 1.4;  // [angstrom]
    auto const& row = *std::find_if(rows.begin(), rows.end(), [&](Row const& r) { return r.type == type; });
    double const radius = row.radius == 0 ? 0 : (row.radius + solvent_radius) / 10;
    return {radius, row.p1, row.p2, row.p3, row.p4 * 100};
}

// Bonds of each atom, each partner once.
struct Bonds {
    explicit Bonds(Topology const& topology)
        : partners(topology.atoms.size()), total(partners.size()), heavy(partners.size()) {
        for (auto const& bond : topology.bonds) {
            partners[static_cast<std::size_t>(bond.atom1)].insert(bond.atom2);
            partners[static_cast<std::size_t>(bond.atom2)].insert(bond.atom1);
        }
        for (std::size_t i = 0; i < partners.size(); ++i) {
            total[i] = static_cast<int>(partners[i].size());
            for (int const partner : partners[i])
                heavy[i] += lcpo_atomic_number(topology.atoms[static_cast<std::size_t>(partner)]) > 1;
        }
    }
    std::vector<std::set<int>> partners;
    std::vector<int> total, heavy;
};

// Nitrogens of three bonds, one of them to a carbon of three bonds.
bool is_planar_nitrogen(Topology const& topology, Bonds const& bonds, std::size_t atom) {
    auto const& partners = bonds.partners[atom];
    return bonds.total[atom] == 3 && std::any_of(partners.begin(), partners.end(), [&](int partner) {
               auto const index = static_cast<std::size_t>(partner);
               return lcpo_atomic_number(topology.atoms[index]) == 6 && bonds.total[index] == 3;
           });
}

// Number of oxygens of one bond that each atom has.
std::map<int, int> terminal_oxygens(Topology const& topology, Bonds const& bonds) {
    std::map<int, int> result;
    for (std::size_t i = 0; i < topology.atoms.size(); ++i)
        if (lcpo_atomic_number(topology.atoms[i]) == 8 && bonds.total[i] == 1) ++result[*bonds.partners[i].begin()];
    return result;
}

}  // namespace

int lcpo_atomic_number(Atom const& atom) { return atom.element ? atom.element->atomic_number() : 0; }

LcpoType lcpo_series(LcpoType first, int heavy_bonds, int smallest, int largest) {
    if (heavy_bonds < smallest || heavy_bonds > largest) return unknown;
    return static_cast<LcpoType>(static_cast<int>(first) + heavy_bonds - smallest);
}

void refuse_lcpo(int atom, int atomic_number, int total_bonds, int heavy_bonds) {
    throw InputError(fmt::format(
        "atom {} has no LCPO parameters: element of atomic number {} with {} bonds, {} of them to heavy atoms", atom,
        atomic_number, total_bonds, heavy_bonds));
}

LCPOForce lcpo_force(std::vector<LcpoType> const& types, bool periodic) {
    LCPOForce force;
    for (auto const type : types) force.particles.push_back(particle_of(type));
    force.surface_tension = 0.005 * 4.184 * 100;  // 0.005 kcal/mol/angstrom², as AMBER
    force.periodic = periodic;
    return force;
}

LCPOForce lcpo_surface(Topology const& topology, bool periodic) {
    Bonds const bonds{topology};
    auto const oxygens = terminal_oxygens(topology, bonds);
    std::vector<LcpoType> types;
    for (std::size_t i = 0; i < topology.atoms.size(); ++i) {
        int const number = lcpo_atomic_number(topology.atoms[i]), heavy = bonds.heavy[i], total = bonds.total[i];
        auto const type = [&]() -> LcpoType {
            if (number <= 1) return none;
            switch (number) {
                case 6:
                    return total == 4   ? lcpo_series(c_sp3_1, heavy, 1, 4)
                           : total == 3 ? lcpo_series(c_sp2_2, heavy, 2, 3)
                                        : unknown;
                case 7: {
                    bool const planar = is_planar_nitrogen(topology, bonds, i);
                    if ((total == 3 && !planar) || total == 4) return lcpo_series(n_sp3_1, heavy, 1, 3);
                    return total == 2 || planar ? lcpo_series(n_sp2_1, heavy, 1, 3) : unknown;
                }
                case 8:
                    if (total == 1) return oxygens.at(*bonds.partners[i].begin()) > 1 ? o_carboxylate : o_sp2_1;
                    return total == 2 ? lcpo_series(o_sp3_1, heavy, 1, 2) : unknown;
                case 9:
                    return fluorine;
                case 12:
                    return magnesium;
                case 15:
                    return lcpo_series(p_3, heavy, 3, 4);
                case 16:
                    return lcpo_series(s_1, heavy, 1, 2);
                case 17:
                    return heavy == 1 ? chlorine : unknown;
                default:
                    return unknown;
            }
        }();
        if (type == unknown) refuse_lcpo(static_cast<int>(i), number, total, heavy);
        types.push_back(type);
    }
    return lcpo_force(types, periodic);
}

}  // namespace trotter::app
