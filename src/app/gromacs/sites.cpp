// Virtual sites and listed constraints of a top file.
// SPDX-License-Identifier: MIT
#include <cmath>

#include "parts.hpp"

namespace trotter::app::gromacs {

void add_sites_and_constraints(Molecule const& molecule, StandardSystem& system) {
    int const first = molecule.first;
    for (auto const& line : molecule.type.sites2) {
        auto const [site, a, b] = molecule.type.atoms_of<3>(line);
        double const weight = line.real(4, "the weight of a virtual site");
        system.set_virtual_site(first + site, TwoParticleAverageSite{first + a, first + b, 1 - weight, weight});
    }
    for (auto const& line : molecule.type.sites3) {
        auto const [site, i, j, k] = molecule.type.atoms_of<4>(line);
        int const a = first + i, b = first + j, c = first + k;
        double const p = line.real(5, "a parameter of a virtual site"),
                     q = line.real(6, "a parameter of a virtual site");
        if (line.words[4] == "1") {
            system.set_virtual_site(first + site, ThreeParticleAverageSite{a, b, c, 1 - p - q, p, q});
        } else if (line.words[4] == "3") {
            LocalCoordinatesSite local{
                {a, b, c}, {1, 0, 0}, {-1, 1, 0}, {0, -1, 1}, {q * std::cos(p * degree), q * std::sin(p * degree), 0}};
            system.set_virtual_site(first + site, std::move(local));
        } else {
            system.set_virtual_site(first + site,
                                    OutOfPlaneSite{a, b, c, p, q, line.real(7, "a parameter of a virtual site")});
        }
    }
    for (auto const& line : molecule.type.constraints) {
        auto const [i, j] = molecule.type.atoms_of<2>(line);
        system.add_constraint(first + i, first + j, line.real(3, "the length of a constraint"));
    }
}

}  // namespace trotter::app::gromacs
