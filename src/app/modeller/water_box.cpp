// SPDX-License-Identifier: MIT
#include "app/modeller/water_box.hpp"

#include <trotter/app/data_files.hpp>
#include <trotter/app/structure/read_structure.hpp>
#include <trotter/error.hpp>

namespace trotter::app {
namespace {

int only_oxygen(Topology const& topology, Residue const& residue) {
    int found = -1, count = 0;
    for (int atom = residue.first_atom; atom < residue.first_atom + residue.atom_count; ++atom) {
        auto const& element = topology.atoms[static_cast<std::size_t>(atom)].element;
        if (element && element->symbol() == "O") ++count, found = atom;
    }
    return count == 1 ? found : -1;
}

}  // namespace

WaterBox WaterBox::load(WaterModel model, std::vector<std::string> const& folders) {
    auto const path = find_data_file(model.box_file(), folders);
    ReadStructureOptions options;
    options.data_folders = folders;
    WaterBox box{read_structure(path, options), {}, {}};
    if (!box.structure.box || !box.structure.box->is_rectangular())
        throw InputError(path + ": expected a rectangular box of water");
    box.size = {box.structure.box->a.x, box.structure.box->b.y, box.structure.box->c.z};
    auto const& topology = box.structure.topology;
    for (int index = 0; auto const& residue : topology.residues) {
        int const oxygen = only_oxygen(topology, residue);
        if (oxygen < 0 || residue.atom_count != model.site_count())
            throw InputError(path + ": " + topology.residue_name(index) + " is no water of one oxygen and "
                             + std::to_string(model.site_count()) + " sites in all");
        box.oxygens.push_back(oxygen);
        ++index;
    }
    if (box.oxygens.empty()) throw InputError(path + ": the box of water is empty");
    return box;
}

}  // namespace trotter::app
