// Generates kernel source from the statements of multipole physics.
// SPDX-License-Identifier: MIT
#include <trotter/amoeba/device/multipole_text.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>

#include <trotter/amoeba/multipoles/frame.hpp>
#include <trotter/amoeba/multipoles/potential.hpp>
#include <trotter/amoeba/multipoles/radial.hpp>
#include <trotter/amoeba/multipoles/splines.hpp>
#include <trotter/common/formulas/polynomial.hpp>
#include <trotter/device/text/traced.hpp>
#include <trotter/units.hpp>

#include "device/torque.hpp"

namespace trotter::device {

// Found by `Polynomial` through argument-dependent lookup.
static Traced multiply_add(Traced const& a, Traced const& b, Traced const& c) { return a * b + c; }

}  // namespace trotter::device

namespace trotter::amoeba {
namespace {

using device::Statements;
using device::Traced;

// The names of a pair's data, and what both sites get.
class PairText {
public:
    PairText(double alpha, device::NumberTypes const& types)
        : alpha_(alpha), statements_("temp", types.real_suffix()), delta_{name("delta.x"), name("delta.y"), name("delta.z")} {}

    Traced name(std::string const& text) { return {statements_, text}; }
    Vec3<Traced> vector(std::string const& text) { return {name(text + ".x"), name(text + ".y"), name(text + ".z")}; }
    Moments<Traced> moments(char site) {
        std::string const a = std::string("site_a") + site, b = std::string("site_b") + site, c = std::string("site_c") + site;
        return {name(a + ".x"),
                {name(a + ".y"), name(a + ".z"), name(a + ".w")},
                {name(b + ".x"), name(b + ".y"), name(b + ".z"), name(b + ".w"), name(c + ".x"), name(c + ".y")}};
    }
    Vec3<Traced> induced(char set, char site) { return vector(std::string("induced_") + set + site); }
    /// From the other site to this one.
    Vec3<Traced> from_other(char site) const { return site == '1' ? delta_ : -delta_; }

    template <std::size_t count> InversePowers<Traced, count> bare() { return bare_powers<count>(name("invR")); }
    template <std::size_t count> InversePowers<Traced, count> full() {
        return alpha_ == 0 ? bare<count>() : ewald_powers<count>(name("r"), name("invR"), alpha_);
    }
    TholeFactors<Traced> thole_factors() {
        Traced const r = name("r"), per_volume = name("site_c1.z") * name("site_c2.z"),
                     thole = device::lesser(name("site_c1.w"), name("site_c2.w"));
        // Beyond 100, as for sites without damping, exp(-x) is nothing.
        return TholeFactors<Traced>(device::lesser(r * r * r * per_volume * thole, Traced(100)));
    }
    /// The functions with Thole's damping, and the bare part times `scale`.
    template <std::size_t count> InversePowers<Traced, count> damped_by(Traced const& scale) {
        return damped<count>(full<count>(), bare<count>(), thole_factors(), scale);
    }
    /// The damped B_1 and B_2 in float: polynomials of r² for what is on the mesh, with errors below 5e-7 of the bare
    /// functions at the cutoff, take less time than erfc and exp.
    InversePowers<Traced, 3> damped_by_polynomials(double cutoff) {
        auto const of_b1 = fitted<float>([this](double r2) { return mesh_function(0, r2); }, cutoff, 2e-7 / cutoff).force_over_r,
                   of_b2 = fitted<float>([this](double r2) { return mesh_function(1, r2); }, cutoff, 6e-7 / (cutoff * cutoff * cutoff))
                               .force_over_r;
        Traced const x = Traced(2 / (cutoff * cutoff)) * name("r2") - Traced(1);
        auto const powers = bare<3>();
        auto const lambda = thole_factors().factor;
        return {Traced(0), lambda[1] * powers.b[1] - of_b1.operator()<0>(x), lambda[2] * powers.b[2] - of_b2.operator()<0>(x)};
    }

