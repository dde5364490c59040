// The rows of numbers that both forces of multipoles have in their files: moments and extrapolation coefficients.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/io/forces.hpp>

namespace trotter::amoeba {

inline constexpr std::array<std::string_view, 3> dipole_names{"d0", "d1", "d2"};
inline constexpr std::array<std::string_view, 9> quadrupole_names{"q0", "q1", "q2", "q3", "q4",
                                                                  "q5", "q6", "q7", "q8"};

template <class Names, class Values> void read_numbers(XmlNode const& node, Names const& names, Values& values) {
    node.only(names);
    for (std::size_t n = 0; n < names.size(); ++n) values[n] = node.number(names[n]);
}
template <class Names, class Values>
void write_numbers(XmlWriter& xml, std::string_view element, Names const& names, Values const& values) {
    xml.open(element);
    for (std::size_t n = 0; n < names.size(); ++n) xml.attribute(names[n], values[n]);
    xml.close();
}

/// Reads `<Dipole>` and `<Quadrupole>` of a particle.
template <class Multipole> void read_moments(XmlNode const& node, Multipole& multipole) {
    read_numbers(node.child("Dipole"), dipole_names, multipole.dipole);
    read_numbers(node.child("Quadrupole"), quadrupole_names, multipole.quadrupole);
}
template <class Multipole> void write_moments(XmlWriter& xml, Multipole const& multipole) {
    write_numbers(xml, "Dipole", dipole_names, multipole.dipole);
    write_numbers(xml, "Quadrupole", quadrupole_names, multipole.quadrupole);
}

/// Reads `<ExtrapolationCoefficients>` of a force.
inline std::vector<double> read_coefficients(XmlNode const& force) {
    auto const node = force.child("ExtrapolationCoefficients");
    std::vector<double> result;
    for (std::size_t n = 0; n < node.attributes().size(); ++n) result.push_back(node.number("c" + std::to_string(n)));
    return result;
}
inline void write_coefficients(XmlWriter& xml, std::vector<double> const& coefficients) {
    xml.open("ExtrapolationCoefficients");
    for (std::size_t n = 0; n < coefficients.size(); ++n) xml.attribute("c" + std::to_string(n), coefficients[n]);
    xml.close();
}

}  // namespace trotter::amoeba
