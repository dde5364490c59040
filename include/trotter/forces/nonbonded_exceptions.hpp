// The exceptions of a NonbondedForce as terms: pairs with an interaction of their own.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <set>
#include <string_view>
#include <vector>

#include <trotter/expression/statement.hpp>
#include <trotter/field.hpp>
#include <trotter/forces/nonbonded_parameters.hpp>
#include <trotter/forces/variables.hpp>
#include <trotter/units.hpp>

namespace trotter {

/// Plain Coulomb and Lennard-Jones of listed pairs, without cutoff or screening.
struct NonbondedExceptions {
    static constexpr std::string_view name = "NonbondedForce";

    struct Pair {
        int particle1 = 0, particle2 = 0;
        double coulomb = 0;  ///< q1 q2/(4 pi eps0) [kJ nm/mol]
        double sigma = 1;    ///< [nm]
        double epsilon = 0;  ///< [kJ/mol]
    };
    std::vector<Pair> pairs;
    int force_group = 0;
    bool periodic = false;

    static constexpr auto terms = &NonbondedExceptions::pairs;
    static constexpr std::string_view term_name = "exception";
    static constexpr auto particles = std::array{&Pair::particle1, &Pair::particle2};
    static constexpr auto variables = std::array{Distance{"r", {0, 1}}};
    static constexpr auto fields =
        std::array{Field{"coulomb", "coulomb", &Pair::coulomb}, Field{"sigma", "sig", &Pair::sigma},
                   Field{"epsilon", "eps", &Pair::epsilon}};
    static constexpr Expression<"coulomb/r + 4*epsilon*((sigma/r)^12 - (sigma/r)^6)"> energy{};
};

/// The exceptions that interact: those whose charge product or epsilon is not 0, or that have offsets. Periodic images
/// count only where the force's method has them.
inline NonbondedExceptions exceptions_as_terms(NonbondedForce const& force, GlobalParameters const& parameters) {
    std::set<int> with_offset;
    for (auto const& offset : force.exception_offsets) with_offset.insert(offset.index);
    NonbondedExceptions result{.pairs = {},
                               .force_group = force.force_group,
                               .periodic = force.exceptions_use_periodic && force.is_periodic()};
    auto const effective = effective_exceptions(force, parameters);
    for (std::size_t n = 0; n < effective.size(); ++n) {
        auto const& base = force.exceptions[n];
        if (base.charge_product == 0 && base.epsilon == 0 && !with_offset.contains(static_cast<int>(n))) continue;
        auto const& [particle1, particle2, charge_product, sigma, epsilon] = effective[n];
        result.pairs.push_back({particle1, particle2, constants::coulomb * charge_product, sigma, epsilon});
    }
    return result;
}

}  // namespace trotter
