// A heat bath's action on velocities during a step.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <trotter/common/integration/splitting.hpp>
#include <trotter/vec3.hpp>

namespace trotter::drude {

/// Effect of a constant force, friction and noise during a step: v = decay v + time F/m + spread ξ/√m.
struct Bath {
    double decay, time, spread;

    /// For a step of `dt` [ps].
    Bath(double temperature, double friction, double dt)
        : decay(velocity_decay(dt, friction)),
          time(friction == 0 ? dt : -std::expm1(-friction * dt) / friction),
          spread(velocity_spread(dt, friction, temperature)) {}

    Vec3<> operator()(Vec3<> const& velocity, Vec3<> const& acceleration, Vec3<> const& noise,
                      double inverse_mass) const {
        return velocity * decay + acceleration * time + noise * (spread * std::sqrt(inverse_mass));
    }
};

}  // namespace trotter::drude
