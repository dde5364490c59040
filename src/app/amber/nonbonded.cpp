// Charges and Lennard-Jones interactions of a prmtop file.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "../system_building/exclusions.hpp"
#include "../system_building/nonbonded_settings.hpp"
#include "parts.hpp"

namespace trotter::app::amber {
namespace {

constexpr double kcal = 4.184;  // [kJ]
double const sigma_per_rmin = std::pow(2.0, -1.0 / 6.0);

// A type's, or a pair's, minimum [angstrom] and depth [kcal/mol].
struct WellDepth {
    double rmin = 1, epsilon = 0;
};
WellDepth well(double a, double b) {
    if (a == 0 || b == 0) return {};
    return {std::pow(2 * a / b, 1 / 6.0), 0.25 * b * b / a};
}

// Coefficients of pairs of types: E = a/r¹² - b/r⁶ [kcal/mol, angstrom].
class PairTable {
public:
    PairTable(Job const& job, std::string_view a, std::string_view b)
        : values_(job.values),
          types_(static_cast<std::size_t>(std::max(0, job.values.pointer(PrmtopPointer::ntypes)))),
          index_(job.values.integers("NONBONDED_PARM_INDEX")),
          a_(job.values.reals(a)),
          b_(job.values.reals(b)) {
        if (types_ > index_.size() || index_.size() != types_ * types_)
            refuse(values_.where("NONBONDED_PARM_INDEX"),
                   fmt::format("%FLAG NONBONDED_PARM_INDEX has {} values, but must have the square of {} types",
                               index_.size(), types_));
        if (a_.size() != b_.size())
            refuse(values_.where(b),
                   fmt::format("%FLAG {} and %FLAG {} have {} and {} values", a, b, a_.size(), b_.size()));
    }
    std::size_t types() const { return types_; }
    // Place of two types, from 0, in lists of coefficients; nothing for a 10-12 interaction.
    std::optional<std::size_t> place(std::size_t type1, std::size_t type2) const {
        int const index = index_[types_ * type1 + type2];
        if (index < 0) return {};
        values_.at(a_, index, "NONBONDED_PARM_INDEX");
        return static_cast<std::size_t>(index - 1);
    }
    double a(std::size_t place) const { return a_[place]; }
    double b(std::size_t place) const { return b_[place]; }
    WellDepth well_at(std::size_t place) const { return well(a_[place], b_[place]); }

private:
    PrmtopValues const& values_;
    std::size_t types_;
    std::vector<int> index_;
    std::vector<double> a_, b_;
};

// Type of each atom, from 0.
std::vector<std::size_t> atom_types(Job const& job, std::size_t types) {
    std::vector<std::size_t> result;
    for (int const type : job.values.integers("ATOM_TYPE_INDEX", job.prmtop.topology.atoms.size())) {
        if (type < 1 || static_cast<std::size_t>(type) > types)
            refuse(job.values.where("ATOM_TYPE_INDEX"),
                   fmt::format("an atom has type {}, but there are {}", type, types));
        result.push_back(static_cast<std::size_t>(type - 1));
    }
    return result;
}

// The diagonal for the types that atoms have; the others count as none.
std::vector<WellDepth> wells_of(Job const& job, PairTable const& table, std::vector<std::size_t> const& types) {
    std::vector<WellDepth> result(table.types(), {0, 0});
    for (auto const type : types) {
        auto const place = table.place(type, type);
        if (!place) refuse(job.values.where("NONBONDED_PARM_INDEX"), "10-12 interactions are not supported");
        result[type] = table.well_at(*place);
    }
    return result;
}

// Whether a pair of types has other coefficients than its combination rule gives, as NBFIX of CHARMM makes them.
bool is_modified(PairTable const& table, std::vector<WellDepth> const& wells, std::size_t i, std::size_t j) {
    auto const place = table.place(i, j);
    if (!place) return false;
    double const a = table.a(*place), b = table.b(*place);
    double const distance = wells[i].rmin / 2 + wells[j].rmin / 2,
                 depth = std::sqrt(wells[i].epsilon * wells[j].epsilon);
    if (a == 0 || b == 0) return a != 0 || b != 0 || (depth != 0 && distance != 0);
    return std::abs((a - depth * std::pow(distance, 12)) / a) > 1e-6
           || std::abs((b - 2 * depth * std::pow(distance, 6)) / b) > 1e-6;
}

bool has_modified_pairs(PairTable const& table, std::vector<WellDepth> const& wells) {
    for (std::size_t i = 0; i < table.types(); ++i)
        for (std::size_t j = 0; j < table.types(); ++j)
            if (is_modified(table, wells, i, j)) return true;
    return false;
}

template <class Value> TabulatedFunction type_function(std::string name, PairTable const& table, Value value) {
    auto const size = static_cast<int>(table.types());
    TabulatedFunction function{.name = std::move(name), .sizes = {size, size}};
    for (std::size_t j = 0; j < table.types(); ++j)
        for (std::size_t i = 0; i < table.types(); ++i) {
            auto const place = table.place(i, j);
            function.values.push_back(place ? value(*place) : 0.0);
        }
    return function;
}

// Lennard-Jones interactions by pairs of types, and -c/r⁴ of ions (P. Li, K. M. Merz, J. Chem. Theory Comput. 10, 289
// (2014)).
CustomNonbondedForce pair_force(Job const& job, PairTable const& table, std::vector<std::size_t> const& types,
                                bool modified) {
    CustomNonbondedForce force;
    force.label = "LennardJonesForce";
    std::string energy;
    if (modified) {
        force.tabulated_functions.push_back(type_function(
            "root_a", table, [&](std::size_t p) { return std::sqrt(table.a(p)) * std::sqrt(kcal) * 1e-6; }));
        force.tabulated_functions.push_back(
            type_function("b", table, [&](std::size_t p) { return table.b(p) * kcal * 1e-6; }));
        energy = "(root_a(type1, type2)/r^6)^2 - b(type1, type2)/r^6";
    }
    if (job.values.has("LENNARD_JONES_CCOEF")) {
        auto const c = job.values.reals("LENNARD_JONES_CCOEF");
        force.tabulated_functions.push_back(type_function("c", table, [&](std::size_t p) {
            return job.values.at(c, static_cast<int>(p) + 1, "LENNARD_JONES_CCOEF") * kcal * 1e-4;
        }));
        energy += "-c(type1, type2)/r^4";
    }
    force.energy = CustomNonbondedForce::formula(energy, force.tabulated_functions);
    force.parameter_names = {"type"};
    for (auto const type : types) force.particles.push_back({static_cast<double>(type)});
    apply(job.options, force.pairs);
    force.pairs.use_long_range_correction = is_periodic(job.options.nonbonded_method);
    return force;
}

void add_exception(Job const& job, Exceptions& exceptions, NonbondedForce::Exception const& exception,
                   std::string_view list) {
    if (exceptions.set(exception))
        refuse(job.values.where(list), fmt::format("the pair of atoms {} and {} is listed twice",
                                                   exception.particle1 + 1, exception.particle2 + 1));
}

// The ends of each dihedral of which neither the third nor the fourth atom is negative.
void add_14_pairs(Job const& job, std::vector<std::size_t> const& types, NonbondedForce const& force,
                  Exceptions& exceptions) {
    auto const& values = job.values;
    bool const is_chamber = values.has("CTITLE");
    PairTable const table{job, is_chamber ? "LENNARD_JONES_14_ACOEF" : "LENNARD_JONES_ACOEF",
                          is_chamber ? "LENNARD_JONES_14_BCOEF" : "LENNARD_JONES_BCOEF"};
    auto const scales = [&](std::string_view name) {
        return values.has(name) ? values.reals(name) : std::vector<double>{};
    };
    auto const charge_scales = scales("SCEE_SCALE_FACTOR"), depth_scales = scales("SCNB_SCALE_FACTOR");
    for (std::string_view const list : {"DIHEDRALS_INC_HYDROGEN", "DIHEDRALS_WITHOUT_HYDROGEN"})
        for (auto const& row : values.rows({list}, 5)) {
            if (row[2] <= 0 || row[3] <= 0) continue;
            int const first = values.atom(row[0] / 3, list), last = values.atom(row[3] / 3, list);
            auto const i = static_cast<std::size_t>(first), j = static_cast<std::size_t>(last);
            auto const place = table.place(types[i], types[j]);
            if (!place) continue;
            auto const found = table.well_at(*place);
            double const charge_scale = charge_scales.empty() ? (is_chamber ? 1.0 : 1.2)
                                                              : values.at(charge_scales, row[4], "SCEE_SCALE_FACTOR");
            double const depth_scale =
                depth_scales.empty() ? (is_chamber ? 1.0 : 2.0) : values.at(depth_scales, row[4], "SCNB_SCALE_FACTOR");
            if (charge_scale == 0 || depth_scale == 0)
                refuse(values.where(list), "a 1-4 pair is to be divided by a scale factor of 0");
            double const charge_product = force.particles[i].charge * force.particles[j].charge / charge_scale;
            add_exception(
                job, exceptions,
                {first, last, charge_product, found.rmin / 10 * sigma_per_rmin, found.epsilon * kcal / depth_scale},
                list);
        }
}

void add_exclusions(Job const& job, Exceptions& exceptions) {
    auto const& values = job.values;
    auto const scaled = exceptions;  // pairs that are not excluded altogether
    constexpr std::string_view list = "EXCLUDED_ATOMS_LIST";
    auto const partners = values.integers(list);
    std::size_t next = 0;
    int atom = 0;
    for (int const count : values.integers("NUMBER_EXCLUDED_ATOMS", job.prmtop.topology.atoms.size())) {
        if (count < 0 || partners.size() - next < static_cast<std::size_t>(count))
            refuse(values.where(list),
                   fmt::format("%FLAG {} ends within the {} exclusions of atom {}", list, count, atom + 1));
        for (int i = 0; i < count; ++i, ++next) {
            if (partners[next] <= 0) continue;
            int const other = values.atom(partners[next] - 1, list);
            if (other == atom) refuse(values.where(list), fmt::format("atom {} is excluded from itself", atom + 1));
            if (!scaled.contains(atom, other)) add_exception(job, exceptions, {atom, other, 0, 0.1, 0}, list);
        }
        ++atom;
    }
}

}  // namespace

void add_nonbonded(Job const& job, StandardSystem& system) {
    PairTable const table{job, "LENNARD_JONES_ACOEF", "LENNARD_JONES_BCOEF"};
    auto const types = atom_types(job, table.types());
    auto const wells = wells_of(job, table, types);
    bool const modified = has_modified_pairs(table, wells);
    if (modified && job.options.nonbonded_method == NonbondedMethod::ljpme)
        refuse(job.values.file(), "LJPME does not go with Lennard-Jones coefficients of pairs of types (NBFIX)");
    NonbondedForce force;
    apply(job.options, force);
    auto const charges = job.values.reals("CHARGE", types.size());
    for (std::size_t i = 0; i < types.size(); ++i) {
        auto const& found = wells[types[i]];
        if (modified)
            force.particles.push_back({charges[i] / 18.2223, 1, 0});
        else
            force.particles.push_back({charges[i] / 18.2223, found.rmin / 10 * sigma_per_rmin, found.epsilon * kcal});
    }
    Exceptions exceptions{force};
    add_14_pairs(job, types, force, exceptions);
    add_exclusions(job, exceptions);
    if (modified || job.values.has("LENNARD_JONES_CCOEF")) {
        auto pairs = pair_force(job, table, types, modified);
        for (auto const& exception : force.exceptions)
            pairs.pairs.exclusions.push_back({exception.particle1, exception.particle2});
        system.add(std::move(pairs));
    }
    system.add(std::move(force));
}

}  // namespace trotter::app::amber
