// Chemical elements, by their place in the periodic table.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string_view>

namespace trotter::app {

/// A chemical element. Deuterium, which files may name, is one of its own.
class Element {
public:
    /// From a symbol such as `Cl`, in any case; nothing for a text that is no symbol.
    static std::optional<Element> from_symbol(std::string_view symbol);
    /// From an atomic number of 1 to 118; nothing for another number.
    static std::optional<Element> from_atomic_number(int atomic_number);
    /// The element whose mass is nearest to a given one [amu], as files without elements need; nothing for a mass of 0.
    static std::optional<Element> from_mass(double mass);

    std::string_view symbol() const;  ///< such as `Cl`
    std::string_view name() const;    ///< such as `chlorine`
    int atomic_number() const;        ///< 1 to 118
    double mass() const;              ///< average mass [amu]

    friend bool operator==(Element, Element) = default;  ///< whether they are the same

private:
    explicit Element(unsigned char row) : row_(row) {}

    unsigned char row_;  // of the table
};

}  // namespace trotter::app
