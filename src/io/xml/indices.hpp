// Reads and writes lists of particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>
#include <string_view>
#include <vector>

#include <trotter/io/xml.hpp>
#include <trotter/io/xml_writer.hpp>

namespace trotter::detail {

inline std::vector<int> read_indices(XmlNode const& list, int last = std::numeric_limits<int>::max()) {
    std::vector<int> result;
    for (auto const element : list.items("Particle")) {
        element.only({"index"});
        result.push_back(element.integer<int>("index", 0, last));
    }
    return result;
}
template <class Indices> void write_indices(XmlWriter& xml, std::string_view list, Indices const& particles) {
    xml.open(list);
    for (int const particle : particles) xml.open("Particle").attribute("index", particle).close();
    xml.close();
}

}  // namespace trotter::detail
