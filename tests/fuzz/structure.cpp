// Reads any bytes as a PDB or mmCIF file, and what was read once more after writing it: the reader returns a structure,
// or throws InputError; written as mmCIF it has the same chains, residues and atoms.
// SPDX-License-Identifier: MIT
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include <trotter/app/structure/find_missing.hpp>
#include <trotter/app/structure/write_structure.hpp>
#include <trotter/error.hpp>
#include <trotter/io/file.hpp>

#include "app/structure/structure_builder.hpp"

namespace {

using namespace trotter;

/// Small tables of names and bonds.
struct Tables {
    Tables() {
        auto name = (std::filesystem::temp_directory_path() / "trotter-fuzz-XXXXXX").string();
        std::filesystem::path const folder = ::mkdtemp(name.data());
        write_file(
            folder / "pdbNames.xml",
            R"(<Residues><Residue name="Protein"><Atom name="H" alt1="HN"/></Residue><Residue name="CYS" alt1="CYX" type="Protein"/>
            <Residue name="ALA" type="Protein"/><Residue name="HOH" alt1="WAT"/></Residues>)");
        write_file(
            folder / "residues.xml",
            R"(<Residues><Residue name="CYS"><Bond from="-C" to="N"/><Bond from="N" to="CA"/><Bond from="CA" to="C"/></Residue>
            <Residue name="ALA"><Bond from="-C" to="N"/><Bond from="CA" to="C"/></Residue><Residue name="HOH"><Bond from="O" to="H1"/></Residue></Residues>)");
        names = app::ResidueNames::load({folder.string()});
        bonds = app::StandardBonds::load({folder.string()});
        std::filesystem::remove_all(folder);
    }
    app::ResidueNames names;
    app::StandardBonds bonds;
};

app::StructureFile read(std::string const& text, app::ReadStructureOptions const& options) {
    static Tables const tables;
    static std::string const path = "fuzz";
    return app::read_structure_text({path, text, options, tables.names, tables.bonds});
}

template <class Action> void tolerate(Action&& action) {
    try {
        action();
    } catch (InputError const&) {}
}

/// Numbers of chains, residues and atoms.
std::array<std::size_t, 3> count_with_atoms(app::Topology const& topology) {
    std::set<int> chains;
    std::size_t residues = 0;
    for (auto const& residue : topology.residues)
        if (residue.atom_count > 0) chains.insert(residue.chain), ++residues;
    return {chains.size(), residues, topology.atoms.size()};
}

void write_and_read(app::Structure const& structure) {
    std::string text;
    tolerate([&] { text = app::to_mmcif(structure); });
    if (text.empty() || structure.topology.atoms.empty()) return;
    auto const again = read(text, {}).structure.topology;
    // mmCIF has a row for each atom, and nothing for residues and chains without.
    if (count_with_atoms(again) != count_with_atoms(structure.topology)) std::abort();
    tolerate([&] { read(app::to_pdb(structure), {}); });
    app::to_json(structure);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string const text(reinterpret_cast<char const*>(data), size);
    tolerate([&] {
        auto const file = read(text, {});
        app::find_missing(file.structure.topology, file.sequences, file.modified_residues, {});
        write_and_read(file.structure);
    });
    tolerate([&] { read(text, {.alternate_location = app::AlternateLocation::occupancy, .model = 2}); });
    return 0;
}
