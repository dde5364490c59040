// Restarts of AMBER in NetCDF (ambermd.org/netcdf/nctraj.xhtml, convention AMBERRESTART 1.0).
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "../coordinate_files.hpp"
#include "../system_building/unit_cell.hpp"
#include "../text/text.hpp"
#include "netcdf_file.hpp"

namespace trotter::app {
namespace {

// From angstrom to nm, or by the variable's own factor.
std::vector<Vec3<>> vectors(NetcdfFile const& file, std::string_view path, std::string_view name) {
    auto const& shape = file.shape(name);
    if (shape.size() == 2 && shape[1] != 3)
        refuse({path}, fmt::format("the NetCDF variable {} must have 3 numbers for each atom", name));
    auto const values = file.values(name);
    if (shape.size() != 2)
        refuse({path}, fmt::format("the NetCDF variable {} must have the dimensions atom and spatial", name));
    double const unit = file.attribute(name, "scale_factor").value_or(1);
    std::vector<Vec3<>> result;
    for (std::size_t i = 0; i + 2 < values.size(); i += 3) {
        Vec3<> const v{values[i] * unit / 10, values[i + 1] * unit / 10, values[i + 2] * unit / 10};
        if (!is_finite(v))
            refuse({path}, fmt::format("the NetCDF variable {} is not finite for atom {}", name, i / 3 + 1));
        result.push_back(v);
    }
    return result;
}

std::optional<Box> box_of(NetcdfFile const& file, std::string_view path) {
    auto const lengths = file.values("cell_lengths"), angles = file.values("cell_angles");
    if (lengths.size() != 3 || angles.size() != 3)
        refuse({path}, "the NetCDF variables cell_lengths and cell_angles must have 3 numbers each");
    bool const is_zero = lengths[0] == 0 && lengths[1] == 0 && lengths[2] == 0;
    return checked_box(
        is_zero ? Box{}
                : box_of_cell(lengths[0] / 10, lengths[1] / 10, lengths[2] / 10, angles[0], angles[1], angles[2]),
        is_zero, path, 0);
}

}  // namespace

Coordinates read_netcdf_restart(std::string_view bytes, std::string_view path) {
    NetcdfFile const file{bytes, path};
    Coordinates result;
    result.positions = vectors(file, path, "coordinates");
    if (file.has("velocities")) result.velocities = vectors(file, path, "velocities");
    if (!result.velocities.empty() && result.velocities.size() != result.positions.size())
        refuse({path}, fmt::format("the file has {} velocities for {} positions", result.velocities.size(),
                                   result.positions.size()));
    if (file.has("cell_lengths") && file.has("cell_angles")) result.box = box_of(file, path);
    return result;
}

}  // namespace trotter::app
