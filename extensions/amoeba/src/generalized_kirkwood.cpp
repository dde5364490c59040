// Validates AmoebaGeneralizedKirkwoodForce, and its kernel, which only does that.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>
#include <utility>

#include <trotter/amoeba/generalized_kirkwood.hpp>
#include <trotter/amoeba/kernels.hpp>
#include <trotter/core/range_check.hpp>

#include <trotter/common/fallback/define_host_kernel.hpp>

namespace trotter {

void check(AmoebaGeneralizedKirkwoodForce const& force, int particle_count) {
    if (!force.has_multipoles) throw InputError("the System has no AmoebaMultipoleForce, whose solvent this is");
    check_particle_number(force.particles.size(), particle_count);
    for (std::size_t i = 0; i < force.particles.size(); ++i)
        check_fields(AmoebaGeneralizedKirkwoodForce::fields, force.particles[i], Numbered{"particle", i});
    auto expect = [](Valid valid, double value, char const* what) {
        if (!allows(valid, value))
            throw InputError("the " + std::string(what) + " is " + std::to_string(value) + ", expected "
                             + std::string(expected_text(valid)));
    };
    expect(Valid::positive, force.solvent_dielectric, "dielectric constant of the solvent");
    expect(Valid::positive, force.solute_dielectric, "dielectric constant of the solute");
    expect(Valid::any, force.dielectric_offset, "dielectric offset");
    expect(Valid::any, force.probe_radius, "probe radius");
    expect(Valid::any, force.surface_area_factor, "surface area factor");
    expect(Valid::any, force.descreen_offset, "descreening offset");
    for (double const b : {force.tanh_b0, force.tanh_b1, force.tanh_b2})
        expect(Valid::any, b, "coefficient of tanh rescaling");
}

/// The reaction field belongs to the AmoebaMultipoleForce of the same System.
template <> class HostKernel<AmoebaGeneralizedKirkwoodForce>::Implementation {
public:
    Implementation(AmoebaGeneralizedKirkwoodForce const& force, HostState& host, Registration) { update(force, host); }
    void update(AmoebaGeneralizedKirkwoodForce const& force, HostState& host) { check(force, host.particles.count()); }
    double compute(HostEvaluation const&) { return 0; }
};

template class HostKernel<AmoebaGeneralizedKirkwoodForce>;

}  // namespace trotter
