// Reads PSFs: sections by their titles, then atoms and terms.
// SPDX-License-Identifier: MIT
#include <trotter/app/charmm/psf.hpp>

#include <cctype>
#include <map>

#include <fmt/format.h>

#include <trotter/io/file.hpp>

#include "../text/text.hpp"
#include "water.hpp"

namespace trotter::app {
namespace {

// A section: the numbers before its title, and its lines that are not blank.
struct Section {
    std::vector<int> counts;
    Location where;
    std::vector<std::pair<std::string_view, int>> lines;
};

// Sections by the first word of their titles, such as NATOM. A title is `numbers !TITLE`.
class Sections {
public:
    explicit Sections(std::string_view text, std::string_view path) : path_(path) {
        auto const split = lines(text);
        auto const flags = split.empty() ? std::vector<std::string_view>{} : words(split[0]);
        if (flags.empty() || flags[0] != "PSF") refuse({path, 1}, "a PSF must begin with the word PSF");
        for (auto const flag : flags)
            if (flag == "DRUDE") refuse({path, 1}, "polarizable PSFs (DRUDE) are not supported");
        Section* section = nullptr;
        for (std::size_t i = 1; i < split.size(); ++i) {
            if (auto* const begun = begin(split[i], static_cast<int>(i) + 1))
                section = begun;
            else if (section && !stripped(split[i]).empty())
                section->lines.emplace_back(split[i], static_cast<int>(i) + 1);
        }
    }
    Section const* find(std::string_view name) const {
        auto const found = sections_.find(name);
        return found == sections_.end() ? nullptr : &found->second;
    }

private:
    Section* begin(std::string_view line, int number) {
        auto const mark = line.find('!');
        if (mark == line.npos) return nullptr;
        Section section{{}, {path_, number}, {}};
        for (auto const word : words(line.substr(0, mark))) {
            int count = 0;
            if (!parse(word, count)) return nullptr;
            if (count < 0) refuse({path_, number}, fmt::format("a section states {} entries", count));
            section.counts.push_back(count);
        }
        auto const title = words(line.substr(mark + 1));
        if (section.counts.empty() || title.empty()) return nullptr;
        auto name = upper_case(title[0]);
        name.resize(std::min(name.find(':'), name.size()));
        return &(sections_[name] = std::move(section));
    }

    std::string_view path_;
    std::map<std::string, Section, std::less<>> sections_;
};

// The number at the beginning of a residue's number, and the letters behind it.
std::pair<std::string, std::string> residue_number(std::string_view text, Location where) {
    std::size_t digits = text.starts_with('-') ? 1 : 0;
    while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])) != 0) ++digits;
    int number = 0;
    if (!parse(text.substr(0, digits), number))
        refuse(where, fmt::format("the number of a residue is {}, but must begin with an integer", in_quotes(text)));
    std::size_t letters = digits;
    while (letters < text.size() && std::isalpha(static_cast<unsigned char>(text[letters])) != 0) ++letters;
    return {std::to_string(number), std::string{text.substr(digits, letters - digits)}};
}

class Reader {
public:
    Reader(Psf& psf, Sections const& sections, ResidueNames const& names)
        : psf_(psf), sections_(sections), names_(names) {}

    void read() {
        auto const* const atoms = sections_.find("NATOM");
        if (!atoms || atoms->counts[0] < 1) refuse({psf_.path}, "the PSF has no atoms: a section !NATOM is needed");
        if (atoms->lines.size() < static_cast<std::size_t>(atoms->counts[0]))
            refuse(atoms->where,
                   fmt::format("{} atoms are stated, but {} lines follow", atoms->counts[0], atoms->lines.size()));
        for (int i = 0; i < atoms->counts[0]; ++i) read_atom(atoms->lines[static_cast<std::size_t>(i)]);
        for (auto const& bond : terms<2>("NBOND")) add_bond(bond);
        psf_.angles = terms<3>("NTHETA");
        psf_.dihedrals = terms<4>("NPHI");
        psf_.impropers = terms<4>("NIMPHI");
        psf_.cross_terms = terms<8>("NCRTERM");
        read_lone_pairs();
    }

private:
    // `number segment residue-number residue name type charge mass …`
    void read_atom(std::pair<std::string_view, int> const& line) {
        Location const where{psf_.path, line.second};
        auto const upper = upper_case(line.first);
        auto const parts = words(upper);
        if (parts.size() < 8)
            refuse(where, fmt::format("an atom must have 8 values or more, but has {}", parts.size()));
        auto const [number, insertion] = residue_number(parts[2], where);
        auto& topology = psf_.topology;
        std::string const original{parts[3]};
        auto const name = names_.residue(original);
        bool const new_chain = topology.chains.empty() || topology.chains.back().id != parts[1];
        if (new_chain) topology.add_chain(std::string{parts[1]});
        if (new_chain || topology.residues.back().id != number
            || topology.residues.back().insertion_code != insertion) {
            topology.add_residue(name, number, insertion);
            topology.residues.back().original_name = original;
        }
        double const mass = to_real(parts[7], where, "the mass of an atom");
        topology.add_atom(names_.atom(name, std::string{parts[4]}), Element::from_mass(mass));
        psf_.atoms.push_back({std::string{parts[5]}, to_real(parts[6], where, "the charge of an atom"), mass});
    }

