// SPDX-License-Identifier: MIT
#include "ramps.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <trotter/error.hpp>
#include <trotter/forces/andersen_thermostat.hpp>
#include <trotter/forces/monte_carlo_barostats.hpp>

namespace trotter::program {
namespace {

constexpr std::array temperatures{MonteCarloBarostat::temperature_parameter,
                                  MonteCarloAnisotropicBarostat::temperature_parameter,
                                  MonteCarloMembraneBarostat::temperature_parameter,
                                  AndersenThermostat::temperature_parameter};
constexpr std::array pressures{
    MonteCarloBarostat::pressure_parameter, MonteCarloAnisotropicBarostat::pressure_x_parameter,
    MonteCarloAnisotropicBarostat::pressure_y_parameter, MonteCarloAnisotropicBarostat::pressure_z_parameter,
    MonteCarloMembraneBarostat::pressure_parameter};

std::vector<std::string> declared(std::span<std::string_view const> names, AnyContext const& context) {
    std::vector<std::string> result;
    for (auto const name : names)
        if (context.parameters().contains(name)) result.emplace_back(name);
    return result;
}

}  // namespace

RunRamps::RunRamps(std::vector<NamedRamp> const& ramps, AnyContext const& context, std::int64_t first_step,
                   double step_size)
    : first_step_(first_step), step_size_(step_size) {
    if (!ramps.empty() && !(step_size > 0)) throw InputError("--ramp needs an integrator with a fixed step");
    for (auto const& [name, ramp] : ramps) {
        OneRamp one{name == "temperature", {name}, ramp};
        if (name == "temperature") one.parameters = declared(temperatures, context);
        if (name == "pressure") one.parameters = declared(pressures, context);
        if (name == "pressure" && one.parameters.empty())
            throw InputError("--ramp: the System has no barostat, expected one for a ramp of the pressure");
        for (auto const& parameter : one.parameters)
            if (!context.parameters().contains(parameter))
                throw InputError("--ramp: there is no parameter '" + parameter
                                 + "', expected temperature, pressure, or a parameter that a force declares");
        ramps_.push_back(std::move(one));
    }
}

std::int64_t RunRamps::next_change(std::int64_t step, std::int64_t limit) const {
    if (ramps_.empty()) return limit;
    return std::min(limit, step + steps_between_changes - (step - first_step_) % steps_between_changes);
}

void RunRamps::apply(AnyContext& context) const {
    auto const steps = context.step_count() - first_step_;
    double const time = static_cast<double>(steps - steps % steps_between_changes) * step_size_;
    for (auto const& [is_of_integrator, parameters, ramp] : ramps_) {
        double const value = ramp.at(time);
        if (is_of_integrator) context.set_temperature(value);
        for (auto const& parameter : parameters)
            if (context.parameter(parameter) != value) context.set_parameter(parameter, value);
    }
}

}  // namespace trotter::program
