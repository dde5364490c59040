// Coordinates of AMBER as text: inpcrd and rst7.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "../coordinate_files.hpp"
#include "../system_building/unit_cell.hpp"
#include "../text/text.hpp"

namespace trotter::app {
namespace {

constexpr double velocity_unit = 20.455;  // [angstrom/ps]: AMBER's unit of time is 1/20.455 ps

// Six numbers of twelve columns.
struct Reader {
    std::string_view path;
    std::vector<std::string_view> text;

    double number(std::size_t line, std::size_t place) const {
        return to_real(columns(text[line], 12 * place, 12), {path, static_cast<int>(line) + 1},
                       fmt::format("number {}", place + 1));
    }
    // Vectors of `count` atoms, two in each line from `first` on.
    std::vector<Vec3<>> vectors(std::size_t first, std::size_t count, double unit) const {
        std::vector<Vec3<>> result;
        for (std::size_t i = 0; i < count; ++i) {
            auto const line = first + i / 2, place = 3 * (i % 2);
            result.push_back({number(line, place) * unit / 10, number(line, place + 1) * unit / 10,
                              number(line, place + 2) * unit / 10});
        }
        return result;
    }
    std::optional<Box> box(std::size_t line) const {
        std::array<double, 6> n{};
        for (std::size_t i = 0; i < 6; ++i) n[i] = number(line, i);
        bool const is_zero = n[0] == 0 && n[1] == 0 && n[2] == 0;
        return checked_box(is_zero ? Box{} : box_of_cell(n[0] / 10, n[1] / 10, n[2] / 10, n[3], n[4], n[5]), is_zero,
                           path, static_cast<int>(line) + 1);
    }
};

// What follows the coordinates.
struct Content {
    bool velocities = false, box = false;
};

// One or two atoms with one more line: velocities, or a box, whose angles are 60 or more and velocities never.
Content content_of_fourth_line(Reader const& reader, std::size_t atoms) {
    auto const line = reader.text[3];
    bool box = atoms == 1 && stripped(line).size() > 36;
    if (atoms == 2)
        for (std::size_t place = 0; place < 6; ++place) box = box || reader.number(3, place) >= 60;
    return {.velocities = !box, .box = box};
}

Content content_of(Reader const& reader, std::size_t atoms) {
    auto const rows = (atoms + 1) / 2, count = reader.text.size();
    if (count == rows + 2) return {};
    if (atoms <= 2 && count == 4) return content_of_fourth_line(reader, atoms);
    if (count == rows + 3) return {.box = true};
    if (count == 2 * rows + 2) return {.velocities = true};
    if (count == 2 * rows + 3) return {.velocities = true, .box = true};
    refuse({reader.path},
           fmt::format("it has {} lines, which fit no coordinates of {} atoms with or without velocities and box",
                       count, atoms));
}

}  // namespace

Coordinates read_inpcrd(std::string_view text, std::string_view path) {
    Reader reader{path, lines(text)};
    while (!reader.text.empty() && stripped(reader.text.back()).empty()) reader.text.pop_back();
    auto const head = reader.text.size() < 2 ? std::vector<std::string_view>{} : words(reader.text[1]);
    int count = 0;
    if (head.empty() || !parse(head[0], count) || count < 1)
        refuse(
            {path},
            "it is none of the known files of coordinates: inpcrd, rst7, NetCDF restart, gro, CHARMM crd, PDB, mmCIF");
    auto const atoms = static_cast<std::size_t>(count), rows = (atoms + 1) / 2;
    auto const content = content_of(reader, atoms);
    Coordinates result;
    result.positions = reader.vectors(2, atoms, 1);
    if (content.velocities) result.velocities = reader.vectors(2 + rows, atoms, velocity_unit);
    if (content.box) result.box = reader.box(reader.text.size() - 1);
    return result;
}

}  // namespace trotter::app
