// sigma and epsilon of pairs of particles, by type.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include <trotter/amoeba/vdw.hpp>

namespace trotter::amoeba {

/// Parameters of a pair.
struct SigmaAndEpsilon {
    double sigma = 0, epsilon = 0;
    double inverse_sigma = 1 / sigma;
};

/// sigma and epsilon of two types by the combining rules of the force.
SigmaAndEpsilon combined(AmoebaVdwForce const& force, AmoebaVdwForce::Type const& a, AmoebaVdwForce::Type const& b);

/// The types of a force, or the distinct parameters of its particles, and the parameters of pairs of these.
class PairParameters {
public:
    PairParameters() = default;
    /// `force` has been checked.
    explicit PairParameters(AmoebaVdwForce const& force);

    /// Number of types.
    std::size_t type_count() const { return types_.size(); }
    /// Type of each particle.
    std::vector<int> const& types_of_particles() const { return types_of_particles_; }
    /// Parameters of a pair of types.
    SigmaAndEpsilon operator()(int type1, int type2) const {
        if (table_.empty()) return look_up(type1, type2);
        return table_[static_cast<std::size_t>(type1) * types_.size() + static_cast<std::size_t>(type2)];
    }

private:
    static constexpr std::size_t most_tabulated = 512;  // types: 4 MB

    void number_distinct(AmoebaVdwForce const& force);
    SigmaAndEpsilon look_up(int type1, int type2) const;

    AmoebaVdwForce rules_;  // combining rules only
    std::vector<AmoebaVdwForce::Type> types_;
    std::vector<int> types_of_particles_;
    std::map<std::pair<int, int>, SigmaAndEpsilon> pairs_;  // that replace combined parameters; smaller type first
    std::vector<SigmaAndEpsilon> table_;  // empty for many types
};

}  // namespace trotter::amoeba
