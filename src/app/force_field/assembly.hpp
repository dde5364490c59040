// A System while its forces are added.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <trotter/app/topology.hpp>
#include <trotter/standard_system.hpp>

#include "assignment.hpp"
#include "at.hpp"
#include "atom_types.hpp"
#include "options.hpp"

namespace trotter::app::force_field {

/// What forces are made from: the topology with types, its bonds, angles and torsions, and what is constrained.
class Assembly {
public:
    struct Bond {
        int atom1 = 0, atom2 = 0;
        bool is_constrained = false;
        double length = 0;  ///< [nm]; 0 until a force gives it
        int other(int atom) const { return atom == atom1 ? atom2 : atom1; }
    };
    struct Angle {
        std::array<int, 3> atoms;
        bool is_constrained = false;
    };

    /// Lists bonds, angles and torsions, decides what is constrained, and adds particles and virtual sites to the
    /// System.
    Assembly(AtomTypes const& types, Topology const& topology, Assignment const& assignment,
             SystemOptions const& options);

    AtomTypes const& types;
    Topology const& topology;
    Assignment const& assignment;
    Options options;
    StandardSystem system;
    std::vector<std::string> warnings;

    std::vector<std::vector<int>> neighbors;      ///< of each atom, ascending
    std::vector<std::vector<int>> bonds_of_atom;  ///< indices into `bonds`
    std::vector<Bond> bonds;                      ///< as the topology lists them
    std::vector<Angle> angles;                    ///< ascending
    std::vector<std::array<int, 4>> propers;      ///< ascending
    std::vector<std::array<int, 4>> impropers;    ///< the center first

    int type(int atom) const { return assignment.type(atom); }
    template <std::size_t N> std::array<int, N> types_of(std::array<int, N> const& atoms) const {
        std::array<int, N> result;
        for (std::size_t i = 0; i < N; ++i) result[i] = type(atoms[i]);
        return result;
    }

    /// Adds a constraint, once. Throws InputError if the pair has one of another length.
    void add_constraint(int atom1, int atom2, double distance);
    /// Adds those of the templates, which replace others of the pair.
    void add_template_constraints();

    /// Pairs to be taken as bonds where exclusions are found: the bonds, and what extra particles share with atoms.
    std::vector<std::pair<int, int>> exclusion_bonds() const;

    /// Index of the first force of a type among those of the type; adds one if there is none.
    template <class F> int find_or_add() {
        if (system.forces<F>().empty()) system.add(F{});
        return 0;
    }

private:
    void list_bonds();
    void list_angles();
    void list_torsions();
    void add_particles();
    void find_rigid_residues();
    void transfer_hydrogen_masses();
    void constrain_bonds();
    void constrain_angles();
    bool is_rigid(int atom) const { return at(is_rigid_, at(topology.atoms, atom).residue); }
    bool is_hydrogen(int atom) const;

    std::vector<bool> is_rigid_;  // of each residue
    std::map<std::pair<int, int>, double> constraints_;
};

}  // namespace trotter::app::force_field
