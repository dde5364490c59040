// Every struct that users fill in can be initialized with one designated member, without warnings about missing ones.
// SPDX-License-Identifier: MIT
#include <span>

#include <trotter/compiled_contexts.hpp>
#include <trotter/integrators/nested_splitting.hpp>
#include <trotter/io/log.hpp>
#include <trotter/io/reporters.hpp>
#include <trotter/io/trajectory_reader.hpp>
#include <trotter/minimize.hpp>
#include <trotter/replicas/spread.hpp>
#include <trotter/trotter.hpp>

#include "catch_compat.hpp"

using namespace trotter;

namespace {

double nothing(Configuration const&, std::span<Vec3<>>) { return 0; }

// Compiling is the test: this file has the project's warnings, which are errors.
[[maybe_unused]] auto make_all() {
    return std::tuple{
        Particles{.masses = {1}},
        Constraint{.particle1 = 1},
        Box{.a = {1, 0, 0}},
        State{.time = 1},
        Request{.energy = false},
        BackendChoice{.platform = "cpu"},
        MinimizationSettings{.tolerance = 1},
        MinimizationResult{.energy = 1},
        TrajectoryFrame{.step = 1},
        TrajectoryReporterSettings{.interval = 1},
        LogReporterSettings{.interval = 1},
        LogRow{.step = 1},

        HarmonicBondForce{.bonds = {{.particle2 = 1}}},
        HarmonicAngleForce{.angles = {{.particle2 = 1}}},
        PeriodicTorsionForce{.torsions = {{.particle2 = 1}}},
        RBTorsionForce{.torsions = {{.particle2 = 1}}},
        CMAPTorsionForce{.maps = {{.size = 1}}},
        CustomBondForce{.bonds = {{.particle2 = 1}}},
        CustomAngleForce{.angles = {{.particle2 = 1}}},
        CustomTorsionForce{.torsions = {{.particle2 = 1}}},
        CustomExternalForce{.affected = {{.particle = 1}}},
        CustomCompoundBondForce{.bonds = {{.particles = {1}}}},
        CustomCentroidBondForce{.groups = {{.particles = {1}}}, .bonds = {{.groups = {0}}}},
        NonbondedForce{.particles = {{.charge = 1}},
                       .exceptions = {{.particle2 = 1}},
                       .particle_offsets = {{.parameter = "l"}},
                       .pme = {.alpha = 1}},
        CustomNonbondedForce{.computed_values = {{.name = "v"}},
                             .pairs = {.cutoff_distance = 1},
                             .interaction_groups = {{.set1 = {1}}}},
        CustomGBForce{.computed_values = {{.name = "v"}}, .energy_terms = {{.kind = CustomGBForce::Kind::particle_pair}}},
        CustomHbondForce{.donors = {{.particle1 = 1}}, .exclusions = {{.donor = 1}}},
        CustomManyParticleForce{.particles = {{.type = 1}}, .exclusions = {{.particle2 = 1}}},
        CustomVolumeForce{.force_group = 1},
        CustomCVForce{.variable_names = {"v"}},
        ATMForce{.particles = {FixedDisplacement{.in_state1 = {1, 0, 0}}, ParticleOffsetDisplacement{.origin1 = 1}}},
        AlchemicalTransfer{.lambda1 = 1},
        CallbackForce<double (*)(Configuration const&, std::span<Vec3<>>)>{.function = &nothing},
        GayBerneForce{.particles = {{.sigma = 1}}, .exceptions = {{.particle2 = 1}}},
        GBSAOBCForce{.particles = {{.charge = 1}}},
        LCPOForce{.particles = {{.radius = 1}}},
        ConstantPotentialForce{.exceptions = {{.particle2 = 1}}, .electrodes = {{.particles = {1}}}},
        RMSDForce{.particles = {1}},
        RGForce{.particles = {1}},
        OrientationRestraintForce{.particles = {1}},
        AndersenThermostat{.temperature = 300},
        CMMotionRemover{.frequency = 10},
        MonteCarloBarostat{.temperature = 300},
        MonteCarloAnisotropicBarostat{.temperature = 300},
        MonteCarloMembraneBarostat{.temperature = 300},
        MonteCarloFlexibleBarostat{.temperature = 300},
        GlobalParameter{.name = "k"},
        TabulatedFunction{.name = "f"},

        VerletIntegrator{.step_size = 1},
        VariableVerletIntegrator{.error_tolerance = 1},
        LangevinMiddleIntegrator{.temperature = 300},
        LangevinIntegrator{.temperature = 300},
        VariableLangevinIntegrator{.temperature = 300},
        BrownianIntegrator{.temperature = 300},
        SplittingIntegrator<Splitting{"V R V"}>{.step_size = 1},
        MultipleStepIntegrator<NestedSplitting{"V0 R V0"}>{.step_size = 1},
        NoseHooverIntegrator{.chains = {{.temperature = 300, .pairs = {{.particle2 = 1}}}}},
        DPDIntegrator{.type_pairs = {{.type1 = 1}}},
        QTBIntegrator{.temperature = 300},
        CustomIntegrator{.globals = {{.name = "a"}}, .per_dof = {{.name = "b"}}, .computations = {{.variable = "x"}}},
        BasicCompoundIntegrator<>{.current = 1},
    };
}

}  // namespace
