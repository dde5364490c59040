// Kernel of AmoebaMultipoleForce.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <optional>
#include <vector>

#include <trotter/amoeba/kernels.hpp>
#include <trotter/amoeba/multipole.hpp>
#include <trotter/context/digest.hpp>

#include <trotter/common/fallback/define_host_kernel.hpp>

#include "multipoles/electrostatics.hpp"

namespace trotter {

template <> class HostKernel<AmoebaMultipoleForce>::Implementation {
public:
    Implementation(AmoebaMultipoleForce const& force, HostState& host, Registration) : system_box_(host.box) {
        make(force, host);
        method_ = force.method;
    }
    /// Takes all parameters again, except for the method. This is called when any force of the System is updated.
    void update(AmoebaMultipoleForce const& force, HostState& host) {
        if (force.method != method_) throw InputError("the method has changed; a new Context is needed");
        if (digest_of(force) != digest_) make(force, host);
    }

    double compute(HostEvaluation const& evaluation) {
        auto& host = evaluation.host;
        if (host.box_virial && is_periodic_)
            throw InputError(
                "the virial of an AmoebaMultipoleForce is not computed; use finite differences of the energy");
        positions_ = evaluation.positions;
        box_ = host.box;
        return electrostatics_->compute(positions_, box_, evaluation.forces, host.threads);
    }

    MultipoleAnswer answer() const {
        auto result = electrostatics_->answer();
        result.positions = positions_;
        if (is_periodic_) result.box = box_;
        return result;
    }
    UsedMeshes meshes() const { return {.pme = mesh_, .ljpme = {}}; }

private:
    static std::uint64_t digest_of(AmoebaMultipoleForce const& force) {
        Digest digest;
        digest.add_members(force);
        return digest.value();
    }
    void make(AmoebaMultipoleForce const& force, HostState const& host) {
        check(force, host.particles.count(), system_box_);
        MeshSettings const mesh = force.is_periodic() ? force.mesh(system_box_) : MeshSettings{};
        electrostatics_.emplace(force, mesh);
        is_periodic_ = force.is_periodic();
        mesh_ = mesh;
        digest_ = digest_of(force);
    }

    Box system_box_, box_{};
    AmoebaMultipoleForce::Method method_{};
    bool is_periodic_ = false;
    MeshSettings mesh_{};
    std::uint64_t digest_ = 0;       // of the force
    std::vector<Vec3<>> positions_;  // of the last evaluation
    std::optional<amoeba::Electrostatics> electrostatics_;
};

template class HostKernel<AmoebaMultipoleForce>;
template MultipoleAnswer HostKernel<AmoebaMultipoleForce>::answer<AmoebaMultipoleForce>() const;

}  // namespace trotter
