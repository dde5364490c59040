// Reads PDB files, by the format of version 3.3 and what programs make of it, with the results of OpenMM.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include <trotter/error.hpp>

#include "bond_set.hpp"
#include "disulfide_records.hpp"
#include "element_from_name.hpp"
#include "pdb_model.hpp"
#include "standard_residues.hpp"
#include "structure_builder.hpp"

namespace trotter::app {
namespace {

/// Numbers of atoms, and the texts of those that are no numbers (as of hybrid-36).
class SerialNumbers {
public:
    void add(PdbAtom const& atom, int index) {
        by_number_[atom.serial] = index;
        if (!atom.hybrid_serial.empty()) by_text_[atom.hybrid_serial] = index;
    }
    std::optional<int> find(std::string_view text) const {
        if (auto const number = parse_pdb_serial(text)) return look_up(by_number_, *number);
        return look_up(by_text_, std::string(text));
    }

private:
    template <class Map> static std::optional<int> look_up(Map const& map, typename Map::key_type const& key) {
        auto const found = map.find(key);
        return found == map.end() ? std::nullopt : std::optional(found->second);
    }

    std::unordered_map<int, int> by_number_;
    std::unordered_map<std::string, int> by_text_;
};

/// Texts of the atoms of a record CONECT: the atom and its partners.
using Connection = std::array<std::string_view, 5>;

/// Finds the elements of the atoms of a residue.
class ResidueElements {
public:
    explicit ResidueElements(PdbResidue const& residue) : residue_(residue) {}

    /// `name` is the standard name of the atom. Nothing for extra particles.
    std::optional<Element> find(PdbAtom const& atom, std::string const& name) {
        if (atom.element == "EP") return {};
        if (auto const element = Element::from_symbol(atom.element)) return element;
        if (is_drude_particle(name)) return {};
        return element_from_name(name, stripped(residue_.name), residue_.atom_count == 1);
    }

private:
    /// Drude particles are called D and the name of their atom.
    bool is_drude_particle(std::string const& name) {
        if (!name.starts_with('D')) return false;
        if (names_.empty())
            for (auto const& atom : residue_.atoms) names_.insert(stripped(atom.name));
        return names_.contains(std::string_view(name).substr(1));
    }

    PdbResidue const& residue_;
    std::unordered_set<std::string_view> names_;
};

class PdbReader {
public:
    explicit PdbReader(StructureSource const& source) : source_(source) {}

    StructureFile read() {
        read_lines();
        end_model();
        if (model_count_ == 0) throw InputError(source_.path + ": holds no atoms, expected ATOM or HETATM lines");
        if (!chosen_found_) refuse_model(source_.path, source_.options.model, static_cast<std::size_t>(model_count_));
        add_bonds();
        file_.structure.positions = std::move(chosen_positions_);
        if (source_.options.all_bonds) remove_bonds_over_gaps(file_);
        warn_of_gaps(file_);
        disulfides_.warn_of_others(file_);
        return std::move(file_);
    }

private:
    void read_lines();
    void read_line(PdbLine const& line);
    void read_cell(PdbLine const& line);
    void read_sequence(PdbLine const& line);
    void read_modified_residue(PdbLine const& line);
    void begin_model();
    void end_model();
    void build_topology();
    void add_residue(PdbResidue const& residue);
    std::vector<Vec3<>> positions_of_model() const;
    void add_bonds();
    bool may_be_connected(int atom1, int atom2) const;

