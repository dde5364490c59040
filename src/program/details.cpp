// What the forces with most to say hold, in a few words.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

#include <trotter/forces/nonbonded_parameters.hpp>
#include <trotter/program.hpp>

namespace trotter::program {
namespace {

std::string_view method_name(NonbondedForce::Method method) {
    static constexpr std::array names{"no cutoff", "cutoff", "periodic cutoff", "Ewald", "PME", "LJPME"};
    return names[static_cast<std::size_t>(method)];
}

std::string mesh_text(char const* what, MeshSettings const& mesh) {
    return fmt::format(", {} alpha {:.6g}/nm, mesh {} x {} x {}", what, mesh.alpha, mesh.nx, mesh.ny, mesh.nz);
}

}  // namespace

std::string details(NonbondedForce const& force, Box const& box) {
    using Method = NonbondedForce::Method;
    auto text = fmt::format("{} particles, {} exceptions, {}", force.particles.size(), force.exceptions.size(),
                            method_name(force.method));
    if (force.uses_cutoff()) text += fmt::format(", cutoff {:.6g} nm", force.cutoff_distance);
    if (auto const switched = switching(force)) text += fmt::format(", switched from {:.6g} nm", switched->start);
    if (force.method == Method::ewald) {
        auto const [alpha, limit] = ewald_splitting(force, box);
        text += fmt::format(", alpha {:.6g}/nm, waves {} x {} x {}", alpha, limit[0], limit[1], limit[2]);
    }
    if (force.method == Method::pme || force.method == Method::ljpme)
        text += mesh_text("charges", pme_mesh(force, box));
    if (force.method == Method::ljpme) text += mesh_text("dispersion", ljpme_mesh(force, box));
    return text;
}

std::string details(GBSAOBCForce const& force, Box const&) {
    auto text = fmt::format("{} particles", force.particles.size());
    if (force.uses_cutoff()) text += fmt::format(", cutoff {:.6g} nm", force.cutoff_distance);
    return text;
}

}  // namespace trotter::program
