// Validates CustomHbondForce.
// SPDX-License-Identifier: MIT
#include <trotter/core/repeated_pair.hpp>
#include <trotter/forces/custom_hbond.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <trotter/core/range_check.hpp>
#include <trotter/parts/terms/point_formula.hpp>
#include <trotter/parts/terms/terms_check.hpp>

namespace trotter {
namespace {

using Site = CustomHbondForce::Site;

bool uses_point(RuntimeFormula const& formula, int point) {
    return std::any_of(formula.arguments().begin(), formula.arguments().end(), [&](FormulaArgument const& argument) {
        return argument.source == FormulaArgument::Source::variable
               && argument.index / 3 == static_cast<std::size_t>(point);
    });
}

void check_sites(std::vector<Site> const& sites, std::string_view kind, std::vector<std::string> const& names,
                 int particle_count, RuntimeFormula const& formula, int first_point) {
    for (std::size_t n = 0; n < sites.size(); ++n) {
        Numbered const where{kind, n};
        auto const& site = sites[n];
        check_particle(site.particle1, particle_count, where);
        for (int const particle : {site.particle2, site.particle3})
            if (particle != -1) check_particle(particle, particle_count, where);
        for (int const k : {1, 2})
            if ((k == 1 ? site.particle2 : site.particle3) == -1 && uses_point(formula, first_point + k))
                throw InputError(where + " has no particle " + kind[0] + std::to_string(k + 1)
                                 + ", which the formula asks for");
        detail::check_row(names, site.parameters, where);
    }
}

}  // namespace

RuntimeFormula CustomHbondForce::set_formula() const {
    auto fields = donor_parameter_names;
    fields.insert(fields.end(), acceptor_parameter_names.begin(), acceptor_parameter_names.end());
    return point_formula(
        *this, points_without_coordinates({"d1", "d2", "d3", "a1", "a2", "a3"}), fields,
        "a parameter of donors or acceptors, a global parameter of the force, or a function of particles");
}

void check(CustomHbondForce const& force, int particle_count, Box const& box) {
    check_tables(force.tabulated_functions);
    auto const formula = force.set_formula();
    check_sites(force.donors, "donor", force.donor_parameter_names, particle_count, formula, 0);
    check_sites(force.acceptors, "acceptor", force.acceptor_parameter_names, particle_count, formula, 3);
    auto const check_index = [](int index, std::size_t count, std::string const& kind, Numbered const& where) {
        if (index < 0 || static_cast<std::size_t>(index) >= count)
            throw InputError(where + ": there is no " + kind + ' ' + std::to_string(index) + "; the force has "
                             + std::to_string(count) + ", counted from 0");
    };
    std::vector<std::pair<int, int>> pairs;
    for (std::size_t n = 0; n < force.exclusions.size(); ++n) {
        auto const [donor, acceptor] = force.exclusions[n];
        check_index(donor, force.donors.size(), "donor", {"exclusion", n});
        check_index(acceptor, force.acceptors.size(), "acceptor", {"exclusion", n});
        pairs.emplace_back(donor, acceptor + static_cast<int>(force.donors.size()));
    }
    if (auto const repeated = repeated_pair(pairs)) {
        auto const [donor, acceptor] = force.exclusions[repeated->second];
        throw InputError(Numbered{"exclusion", repeated->second} + " repeats an earlier exclusion of donor "
                         + std::to_string(donor) + " and acceptor " + std::to_string(acceptor));
    }
    if (force.uses_cutoff()) check_cutoff(force.cutoff_distance, force.is_periodic(), box);
}

}  // namespace trotter
