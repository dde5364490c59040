// SPDX-License-Identifier: MIT
#include <algorithm>
#include <trotter/base/printable.hpp>
#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>

#include "app/cell_grid.hpp"
#include "app/selection/node.hpp"
#include "app/selection/tokens.hpp"

namespace trotter::app {
namespace {

using Atoms = std::vector<bool>;  // whether each atom is selected
using Node = Selection::Node;

constexpr std::uint64_t most_work = 4'000'000'000;  // comparisons; some seconds

[[noreturn]] void refuse(std::string const& what) { throw InputError("selection: " + what); }

/// Whether a text is as a pattern, in which `*` stands for any letters and `?` for one. The last `*` alone is tried
/// again, so the time is at most the product of the lengths.
bool fits(std::string_view text, std::string_view pattern) {
    std::size_t t = 0, p = 0, star = pattern.npos, from = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*')
            star = p++, from = t;
        else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t]))
            ++p, ++t;
        else if (star != pattern.npos)
            p = star + 1, t = ++from;
        else
            return false;
    }
    return pattern.find_first_not_of('*', p) == pattern.npos;
}

/// Evaluates the nodes of one expression.
class Evaluator {
public:
    Evaluator(Structure const& structure, SelectionData const& data)
        : structure_(structure), topology_(structure.topology), data_(data), count_(topology_.atoms.size()) {}

    Atoms atoms_of(Node const& node) {
        spend(count_);
        return std::visit(*this, node.what);
    }

    Atoms operator()(Node::Constant const& node) { return Atoms(count_, node.is_selected); }
    Atoms operator()(AtomClass node) { return atoms_of_class(node, topology_); }

    Atoms operator()(Node::Match const& node) {
        Atoms selected(count_);
        for (std::size_t atom = 0; atom < count_; ++atom)
            selected[atom] = std::any_of(node.values.begin(), node.values.end(), [&](Node::Value const& value) {
                spend(1 + value.text.size() / 8);
                return has_value(atom, node.field, value);
            });
        return selected;
    }

    Atoms operator()(Node::Compare const& node) {
        Atoms selected(count_);
        for (std::size_t atom = 0; atom < count_; ++atom) {
            auto const number = number_of(atom, node.field);
            if (!number) continue;
            bool const is_equal = *number == node.number && node.comparison.size() == 2;
            selected[atom] = is_equal || (node.comparison[0] == '<' ? *number < node.number : *number > node.number);
        }
        return selected;
    }

    Atoms operator()(Node::Group const& node) {
        auto const group = data_.groups.find(node.name);
        if (group == data_.groups.end()) refuse("the group @" + printable(node.name) + " is not defined");
        Atoms selected(count_);
        for (int const atom : group->second) {
            if (atom < 0 || static_cast<std::size_t>(atom) >= count_)
                refuse("the group @" + printable(node.name) + " has the atom " + std::to_string(atom)
                       + ", but there are " + std::to_string(count_));
            selected[static_cast<std::size_t>(atom)] = true;
        }
        return selected;
    }

    Atoms operator()(Node::Not const& node) {
        Atoms selected = atoms_of(node.of[0]);
        selected.flip();
        return selected;
    }

    Atoms operator()(Node::Join const& node) {
        Atoms selected = atoms_of(node.of[0]);
        for (std::size_t part = 1; part < node.of.size(); ++part) {
            Atoms const other = atoms_of(node.of[part]);
            for (std::size_t atom = 0; atom < count_; ++atom)
                selected[atom] = node.is_or ? selected[atom] || other[atom] : selected[atom] && other[atom];
        }
        return selected;
    }

    Atoms operator()(Node::Near const& node) {
        Atoms const reference = atoms_of(node.of[0]);
        if (structure_.positions.size() != count_) refuse("within needs the positions of the atoms");
        std::vector<Vec3<>> places;
        for (std::size_t atom = 0; atom < count_; ++atom)
            if (reference[atom]) places.push_back(structure_.positions[atom]);
        CellGrid const grid(std::move(places), node.distance, structure_.box);
        Atoms selected(count_);
        for (std::size_t atom = 0; atom < count_; ++atom) {
            if (reference[atom]) {
                selected[atom] = node.includes_reference;
                continue;
            }
            auto const& place = structure_.positions[atom];
            selected[atom] = grid.any_near(place, [&](int other) {
                spend(1);
                return grid.distance(place, other) <= node.distance;
            });
        }
        return selected;
    }

    Atoms operator()(Node::Same const& node) {
        Atoms selected = atoms_of(node.of[0]);
        auto const units = units_of_atoms(node.unit);
        Atoms is_chosen(count_);  // there are no more units than atoms
        for (std::size_t atom = 0; atom < count_; ++atom)
            if (selected[atom]) is_chosen[units[atom]] = true;
        for (std::size_t atom = 0; atom < count_; ++atom) selected[atom] = is_chosen[units[atom]];
        return selected;
    }

