// SPDX-License-Identifier: MIT
#include "nonbonded.hpp"

#include <cmath>

#include "app/force_field/exclusions.hpp"
#include "numbers.hpp"

namespace trotter::app::force_field {
namespace {

constexpr double scale_tolerance = 1e-5;  // of 1-4 scales of several files

void read_scale(XmlNode const& node, std::string_view attribute, std::optional<double>& scale) {
    double const value = node.number(attribute);
    if (!scale) scale = value;
    if (std::abs(*scale - value) > scale_tolerance)
        node.refuse(attribute, "the same as of the other force fields, " + format_number(*scale));
}

}  // namespace

void read_shared_settings(XmlNode const& node, std::optional<double>& lj_14_scale,
                          std::optional<bool>& dispersion_correction) {
    read_scale(node, "lj14scale", lj_14_scale);
    auto const flag = read_flag(node, "useDispersionCorrection");
    if (!dispersion_correction) dispersion_correction = flag;
    if (flag && *flag != *dispersion_correction)
        node.refuse("useDispersionCorrection", "the same as of the other force fields");
}

bool has_dispersion_correction(Assembly& assembly, std::optional<bool> of_force_field) {
    auto const asked = assembly.options.dispersion_correction();
    if (asked && of_force_field && *asked != *of_force_field)
        assembly.warnings.push_back(std::string("the option dispersion_correction = ") + (*asked ? "true" : "false")
                                    + " overrides the force field, which says otherwise");
    return asked.value_or(of_force_field.value_or(true));
}

void Nonbonded::read(XmlNode const& node, AtomTypes const& types) {
    read_scale(node, "coulomb14scale", coulomb_14_scale);
    bool const is_first = !lj_14_scale;
    auto correction = dispersion_correction;
    read_shared_settings(node, lj_14_scale, correction);
    if (is_first) dispersion_correction = correction;  // as in OpenMM, which forgets what later files say
    parameters.read(node, types);
}

int Nonbonded::create(Assembly& assembly) const {
    NonbondedForce force;
    for (int atom = 0; atom < assembly.topology.atom_count(); ++atom) {
        auto const values = parameters.of_atom(assembly, atom);
        force.particles.push_back({values[0], values[1], values[2]});
    }
    force.method = static_cast<NonbondedForce::Method>(assembly.options->nonbonded_method);
    force.cutoff_distance = assembly.options.cutoff();
    if (auto const distance = assembly.options.switch_distance()) {
        force.use_switching_function = true;
        force.switching_distance = *distance;
    }
    if (auto const tolerance = assembly.options.ewald_error_tolerance()) force.ewald_error_tolerance = *tolerance;
    force.use_dispersion_correction = has_dispersion_correction(assembly, dispersion_correction);
    assembly.system.add(std::move(force));
    return count(assembly.system.forces<NonbondedForce>()) - 1;
}

void Nonbonded::finish(Assembly& assembly, int number) const {
    auto& force = at(assembly.system.forces<NonbondedForce>(), number);
    for (auto const& [i, j, bonds] : separated_pairs(assembly.exclusion_bonds(), assembly.topology.atom_count(), 3)) {
        if (bonds < 3) {
            force.exceptions.push_back({i, j, 0, 1, 0});
            continue;
        }
        auto const &a = at(force.particles, i), &b = at(force.particles, j);
        force.exceptions.push_back({i, j, *coulomb_14_scale * a.charge * b.charge, 0.5 * (a.sigma + b.sigma),
                                    *lj_14_scale * std::sqrt(a.epsilon * b.epsilon)});
    }
}

int GBSAOBC::create(Assembly& assembly) const {
    GBSAOBCForce force;
    for (int atom = 0; atom < assembly.topology.atom_count(); ++atom) {
        auto const values = parameters.of_atom(assembly, atom);
        force.particles.push_back({values[0], values[1], values[2]});
    }
    force.method = pair_method<GBSAOBCForce::Method>(assembly.options->nonbonded_method);
    force.cutoff_distance = assembly.options.cutoff();
    force.solute_dielectric = assembly.options.solute_dielectric().value_or(force.solute_dielectric);
    force.solvent_dielectric = assembly.options.solvent_dielectric().value_or(force.solvent_dielectric);
    assembly.system.add(std::move(force));
    return count(assembly.system.forces<GBSAOBCForce>()) - 1;
}

void GBSAOBC::finish(Assembly& assembly, int) const {
    for (auto& force : assembly.system.forces<NonbondedForce>()) force.reaction_field_dielectric = 1;
}

}  // namespace trotter::app::force_field
