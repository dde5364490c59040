// Models of water, and their sites.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

#include <trotter/app/modeller/change_log.hpp>
#include <trotter/app/structure.hpp>

namespace trotter::app {

/// A model of water, as far as its geometry and its size matter for the place of molecules.
class WaterModel {
public:
    /// From its name: `tip3p`, `spce`, `tip4pew` or `tip5p`; `opc3` and `tip3pfb` are placed as `tip3p`, `opc` and
    /// `tip4pfb` as `tip4pew`. Throws InputError for another name.
    static WaterModel named(std::string_view name);

    std::string_view name() const;  ///< as it was asked for
    int site_count() const;         ///< oxygen, two hydrogens and the extra particles
    std::string box_file() const;   ///< name of the data file with an equilibrated box: `tip3p.pdb`
    /// Van der Waals radius of the oxygen [nm], as radius_by_sigma gives it.
    double radius() const;

    /// Half the distance of the minimum of Lennard-Jones energy by sigma: 2^(1/6)/2, in the digits that OpenMM has.
    static constexpr double radius_by_sigma = 0.5612310241546864907;

    struct Row;  ///< of the table of models

private:
    explicit WaterModel(Row const& row) : row_(&row) {}

    Row const* row_;
};

/// The structure with all waters (residues called HOH) in another model: extra particles are removed, or added behind
/// the hydrogens at their place by the geometry of TIP4P-Ew or TIP5P, as in OpenMM's Modeller. Throws InputError for a
/// water that is not one oxygen and two hydrogens.
Structure convert_water(Structure const& structure, WaterModel model, ChangeLog* log = nullptr);

}  // namespace trotter::app
