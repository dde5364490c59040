// SPDX-License-Identifier: MIT
#include <trotter/app/coordinates.hpp>

#include <algorithm>

#include <trotter/app/structure/read_structure.hpp>
#include <trotter/io/file.hpp>

#include "coordinate_files.hpp"
#include "text/text.hpp"

namespace trotter::app {
namespace {

bool is_structure(std::vector<std::string_view> const& text) {
    return std::any_of(text.begin(), text.end(), [](std::string_view line) {
        return line.starts_with("ATOM  ") || line.starts_with("HETATM") || line.starts_with("CRYST1")
               || line.starts_with("_atom_site.");
    });
}

bool is_gro(std::vector<std::string_view> const& text) {
    int count = 0;
    return text.size() > 2 && parse(text[1], count) && is_gro_atom(text[2]);
}

}  // namespace

std::optional<Box> checked_box(Box const& box, bool is_zero, std::string_view path, int line) {
    if (is_zero) return {};
    if (!(box.a.x > 0 && box.b.y > 0 && box.c.z > 0) || !is_finite(box.a) || !is_finite(box.b) || !is_finite(box.c))
        refuse({path, line}, "the box vectors are no periodic box");
    return box;
}

Coordinates read_coordinates(std::string const& path, std::vector<std::string> const& data_folders) {
    auto const text = read_file(path);
    if (text.starts_with("CDF")) return read_netcdf_restart(text, path);
    if (text.starts_with("\x89HDF"))
        refuse({path}, "this is NetCDF-4 (HDF5); restarts are read as NetCDF-3, classic or 64-bit offset");
    auto const split = lines(text);
    if (is_structure(split)) {
        auto structure = read_structure(path, {.data_folders = data_folders});
        return {std::move(structure.positions), std::move(structure.velocities), structure.box};
    }
    if (stripped(text).starts_with('*')) return read_charmm_crd(text, path);
    return is_gro(split) ? read_gro(text, path) : read_inpcrd(text, path);
}

}  // namespace trotter::app
