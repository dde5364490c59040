// Exceptions of a NonbondedForce as bonded terms.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/expression/statement.hpp>
#include <trotter/parts/terms/variables.hpp>
#include <trotter/physics/nonbonded_parameters.hpp>
#include <trotter/units.hpp>

namespace trotter {

/// Plain Coulomb and Lennard-Jones of listed pairs, without cutoff or screening.
struct NonbondedExceptions {
    static constexpr std::string_view name = "NonbondedForce";  ///< type name, in messages and files

    /// An exception with the parameters of the formula.
    struct Pair {
        int particle1 = 0, particle2 = 0;  ///< particle indices, from 0
        double coulomb = 0;  ///< q1 q2/(4 pi eps0) [kJ nm/mol]
        double sigma = 1;    ///< [nm]
        double epsilon = 0;  ///< [kJ/mol]
    };
    std::vector<Pair> pairs;  ///< one for each exception that interacts
    int force_group = 0;  ///< 0 or more
    bool periodic = false;  ///< take the nearest periodic image of each difference

    static constexpr auto terms = &NonbondedExceptions::pairs;  ///< the list of terms, found by the generic kernels
    static constexpr std::string_view term_name = "exception", part_name = "exception";  ///< in messages
    static constexpr bool are_pairs = true;  ///< included in the energy between groups of particles
    static constexpr auto particles = std::array{&Pair::particle1, &Pair::particle2};  ///< particle indices of a term
    /// `r` is the distance [nm] of the two particles.
    static constexpr auto variables = std::array{Distance{"r", {0, 1}}};
    /// Name in formulas, attribute in XML, member and valid values of each parameter.
    static constexpr auto fields =
        std::array{Field{"coulomb", "coulomb", &Pair::coulomb}, Field{"sigma", "sig", &Pair::sigma},
                   Field{"epsilon", "eps", &Pair::epsilon}};
    static constexpr Expression<"coulomb/r + 4*epsilon*((sigma/r)^12 - (sigma/r)^6)"> energy{};  ///< [kJ/mol]
};

/// Exceptions of a force that interact: those with offsets, and those whose charge product or epsilon is or was not 0.
class InteractingExceptions {
public:
    /// Finds the exceptions of `force` that interact now or, by offsets, may do so later.
    explicit InteractingExceptions(NonbondedForce const& force) : interacts_(force.exceptions.size()) {
        for (auto const& offset : force.exception_offsets) interacts_[static_cast<std::size_t>(offset.index)] = 1;
        take(force);
    }

    /// Updates from changed parameters. Returns whether more exceptions interact than before.
    bool take(NonbondedForce const& force) {
        std::size_t count = 0;
        for (std::size_t n = 0; n < interacts_.size(); ++n) {
            auto const& exception = force.exceptions[n];
            interacts_[n] |= (exception.charge_product != 0) | (exception.epsilon != 0);
            count += interacts_[n];
        }
        if (count == numbers_.size()) return false;
        numbers_.clear();
        for (std::size_t n = 0; n < interacts_.size(); ++n)
            if (interacts_[n]) numbers_.push_back(static_cast<int>(n));
        return true;
    }

    /// Makes the terms for the current global parameters. Periodic images are used only if the force's method is
    /// periodic.
    NonbondedExceptions terms(NonbondedForce const& force, GlobalParameters const& parameters) const {
        NonbondedExceptions result{.pairs = {},
                                   .force_group = force.force_group,
                                   .periodic = force.exceptions_use_periodic && force.is_periodic()};
        result.pairs.reserve(numbers_.size());
        auto add = [&](std::vector<NonbondedForce::Exception> const& exceptions) {
            for (int const n : numbers_) {
                auto const& [particle1, particle2, charge_product, sigma, epsilon] = exceptions[static_cast<std::size_t>(n)];
                result.pairs.push_back({particle1, particle2, constants::coulomb * charge_product, sigma, epsilon});
            }
        };
        // avoids copying many exceptions in the usual case without offsets
        force.exception_offsets.empty() ? add(force.exceptions) : add(effective_exceptions(force, parameters));
        return result;
    }

private:
    std::vector<unsigned char> interacts_;  // 0 or 1 for each exception
    std::vector<int> numbers_;              // indices of those that interact, ascending
};

}  // namespace trotter
