// SPDX-License-Identifier: MIT
#include "pdb_model.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "structure_builder.hpp"

namespace trotter::app {

PdbChoice PdbResidue::choose(AlternateLocation which) const {
    PdbChoice best{std::string(stripped(name)), {}};
    if (which == AlternateLocation::first) return best;
    struct Seen {
        PdbLocation const* first;
        double occupancy = 0;
        int count = 0;
    };
    std::vector<Seen> letters;  // in the order of the file
    std::map<char, std::size_t> index;
    for (auto const& atom : atoms)
        for (auto const& location : atom.locations) {
            if (location.alternate == ' ') continue;
            auto const [found, is_new] = index.emplace(location.alternate, letters.size());
            if (is_new) letters.push_back({&location});
            letters[found->second].occupancy += location.occupancy;
            ++letters[found->second].count;
        }
    double highest = -1;
    for (auto const& letter : letters)
        if (double const mean = letter.occupancy / letter.count; mean > highest) {
            highest = mean;
            best = {std::string(stripped(letter.first->residue_name)), letter.first->alternate};
        }
    return best;
}

PdbLocation const* PdbResidue::location(PdbAtom const& atom, PdbChoice const& choice) {
    PdbLocation const* taken = nullptr;
    for (auto const& location : atom.locations) {
        if (stripped(location.residue_name) == choice.residue_name
            && (taken == nullptr || location.alternate == choice.alternate))
            taken = &location;
        if (!choice.alternate) break;
    }
    return taken;
}

int PdbModel::number_of(PdbAtomLine const& atom) const {
    if (auto const number = parse_pdb_residue_number(atom.residue_number)) return *number;
    // Programs that run out of numbers write stars.
    if (chains_.empty()) return next_residue_;
    auto const& residue = chains_.back().residues.back();
    bool const is_new =
        residue.name != atom.residue_name || atoms_of_residue_.contains(std::string(stripped(atom.name)));
    return is_new ? next_residue_ : residue.number;
}

PdbResidue& PdbModel::residue_for(PdbAtomLine const& atom) {
    int const number = number_of(atom);
    next_residue_ = number + 1;
    bool const is_new_chain = chains_.empty() || chain_ended_ || chains_.back().id != atom.chain;
    if (is_new_chain) chains_.push_back({atom.chain, {}});
    chain_ended_ = false;
    auto& residues = chains_.back().residues;
    bool const is_new = is_new_chain || residues.back().number != number
                        || residues.back().insertion_code != atom.insertion_code
                        || (residues.back().name != atom.residue_name && atom.alternate_location == ' ');
    if (is_new) {
        residues.push_back({std::string(atom.residue_name), number, atom.insertion_code, {}, 0});
        atoms_of_residue_.clear();
    }
    return residues.back();
}

void PdbModel::add(PdbLine const& line, std::vector<std::string>& warnings) {
    PdbAtomLine const read(line);
    auto const serial = parse_pdb_serial(read.serial);
    bool const is_hybrid =
        !serial && !read.serial.empty() && std::isalpha(static_cast<unsigned char>(read.serial.front()));
    PdbAtom atom{std::string(read.name),
                 serial.value_or(next_serial_),
                 is_hybrid ? std::string(read.serial) : std::string{},
                 std::string(read.element),
                 read.formal_charge,
                 {{read.alternate_location, std::string(read.residue_name), read.position, read.occupancy}}};
    next_serial_ = atom.serial + 1;
    auto& residue = residue_for(read);
    auto const [found, is_new] = atoms_of_residue_.emplace(stripped(atom.name), residue.atoms.size());
    if (is_new) {
        residue.atoms.push_back(std::move(atom));
        ++residue.atom_count;
        return;
    }
    auto& known = residue.atoms[found->second];
    bool const is_location = known.name == atom.name
                             && std::none_of(known.locations.begin(), known.locations.end(), [&](auto const& location) {
                                    return location.alternate == read.alternate_location;
                                });
    if (is_location) {
        known.locations.push_back(std::move(atom.locations.front()));
        return;
    }
    if (++repeated_names_ <= most_warnings)
        warnings.push_back("line " + std::to_string(line.number) + ": a second atom " + atom.name + " of the residue "
                           + residue.name + " " + std::to_string(residue.number) + " takes the place of the first");
    known = std::move(atom);
    ++residue.atom_count;
}

void PdbModel::end_chain() {
    chain_ended_ = !chains_.empty();
    next_residue_ = 1;
}

}  // namespace trotter::app
