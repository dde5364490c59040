// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <trotter/error.hpp>

#include "app/force_field/exclusions.hpp"
#include "nonbonded.hpp"

namespace trotter::app::force_field {

void LennardJones::read(XmlNode const& node, AtomTypes const& types) {
    bool const is_first = !lj_14_scale;
    auto correction = dispersion_correction;
    read_shared_settings(node, lj_14_scale, correction);
    if (is_first) dispersion_correction = correction;
    parameters.read_all(node, types);
    for (auto const pair : node.children("NBFixPair"))
        if (auto const selectors = types.selectors<2>(pair))
            pairs.push_back({*selectors, pair.number("sigma"), pair.number("epsilon")});
}

LennardJones::PairDefinition const* LennardJones::find_pair(AtomTypes const& types, int type1, int type2) const {
    PairDefinition const* found = nullptr;
    for (auto const& pair : pairs) {
        if (!match_either_way(types, pair.selectors, {type1, type2})) continue;
        if (found)
            throw InputError(fmt::format("LennardJonesForce has several <NBFixPair> for the atom types {} and {}",
                                         types.name(type1), types.name(type2)));
        found = &pair;
    }
    return found;
}

namespace {

// Types of atoms as the tables number them. Those with parameters of their own for some pair stay apart, the others are
// one if their parameters are.
class TableTypes {
public:
    TableTypes(Assembly const& assembly, LennardJones const& force) : assembly_(assembly), force_(force) {
        for (int atom = 0; atom < assembly.topology.atom_count(); ++atom)
            numbers_.push_back(number_of(assembly.type(atom)));
    }
    std::vector<int> const& of_atoms() const { return numbers_; }
    std::vector<int> const& types() const { return types_; }
    bool is_in_pair(std::size_t number) const { return is_in_pair_[number]; }
    std::vector<double> const& parameters(std::size_t number) const { return parameters_[number]; }

private:
    int number_of(int type) {
        auto const [known, is_new] = number_of_type_.try_emplace(type, 0);
        if (!is_new) return known->second;
        auto const values = force_.parameters.of_type(assembly_.types, type);
        bool const is_in_pair = std::any_of(force_.pairs.begin(), force_.pairs.end(), [&](auto const& pair) {
            return assembly_.types.contains(pair.selectors[0], type)
                   || assembly_.types.contains(pair.selectors[1], type);
        });
        int number = count(types_);
        if (!is_in_pair) number = by_parameters_.try_emplace(values, number).first->second;
        if (number == count(types_)) {
            types_.push_back(type);
            parameters_.push_back(values);
            is_in_pair_.push_back(is_in_pair);
        }
        return known->second = number;
    }

    Assembly const& assembly_;
    LennardJones const& force_;
    std::vector<int> numbers_, types_;  // of each atom; the type of each number
    std::vector<std::vector<double>> parameters_;
    std::vector<bool> is_in_pair_;
    std::map<int, int> number_of_type_;
    std::map<std::vector<double>, int> by_parameters_;
};

}  // namespace

int LennardJones::create(Assembly& assembly) const {
    if (assembly.options->nonbonded_method == NonbondedMethod::ljpme)
        throw InputError("LJPME does not work with the LennardJonesForce of this force field: use PME");
    TableTypes const numbered(assembly, *this);
    auto const size = numbered.types().size();
    std::vector<double> a(size * size), b(size * size);
    for (std::size_t m = 0; m < size; ++m)
        for (std::size_t n = 0; n < size; ++n) {
            bool const may_be_pair = numbered.is_in_pair(m) && numbered.is_in_pair(n);
            auto const* pair =
                may_be_pair ? find_pair(assembly.types, numbered.types()[m], numbered.types()[n]) : nullptr;
            auto const &first = numbered.parameters(m), &second = numbered.parameters(n);
            double const sigma = pair ? pair->sigma : 0.5 * (first[0] + second[0]);
            double const epsilon = pair ? pair->epsilon : std::sqrt(first[1] * second[1]);
            double const sigma6 = std::pow(sigma, 6);
            a[m + size * n] = 4 * epsilon * sigma6 * sigma6;
            b[m + size * n] = 4 * epsilon * sigma6;
        }
    CustomNonbondedForce force;
    int const length = static_cast<int>(size);
    force.tabulated_functions = {{"acoef", {length, length}, {}, false, std::move(a)},
                                 {"bcoef", {length, length}, {}, false, std::move(b)}};
    force.energy =
        CustomNonbondedForce::formula("acoef(type1, type2)/r^12 - bcoef(type1, type2)/r^6;", force.tabulated_functions);
    force.parameter_names = {"type"};
    force.label = "LennardJones";
    force.pairs.method = pair_method<PairSettings::Method>(assembly.options->nonbonded_method);
    force.pairs.cutoff_distance = assembly.options.cutoff();
    if (auto const distance = assembly.options.switch_distance()) {
        force.pairs.use_switching_function = true;
        force.pairs.switching_distance = *distance;
    }
    force.pairs.use_long_range_correction = has_dispersion_correction(assembly, dispersion_correction);
    for (int const number : numbered.of_atoms()) force.particles.push_back({static_cast<double>(number)});
    assembly.system.add(std::move(force));
    return count(assembly.system.forces<CustomNonbondedForce>()) - 1;
}

void LennardJones::finish(Assembly& assembly, int number) const {
    auto& exclusions = at(assembly.system.forces<CustomNonbondedForce>(), number).pairs.exclusions;
    std::vector<std::pair<int, int>> pairs_14;
    for (auto const& [i, j, bonds] : separated_pairs(assembly.exclusion_bonds(), assembly.topology.atom_count(), 3)) {
        exclusions.push_back({i, j});
        if (bonds == 3) pairs_14.emplace_back(i, j);
    }
    if (!pairs_14.empty() && *lj_14_scale != 0) add_14_terms(assembly, pairs_14);
}

void LennardJones::add_14_terms(Assembly& assembly, std::vector<std::pair<int, int>> const& atoms) const {
    CustomBondForce force;
    force.energy = RuntimeExpression(fmt::format("{:g}*epsilon*((sigma/r)^12-(sigma/r)^6)", 4 * *lj_14_scale));
    force.parameter_names = {"sigma", "epsilon"};
    force.label = "LennardJones14";
    auto const own = [&](int atom) {
        auto values = parameters.of_atom(assembly, atom);
        values[0] = parameters.extra(assembly.types, assembly.type(atom), "sigma14").value_or(values[0]);
        values[1] = parameters.extra(assembly.types, assembly.type(atom), "epsilon14").value_or(values[1]);
        return values;
    };
    for (auto const& [i, j] : atoms) {
        if (auto const* pair = find_pair(assembly.types, assembly.type(i), assembly.type(j))) {
            force.bonds.push_back({i, j, {pair->sigma, pair->epsilon}});
            continue;
        }
        auto const a = own(i), b = own(j);
        force.bonds.push_back({i, j, {0.5 * (a[0] + b[0]), std::sqrt(a[1] * b[1])}});
    }
    assembly.system.add(std::move(force));
}

}  // namespace trotter::app::force_field
