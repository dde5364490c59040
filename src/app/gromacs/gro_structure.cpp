// SPDX-License-Identifier: MIT
#include <trotter/app/structure/gro.hpp>

#include <fmt/format.h>

#include <iterator>
#include <optional>

#include <trotter/app/structure/residue_names.hpp>
#include <trotter/app/structure/standard_bonds.hpp>
#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/number_text.hpp>

#include "../coordinate_files.hpp"
#include "../structure/element_from_name.hpp"
#include "../text/text.hpp"

namespace trotter::app {
namespace {

constexpr int wrap_numbers = 100'000;

/// What the columns of an atom's line say besides coordinates.
struct GroAtom {
    std::string residue_number, residue_name, name;
};
GroAtom names_in(std::string_view line) {
    auto const text = [&](std::size_t column) { return std::string(stripped(columns(line, column, 5))); };
    return {text(0), text(5), text(10)};
}

class GroTopology {
public:
    explicit GroTopology(ResidueNames const& names) : names_(names) {}

    /// Adds the atoms of one residue.
    void add(std::vector<GroAtom> const& atoms) {
        if (atoms.empty()) return;
        auto const& first = atoms.front();
        auto const number = parse_integer(first.residue_number);
        bool const goes_on = number && last_number_ && *number == (*last_number_ + 1) % wrap_numbers;
        if (!goes_on) topology_.add_chain(chain_id());
        last_number_ = number;
        auto const residue = names_.residue(first.residue_name);
        topology_.add_residue(residue, first.residue_number);
        topology_.residues.back().original_name = first.residue_name;
        for (auto const& atom : atoms) {
            auto const name = names_.atom(residue, atom.name);
            topology_.add_atom(name, element_from_name(name, residue, atoms.size() == 1));
        }
    }
    Topology take() && { return std::move(topology_); }

private:
    std::string chain_id() const { return std::string(1, static_cast<char>('A' + topology_.chains.size() % 26)); }

    ResidueNames const& names_;
    Topology topology_;
    std::optional<std::int64_t> last_number_;
};

void append_numbers(std::string& text, Vec3<> const& vector, int decimals, int atom, char const* what) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        auto const number = fmt::format("{:8.{}f}", vector[axis], decimals);
        if (number.size() > 8 || !is_finite(vector))
            throw InputError(fmt::format("atom {} has {} {}, expected one that fits into the eight columns of a gro file",
                                         atom, what, format_number(vector[axis])));
        text += number;
    }
}

void append_box(std::string& text, Box const& box) {
    auto const out = std::back_inserter(text);
    fmt::format_to(out, "{:10.5f}{:10.5f}{:10.5f}", box.a.x, box.b.y, box.c.z);
    if (box.b.x != 0 || box.c.x != 0 || box.c.y != 0)
        fmt::format_to(out, "{:10.5f}{:10.5f}{:10.5f}{:10.5f}{:10.5f}{:10.5f}", box.a.y, box.a.z, box.b.x, box.b.z, box.c.x,
                       box.c.y);
    text += '\n';
}

}  // namespace

Structure read_gro_structure(std::string const& path, std::vector<std::string> const& data_folders) {
    auto const text = read_file(path);
    auto coordinates = read_gro(text, path);
    auto const names = ResidueNames::load(data_folders);
    GroTopology topology(names);
    std::vector<GroAtom> residue;
    auto const split = lines(text);
    for (std::size_t i = 0; i < coordinates.positions.size(); ++i) {
        auto atom = names_in(split[2 + i]);
        bool const is_same = !residue.empty() && residue.front().residue_number == atom.residue_number
                             && residue.front().residue_name == atom.residue_name;
        if (!is_same) {
            topology.add(residue);
            residue.clear();
        }
        residue.push_back(std::move(atom));
    }
    topology.add(residue);
    Structure structure{std::move(topology).take(), std::move(coordinates.positions), std::move(coordinates.velocities),
                        coordinates.box};
    StandardBonds::load(data_folders).add_to(structure.topology);
    add_disulfide_bonds(structure.topology, structure.positions);
    return structure;
}

std::string to_gro(Structure const& structure) {
    auto const& topology = structure.topology;
    auto text = fmt::format("Written by Trotter\n{:>5}\n", topology.atoms.size());
    for (int i = 0; i < topology.atom_count(); ++i) {
        auto const index = static_cast<std::size_t>(i);
        auto const& atom = topology.atoms[index];
        auto const& residue = topology.residues[static_cast<std::size_t>(atom.residue)];
        auto const number = parse_integer(residue.id).value_or(atom.residue + 1) % wrap_numbers;
        fmt::format_to(std::back_inserter(text), "{:>5}{:<5}{:>5}{:>5}", number < 0 ? 0 : number, residue.name.substr(0, 5),
                       atom.name.substr(0, 5), (i + 1) % wrap_numbers);
        append_numbers(text, structure.positions[index], 3, i, "the coordinate [nm]");
        if (!structure.velocities.empty()) append_numbers(text, structure.velocities[index], 4, i, "the velocity [nm/ps]");
        text += '\n';
    }
    append_box(text, structure.box.value_or(Box{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}));
    return text;
}

}  // namespace trotter::app
