// Generates kernel source from the generalized Born formulas.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include <trotter/device/stages/gbsa.hpp>
#include <trotter/device/text/traced.hpp>

namespace trotter::device {

std::string GbsaText::integrals() const {
    return descreenings(&ValueAndSlope<Traced>::value) + "integral1 += on1*(real) " + number(integral_unit / 2)
           + ";\nintegral2 += on2*(real) " + number(integral_unit / 2) + ";\n";
}
std::string GbsaText::pairs() const {
    auto s = pair_statements();
    auto const pair = born_pair<Traced>(name(s, "r2"), name(s, "born1.x") * name(s, "born2.x"));
    Traced const product = Traced(force_.prefactor()) * name(s, "born1.y") * name(s, "born2.y");
    Traced const energy = product * (pair.inverse - Traced(force_.uses_cutoff() ? 1 / force_.cutoff_distance : 0));
    Traced const slope = product * pair.virial * name(s, "invR"),
                 by_radius = Traced(slope_unit) * product * pair.radius_slope;
    s.add("tempEnergy += " + energy.name(s) + ";\ndEdR -= " + slope.name(s) + ";\nby_radius1 += " + by_radius.name(s)
          + ";\nby_radius2 += " + by_radius.name(s) + ';');
    return s.text();
}
std::string GbsaText::chain() const {
    return descreenings(&ValueAndSlope<Traced>::slope) + "dEdR += by_integral1*on1 + by_integral2*on2;\n";
}
std::string GbsaText::radius_function(std::string const& type) const {
    Statements found("temp", suffix(type), type);
    auto const particle = of_particle(found);
    std::string const values = particle.born.value.name(found) + ", " + particle.born.slope.name(found) + ", "
                               + particle.by_radius.name(found);
    return "inline DEVICE " + type + "3 " + function("radius_of") + "(mm_long integral_sum, coordinate2 charge_and_radius) {\n"
           + numbers_of_particle(type) + found.text() + "return make_" + type + "3(" + values + ");\n}\n";
}
std::string GbsaText::particles(int integral_number) const {
    Statements summed("temp", suffix("coordinate"), "coordinate");
    summed.add("energy += " + of_particle(summed).energy.name(summed) + ';');
    std::string const integral_sum = "forces[PARTICLE_SUM(" + std::to_string(integral_number) + ") + atom]";
    return radius_function("coordinate") + "KERNEL void find_radii(" + radius_parameters + R"() {
for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
    const coordinate3 found = )"
           + function("radius_of") + '(' + integral_sum + R"(, particles[atom]);
    born[atom] = make_real2((real) found.x, (real) particles[atom].x);
    radius_slopes[atom] = found.y;
    own_slopes[atom] = found.z;
}
}
KERNEL void sum_energies()"
           + energy_parameters + R"() {
LOCAL coordinate scratch[64];
coordinate energy = 0;
for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
    const mm_long integral_sum = )"
           + integral_sum + ";\nconst coordinate2 charge_and_radius = particles[atom];\n"
           + numbers_of_particle("coordinate") + summed.text()
           + "}\nadd_group_sum(energy, scratch, sums + slot*SUM_WIDTH);\n}\n";
}
std::string GbsaText::by_integral(int by_radius_number) const {
    return "atom < NUM_ATOMS ? " + function("slope_by_integral")
           + "(make_coordinate3((coordinate) born[atom].x, radius_slopes[atom], own_slopes[atom]), by_integral[PARTICLE_SUM("
           + std::to_string(by_radius_number) + ") + atom]) : (real) 0";
}
std::string GbsaText::by_integral(int integral_number, int by_radius_number) const {
    return "atom < NUM_ATOMS ? " + function("slope_by_integral") + '(' + function("radius_of")
           + "(by_integral[PARTICLE_SUM(" + std::to_string(integral_number) + ") + atom], particles[atom]), by_integral[PARTICLE_SUM(" + std::to_string(by_radius_number)
           + ") + atom]) : (real) 0";
}
std::string GbsaText::slope_function(std::string const& type) const {
    return "inline DEVICE real " + function("slope_by_integral") + '(' + type
           + "3 radius, mm_long by_radius) {\nreturn (real) ((radius.z + (" + type + ") by_radius/radius.x*(" + type
           + ") " + number(std::ldexp(1 / slope_unit, -32)) + ")*radius.y/2);\n}\n";
}
std::string GbsaText::born(int integral_number) const {
    return "atom < NUM_ATOMS ? make_real2(" + function("radius_of") + "(born[PARTICLE_SUM(" + std::to_string(integral_number)
           + ") + atom], particles[atom]).x, (real) particles[atom].x) : make_real2(0, 0)";
}
GbsaText::OfParticle GbsaText::of_particle(Statements& s) const {
    Traced const charge = name(s, "particle.x"), radius = name(s, "particle.y");
    auto const born = born_radius<Traced>(name(s, "integral"), radius);
    auto const own = self_energy<Traced>(force_.prefactor(), Traced(force_.surface_area_energy), charge, radius, born.value);
    return {born, own.value, own.slope};
}
std::string GbsaText::numbers_of_particle(std::string const& type) {
    return "const " + type + "2 particle = make_" + type + "2((" + type + ") charge_and_radius.x, (" + type
           + ") charge_and_radius.y);\nconst " + type + " integral = (" + type + ") integral_sum*(" + type + ") "
           + number(std::ldexp(1 / integral_unit, -32)) + ";\n";
}
std::string GbsaText::suffix(std::string const& type) const {
    return type == "real" ? types_.real_suffix() : types_.coordinate_is_double ? "" : "f";
}
std::string GbsaText::descreenings(Traced ValueAndSlope<Traced>::*part) const {
    auto series = pair_statements();
    auto distant = [&](std::string const& size) {
        auto const inverse_r = name(series, "invR"), s = name(series, size);
        return ((types_.real_is_double ? distant_descreening<16>(inverse_r, s) : distant_descreening<8>(inverse_r, s))
                .*part)
            .name(series);
    };
    std::string const far1 = distant("sizes2.y"), far2 = distant("sizes1.y");
    auto closed = pair_statements();
    auto near = [&](std::string const& rho, std::string const& s) {
        return (descreening<Traced>(name(closed, "r"), name(closed, "invR"), name(closed, rho), name(closed, s)).*part)
            .name(closed);
    };
    std::string const near1 = near("sizes1.x", "sizes2.y"), near2 = near("sizes2.x", "sizes1.y");
    return "real on1, on2;\nif (r < far) {\n" + closed.text() + "on1 = " + near1 + ";\non2 = " + near2 + ";\n} else {\n"
           + series.text() + "on1 = " + far1 + ";\non2 = " + far2 + ";\n}\n";
}
// At s/400 the closed form's float error equals the integral's change from there to the center, 1e-5/s; in double at
// s/10^5. Below this bound, derivatives decrease to 0 in proportion to the distance. `far` is 3 s.
std::string GbsaText::least_distance_by_far() const { return "(real) " + number(types_.real_is_double ? 1 / 3e5 : 1 / 1200.0); }
std::string GbsaText::number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17e", value);
    return text;
}

}  // namespace trotter::device
