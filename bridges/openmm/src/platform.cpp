// Trotter as a platform of OpenMM: registers kernel classes, and defines the entry points of the plugin.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
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

/// Creates kernels of one class.
template <class K> struct Factory : OpenMM::KernelFactory {
    OpenMM::KernelImpl* createKernelImpl(std::string name, OpenMM::Platform const& platform,
                                         OpenMM::ContextImpl& context) const override {
        return new K(std::move(name), platform, context);
    }
};

/// Registers kernel classes by OpenMM's names. The Platform owns their factories.
template <class... Ks> void add(OpenMM::Platform& platform) {
    (platform.registerKernelFactory(Ks::Name(), new Factory<Ks>), ...);
}
template <template <class...> class Kernel, class... Ks> void add_as(OpenMM::Platform& platform) {
    add<Kernel<Ks>...>(platform);
}

/// Maps OpenMM's kernels to classes.
void add_kernels(OpenMM::Platform& platform) {
    using namespace OpenMM;
    add<EvaluationKernel, StateKernel, ConstraintsKernel, SitesKernel, MinimizerKernel>(platform);

    add_as<ForceKernel, CalcHarmonicBondForceKernel, CalcHarmonicAngleForceKernel, CalcPeriodicTorsionForceKernel,
           CalcRBTorsionForceKernel, CalcCMAPTorsionForceKernel, CalcGBSAOBCForceKernel, CalcGayBerneForceKernel,
           CalcLCPOForceKernel, CalcRMSDForceKernel, CalcOrientationRestraintForceKernel>(platform);
    add_as<ForceKernel, CalcCustomBondForceKernel, CalcCustomAngleForceKernel, CalcCustomTorsionForceKernel,
           CalcCustomNonbondedForceKernel, CalcCustomExternalForceKernel, CalcCustomGBForceKernel,
           CalcCustomHbondForceKernel, CalcCustomCentroidBondForceKernel, CalcCustomCompoundBondForceKernel,
           CalcCustomManyParticleForceKernel>(platform);
    add_as<FixedForceKernel, CalcRGForceKernel, CalcPythonForceKernel>(platform);
    add<NonbondedKernel, ConstantPotentialKernel, VariablesKernel, TransferKernel, CppForceKernel>(platform);

    add_as<StepKernel, IntegrateVerletStepKernel, IntegrateLangevinMiddleStepKernel, IntegrateBrownianStepKernel,
           IntegrateDPDStepKernel, IntegrateVariableVerletStepKernel, IntegrateVariableLangevinStepKernel>(platform);
    add<NoseHooverKernel, QuantumBathKernel, CustomKernel>(platform);

    // Motion removers and Andersen thermostats act in the steps of our Context.
    add_as<FixedForceKernel, RemoveCMMotionKernel, ApplyAndersenThermostatKernel>(platform);
    add<BarostatKernel>(platform);

#ifdef TROTTER_DRUDE
    add<ForceKernel<CalcDrudeForceKernel>>(platform);
    add_as<StepKernel, IntegrateDrudeLangevinStepKernel, IntegrateDrudeSCFStepKernel>(platform);
#endif
#ifdef TROTTER_AMOEBA
    add_as<ForceKernel, CalcAmoebaVdwForceKernel, CalcAmoebaWcaDispersionForceKernel,
           CalcAmoebaGeneralizedKirkwoodForceKernel>(platform);
    add_as<FixedForceKernel, CalcAmoebaTorsionTorsionForceKernel>(platform);
    add<MultipoleKernel, HippoKernel>(platform);
#endif
#ifdef TROTTER_RPMD
    add<RingKernel>(platform);
#endif
}

class TrotterPlatform : public OpenMM::Platform {
public:
    TrotterPlatform() {
        add_kernels(*this);
        for (auto const& [name, value] : default_properties()) {
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
        auto const& values = Engine::of(const_cast<OpenMM::ContextImpl&>(getContextImpl(context))).properties();
        return values.contains(name) ? values.at(name) : Platform::getPropertyValue(context, name);  // throws
    }
    std::vector<Properties> getDevices(Properties const& filters) const override {
        auto devices = usable_devices();
        std::erase_if(devices, [&](auto const& device) {
            return std::any_of(filters.begin(), filters.end(), [&](auto const& filter) {
                return device.contains(filter.first) && device.at(filter.first) != filter.second;
            });
        });
        for (auto& device : devices) device.insert(filters.begin(), filters.end());
        return devices;
    }
    void contextCreated(OpenMM::ContextImpl& context, Properties const& given) const override {
        if (auto const& version = getOpenMMVersion(); !version.starts_with("8.6"))
            throw OpenMM::OpenMMException("this platform Trotter was made for OpenMM 8.6, not for " + version);
        auto values = given;
        for (auto const& name : getPropertyNames()) values.emplace(name, getPropertyDefaultValue(name));
        context.setPlatformData(new Engine(context, std::move(values), false));
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
