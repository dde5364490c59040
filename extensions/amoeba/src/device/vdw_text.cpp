// Generates kernel source from the pair energies of AmoebaVdwForce.
// SPDX-License-Identifier: MIT
#include <trotter/amoeba/device/vdw_text.hpp>

#include <trotter/amoeba/vdw/pair_energy.hpp>
#include <trotter/device/text/traced.hpp>

namespace trotter::amoeba {

std::string vdw_pair_text(AmoebaVdwForce const& force, device::NumberTypes const& numbers) {
    using device::Traced;
    device::Statements s("temp", numbers.real_suffix());
    auto name = [&](std::string const& text) { return Traced(s, text); };
    std::string soft;
    using Alchemy = AmoebaVdwForce::Alchemy;
    if (force.alchemy == Alchemy::decouple) soft = "factors1.y != factors2.y";
    if (force.alchemy == Alchemy::annihilate) soft = "factors1.y + factors2.y > 0";
    std::string text = R"(
const real2 of_pair = pair_table[(int) site1.w*types + (int) site2.w];
const real3 apart = make_real3(delta.x + site1.x - site2.x, delta.y + site1.y - site2.y, delta.z + site1.z - site2.z);
const real square = apart.x*apart.x + apart.y*apart.y + apart.z*apart.z + LEAST_SQUARE, per_distance = rsqrt(square),
           distance = square*per_distance, sigma = of_pair.x, per_sigma = 1/of_pair.x;
real epsilon = of_pair.y*factors1.x*factors2.x, softness = 0;
)";
    if (!soft.empty()) text += "if (" + soft + ") { epsilon *= soft_epsilon; softness = soft_shift; }\n";
    auto value = force.potential == AmoebaVdwForce::Potential::lennard_jones
                     ? lennard_jones(name("distance"), name("sigma"), name("epsilon"))
                     : buffered_14_7(name("distance"), name("per_sigma"), name("epsilon"), name("softness"));
    if (force.is_periodic()) value = Taper<Traced>(Traced(force.cutoff_distance))(value, name("distance"));
    std::string const slope = (value.slope * name("per_distance")).name(s);
    s.add("tempEnergy += " + value.energy.name(s) + ';');
    for (char const axis : {'x', 'y', 'z'}) {
        std::string const along = std::string("apart.") + axis + '*' + slope + ';';
        s.add(std::string("f") + axis + "1 -= " + along + " f" + axis + "2 += " + along);
    }
    return text + s.text();
}

}  // namespace trotter::amoeba