    // Lists of N atom numbers, which the section states the number of.
    template <std::size_t N> std::vector<std::array<int, N>> terms(std::string_view name) const {
        std::vector<std::array<int, N>> result;
        auto const* const section = sections_.find(name);
        if (!section) return result;
        std::vector<int> atoms;
        for (auto const& [line, number] : section->lines)
            for (auto const word : words(line))
                atoms.push_back(
                    index(to_integer(word, {psf_.path, number}, "the number of an atom"), {psf_.path, number}));
        auto const count = static_cast<std::size_t>(section->counts[0]);
        if (atoms.size() != count * N)
            refuse(section->where,
                   fmt::format("!{} states {} terms of {} atoms, but {} numbers follow", name, count, N, atoms.size()));
        for (std::size_t i = 0; i < count; ++i) {
            auto& term = result.emplace_back();
            for (std::size_t k = 0; k < N; ++k) term[k] = atoms[N * i + k];
        }
        return result;
    }
    int index(int number, Location where) const {
        if (number < 1 || static_cast<std::size_t>(number) > psf_.atoms.size())
            refuse(where, fmt::format("atom {} does not exist: the PSF has {} atoms", number, psf_.atoms.size()));
        return number - 1;
    }

    void add_bond(std::array<int, 2> const& bond) {
        auto const name = [&](int atom) -> std::string_view {
            return psf_.topology.atoms[static_cast<std::size_t>(atom)].name;
        };
        auto const is_lone_pair = [&](int atom) { return name(atom).starts_with("LP") || name(atom) == "OM"; };
        if (bond[0] == bond[1])
            refuse(sections_.find("NBOND")->where, fmt::format("atom {} is bonded to itself", bond[0] + 1));
        if (is_lone_pair(bond[0]) || is_lone_pair(bond[1])) return;
        bool const hydrogens = name(bond[0]).starts_with('H') && name(bond[1]).starts_with('H');
        if (!hydrogens || !charmm::is_water(psf_.topology, bond[0])) psf_.topology.add_bond(bond[0], bond[1]);
    }

    // `hosts pointer F distance angle dihedral` for each, then the numbers of sites and hosts without a break.
    void read_lone_pairs() {
        auto const* const section = sections_.find("NUMLP");
        if (!section || section->counts[0] == 0) return;
        auto const count = static_cast<std::size_t>(section->counts[0]);
        if (section->lines.size() < count)
            refuse(section->where,
                   fmt::format("{} lone pairs are stated, but {} lines follow", count, section->lines.size()));
        std::vector<std::size_t> host_counts;
        for (std::size_t i = 0; i < count; ++i) {
            auto const& [line, number] = section->lines[i];
            Location const where{psf_.path, number};
            auto const parts = words(line);
            if (parts.size() != 6 || parts[2] != "F" || (parts[0] != "2" && parts[0] != "3"))
                refuse(where, "a lone pair must have 2 or 3 hosts, a pointer, F, a distance and two angles");
            host_counts.push_back(parts[0] == "2" ? 2 : 3);
            auto const value = [&](std::size_t place) {
                return to_real(parts[place], where, "a number of a lone pair");
            };
            psf_.lone_pairs.push_back({0, {}, value(3) / 10, value(4), value(5)});
        }
        std::vector<int> atoms;
        for (std::size_t i = count; i < section->lines.size(); ++i)
            for (auto const word : words(section->lines[i].first))
                atoms.push_back(index(to_integer(word, {psf_.path, section->lines[i].second}, "the number of an atom"),
                                      section->where));
        std::size_t next = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (atoms.size() - next < host_counts[i] + 1)
                refuse(section->where, "the hosts of lone pairs end too early");
            psf_.lone_pairs[i].site = atoms[next];
            for (std::size_t k = 1; k <= host_counts[i]; ++k) psf_.lone_pairs[i].hosts.push_back(atoms[next + k]);
            next += host_counts[i] + 1;
        }
    }

    Psf& psf_;
    Sections const& sections_;
    ResidueNames const& names_;
};

}  // namespace

Psf read_psf(std::string const& path, ResidueNames const& names) {
    Psf psf;
    psf.path = path;
    auto const text = read_file(path);
    Sections const sections{text, path};
    Reader{psf, sections, names}.read();
    return psf;
}

}  // namespace trotter::app
