// A small prmtop file, whose sections tests change.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <vector>

#include "program_files.hpp"

#include <trotter/app/amber/create_system.hpp>

namespace trotter::testing {

/// H-C-C-H with two types of atoms, both of epsilon 0.1 kcal/mol and Rmin 3 angstrom; and a water.
struct PrmtopText {
    struct Section {
        std::string format;  ///< empty for lines that are the section
        std::string values;
    };
    std::map<std::string, Section> sections;

    PrmtopText() {
        set_pointers({{0, 7}, {1, 4}, {11, 2}});
        names("ATOM_NAME", "H1  C1  C2  H2  O   H1  H2");
        names("RESIDUE_LABEL", "MOL WAT");
        names("AMBER_ATOM_TYPE", "HC  CT  CT  HC  OW  HW  HW");
        integers("RESIDUE_POINTER", {1, 5});
        integers("ATOMIC_NUMBER", {1, 6, 6, 1, 8, 1, 1});
        integers("ATOM_TYPE_INDEX", {2, 1, 1, 2, 3, 4, 4});
        reals("CHARGE", {1.82223, -1.82223, -1.82223, 1.82223, -15.0, 7.5, 7.5});
        reals("MASS", {1, 12, 12, 1, 16, 1, 1});
        integers("NONBONDED_PARM_INDEX", {1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 2, 2, 2, 2, 2});
        reals("LENNARD_JONES_ACOEF", {53144.1, 0});
        reals("LENNARD_JONES_BCOEF", {145.8, 0});
        reals("BOND_FORCE_CONSTANT", {100, 200, 553});
        reals("BOND_EQUIL_VALUE", {1.1, 1.5, 0.9572});
        integers("BONDS_INC_HYDROGEN", {0, 3, 1, 6, 9, 1, 12, 15, 3, 12, 18, 3, 15, 18, 3});
        integers("BONDS_WITHOUT_HYDROGEN", {3, 6, 2});
        reals("ANGLE_FORCE_CONSTANT", {50});
        reals("ANGLE_EQUIL_VALUE", {1.9});
        integers("ANGLES_INC_HYDROGEN", {0, 3, 6, 1, 3, 6, 9, 1});
        integers("ANGLES_WITHOUT_HYDROGEN", {});
        reals("DIHEDRAL_FORCE_CONSTANT", {0.15, 0.5});
        reals("DIHEDRAL_PERIODICITY", {3, 1});
        reals("DIHEDRAL_PHASE", {0, 3.14159265});
        integers("DIHEDRALS_INC_HYDROGEN", {0, 3, 6, 9, 1, 0, 3, -6, 9, 2});
        integers("DIHEDRALS_WITHOUT_HYDROGEN", {});
        integers("NUMBER_EXCLUDED_ATOMS", {3, 2, 1, 1, 2, 1, 1});
        integers("EXCLUDED_ATOMS_LIST", {2, 3, 4, 3, 4, 4, 0, 6, 7, 7, 0});
        reals("RADII", {1.2, 1.7, 1.7, 1.2, 1.5, 0.8, 0.8});
        reals("SCREEN", {0.85, 0.72, 0.72, 0.85, 0.85, 0.85, 0.85});
    }
    void set_pointers(std::map<int, int> const& values) {
        std::vector<int> all(31);
        for (auto const& [place, value] : values) all[static_cast<std::size_t>(place)] = value;
        integers("POINTERS", all);
    }
    void integers(std::string const& name, std::vector<int> const& values) {
        std::string text;
        for (std::size_t i = 0; i < values.size(); ++i) {
            auto const number = std::to_string(values[i]);
            text += std::string(8 - number.size(), ' ') + number + (i % 10 == 9 ? "\n" : "");
        }
        sections[name] = {"(10I8)", text};
    }
    void reals(std::string const& name, std::vector<double> const& values) {
        std::string text;
        char buffer[32];
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::snprintf(buffer, sizeof buffer, "%16.8E", values[i]);
            text += std::string{buffer} + (i % 5 == 4 ? "\n" : "");
        }
        sections[name] = {"(5E16.8)", text};
    }
    void names(std::string const& name, std::string const& text) { sections[name] = {"(20a4)", text}; }

    std::string text() const {
        std::string result = "%VERSION  VERSION_STAMP = V0001.000\n%COMMENT none\n";
        for (auto const& [name, section] : sections)
            result += "%FLAG " + name + "\n%FORMAT" + section.format + "\n" + section.values + "\n";
        return result;
    }
    app::Prmtop read(ProgramFiles const& files) const {
        return app::read_prmtop(files.put("a.prmtop", text()), files.names());
    }
    StandardSystem system(ProgramFiles const& files, app::SystemOptions const& options = {}) const {
        return app::create_system(read(files), options);
    }
    std::string refusal(ProgramFiles const& files, app::SystemOptions const& options = {}) const {
        return files.refusal([&] { system(files, options); });
    }
};

}  // namespace trotter::testing
