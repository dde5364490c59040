// Classes of atoms that selections name.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <trotter/app/topology.hpp>
#include <vector>

namespace trotter::app {

/// A class of atoms; docs/how-to/selections.md defines them.
enum class AtomClass {
    protein,
    nucleic,
    backbone,
    sidechain,
    water,
    ion,
    lipid,
    sugar,
    hetero,
    heavy,
    hydrogen,
    polymer,
    solvent,
    ligand,
    virtual_site
};

/// The class with a name in any case.
std::optional<AtomClass> class_named(std::string_view name);
std::string_view name_of(AtomClass atom_class);
/// All names, for messages.
std::string names_of_classes();

/// Whether each atom belongs to the class.
std::vector<bool> atoms_of_class(AtomClass atom_class, Topology const& topology);

}  // namespace trotter::app
