// Compile-time properties of splittings, checked by static_assert.
// SPDX-License-Identifier: MIT
#include <trotter/integrators/compound.hpp>

using trotter::Splitting;

constexpr Splitting leapfrog{"V R"};
constexpr Splitting middle{"V R O R"};
constexpr Splitting baoab{"V R O R V"};

static_assert(!leapfrog.is_stochastic() && !leapfrog.is_symmetric() && leapfrog.velocity_offset() == 0.5);
static_assert(!leapfrog.constrain_velocities_after(0) && leapfrog.constrain_positions_after(1));

static_assert(middle.is_stochastic() && middle.share('R') == 0.5 && middle.velocity_offset() == 0.5);
static_assert(middle.constrain_velocities_after(0));
static_assert(!middle.constrain_positions_after(1) && !middle.constrain_positions_after(2) && middle.constrain_positions_after(3));

static_assert(baoab.is_symmetric() && baoab.share('V') == 0.5 && baoab.velocity_offset() == 0);
static_assert(baoab.constrain_positions_after(3) && baoab.constrain_velocities_after(4));
