// Finds the term that produced a NaN force.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <trotter/base/global_parameters.hpp>
#include <trotter/box.hpp>
#include <trotter/parts/parts.hpp>
#include <trotter/parts/terms/term_value.hpp>
#include <trotter/parts/terms/terms_check.hpp>
#include <trotter/parts/terms/tuple_geometry.hpp>

namespace trotter {

/// The first term of the force with `is_bad(particles, value)` in double precision, or the number of terms.
template <HasTerms F, class Host, class IsBad>
[[gnu::cold]] std::size_t first_bad_term(F const& force, Host const& host, IsBad const& is_bad) {
    auto const formula = formula_of(force);
    auto const values = parameter_values<F>(formula, host.parameters);
    TermEvaluator<F, double> evaluate(formula);
    bool is_periodic = false;
    if constexpr (requires { force.periodic; }) is_periodic = force.periodic;
    auto const& terms = force.*F::terms;
    for (std::size_t n = 0; n < terms.size(); ++n) {
        auto const particles = particles_of<F>(terms[n]);
        TupleGeometry<ForTerm<F, int>> const geometry{particles, host.positions, host.box, is_periodic};
        if (is_bad(particles, evaluate(geometry, fields_of<F>(terms[n]), values))) return n;
    }
    return terms.size();
}

/// Name of that term for messages; empty if there is none.
template <HasTerms F, class Host, class IsBad>
[[gnu::cold]] std::string name_of_bad_term(F const& force, Host const& host, IsBad const& is_bad) {
    auto const count = (force.*F::terms).size(), n = first_bad_term(force, host, is_bad);
    if (n == count) return {};
    return ", " + std::string(term_name<F>()) + " "
           + std::to_string(n % (count / static_cast<std::size_t>(host.copies)));
}

/// The same for a force of parts; empty if none of them has such a term.
template <class F, class Host, class IsBad>
[[gnu::cold]] std::string name_of_bad_term_of_parts([[maybe_unused]] F const& force, [[maybe_unused]] Host const& host,
                                                    [[maybe_unused]] IsBad const& is_bad) {
    std::string name;
    if constexpr (HasTerms<F>)
        name = name_of_bad_term(force, host, is_bad);
    else if constexpr (StatesParts<F>)
        for_each_part(force, [&]<class Part>(Part const& part) {
            if constexpr (HasTerms<Part>)
                if (name.empty()) name = name_of_bad_term(part, host, is_bad);
        });
    return name;
}

/// The particle from `begin` to below `end` that is nearest to `particle`, or -1 if there is no other.
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

/// Source of the force on `particle` within a force, for messages: the term that produced it, or else the nearest
/// particle.
template <class F, class Host>
[[gnu::cold]] std::string source_of_nan(F const& force, int particle, Host const& host) {
    int const each = static_cast<int>(host.size()) / host.copies, copy = particle / each;
    auto const name = name_of_bad_term_of_parts(force, host, [&](auto const& particles, auto const& value) {
        for (std::size_t p = 0; p < particles.size(); ++p)
            if (particles[p] == particle && !is_finite(value.gradient[p])) return true;
        return false;
    });
    if (!name.empty()) return name;
    int const nearest = nearest_particle(particle, copy * each, (copy + 1) * each, host.positions,
                                         host.is_periodic ? &host.box : nullptr);
    return nearest < 0 ? "" : "; the nearest particle is " + std::to_string(nearest % each);
}

/// Name of the term whose energy is not finite, for messages.
template <class F, class Host>
[[gnu::cold]] std::string part_with_bad_energy(F const& force, Host const& host) {
    return name_of_bad_term_of_parts(force, host,
                                     [](auto const&, auto const& value) { return !std::isfinite(value.energy); });
}

}  // namespace trotter
