// Numbers of a prmtop file's sections, checked.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>
#include <vector>

#include <trotter/app/amber/prmtop.hpp>

#include "../text/text.hpp"

namespace trotter::app {

/// Positions in the section POINTERS.
enum class PrmtopPointer { natom = 0, ntypes = 1, nres = 11, nphb = 19, ifpert = 20, ifbox = 27, ifcap = 29 };

/// Converts the sections of a prmtop file. All throw InputError with file and line.
class PrmtopValues {
public:
    explicit PrmtopValues(Prmtop const& prmtop) : prmtop_(prmtop) {}

    /// Whether there is a section of this name.
    bool has(std::string_view name) const { return prmtop_.sections.contains(name); }
    /// The values of a section as text; there must be one of this name.
    std::vector<std::string> const& texts(std::string_view name) const { return section(name).values; }
    /// Values of a section as numbers.
    std::vector<double> reals(std::string_view name) const;
    std::vector<int> integers(std::string_view name) const;
    /// The same; there must be `count` of them.
    std::vector<double> reals(std::string_view name, std::size_t count) const;
    std::vector<int> integers(std::string_view name, std::size_t count) const;
    /// Integers in rows of `width`, those of several sections behind each other.
    std::vector<std::vector<int>> rows(std::vector<std::string_view> const& names, std::size_t width) const;
    /// One of POINTERS; 0 if the section ends before it.
    int pointer(PrmtopPointer which) const;
    /// Number of atoms.
    int atom_count() const { return pointer(PrmtopPointer::natom); }

    /// The value of a parameter list by its number, counted from 1.
    template <class T> T const& at(std::vector<T> const& list, int number, std::string_view name) const {
        if (number < 1 || static_cast<std::size_t>(number) > list.size())
            refuse(where(name), "a term has the parameters " + std::to_string(number) + ", but there are "
                                    + std::to_string(list.size()));
        return list[static_cast<std::size_t>(number - 1)];
    }
    /// Throws unless the index is that of an atom.
    int atom(int index, std::string_view name) const;
    /// The beginning of a section, for messages.
    Location where(std::string_view name) const { return {prmtop_.path, section(name).line}; }
    /// The file, for messages.
    Location file() const { return {prmtop_.path}; }

private:
    PrmtopSection const& section(std::string_view name) const;
    void check_count(std::string_view name, std::size_t count) const;

    Prmtop const& prmtop_;
};

}  // namespace trotter::app