    StructureSource const& source_;
    StructureFile file_;
    PdbModel model_;
    bool in_model_ = false;  // whether the present model has begun
    int model_count_ = 0;
    bool chosen_found_ = false;
    std::vector<Vec3<>> first_positions_, chosen_positions_;
    std::vector<Connection> connections_;  // of the last model
    SerialNumbers serials_;
    DisulfideRecords disulfides_;
    std::shared_ptr<std::vector<std::string>> last_sequence_;
};

void PdbReader::read_lines() {
    std::size_t number = 0;
    auto rest = source_.text;
    while (!rest.empty()) {
        auto const length = std::min(rest.find('\n'), rest.size());
        auto line = rest.substr(0, length);
        rest.remove_prefix(std::min(length + 1, rest.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        read_line({source_.path, ++number, line});
    }
}

void PdbReader::read_line(PdbLine const& line) {
    auto const record = line.columns(1, 6);
    if (record == "ATOM  " || record == "HETATM") {
        in_model_ = true;
        model_.add(line, file_.warnings);
    } else if (record == "CONECT") {
        connections_.push_back({line.columns(7, 11), line.columns(12, 16), line.columns(17, 21), line.columns(22, 26),
                                line.columns(27, 31)});
    } else if (record.starts_with("MODEL")) {
        begin_model();
    } else if (record.starts_with("TER") && (record.size() == 3 || record[3] == ' ')) {
        model_.end_chain();
    } else if (record == "CRYST1") {
        read_cell(line);
    } else if (record == "SEQRES") {
        read_sequence(line);
    } else if (record == "MODRES") {
        read_modified_residue(line);
    } else if (record == "SSBOND") {
        disulfides_.add(line);
    }
}

void PdbReader::read_cell(PdbLine const& line) {
    UnitCell cell;
    for (std::size_t i = 0; i < 3; ++i) {
        constexpr double angstrom = 0.1;  // nm
        cell.lengths[i] = line.number_in(7 + 9 * i, 15 + 9 * i, "the length of a box vector [angstrom]") * angstrom;
        cell.angles[i] = line.number_in(34 + 7 * i, 40 + 7 * i, "an angle of the box [degrees]");
    }
    if (std::find(cell.lengths.begin(), cell.lengths.end(), 0) != cell.lengths.end()) return;
    file_.structure.box = box_from_cell(cell);
    if (!file_.structure.box)
        line.fail("the box " + std::string(stripped(line.columns(7, 54)))
                  + " cannot be, expected three lengths and three angles of a box");
}

void PdbReader::read_sequence(PdbLine const& line) {
    std::string const chain(1, line.column(12));
    if (file_.sequences.empty() || file_.sequences.back().chain != chain) {
        last_sequence_ = std::make_shared<std::vector<std::string>>();
        file_.sequences.push_back({chain, last_sequence_});
    }
    auto rest = stripped(line.columns(20, line.text.size()));
    while (!rest.empty()) {
        auto const length = std::min(rest.find_first_of(" \t"), rest.size());
        last_sequence_->emplace_back(rest.substr(0, length));
        rest = stripped(rest.substr(length));
    }
}

void PdbReader::read_modified_residue(PdbLine const& line) {
    file_.modified_residues.push_back({std::string(1, line.column(17)), std::string(stripped(line.columns(19, 22))),
                                       std::string(stripped(line.columns(13, 15))),
                                       std::string(stripped(line.columns(25, 27)))});
}

void PdbReader::begin_model() {
    end_model();
    connections_.clear();
    in_model_ = true;
}

void PdbReader::end_model() {
    if (!in_model_) return;
    ++model_count_;
    if (int const more = model_.repeated_names() - PdbModel::most_warnings; more > 0)
        file_.warnings.push_back(std::to_string(more)
                                 + " further atoms take the place of earlier ones of the same name");
    auto positions = positions_of_model();
    if (model_count_ == 1) {
        build_topology();
        first_positions_ = positions;
    } else if (positions.size() != first_positions_.size()) {
        throw InputError(source_.path + ": model " + std::to_string(model_count_) + " has "
                         + std::to_string(positions.size()) + " atoms, expected "
                         + std::to_string(first_positions_.size()) + " as in the first model");
    }
    if (model_count_ == source_.options.model) {
        chosen_positions_ = std::move(positions);
        chosen_found_ = true;
    }
    model_ = {};
    in_model_ = false;
}

std::vector<Vec3<>> PdbReader::positions_of_model() const {
    std::vector<Vec3<>> positions;
    for (auto const& chain : model_.chains())
        for (auto const& residue : chain.residues) {
            auto const choice = residue.choose(source_.options.alternate_location);
            for (auto const& atom : residue.atoms)
                if (auto const* location = PdbResidue::location(atom, choice)) positions.push_back(location->position);
        }
    return positions;
}

void PdbReader::build_topology() {
    for (auto const& chain : model_.chains()) {
        file_.structure.topology.add_chain(std::string(1, chain.id));  // the letter may be a blank
        for (auto const& residue : chain.residues) add_residue(residue);
    }
}

void PdbReader::add_residue(PdbResidue const& residue) {
    auto& topology = file_.structure.topology;
    auto const choice = residue.choose(source_.options.alternate_location);
    auto const& name = source_.names.residue(choice.residue_name);
    int const added =
        topology.add_residue(name, std::to_string(residue.number), std::string(stripped({&residue.insertion_code, 1})));
    topology.residues[static_cast<std::size_t>(added)].original_name = choice.residue_name;
    ResidueElements elements(residue);
    for (auto const& atom : residue.atoms) {
        if (PdbResidue::location(atom, choice) == nullptr) continue;
        auto const& atom_name = source_.names.atom(name, std::string(stripped(atom.name)));
        if (atom.locations.size() > 1) ++file_.atoms_with_alternates;
        int const index = topology.add_atom(atom_name, elements.find(atom, atom_name), atom.formal_charge);
        serials_.add(atom, index);
    }
}

void PdbReader::add_bonds() {
    auto& topology = file_.structure.topology;
    source_.bonds.add_to(topology);
    add_disulfide_bonds(topology, first_positions_);
    BondSet bonds(topology);
    for (auto const& connection : connections_) {
        auto const atom = serials_.find(connection[0]);
        if (!atom) continue;
        for (std::size_t i = 1; i < connection.size(); ++i)
            if (auto const partner = serials_.find(connection[i]); partner && may_be_connected(*atom, *partner))
                bonds.add(*atom, *partner);
    }
}

/// Whether OpenMM takes over a connection: not one of a metal with a standard residue or water.
bool PdbReader::may_be_connected(int atom1, int atom2) const {
    constexpr std::string_view metals[] = {"Al", "As", "Ba", "Ca", "Cd", "Ce", "Co", "Cs", "Cu", "Dy", "Fe", "Gd",
                                           "Hg", "Ho", "In", "Ir", "K",  "Li", "Mg", "Mn", "Mo", "Na", "Ni", "Pb",
                                           "Pd", "Pt", "Rb", "Rh", "Sm", "Sr", "Te", "Tl", "V",  "W",  "Yb", "Zn"};
    auto const& topology = file_.structure.topology;
    auto const &first = topology.atoms[static_cast<std::size_t>(atom1)],
               &second = topology.atoms[static_cast<std::size_t>(atom2)];
    if (!first.element || !second.element) return true;
    auto const is_metal = [&](Atom const& atom) {
        return std::find(std::begin(metals), std::end(metals), atom.element->symbol()) != std::end(metals);
    };
    auto const is_standard = [&](Atom const& atom) {
        return is_standard_residue(topology.residues[static_cast<std::size_t>(atom.residue)].name);
    };
    if (!is_metal(first) && !is_metal(second)) return true;
    return (is_metal(first) && !is_standard(second)) || (is_metal(second) && !is_standard(first));
}

}  // namespace

StructureFile read_pdb(StructureSource const& source) { return PdbReader(source).read(); }

}  // namespace trotter::app
