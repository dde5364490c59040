// Components of a pair loop, and source for the lanes that process a j cluster.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include <trotter/device/pairs/j_cluster_text.hpp>

namespace trotter::device {

LoopParts::LoopParts(std::vector<PairInteraction const*> of, PairSums wants)
    : interactions(std::move(of)), wants_(wants) {
    for (std::size_t k = 0; !wants_energies() && k < interactions.size(); ++k) {
        auto const& interaction = *interactions[k];
        if (interaction.has_forces && !has_forces)
            channels.insert(channels.begin(), {"x", "y", "z"}), has_forces = true;
        for (auto const& sum : interaction.sums) {
            channels.push_back(prefix(k, 's') + sum.name);
            engine_sums.push_back(sum);
        }
    }
}
std::vector<PairInteraction::ParticleSum> LoopParts::sums_over_partners(std::size_t k) const {
    return wants_energies() ? std::vector<PairInteraction::ParticleSum>{} : interactions[k]->sums;
}
std::vector<LoopParts::Total> LoopParts::totals(std::size_t k) const {
    std::vector<Total> result{{"energy" + std::to_string(k), "tempEnergy", interactions[k]->energy_accumulator}};
    for (auto const& total : interactions[k]->totals)
        result.push_back({prefix(k, 't') + total.name, total.name, total.slot});
    return result;
}
bool LoopParts::any_names(std::string const& name) const {
    return std::any_of(interactions.begin(), interactions.end(),
                       [&](auto const* interaction) { return names(interaction->text, name); });
}
std::string LoopParts::argument_names(std::size_t k) const {
    std::string result;
    for (auto const& argument : interactions[k]->arguments)
        result += argument.type + ' ' + argument.name + " = " + prefix(k, 'a') + argument.name + ";\n";
    return result;
}
std::string LoopParts::own_totals(std::size_t channel) {
    return "totals + TOTALS*(PAIR_WARPS*" + std::to_string(channel) + " + warp)";
}

std::string JClusterText::text() const {
    return is_long() ? "#ifdef SHUFFLE_FROM\n" + handed_on() + "#else\n" + unrolled() + "#endif\n" : unrolled();
}
bool JClusterText::is_long() const {
    std::ptrdiff_t statements = 0;
    for (auto const* interaction : parts_.interactions)
        statements += std::count(interaction->text.begin(), interaction->text.end(), ';') / interaction->alternatives;
    return statements > many_statements;
}
std::string JClusterText::handed_on() const {
    std::string clear, hand_on, add;
    for (std::size_t c = 0; c < parts_.channels.size(); ++c) {
        std::string const gets = "gets_" + parts_.channels[c];
        clear += "real " + gets + " = 0;\n";
        hand_on += gets + " = SHUFFLE_FROM(" + gets + ", (LANE + 4) & 31);\n";
        add += "(" + LoopParts::own_totals(c) + ")[32*j_cluster + ((LANE + 4*SLOTS) & 31)] += " + gets + ";\n";
    }
    return clear
           + "const uint skipped_here = is_needed ? skipped >> 8*j_cluster : 0xff, excluded_here = excluded >> "
             "8*j_cluster;\n"
           + slots("ROLLED\n", is_in_range, "if (!IS_COMPACT) " + wrap(), "", hand_on) + add;
}
std::string JClusterText::unrolled() const {
    return declare() + plain_slots() + clear() + R"(if (is_needed) {
const uint skipped_here = skipped >> 8*j_cluster, excluded_here = excluded >> 8*j_cluster;
)" + special_slots()
           + "}\n}\n" + add_up();
}
std::string JClusterText::declare() const {
    std::string result;
    for (auto const& channel : parts_.channels) result += "real gets_" + channel + "[SLOTS];\n";
    return result;
}
std::string JClusterText::clear() const {
    std::string result = "UNROLL\nfor (int k = 0; k < SLOTS; ++k) {\n";
    for (auto const& channel : parts_.channels) result += "gets_" + channel + "[k] = 0;\n";
    return result + "}\n";
}
std::string JClusterText::plain_slots() const {
    if (parts_.wants_energies()) return "{\n";
    return "#if WARP_SIZE >= 32\nif (is_plain) {\n" + clear() + unrolled_slots(is_in_range_where_plain, "")
           + "} else\n#endif\n{\n";
}
std::string JClusterText::special_slots() const {
    return "#if WARP_SIZE < 32\n" + unrolled_slots(is_in_range, "if (!IS_COMPACT) " + wrap())
           + "#else\nif (IS_COMPACT) {\n" + unrolled_slots(is_in_range, "") + "}\n#ifdef USE_PERIODIC\nelse {\n"
           + unrolled_slots(is_in_range, wrap()) + "}\n#endif\n#endif\n";
}
std::string JClusterText::unrolled_slots(std::string const& is_met, std::string const& to_nearest_image) const {
    return slots("UNROLL\n", is_met, to_nearest_image, "[n]", "");
}
std::string JClusterText::slots(std::string const& unroll, std::string const& is_met,
                                std::string const& to_nearest_image, std::string const& element,
                                std::string const& hand_on) const {
    return unroll + R"(for (int n = 0; n < SLOTS; ++n) {
const int i = 64*warp + 16*j_cluster + first_of_j_cluster + n;
const real4 own_position = own[i];
real3 delta = make_real3(own_position.x - position.x, own_position.y - position.y, own_position.z - position.z);
)" + to_nearest_image
           + (parts_.wants_energies() ? exact_where_close() : "")
           + squared_distance() + is_met
           + "const real invR = rsqrt(r2), r = r2*invR;\nreal slope = 0;\n" + slot_texts(element) + after_slot(element)
           + hand_on + "}\n";
}
std::string JClusterText::squared_distance() const {
    auto const& [argument, fraction] = parts_.interactions.front()->least_distance;
    if (argument.empty()) return "const real r2 = delta.x*delta.x + LEAST_SQUARE + delta.y*delta.y + delta.z*delta.z;\n";
    std::string const least = LoopParts::prefix(0, 'a') + argument + '*' + fraction;
    return "const real r2 = fmax(delta.x*delta.x + delta.y*delta.y + delta.z*delta.z, (" + least + ")*(" + least + "));\n";
}
std::string JClusterText::exact_where_close() const {
    return R"(#ifdef CLOSE_PAIRS_ARE_EXACT
if (delta.x*delta.x + delta.y*delta.y + delta.z*delta.z < close_squared(position))
    delta = exactly_apart(positions, box, slots[32*group + 8*j_cluster + ((first_of_j_cluster + n) & 7)].w, atom_j);
#endif
)";
}
// Evaluates close pairs twice: subtracts the force of the rounded distance vector, and adds that of the exact one.
std::string JClusterText::close_pairs() const {
    if (!parts_.has_forces) return "";
    std::string unused;
    for (std::size_t c = 3; c < parts_.channels.size(); ++c)
        unused += "real gets_" + parts_.channels[c] + " = 0, other_" + parts_.channels[c] + " = 0;\n";
    return R"(#ifdef CLOSE_PAIRS_ARE_EXACT
if (j_clusters != 0 && (!(fabs(other_x) + fabs(other_y) + fabs(other_z) < (real) 5e3) || (is_spread && is_far_off(position)))) {
ROLLED
for (int slot_in_group = 0; slot_in_group < 32; ++slot_in_group) {
const int j_cluster = slot_in_group/8, n = slot_in_group%8;
if (n >= SLOTS || (j_clusters >> j_cluster & 1) == 0) continue;
const uint skipped_here = skipped >> 8*j_cluster, excluded_here = excluded >> 8*j_cluster;
const int i = 64*warp + 16*j_cluster + first_of_j_cluster + n, own_number = slots[32*group + 8*j_cluster + ((first_of_j_cluster + n) & 7)].w;
const real4 own_position = own[i];
real3 delta = make_real3(own_position.x - position.x, own_position.y - position.y, own_position.z - position.z);
if (!IS_COMPACT) delta = wrapped(edges, delta);
if (!(delta.x*delta.x + delta.y*delta.y + delta.z*delta.z < close_squared(position))) continue;
real3 change = make_real3(0, 0, 0);
ROLLED
for (int is_exact = 0; is_exact < 2; ++is_exact) {
if (is_exact) delta = exactly_apart(positions, box, own_number, atom_j);
)" + squared_distance()
           + std::string(is_in_range) + unused + "const real invR = rsqrt(r2), r = r2*invR;\nreal slope = 0;\n"
           + slot_texts("") + R"(if (!is_exact) slope = -slope;
change.x += delta.x*slope; change.y += delta.y*slope; change.z += delta.z*slope;
}
other_x += change.x; other_y += change.y; other_z += change.z;
if (own_number < NUM_ATOMS) add_force(forces, own_number, make_real3(-change.x, -change.y, -change.z));
}
}
#endif
)";
}
std::string JClusterText::slot_texts(std::string const& element) const {
    std::string result;
    for (std::size_t k = 0; k < parts_.interactions.size(); ++k) {
        auto const& interaction = *parts_.interactions[k];
        std::string const counts = interaction.sees_excluded ? "is_met" : "!isExcluded";
        result += "#if WARP_SIZE < 32\nif (" + counts + ")\n#endif\n{\nreal tempEnergy = 0, dEdR = 0;\n"
                  + slot_names(k) + "{\n" + interaction.text + "\n}\n" + slot_sums(k, counts, element) + "}\n";
    }
    return result;
}
std::string JClusterText::slot_names(std::size_t k) const {
    auto const& interaction = *parts_.interactions[k];
    std::string result;
    if (names(interaction.text, "atom1")) result += "const int atom1 = own_atom[i];\n";
    if (names(interaction.text, "posq1")) result += "const real4 posq1 = own_posq[i];\n";
    for (auto const& parameter : interaction.parameters) {
        std::string const name = LoopParts::prefix(k, 'p') + parameter.name;
        result += "const " + parameter.type + ' ' + parameter.name + "1 = own_" + name + "[i], " + parameter.name
                  + "2 = other_" + name + ";\n";
    }
    result += parts_.argument_names(k);
    for (auto const& sum : interaction.sums) result += "real " + sum.name + "1 = 0, " + sum.name + "2 = 0;\n";
    for (auto const& total : interaction.totals) result += "real " + total.name + " = 0;\n";
    return result;
}
std::string JClusterText::slot_sums(std::size_t k, std::string const& counts, std::string const& element) const {
    std::string result;
    auto const add = [&](std::string const& to, std::string const& value) {
        result += to + " += " + counts + " ? " + value + " : (real) 0;\n";
    };
    for (auto const& sum : parts_.sums_over_partners(k)) {
        std::string const channel = LoopParts::prefix(k, 's') + sum.name;
        add("gets_" + channel + element, sum.name + '1');
        add("other_" + channel, sum.name + '2');
    }
    if (parts_.wants_energies())
        for (auto const& [name, of_pair, slot] : parts_.totals(k)) add(name, of_pair);
    if (parts_.has_forces) add("slope", "dEdR*invR");
    return result;
}
std::string JClusterText::after_slot(std::string const& element) const {
    std::string result;
    for (char const axis : parts_.has_forces ? std::string("xyz") : std::string()) {
        std::string const along = std::string("delta.") + axis + "*slope;\n";
        result += std::string("gets_") + axis + element + " -= " + along + "other_" + axis + " += " + along;
    }
    return result;
}
std::string JClusterText::add_up() const {
    std::string in_registers, stores, sums;
    for (std::size_t c = 0; c < parts_.channels.size(); ++c) {
        std::string const scratch = "scratch + 256*(PAIR_WARPS*" + std::to_string(c) + " + warp)",
                          own_totals = "(" + LoopParts::own_totals(c) + ")", gets = "gets_" + parts_.channels[c];
        in_registers += "ADD_TO_TOTAL(" + own_totals + ", j_cluster, " + gets + ")\n";
        stores += "for (int k = 0; k < SLOTS; ++k) (" + scratch + ")[32*k + lane] = " + gets + "[k];\n";
        sums += own_totals + "[8*j_cluster + first_of_j_cluster + lane/4] += j_cluster_sum(" + scratch + ", lane/4);\n";
    }
    return "#ifdef SHUFFLE_FROM\n" + in_registers + "#else\n" + stores
           + "SYNC_WARPS\nif ((lane & 3) == 0 && lane/4 < SLOTS) {\n" + sums + "}\nSYNC_WARPS\n#endif\n";
}

}  // namespace trotter::device
