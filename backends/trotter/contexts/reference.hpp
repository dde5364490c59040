// The Reference backend as programs that choose their backend use it.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/contexts/compiled_context.hpp>
#include <trotter/reference.hpp>
#include <trotter/reference/observables.hpp>

namespace trotter {

template <> struct BackendChoices<Reference> {
    static std::vector<std::string_view> precisions(Double) { return {"double"}; }
    static Reference backend(BackendChoice const&) { return {}; }
    template <class Held> static ObservableFunctions observables() {
        return {.virial = [](void* held,
                             ForceGroups const& groups) { return reference::virial(Held::of(held).context, groups); },
                .pressure_tensor =
                    [](void* held, ForceGroups const& groups) {
                        return reference::pressure_tensor(Held::of(held).context, groups);
                    },
                .term_energies =
                    [](void* held, int force) { return reference::term_energies(Held::of(held).context, force); },
                .interaction_energy =
                    [](void* held, int force, std::vector<int> const& first, std::vector<int> const& second) {
                        return reference::interaction_energy(Held::of(held).context, force, first, second);
                    }};
    }
};

}  // namespace trotter
