// External fields on single particles, with an energy formula given at run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/expression/runtime_statement.hpp>
#include <trotter/parts/terms/variables.hpp>

namespace trotter {

/// Particles whose energy is a formula of their coordinates x, y and z [nm], not wrapped into the periodic box, of
/// per-particle parameters, and of Context parameters. In formulas made by `formula`, periodicdistance(x1, y1, z1, x2,
/// y2, z2) is the distance of two points, or of their nearest periodic images. A Context throws InputError for an
/// unknown name in the formula.
struct CustomExternalForce {
    static constexpr std::string_view name = "CustomExternalForce";  ///< type name, in messages and files

    /// A particle that the field acts on, and its parameters.
    struct Particle {
        int particle = 0;  ///< particle index, from 0
        std::vector<double> parameters{};  ///< in the order of `parameter_names`
    };
    RuntimeExpression energy{};                  ///< [kJ/mol]
    std::vector<std::string> parameter_names{};  ///< of each particle
    /// Context parameters that the formula may name, with their defaults.
    std::vector<GlobalParameter> global_parameters{};
    std::vector<std::string> energy_parameter_derivatives{};  ///< parameters by which derivatives are computed
    std::vector<Particle> affected{};  ///< particles that the field acts on
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    /// Functions available in addition to the built-in ones.
    static std::vector<expression::CustomFunction> functions() { return {{"periodicdistance", 6}}; }
    /// Throws ExpressionError.
    static RuntimeExpression formula(std::string text) { return {std::move(text), AnyName{}, functions()}; }

    static constexpr auto terms = &CustomExternalForce::affected;  ///< the list of terms, found by the generic kernels
    static constexpr std::string_view terms_name = "Particles", term_name = "Particle";  ///< list and item in XML
    static constexpr auto particles = std::array{&Particle::particle};  ///< particle indices of a term
    /// Coordinates [nm], not wrapped into the box.
    static constexpr auto variables =
        std::array{Coordinate{"x", {0}, 0}, Coordinate{"y", {0}, 1}, Coordinate{"z", {0}, 2}};

    /// Functions of the formula that use minimum images.
    static std::vector<expression::CustomFunction> image_functions() { return functions(); }

    /// Returns periodicdistance and writes its derivatives by the operands to `slopes`; nine more operands, whose
    /// values are ignored, are a strain of the box alone.
    template <class T, class Geometry>
    static T call(int, std::span<T const> operands, std::span<T> slopes, Geometry const& geometry) {
        Vec3<T> const own{operands[0] - operands[3], operands[1] - operands[4], operands[2] - operands[5]};
        Vec3<T> const d = geometry.nearest_image(own);
        using detail::max;
        T const distance = max(norm(d), least_distance<T>());
        Vec3<T> const direction = d * bounded_inverse(distance);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            slopes[axis] = axis == 0 ? direction.x : axis == 1 ? direction.y : direction.z;
            slopes[axis + 3] = -slopes[axis];
        }
        if constexpr (std::is_same_v<T, double>)
            for (std::size_t n = 6; n < slopes.size(); ++n) slopes[n] = outer(direction, d - own)[n / 3 - 2][n % 3];
        return distance;
    }
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, CustomExternalForce& force, int particle_count);
void write(XmlWriter& xml, CustomExternalForce const& force);  ///< as an OpenMM Force element

}  // namespace trotter
