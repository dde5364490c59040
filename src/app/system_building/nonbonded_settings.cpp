// SPDX-License-Identifier: MIT
#include "nonbonded_settings.hpp"

#include <fmt/format.h>

#include <trotter/error.hpp>

namespace trotter::app {
namespace {

// 0 asks for no switching function.
bool is_switched(SystemOptions const& options) {
    return options.switch_distance.value_or(0) != 0 && options.nonbonded_method != NonbondedMethod::no_cutoff;
}

NonbondedForce::Method method_of(NonbondedMethod method) {
    using To = NonbondedForce::Method;
    switch (method) {
        case NonbondedMethod::no_cutoff:
            return To::no_cutoff;
        case NonbondedMethod::cutoff_non_periodic:
            return To::cutoff_non_periodic;
        case NonbondedMethod::cutoff_periodic:
            return To::cutoff_periodic;
        case NonbondedMethod::ewald:
            return To::ewald;
        case NonbondedMethod::pme:
            return To::pme;
        case NonbondedMethod::ljpme:
            return To::ljpme;
    }
    return To::no_cutoff;
}

template <class Settings> void set_distances(SystemOptions const& options, Settings& settings) {
    settings.cutoff_distance = options.cutoff.value_or(1);
    if (!is_switched(options)) return;
    settings.use_switching_function = true;
    settings.switching_distance = *options.switch_distance;
}

}  // namespace

bool is_periodic(NonbondedMethod method) {
    return method != NonbondedMethod::no_cutoff && method != NonbondedMethod::cutoff_non_periodic;
}

PairSettings::Method pair_method(NonbondedMethod method) {
    using To = PairSettings::Method;
    if (is_periodic(method)) return To::cutoff_periodic;
    return method == NonbondedMethod::no_cutoff ? To::no_cutoff : To::cutoff_non_periodic;
}

void check_nonbonded_options(SystemOptions const& options, std::optional<Box> const& box) {
    if (is_periodic(options.nonbonded_method) && !box)
        throw InputError(
            "the nonbonded method is periodic, but no file gives a box: state box, or choose NoCutoff or "
            "CutoffNonPeriodic");
    double const cutoff = options.cutoff.value_or(1);
    if (!(cutoff > 0)) throw InputError(fmt::format("the cutoff is {} nm, but must be positive", cutoff));
    if (is_switched(options) && !(*options.switch_distance > 0 && *options.switch_distance < cutoff))
        throw InputError(fmt::format("the switching distance is {} nm, but must lie between 0 and the cutoff of {} nm",
                                     *options.switch_distance, cutoff));
    if (options.ewald_error_tolerance && !(*options.ewald_error_tolerance > 0))
        throw InputError(
            fmt::format("the Ewald error tolerance is {}, but must be positive", *options.ewald_error_tolerance));
}

void apply(SystemOptions const& options, NonbondedForce& force) {
    force.method = method_of(options.nonbonded_method);
    set_distances(options, force);
    force.ewald_error_tolerance = options.ewald_error_tolerance.value_or(5e-4);
}

void apply(SystemOptions const& options, PairSettings& pairs) {
    pairs.method = pair_method(options.nonbonded_method);
    set_distances(options, pairs);
}

}  // namespace trotter::app
