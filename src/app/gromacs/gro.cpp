// Coordinates of GROMACS: gro files, the first frame.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "../coordinate_files.hpp"
#include "../system_building/unit_cell.hpp"
#include "../text/text.hpp"

namespace trotter::app {
namespace {

// Columns of a coordinate: as many as there are from one decimal point to the next. 0 if there are no two.
std::size_t width_of(std::string_view line) {
    auto const first = line.find('.', 20);
    auto const second = first == line.npos ? first : line.find('.', first + 1);
    return second == line.npos ? 0 : second - first;
}

Vec3<> vector_at(std::string_view line, std::size_t column, std::size_t width, Location where, std::string_view what) {
    auto const number = [&](std::size_t axis) {
        return to_real(columns(line, column + axis * width, width), where, what);
    };
    return {number(0), number(1), number(2)};
}

std::optional<Box> box_of(std::string_view line, std::string_view path, int number) {
    std::array<double, 9> n{};
    auto const parts = words(line);
    if (parts.size() != 3 && parts.size() != 9)
        refuse({path, number},
               fmt::format(
                   "the box has {} numbers, but must have 3 or 9; the file may have more or fewer atoms than it states",
                   parts.size()));
    for (std::size_t i = 0; i < parts.size(); ++i) n[i] = to_real(parts[i], {path, number}, "a number of the box");
    bool const is_zero = n[0] == 0 && n[1] == 0 && n[2] == 0;
    Box box{{n[0], n[3], n[4]}, {n[5], n[1], n[6]}, {n[7], n[8], n[2]}};
    return checked_box(is_zero || parts.size() == 3 ? box : reduced_box(box), is_zero, path, number);
}

}  // namespace

bool is_gro_atom(std::string_view line) {
    int number = 0;
    double value = 0;
    if (!parse(columns(line, 15, 5), number) && !parse(columns(line, 16, 4), number)) return false;
    auto const width = width_of(line);
    if (width < 2 || width > 100) return false;
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (!parse(columns(line, 20 + axis * width, width), value)) return false;
    return true;
}

Coordinates read_gro(std::string_view text, std::string_view path) {
    auto const split = lines(text);
    int const count = split.size() < 2 ? -1 : to_integer(split[1], {path, 2}, "the number of atoms");
    if (count < 0 || split.size() < static_cast<std::size_t>(count) + 3)
        refuse({path, 2}, fmt::format("{} atoms are stated, but the file has {} lines", count, split.size()));
    Coordinates result;
    auto const atoms = static_cast<std::size_t>(count);
    for (std::size_t i = 0; i < atoms; ++i) {
        auto const line = split[2 + i];
        Location const where{path, static_cast<int>(i) + 3};
        auto const width = width_of(line);
        if (width < 2)
            refuse(where, "an atom of a gro file has three coordinates with decimal points from column 21 on");
        result.positions.push_back(vector_at(line, 20, width, where, "a coordinate"));
        // Velocities have one digit less before and one more behind the point: as many columns.
        if (!stripped(columns(line, 20 + 3 * width, 3 * width)).empty())
            result.velocities.push_back(vector_at(line, 20 + 3 * width, width, where, "a velocity"));
    }
    if (!result.velocities.empty() && result.velocities.size() != atoms)
        refuse({path}, fmt::format("{} of {} atoms have velocities, but all or none must have them",
                                   result.velocities.size(), atoms));
    result.box = box_of(split[2 + atoms], path, count + 3);
    return result;
}

}  // namespace trotter::app
