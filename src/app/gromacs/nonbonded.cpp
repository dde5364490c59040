// Charges and Lennard-Jones interactions of a top file.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "../system_building/exclusions.hpp"
#include "../system_building/nonbonded_settings.hpp"
#include "parts.hpp"

namespace trotter::app::gromacs {
namespace {

using Pair = std::array<double, 2>;  // C6 and C12, or sigma and epsilon

Pair coefficients(double sigma, double epsilon) {
    return {4 * epsilon * std::pow(sigma, 6), 4 * epsilon * std::pow(sigma, 12)};
}

// Parameters of a line by the combination rule: C6 and C12 for rules 1 and 3, sigma and epsilon for rule 2.
Pair by_rule(CombinationRule rule, Pair parameters) {
    return rule == CombinationRule::geometric ? coefficients(parameters[0], parameters[1]) : parameters;
}

Pair parameters_of(Line const& line) { return {line.real(3, "C6 or sigma"), line.real(4, "C12 or epsilon")}; }

// What is collected from all molecules.
struct Collection {
    explicit Collection(Job const& from) : job(from) {}

    Job const& job;
    NonbondedForce force{};
    std::vector<AtomType const*> types{};                                  // of each particle
    std::vector<std::array<int, 2>> bonds{}, constraints{}, exclusions{};  // constraints of function 1
    std::vector<std::array<int, 3>> angles{};
    std::vector<std::array<int, 4>> dihedrals{};
    std::vector<NonbondedForce::Exception> pairs{};  // for rules 1 and 3 with C6 and C12
    std::map<Key, Pair> modified{};                  // of [ nonbond_params ], by types that occur

