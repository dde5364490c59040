// SPDX-License-Identifier: MIT
#include <cmath>
#include <concepts>
#include <trotter/app/stages/stage_system.hpp>
#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>

namespace trotter::app {
namespace {

template <class F, class... Others> constexpr bool is_one_of = (std::same_as<F, Others> || ...);

void check(std::string const& name, double force_constant) {
    if (!std::isfinite(force_constant) || force_constant < 0)
        throw InputError("restraint " + name + ": k is " + format_number(force_constant)
                         + ", expected a finite number that is not negative [kJ/mol/nm^2]");
}

// Those that move by themselves.
std::vector<int> with_mass(StandardSystem const& system, std::string const& name, std::vector<int> const& atoms) {
    std::vector<int> result;
    for (int const atom : atoms) {
        if (atom < 0 || atom >= system.particle_count())
            throw InputError("restraint " + name + ": there is no atom " + std::to_string(atom) + ", expected 0 to "
                             + std::to_string(system.particle_count() - 1));
        if (system.particles.masses[static_cast<std::size_t>(atom)] > 0) result.push_back(atom);
    }
    return result;
}

std::vector<GlobalParameter> parameters_of(std::string const& name, double scale, double factor) {
    return {{std::string(restraint_scale_parameter), scale}, {restraint_parameter(name), factor}};
}

std::string spring(std::string const& name, std::string const& deviation) {
    return std::string(restraint_scale_parameter) + "*" + restraint_parameter(name) + "*k/2*" + deviation;
}

}  // namespace

std::string restraint_parameter(std::string_view name) { return "restraint_" + std::string(name); }

void add_restraint(StandardSystem& system, PositionRestraint const& restraint, std::vector<int> const& atoms,
                   std::vector<Vec3<>> const& reference, double scale, double factor) {
    check(restraint.name, restraint.force_constant);
    if (reference.size() != static_cast<std::size_t>(system.particle_count()))
        throw InputError("restraint " + restraint.name + ": its reference has " + std::to_string(reference.size())
                         + " positions, expected " + std::to_string(system.particle_count()));
    CustomExternalForce force;
    force.label = "restraint " + restraint.name;
    force.energy = CustomExternalForce::formula(spring(
        restraint.name, is_periodic(system) ? "periodicdistance(x, y, z, x0, y0, z0)^2"
                                            : "((x-x0)^2+(y-y0)^2+(z-z0)^2)"));
    force.parameter_names = {"k", "x0", "y0", "z0"};
    force.global_parameters = parameters_of(restraint.name, scale, factor);
    for (int const atom : with_mass(system, restraint.name, atoms)) {
        auto const& place = reference[static_cast<std::size_t>(atom)];
        force.affected.push_back({atom, {restraint.force_constant, place.x, place.y, place.z}});
    }
    system.add(std::move(force));
}

void add_restraint(StandardSystem& system, DistanceRestraint const& restraint, std::vector<int> const& first,
                   std::vector<int> const& second, double scale, double factor) {
    check(restraint.name, restraint.force_constant);
    CustomCentroidBondForce force;
    force.label = "restraint " + restraint.name;
    force.groups_per_bond = 2;
    force.energy = CustomCentroidBondForce::formula(spring(restraint.name, "(distance(g1, g2)-d0)^2"));
    force.parameter_names = {"k", "d0"};
    force.global_parameters = parameters_of(restraint.name, scale, factor);
    force.periodic = is_periodic(system);
    for (auto const* atoms : {&first, &second}) {
        force.groups.push_back({with_mass(system, restraint.name, *atoms), {}});
        if (force.groups.back().particles.empty())
            throw InputError("restraint " + restraint.name + ": a set has no atom with mass, expected one or more");
    }
    force.bonds.push_back({{0, 1}, {restraint.force_constant, restraint.distance}});
    system.add(std::move(force));
}

StandardSystem without_barostats(StandardSystem const& system) {
    StandardSystem result;
    result.particles = system.particles;
    result.box = system.box;
    system.for_each_force([&]<class F>(int, F const& force) {
        if constexpr (!is_one_of<F, MonteCarloBarostat, MonteCarloAnisotropicBarostat, MonteCarloMembraneBarostat,
                                 MonteCarloFlexibleBarostat>)
            result.add(force);
    });
    return result;
}

void add_barostat(StandardSystem& system, Stage const& stage) {
    if (!stage.pressure || stage.barostat == StageBarostat::none) return;
    auto const refuse = [&](std::string const& why) { throw InputError("stage " + stage.name + " has a pressure, but " + why); };
    if (!is_periodic(system)) refuse("the System is not periodic");
    if (!stage.temperature || !(stage.temperature->smallest() > 0)) refuse("no temperature above 0");
    double const pressure = stage.pressure->first(), temperature = stage.temperature->first();
    if (stage.barostat == StageBarostat::membrane)
        system.add(MonteCarloMembraneBarostat{
            .pressure = pressure, .temperature = temperature, .frequency = stage.barostat_interval});
    else
        system.add(
            MonteCarloBarostat{.pressure = pressure, .temperature = temperature, .frequency = stage.barostat_interval});
}

}  // namespace trotter::app
