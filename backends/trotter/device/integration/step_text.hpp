// Device text for products of kicks, drifts and Ornstein-Uhlenbeck steps: each cluster of particles by one work-item.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/device/integration/clusters.hpp>
#include <trotter/device/traced.hpp>
#include <trotter/host/constraints/settle.hpp>
#include <trotter/host/constraints/shake.hpp>

namespace trotter::device {

/// What a `Splitting` says of its letters. An S, which no `Splitting` has, scales velocities by the number of the bath
/// that the particle is in.
struct Product {
    std::string letters;
    std::vector<bool> constrain_positions_after, constrain_velocities_after, needs_new_forces;
    std::size_t gathers_before = no_letter;  ///< where something must be known of all particles

    static constexpr std::size_t no_letter = std::string::npos;

    Product() = default;

    template <class S> explicit Product(S const& splitting) : letters(splitting.letters.begin(), splitting.letters.end()) {
        for (std::size_t i = 0; i < letters.size(); ++i) {
            constrain_positions_after.push_back(splitting.constrain_positions_after(i));
            constrain_velocities_after.push_back(splitting.constrain_velocities_after(i));
            needs_new_forces.push_back(splitting.needs_new_forces(i));
        }
    }
    /// How many R's stand in the run of R and O that ends at `last`.
    int drifts_of_run(std::size_t last) const {
        int drifts = 0;
        for (std::size_t k = last + 1; k-- > 0 && letters[k] != 'V';) drifts += letters[k] == 'R';
        return drifts;
    }
    /// Letters before `i` that draw noise.
    int draws_before(std::size_t i) const {
        int draws = 0;
        for (std::size_t k = 0; k < i; ++k) draws += letters[k] == 'O';
        return draws;
    }
};

/// Writes what happens to the particles of a cluster. In the text, x1, v1, f1, w1 are position, velocity, force and
/// inverse mass of its first particle, and so on; `shape` points to the numbers of its shape.
class ClusterText {
public:
    ClusterText(ClusterKind kind, Product const& product) : kind_(kind), product_(product) {}

    std::string act(std::size_t first, std::size_t end) {
        add("coordinate3 " + each([](std::string const& p) { return "start" + p + " = x" + p; }, ", ") + ';');
        for (std::size_t i = first; i < end; ++i) {
            if (product_.letters[i] == 'V') for_each([](std::string const& p) { return 'v' + p + " += f" + p + "*(numbers.kick*w" + p + ");"; });
            if (product_.letters[i] == 'R') for_each([](std::string const& p) { return 'x' + p + " += v" + p + "*numbers.drift;"; });
            if (product_.letters[i] == 'O') {
                std::string const draw = "draw + " + std::to_string(product_.draws_before(i));
                for_each([&](std::string const& p) {
                    return "{ const real3 normal = normals(seed, stream, " + draw + ", atom" + p + ");\n"
                           + "const coordinate spread = numbers.noise*sqrt((real) w" + p + ");\n"
                           + 'v' + p + " = v" + p + "*numbers.decay + make_coordinate3(spread*normal.x, spread*normal.y, spread*normal.z); }";
                });
            }
            if (product_.letters[i] == 'S') for_each([](std::string const& p) { return 'v' + p + " = v" + p + "*stored[bath" + p + "];"; });
            statements_.forget();
            if (kind_ == ClusterKind::free) continue;
            if (product_.constrain_velocities_after[i]) constrain_velocities();
            if (product_.constrain_positions_after[i]) constrain_positions(product_.drifts_of_run(i));
        }
        return statements_.text();
    }

private:
    using Vector = Vec3<Traced>;

    void add(std::string const& statement) { statements_.add(statement); }
    template <class Text> std::string each(Text const& text, char const* between) const {
        std::string result;
        for (int p = 1; p <= particles_of(kind_); ++p) result += (p > 1 ? between : "") + text(std::to_string(p));
        return result;
    }
    template <class Text> void for_each(Text const& text) { add(each(text, "\n")); }

    Traced number(std::string const& name) { return {statements_, name}; }
    Vector vector(std::string const& name) { return {number(name + ".x"), number(name + ".y"), number(name + ".z")}; }
    std::string text(Vector const& v) const {
        return "make_coordinate3(" + v.x.text(statements_) + ", " + v.y.text(statements_) + ", " + v.z.text(statements_) + ')';
    }
    Vector difference(std::string const& a, std::string const& b) { return vector(statements_.name(a + " - " + b, "3")); }
    Triangle<Traced> triangle() {
        auto const at = [this](int n) { return Traced(statements_, statements_.name("shape[" + std::to_string(n) + ']')); };
        return {at(0), at(1), at(2), at(3), at(4), at(5), at(6)};
    }
    TriangleEdges<Traced> edges(std::string const& of) { return {difference(of + '2', of + '1'), difference(of + '3', of + '1')}; }

