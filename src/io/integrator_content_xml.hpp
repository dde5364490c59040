// What elements of integrators hold besides numbers.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>
#include <vector>

#include <trotter/integrators/custom.hpp>
#include <trotter/io/xml.hpp>
#include <trotter/io/xml_writer.hpp>

namespace trotter::detail {

/// Attributes and elements that `read_content` reads.
template <class I> struct ContentOf;
template <> struct ContentOf<CustomIntegrator> {
    inline static std::vector<std::string_view> const attributes{"kineticEnergyExpression"};
    inline static std::vector<std::string_view> const children{"GlobalVariables", "PerDofVariables", "Computations",
                                                               "Functions"};
};

void read_content(XmlNode const& node, int version, CustomIntegrator& integrator);
void write_content(XmlWriter& xml, CustomIntegrator const& integrator);

}  // namespace trotter::detail
