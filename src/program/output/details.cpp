// Summarizes selected forces in a few words.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

#include <trotter/physics/nonbonded_parameters.hpp>
#include <trotter/program.hpp>

namespace trotter::program {
namespace {

std::string_view method_name(NonbondedForce::Method method) {
    static constexpr std::array names{"no cutoff", "cutoff", "periodic cutoff", "Ewald", "PME", "LJPME"};
    return names[static_cast<std::size_t>(method)];
}

std::string splitting_text(ReciprocalCharges const& charges) {
    if (auto const* const waves = std::get_if<EwaldSplitting>(&charges.method)) {
        auto const [nx, ny, nz] = waves->wave_limit;
        return fmt::format(", alpha {:.6g}/nm, waves {} x {} x {}", waves->alpha, nx, ny, nz);
    }
    auto const mesh = charges.mesh();
    return fmt::format(", {} alpha {:.6g}/nm, mesh {} x {} x {}",
                       charges.kind == MeshKind::coulomb ? "charges" : "dispersion", mesh.alpha, mesh.nx, mesh.ny, mesh.nz);
}

}  // namespace

std::string cutoff_text(double cutoff) { return fmt::format(", cutoff {:.6g} nm", cutoff); }

std::string details(NonbondedForce const& force, Box const& box) {
    auto text = fmt::format("{} particles, {} exceptions, {}", force.particles.size(), force.exceptions.size(),
                            method_name(force.method));
    if (force.uses_cutoff()) text += cutoff_text(force.cutoff_distance);
    if (auto const switched = direct_space(force).switching) text += fmt::format(", switched from {:.6g} nm", switched->start);
    for (auto const kind : {MeshKind::coulomb, MeshKind::dispersion})
        if (auto const charges = reciprocal_charges(force, kind, box)) text += splitting_text(*charges);
    return text;
}

}  // namespace trotter::program