    // The centre of mass of the three vectors `of` stays.
    void place(std::string const& of, TriangleEdges<Traced> const& before, TriangleEdges<Traced> const& after) {
        auto const t = triangle();
        std::string const shift = text(before.centre(t) - after.centre(t)), ab = text(after.ab), ac = text(after.ac);
        add(of + "1 += " + shift + ";\n" + of + "2 = " + of + "1 + " + ab + ";\n" + of + "3 = " + of + "1 + " + ac + ';');
        statements_.forget();
    }

    void constrain_velocities() {
        if (kind_ == ClusterKind::triangle) {
            auto const relative = edges("v");
            return place("v", relative, rigid_motion(triangle(), edges("x"), relative));
        }
        star<1>([this]<std::size_t K>() { constrain_star_velocities<K>(); });
    }
    void constrain_positions(int drifts) {
        add("coordinate3 " + each([](std::string const& p) { return "free" + p + " = x" + p; }, ", ") + ';');
        if (kind_ == ClusterKind::triangle) {
            auto const moved = edges("x");
            place("x", moved, settled(triangle(), edges("start"), moved));
        } else
            star<1>([this]<std::size_t K>() { constrain_star_positions<K>(); });
        std::string const rate = "(1/(" + std::to_string(drifts) + "*numbers.drift))";
        for_each([&](std::string const& p) { return 'v' + p + " += (x" + p + " - free" + p + ")*" + rate + ';'; });
        for_each([](std::string const& p) { return "start" + p + " = x" + p + ';'; });
        statements_.forget();
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
    // Each push moves its end, and the centre the other way.
    template <std::size_t K> void push(std::string const& of, std::array<Traced, K> const& multipliers, std::array<Vector, K> const& directions) {
        std::string pushes;
        for (std::size_t i = 0; i < K; ++i) {
            std::string const p = std::to_string(i + 2), along = statements_.name(text(multipliers[i] * directions[i]), "3");
            pushes += of + p + " += " + along + "*w" + p + ";\n" + of + "1 -= " + along + "*w1;\n";
        }
        add(pushes);
        statements_.forget();
    }
    template <std::size_t K> void constrain_star_velocities() {
        auto const directions = arms<K>("x"), relative = arms<K>("v");
        std::array<Traced, K> change;
        for (std::size_t i = 0; i < K; ++i) change[i] = -dot(directions[i], relative[i]);
        auto const matrix = star_products<Traced, K>(number("w1"), inverse_masses<K>(), directions, directions);
        push<K>("v", solve_small(matrix, change), directions);
    }
    // The bound on the iterations stands in the text; a cluster that does not converge is reported by its first particle.
    template <std::size_t K> void constrain_star_positions() {
        for (std::size_t i = 0; i < K; ++i) {
            std::string const p = std::to_string(i + 2), n = std::to_string(i);
            add("const coordinate3 direction" + n + " = start" + p + " - start1;");
            add("const coordinate distance" + n + " = shape[" + n + "];");
        }
        add("int iteration = 0;\nfor (; iteration < 60; ++iteration) {");
        statements_.forget();
        auto const present = arms<K>("x");
        std::array<Vector, K> directions;
        std::array<Traced, K> excess;
        std::string is_satisfied;
        for (std::size_t i = 0; i < K; ++i) {
            directions[i] = vector("direction" + std::to_string(i));
            Traced const wanted = number("distance" + std::to_string(i)), square = wanted * wanted;
            excess[i] = Traced(0.5) * (square - dot(present[i], present[i]));
            is_satisfied += (i > 0 ? " && " : "") + ("fabs(" + excess[i].text(statements_) + ") <= numbers.tolerance*" + square.text(statements_));
        }
        add("if (" + is_satisfied + ") break;");
        auto const step = solve_small(star_products<Traced, K>(number("w1"), inverse_masses<K>(), present, directions), excess);
        push<K>("x", step, directions);
        add("}\nif (iteration == 60) failures[0] = atom1 + 1;");
    }

    ClusterKind kind_;
    Product const& product_;
    Statements statements_{"temp", "", "coordinate"};
};

}  // namespace trotter::device
