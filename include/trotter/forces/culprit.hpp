// What within a force gives a particle a force that is not a finite number.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/forces/term_value.hpp>
#include <trotter/forces/terms_check.hpp>
#include <trotter/forces/tuple_geometry.hpp>
#include <trotter/global_parameters.hpp>

namespace trotter {

/// The first term of the force that gives `particle` a force which is not finite, or the number of terms where none
/// does in double precision.
template <HasTerms F>
[[gnu::cold]] std::size_t term_to_blame(F const& force, int particle, std::vector<Vec3<>> const& positions,
                                        Box const& box, GlobalParameters const& parameters) {
    auto const formula = formula_of(force);
    auto const values = parameter_values<F>(formula, parameters);
    TermEvaluator<F, double> evaluate(formula);
    bool is_periodic = false;
    if constexpr (requires { force.periodic; }) is_periodic = force.periodic;
    auto const& terms = force.*F::terms;
    for (std::size_t n = 0; n < terms.size(); ++n) {
        auto const particles = particles_of<F>(terms[n]);
        if (std::find(particles.begin(), particles.end(), particle) == particles.end()) continue;
        TupleGeometry<ForTerm<F, int>> const geometry{particles, positions, box, is_periodic};
        auto const& value = evaluate(geometry, fields_of<F>(terms[n]), values);
        for (std::size_t p = 0; p < particles.size(); ++p)
            if (particles[p] == particle && !is_finite(value.gradient[p])) return n;
    }
    return terms.size();
}

/// The particle from `begin` to below `end` that is nearest to `particle`, or -1 where there is no other.
[[gnu::cold]] inline int nearest_particle(int particle, int begin, int end, std::vector<Vec3<>> const& positions,
                                          Box const* box) {
    double least = std::numeric_limits<double>::infinity();
    int nearest = -1;
    for (int other = begin; other < end; ++other) {
        Vec3<> const d = positions[static_cast<std::size_t>(other)] - positions[static_cast<std::size_t>(particle)];
        Vec3<> const image = box ? box->minimum_image(d) : d;
        if (other == particle || !(dot(image, image) < least)) continue;
        least = dot(image, image);
        nearest = other;
    }
    return nearest;
}

/// How messages name what within a force is to blame for the force on `particle`: the term that gave it, or else the
/// particle that is nearest.
template <class F, class Host>
[[gnu::cold]] std::string part_to_blame(F const& force, int particle, Host const& host) {
    int const each = static_cast<int>(host.size()) / host.copies, copy = particle / each;
    if constexpr (HasTerms<F>) {
        auto const count = (force.*F::terms).size();
        auto const n = term_to_blame(force, particle, host.positions, host.box, host.parameters);
        if (n < count)
            return ", " + std::string(term_name<F>()) + " "
                   + std::to_string(n % (count / static_cast<std::size_t>(host.copies)));
    }
    int const nearest = nearest_particle(particle, copy * each, (copy + 1) * each, host.positions,
                                         host.is_periodic ? &host.box : nullptr);
    return nearest < 0 ? "" : "; the nearest particle is " + std::to_string(nearest % each);
}

}  // namespace trotter
