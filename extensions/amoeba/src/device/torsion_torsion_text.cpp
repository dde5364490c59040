// Generates kernel source for the terms of AmoebaTorsionTorsionForce.
// SPDX-License-Identifier: MIT
#include <array>
#include <string>

#include <trotter/amoeba/device/torsion_torsion.hpp>
#include <trotter/device/terms/term_text.hpp>
#include <trotter/tables/spline.hpp>

namespace trotter::amoeba {
namespace {

using device::Statements;
using device::Traced;

// The interval of an axis with the angle, as on the host: its index, width, and the position in it.
std::string cell_text(std::string const& axis, std::string const& number, std::string const& angle) {
    std::string text = R"(
const int4 AXIS = torsion_grids[2*grid + NUMBER];
coordinate AXIS_angle = hand*ANGLE*(coordinate) 57.29577951308232;
AXIS_angle -= 360*floor((AXIS_angle - torsion_angles[AXIS.x])/360);
int AXIS_cell = 0;
while (AXIS_cell + 2 < AXIS.y && torsion_angles[AXIS.x + AXIS_cell + 1] <= AXIS_angle) ++AXIS_cell;
const coordinate AXIS_begin = torsion_angles[AXIS.x + AXIS_cell], AXIS_width = torsion_angles[AXIS.x + AXIS_cell + 1] - AXIS_begin,
                 AXIS_t = (AXIS_angle - AXIS_begin)/AXIS_width;
)";
    for (auto const& [from, to] : {std::pair{std::string("AXIS"), axis}, {"NUMBER", number}, {"ANGLE", angle}})
        for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    return text;
}

}  // namespace

std::string torsion_torsion_text(bool is_periodic, std::string const& suffix) {
    Statements angles("angle", suffix, "coordinate");
    device::TracedGeometry const geometry{angles, is_periodic};
    auto const phi = AmoebaTorsionTorsionForce::phi.vary<Traced>(geometry), psi = AmoebaTorsionTorsionForce::psi.vary<Traced>(geometry);
    Traced const side = dot(geometry(5, 2), cross(geometry(1, 2), geometry(3, 2)));
    std::string const phi_name = phi.value.name(angles), psi_name = psi.value.name(angles);
    angles.add("const coordinate hand = " + side.name(angles) + " < 0 ? -1 : 1;\nconst int grid = (int) FIELD(0);");

    Statements s("temp", suffix, "coordinate");
    auto name = [&](std::string const& text) { return Traced(s, text); };
    Hermite<Traced> const p(name("first_t")), q(name("second_t"));
    Traced const width = name("first_width"), height = name("second_width"), both = width * height;
    Traced energy, by_phi, by_psi;
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j) {
            std::string const knot = s.name("torsion_knots[first.z + (first_cell + " + std::to_string(i)
                                            + ")*second.y + second_cell + " + std::to_string(j) + ']', "4");
            std::array const weights{name(knot + ".x"), name(knot + ".y") * width, name(knot + ".z") * height,
                                     name(knot + ".w") * both};
            for (std::size_t m = 0; m < 4; ++m) {
                std::size_t const x = 2 * i + m % 2, y = 2 * j + m / 2;
                energy += weights[m] * p.value[x] * q.value[y];
                by_phi += weights[m] * p.slope[x] * q.value[y];
                by_psi += weights[m] * p.value[x] * q.slope[y];
            }
        }
    Traced const unit = name("hand") * Traced(57.29577951308232);
    by_phi = by_phi * unit / width;
    by_psi = by_psi * unit / height;
    s.add("energy += " + energy.name(s) + ';');
    auto here = [&](Vec3<Traced> const& v) { return Vec3<Traced>{name(v.x.name(angles)), name(v.y.name(angles)), name(v.z.name(angles))}; };
    for (std::size_t n = 0; n < 5; ++n) {
        Vec3<Traced> force{};
        if (n < 4) force -= here(phi.gradient[n]) * by_phi;
        if (n > 0) force -= here(psi.gradient[n - 1]) * by_psi;
        s.add("add_fine_force(forces, atom" + std::to_string(n + 1) + ", make_coordinate3(" + force.x.name(s) + ", "
              + force.y.name(s) + ", " + force.z.name(s) + "));");
    }
    return angles.text() + cell_text("first", "0", phi_name) + cell_text("second", "1", psi_name) + s.text();
}

}  // namespace trotter::amoeba
