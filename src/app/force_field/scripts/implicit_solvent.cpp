// SPDX-License-Identifier: MIT
#include <trotter/app/implicit_solvent.hpp>

#include "app/force_field/assembly.hpp"
#include "script.hpp"

namespace trotter::app::force_field {

void ImplicitSolventModel::run(Assembly& assembly) const {
    assembly.options.use_implicit_solvent();
    auto options = *assembly.options.operator->();
    options.implicit_solvent = model;
    add_implicit_solvent(assembly.system, assembly.topology, implicit_solvent_settings(options));
}

}  // namespace trotter::app::force_field
