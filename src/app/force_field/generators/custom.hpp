// Forces with formulas of the user's.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <vector>

#include "custom_parts.hpp"
#include "impropers.hpp"
#include "particle_parameters.hpp"

namespace trotter::app::force_field {

/// `<CustomBondForce>`.
struct CustomBonds {
    static constexpr std::string_view tag = "CustomBondForce";
    static constexpr bool is_shared = false;  ///< each element is a force of its own

    struct Definition {
        std::array<TypeSelector, 2> selectors;
        std::vector<double> values;
    };
    CustomBondForce force;  ///< without terms
    std::vector<Definition> definitions;

    void read(XmlNode const& node, AtomTypes const& types);
    int create(Assembly& assembly) const;
};

/// `<CustomAngleForce>`.
struct CustomAngles {
    static constexpr std::string_view tag = "CustomAngleForce";
    static constexpr bool is_shared = false;

    struct Definition {
        std::array<TypeSelector, 3> selectors;
        std::vector<double> values;
    };
    CustomAngleForce force;  ///< without terms
    std::vector<Definition> definitions;

    void read(XmlNode const& node, AtomTypes const& types);
    int create(Assembly& assembly) const;
};

/// `<CustomTorsionForce>`.
struct CustomTorsions {
    static constexpr std::string_view tag = "CustomTorsionForce";
    static constexpr bool is_shared = false;

    struct Definition {
        ImproperDefinition atoms;
        std::vector<double> values;
    };
    CustomTorsionForce force;  ///< without terms
    std::vector<Definition> propers, impropers;

    void read(XmlNode const& node, AtomTypes const& types);
    int create(Assembly& assembly) const;
};

/// `<CustomNonbondedForce>`.
struct CustomNonbonded {
    static constexpr std::string_view tag = "CustomNonbondedForce";
    static constexpr bool is_shared = false;

    CustomNonbondedForce force;  ///< without particles
    int bond_cutoff = 0;  ///< pairs that at most so many bonds separate do not interact
    ParticleParameters parameters{std::string(tag), {}};

    void read(XmlNode const& node, AtomTypes const& types);
    int create(Assembly& assembly) const;
    void finish(Assembly& assembly, int number) const;  ///< adds exclusions
};

/// `<CustomGBForce>`.
struct CustomGB {
    static constexpr std::string_view tag = "CustomGBForce";
    static constexpr bool is_shared = false;

    CustomGBForce force;  ///< without particles
    ParticleParameters parameters{std::string(tag), {}};

    void read(XmlNode const& node, AtomTypes const& types);
    int create(Assembly& assembly) const;
};

/// `<CustomManyParticleForce>`.
struct CustomManyParticle {
    static constexpr std::string_view tag = "CustomManyParticleForce";
    static constexpr bool is_shared = false;

    CustomManyParticleForce force;  ///< without particles
    int bond_cutoff = 0;            ///< as above
    ParticleParameters parameters{std::string(tag), {}};

    void read(XmlNode const& node, AtomTypes const& types);
    int create(Assembly& assembly) const;
    void finish(Assembly& assembly, int number) const;  ///< adds exclusions
};

/// `<CustomHbondForce>`.
struct CustomHbonds {
    static constexpr std::string_view tag = "CustomHbondForce";
    static constexpr bool is_shared = false;

    struct Definition {
        std::array<TypeSelector, 3> selectors;  ///< the first ones count
        std::vector<double> values;
    };
    CustomHbondForce force;  ///< without donors and acceptors
    int bond_cutoff = 0;     ///< an acceptor this near to a donor does not interact with it
    int atoms_per_donor = 1, atoms_per_acceptor = 1;  ///< 1 to 3
    std::vector<Definition> donors, acceptors;

    void read(XmlNode const& node, AtomTypes const& types);
    int create(Assembly& assembly) const;
};

}  // namespace trotter::app::force_field
