// SPDX-License-Identifier: MIT
#include <trotter/app/modeller/add_solvent.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <trotter/app/force_field/force_field.hpp>
#include <trotter/app/modeller/delete.hpp>
#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>

#include "app/modeller/copier.hpp"
#include "app/modeller/ions.hpp"
#include "app/modeller/place_waters.hpp"
#include "app/modeller/water_box.hpp"

namespace trotter::app {
namespace {

constexpr double most_waters = 3e7;  // more do not fit into the memory of a machine

[[noreturn]] void refuse(std::string const& what) { throw InputError("add_solvent: " + what); }

void check(AddSolventOptions const& options) {
    if (options.padding.has_value() + options.box.has_value() + options.count.has_value() > 1)
        refuse("at most one of padding, box and count can be given");
    if (options.padding && !(*options.padding >= 0 && *options.padding <= 1e6))
        refuse("padding is " + format_number(*options.padding) + ", expected a length of 0 or more [nm]");
    if (options.count && !(*options.count >= 1 && *options.count <= most_waters))
        refuse("count is " + std::to_string(*options.count) + ", expected a number of molecules from 1 to 3e7");
    if (!(options.ionic_strength >= 0 && options.ionic_strength <= 1e6))
        refuse("ionic_strength is " + format_number(options.ionic_strength) + ", expected 0 or more [mol/l]");
    positive_ion(options.positive_ion);
    negative_ion(options.negative_ion);
}

Vec3<> center_of(std::vector<Vec3<>> const& positions) {
    if (positions.empty()) return {};
    Vec3<> lower = positions[0], upper = positions[0];
    for (auto const& position : positions)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            lower[axis] = std::min(lower[axis], position[axis]);
            upper[axis] = std::max(upper[axis], position[axis]);
        }
    return 0.5 * (lower + upper);
}

// The images of the solute's bounding sphere stay the padding apart.
Box padded_box(std::vector<Vec3<>> const& solute, double padding, BoxShape shape) {
    Vec3<> const center = center_of(solute);
    double radius = 0;
    for (auto const& position : solute) radius = std::max(radius, norm(center - position));
    return box_of_shape(shape, std::max(2 * radius + padding, 2 * padding));
}

// For a number of molecules: certainly larger than they need.
double padding_for(int count, WaterBox const& water) {
    double const density = static_cast<double>(water.oxygens.size()) / std::pow(water.size.x, 3);
    return std::max(0.5, 2.2 * std::pow(count / (density * 8), 1. / 3));
}

Box choose_box(Structure const& structure, AddSolventOptions const& options, WaterBox const& water) {
    auto const& solute = structure.positions;
    Box box;
    if (options.count)
        box = padded_box(solute, padding_for(*options.count, water), options.shape);
    else if (options.box)
        box = *options.box;
    else if (options.padding)
        box = padded_box(solute, *options.padding, options.shape);
    else if (structure.box)
        box = *structure.box;
    else
        refuse("the structure has no box, and none of padding, box and count is given");
    box.check();
    if (double const expected = 33.4 * box.volume(); !(expected <= most_waters))
        refuse("a box of " + format_number(box.volume()) + " nm³ would need " + format_number(std::round(expected))
               + " waters, more than 3e7");
    return box;
}

// The box of `count` molecules: their largest extent, and a bit to keep those at the sides apart.
Box box_around(std::vector<PlacedWater> const& waters, BoxShape shape) {
    Vec3<> lower = waters[0].position, upper = lower;
    for (auto const& water : waters)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            lower[axis] = std::min(lower[axis], water.position[axis]);
            upper[axis] = std::max(upper[axis], water.position[axis]);
        }
    Vec3<> const extent = upper - lower;
    return box_of_shape(shape, std::max({extent.x, extent.y, extent.z}) + 0.1);
}

NonbondedForce nonbonded_of(Structure const& structure, ForceField const& force_field,
                            AddSolventOptions const& options) {
    SystemOptions system_options;
    system_options.residue_templates = options.residue_templates;
    auto const system = force_field.create_system(structure.topology, structure.box, system_options);
    if (system.forces<NonbondedForce>().empty())
        refuse("the force field has no NonbondedForce, which gives the radii of atoms");
    return system.forces<NonbondedForce>().back();
}

// The shortest distance of a water's oxygen from each atom of the solute: sum of the radii of both.
std::vector<double> shortest_distances(NonbondedForce const& nonbonded, WaterModel model) {
    std::vector<double> distances;
    for (auto const& particle : nonbonded.particles)
        distances.push_back(model.radius()
                            + (particle.epsilon != 0 ? particle.sigma * WaterModel::radius_by_sigma : 0));
    return distances;
}

double charge_of(NonbondedForce const& nonbonded) {
    double charge = 0;
    for (auto const& particle : nonbonded.particles) charge += particle.charge;
    return charge;
}