    void add(std::string const& sum, char site, Traced const& value) {
        statements_.add(sum + site + " += " + value.name(statements_) + ';');
    }
    void add(std::string const& sum, char site, Vec3<Traced> const& value) {
        add(sum + 'x', site, value.x);
        add(sum + 'y', site, value.y);
        add(sum + 'z', site, value.z);
    }
    void add_energy(Traced const& energy) { statements_.add("tempEnergy += " + energy.name(statements_) + ';'); }
    std::string const& text() const { return statements_.text(); }

private:
    // The part of B_0 = 1/r or B_1 on the mesh, erf(alpha r)/r or -1/r times its derivative.
    double mesh_function(int n, double r2) const {
        double const y = alpha_ * alpha_ * r2, root = 2 / std::sqrt(std::numbers::pi);
        if (y < 0.5) {  // erf(x)/x = 2/√pi Σ (-y)^k/(k! (2k+1)), y = x²
            double sum = 0, power = 1;  // (-y)^k/k!, of the derivative by y for n = 1
            for (int k = 0; k < 20; ++k) {
                sum += power / (2 * (k + n) + 1);
                power *= -y / (k + 1);
            }
            return n == 0 ? root * alpha_ * sum : 2 * root * alpha_ * alpha_ * alpha_ * sum;
        }
        double const r = std::sqrt(r2), value = std::erf(alpha_ * r) / r;
        return n == 0 ? value : (value - root * alpha_ * std::exp(-y)) / r2;
    }

