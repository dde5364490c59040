// Generalized Born energies as a CustomGBForce.
//
// HCT: G. D. Hawkins, C. J. Cramer, D. G. Truhlar, Chem. Phys. Lett. 246, 122 (1995). OBC1, OBC2: A. Onufriev,
// D. Bashford, D. A. Case, Proteins 55, 383 (2004). GBn: J. Mongan et al., J. Chem. Theory Comput. 3, 156 (2007). GBn2:
// H. Nguyen, D. R. Roe, C. Simmerling, ibid. 9, 2020 (2013). ACE: M. Schaefer, C. Bartels, M. Karplus, J. Mol. Biol.
// 284, 835 (1998). Constants are OpenMM's.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <trotter/app/implicit_solvent.hpp>

#include "../system_building/nonbonded_settings.hpp"
#include "neck_tables.hpp"

namespace trotter::app {
namespace {

using Kind = CustomGBForce::Kind;

bool has_neck(ImplicitSolvent model) { return model == ImplicitSolvent::gbn || model == ImplicitSolvent::gbn2; }

// What every radius is reduced by [nm].
double offset_of(ImplicitSolvent model) { return model == ImplicitSolvent::gbn2 ? 0.0195141 : 0.009; }

// The integral of 1/r⁴ over the sphere of particle 2 outside of the reduced sphere of particle 1, over 4 pi.
constexpr auto descreening =
    "select(step(r + scaled2 - reduced1), (1/inner - 1/outer + (r - scaled2^2/r)*(1/outer^2 - 1/inner^2)/4"
    " + log(inner/outer)/(2*r))/2, 0);"
    " inner = max(reduced1, abs(r - scaled2)); outer = r + scaled2";

// The same with the space between two spheres that no water fits into.
std::string descreening_with_neck(ImplicitSolvent model) {
    double const scale = model == ImplicitSolvent::gbn2 ? 0.826836 : 0.361825;
    return fmt::format(
        "spheres + {:.17g}*neck;"
        " neck = step(radius1 + radius2 + 0.68 - r)*depth(row1, row2)/(1 + 100*gap^2 + 300000*gap^6);"
        " gap = r - distance(row1, row2); radius1 = reduced1 + {:.17g}; radius2 = reduced2 + {:.17g}; spheres = {}",
        scale, offset_of(model), offset_of(model), descreening);
}

// The effective radius from the integral: 1/(1/reduced - tanh(polynomial in psi)/radius), psi = integral·reduced.
std::string effective_radius(ImplicitSolvent model) {
    auto const polynomial = [&]() -> std::string {
        switch (model) {
            case ImplicitSolvent::obc1:
                return "0.8*psi + 2.909125*psi^3";
            case ImplicitSolvent::gbn:
                return "1.09511284*psi - 1.907992938*psi^2 + 2.50798245*psi^3";
            case ImplicitSolvent::gbn2:
                return "alpha*psi - beta*psi^2 + gamma*psi^3";
            default:
                return "psi - 0.8*psi^2 + 4.85*psi^3";
        }
    };
    if (model == ImplicitSolvent::hct) return "1/(1/reduced - integral)";
    return fmt::format("1/(1/reduced - tanh({})/(reduced + {:.17g})); psi = integral*reduced", polynomial(),
                       offset_of(model));
}

// 1/(4 pi eps0) as OpenMM's models have it [kJ nm/mol/e²].
constexpr double coulomb = 138.935485;

// -k (1/solute - exp(-kappa length)/solvent), of a length that the formula names.
std::string polarization(ImplicitSolventSettings const& settings, std::string_view length) {
    auto const screened =
        settings.kappa > 0 ? fmt::format("exp(-{:.17g}*{})", settings.kappa, length) : std::string{"1"};
    return fmt::format("(-{:.17g})*({:.17g} - {}/{:.17g})", coulomb, 1 / settings.solute_dielectric, screened,
                       settings.solvent_dielectric);
}

void add_energies(CustomGBForce& force, ImplicitSolventSettings const& settings) {
    force.energy_terms.push_back(
        {fmt::format("{}*charge^2/(2*born)", polarization(settings, "born")), Kind::single_particle});
    if (settings.surface_area == SurfaceArea::ace)
        force.energy_terms.push_back(
            {fmt::format("28.3919551*(radius + 0.14)^2*(radius/born)^6; radius = reduced + {:.17g}",
                         offset_of(settings.model)),
             Kind::single_particle});
    bool const has_cutoff = settings.method != NonbondedMethod::no_cutoff;
    auto const shift = has_cutoff ? fmt::format(" - {:.17g}", 1 / settings.cutoff) : std::string{};
    force.energy_terms.push_back(
        {fmt::format("{}*charge1*charge2*(1/f{}); f = sqrt(r^2 + born1*born2*exp(-r^2/(4*born1*born2)))",
                     polarization(settings, "f"), shift),
         Kind::particle_pair_no_exclusions});
}

// Where a radius lies in the tables: two rows and the weight of the first.
struct Place {
    std::size_t row = 0, next = 0;
    double weight = 1;
};
Place place_of(double radius) {
    double const position = (radius - 0.1) * 200;
    if (position <= 0) return {};
    if (position >= neck_table_size - 1) return {neck_table_size - 1, 0, 1};
    auto const row = static_cast<std::size_t>(position);
    return {row, row + 1, static_cast<double>(row + 1) - position};
}

// A table of the radii that occur, linear between the rows of the full table.
TabulatedFunction neck_function(std::string name, std::vector<double> const& radii,
                                double (*full)(std::size_t, std::size_t)) {
    int const size = static_cast<int>(radii.size());
    TabulatedFunction table{.name = std::move(name), .sizes = {size, size}};
    for (double const second : radii)
        for (double const first : radii) {
            auto const a = place_of(second), b = place_of(first);
            table.values.push_back(a.weight * (b.weight * full(a.row, b.row) + (1 - b.weight) * full(a.row, b.next))
                                   + (1 - a.weight)
                                         * (b.weight * full(a.next, b.row) + (1 - b.weight) * full(a.next, b.next)));
        }
    return table;
}

std::vector<double> distinct_radii(CustomGBForce const& force) {
    std::vector<double> radii;
    for (auto const& particle : force.particles) radii.push_back(particle[1]);
    std::sort(radii.begin(), radii.end());
    radii.erase(std::unique(radii.begin(), radii.end()), radii.end());
    return radii;
}

// Adds the tables of the neck, and the row of each particle in them.
void add_necks(CustomGBForce& force, ImplicitSolvent model) {
    auto radii = distinct_radii(force);
    for (auto& particle : force.particles)
        particle.push_back(
            static_cast<double>(std::lower_bound(radii.begin(), radii.end(), particle[1]) - radii.begin()));
    force.parameter_names.push_back("row");
    for (double& radius : radii) radius += offset_of(model);
    force.tabulated_functions = {neck_function("distance", radii, neck_distance),
                                 neck_function("depth", radii, neck_depth)};
}

void add_particles(CustomGBForce& force, ImplicitSolvent model, std::span<double const> charges,
                   std::span<GBAtom const> atoms) {
    force.parameter_names = {"charge", "reduced", "scaled"};
    if (model == ImplicitSolvent::gbn2)
        for (auto const* name : {"alpha", "beta", "gamma"}) force.parameter_names.emplace_back(name);
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        auto const& atom = atoms[i];
        double const reduced = atom.radius - offset_of(model);
        if (has_neck(model) && !(reduced + offset_of(model) >= 0.1 && reduced + offset_of(model) <= 0.2))
            throw InputError(
                fmt::format("atom {} has a radius of {} nm, but implicit solvent by GBn and GBn2 needs 0.1 to 0.2 nm",
                            i, atom.radius));
        force.particles.push_back({charges[i], reduced, atom.screening * reduced});
        if (model == ImplicitSolvent::gbn2)
            for (double const parameter : {atom.alpha, atom.beta, atom.gamma})
                force.particles.back().push_back(parameter);
    }
}

}  // namespace

CustomGBForce generalized_born(ImplicitSolventSettings const& settings, std::span<double const> charges,
                               std::span<GBAtom const> atoms) {
    CustomGBForce force;
    add_particles(force, settings.model, charges, atoms);
    if (has_neck(settings.model)) add_necks(force, settings.model);
    force.computed_values.push_back({"integral",
                                     has_neck(settings.model) ? CustomGBForce::formula(
                                         descreening_with_neck(settings.model), force.tabulated_functions)
                                                              : RuntimeExpression{descreening},
                                     Kind::particle_pair_no_exclusions});
    force.computed_values.push_back({"born", effective_radius(settings.model), Kind::single_particle});
    add_energies(force, settings);
    force.pairs.method = pair_method(settings.method);
    force.pairs.cutoff_distance = settings.cutoff;
    return force;
}

}  // namespace trotter::app
