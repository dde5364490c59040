// Access to the variables of a CustomIntegrator, by name and as values in a State.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <trotter/common/integration/custom/custom.hpp>
#include <trotter/error.hpp>

namespace trotter {
namespace {

template <class List> auto& named(List& list, std::string const& name, char const* what) {
    std::string known;
    for (auto& one : list) {
        if (one.name == name) return one;
        known += (known.empty() ? "" : ", ") + one.name;
    }
    throw InputError("the CustomIntegrator has no " + std::string(what) + " '" + name
                     + "'; known: " + (known.empty() ? "none" : known));
}

}  // namespace

double CustomStepper::global(std::string const& name) const {
    return named(integrator_.globals, name, "global variable").value;
}
void CustomStepper::set_global(std::string const& name, double value) {
    named(integrator_.globals, name, "global variable").value = value;
}
std::vector<Vec3<>> const& CustomStepper::per_dof(std::string const& name) const {
    return named(integrator_.per_dof, name, "per-DOF variable").values;
}
void CustomStepper::set_per_dof(std::string const& name, std::vector<Vec3<>> values) {
    auto& own = named(integrator_.per_dof, name, "per-DOF variable").values;
    if (values.size() != own.size())
        throw InputError(std::to_string(values.size()) + " values were given for the per-DOF variable '" + name
                         + "' of a System of " + std::to_string(own.size()) + " particles");
    own = std::move(values);
}

void CustomStepper::set_numbers(std::vector<Vec3<>>& values, std::vector<double> const& numbers) {
    if (numbers.size() != 3 * values.size())
        throw InputError("the checkpoint has " + std::to_string(numbers.size())
                         + " numbers of a per-DOF variable, expected " + std::to_string(3 * values.size()));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
}

std::map<std::string, double> CustomStepper::parameters() const {
    std::map<std::string, double> result;
    auto const globals = CustomIntegrator::path_of_globals(index_);
    result[globals] = result[CustomIntegrator::path_of_per_dof(index_)] = 0;
    for (auto const& [name, value] : integrator_.globals) result[globals + name] = value;
    for (auto const& [name, values] : integrator_.per_dof)
        for (std::size_t i = 0; i < values.size(); ++i)
            for (std::size_t axis = 0; axis < 3; ++axis)
                result[CustomIntegrator::path_of_value(index_, name, i, "xyz"[axis])] = values[i][axis];
    return result;
}

void CustomStepper::set_parameters(std::map<std::string, double> const& parameters) {
    auto const for_prefix = [&](std::string const& prefix, auto const& visit) {
        auto entry = parameters.lower_bound(prefix);
        for (; entry != parameters.end() && entry->first.starts_with(prefix); ++entry)
            if (entry->first != prefix) visit(entry->first.substr(prefix.size()), entry->second);
    };
    for_prefix(CustomIntegrator::path_of_globals(index_),
               [&](std::string const& name, double value) { set_global(name, value); });
    auto const all = CustomIntegrator::path_of_per_dof(index_);
    std::map<std::string, std::size_t> found;
    for_prefix(all, [&](std::string const& rest, double) { ++found[rest.substr(0, rest.find('['))]; });
    for (auto const& [name, count] : found) {
        auto& values = named(integrator_.per_dof, name, "per-DOF variable").values;
        for (std::size_t i = 0; i < values.size(); ++i)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                auto const number = parameters.find(CustomIntegrator::path_of_value(index_, name, i, "xyz"[axis]));
                if (number == parameters.end() || count != 3 * values.size())
                    throw InputError("the State has " + std::to_string(count) + " numbers of the per-DOF variable '"
                                     + name + "', expected three for each of " + std::to_string(values.size())
                                     + " particles");
                values[i][axis] = number->second;
            }
    }
}

}  // namespace trotter
