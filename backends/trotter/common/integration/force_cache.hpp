// Spares integrators whose steps end with new forces from computing the same ones again as the next step begins.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/common/integration/common.hpp>

namespace trotter {

/// Stores what the forces in a HostState were computed from.
class ForceCache {
public:
    void store(HostState& host) {
        evaluations_ = host.evaluations;
        parameters_ = host.parameters.version();
        box_ = host.box;
        copy_vectors(host.threads, host.positions, positions_);
    }
    /// Whether nothing that forces depend on has changed since, and nobody else had forces computed.
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
