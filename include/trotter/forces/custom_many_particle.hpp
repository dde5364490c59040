// Many-body energies of particle sets, with a formula given at run time.
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

/// An energy of every set of `particles_per_set` particles p1, p2, …: a formula of their distances, angles and dihedral
/// angles, of their coordinates x1, y1, z1, … [nm], not wrapped into the periodic box, of per-particle parameters, with
/// the particle's number in the set appended, and of Context parameters.
struct CustomManyParticleForce {
    static constexpr std::string_view name = "CustomManyParticleForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member

    /// All pairs, pairs within the cutoff, or pairs within the cutoff between nearest periodic images.
    enum class Method { no_cutoff, cutoff_non_periodic, cutoff_periodic };
    /// Which permutations of a set are evaluated. The remaining particles are in ascending order; with type filters, in
    /// the first order that these allow.
    enum class Permutations {
        single,         ///< one; a cutoff applies to all distances in the set
        unique_central  ///< one for each particle as p1; a cutoff applies to the distances from p1
    };
    /// Parameters and type of a particle.
    struct Particle {
        std::vector<double> parameters{};  ///< in the order of `parameter_names`
        int type = 0;  ///< for `type_filters`
    };
    /// Two particles that are never in the same set.
    using Exclusion = PairSettings::Exclusion;
    int particles_per_set = 3;  ///< 1 to 12
    RuntimeExpression energy{};  ///< [kJ/mol]; made by `formula`
    std::vector<std::string> parameter_names{};  ///< of each particle; with 1 appended for p1, and so on
    /// Context parameters that the formula may name, with their defaults.
    std::vector<GlobalParameter> global_parameters{};
    std::vector<TabulatedFunction> tabulated_functions{};  ///< available in the formula
    std::vector<Particle> particles{};  ///< one for each particle of the System
    std::vector<Exclusion> exclusions{};  ///< pairs that do not interact
    std::vector<std::set<int>>
        type_filters{};  ///< allowed types of p1, p2, …; an empty or missing set: all
    Permutations permutations = Permutations::single;  ///< which permutations of a set are evaluated
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

    /// The formula as kernels evaluate it; fields are the parameters of p1, then those of p2, … Throws InputError for
    /// an unknown name.
    RuntimeFormula set_formula() const;
    /// Whether a particle of this type may be number `place` of a set, counted from 0.
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