    Atoms operator()(Node::Bonded const& node) {
        Atoms const reference = atoms_of(node.of[0]);
        Atoms selected(count_);
        for (auto const& bond : topology_.bonds) {
            auto const atom1 = static_cast<std::size_t>(bond.atom1), atom2 = static_cast<std::size_t>(bond.atom2);
            if (reference[atom1]) selected[atom2] = true;
            if (reference[atom2]) selected[atom1] = true;
        }
        return selected;
    }

private:
    void spend(std::uint64_t work) {
        if (work > left_)
            refuse("it compares too often for this structure; a smaller distance or fewer terms are needed");
        left_ -= work;
    }

    Residue const& residue_of(std::size_t atom) const {
        return topology_.residues[static_cast<std::size_t>(topology_.atoms[atom].residue)];
    }

    bool has_value(std::size_t atom, Field field, Node::Value const& value) const {
        if (field == Field::resid) return has_resid(residue_of(atom), value);
        if (is_number(field)) {
            auto const number = number_of(atom, field);
            return number && value.range->first <= *number && *number <= value.range->second;
        }
        std::string_view const text = text_of(atom, field);
        if (field == Field::element) return in_lower_case(std::string(text)) == in_lower_case(value.text);
        return value.is_quoted ? text == value.text : fits(text, value.text);
    }

    /// A range holds all insertion codes of its numbers; a single number those with exactly its code.
    static bool has_resid(Residue const& residue, Node::Value const& value) {
        if (value.range && value.range->first != value.range->second) {
            auto const number = parse_number(residue.id);
            return number && value.range->first <= *number && *number <= value.range->second;
        }
        auto const& code = residue.insertion_code;
        return value.text.size() == residue.id.size() + code.size() && value.text.starts_with(residue.id)
               && value.text.ends_with(code);
    }

    std::string_view text_of(std::size_t atom, Field field) const {
        auto const& residue = residue_of(atom);
        switch (field) {
            case Field::name:
                return topology_.atoms[atom].name;
            case Field::element:
                return topology_.atoms[atom].element ? topology_.atoms[atom].element->symbol() : std::string_view{};
            case Field::resname:
                return residue.name;
            case Field::chain:
                return topology_.chains[static_cast<std::size_t>(residue.chain)].id;
            case Field::insertion:
                return residue.insertion_code;
            default:
                break;
        }
        if (data_.types.size() != count_) refuse("the types of a force field are not known here");
        return data_.types[atom];
    }

    std::optional<double> number_of(std::size_t atom, Field field) const {
        auto const position = [&]() -> Vec3<> const& {
            if (structure_.positions.size() != count_)
                refuse(std::string(name_of(field)) + " needs the positions of the atoms");
            return structure_.positions[atom];
        };
        switch (field) {
            case Field::resid:
                return parse_number(residue_of(atom).id);
            case Field::resindex:
                return topology_.atoms[atom].residue;
            case Field::index:
                return static_cast<double>(atom);
            case Field::serial:
                return static_cast<double>(atom + 1);
            case Field::x:
                return position().x;
            case Field::y:
                return position().y;
            case Field::z:
                return position().z;
            case Field::charge:
                if (data_.charges.size() != count_) refuse("the charges of atoms are not known here");
                return data_.charges[atom];
            default:
                break;
        }
        if (data_.masses.size() == count_) return data_.masses[atom];
        return topology_.atoms[atom].element ? topology_.atoms[atom].element->mass() : 0;
    }

    /// A number for the residue, chain or molecule of each atom, less than the number of atoms.
    std::vector<std::size_t> units_of_atoms(Unit unit) const {
        std::vector<std::size_t> units(count_);
        if (unit == Unit::molecule) return molecules();
        for (std::size_t atom = 0; atom < count_; ++atom) {
            // Of each residue or chain, the first atom: chains and residues may be empty, so their numbers may be
            // larger.
            auto const& residue = residue_of(atom);
            auto const& chain = topology_.chains[static_cast<std::size_t>(residue.chain)];
            auto const first = unit == Unit::residue
                                   ? residue.first_atom
                                   : topology_.residues[static_cast<std::size_t>(chain.first_residue)].first_atom;
            units[atom] = static_cast<std::size_t>(first);
        }
        return units;
    }

    /// For each atom the first one that it is connected to.
    std::vector<std::size_t> molecules() const {
        auto const bonded = topology_.bonded_atoms();
        std::vector<std::size_t> first(count_, count_);
        std::vector<std::size_t> open;
        for (std::size_t start = 0; start < count_; ++start) {
            if (first[start] < count_) continue;
            first[start] = start;
            open.push_back(start);
            while (!open.empty()) {
                auto const atom = open.back();
                open.pop_back();
                for (int const neighbor : bonded[atom]) {
                    auto const other = static_cast<std::size_t>(neighbor);
                    if (first[other] < count_) continue;
                    first[other] = start;
                    open.push_back(other);
                }
            }
        }
        return first;
    }

    Structure const& structure_;
    Topology const& topology_;
    SelectionData const& data_;
    std::size_t count_;
    std::uint64_t left_ = most_work;
};

}  // namespace

std::vector<bool> evaluate(Node const& node, Structure const& structure, SelectionData const& data) {
    return Evaluator(structure, data).atoms_of(node);
}

}  // namespace trotter::app
