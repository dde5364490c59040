// Fills a periodic box with water and ions.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/app/modeller/change_log.hpp>
#include <trotter/app/modeller/water.hpp>
#include <trotter/app/structure.hpp>

namespace trotter::app {

class ForceField;

/// Shapes of periodic boxes.
enum class BoxShape { cube, octahedron, dodecahedron };

/// From `cube`, `octahedron` (truncated) or `dodecahedron` (rhombic). Throws InputError for another name.
BoxShape box_shape(std::string_view name);
/// The box of a shape whose images are `width` [nm] apart.
Box box_of_shape(BoxShape shape, double width);

/// Options of add_solvent. At most one of `padding`, `box` and `count` is given; without them the box is the
/// structure's.
struct AddSolventOptions {
    WaterModel model = WaterModel::named("tip3p");  ///< of the added waters
    std::optional<double> padding{};  ///< the box is the diameter of the solute's sphere wider than this [nm]
    std::optional<Box> box{};         ///< in reduced form
    std::optional<int> count{};       ///< number of molecules to add, waters and ions
    BoxShape shape = BoxShape::cube;  ///< of a box that follows from `padding` or `count`

    std::string positive_ion = "Na+";  ///< `Cs+`, `K+`, `Li+`, `Na+` or `Rb+`
    std::string negative_ion = "Cl-";  ///< `Br-`, `Cl-`, `F-` or `I-`
    double ionic_strength = 0;         ///< of the pairs of ions beside those that neutralize [mol/l]
    bool neutralize = true;            ///< whether ions make up for the charge of the solute
    std::uint64_t seed = 0;            ///< of the choice of waters that ions replace

    std::map<int, std::string> residue_templates{};  ///< index of a residue → name of the template to use for it
    std::vector<std::string> data_folders{};         ///< searched for the water boxes
};

/// The structure in a box of water: which waters, and their order, is determined and equals OpenMM's Modeller. The
/// force field gives the radii of the solute's atoms and the charge to neutralize; the numbers of ions equal OpenMM's.
/// Each ion replaces an added water, chosen by `seed`, more than 0.5 nm from any other added ion or image of it. Waters
/// stand in a new chain, ions in another behind it. Throws InputError for options that exclude one another, for values
/// out of range, for a structure without a box where one is needed, and if there is no room for the ions.
Structure add_solvent(Structure const& structure, ForceField const& force_field, AddSolventOptions const& options,
                      ChangeLog* log = nullptr);

}  // namespace trotter::app
