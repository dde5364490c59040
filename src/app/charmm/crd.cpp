// Coordinates of CHARMM: crd files, usual or extended.
// SPDX-License-Identifier: MIT
#include <array>

#include <fmt/format.h>

#include "../coordinate_files.hpp"
#include "../text/text.hpp"

namespace trotter::app {
namespace {

// By columns, as names may touch; files that other programs wrote may be right between blanks only.
Vec3<> position(std::string_view line, bool extended, Location where) {
    auto const first = extended ? std::size_t{40} : std::size_t{20},
               width = extended ? std::size_t{20} : std::size_t{10};
    std::array<double, 3> x{};
    bool by_columns = true;
    for (std::size_t axis = 0; axis < 3; ++axis)
        by_columns = by_columns && parse(columns(line, first + axis * width, width), x[axis]);
    auto const parts = words(line);
    for (std::size_t axis = 0; axis < 3 && !by_columns; ++axis)
        x[axis] = to_real(parts.size() > 6 ? parts[4 + axis] : std::string_view{}, where, "a coordinate");
    if (Vec3<> const v{x[0], x[1], x[2]}; !is_finite(v)) refuse(where, "a coordinate is not finite");
    return {x[0] / 10, x[1] / 10, x[2] / 10};
}

}  // namespace

Coordinates read_charmm_crd(std::string_view text, std::string_view path) {
    auto const split = lines(text);
    std::size_t next = 0;
    while (next < split.size() && (stripped(split[next]).empty() || stripped(split[next]).starts_with('*'))) ++next;
    auto const head = next < split.size() ? words(split[next]) : std::vector<std::string_view>{};
    Location const where{path, static_cast<int>(next) + 1};
    if (head.empty())
        refuse({path}, "a crd file has the number of its atoms behind the title, but this one ends there");
    int const count = to_integer(head[0], where, "the number of atoms");
    if (count < 1 || split.size() - next - 1 < static_cast<std::size_t>(count))
        refuse(where, fmt::format("{} atoms are stated, but {} lines follow", count, split.size() - next - 1));
    bool const extended = count > 99999 || (head.size() > 1 && upper_case(head[1]) == "EXT");
    Coordinates result;
    for (int i = 0; i < count; ++i) {
        ++next;
        result.positions.push_back(position(split[next], extended, {path, static_cast<int>(next) + 1}));
    }
    return result;
}

}  // namespace trotter::app
