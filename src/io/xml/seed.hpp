// Reads and writes random seeds: signed 32-bit integers.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

#include <trotter/error.hpp>
#include <trotter/io/xml.hpp>
#include <trotter/io/xml_writer.hpp>

namespace trotter::detail {

inline std::uint64_t read_seed(XmlNode const& node) {
    return static_cast<std::uint64_t>(node.integer<std::int32_t>("randomSeed"));
}
inline void write_seed(XmlWriter& xml, std::uint64_t seed) {
    auto const value = static_cast<std::int64_t>(seed);
    if (value != static_cast<std::int32_t>(value))
        throw InputError("the random seed " + std::to_string(seed)
                         + " cannot be written: OpenMM's files hold 32-bit seeds");
    xml.attribute("randomSeed", value);
}

}  // namespace trotter::detail
