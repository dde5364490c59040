// SPDX-License-Identifier: MIT
#include <cmath>
#include <trotter/app/stages/stage.hpp>
#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>

namespace trotter::app {
namespace {

std::optional<Ramp> factor_of(Stage const& stage, std::string const& name, bool is_everywhere) {
    auto const found = stage.restraints.find(name);
    if (found == stage.restraints.end()) return is_everywhere ? std::optional<Ramp>(1) : std::nullopt;
    bool const is_off = found->second.is_constant() && found->second.first() == 0;
    return is_off ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::int64_t Stage::steps() const {
    if (kind == StageKind::minimize) return 0;
    double const steps = std::round(time / timestep);
    if (!(steps >= 1 && steps <= 1e15))
        throw InputError("stage " + name + ": a time of " + format_number(time) + " ps with a timestep of "
                         + format_number(timestep) + " ps makes " + format_number(steps)
                         + " steps, expected 1 to 1e15");
    return static_cast<std::int64_t>(steps);
}

std::optional<Ramp> factor_in(Stage const& stage, PositionRestraint const& restraint) {
    return factor_of(stage, restraint.name, restraint.is_everywhere);
}
std::optional<Ramp> factor_in(Stage const& stage, DistanceRestraint const& restraint) {
    return factor_of(stage, restraint.name, true);
}

}  // namespace trotter::app
