// Energies of sets of particles by a formula of the run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/box.hpp>
#include <trotter/expression/runtime_statement.hpp>
#include <trotter/parts/pairs/pair_settings.hpp>
#include <trotter/parts/terms/point_functions.hpp>
#include <trotter/tables/tabulated_function.hpp>

namespace trotter {

class RuntimeFormula;

/// An energy of every set of so many particles p1, p2, …: a formula of their distances, angles and dihedral angles, of
/// their coordinates x1, y1, z1, … [nm], which are not taken into the periodic box, of each particle's numbers, with
/// the particle's number in the set behind their names, and of parameters of the Context.
struct CustomManyParticleForce {
    static constexpr std::string_view name = "CustomManyParticleForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member

    /// All pairs, pairs within the cutoff, or pairs within the cutoff between nearest periodic images.
    enum class Method { no_cutoff, cutoff_non_periodic, cutoff_periodic };
    /// Which orders of the particles of a set count. The others are ascending where there are no type filters; where
    /// there are, the first order of them that the filters allow is taken.
    enum class Permutations {
        single,         ///< one; with a cutoff all particles are closer than that to each other
        unique_central  ///< one for each particle as p1; with a cutoff the others are closer than that to it
    };
    /// Parameters and type of a particle.
    struct Particle {
        std::vector<double> parameters{};  ///< in the order of `parameter_names`
        int type = 0;  ///< for `type_filters`
    };
    /// Two particles that are in no set together.
    using Exclusion = PairSettings::Exclusion;
    int particles_per_set = 3;  ///< 1 to 12
    RuntimeExpression energy{};  ///< [kJ/mol]; made by `formula`
    std::vector<std::string> parameter_names{};  ///< of each particle; p1's has 1 appended, and so on
    /// Context parameters that the formula may name, with their defaults.
    std::vector<GlobalParameter> global_parameters{};
    std::vector<TabulatedFunction> tabulated_functions{};  ///< tables that the formula may call
    std::vector<Particle> particles{};  ///< one for each particle of the System
    std::vector<Exclusion> exclusions{};  ///< pairs that do not interact
    std::vector<std::set<int>>
        type_filters{};  ///< types that p1, p2, … may have; an empty set, or none at the end: all
    Permutations permutations = Permutations::single;  ///< which orders of a set count
    Method method = Method::no_cutoff;  ///< all pairs, or those within the cutoff
    double cutoff_distance = 1;  ///< [nm]
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    /// Throws ExpressionError.
    static RuntimeExpression formula(std::string text, std::vector<TabulatedFunction> const& tables = {}) {
        return {std::move(text), AnyName{}, geometric_functions(tables)};
    }
    /// Whether pairs beyond `cutoff_distance` are left out.
    bool uses_cutoff() const { return method != Method::no_cutoff; }
    /// Whether the force needs periodic box vectors.
    bool is_periodic() const { return method == Method::cutoff_periodic; }

    /// The formula as kernels evaluate it; fields are the parameters of p1, then those of p2, …
    /// Throws InputError for a name that nothing stands for.
    RuntimeFormula set_formula() const;
    /// Whether a particle of this type may be the `place`-th of a set, counted from 0.
    bool allows(std::size_t place, int type) const {
        return place >= type_filters.size() || type_filters[place].empty() || type_filters[place].contains(type);
    }
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, CustomManyParticleForce& force, int particle_count);
void write(XmlWriter& xml, CustomManyParticleForce const& force);  ///< as an OpenMM Force element

/// Throws InputError for the first invalid parameter of the force in a System of `particle_count` particles and
/// this box.
void check(CustomManyParticleForce const& force, int particle_count, Box const& box);

}  // namespace trotter