    bool is_modified() const { return !modified.empty(); }
    CombinationRule rule() const { return job.contents.rule; }
    Pair lennard_jones(int particle) const { return types[static_cast<std::size_t>(particle)]->lennard_jones(); }
    Pair const* modification(std::string const& type1, std::string const& type2) const {
        auto const found = modified.find(type1 < type2 ? Key{type1, type2} : Key{type2, type1});
        return found == modified.end() ? nullptr : &found->second;
    }
};

void find_modifications(Collection& all, std::vector<Molecule> const& molecules) {
    std::set<std::string> types;
    for (auto const& molecule : molecules)
        for (auto const& line : molecule.type.atoms) types.insert(line.words[1]);
    for (auto const& [key, line] : all.job.contents.nonbonded_types)
        if (types.contains(key[0]) && types.contains(key[1]))
            all.modified[key] = by_rule(all.rule(), parameters_of(line));
}

// Pairs of atoms within the molecule's nrexcl, which is at most 2 where pairs are generated.
// As GROMACS does, all of them are excluded, and constraints of type 1 count as bonds, where pairs are those listed.
std::vector<std::array<int, 2>> exclusions_by_bonds(MoleculeType const& type, bool generates_pairs, bool listed_only) {
    std::vector<std::array<int, 2>> bonds, result;
    for (auto const& line : type.bonds) bonds.push_back(type.atoms_of<2>(line));
    if (listed_only)
        for (auto const& line : type.constraints)
            if (line.words[2] == "1") bonds.push_back(type.atoms_of<2>(line));
    // Bonded atoms are excluded even where nrexcl is 0, as in OpenMM.
    int const distance =
        std::max(1, generates_pairs && !listed_only ? std::min(type.exclusion_distance, 2) : type.exclusion_distance);
    auto const within = particles_within(partners_by_bonds(bonds, type.atoms.size()), distance);
    for (std::size_t i = 0; i < within.size(); ++i)
        for (int const other : within[i])
            if (other > static_cast<int>(i)) result.push_back({static_cast<int>(i), other});
    return result;
}

// Parameters of a line of [ pairs ]: its own, of [ pairtypes ], or scaled ones of the atoms.
std::optional<Pair> pair_parameters(Collection const& all, Molecule const& molecule, Line const& line,
                                    std::array<int, 2> atoms) {
    auto const& contents = all.job.contents;
    if (line.words.size() >= 5) return by_rule(all.rule(), parameters_of(line));
    auto const& type1 = molecule.type.atoms[static_cast<std::size_t>(atoms[0])].words[1];
    auto const& type2 = molecule.type.atoms[static_cast<std::size_t>(atoms[1])].words[1];
    for (auto const& key : {Key{type1, type2}, Key{type2, type1}})
        if (auto const found = contents.pair_types.find(key); found != contents.pair_types.end())
            return by_rule(all.rule(), parameters_of(found->second));
    if (!contents.generates_pairs)
        refuse(
            line.where,
            fmt::format("the pair of types {} and {} has no parameters, here or in [ pairtypes ], and gen-pairs is no",
                        type1, type2));
    if (all.is_modified() && !all.job.options.listed_pairs_only) return {};
    auto const a = all.lennard_jones(molecule.first + atoms[0]), b = all.lennard_jones(molecule.first + atoms[1]);
    if (all.rule() == CombinationRule::arithmetic)
        return Pair{0.5 * (a[0] + b[0]), contents.fudge_lj * std::sqrt(a[1] * b[1])};
    auto const p = by_rule(all.rule(), a), q = by_rule(all.rule(), b);
    return Pair{contents.fudge_lj * std::sqrt(p[0]) * std::sqrt(q[0]),
                contents.fudge_lj * std::sqrt(p[1]) * std::sqrt(q[1])};
}

void collect_particles(Collection& all, Molecule const& molecule) {
    for (auto const& line : molecule.type.atoms) {
        auto const& type = all.job.contents.type_of(line);
        double const charge = line.words.size() > 6 ? line.real(6, "the charge of an atom") : type.charge();
        bool const in_force = !all.is_modified() && all.rule() == CombinationRule::arithmetic;
        auto const parameters = in_force ? type.lennard_jones() : Pair{1, 0};
        all.types.push_back(&type);
        all.force.particles.push_back({charge, parameters[0], parameters[1]});
    }
}

template <std::size_t N> std::array<int, N> shifted(std::array<int, N> atoms, int first) {
    for (int& atom : atoms) atom += first;
    return atoms;
}

void collect_terms(Collection& all, Molecule const& molecule, std::vector<std::array<int, 2>> const& by_bonds) {
    auto const& type = molecule.type;
    int const first = molecule.first;
    for (auto const& line : type.bonds) all.bonds.push_back(shifted(type.atoms_of<2>(line), first));
    for (auto const& line : type.constraints)
        if (line.words[2] == "1") all.constraints.push_back(shifted(type.atoms_of<2>(line), first));
    for (auto const& line : type.angles) all.angles.push_back(shifted(type.atoms_of<3>(line), first));
    for (auto const& line : type.dihedrals) all.dihedrals.push_back(shifted(type.atoms_of<4>(line), first));
    for (auto const& line : type.exclusions)
        for (std::size_t i = 1; i < line.words.size(); ++i) {
            std::array<int, 2> const pair{type.atom(line, 0), type.atom(line, i)};
            if (pair[0] == pair[1]) refuse(line.where, fmt::format("atom {} is excluded from itself", pair[0] + 1));
            all.exclusions.push_back(shifted(pair, first));
        }
    for (auto const& pair : by_bonds) all.exclusions.push_back(shifted(pair, first));
    for (auto const& line : type.pairs) {
        auto const atoms = type.atoms_of<2>(line);
        if (atoms[0] == atoms[1]) refuse(line.where, fmt::format("atom {} is paired with itself", atoms[0] + 1));
        auto const found = pair_parameters(all, molecule, line, atoms);
        if (!found) continue;
        auto const [i, j] = shifted(atoms, first);
        double const charge_product = all.force.particles[static_cast<std::size_t>(i)].charge
                                      * all.force.particles[static_cast<std::size_t>(j)].charge;
        all.pairs.push_back({i, j, charge_product * all.job.contents.fudge_qq, (*found)[0], (*found)[1]});
    }
}

// With [ nonbond_params ] OpenMM takes 1-4 pairs from the ends of dihedrals, and scales what it finds for their types.
void set_modified_pairs(Collection const& all, Exceptions& exceptions) {
    auto const& contents = all.job.contents;
    std::set<std::pair<int, int>> near;  // in a bond or an angle
    auto const add = [&](int i, int j) {
        if (i != j) near.insert(std::minmax({i, j}));
    };
    for (auto const& [i, j] : all.bonds) add(i, j);
    for (auto const& [i, j, k] : all.angles) add(i, j), add(i, k), add(j, k);
    for (auto const& dihedral : all.dihedrals) {
        int const i = dihedral[0], j = dihedral[3];
        if (i == j || near.contains(std::minmax({i, j})) || exceptions.contains(i, j)) continue;
        auto const& particles = all.force.particles;
        double const charge_product = contents.fudge_qq * particles[static_cast<std::size_t>(i)].charge
                                      * particles[static_cast<std::size_t>(j)].charge;
        Pair mixed{};
        if (auto const* found = all.modification(all.types[static_cast<std::size_t>(i)]->name,
                                                 all.types[static_cast<std::size_t>(j)]->name)) {
            mixed = {(*found)[0], (*found)[1] * contents.fudge_lj};
        } else {
            auto const a = all.lennard_jones(i), b = all.lennard_jones(j);
            mixed = {all.rule() == CombinationRule::arithmetic ? (a[0] + b[0]) / 2 : std::sqrt(a[0] * b[0]),
                     std::sqrt(std::abs(a[1] * b[1])) * contents.fudge_lj};
        }
        mixed = by_rule(all.rule(), mixed);
        exceptions.set({i, j, charge_product, mixed[0], mixed[1]});
    }
    for (auto const& [i, j] : near) exceptions.set({i, j, 0, 1, 0});
}

// For rules 1 and 3 the exceptions hold C6 and C12, which become bonds.
CustomBondForce pair_bonds(NonbondedForce& force) {
    CustomBondForce result;
    result.label = "LennardJonesExceptions";
    result.energy = "c12/r^12 - c6/r^6";
    result.parameter_names = {"c6", "c12"};
    for (auto& exception : force.exceptions) {
        if (!(exception.epsilon > 0)) continue;
        result.bonds.push_back({exception.particle1, exception.particle2, {exception.sigma, exception.epsilon}});
        exception.sigma = 1, exception.epsilon = 0;
    }
    return result;
}

// Coefficients of two types by their combination rule.
Pair mixed_coefficients(Collection const& all, AtomType const& type1, AtomType const& type2) {
    if (auto const* found = all.modification(type1.name, type2.name))
        return all.rule() == CombinationRule::arithmetic ? coefficients((*found)[0], (*found)[1]) : *found;
    auto const a = type1.lennard_jones(), b = type2.lennard_jones();
    if (all.rule() == CombinationRule::c6_c12) return {std::sqrt(a[0] * b[0]), std::sqrt(a[1] * b[1])};
    double const sigma = all.rule() == CombinationRule::arithmetic ? (a[0] + b[0]) / 2 : std::sqrt(a[0] * b[0]);
    return coefficients(sigma, std::sqrt(a[1] * b[1]));
}

// Lennard-Jones by a table of pairs of types.
CustomNonbondedForce tabulated_force(Collection const& all) {
    CustomNonbondedForce result;
    std::map<AtomType const*, std::size_t> places;
    std::vector<AtomType const*> used;
    for (auto const* type : all.types) {
        auto const [place, is_new] = places.try_emplace(type, used.size());
        if (is_new) used.push_back(type);
        result.particles.push_back({static_cast<double>(place->second)});
    }
    int const size = static_cast<int>(used.size());
    TabulatedFunction root_c12{.name = "root_c12", .sizes = {size, size}}, c6{.name = "c6", .sizes = {size, size}};
    for (auto const* second : used)
        for (auto const* first : used) {
            auto const pair = mixed_coefficients(all, *first, *second);
            root_c12.values.push_back(std::sqrt(pair[1]));
            c6.values.push_back(pair[0]);
        }
    result.tabulated_functions = {std::move(root_c12), std::move(c6)};
    result.parameter_names = {"type"};
    result.energy = CustomNonbondedForce::formula("(root_c12(type1, type2)/r^6)^2 - c6(type1, type2)/r^6",
                                                  result.tabulated_functions);
    return result;
}

// Lennard-Jones by square roots of the atoms' coefficients.
CustomNonbondedForce geometric_force(Collection const& all) {
    CustomNonbondedForce result;
    result.energy = "root_c12_1*root_c12_2/r^12 - root_c6_1*root_c6_2/r^6";
    result.parameter_names = {"root_c6_", "root_c12_"};
    for (auto const* type : all.types) {
        auto const pair = by_rule(all.rule(), type->lennard_jones());
        result.particles.push_back({std::sqrt(pair[0]), std::sqrt(pair[1])});
    }
    return result;
}

void add_lennard_jones(Collection const& all, StandardSystem& system) {
    auto const& options = all.job.options;
    if (options.nonbonded_method == NonbondedMethod::ljpme)
        refuse({all.job.top.path}, "LJPME needs combination rule 2 and no [ nonbond_params ] of the types that occur");
    auto result = all.is_modified() ? tabulated_force(all) : geometric_force(all);
    result.label = "LennardJonesForce";
    apply(options, result.pairs);
    result.pairs.use_long_range_correction = options.dispersion_correction.value_or(true);
    for (auto const& exception : all.force.exceptions)
        result.pairs.exclusions.push_back({exception.particle1, exception.particle2});
    system.add(std::move(result));
}

}  // namespace

void add_nonbonded(Job const& job, std::vector<Molecule> const& molecules, StandardSystem& system) {
    Collection all{job};
    find_modifications(all, molecules);
    std::map<MoleculeType const*, std::vector<std::array<int, 2>>> by_bonds;
    for (auto const& molecule : molecules) {
        auto const [found, is_new] = by_bonds.try_emplace(&molecule.type);
        if (is_new)
            found->second =
                exclusions_by_bonds(molecule.type, job.contents.generates_pairs, job.options.listed_pairs_only);
        collect_particles(all, molecule);
        collect_terms(all, molecule, found->second);
    }
    Exceptions exceptions{all.force};
    if (all.is_modified() && !job.options.listed_pairs_only) {
        set_modified_pairs(all, exceptions);
    } else if (!job.options.listed_pairs_only) {
        auto bonds = all.bonds;
        bonds.insert(bonds.end(), all.constraints.begin(), all.constraints.end());
        exceptions.set_by_bonds(bonded_pairs(bonds, all.types.size()), job.contents.fudge_qq, job.contents.fudge_lj);
    }
    for (auto const& [i, j] : all.exclusions) exceptions.set({i, j, 0, 1, 0});
    for (auto const& pair : all.pairs) exceptions.set(pair);
    apply(job.options, all.force);
    if (is_periodic(job.options.nonbonded_method))
        all.force.use_dispersion_correction = job.options.dispersion_correction.value_or(true);
    if (all.rule() != CombinationRule::arithmetic) system.add(pair_bonds(all.force));
    if (all.is_modified() || all.rule() != CombinationRule::arithmetic) add_lennard_jones(all, system);
    system.add(std::move(all.force));
}

}  // namespace trotter::app::gromacs
