// Trotter as a platform of OpenMM: registers kernel classes, and defines the entry points of the plugin.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <openmm/KernelFactory.h>
#include <openmm/OpenMMException.h>
#include <openmm/Platform.h>
#include <trotter/platforms.hpp>

#include "base_kernels.hpp"
#include "force_kernels.hpp"
#include "integrator_kernels.hpp"
#ifdef TROTTER_DRUDE
#include <openmm/DrudeKernels.h>
#endif
#ifdef TROTTER_AMOEBA
#include "amoeba_kernels.hpp"
#endif
#ifdef TROTTER_RPMD
#include "rpmd_kernel.hpp"
#endif

namespace trotter::openmm {
namespace {

/// Creates kernels by OpenMM's kernel names.
class Factory : public OpenMM::KernelFactory {
public:
    /// Registers kernel classes, whose constructors may take the Context.
    template <class... Ks> void add() { (makers_.emplace(Ks::Name(), make<Ks>), ...); }
    template <template <class> class Kernel, class... Ks> void add_as() { add<Kernel<Ks>...>(); }

    void register_in(OpenMM::Platform& platform) {
        for (auto const& entry : makers_) platform.registerKernelFactory(entry.first, this);
    }
    OpenMM::KernelImpl* createKernelImpl(std::string name, OpenMM::Platform const& platform,
                                         OpenMM::ContextImpl& context) const override {
        return makers_.at(name)(name, platform, context);
    }

private:
    using Make = OpenMM::KernelImpl*(std::string const&, OpenMM::Platform const&, OpenMM::ContextImpl&);

    template <class K>
    static OpenMM::KernelImpl* make(std::string const& name, OpenMM::Platform const& platform,
                                    OpenMM::ContextImpl& context) {
        if constexpr (std::is_constructible_v<K, std::string, OpenMM::Platform const&, OpenMM::ContextImpl&>)
            return new K(name, platform, context);
        else
            return new K(name, platform);
    }

