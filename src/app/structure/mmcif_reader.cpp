// Reads PDBx/mmCIF files with the results of OpenMM: names and numbers are the author's, chains are told apart by the
// author's and the label's letters.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>

#include "bond_set.hpp"
#include "component_bonds.hpp"
#include "element_from_name.hpp"
#include "mmcif_atoms.hpp"
#include "mmcif_sequences.hpp"
#include "structure_builder.hpp"

namespace trotter::app {
namespace {

constexpr double angstrom = 0.1;  // nm

class MmcifReader {
public:
    explicit MmcifReader(StructureSource const& source)
        : source_(source),
          star_(source.path, source.text,
                {"atom_site", "cell", "struct_conn", "chem_comp_bond", "entity_poly_seq", "struct_asym",
                 "pdbx_struct_mod_residue"}),
          atoms_(table_of_atoms()),
          columns_(atoms_) {}

    StructureFile read() {
        require_columns();
        if (source_.options.alternate_location == AlternateLocation::occupancy)
            not_taken_ = less_occupied_rows(atoms_, columns_);
        for (std::size_t row = 0; row < atoms_.row_count(); ++row) read_atom(row);
        check_models();
        read_cell();
        read_connections();
        read_component_bonds();
        source_.bonds.add_to(file_.structure.topology);
        if (source_.options.all_bonds) {
            if (!has_disulfides_) add_disulfide_bonds(file_.structure.topology, file_.structure.positions);
            remove_bonds_over_gaps(file_);
        }
        file_.sequences = polymer_sequences(star_);
        file_.modified_residues = modified_residues(star_);
        warn_of_gaps(file_);
        file_.atoms_with_alternates = static_cast<int>(left_out_.size());
        return std::move(file_);
    }

private:
    using AtomKey = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;

    StarTable const& table_of_atoms() const {
        auto const* atoms = star_.find("atom_site");
        if (atoms == nullptr) throw InputError(source_.path + ": holds no atoms, expected a loop of _atom_site");
        return *atoms;
    }
    void require_columns() const;
    void read_atom(std::size_t row);
    bool is_left_out(std::size_t row, AtomKey const& key, std::size_t count) const;
    bool is_same_atom(std::size_t row, std::size_t other) const;
    void add_atom(std::size_t row, AtomKey const& key);
    AtomKey key_of(std::size_t row) const;
    void begin_residue(std::size_t row);
    std::optional<Element> element_of(std::size_t row, std::string const& name) const;
    std::string text(std::size_t row, AtomColumns::Column column) const;
    Vec3<> position(std::size_t row) const;
    double number(std::string_view value, char const* expected) const;
    void check_models() const;
    void read_cell();
    void read_connections();
    void read_component_bonds();

    StructureSource const& source_;
    StarFile star_;
    StarTable const& atoms_;
    AtomColumns columns_;
    StructureFile file_;
    std::map<AtomKey, int> atom_of_key_, atom_of_label_;
    std::map<std::string_view, std::size_t> models_;  // by number, in the order of the file
    std::vector<std::size_t> atoms_of_model_;
    std::vector<std::size_t> first_rows_;  // of each atom in the first model
    std::set<AtomKey> left_out_;           // atoms of the first model with locations that are not taken
    bool has_disulfides_ = false;          // whether struct_conn lists any
    std::vector<bool> not_taken_;          // rows; empty if locations are taken as OpenMM does

