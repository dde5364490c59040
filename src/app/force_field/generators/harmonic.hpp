// Harmonic bonds and angles, and Urey-Bradley terms.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <map>
#include <vector>

#include "app/force_field/assembly.hpp"
#include "definitions.hpp"

namespace trotter::app::force_field {

/// `<HarmonicBondForce>`.
struct HarmonicBonds {
    static constexpr std::string_view tag = "HarmonicBondForce";
    static constexpr bool is_shared = true;  ///< a second element adds to the first

    struct Definition {
        std::array<TypeSelector, 2> selectors;
        double length = 0, k = 0;
    };
    std::vector<Definition> definitions;
    DefinitionIndex index;

    void read(XmlNode const& node, AtomTypes const& types);
    int create(Assembly& assembly) const;
};

/// `<HarmonicAngleForce>`. Its terms are made when the bonds know their lengths.
struct HarmonicAngles {
    static constexpr std::string_view tag = "HarmonicAngleForce";
    static constexpr bool is_shared = true;

    struct Definition {
        std::array<TypeSelector, 3> selectors;
        double angle = 0, k = 0;
    };
    std::vector<Definition> definitions;
    DefinitionIndex index;  ///< of the middle atom

    void read(XmlNode const& node, AtomTypes const& types);
    int create(Assembly&) const { return -1; }
    void finish(Assembly& assembly, int) const;
};

/// `<AmoebaUreyBradleyForce>`: bonds of the outer atoms of angles.
struct UreyBradley {
    static constexpr std::string_view tag = "AmoebaUreyBradleyForce";
    static constexpr bool is_shared = false;

    struct Parameters {
        double k = 0, length = 0;
    };
    /// By the classes or types of the three atoms, in either direction; the first definition counts.
    std::map<std::array<int, 3>, Parameters> by_class, by_type;

    void read(XmlNode const& node, AtomTypes const& types);
    int create(Assembly& assembly) const;
};

}  // namespace trotter::app::force_field
