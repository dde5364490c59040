// Generates kernel source for the constraints of small clusters from the host's formulas.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <string>

#include <trotter/common/constraints/settle.hpp>
#include <trotter/common/constraints/shake.hpp>
#include <trotter/device/constraints/clusters.hpp>
#include <trotter/device/text/traced.hpp>

namespace trotter::device {

/// Returns `text("1")`, `text("2")`, … for each particle of a cluster.
template <class Text> std::string for_particles(ClusterKind kind, Text const& text, char const* between = "\n") {
    std::string result;
    for (int p = 1; p <= particles_of(kind); ++p) result += (p > 1 ? between : "") + text(std::to_string(p));
    return result;
}

/// Source for the particles of one cluster. x1, v1, w1 are position, velocity and inverse mass of its first particle,
/// and so on; start1, … are the positions that give the constraint directions; `shape` points to the parameters of its
/// shape, `tolerance` is the relative tolerance of distances.
class ClusterText {
public:
    explicit ClusterText(ClusterKind kind) : kind_(kind) {}

    std::string const& text() const { return statements_.text(); }
    /// Adds statements that may change variables.
    void add(std::string const& statement) {
        statements_.add(statement);
        statements_.forget();
    }

    /// Removes velocity components that would change a constrained distance.
    void constrain_velocities();
    /// Moves the particles until their distances are satisfied.
    void constrain_positions();

private:
    using Vector = Vec3<Traced>;

    Traced number(std::string const& name) { return {statements_, name}; }
    Vector vector(std::string const& name) { return {number(name + ".x"), number(name + ".y"), number(name + ".z")}; }
    std::string text_of(Vector const& v) const {
        return "make_coordinate3(" + v.x.name(statements_) + ", " + v.y.name(statements_) + ", " + v.z.name(statements_)
               + ')';
    }
    Vector difference(std::string const& a, std::string const& b) {
        return vector(statements_.name(a + " - " + b, "3"));
    }
    Triangle<Traced> triangle() {
        auto const at = [this](int n) {
            return Traced(statements_, statements_.name("shape[" + std::to_string(n) + ']'));
        };
        return {at(0), at(1), at(2), at(3), at(4), at(5), at(6)};
    }
    TriangleEdges<Traced> edges(std::string const& of) {
        return {difference(of + '2', of + '1'), difference(of + '3', of + '1')};
    }

    // The center of mass of the three vectors `of` is conserved.
    void place(std::string const& of, TriangleEdges<Traced> const& before, TriangleEdges<Traced> const& after) {
        auto const t = triangle();
        std::string const shift = text_of(before.centre(t) - after.centre(t)), ab = text_of(after.ab),
                          ac = text_of(after.ac);
        add(of + "1 += " + shift + ";\n" + of + "2 = " + of + "1 + " + ab + ";\n" + of + "3 = " + of + "1 + " + ac
            + ';');
    }

    template <std::size_t K, class Body> void star(Body const& body) {
        if (static_cast<std::size_t>(particles_of(kind_)) == K + 1) return body.template operator()<K>();
        if constexpr (K < 3) star<K + 1>(body);
    }
    template <std::size_t K> std::array<Vector, K> arms(std::string const& of) {
        std::array<Vector, K> result;
        for (std::size_t i = 0; i < K; ++i) result[i] = difference(of + std::to_string(i + 2), of + '1');
        return result;
    }
    template <std::size_t K> auto inverse_masses() {
        std::array<Traced, K> ends;
        for (std::size_t i = 0; i < K; ++i) ends[i] = number('w' + std::to_string(i + 2));
        return ends;
    }
    // Each multiplier moves its end, and the center in the opposite direction.
    template <std::size_t K> void push(std::string const& of, std::array<Traced, K> const& multipliers,
                                       std::array<Vector, K> const& directions) {
        std::string pushes;
        for (std::size_t i = 0; i < K; ++i) {
            std::string const p = std::to_string(i + 2),
                              along = statements_.name(text_of(multipliers[i] * directions[i]), "3");
            pushes += of + p + " += " + along + "*w" + p + ";\n" + of + "1 -= " + along + "*w1;\n";
        }
        add(pushes);
    }
    template <std::size_t K> void constrain_star_velocities() {
        auto const directions = arms<K>("x"), relative = arms<K>("v");
        std::array<Traced, K> change;
        for (std::size_t i = 0; i < K; ++i) change[i] = -dot(directions[i], relative[i]);
        auto const matrix = star_products<Traced, K>(number("w1"), inverse_masses<K>(), directions, directions);
        push<K>("v", solve_small(matrix, change), directions);
    }
    // The iteration limit is in the source; a cluster that does not converge is reported by its first particle.
    template <std::size_t K> void constrain_star_positions() {
        for (std::size_t i = 0; i < K; ++i) {
            std::string const p = std::to_string(i + 2), n = std::to_string(i);
            add("const coordinate3 direction" + n + " = start" + p + " - start1;");
            add("const coordinate distance" + n + " = shape[" + n + "];");
        }
        add("int iteration = 0;\nfor (; iteration < 60; ++iteration) {");
        auto const present = arms<K>("x");
        std::array<Vector, K> directions;
        std::array<Traced, K> excess;
        std::string is_satisfied;
        for (std::size_t i = 0; i < K; ++i) {
            directions[i] = vector("direction" + std::to_string(i));
            Traced const wanted = number("distance" + std::to_string(i)), square = wanted * wanted;
            excess[i] = Traced(0.5) * (square - dot(present[i], present[i]));
            is_satisfied +=
                (i > 0 ? " && " : "")
                + ("fabs(" + excess[i].name(statements_) + ") <= closer(tolerance)*" + square.name(statements_));
        }
        add("if (" + is_satisfied + ") break;");
        auto const step =
            solve_small(star_products<Traced, K>(number("w1"), inverse_masses<K>(), present, directions), excess);
        push<K>("x", step, directions);
        add("}\nif (iteration == 60) failures[0] = atom1 + 1;");
    }

    ClusterKind kind_;
    Statements statements_{"temp", "", "coordinate"};
};

}  // namespace trotter::device
