// Generates kernel source for Lennard-Jones and Coulomb pair interactions from the host's formulas.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include <trotter/common/formulas/polynomial.hpp>
#include <trotter/device/pairs/nonbonded_text.hpp>
#include <trotter/device/text/traced.hpp>
#include <trotter/physics/pair_energies.hpp>

namespace trotter::device {

// Found by `Polynomial` through argument-dependent lookup.
static Traced multiply_add(Traced const& a, Traced const& b, Traced const& c) { return a * b + c; }

namespace {

/// Pair source; the per-particle parameter `site` has charge times √(1/4 pi eps0), sigma/2, 2√epsilon and the
/// dispersion charge of the mesh. In float, screened charges and the mesh's dispersion are polynomials of r² with
/// errors below 5e-7 of the bare interaction at the cutoff.
class NonbondedText {
public:
    NonbondedText(DirectSpace const& space, bool is_double)
        : space_(space), is_double_(is_double), statements_("temp", is_double ? "" : "f") {}

    /// Without charges, Coulomb interactions are omitted.
    std::string pair(bool has_charges) {
        auto const value = has_charges ? dispersion() + coulomb() : dispersion();
        auto const slope = value.virial * name("invR");
        std::string const ends = "tempEnergy += " + value.energy.name(statements_) + ";\ndEdR -= " + slope.name(statements_) + ";\n";
        return statements_.text() + ends;
    }

private:
    Traced name(std::string const& text) { return {statements_, text}; }
    Traced product(char const* member) { return name(std::string("site1.") + member) * name(std::string("site2.") + member); }

    PairValue<Traced> coulomb() {
        Traced const qq = product("x"), inverse_r = name("invR"), r2 = name("r2");
        if (space_.alpha == 0)
            return coulomb_with_field<Traced>(qq, inverse_r, r2, Traced(space_.field.k), Traced(space_.field.c));
        if (is_double_) {
            Traced const x = Traced(space_.alpha) * name("r");
            return screened_coulomb<Traced>(qq, inverse_r, x, erfc(x), exp(-(x * x)));
        }
        double const cutoff = space_.cutoff_distance;
        auto const mesh = in_mesh(qq, [&](double r_squared) { return mesh_coulomb(1, std::sqrt(r_squared), space_.alpha).energy; }, tolerance() / cutoff);
        return PairValue<Traced>{qq * inverse_r, qq * inverse_r} - mesh;
    }
    PairValue<Traced> dispersion() {
        Traced const sigma = name("site1.y") + name("site2.y"), four_epsilon = product("z"), inverse_r = name("invR");
        auto at = [&](Traced const& inverse_distance) {
            // The clamp keeps the sixth power finite: at zero distance, energy is 0 without epsilon, and else infinite.
            Traced const sr = sigma * inverse_distance, s2 = lesser(Traced::limit(4), sr * sr);
            return lennard_jones<Traced>(s2 * s2 * s2, four_epsilon);
        };
        auto result = at(inverse_r);
        if (auto const& s = space_.switching)
            return switched<Traced>(result, name("r"), Traced(s->start), Traced(s->inverse_width));
        if (space_.dispersion_alpha == 0) return result;
        // The mesh includes its own C6 at all distances; the rest is shifted to zero at the cutoff.
        double const cutoff = space_.cutoff_distance;
        auto energy = [&](double r_squared) { return trotter::mesh_dispersion(1.0, r_squared, space_.dispersion_alpha).energy; };
        Traced const c6 = product("w");
        result = result - in_mesh(c6, energy, tolerance() * std::pow(cutoff, -6));
        result.energy -= at(Traced(1 / cutoff)).energy - c6 * Traced(energy(cutoff * cutoff));
        return result;
    }
    double tolerance() const { return is_double_ ? 1e-13 : 5e-7; }
    template <class Energy> PairValue<Traced> in_mesh(Traced const& charges, Energy const& energy, double tolerance) {
        double const cutoff = space_.cutoff_distance;
        Traced const r2 = name("r2"), x = Traced(2 / (cutoff * cutoff)) * r2 - Traced(1);
        auto with = [&](auto const& fit) {
            return PairValue<Traced>{charges * fit.energy.template operator()<0>(x), charges * fit.force_over_r.template operator()<0>(x) * r2};
        };
        return is_double_ ? with(fitted<double>(energy, cutoff, tolerance)) : with(fitted<float>(energy, cutoff, tolerance));
    }

    DirectSpace space_;
    bool is_double_;
    Statements statements_;
};

}  // namespace

std::string nonbonded_pair_text(DirectSpace const& space, bool is_double, bool has_charges) {
    return NonbondedText(space, is_double).pair(has_charges);
}

}  // namespace trotter::device
