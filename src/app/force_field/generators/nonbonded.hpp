// Coulomb and Lennard-Jones interactions of all pairs, and the generalized Born model that goes with them.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <vector>

#include "particle_parameters.hpp"

namespace trotter::app::force_field {

/// Whether a long-range correction is due: by the option, else by the force field, else it is. A conflict of the two is
/// a warning.
bool has_dispersion_correction(Assembly& assembly, std::optional<bool> of_force_field);

/// Reads `lj14scale` and `useDispersionCorrection`. Throws InputError if they contradict those of an earlier element.
void read_shared_settings(XmlNode const& node, std::optional<double>& lj_14_scale,
                          std::optional<bool>& dispersion_correction);

/// The corresponding method of a pair force: a lattice sum becomes a cutoff with periodic images.
template <class Method> Method pair_method(NonbondedMethod method) {
    switch (method) {
        case NonbondedMethod::no_cutoff: return Method::no_cutoff;
        case NonbondedMethod::cutoff_non_periodic: return Method::cutoff_non_periodic;
        default: return Method::cutoff_periodic;
    }
}

/// `<NonbondedForce>`.
struct Nonbonded {
    static constexpr std::string_view tag = "NonbondedForce";
    static constexpr bool is_shared = true;  ///< a second element adds to the first

    std::optional<double> coulomb_14_scale, lj_14_scale;  ///< set by the first element
    std::optional<bool> dispersion_correction;
    ParticleParameters parameters{std::string(tag), {"charge", "sigma", "epsilon"}};

    void read(XmlNode const& node, AtomTypes const& types);
    int create(Assembly& assembly) const;
    void finish(Assembly& assembly, int number) const;  ///< adds exceptions
};

/// `<LennardJonesForce>`: Lennard-Jones by tables of pairs of types, some of which have parameters of their own
/// (NBFIX).
struct LennardJones {
    static constexpr std::string_view tag = "LennardJonesForce";
    static constexpr bool is_shared = true;

    struct PairDefinition {
        std::array<TypeSelector, 2> selectors;
        double sigma = 0, epsilon = 0;
    };
    std::optional<double> lj_14_scale;
    std::optional<bool> dispersion_correction;
    ParticleParameters parameters{std::string(tag), {"sigma", "epsilon"}};
    std::vector<PairDefinition> pairs;

    void read(XmlNode const& node, AtomTypes const& types);
    int create(Assembly& assembly) const;
    void finish(Assembly& assembly, int number) const;  ///< adds exclusions and 1-4 terms

private:
    PairDefinition const* find_pair(AtomTypes const& types, int type1, int type2) const;
    void add_14_terms(Assembly& assembly, std::vector<std::pair<int, int>> const& atoms) const;
};

/// `<GBSAOBCForce>`.
struct GBSAOBC {
    static constexpr std::string_view tag = "GBSAOBCForce";
    static constexpr bool is_shared = true;

    ParticleParameters parameters{std::string(tag), {"charge", "radius", "scale"}};

    void read(XmlNode const& node, AtomTypes const& types) { parameters.read(node, types); }
    int create(Assembly& assembly) const;
    void finish(Assembly& assembly, int) const;  ///< the reaction field becomes that of vacuum
};

}  // namespace trotter::app::force_field