    double alpha_;
    Statements statements_;
    Vec3<Traced> delta_;
};

}  // namespace

std::string number_text(double value) {
    char text[48];
    std::snprintf(text, sizeof text, "((real) %.17e)", value);
    return text;
}

std::string MultipoleText::permanent_field(std::string const& scales) const {
    PairText pair(alpha_, types_);
    auto add_field = [&](std::string const& sum, Traced const& scale) {
        auto const table = pair.damped_by<4>(scale);
        for (char const site : {'1', '2'})
            pair.add(sum, site, -potential_gradient(pair.moments(site == '1' ? '2' : '1'), pair.from_other(site), table));
    };
    if (scales.empty()) {
        add_field("e", Traced(1));
    } else {
        add_field("d", pair.name(scales + ".y"));
        add_field("p", pair.name(scales + ".z"));
    }
    return pair.text();
}

std::string MultipoleText::induced_field() const {
    PairText pair(alpha_, types_);
    bool const has_polynomials = alpha_ != 0 && cutoff_distance_ > 0 && !types_.real_is_double;
    auto const table = has_polynomials ? pair.damped_by_polynomials(cutoff_distance_) : pair.damped_by<3>(Traced(1));
    for (char const set : {'d', 'p'})
        for (char const site : {'1', '2'})
            pair.add(std::string(1, set), site,
                     -potential_gradient(Dipole<Traced>{pair.induced(set, site == '1' ? '2' : '1')}, pair.from_other(site), table));
    return pair.text();
}

// The energy with fixed induced dipoles: see `DirectSpace`.
std::string MultipoleText::forces(bool are_mutual, std::string const& scales) const {
    PairText pair(alpha_, types_);
    Traced const unit = Traced(constants::coulomb), half(0.5);
    auto const full = pair.full<6>();
    auto const permanent = scales.empty() ? full : scaled<6>(full, pair.bare<6>(), pair.name(scales + ".x"));
    bool const is_special = !scales.empty();
    auto const by_p = pair.damped_by<5>(is_special ? pair.name(scales + ".z") : Traced(1)),
               by_d = is_special ? pair.damped_by<5>(pair.name(scales + ".y")) : by_p,
               mutual = is_special ? pair.damped_by<5>(Traced(1)) : by_p;

    Vec3<Traced> gradient{};
    for (char const site : {'1', '2'}) {
        char const other = site == '1' ? '2' : '1';
        auto const r = pair.from_other(site);
        auto const own = pair.moments(site), source = pair.moments(other);
        auto const d = pair.induced('d', other), p = pair.induced('p', other);
        auto on_own = potential_of<3>(source, r, permanent);
        if (site == '1') pair.add_energy(unit * energy_of(own, on_own));
        if (is_special) {
            on_own += potential_of<3>(Dipole<Traced>{d * half}, r, by_p);
            on_own += potential_of<3>(Dipole<Traced>{p * half}, r, by_d);
        } else {
            on_own += potential_of<3>(Dipole<Traced>{(d + p) * half}, r, by_p);
        }
        pair.add("t", site, torque_on(own, on_own) * unit);
        if (site == '2') continue;
        gradient = gradient_of(own, on_own);
        auto const own_d = pair.induced('d', site), own_p = pair.induced('p', site);
        if (is_special)
            gradient += (second_potential_derivative(source, r, by_p) * own_d + second_potential_derivative(source, r, by_d) * own_p) * half;
        else
            gradient += second_potential_derivative(source, r, by_p) * ((own_d + own_p) * half);
        if (are_mutual)
            gradient += (second_potential_derivative(Dipole<Traced>{p}, r, mutual) * own_d
                         + second_potential_derivative(Dipole<Traced>{d}, r, mutual) * own_p)
                        * half;
    }
    pair.add("f", '1', gradient * -unit);
    pair.add("f", '2', gradient * unit);
    return pair.text();
}

std::string MultipoleText::special_pairs(bool are_mutual, double cutoff) const {
    return special_kernel("special_field", "dp", cutoff, permanent_field("scales"))
           + special_kernel("special_forces", "ft", cutoff, forces(are_mutual, "scales"));
}

// `sums`: the first letters of two vectors of sums for each site; the fields are added behind that of all other pairs.
std::string MultipoleText::special_kernel(std::string const& name, std::string const& sums, double cutoff,
                                          std::string const& pair) const {
    std::string declared, added, sites;
    int number = sums == "dp" ? 3 : 0;
    for (char const sum : sums)
        for (char const axis : {'x', 'y', 'z'}) {
            std::string const both{sum, axis}, to = "add_sum(forces, PARTICLE_SUM(FIRST_SUM + " + std::to_string(number++) + "), atoms.";
            declared += "real " + both + "1 = 0, " + both + "2 = 0;\n";
            added += to + "x, " + both + "1);\n" + to + "y, " + both + "2);\n";
        }
    for (char const* const data : {"site_a", "site_b", "site_c", "induced_d", "induced_p"})
        for (auto const& [site, atom] : {std::pair{"1", "x"}, {"2", "y"}})
            sites += std::string("const real4 ") + data + site + " = all_" + data + "[atoms." + atom + "];\n";
    std::string const box = cutoff > 0 ? "nearest_image(apart, box)" : "apart",
                      limit = cutoff > 0 ? "if (r2 > " + number_text(cutoff * cutoff) + ") continue;\n" : "";
    return "KERNEL void " + name + '(' + special_parameters
           + ") {\n"
             "LOCAL coordinate scratch[64];\ncoordinate energy = 0;\n"
             "for (int n = GLOBAL_ID; n < count; n += GLOBAL_SIZE) {\nconst int2 atoms = pairs[n];\nconst real4 scales = all_scales[n];\n"
             "const coordinate4 p1 = positions[atoms.x], p2 = positions[atoms.y];\n"
             "const coordinate3 apart = make_coordinate3(p1.x - p2.x, p1.y - p2.y, p1.z - p2.z);\nconst real3 delta = to_real3("
           + box + ");\nconst real r2 = delta.x*delta.x + delta.y*delta.y + delta.z*delta.z;\n" + limit
           + "const real invR = rsqrt(r2), r = r2*invR;\n" + sites + declared + "real tempEnergy = 0;\n" + pair + added
           + "energy += tempEnergy;\n}\nif (with_energy) add_group_sum(energy, scratch, energies + slot*SUM_WIDTH);\n}\n";
}

namespace {

std::string vector_text(Vec3<Traced> const& v, Statements& statements) {
    return "make_real3(" + v.x.name(statements) + ", " + v.y.name(statements) + ", " + v.z.name(statements) + ")";
}
std::string four(std::array<Traced, 4> const& numbers, Statements& statements) {
    std::string result = "make_real4(";
    for (std::size_t n = 0; n < 4; ++n) result += (n == 0 ? "" : ", ") + numbers[n].name(statements);
    return result + ')';
}

// The vectors to the particles of a frame, and their names.
struct FrameText {
    explicit FrameText(std::string const& suffix) : statements("temp", suffix) {}

