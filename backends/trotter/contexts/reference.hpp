// Reference backend for run-time choice.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/contexts/compiled_context.hpp>
#include <trotter/reference.hpp>
#include <trotter/reference/observables.hpp>

namespace trotter {

template <> struct BackendChoices<Reference> {
    static std::vector<std::string_view> precisions(Double) { return {"double"}; }
    static Reference backend(BackendChoice const&) { return {}; }
    template <class Erased> static ObservableFunctions observables() {
        return {
            .virial = [](void* object,
                         ForceGroups const& groups) { return reference::virial(Erased::of(object).context, groups); },
            .pressure_tensor =
                [](void* object, ForceGroups const& groups) {
                    return reference::pressure_tensor(Erased::of(object).context, groups);
                },
            .term_energies = [](void* object,
                                int force) { return reference::term_energies(Erased::of(object).context, force); },
            .interaction_energy =
                [](void* object, int force, std::vector<int> const& first, std::vector<int> const& second) {
                    return reference::interaction_energy(Erased::of(object).context, force, first, second);
                }};
    }
};

}  // namespace trotter
