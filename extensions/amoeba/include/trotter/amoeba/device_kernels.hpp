// Kernels of this extension's forces that compute on devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include <trotter/amoeba/device/hippo.hpp>
#include <trotter/amoeba/device/multipole.hpp>
#include <trotter/amoeba/device/torsion_torsion.hpp>
#include <trotter/amoeba/device/vdw.hpp>
#include <trotter/amoeba/kernels.hpp>
#include <trotter/device/engine.hpp>

namespace trotter {

namespace amoeba {

/// Runs `OnDevice` if it can compute the force, else the HostKernel.
template <class F, class OnDevice, class EngineType> class DeviceOrHostKernel {
public:
    DeviceOrHostKernel(F const& force, EngineType& engine, Registration who) : engine_(engine) {
        if (OnDevice::can_compute(force))
            on_device_.emplace(force, engine.device, who);
        else
            on_host_.emplace(force, engine, who);
    }

    double compute(EngineType& engine, Request const& request) {
        if (on_host_) return on_host_->compute(engine, request);
        on_device_->compute(engine.device, request);
        return 0;
    }
    double late_energy(EngineType& engine, Request const& request) {
        return on_host_ ? on_host_->late_energy(engine, request) : on_device_->late_energy(engine.device, request);
    }
    void update(F const& force, EngineType& engine) {
        if (OnDevice::can_compute(force) != on_device_.has_value())
            throw InputError("the settings have changed from those that devices can compute to others, or back; a new Context "
                             "is needed");
        if (on_host_)
            on_host_->update(force, engine);
        else
            on_device_->update(force, engine.device);
    }
    auto answer() const
        requires requires { typename F::Answer; }
    {
        return on_host_ ? on_host_->answer() : on_device_->answer(engine_.device);
    }
    template <class Archive> void save(Archive& archive)
        requires requires(OnDevice& kernel, EngineType& engine) { kernel.save(engine.device, archive); }
    {
        if (on_device_) on_device_->save(engine_.device, archive);
    }
    template <class Archive> void load(Archive& archive)
        requires requires(OnDevice& kernel, EngineType& engine) { kernel.load(engine.device, archive); }
    {
        if (on_device_) on_device_->load(engine_.device, archive);
    }
    UsedMeshes meshes() const {
        if (on_host_) return on_host_->meshes();
        if constexpr (requires { on_device_->meshes(); })
            return on_device_->meshes();
        else
            return {};
    }

private:
    EngineType& engine_;
    std::optional<HostComputedForce<F>> on_host_;
    std::optional<OnDevice> on_device_;
};

}  // namespace amoeba

template <DeviceBackend B, Precision P> class Kernel<AmoebaMultipoleForce, B, P>
    : public amoeba::DeviceOrHostKernel<AmoebaMultipoleForce, amoeba::DeviceMultipoles<typename B::Queue>, Engine<B, P>> {
public:
    using Kernel::DeviceOrHostKernel::DeviceOrHostKernel;
};
template <DeviceBackend B, Precision P> class Kernel<AmoebaVdwForce, B, P>
    : public amoeba::DeviceOrHostKernel<AmoebaVdwForce, amoeba::DeviceVdw<typename B::Queue>, Engine<B, P>> {
public:
    using Kernel::DeviceOrHostKernel::DeviceOrHostKernel;
};

template <DeviceBackend B, Precision P> class Kernel<AmoebaTorsionTorsionForce, B, P>
    : public amoeba::DeviceOrHostKernel<AmoebaTorsionTorsionForce, amoeba::DeviceTorsionTorsions<typename B::Queue>, Engine<B, P>> {
public:
    using Kernel::DeviceOrHostKernel::DeviceOrHostKernel;
};

template <DeviceBackend B, Precision P> class Kernel<HippoNonbondedForce, B, P>
    : public amoeba::DeviceOrHostKernel<HippoNonbondedForce, amoeba::DeviceHippo<typename B::Queue>, Engine<B, P>> {
public:
    using Kernel::DeviceOrHostKernel::DeviceOrHostKernel;
};

}  // namespace trotter
