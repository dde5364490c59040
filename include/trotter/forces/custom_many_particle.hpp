// Energies of sets of particles by a formula of the run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/expression/runtime_statement.hpp>
#include <trotter/field.hpp>
#include <trotter/forces/pair_settings.hpp>
#include <trotter/forces/point_functions.hpp>
#include <trotter/tables/tabulated_function.hpp>

namespace trotter {

class RuntimeFormula;

/// An energy of every set of so many particles p1, p2, …: a formula of their distances, angles and dihedral angles, of
/// their coordinates x1, y1, z1, … [nm], which are not taken into the periodic box, of each particle's numbers, with
/// the particle's number in the set behind their names, and of parameters of the Context.
struct CustomManyParticleForce {
    static constexpr std::string_view name = "CustomManyParticleForce";
    static constexpr bool is_all_members = true;

    enum class Method { no_cutoff, cutoff_non_periodic, cutoff_periodic };
    /// Which orders of the particles of a set count. The others are ascending where there are no type filters; where
    /// there are, the first order of them that the filters allow is taken.
    enum class Permutations {
        single,         ///< one; with a cutoff all particles are closer than that to each other
        unique_central  ///< one for each particle as p1; with a cutoff the others are closer than that to it
    };
    struct Particle {
        std::vector<double> parameters{};  ///< in the order of `parameter_names`
        int type = 0;
    };
    /// Two particles that are in no set together.
    using Exclusion = PairSettings::Exclusion;
    int particles_per_set = 3;
    RuntimeExpression energy{};  ///< [kJ/mol]; made by `formula`
    std::vector<std::string> parameter_names{};
    std::vector<GlobalParameter> global_parameters{};
    std::vector<TabulatedFunction> tabulated_functions{};
    std::vector<Particle> particles{};  ///< one for each particle of the System
    std::vector<Exclusion> exclusions{};
    std::vector<std::set<int>>
        type_filters{};  ///< types that p1, p2, … may have; an empty set, or none at the end: all
    Permutations permutations = Permutations::single;
    Method method = Method::no_cutoff;
    double cutoff_distance = 1;  ///< [nm]
    int force_group = 0;
    std::string label{name};

    /// Throws ExpressionError.
    static RuntimeExpression formula(std::string text, std::vector<TabulatedFunction> const& tables = {}) {
        return {std::move(text), AnyName{}, geometric_functions(tables)};
    }
    bool uses_cutoff() const { return method != Method::no_cutoff; }
    bool is_periodic() const { return method == Method::cutoff_periodic; }

    /// The formula as kernels evaluate it; fields are the parameters of p1, then those of p2, …
    /// Throws InputError for a name that nothing stands for.
    RuntimeFormula set_formula() const;
    /// Whether a particle of this type may be the `place`-th of a set, counted from 0.
    bool allows(std::size_t place, int type) const {
        return place >= type_filters.size() || type_filters[place].empty() || type_filters[place].contains(type);
    }
};

void read(XmlNode const& node, CustomManyParticleForce& force, int particle_count);
void write(XmlWriter& xml, CustomManyParticleForce const& force);

/// Throws InputError for the first number of the force that makes no sense in a System of `particle_count` particles
/// and this box.
void check(CustomManyParticleForce const& force, int particle_count, Box const& box);

}  // namespace trotter
