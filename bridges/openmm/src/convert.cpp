// Converts Systems, forces and integrators of OpenMM to Trotter's.
// SPDX-License-Identifier: MIT
#include "convert.hpp"

#include <cstddef>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include <openmm/CompoundIntegrator.h>
#include <openmm/CustomCVForce.h>
#ifdef TROTTER_DRUDE
#include <openmm/DrudeSCFIntegrator.h>
#endif
#include <openmm/HarmonicAngleForce.h>
#include <openmm/HarmonicBondForce.h>
#include <openmm/MonteCarloAnisotropicBarostat.h>
#include <openmm/MonteCarloBarostat.h>
#include <openmm/MonteCarloFlexibleBarostat.h>
#include <openmm/MonteCarloMembraneBarostat.h>
#include <openmm/NonbondedForce.h>
#include <openmm/PeriodicTorsionForce.h>
#ifdef TROTTER_RPMD
#include <openmm/RPMDIntegrator.h>
#include <openmm/RPMDMonteCarloBarostat.h>
#endif
#include <openmm/State.h>
#include <openmm/VirtualSite.h>
#include <openmm/serialization/XmlSerializer.h>
#include <trotter/error.hpp>
#include <trotter/io/system.hpp>

namespace trotter::openmm {
namespace {

template <class To, class From> To const* as(From const& object) { return dynamic_cast<To const*>(&object); }

VirtualSite convert_site(OpenMM::VirtualSite const& site) {
    auto const particle = [&](int n) { return site.getParticle(n); };
    if (auto const* s = as<OpenMM::TwoParticleAverageSite>(site))
        return TwoParticleAverageSite{particle(0), particle(1), s->getWeight(0), s->getWeight(1)};
    if (auto const* s = as<OpenMM::ThreeParticleAverageSite>(site))
        return ThreeParticleAverageSite{particle(0),     particle(1),     particle(2),
                                        s->getWeight(0), s->getWeight(1), s->getWeight(2)};
    if (auto const* s = as<OpenMM::OutOfPlaneSite>(site))
        return OutOfPlaneSite{particle(0),      particle(1),      particle(2),
                              s->getWeight12(), s->getWeight13(), s->getWeightCross()};
    if (auto const* s = as<OpenMM::LocalCoordinatesSite>(site)) {
        LocalCoordinatesSite result;
        for (int n = 0; n < site.getNumParticles(); ++n) result.particles.push_back(particle(n));
        s->getOriginWeights(result.origin_weights);
        s->getXWeights(result.x_weights);
        s->getYWeights(result.y_weights);
        result.local_position = from_openmm(s->getLocalPosition());
        return result;
    }
    if (auto const* s = as<OpenMM::SymmetrySite>(site)) {
        OpenMM::Vec3 x, y, z;
        s->getRotationMatrix(x, y, z);
        return SymmetrySite{particle(0), {from_openmm(x), from_openmm(y), from_openmm(z)},
                            from_openmm(s->getOffsetVector()), s->getUseBoxVectors()};
    }
    throw UnsupportedError("Trotter does not know this kind of virtual site");
}

// Forces with many particles or terms are read from the objects, 100 times faster than from XML.

template <class To> To with_common(OpenMM::Force const& force) {
    To result;
    result.force_group = force.getForceGroup();
    result.label = force.getName();
    if constexpr (requires { result.periodic; }) result.periodic = force.usesPeriodicBoundaryConditions();
    return result;
}

/// Reads terms whose members are the outputs of OpenMM's getter, in its order.
template <class Term, class Owner, class... Numbers>
void read_terms(std::vector<Term>& terms, Owner const& owner, int count, void (Owner::*get)(int, Numbers&...) const) {
    terms.reserve(static_cast<std::size_t>(count));
    std::tuple<Numbers...> numbers;
    for (int n = 0; n < count; ++n)
        std::apply([&](auto&... each) { (owner.*get)(n, each...), terms.push_back({each...}); }, numbers);
}

/// Adds the force if it is a `From`, which is a list of terms.
template <class To, class From, class Get>
bool add_terms(StandardSystem& system, OpenMM::Force const& force, int (From::*count)() const, Get const& get) {
    auto const* from = as<From>(force);
    if (from == nullptr) return false;
    auto result = with_common<To>(force);
    read_terms(result.*To::terms, *from, (from->*count)(), get);
    system.add(std::move(result));
    return true;
}
bool add_bonded(StandardSystem& system, OpenMM::Force const& force) {
    using Bonds = OpenMM::HarmonicBondForce;
    using Angles = OpenMM::HarmonicAngleForce;
    using Torsions = OpenMM::PeriodicTorsionForce;
    return add_terms<HarmonicBondForce>(system, force, &Bonds::getNumBonds, &Bonds::getBondParameters)
           || add_terms<HarmonicAngleForce>(system, force, &Angles::getNumAngles, &Angles::getAngleParameters)
           || add_terms<PeriodicTorsionForce>(system, force, &Torsions::getNumTorsions,
                                              &Torsions::getTorsionParameters);
}

NonbondedForce convert(OpenMM::NonbondedForce const& force) {
    auto result = with_common<NonbondedForce>(force);
    result.method = static_cast<NonbondedForce::Method>(force.getNonbondedMethod());  // enumerators have the same order
    result.cutoff_distance = force.getCutoffDistance();
    result.use_switching_function = force.getUseSwitchingFunction();
    result.switching_distance = force.getSwitchingDistance();
    result.reaction_field_dielectric = force.getReactionFieldDielectric();
    result.use_dispersion_correction = force.getUseDispersionCorrection();
    result.ewald_error_tolerance = force.getEwaldErrorTolerance();
    force.getPMEParameters(result.pme.alpha, result.pme.nx, result.pme.ny, result.pme.nz);
    force.getLJPMEParameters(result.ljpme.alpha, result.ljpme.nx, result.ljpme.ny, result.ljpme.nz);
    result.exceptions_use_periodic = force.getExceptionsUsePeriodicBoundaryConditions();
    result.include_direct_space = force.getIncludeDirectSpace();
    result.reciprocal_force_group = force.getReciprocalSpaceForceGroup();
    for (int n = 0; n < force.getNumGlobalParameters(); ++n)
        result.global_parameters.push_back({force.getGlobalParameterName(n), force.getGlobalParameterDefaultValue(n)});
    using Theirs = OpenMM::NonbondedForce;
    read_terms(result.particles, force, force.getNumParticles(), &Theirs::getParticleParameters);
    read_terms(result.exceptions, force, force.getNumExceptions(), &Theirs::getExceptionParameters);
    int const offsets = force.getNumParticleParameterOffsets(), of_exceptions = force.getNumExceptionParameterOffsets();
    read_terms(result.particle_offsets, force, offsets, &Theirs::getParticleParameterOffset);
    read_terms(result.exception_offsets, force, of_exceptions, &Theirs::getExceptionParameterOffset);
    return result;
}

template <class T> std::string xml_of(T const& object, std::string const& element) {
    std::ostringstream text;
    OpenMM::XmlSerializer::serialize(&object, element, text);
    return text.str();
}

void add_from_xml(StandardSystem& system, OpenMM::Force const& force) {
    auto const document = parse_xml(xml_of(force, "Force"), "force " + force.getName());
    detail::read_force_into(document.root("Force"), system, system.particle_count());
}

/// Converts by XML, except the variables, which may be forces without XML.
CustomCVForce convert(OpenMM::CustomCVForce const& force, int particle_count, FindCallback const& find_callback) {
    OpenMM::CustomCVForce formula(force.getEnergyFunction());
    formula.setForceGroup(force.getForceGroup());
    formula.setName(force.getName());
    for (int n = 0; n < force.getNumGlobalParameters(); ++n)
        formula.addGlobalParameter(force.getGlobalParameterName(n), force.getGlobalParameterDefaultValue(n));
    for (int n = 0; n < force.getNumEnergyParameterDerivatives(); ++n)
        formula.addEnergyParameterDerivative(force.getEnergyParameterDerivativeName(n));
    for (int n = 0; n < force.getNumTabulatedFunctions(); ++n)
        formula.addTabulatedFunction(force.getTabulatedFunctionName(n),
                                     OpenMM::XmlSerializer::clone(force.getTabulatedFunction(n)));
    StandardSystem read;
    read.particles.masses.resize(static_cast<std::size_t>(particle_count));
    add_from_xml(read, formula);
    auto result = std::move(read.forces<CustomCVForce>().front());
    result.variables->particles = read.particles;
    for (int n = 0; n < force.getNumCollectiveVariables(); ++n) {
        result.variable_names.push_back(force.getCollectiveVariableName(n));
        add_force(*result.variables, force.getCollectiveVariable(n), find_callback);
    }
    return result;
}

/// One by one, since some have no XML.
CompoundIntegrator convert(OpenMM::CompoundIntegrator const& compound) {
    CompoundIntegrator result{.current = compound.getCurrentIntegrator()};
    for (int n = 0; n < compound.getNumIntegrators(); ++n)
        std::visit(
            [&]<class I>(I const& own) {
                if constexpr (std::is_constructible_v<StandardIntegrators::Any, I const&>)
                    result.integrators.emplace_back(own);
                else
                    throw UnsupportedError("a CompoundIntegrator cannot hold a CompoundIntegrator");
            },
            convert_integrator(compound.getIntegrator(n)));
    return result;
}

std::vector<OpenMM::Vec3> positions_of(Configuration const& configuration) {
    std::vector<OpenMM::Vec3> result;
    to_openmm(configuration.positions, result);
    return result;
}

}  // namespace

CallbackForce<> call_python(OpenMM::PythonForce const& force, std::function<std::int64_t()> const& step_count) {
    auto result = with_common<CallbackForce<>>(force);
    result.particles = force.getParticles();
    for (auto const& [name, value] : force.getGlobalParameters()) result.global_parameters.push_back({name, value});
    result.function = [&force, step_count](Configuration const& configuration, std::span<Vec3<>> forces) {
        OpenMM::State::StateBuilder builder(configuration.time, step_count());
        builder.setPositions(positions_of(configuration));
        auto const& parameters = configuration.parameters.values();
        builder.setParameters({parameters.begin(), parameters.end()});
        if (force.usesPeriodicBoundaryConditions())
            builder.setPeriodicBoxVectors(to_openmm(configuration.box.a), to_openmm(configuration.box.b),
                                          to_openmm(configuration.box.c));
        double energy = 0;
        force.getComputation().compute(builder.getState(), energy, &forces.data()->x, true);
        return energy;
    };
    return result;
}

CallbackForce<> call_cpp(OpenMM::CustomCPPForceImpl& force, OpenMM::ContextImpl& context) {
    auto result = with_common<CallbackForce<>>(force.getOwner());
    result.function = [&force, &context](Configuration const& configuration, std::span<Vec3<>> forces) {
        std::vector<OpenMM::Vec3> sum(forces.size());
        double const energy = force.computeForce(context, positions_of(configuration), sum);
        for (std::size_t i = 0; i < forces.size(); ++i) forces[i] = from_openmm(sum[i]);
        return energy;
    };
    return result;
}

StandardSystem convert_frame(OpenMM::System const& system) {
    StandardSystem result;
    OpenMM::Vec3 a, b, c;
    system.getDefaultPeriodicBoxVectors(a, b, c);
    result.box = {from_openmm(a), from_openmm(b), from_openmm(c)};
    for (int i = 0; i < system.getNumParticles(); ++i) {
        result.add_particle(system.getParticleMass(i));
        if (system.isVirtualSite(i)) result.set_virtual_site(i, convert_site(system.getVirtualSite(i)));
    }
    read_terms(result.particles.constraints, system, system.getNumConstraints(), &OpenMM::System::getConstraintParameters);
    return result;
}

bool is_for_rings([[maybe_unused]] OpenMM::Force const& force) {
#ifdef TROTTER_RPMD
    return as<OpenMM::RPMDMonteCarloBarostat>(force);
#else
    return false;
#endif
}
bool acts_by_itself(OpenMM::Force const& force) {
    return is_for_rings(force) || as<OpenMM::MonteCarloBarostat>(force) || as<OpenMM::MonteCarloAnisotropicBarostat>(force)
           || as<OpenMM::MonteCarloMembraneBarostat>(force) || as<OpenMM::MonteCarloFlexibleBarostat>(force);
}

void add_force(StandardSystem& system, OpenMM::Force const& force, FindCallback const& find_callback) {
    if (auto callback = find_callback(force); callback.function)
        system.add(std::move(callback));
    else if (auto const* nonbonded = as<OpenMM::NonbondedForce>(force))
        system.add(convert(*nonbonded));
    else if (auto const* variables = as<OpenMM::CustomCVForce>(force))
        system.add(convert(*variables, system.particle_count(), find_callback));
    else if (!add_bonded(system, force))
        add_from_xml(system, force);
}

AnyIntegrator convert_integrator(OpenMM::Integrator const& integrator) {
#ifdef TROTTER_RPMD
    if (as<OpenMM::RPMDIntegrator>(integrator))  // steps by its kernel: only the state of one copy is in the Context
        return VerletIntegrator{.step_size = integrator.getStepSize()};
#endif
#ifdef TROTTER_DRUDE
    if (auto const* drude = as<OpenMM::DrudeSCFIntegrator>(integrator)) {  // which has no XML
        DrudeSCFIntegrator result;
        result.step_size = drude->getStepSize();
        result.constraint_tolerance = drude->getConstraintTolerance();
        result.force_groups = ForceGroups::mask(static_cast<std::uint32_t>(drude->getIntegrationForceGroups()));
        result.minimization_tolerance = drude->getMinimizationErrorTolerance();
        return result;
    }
#endif
    if (auto const* compound = as<OpenMM::CompoundIntegrator>(integrator)) return convert(*compound);
    return parse_integrator(xml_of(integrator, "Integrator"), "the integrator");
}

}  // namespace trotter::openmm
