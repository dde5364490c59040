// SPDX-License-Identifier: MIT
#include "structure_input.hpp"

#include <trotter/app/structure/gro.hpp>
#include <trotter/error.hpp>
#include <trotter/io/file.hpp>

#include "structure_json.hpp"

namespace trotter::program {

using app::FileFormat;

std::string name_of(FileFormat format) {
    switch (format) {
        case FileFormat::pdb: return "a PDB file";
        case FileFormat::mmcif: return "an mmCIF file";
        case FileFormat::gro: return "a gro file";
        case FileFormat::json: return "a topology in JSON";
        case FileFormat::state: return "a State";
        case FileFormat::xml: return "XML of another kind than a State";
        case FileFormat::netcdf: return "a NetCDF file";
        case FileFormat::dcd: return "a DCD trajectory";
        case FileFormat::xtc: return "an XTC trajectory";
        case FileFormat::prmtop: return "a prmtop file of AMBER";
        case FileFormat::top: return "a top file of GROMACS";
        case FileFormat::psf: return "a psf file of CHARMM";
        case FileFormat::crd: return "a CHARMM coordinate file";
        case FileFormat::inpcrd: return "an inpcrd file of AMBER";
        case FileFormat::unknown: break;
    }
    return "no file of a known format";
}

void refuse_format(std::string const& path, FileFormat format, std::string const& expected) {
    bool const is_for_prepare = format == FileFormat::prmtop || format == FileFormat::top || format == FileFormat::psf;
    throw InputError(path + ": is " + name_of(format) + ", expected " + expected
                     + (is_for_prepare ? "; `trotter prepare` makes a System and a structure of it" : ""));
}

std::vector<int> selected_atoms(std::string const& expression, app::Structure const& structure, std::string const& path,
                                app::SelectionData const& data) {
    std::vector<int> atoms;
    try {
        atoms = app::Selection::parse(expression).atoms(structure, data);
    } catch (InputError const& error) {
        throw InputError(std::string("--save: ") + error.what());
    }
    if (atoms.empty())
        throw InputError("--save: '" + expression + "' selects none of the " + std::to_string(structure.positions.size())
                         + " atoms of " + path + ", expected at least one");
    return atoms;
}

app::StructureFile read_named_structure(std::string const& path, StructureInputOptions const& options,
                                        std::string const& what) {
    auto const text = read_file(path, options.max_bytes);
    app::StructureFile file;
    switch (auto const format = app::recognize_format(text)) {
        case FileFormat::pdb:
        case FileFormat::mmcif:
            return app::read_structure_file(path, {.data_folders = options.data_folders, .max_bytes = options.max_bytes});
        case FileFormat::gro:
            file.structure = app::read_gro_structure(path, options.data_folders);
            return file;
        case FileFormat::json:
            file.structure = parse_structure_json(text, path);
            return file;
        default:
            refuse_format(what.empty() ? path : what + " " + path, format, "a PDB, mmCIF, gro or JSON file, which name their atoms");
    }
}

}  // namespace trotter::program