    // of the last atom:
    std::optional<std::string_view> chain_, other_chain_, number_;
    std::string_view insertion_code_, label_number_;
    std::unordered_set<std::string> names_in_residue_;
};

void MmcifReader::require_columns() const {
    auto const require = [&](AtomColumns::Column column, char const* name) {
        if (!column) throw InputError(source_.path + ": the loop of _atom_site has no column " + name);
    };
    require(columns_.name, "auth_atom_id or label_atom_id");
    require(columns_.residue_name, "auth_comp_id or label_comp_id");
    require(columns_.number, "auth_seq_id or label_seq_id");
    require(columns_.chain, "auth_asym_id or label_asym_id");
    require(columns_.x, "Cartn_x");
    require(columns_.y, "Cartn_y");
    require(columns_.z, "Cartn_z");
}

void MmcifReader::read_atom(std::size_t row) {
    auto const model_name = columns_.model ? atoms_.value(row, *columns_.model) : "1";
    auto const [model, is_new_model] = models_.emplace(model_name, models_.size());
    if (is_new_model) atoms_of_model_.push_back(0);
    auto& count = atoms_of_model_[model->second];
    auto const key = key_of(row);
    if (is_left_out(row, key, count)) {
        if (model->second == 0) left_out_.insert(key);
        return;
    }
    if (model->second == 0) {
        add_atom(row, key);
        first_rows_.push_back(row);
    } else if (count >= first_rows_.size() || !is_same_atom(row, first_rows_[count])) {
        star_.fail(atoms_.value(row, *columns_.name),
                   "the atom " + text(row, columns_.name) + " of the residue " + text(row, columns_.residue_name) + " "
                       + text(row, columns_.number) + " of model " + std::string(model_name)
                       + " is not the one in its place in the first model");
    }
    if (model->second + 1 == static_cast<std::size_t>(source_.options.model))
        file_.structure.positions.push_back(position(row));
    ++count;
}

/// By the label's number, the chain and the name as in OpenMM, where hetero atoms have one key in common; with all
/// bonds by the author's number.
MmcifReader::AtomKey MmcifReader::key_of(std::size_t row) const {
    if (!source_.options.all_bonds)
        return {atoms_.value(row, columns_.label_number),
                atoms_.value(row, *columns_.chain),
                atoms_.value(row, *columns_.name),
                {}};
    return {atoms_.value(row, *columns_.number), atoms_.value(row, columns_.label_chain),
            atoms_.value(row, columns_.label_name), or_empty(atoms_.value(row, columns_.insertion_code))};
}

/// OpenMM leaves out a location if an atom of the same name and label's number in the chain is there; so of hetero
/// atoms, whose number is a dot, all but the first that have other locations.
bool MmcifReader::is_left_out(std::size_t row, AtomKey const& key, std::size_t count) const {
    if (!not_taken_.empty()) return not_taken_[row];
    if (atoms_.value(row, columns_.alternate) == ".") return false;
    auto const known = atom_of_key_.find(key);
    return known != atom_of_key_.end() && static_cast<std::size_t>(known->second) < count;
}

bool MmcifReader::is_same_atom(std::size_t row, std::size_t other) const {
    for (auto const& column : {columns_.chain, columns_.label_number, columns_.name})
        if (atoms_.value(row, column) != atoms_.value(other, column)) return false;
    return true;
}

void MmcifReader::add_atom(std::size_t row, AtomKey const& key) {
    auto& topology = file_.structure.topology;
    auto const chain = atoms_.value(row, *columns_.chain), other_chain = atoms_.value(row, columns_.other_chain);
    if (chain_ != chain || other_chain_ != other_chain) {
        topology.add_chain(text(row, columns_.chain));
        chain_ = chain;
        other_chain_ = other_chain;
        number_.reset();
    }
    auto const number = atoms_.value(row, *columns_.number),
               insertion_code = or_empty(atoms_.value(row, columns_.insertion_code));
    auto const file_name = text(row, columns_.name);
    auto const label_number = or_empty(atoms_.value(row, columns_.label_number));
    bool const has_other_label = !label_number.empty() && !label_number_.empty() && label_number_ != label_number;
    if (number_ != number || insertion_code_ != insertion_code || has_other_label
        || (number == "." && names_in_residue_.contains(file_name))) {
        begin_residue(row);
        number_ = number;
        label_number_ = label_number;
        insertion_code_ = insertion_code;
    }
    auto const& name = source_.names.atom(topology.residues.back().name, file_name);
    std::optional<int> charge;
    if (auto const whole = parse_integer(atoms_.value(row, columns_.charge)); whole && *whole >= -99 && *whole <= 99)
        charge = static_cast<int>(*whole);
    atom_of_key_[key] = topology.add_atom(name, element_of(row, name), charge);
    if (source_.options.all_bonds)
        atom_of_label_.emplace(AtomKey{atoms_.value(row, columns_.label_number),
                                       atoms_.value(row, columns_.label_chain),
                                       atoms_.value(row, columns_.label_name),
                                       {}},
                               atom_of_key_[key]);
    names_in_residue_.insert(name);
}

void MmcifReader::begin_residue(std::size_t row) {
    auto& topology = file_.structure.topology;
    auto const name = text(row, columns_.residue_name);
    int const added = topology.add_residue(source_.names.residue(name), text(row, columns_.number),
                                           std::string(or_empty(atoms_.value(row, columns_.insertion_code))));
    topology.residues[static_cast<std::size_t>(added)].original_name = name;
    names_in_residue_.clear();
}

std::optional<Element> MmcifReader::element_of(std::size_t row, std::string const& name) const {
    if (columns_.element) return Element::from_symbol(atoms_.value(row, *columns_.element));
    return element_from_name(name, file_.structure.topology.residues.back().name, false);
}

std::string MmcifReader::text(std::size_t row, AtomColumns::Column column) const {
    auto const value = atoms_.value(row, column);
    if (!is_printable(value)) star_.fail(value, "unprintable characters in a name or number of an atom");
    return std::string(value);
}

double MmcifReader::number(std::string_view value, char const* expected) const {
    auto const end = value.ends_with(')') ? value.find('(') : value.npos;  // an uncertainty
    if (auto const parsed = parse_number(value.substr(0, end))) return *parsed;
    star_.fail(value, "\"" + std::string(value.substr(0, 40)) + "\", expected " + expected);
}

Vec3<> MmcifReader::position(std::size_t row) const {
    auto const component = [&](AtomColumns::Column column) {
        return number(atoms_.value(row, *column), "a coordinate [angstrom]") * angstrom;
    };
    return {component(columns_.x), component(columns_.y), component(columns_.z)};
}

void MmcifReader::check_models() const {
    if (static_cast<std::size_t>(source_.options.model) > models_.size())
        refuse_model(source_.path, source_.options.model, models_.size());
    for (auto const& [name, index] : models_)
        if (atoms_of_model_[index] != atoms_of_model_[0])
            throw InputError(source_.path + ": model " + std::string(name) + " has "
                             + std::to_string(atoms_of_model_[index]) + " atoms, expected "
                             + std::to_string(atoms_of_model_[0]) + " as in the first model");
}

void MmcifReader::read_cell() {
    auto const* table = star_.find("cell");
    if (table == nullptr) return;
    UnitCell cell;
    constexpr char const *lengths[] = {"length_a", "length_b", "length_c"},
                         *angles[] = {"angle_alpha", "angle_beta", "angle_gamma"};
    for (std::size_t i = 0; i < 3; ++i) {
        auto const length = or_empty(table->value(0, table->column(lengths[i]))),
                   angle = or_empty(table->value(0, table->column(angles[i])));
        if (length.empty() || angle.empty()) return;  // as of structures from NMR
        cell.lengths[i] = number(length, "the length of a box vector [angstrom]") * angstrom;
        cell.angles[i] = number(angle, "an angle of the box [degrees]");
        if (cell.lengths[i] == 0) return;
    }
    file_.structure.box = box_from_cell(cell);
    if (!file_.structure.box)
        star_.fail(table->value(0, table->column("length_a")),
                   "the box of _cell cannot be, expected three lengths and three angles of a box");
}

/// Bonds of struct_conn; its kinds metalc and hydrog are no covalent bonds.
void MmcifReader::read_connections() {
    auto const* table = star_.find("struct_conn");
    if (table == nullptr) return;
    BondSet bonds(file_.structure.topology);
    auto const kind = table->column("conn_type_id");
    auto const partner = [&](std::size_t row, std::string const& which) {
        auto const value = [&](std::string const& column) { return table->value(row, table->column(column)); };
        bool const all = source_.options.all_bonds;
        // Files of some programs have no author's numbers here.
        bool const by_author = all && value(which + "_auth_seq_id") != ".";
        auto const& atoms = all && !by_author ? atom_of_label_ : atom_of_key_;
        auto const found = atoms.find({value(which + (by_author ? "_auth_seq_id" : "_label_seq_id")),
                                       value(which + "_label_asym_id"), value(which + "_label_atom_id"),
                                       by_author ? or_empty(value("pdbx_" + which + "_pdb_ins_code")) : ""});
        return found == atoms.end() ? std::nullopt : std::optional(found->second);
    };
    for (std::size_t row = 0; row < table->row_count(); ++row) {
        auto const type = table->value(row, kind).substr(0, 6);
        if (type != "covale" && type != "disulf" && type != "modres") continue;
        auto const atom1 = partner(row, "ptnr1"), atom2 = partner(row, "ptnr2");
        if (atom1 && atom2) bonds.add(*atom1, *atom2);
        if (atom1 && atom2 && type == "disulf") has_disulfides_ = true;
    }
}

/// Bonds of chem_comp_bond, which hold for all residues of a name.
void MmcifReader::read_component_bonds() {
    auto const* table = star_.find("chem_comp_bond");
    if (table == nullptr) return;
    ComponentBonds const components(*table);
    auto& topology = file_.structure.topology;
    BondSet bonds(topology);
    for (auto const& residue : topology.residues) components.add(residue, topology, bonds);
}

}  // namespace

StructureFile read_mmcif(StructureSource const& source) { return MmcifReader(source).read(); }

}  // namespace trotter::app