    Traced name(std::string const& text) { return {statements, text}; }
    Vec3<Traced> vector(std::string const& text) { return {name(text + ".x"), name(text + ".y"), name(text + ".z")}; }

    Statements statements;
    Vec3<Traced> z = vector("z"), x = vector("x"), y = vector("y");
};

std::string case_of(AmoebaMultipoleForce::Axis axis, std::string const& text) {
    return "case " + std::to_string(static_cast<int>(axis)) + ": {\n" + text + "break;\n}\n";
}

std::string turned_moments(AmoebaMultipoleForce::Axis axis, std::string const& suffix) {
    FrameText text(suffix);
    Moments<Traced> const own{text.name("a->x"),
                              {text.name("a->y"), text.name("a->z"), text.name("a->w")},
                              {text.name("b->x"), text.name("b->y"), text.name("b->z"), text.name("b->w"), text.name("c->x"),
                               text.name("c->y")}};
    auto const m = rotated(own, frame_of(axis, text.z, text.x, text.y));
    auto const& q = m.quadrupole;
    auto& s = text.statements;
    std::string const a = four({m.charge, m.dipole.x, m.dipole.y, m.dipole.z}, s), b = four({q.xx, q.xy, q.xz, q.yy}, s),
                      c = "c->x = " + q.yz.name(s) + "; c->y = " + q.zz.name(s) + ";\n";
    return s.text() + "*a = " + a + ";\n*b = " + b + ";\n" + c;
}

// Any derivatives by the axes e that give the torque τ = -Σ e × of serve: -τ × e/2.
std::string turning_forces(AmoebaMultipoleForce::Axis axis, std::string const& suffix) {
    FrameText text(suffix);
    auto const torque = text.vector("torque");
    auto const frame = frame_of(axis, text.z, text.x, text.y);
    Frame<Traced> of;
    for (std::size_t n = 0; n < 3; ++n) of[n] = cross(torque, frame[n]) * Traced(-0.5);
    auto const gradient = frame_gradient(axis, text.z, text.x, text.y, of);
    std::string result;
    for (std::size_t n = 0; n < 3; ++n) {
        constexpr std::array names{"on_z", "on_x", "on_y"};
        result += std::string("*") + names[n] + " = " + vector_text(-gradient[n], text.statements) + ";\n";
    }
    return text.statements.text() + result;
}

}  // namespace

std::string MultipoleText::frames(std::set<AmoebaMultipoleForce::Axis> const& axes) const {
    std::string moments, forces;
    for (auto const axis : axes)
        if (axis != AmoebaMultipoleForce::Axis::none) {
            moments += case_of(axis, turned_moments(axis, types_.real_suffix()));
            forces += case_of(axis, turning_forces(axis, types_.real_suffix()));
        }
    return "inline DEVICE void turn_moments(int axis, real3 z, real3 x, real3 y, real4* a, real4* b, real4* c) {\nswitch (axis) {\n"
           + moments + "default: break;\n}\n}\n"
           + "inline DEVICE void turn_frame(int axis, real3 z, real3 x, real3 y, real3 torque, real3* on_z, real3* on_x, real3* on_y) {\n"
             "switch (axis) {\n"
           + forces + "default: break;\n}\n}\n#define NO_AXIS "
           + std::to_string(static_cast<int>(AmoebaMultipoleForce::Axis::none)) + '\n';
}

std::string MultipoleText::splines() const {
    Statements s("temp", types_.real_suffix());
    auto const weights = spline_derivatives(Traced(s, "w"));
    std::string stores;
    for (std::size_t k = 0; k < weights.order.size(); ++k)
        for (std::size_t j = 0; j < spline_order; ++j)
            stores += "values[" + std::to_string(spline_order * k + j) + "] = " + weights.order[k][j].name(s) + ";\n";
    return "inline DEVICE void spline_derivatives(real w, real* values) {\n" + s.text() + stores + "}\n";
}

}  // namespace trotter::amoeba
