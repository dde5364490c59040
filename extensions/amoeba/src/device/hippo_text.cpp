// Generates kernel source from the statements of HIPPO.
// SPDX-License-Identifier: MIT
#include <trotter/amoeba/device/hippo_text.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include <trotter/amoeba/device/multipole_text.hpp>
#include <trotter/device/text/traced.hpp>

#include "device/hippo_pair.hpp"
#include "device/torque.hpp"
#include "device/used_statements.hpp"
#include "hippo/induced_dipoles.hpp"

namespace trotter::amoeba {

using device::Traced;

DecayCases::DecayCases(std::vector<double> decays, bool real_is_double)
    : most_close(real_is_double ? detail::CloseDecays<double>::most : 0.02) {
    double const tolerance = real_is_double ? 1e-18 : 1e-8;
    std::ranges::sort(decays);
    decays.erase(std::unique(decays.begin(), decays.end()), decays.end());
    if (constexpr std::size_t many = 1000; decays.size() > many) {
        terms = detail::CloseDecays<double>::terms_for(most_close, tolerance);
        are_different = true;
        return;
    }
    for (double const a : decays)
        for (double const b : decays) {
            if (a == b) continue;
            double const epsilon = detail::CloseDecays<double>(a, b, 1).epsilon;
            if (epsilon <= most_close)
                terms = std::max(terms, detail::CloseDecays<double>::terms_for(epsilon, tolerance));
            else
                are_different = true;
        }
}

namespace {

template <class Member> std::vector<double> values(HippoNonbondedForce const& force, Member member) {
    std::vector<double> result;
    for (auto const& particle : force.particles) result.push_back(particle.*member);
    return result;
}

// Vectors of both particles of a pair.
std::string load_text(std::string const& type, std::string const& to, std::string const& array) {
    return "const " + type + ' ' + to + "1 = " + array + "atom1], " + to + "2 = " + array + "atom2];\n";
}
std::string number(std::size_t n) { return std::to_string(n); }
std::string numbers_text() {
    return load_text("real4", "site_d", "all_site_d[") + load_text("real2", "site_e", "all_site_e[");
}

}  // namespace

HippoText::HippoText(HippoNonbondedForce const& force, double alpha, double dispersion_alpha,
                     device::NumberTypes const& types)
    : force_(force),
      alpha_(alpha),
      dispersion_alpha_(dispersion_alpha),
      types_(types),
      electrons_(values(force, &HippoNonbondedForce::Particle::alpha), types.real_is_double),
      orbitals_(values(force, &HippoNonbondedForce::Particle::pauli_alpha), types.real_is_double) {}

std::string HippoText::permanent_field(bool is_special) const {
    Pair pair(*this, is_special);
    for (char const site : {'1', '2'})
        pair.add("e", site, -hippo::permanent_gradient(pair.site(other_of(site)), pair.separation(site), pair.scales));
    return used_statements(pair.text());
}

std::string HippoText::induced_field(bool is_special) const {
    Pair pair(*this, is_special);
    auto const functions = hippo::mutual_functions(pair.mutual_penetration(), pair.separation('1'), pair.scales);
    hippo::MutualFunctions<Traced> const mutual{functions.b[1], functions.b[2]};
    for (char const site : {'1', '2'})
        pair.add("e", site,
                 -mutual.gradient(pair.vector(std::string("dipole") + other_of(site)), pair.separation('1').d));
    return used_statements(pair.text());
}

std::string HippoText::forces(bool is_special) const {
    Pair pair(*this, is_special);
    auto const both = pair.mutual_penetration(), overlap = pair.squared_overlap();
    for (char const site : {'1', '2'}) {
        auto const load = pair.load(site, both, overlap);
        pair.add("t", site,
                 torque_on(pair.site(site).electrons, Potential<Traced>{{}, load.by_dipole, load.by_quadrupole, {}}));
        if (site == '2') continue;
        Vec3<Traced> const d = pair.separation('1').d;
        Vec3<Traced> between_dipoles{};
        auto const functions = hippo::mutual_functions(both, pair.separation('1'), pair.scales);
        for (std::size_t n = 0; n < pair_orders(); ++n)
            between_dipoles += hippo::force_between_dipoles(pair.vector("order" + number(n) + "_1"),
                                                            pair.vector("partner" + number(n) + "_2"), d, functions);
        auto const force = load.force + between_dipoles * Traced(constants::coulomb);
        pair.add("f", '1', force);
        pair.add("f", '2', -force);
        if (is_special) pair.add_energy(load.energy * Traced(2));
    }
    std::string loads = numbers_text() + load_text("real4", "induced", "all_induced[");
    for (std::size_t n = 0; n < pair_orders(); ++n) {
        auto const read = [&](std::string const& name, std::size_t order, std::string const& atom) {
            loads += "const real4 " + name + " = all_dipoles[" + number(order) + "*PADDED_NUM_ATOMS + " + atom + "];\n";
        };
        read("order" + number(n) + "_1", n, "atom1");
        read("partner" + number(n) + "_2", pair_orders() + 1 + n, "atom2");
    }
    return loads + used_statements(pair.text());
}

std::string HippoText::energies() const {
    Pair pair(*this, false);
    auto const both = pair.mutual_penetration(), overlap = pair.squared_overlap();
    pair.add_energy(pair.load('1', both, overlap).energy * Traced(2));
    return numbers_text() + used_statements(pair.text());
}

std::string HippoText::special_pairs() const {
    return special_kernel("special_field", "e", "", permanent_field(true))
           + special_kernel("special_induction", "e",
                            load_text("real4", "dipole", "all_dipoles[order*PADDED_NUM_ATOMS + "), induced_field(true))
           + special_kernel("special_forces", "ft", "", forces(true));
}

// `sums`: the first letters of vectors of sums for each particle.
std::string HippoText::special_kernel(std::string const& name, std::string const& sums, std::string const& loads,
                                      std::string const& pair) const {
    std::string declared, added;
    int sum_number = 0;
    for (char const sum : sums)
        for (char const axis : {'x', 'y', 'z'}) {
            std::string const both{sum, axis},
                to = "add_sum(forces, PARTICLE_SUM(FIRST_SUM + " + std::to_string(sum_number++) + "), ";
            declared += "real " + both + "1 = 0, " + both + "2 = 0;\n";
            added += to + "atom1, " + both + "1);\n" + to + "atom2, " + both + "2);\n";
        }
    bool const has_cutoff = force_.uses_cutoff();
    std::string const apart = has_cutoff ? "nearest_image(apart, box)" : "apart",
                      limit = has_cutoff ? "if (r2 > " + number_text(force_.cutoff_distance * force_.cutoff_distance)
                                               + ") continue;\n"
                                         : "";
    return "KERNEL void " + name + '(' + special_parameters + R"() {
LOCAL coordinate scratch[64];
coordinate energy = 0;
for (int n = GLOBAL_ID; n < count; n += GLOBAL_SIZE) {
const int atom1 = pairs[n].x, atom2 = pairs[n].y;
const real4 scales_a = all_scales[2*n], scales_b = all_scales[2*n + 1];
const coordinate4 p1 = positions[atom1], p2 = positions[atom2];
const coordinate3 apart = make_coordinate3(p1.x - p2.x, p1.y - p2.y, p1.z - p2.z);
const real3 delta = to_real3()"
           + apart + ");\nconst real r2 = delta.x*delta.x + delta.y*delta.y + delta.z*delta.z;\n" + limit
           + "const real invR = rsqrt(r2), r = r2*invR;\n" + load_text("real4", "site_a", "all_site_a[")
           + load_text("real4", "site_b", "all_site_b[") + load_text("real4", "site_c", "all_site_c[") + loads + declared
           + "real tempEnergy = 0;\n" + pair + added
           + "energy += tempEnergy;\n}\nif (with_energy) add_group_sum(energy, scratch, energies + slot*SUM_WIDTH);\n}\n";
}

std::string HippoText::frames() const {
    std::set<AmoebaMultipoleForce::Axis> axes;
    for (auto const& particle : force_.particles)
        axes.insert(static_cast<AmoebaMultipoleForce::Axis>(particle.axis_type));
    return MultipoleText(alpha_, types_).frames(axes);
}

// As `InducedDipoles::finish`.
std::string HippoText::combine() const {
    auto const sums = hippo::InducedDipoles(force_.extrapolation_coefficients).sums();
    auto const add = [&](std::string const& to, std::size_t order, double factor) {
        std::string const text = number_text(factor), from = "dipoles[" + number(order) + "*PADDED_NUM_ATOMS + atom]";
        return to + ".x += " + text + '*' + from + ".x; " + to + ".y += " + text + '*' + from + ".y; " + to
               + ".z += " + text + '*' + from + ".z;\n";
    };
    std::string result =
        "inline DEVICE real4 combine_orders(GLOBAL real4* RESTRICT dipoles, int atom) {\n"
        "real4 total = make_real4(0, 0, 0, 0);\n";
    for (std::size_t n = 0; n < sums.size(); ++n) result += add("total", n, sums[n]);
    for (std::size_t n = 0; n + 1 < sums.size(); ++n) {
        result += "{\nreal4 partner = make_real4(0, 0, 0, 0);\n";
        for (std::size_t m = 0; n + m + 1 < sums.size(); ++m) result += add("partner", m, sums[n + m + 1]);
        result += "dipoles[" + number(sums.size() + n) + "*PADDED_NUM_ATOMS + atom] = partner;\n}\n";
    }
    return result + "return total;\n}\n";
}

}  // namespace trotter::amoeba
