// Device text of sets of particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <trotter/forces/custom_many_particle.hpp>

namespace trotter::device {

/// The kernel `add_sets`: loops over the sets of a CustomManyParticleForce, which begin with each particle and one that
/// is near it. `suffix` ends literals.
std::string many_particle_text(CustomManyParticleForce const& force, RuntimeFormula const& formula,
                               std::string const& suffix);

}  // namespace trotter::device
