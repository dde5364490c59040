// Bonds of any number of particles, with an energy formula given at run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/expression/runtime_statement.hpp>
#include <trotter/parts/terms/point_functions.hpp>
#include <trotter/tables/tabulated_function.hpp>

namespace trotter {

/// Groups of particles whose energy is a formula of their coordinates x1, y1, z1, x2, … [nm], not wrapped into the
/// periodic box; of distance(p1, p2), angle(p1, p2, p3) and dihedral(p1, p2, p3, p4) of particles, pointdistance(x1,
/// y1, z1, x2, y2, z2), pointangle and pointdihedral of any points; of tabulated functions, per-bond parameters, and
/// Context parameters. A Context throws InputError for an unknown name in the formula.
struct CustomCompoundBondForce {
    static constexpr std::string_view name = "CustomCompoundBondForce";  ///< type name, in messages and files

    /// Particles that interact, and the parameters of their energy.
    struct Bond {
        std::vector<int> particles{};  ///< `particles_per_bond` particle indices
        std::vector<double> parameters{};  ///< in the order of `parameter_names`
    };
    int particles_per_bond = 1;  ///< number of particles p1, p2, … in the formula
    RuntimeExpression energy{};                            ///< [kJ/mol], made by `formula`
    std::vector<std::string> parameter_names{};            ///< of each bond
    std::vector<TabulatedFunction> tabulated_functions{};  ///< available in the formula
    /// Context parameters that the formula may name, with their defaults.
    std::vector<GlobalParameter> global_parameters{};
    std::vector<std::string> energy_parameter_derivatives{};  ///< parameters by which derivatives are computed
    std::vector<Bond> bonds{};  ///< in any order; messages and updates use their indices
    int force_group = 0;  ///< 0 or more
    bool periodic = false;  ///< take the nearest periodic image of each difference in functions of points and particles
    std::string label{name};  ///< name of this force in files and results

    /// Throws ExpressionError.
    static RuntimeExpression formula(std::string text, std::vector<TabulatedFunction> const& tables = {}) {
        return {std::move(text), AnyName{}, geometric_functions(tables)};
    }

    static constexpr auto terms = &CustomCompoundBondForce::bonds;  ///< the list of terms, found by the generic kernels
    static constexpr std::string_view terms_name = "Bonds", term_name = "Bond";  ///< list and item in XML
    /// Number of particles in each bond.
    int term_size() const { return particles_per_bond; }

    /// The only part: this force with particle functions rewritten as point functions. Throws InputError for invalid
    /// formulas.
    std::tuple<CustomCompoundBondForce> parts() const;

    /// Functions of the formula that use minimum images.
    static std::vector<expression::CustomFunction> image_functions() { return point_functions(); }

    /// Evaluates the custom functions of the formula that follow its tables.
    template <class T, class Geometry>
    static T call(int function, std::span<T const> operands, std::span<T> slopes, Geometry const& geometry) {
        return call_point_function(function, operands, slopes, geometry);
    }
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, CustomCompoundBondForce& force, int particle_count);
void write(XmlWriter& xml, CustomCompoundBondForce const& force);  ///< as an OpenMM Force element

}  // namespace trotter