    std::map<std::string, Make*> makers_;
};

/// Maps OpenMM's kernels to classes.
void add_kernels(Factory& factory) {
    using namespace OpenMM;
    factory.add<EvaluationKernel, StateKernel, ConstraintsKernel, SitesKernel, MinimizerKernel>();

    factory.add_as<ForceKernel, CalcHarmonicBondForceKernel, CalcHarmonicAngleForceKernel, CalcPeriodicTorsionForceKernel,
                   CalcRBTorsionForceKernel, CalcCMAPTorsionForceKernel, CalcGBSAOBCForceKernel, CalcGayBerneForceKernel,
                   CalcLCPOForceKernel, CalcRMSDForceKernel, CalcOrientationRestraintForceKernel>();
    factory.add_as<ForceKernel, CalcCustomBondForceKernel, CalcCustomAngleForceKernel, CalcCustomTorsionForceKernel,
                   CalcCustomNonbondedForceKernel, CalcCustomExternalForceKernel, CalcCustomGBForceKernel,
                   CalcCustomHbondForceKernel, CalcCustomCentroidBondForceKernel, CalcCustomCompoundBondForceKernel,
                   CalcCustomManyParticleForceKernel>();
    factory.add_as<FixedForceKernel, CalcRGForceKernel, CalcPythonForceKernel>();
    factory.add<NonbondedKernel, ConstantPotentialKernel, VariablesKernel, TransferKernel, CppForceKernel>();

    factory.add_as<StepKernel, IntegrateVerletStepKernel, IntegrateLangevinMiddleStepKernel, IntegrateBrownianStepKernel,
                   IntegrateDPDStepKernel>();
    factory.add_as<VariableStepKernel, IntegrateVariableVerletStepKernel, IntegrateVariableLangevinStepKernel>();
    factory.add<NoseHooverKernel, QuantumBathKernel, CustomKernel>();

    // Motion removers and Andersen thermostats act in the steps of our Context.
    factory.add_as<FixedForceKernel, RemoveCMMotionKernel, ApplyAndersenThermostatKernel>();
    factory.add<BarostatKernel>();

#ifdef TROTTER_DRUDE
    factory.add<ForceKernel<CalcDrudeForceKernel>>();
    factory.add_as<StepKernel, IntegrateDrudeLangevinStepKernel, IntegrateDrudeSCFStepKernel>();
#endif
#ifdef TROTTER_AMOEBA
    factory.add_as<ForceKernel, CalcAmoebaVdwForceKernel, CalcAmoebaWcaDispersionForceKernel,
                   CalcAmoebaGeneralizedKirkwoodForceKernel>();
    factory.add_as<FixedForceKernel, CalcAmoebaTorsionTorsionForceKernel>();
    factory.add<MultipoleKernel, HippoKernel>();
#endif
#ifdef TROTTER_RPMD
    factory.add<RingKernel>();
#endif
}

class TrotterPlatform : public OpenMM::Platform {
public:
    TrotterPlatform() {
        auto* const factory = new Factory;  // owned by the Platform after registration
        add_kernels(*factory);
        factory->register_in(*this);
        for (auto const& [name, value] : Properties::defaults()) {
            platformProperties.push_back(name);
            setPropertyDefaultValue(name, value);
        }
    }
    std::string const& getName() const override {
        static std::string const name = "Trotter";
        return name;
    }
    /// OpenMM selects the fastest platform; its own have 1 (Reference), 10 (CPU), 50 (OpenCL) and 100 (CUDA).
    double getSpeed() const override {
        auto const backend = best_platform();
        return backend == "cuda" ? 110 : backend == "opencl" ? 60 : backend == "cpu" ? 20 : 0.5;
    }
    bool supportsDoublePrecision() const override { return true; }
    std::string const& getPropertyValue(OpenMM::Context const& context, std::string const& name) const override {
        auto const& values = Engine::of(getContextImpl(context)).properties().values();
        return values.contains(name) ? values.at(name) : Platform::getPropertyValue(context, name);  // throws
    }
    std::vector<std::map<std::string, std::string>> getDevices(
        std::map<std::string, std::string> const& filters) const override {
        auto devices = usable_devices();
        std::erase_if(devices, [&](auto const& device) {
            return std::any_of(filters.begin(), filters.end(), [&](auto const& filter) {
                return device.contains(filter.first) && device.at(filter.first) != filter.second;
            });
        });
        for (auto& device : devices) device.insert(filters.begin(), filters.end());
        return devices;
    }
    void contextCreated(OpenMM::ContextImpl& context, std::map<std::string, std::string> const& given) const override {
        if (auto const& version = getOpenMMVersion(); !version.starts_with("8.6"))
            throw OpenMM::OpenMMException("this platform Trotter was made for OpenMM 8.6, not for " + version);
        auto values = given;
        for (auto const& name : getPropertyNames()) values.emplace(name, getPropertyDefaultValue(name));
        context.setPlatformData(new Engine(context, Properties(values), false));
    }
    void linkedContextCreated(OpenMM::ContextImpl& context, OpenMM::ContextImpl& original) const override {
        context.setPlatformData(new Engine(context, Engine::of(original).properties(), true));
    }
    void contextDestroyed(OpenMM::ContextImpl& context) const override {
        delete static_cast<Engine*>(context.getPlatformData());
        context.setPlatformData(nullptr);
    }
};

}  // namespace
}  // namespace trotter::openmm

extern "C" {

/// An exception here would break `import openmm`: an unusable platform is registered all the same, and throws when a
/// Context is created.
[[gnu::visibility("default")]] void registerPlatforms() {
    static bool is_registered = false;
    if (std::exchange(is_registered, true)) return;
    OpenMM::Platform::registerPlatform(new trotter::openmm::TrotterPlatform);
}
[[gnu::visibility("default")]] void registerKernelFactories() {}

/// For tests that only this platform computed.
[[gnu::visibility("default")]] long long trotter_openmm_evaluations() { return trotter::openmm::Engine::evaluations; }
[[gnu::visibility("default")]] long long trotter_openmm_contexts() { return trotter::openmm::Engine::contexts; }

}  // extern "C"
