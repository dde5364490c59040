// Contents of integrator elements other than numbers.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>
#include <vector>

#include <trotter/integrators/custom.hpp>
#include <trotter/integrators/dpd.hpp>
#include <trotter/integrators/qtb.hpp>
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

template <> struct ContentOf<DPDIntegrator> {
    inline static std::vector<std::string_view> const attributes{};
    inline static std::vector<std::string_view> const children{"ParticleTypes", "TypePairs"};
};
template <> struct ContentOf<QTBIntegrator> {
    inline static std::vector<std::string_view> const attributes{};
    inline static std::vector<std::string_view> const children{"ParticleTypes", "TypeAdaptationRates"};
};

void read_content(XmlNode const& node, int version, CustomIntegrator& integrator);
void write_content(XmlWriter& xml, CustomIntegrator const& integrator);
void read_content(XmlNode const& node, int version, DPDIntegrator& integrator);
void write_content(XmlWriter& xml, DPDIntegrator const& integrator);
void read_content(XmlNode const& node, int version, QTBIntegrator& integrator);
void write_content(XmlWriter& xml, QTBIntegrator const& integrator);

}  // namespace trotter::detail