// Appends a molecule of the water box with its oxygen at another place; returns the index of the oxygen.
int append_water(Copier& copier, WaterBox const& box, PlacedWater const& water) {
    auto& topology = copier.structure().topology;
    auto const& molecule = box.structure.topology.residues[static_cast<std::size_t>(water.residue)];
    topology.add_residue(molecule.name, std::to_string(topology.residues.size() + 1));
    int const old_oxygen = box.oxygens[static_cast<std::size_t>(water.residue)];
    int const oxygen = topology.atom_count() + old_oxygen - molecule.first_atom;
    for (int old = molecule.first_atom; old < molecule.first_atom + molecule.atom_count; ++old) {
        auto const& atom = box.structure.topology.atoms[static_cast<std::size_t>(old)];
        auto const position = [&](int index) { return box.structure.positions[static_cast<std::size_t>(index)]; };
        copier.add_atom(atom.name, atom.element, water.position + position(old) - position(old_oxygen));
    }
    for (int atom = topology.residues.back().first_atom; atom < topology.atom_count(); ++atom) {
        auto const& element = topology.atoms[static_cast<std::size_t>(atom)].element;
        if (element && element->symbol() == "H") topology.add_bond(oxygen, atom);
    }
    return oxygen;
}

// Replaces waters by ions, the positive ones first.
Structure with_ions(Structure const& solvated, std::vector<int> const& oxygens, IonCounts const& counts,
                    AddSolventOptions const& options) {
    auto const& topology = solvated.topology;
    std::vector<Vec3<>> places;
    for (int const oxygen : oxygens) places.push_back(solvated.positions[static_cast<std::size_t>(oxygen)]);
    auto const chosen = choose_places_of_ions(places, counts.all(), *solvated.box, options.seed);
    std::vector<int> replaced;
    for (int const water : chosen)
        replaced.push_back(topology.atoms[static_cast<std::size_t>(oxygens[static_cast<std::size_t>(water)])].residue);
    Structure result = delete_residues(solvated, replaced);
    result.topology.add_chain(std::to_string(result.topology.chains.size() + 1));
    for (int n = 0; int const water : chosen) {
        auto const element =
            n++ < counts.positive ? positive_ion(options.positive_ion) : negative_ion(options.negative_ion);
        std::string const symbol{element.symbol()};
        std::string name = symbol;
        for (auto& letter : name) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
        result.topology.add_residue(name, std::to_string(result.topology.residues.size() + 1));
        result.topology.add_atom(symbol, element);
        result.positions.push_back(places[static_cast<std::size_t>(water)]);
    }
    return result;
}

void log_waters(ChangeLog& log, std::size_t count, Box const& box, AddSolventOptions const& options) {
    auto const number = std::to_string(count);
    log.changes.push_back({"add_solvent", number + " waters", "were added (" + std::string(options.model.name()) + ")",
                           fmt::format("they fill a box of {:.2f} nm³", box.volume()), "solvated"});
    if (options.count && count < static_cast<std::size_t>(*options.count))
        log.warnings.push_back("add_solvent: only " + number + " of " + std::to_string(*options.count)
                               + " molecules found a place around the solute");
}

void log_ions(ChangeLog& log, IonCounts const& counts, AddSolventOptions const& options) {
    auto add = [&](int count, std::string const& ion, std::string const& why) {
        if (count > 0)
            log.changes.push_back(
                {"add_solvent", std::to_string(count) + " " + ion, "replaced waters", why, "solvated"});
    };
    bool const is_positive = counts.positive > counts.negative;
    add(counts.neutralizing, is_positive ? options.positive_ion : options.negative_ion, "they neutralize the solute");
    auto const strength = "ionic strength of " + format_number(options.ionic_strength) + " mol/l";
    add(counts.pairs, options.positive_ion, strength);
    add(counts.pairs, options.negative_ion, strength);
}

}  // namespace

Structure add_solvent(Structure const& structure, ForceField const& force_field, AddSolventOptions const& options,
                      ChangeLog* log) {
    check(options);
    auto const box_of_water = WaterBox::load(options.model, options.data_folders);
    auto const distances = shortest_distances(nonbonded_of(structure, force_field, options), options.model);
    SolventPlace const place{choose_box(structure, options, box_of_water), center_of(structure.positions),
                             structure.positions, distances, options.model.radius()};
    auto waters = fill_with_water(place, box_of_water);
    waters =
        options.count ? farthest_from_sides(waters, place, *options.count) : without_clashes_at_sides(waters, place);

    Copier copier(structure);
    copier.copy_all();
    auto& topology = copier.structure().topology;
    topology.add_chain(std::to_string(topology.chains.size() + 1));
    std::vector<int> oxygens;
    for (auto const& water : waters) oxygens.push_back(append_water(copier, box_of_water, water));
    copier.structure().box = options.count && !waters.empty() ? box_around(waters, options.shape) : place.box;
    if (log) log_waters(*log, waters.size(), *copier.structure().box, options);
    Structure const solvated = copier.finish();
    if (!options.neutralize && options.ionic_strength == 0) return solvated;

    auto const charge = charge_of(nonbonded_of(solvated, force_field, options));
    auto const counts = count_ions(charge, static_cast<int>(oxygens.size()), options);
    if (log) log_ions(*log, counts, options);
    return counts.all() == 0 ? solvated : with_ions(solvated, oxygens, counts, options);
}

}  // namespace trotter::app
