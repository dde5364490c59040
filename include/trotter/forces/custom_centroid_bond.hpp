// Bonds between centroids of particle groups, with an energy formula given at run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/expression/runtime_statement.hpp>
#include <trotter/forces/custom_compound_bond.hpp>
#include <trotter/tables/tabulated_function.hpp>

namespace trotter {

/// Bonds between groups of particles, whose energy is a formula as in CustomCompoundBondForce, of the groups'
/// centroids: their coordinates are x1, y1, z1, x2, … and their names g1, g2, … as in distance(g1, g2). Centroids are
/// computed from unwrapped positions.
struct CustomCentroidBondForce {
    static constexpr std::string_view name = "CustomCentroidBondForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member

    /// Particles whose weighted centroid bonds refer to.
    struct Group {
        std::vector<int> particles{};  ///< particle indices, from 0
        std::vector<double> weights{};  ///< relative weights of the particles; empty: their masses

        friend bool operator==(Group const&, Group const&) = default;  ///< compares all members
    };
    /// Groups that interact, and the parameters of their energy.
    struct Bond {
        std::vector<int> groups{};  ///< `groups_per_bond` indices into `groups`
        std::vector<double> parameters{};  ///< in the order of `parameter_names`
    };
    int groups_per_bond = 1;  ///< number of groups g1, g2, … in the formula
    RuntimeExpression energy{};                            ///< [kJ/mol], made by `formula`
    std::vector<std::string> parameter_names{};            ///< of each bond
    std::vector<TabulatedFunction> tabulated_functions{};  ///< available in the formula
    /// Context parameters that the formula may name, with their defaults.
    std::vector<GlobalParameter> global_parameters{};
    std::vector<std::string> energy_parameter_derivatives{};  ///< parameters by which derivatives are computed
    std::vector<Group> groups{};  ///< shared by the bonds
    std::vector<Bond> bonds{};  ///< in any order; messages and updates use their indices
    int force_group = 0;  ///< 0 or more
    bool periodic = false;  ///< take the nearest periodic image of each difference in functions of points and groups
    std::string label{name};  ///< name of this force in files and results

    /// Throws ExpressionError.
    static RuntimeExpression formula(std::string text, std::vector<TabulatedFunction> const& tables = {}) {
        return CustomCompoundBondForce::formula(std::move(text), tables);
    }

    /// The same bonds with centroids as particles. Throws InputError for the first invalid bond.
    CustomCompoundBondForce between_centroids() const;

    /// Calls `connect(i, j)` for pairs that connect all particles of all groups of a bond of several groups.
    template <class Connect> void for_each_connection(Connect const& connect) const {
        for (auto const& bond : bonds)
            for (std::size_t n = 1; n < bond.groups.size(); ++n)
                for (int const group : {bond.groups[0], bond.groups[n]})
                    if (int const count = static_cast<int>(groups.size());
                        group >= 0 && group < count && bond.groups[0] >= 0 && bond.groups[0] < count)
                        connect_all(groups[static_cast<std::size_t>(bond.groups[0])],
                                    groups[static_cast<std::size_t>(group)], connect);
    }

private:
    template <class Connect> static void connect_all(Group const& a, Group const& b, Connect const& connect) {
        for (int const particle : b.particles)
            if (!a.particles.empty()) connect(a.particles[0], particle);
    }
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, CustomCentroidBondForce& force, int particle_count);
void write(XmlWriter& xml, CustomCentroidBondForce const& force);  ///< as an OpenMM Force element

/// Particles and normalized weights of all groups.
class Centroids {
public:
    Centroids() = default;
    /// Throws InputError for the first invalid group.
    Centroids(std::vector<CustomCentroidBondForce::Group> const& groups, std::vector<double> const& masses);

    /// Number of groups.
    std::size_t count() const { return begins_.empty() ? 0 : begins_.size() - 1; }
    /// Offset of each group in `particles`, and the end of the last.
    std::vector<int> const& begins() const { return begins_; }
    /// Particle indices of all groups, consecutively.
    std::vector<int> const& particles() const { return particles_; }
    /// Weight of each entry of `particles`; the sum over a group is 1.
    std::vector<double> const& weights() const { return weights_; }

    /// Calls `visit(particle, weight)` for each member of a group.
    template <class Visit> void for_each_member(std::size_t group, Visit const& visit) const {
        for (auto n = static_cast<std::size_t>(begins_[group]); n < static_cast<std::size_t>(begins_[group + 1]); ++n)
            visit(static_cast<std::size_t>(particles_[n]), weights_[n]);
    }

private:
    std::vector<int> begins_, particles_;
    std::vector<double> weights_;
};

/// Throws InputError unless `changed` has the same groups.
void check_same_groups(CustomCentroidBondForce const& force, CustomCentroidBondForce const& changed);

}  // namespace trotter
