// Charges and Lennard-Jones interactions of a PSF.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "../system_building/exclusions.hpp"
#include "../system_building/nonbonded_settings.hpp"
#include "parts.hpp"

namespace trotter::app::charmm {
namespace {

double const sigma_per_rmin = std::pow(2.0, -1.0 / 6.0);

Wells const& wells_of(Job const& job, AtomType const& type) {
    if (!type.wells)
        refuse({job.psf.path},
               fmt::format("the atom type {} has no Lennard-Jones parameters in NONBONDED", in_quotes(type.name)));
    return *type.wells;
}

// The types that atoms have, each once, in the order of their first use.
std::vector<AtomType const*> used_types(Job const& job) {
    std::vector<AtomType const*> result;
    for (auto const* type : job.types)
        if (std::find(result.begin(), result.end(), type) == result.end()) result.push_back(type);
    return result;
}

bool has_nbfix(std::vector<AtomType const*> const& types) {
    return std::any_of(types.begin(), types.end(), [&](AtomType const* a) {
        return std::any_of(types.begin(), types.end(), [&](AtomType const* b) { return a->nbfix.contains(b->name); });
    });
}

// Minimum of two types [nm], [kJ/mol].
Well mixed(Job const& job, AtomType const& a, AtomType const& b) {
    if (auto const found = a.nbfix.find(b.name); found != a.nbfix.end())
        return {found->second.usual.rmin / 10, found->second.usual.epsilon * kcal};
    auto const &p = wells_of(job, a).usual, &q = wells_of(job, b).usual;
    return {(p.rmin + q.rmin) / 10, std::sqrt(p.epsilon * q.epsilon) * kcal};
}

// Lennard-Jones by a table of pairs of types, where some have parameters of their own (NBFIX).
CustomNonbondedForce tabulated_force(Job const& job, std::vector<AtomType const*> const& types) {
    CustomNonbondedForce force;
    force.force_group = nonbonded_group;
    int const size = static_cast<int>(types.size());
    TabulatedFunction root_a{.name = "root_a", .sizes = {size, size}}, b{.name = "b", .sizes = {size, size}};
    for (auto const* second : types)
        for (auto const* first : types) {
            auto const well = mixed(job, *first, *second);
            root_a.values.push_back(std::sqrt(well.epsilon) * std::pow(well.rmin, 6));
            b.values.push_back(2 * well.epsilon * std::pow(well.rmin, 6));
        }
    force.tabulated_functions = {std::move(root_a), std::move(b)};
    force.energy =
        CustomNonbondedForce::formula("(root_a(type1, type2)/r^6)^2 - b(type1, type2)/r^6", force.tabulated_functions);
    force.parameter_names = {"type"};
    for (auto const* type : job.types)
        force.particles.push_back({static_cast<double>(std::find(types.begin(), types.end(), type) - types.begin())});
    apply(job.options, force.pairs);
    return force;
}

NonbondedForce::Exception one_four(Job const& job, int atom1, int atom2) {
    auto const charge = [&](int atom) { return job.psf.atoms[static_cast<std::size_t>(atom)].charge; };
    auto const &type1 = job.type(atom1), &type2 = job.type(atom2);
    double const charge_product = charge(atom1) * charge(atom2) * job.tables.one_four_scale;
    if (auto const found = type1.nbfix.find(type2.name); found != type1.nbfix.end()) {
        auto const& well = found->second.one_four;
        return {atom1, atom2, charge_product, well.rmin / 10 * sigma_per_rmin, well.epsilon * kcal};
    }
    auto const &a = wells_of(job, type1).one_four, &b = wells_of(job, type2).one_four;
    return {atom1, atom2, charge_product, (a.rmin + b.rmin) / 10 * sigma_per_rmin,
            std::sqrt(std::abs(a.epsilon * b.epsilon)) * kcal};
}

// Exclusions by NBXMOD: 2 excludes bonded pairs, 3 those of an angle too, 4 those of a dihedral, and 5 gives these
// parameters of their own. Lone pairs are excluded where their first host is.
void set_exceptions(Job const& job, Exceptions& exceptions) {
    std::vector<std::array<int, 2>> bonds;
    for (auto const& bond : job.psf.topology.bonds) bonds.push_back({bond.atom1, bond.atom2});
    auto const pairs = bonded_pairs(bonds, job.psf.atoms.size());
    int const mode = std::abs(job.tables.exclusions);
    auto const exclude = [&](int atom1, int atom2) { exceptions.set({atom1, atom2, 0, 0.1, 0}); };
    for (auto const& [atom1, atom2] : pairs.one_four) {
        if (mode == 4) exclude(atom1, atom2);
        if (mode == 5) exceptions.set(one_four(job, atom1, atom2));
    }
    std::vector<std::vector<int>> with_sites(job.psf.atoms.size());  // an atom and the lone pairs on it
    for (std::size_t i = 0; i < with_sites.size(); ++i) with_sites[i].push_back(static_cast<int>(i));
    for (auto const& pair : job.psf.lone_pairs)
        with_sites[static_cast<std::size_t>(pair.hosts[0])].push_back(pair.site);
    for (auto const& group : with_sites)
        for (std::size_t i = 0; i < group.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) exclude(group[j], group[i]);
    auto const exclude_all = [&](std::vector<std::pair<int, int>> const& list) {
        for (auto const& [atom1, atom2] : list)
            for (int const a : with_sites[static_cast<std::size_t>(atom1)])
                for (int const b : with_sites[static_cast<std::size_t>(atom2)]) exclude(a, b);
    };
    if (mode > 1) exclude_all(pairs.one_two);
    if (mode > 2) exclude_all(pairs.one_three);
}

}  // namespace

void add_nonbonded(Job const& job, StandardSystem& system) {
    auto const types = used_types(job);
    bool const tabulated = has_nbfix(types);
    if (tabulated && job.options.nonbonded_method == NonbondedMethod::ljpme)
        refuse({job.psf.path}, "LJPME does not go with Lennard-Jones parameters of pairs of types (NBFIX)");
    NonbondedForce force;
    force.force_group = nonbonded_group;
    force.use_dispersion_correction = false;
    apply(job.options, force);
    for (std::size_t i = 0; i < job.types.size(); ++i) {
        auto const& well = wells_of(job, *job.types[i]).usual;
        if (tabulated)
            force.particles.push_back({job.psf.atoms[i].charge, 1, 0});
        else
            force.particles.push_back(
                {job.psf.atoms[i].charge, 2 * well.rmin / 10 * sigma_per_rmin, std::abs(well.epsilon) * kcal});
    }
    Exceptions exceptions{force};
    set_exceptions(job, exceptions);
    if (tabulated) {
        auto pairs = tabulated_force(job, types);
        for (auto const& exception : force.exceptions)
            pairs.pairs.exclusions.push_back({exception.particle1, exception.particle2});
        system.add(std::move(pairs));
    }
    system.add(std::move(force));
}

}  // namespace trotter::app::charmm
