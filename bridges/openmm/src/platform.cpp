// Trotter as a platform of OpenMM: which kernel class stands for what, and the entry points of the plugin.
// SPDX-License-Identifier: MIT
#include "platform.hpp"

#include <functional>
#include <memory>
#include <utility>

#include <openmm/KernelFactory.h>
#include <openmm/OpenMMException.h>

#include "base_kernels.hpp"
#include "force_kernels.hpp"
#include "integrator_kernels.hpp"

namespace trotter::openmm {
namespace {

class Factory : public OpenMM::KernelFactory {
public:
    /// A kernel class of ours, made by its own name, with the Context where it wants that.
    template <class K> void add() {
        makers_[K::Name()] = [](std::string name, OpenMM::Platform const& platform,
                                OpenMM::ContextImpl& context) -> OpenMM::KernelImpl* {
            if constexpr (std::is_constructible_v<K, std::string, OpenMM::Platform const&, OpenMM::ContextImpl&>)
                return new K(std::move(name), platform, context);
            else
                return new K(std::move(name), platform);
        };
    }
    template <class... Ks> void add_all() { (add<Ks>(), ...); }

    std::vector<std::string> names() const {
        std::vector<std::string> result;
        for (auto const& entry : makers_) result.push_back(entry.first);
        return result;
    }
    OpenMM::KernelImpl* createKernelImpl(std::string name, OpenMM::Platform const& platform,
                                         OpenMM::ContextImpl& context) const override {
        return makers_.at(name)(name, platform, context);
    }

private:
    std::map<std::string, std::function<OpenMM::KernelImpl*(std::string, OpenMM::Platform const&, OpenMM::ContextImpl&)>>
        makers_;
};

// What stands for what. Those of the last lines act by themselves, or in the steps here.

void add_base(Factory& factory) {
    factory.add_all<EvaluationKernel, StateKernel, ConstraintsKernel, SitesKernel, MinimizerKernel>();
}

void add_forces(Factory& factory) {
    using namespace OpenMM;
    factory.add_all<ForceKernel<CalcHarmonicBondForceKernel, OpenMM::HarmonicBondForce, int, int>,
                    ForceKernel<CalcHarmonicAngleForceKernel, OpenMM::HarmonicAngleForce, int, int>,
                    ForceKernel<CalcPeriodicTorsionForceKernel, OpenMM::PeriodicTorsionForce, int, int>,
                    ForceKernel<CalcCustomBondForceKernel, OpenMM::CustomBondForce, int, int>,
                    ForceKernel<CalcCustomAngleForceKernel, OpenMM::CustomAngleForce, int, int>,
                    ForceKernel<CalcCustomTorsionForceKernel, OpenMM::CustomTorsionForce, int, int>,
                    ForceKernel<CalcCustomNonbondedForceKernel, OpenMM::CustomNonbondedForce, int, int>,
                    ForceKernel<CalcCustomExternalForceKernel, OpenMM::CustomExternalForce, int, int>,
                    ForceKernel<CalcRBTorsionForceKernel, OpenMM::RBTorsionForce>,
                    ForceKernel<CalcCMAPTorsionForceKernel, OpenMM::CMAPTorsionForce>,
                    ForceKernel<CalcGBSAOBCForceKernel, OpenMM::GBSAOBCForce>,
                    ForceKernel<CalcCustomGBForceKernel, OpenMM::CustomGBForce>,
                    ForceKernel<CalcCustomHbondForceKernel, OpenMM::CustomHbondForce>,
                    ForceKernel<CalcCustomCentroidBondForceKernel, OpenMM::CustomCentroidBondForce>,
                    ForceKernel<CalcCustomCompoundBondForceKernel, OpenMM::CustomCompoundBondForce>,
                    ForceKernel<CalcCustomManyParticleForceKernel, OpenMM::CustomManyParticleForce>,
                    ForceKernel<CalcGayBerneForceKernel, OpenMM::GayBerneForce>,
                    ForceKernel<CalcLCPOForceKernel, OpenMM::LCPOForce>,
                    ForceKernel<CalcRMSDForceKernel, OpenMM::RMSDForce>,
                    ForceKernel<CalcOrientationRestraintForceKernel, OpenMM::OrientationRestraintForce>, RGKernel,
                    NonbondedKernel, ConstantPotentialKernel, VariablesKernel, TransferKernel, CppForceKernel,
                    PythonKernel>();
}

void add_integrators(Factory& factory) {
    using namespace OpenMM;
    factory.add_all<StepKernel<IntegrateVerletStepKernel, OpenMM::VerletIntegrator>,
                    StepKernel<IntegrateLangevinMiddleStepKernel, OpenMM::LangevinMiddleIntegrator>,
                    StepKernel<IntegrateBrownianStepKernel, OpenMM::BrownianIntegrator>,
                    StepKernel<IntegrateDPDStepKernel, OpenMM::DPDIntegrator>,
                    VariableStepKernel<IntegrateVariableVerletStepKernel, OpenMM::VariableVerletIntegrator>,
                    VariableStepKernel<IntegrateVariableLangevinStepKernel, OpenMM::VariableLangevinIntegrator>,
                    NoseHooverKernel, QuantumBathKernel, CustomKernel>();
}

void add_changes_of_state(Factory& factory) {
    using namespace OpenMM;
    factory.add_all<ActsInStepKernel<RemoveCMMotionKernel, OpenMM::CMMotionRemover>,
                    ActsInStepKernel<ApplyAndersenThermostatKernel, OpenMM::AndersenThermostat>, BarostatKernel>();
}

}  // namespace

TrotterPlatform::TrotterPlatform() {
    auto factory = std::make_unique<Factory>();
    for (auto const add : {add_base, add_forces, add_integrators, add_changes_of_state}) add(*factory);
    auto const names = factory->names();
    auto* const owned = factory.release();  // by the Platform
    for (auto const& name : names) registerKernelFactory(name, owned);
    platformProperties = Properties::names();
    for (auto const& name : platformProperties) setPropertyDefaultValue(name, Properties::default_value(name));
}

std::string const& TrotterPlatform::getName() const {
    static std::string const name = "Trotter";
    return name;
}

/// OpenMM's own have 1 (Reference), 10 (CPU), 50 (OpenCL) and 100 (CUDA); it takes the fastest that there is.
double TrotterPlatform::getSpeed() const {
    auto const backend = best_backend();
    return backend == "cuda" ? 110 : backend == "opencl" ? 60 : backend == "cpu" ? 20 : 0.5;
}

std::string const& TrotterPlatform::getPropertyValue(OpenMM::Context const& context,
                                                     std::string const& property) const {
    auto const& values = Engine::of(getContextImpl(context)).properties().values();
    auto const found = values.find(property);
    if (found == values.end()) return Platform::getPropertyValue(context, property);  // which throws
    return found->second;
}

std::vector<std::map<std::string, std::string>> TrotterPlatform::getDevices(
    std::map<std::string, std::string> const& filters) const {
    auto devices = usable_devices();
    std::erase_if(devices, [&](auto const& device) {
        for (auto const& [name, value] : filters)
            if (auto const own = device.find(name); own != device.end() && own->second != value) return true;
        return false;
    });
    for (auto& device : devices) device.insert(filters.begin(), filters.end());
    return devices;
}

void TrotterPlatform::contextCreated(OpenMM::ContextImpl& context,
                                     std::map<std::string, std::string> const& given) const {
    if (auto const& version = getOpenMMVersion(); !version.starts_with("8.6"))
        throw OpenMM::OpenMMException("this platform Trotter was made for OpenMM 8.6, not for " + version);
    auto values = given;
    for (auto const& name : getPropertyNames()) values.emplace(name, getPropertyDefaultValue(name));
    context.setPlatformData(new Engine(context, Properties(values), false));
}

void TrotterPlatform::linkedContextCreated(OpenMM::ContextImpl& context, OpenMM::ContextImpl& original) const {
    context.setPlatformData(new Engine(context, Engine::of(original).properties(), true));
}

void TrotterPlatform::contextDestroyed(OpenMM::ContextImpl& context) const {
    delete static_cast<Engine*>(context.getPlatformData());
    context.setPlatformData(nullptr);
}

}  // namespace trotter::openmm

extern "C" {

/// An exception here would break `import openmm` for everybody: a platform that cannot work is registered all the same,
/// and says so when a Context is made.
[[gnu::visibility("default")]] void registerPlatforms() {
    static bool is_registered = false;
    if (std::exchange(is_registered, true)) return;
    OpenMM::Platform::registerPlatform(new trotter::openmm::TrotterPlatform);
}
[[gnu::visibility("default")]] void registerKernelFactories() {}

/// For tests, which want to know that nothing but this platform computed.
[[gnu::visibility("default")]] long long trotter_openmm_evaluations() { return trotter::openmm::evaluation_count(); }
[[gnu::visibility("default")]] long long trotter_openmm_contexts() { return trotter::openmm::context_count(); }

}  // extern "C"
