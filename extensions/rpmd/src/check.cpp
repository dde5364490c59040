// Checks the parameters of ring polymer molecular dynamics.
// SPDX-License-Identifier: MIT
#include <trotter/rpmd/rpmd_integrator.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace trotter::rpmd {

namespace {

[[noreturn]] void refuse(std::string_view owner, std::string const& what, std::string const& value,
                         std::string const& expected) {
    throw InputError("the " + what + " of " + std::string(owner) + " is " + value + ", expected " + expected);
}
void check_numbers(RPMDIntegrator const& integrator) {
    auto const name = RPMDIntegrator::name;
    require_set(name, "temperature", integrator.temperature);
    require_set(name, "friction", integrator.friction);
    require_set(name, "step size", integrator.step_size);
    if (!(integrator.temperature > 0 && std::isfinite(integrator.temperature)))
        refuse(name, "temperature", std::to_string(integrator.temperature),
               "a positive number, which the springs need");
    for (auto const& [what, value] : {std::pair{"friction", integrator.friction}, {"step size", integrator.step_size}})
        if (!(value >= 0 && std::isfinite(value)))
            refuse(name, what, std::to_string(value), "a finite number that is not negative");
}
void check_contractions(RPMDIntegrator const& integrator) {
    for (auto const& [group, copies] : integrator.contractions) {
        if (group < 0)
            throw InputError("a contraction of RPMDIntegrator is for force group " + std::to_string(group)
                             + ", expected 0 or more");
        if (copies < 1 || copies > integrator.copies)
            refuse(RPMDIntegrator::name, "contraction of force group " + std::to_string(group),
                   "to " + std::to_string(copies) + " copies", "1 to all " + std::to_string(integrator.copies));
    }
}
void check_barostat(RPMDIntegrator const& integrator) {
    if (!integrator.barostat) return;
    auto const& [pressure, frequency, seed] = *integrator.barostat;
    auto const name = RPMDMonteCarloBarostat::name;
    if (!std::isfinite(pressure)) refuse(name, "pressure", std::to_string(pressure), "a finite number");
    if (frequency < 0) refuse(name, "frequency", std::to_string(frequency), "0 or more steps");
    if (!integrator.apply_thermostat)
        throw InputError(
            "RPMDMonteCarloBarostat needs the thermostat of RPMDIntegrator, expected apply_thermostat = true");
}

}  // namespace

void check(RPMDIntegrator const& integrator, Particles const& particles) {
    if (integrator.copies < 1)
        refuse(RPMDIntegrator::name, "number of copies", std::to_string(integrator.copies), "at least 1");
    if (particles.count() > std::numeric_limits<int>::max() / integrator.copies)
        throw InputError(std::to_string(integrator.copies) + " copies of " + std::to_string(particles.count())
                         + " particles are more than can be numbered");
    check_numbers(integrator);
    check_contractions(integrator);
    check_barostat(integrator);
    if (!particles.constraints.empty())
        throw InputError("RPMDIntegrator supports no constraints, but the System has "
                         + std::to_string(particles.constraints.size()) + "; use flexible molecules");
}

}  // namespace trotter::rpmd
