// Caches the forces at the end of a step, so that the next step does not recompute them.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/common/integration/common.hpp>

namespace trotter {

/// Records the inputs from which the forces in a HostState were computed.
class ForceCache {
public:
    void store(HostState& host) {
        evaluations_ = host.evaluations;
        parameters_ = host.parameters.version();
        box_ = host.box;
        copy_vectors(host.threads, host.positions, positions_);
    }
    /// Whether no input has changed since, and no other forces were computed.
    bool is_valid(HostState const& host) const {
        return evaluations_ == host.evaluations && parameters_ == host.parameters.version() && box_ == host.box
               && positions_ == host.positions;
    }

private:
    std::uint64_t evaluations_ = 0;
    long parameters_ = 0;
    Box box_;
    std::vector<Vec3<>> positions_;
};

}  // namespace trotter
