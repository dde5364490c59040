// Selects pairs of particles between two groups.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/core/particles_check.hpp>

namespace trotter::reference {

/// Membership of particles in two groups.
class TwoGroups {
public:
    /// Throws InputError for an invalid particle index.
    TwoGroups(std::vector<int> const& first, std::vector<int> const& second, int particle_count)
        : first_(flags(first, particle_count)), second_(flags(second, particle_count)) {}

    bool operator()(std::size_t i, std::size_t j) const {
        return (first_[i] && second_[j]) || (first_[j] && second_[i]);
    }

private:
    static std::vector<bool> flags(std::vector<int> const& group, int particle_count) {
        std::vector<bool> result(static_cast<std::size_t>(particle_count));
        for (std::size_t n = 0; n < group.size(); ++n) {
            check_particle(group[n], particle_count, Numbered{"entry of a group", n});
            result[static_cast<std::size_t>(group[n])] = true;
        }
        return result;
    }

    std::vector<bool> first_, second_;
};

}  // namespace trotter::reference
