// Evaluation of one force on a few particles, for most force tests.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <trotter/integrators/verlet.hpp>
#include <trotter/system.hpp>

#include "../largest_difference.hpp"
#include "../platforms.hpp"

namespace trotter {

using Vectors = std::vector<Vec3<>>;
using ParameterValues = std::map<std::string, double>;

/// A System of one force and particles of mass 1.
template <class List = StandardForces, Force F>
System<List> system_of(F const& force, std::size_t particles, Box const& box = {}) {
    System<List> system;
    system.box = box;
    for (std::size_t i = 0; i < particles; ++i) system.add_particle(1);
    system.add(force);
    return system;
}

inline AnyContext context_of(TestPlatform const& platform, StandardSystem const& system, Vectors const& positions = {}) {
    AnyContext context(system, VerletIntegrator{.step_size = 0.001}, platform.choice());
    if (!positions.empty()) context.set_positions(positions);
    return context;
}

struct Evaluation {
    double energy = 0;
    Vectors forces;
    std::map<std::string, double> derivatives;
};

template <class ContextType> Evaluation evaluation(ContextType& context, ForceGroups const& groups = {}) {
    auto const state = context.state(Energy | Forces | ParameterDerivatives, groups);
    return {state.potential_energy, state.forces, *state.parameter_derivatives};
}

template <Force F> Evaluation evaluate(TestPlatform const& platform, F const& force, Vectors const& positions,
                                       Box const& box = {}, ParameterValues const& parameters = {}) {
    auto context = context_of(platform, system_of(force, positions.size(), box), positions);
    for (auto const& [name, value] : parameters) context.set_parameter(name, value);
    return evaluation(context);
}

inline double rms(Vectors const& vectors) {
    double sum = 0;
    for (auto const& v : vectors) sum += dot(v, v);
    return std::sqrt(sum / static_cast<double>(vectors.size()));
}
/// Reproducible random points in the box, at least `apart` from each other.
inline Vectors scattered(std::size_t count, Box const& box, double apart, unsigned seed) {
    std::mt19937 generator(seed);
    auto uniform = [&] { return static_cast<double>(generator()) / 0x1p32; };
    Vectors points;
    while (points.size() < count) {
        double const a = uniform(), b = uniform(), c = uniform();
        Vec3<> const point = box.a * a + box.b * b + box.c * c;
        bool const free = std::none_of(points.begin(), points.end(), [&](auto const& other) {
            return norm(box.minimum_image(point - other)) < apart || norm(point - other) < apart;
        });
        if (free) points.push_back(point);
    }
    return points;
}

inline Box const small_box = Box::rectangular(2.1, 2.2, 2.3);
inline Box const skewed_box{{2.2, 0, 0}, {0.6, 2.1, 0}, {-0.7, 0.8, 2.3}};

}  // namespace trotter
