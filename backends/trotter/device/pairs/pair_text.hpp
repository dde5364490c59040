// The text of the loop over pairs, for one or several interactions of one range.
// SPDX-License-Identifier: MIT
#pragma once
#include <set>
#include <string>
#include <vector>

#include <trotter/device/pairs/interaction.hpp>
#include <trotter/kernels/octets.hpp>

namespace trotter::device {

/// What a loop adds up. They are two loops, so that the bits of forces are the same whether or not energies are asked
/// for: a compiler fuses multiplications and additions in one way or another depending on what else is wanted.
enum class PairSums { forces, energies };

/// PAIR_WARPS times 32 work-items are a work-group, where each 32 do an item of their own: lanes hold particles j of an
/// entry each, while the group's particles i stand in local memory, octet by octet. What the i get is added up over the
/// lanes, with eight numbers in registers for each component; one fixed-point addition for each j and, at the end, for
/// each i. Where lanes go in step, pairs out of range are computed like others and then left out. Lane n begins with
/// particle n/4 of an octet, so that lanes which add up their sums hold what they exchange in the same registers; what
/// is known of an octet's particles stands in local memory twice, one behind the other, so that all lanes go straight
/// on.
class PairText {
public:
    PairText(std::vector<Interaction const*> interactions, PairSums wants)
        : interactions_(std::move(interactions)), wants_(wants) {
        for (std::size_t k = 0; !wants_energies() && k < interactions_.size(); ++k) {
            auto const& interaction = *interactions_[k];
            if (interaction.has_forces && !has_forces_)
                channels_.insert(channels_.begin(), {"x", "y", "z"}), has_forces_ = true;
            for (auto const& sum : interaction.sums) {
                channels_.push_back(prefix(k, 's') + sum.name);
                sum_numbers_.push_back(sum.number);
            }
        }
    }

    std::string text() const {
        return kernels::octets + functions() + signature() + "{\n" + locals() + sums_begin() + R"(#if PAIR_WARPS > 1
const int lane = LOCAL_ID & 31, warp = LOCAL_ID/32;
#else
const int lane = LOCAL_ID, warp = 0;
#endif
#ifndef COPY_FRAMES
const Frame frame = frame_of(positions, box, marks);
const Edges edges = edges_of(frame);
#endif
#if defined(USE_CUTOFF) && COPIES == 1
const bool is_listed = used[marks[2] & 1] <= (mm_ulong) capacity;
#endif
for (int item = GROUP_ID*PAIR_WARPS + warp; item < items; item += NUM_GROUPS*PAIR_WARPS) {
const int split = item/SLOT_SPLITS % splits, place_of_item = item/(SLOT_SPLITS*splits), group = place_of_item/parts, part = place_of_item - group*parts;
const int skipped_slots = item % SLOT_SPLITS*SLOTS;
#ifdef SHUFFLE_FROM
const int first_of_octet = ((lane >> 2) + skipped_slots) & 7;
#else
const int first_of_octet = skipped_slots;
#endif
const int my_own = 64*warp + 2*(lane & 24) + (lane & 7);
const int first_octet = split*4/splits, end_octet = (split + 1)*4/splits;
#if COPIES > 1
const int copy = COPY_OF(group);
#ifdef COPY_FRAMES
const Frame frame = frame_of(positions + COPY_ATOMS*copy, box, marks + 4*copy);
const Edges edges = edges_of(frame);
#endif
#ifdef USE_CUTOFF
const bool is_listed = used[2*copy + (marks[4*copy + 2] & 1)] <= (mm_ulong) capacity;
#endif
#endif
#ifdef USE_CUTOFF
const int4 span = spans[group];
const int special_chunks = (span.y + 31)/32, chunks = is_listed ? special_chunks + (span.z + 31)/32 : owned_count(group);
#else
const int chunks = owned_count(group);
#endif
if (part >= chunks) continue;
const int4 mine = slots[32*group + lane];
#ifdef USE_PERIODIC
const int4 center = centers[group];
#define IS_COMPACT (center.w != 0)
#else
const int4 center = slots[32*group];
#define IS_COMPACT true
#endif
const Origin origin = origin_at(frame, positions, center);
SYNC_WARPS
const real3 my_place = PLACE_FROM(origin, mine);
own[my_own] = own[my_own + 8] = make_real4(my_place.x, my_place.y, my_place.z, 0);
)" + load_own() + "for (int n = lane; n < TOTALS; n += 32)\nfor (int c = 0; c < "
               + std::to_string(channels_.size()) + "; ++c) totals[TOTALS*(PAIR_WARPS*c + warp) + n] = 0;\n"
               + R"(SYNC_WARPS
const uint padding = empty_slots(group);
#ifdef USE_CUTOFF
#define NEXT_CHUNK(chunk) (is_listed ? (chunk) : next_near(edges, group, chunk, chunks, parts, centers, halves))
#else
#define NEXT_CHUNK(chunk) (chunk)
#endif
for (int chunk = NEXT_CHUNK(part); chunk < chunks; chunk = NEXT_CHUNK(chunk + parts)) {
uint entry = 0, excluded = 0;
bool is_entry = true;
#ifdef USE_CUTOFF
if (!is_listed) {
    entry = (uint) (32*owned(group, chunk) + lane) | 15u << 28;
    excluded = exclusion_word(slots[entry & 0xfffffff].w, group, starts, partners, slot_of);
} else if (chunk < special_chunks) {
    const int n = 32*chunk + lane;
    is_entry = n < span.y;
    if (is_entry) {
        entry = pool[span.x + n];
        excluded = pool[span.x + span.y + n];
    }
} else {
    const int n = 32*(chunk - special_chunks) + lane;
    is_entry = n < span.z;
    if (is_entry) entry = pool[span.x + 2*span.y + n];
}
#else
entry = (uint) (32*owned(group, chunk) + lane) | 15u << 28;
#endif
const int j = (int) (entry & 0xfffffff);
const int4 other = slots[j];
#ifndef USE_CUTOFF
if (other.x <= group && group <= other.y) excluded = exclusion_words[other.z + group - other.x];
#endif
const int atom_j = other.w;
is_entry = is_entry && atom_j < NUM_ATOMS;
const uint octets = is_entry ? entry >> 28 & ((1u << end_octet) - (1u << first_octet)) : 0;
uint skipped = padding | (j/32 == group ? 0xffffffffu << (j & 31) : 0);
real3 place = PLACE_FROM(origin, other);
#if SIMT_WIDTH >= 32
#ifdef USE_CUTOFF
if (!is_entry) place.x = (real) 1e9;
const bool is_special = octets != 0 && (skipped | excluded) != 0;
#else
const bool is_special = !is_entry || (skipped | excluded) != 0;
#endif
const bool is_plain = IS_COMPACT && !ANY_LANE(is_special);
if (!is_plain) {
    skipped = beginning_with(first_of_octet, skipped);
    excluded = beginning_with(first_of_octet, excluded);
}
#endif
)" + load_other()
               + R"(for (int octet = first_octet; octet < end_octet; ++octet) {
const bool is_needed = (octets >> octet & 1) != 0;
if (!ANY_LANE(is_needed)) continue;
)" + declare_octet()
               + plain_slots() + clear_octet() + R"(if (is_needed) {
const uint skipped_here = skipped >> 8*octet, excluded_here = excluded >> 8*octet;
)" + slots() + "}\n}\n"
               + reduce_octet() + "}\n" + add_other() + "}\nSYNC_WARPS\n" + add_own() + "}\n" + sums_end() + "}\n";
    }

private:
    bool wants_energies() const { return wants_ == PairSums::energies; }
    std::vector<Interaction::ParticleSum> sums_over_partners(std::size_t k) const {
        return wants_energies() ? std::vector<Interaction::ParticleSum>{} : interactions_[k]->sums;
    }
    // The eight particles of an octet. A branch in each slot would keep the slots apart, so there is a loop for each
    // case where lanes go in step; most chunks are plain: no pair is excluded, and all are nearest to each other as
    // they are. What a lane does not need is then out of range, and is computed and left out as that is.
    std::string plain_slots() const {
        if (wants_energies()) return "{\n";
        return "#if SIMT_WIDTH >= 32\nif (is_plain) {\n" + clear_octet() + slots(is_in_range_where_plain, "")
               + "} else\n#endif\n{\n";
    }
    std::string slots() const {
        std::string const wrap = "delta = wrapped(edges, delta);\n";
        return "#if SIMT_WIDTH < 32\n" + slots(is_in_range, "if (!IS_COMPACT) " + wrap) + "#else\nif (IS_COMPACT) {\n"
               + slots(is_in_range, "") + "}\n#ifdef USE_PERIODIC\nelse {\n" + slots(is_in_range, wrap)
               + "}\n#endif\n#endif\n";
    }
    static constexpr char const* is_in_range = R"(
#ifdef USE_CUTOFF
const bool is_met = r2 <= CUTOFF_SQUARED && (skipped_here >> n & 1) == 0;
#else
const bool is_met = (skipped_here >> n & 1) == 0;
#endif
#if SIMT_WIDTH < 32
if (!is_met) continue;
#endif
const bool isExcluded = !is_met || (excluded_here >> n & 1) != 0;
)";
    static constexpr char const* is_in_range_where_plain = R"(
#ifdef USE_CUTOFF
const bool is_met = r2 <= CUTOFF_SQUARED;
#else
const bool is_met = true;
#endif
const bool isExcluded = !is_met;
)";
    std::string slots(std::string const& is_met, std::string const& to_nearest_image) const {
        return R"(UNROLL
for (int n = 0; n < SLOTS; ++n) {
const int i = 64*warp + 16*octet + first_of_octet + n;
const real4 own_place = own[i];
real3 delta = make_real3(own_place.x - place.x, own_place.y - place.y, own_place.z - place.z);
)" + to_nearest_image
               + "const real r2 = delta.x*delta.x + delta.y*delta.y + delta.z*delta.z;\n" + is_met
               + "const real invR = rsqrt(r2), r = r2*invR;\nreal slope = 0;\n" + slot_texts() + after_slot() + "}\n";
    }
    static std::string prefix(std::size_t k, char kind) { return std::string(1, kind) + std::to_string(k) + '_'; }
    bool any_names(std::string const& name) const {
        for (auto const* interaction : interactions_)
            if (names(interaction->text, name)) return true;
        return false;
    }
    bool names_posq() const { return any_names("posq1") || any_names("posq2"); }
    template <class Visit> void for_each_parameter(Visit const& visit) const {
        for (std::size_t k = 0; k < interactions_.size(); ++k)
            for (auto const& parameter : interactions_[k]->parameters)
                visit(k, parameter, prefix(k, 'p') + parameter.name);
    }
    static std::string element_type(Interaction::Parameter const& parameter) {
        return parameter.stored.empty() ? parameter.type : parameter.stored;
    }
    std::string argument_names(std::size_t k) const {
        std::string result;
        for (auto const& argument : interactions_[k]->arguments)
            result += argument.type + ' ' + argument.name + " = " + prefix(k, 'a') + argument.name + ";\n";
        return result;
    }
    // Sets `to` to the parameter of a particle.
    std::string load(std::size_t k, Interaction::Parameter const& parameter, std::string const& name,
                     std::string const& atom, std::string const& to) const {
        if (parameter.load.empty()) return to + " = " + name + '[' + atom + "];\n";
        return "{\nconst int atom = " + atom + ";\nGLOBAL const " + element_type(parameter) + "* " + parameter.name
               + " = " + name + ";\n" + argument_names(k) + to + " = " + parameter.load + ";\n}\n";
    }
    // The names in a scope of their own, so that two interactions may use the same.
    std::string charge_of(std::size_t k) const {
        for (auto const& parameter : interactions_[k]->parameters)
            if (parameter.name == "charge") return prefix(k, 'p') + "charge";
        return "";
    }

    std::string functions() const {
        std::set<std::string> texts;
        for (auto const* interaction : interactions_) texts.insert(interaction->functions);
        std::string result;
        for (auto const& text : texts) result += text;
        return result;
    }
    std::string signature() const {
        std::string result =
            "KERNEL void PAIR_BOUNDS evaluate_pairs(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const "
            "coordinate4* RESTRICT box, "
            "GLOBAL const int* RESTRICT marks, GLOBAL const int4* RESTRICT slots, int items, int parts, int splits\n"
            "#ifdef USE_CUTOFF\n"
            ", GLOBAL const int* RESTRICT starts, GLOBAL const int* RESTRICT partners, GLOBAL const int* RESTRICT "
            "slot_of, "
            "GLOBAL const int4* RESTRICT spans, GLOBAL const mm_ulong* RESTRICT used, GLOBAL const uint* RESTRICT "
            "pool, "
            "GLOBAL const int4* RESTRICT centers, GLOBAL const float4* RESTRICT halves, int capacity\n"
            "#else\n, GLOBAL const uint* RESTRICT exclusion_words\n#endif\n";
        if (!channels_.empty()) result += ", GLOBAL mm_ulong* RESTRICT forces";
        if (wants_energies()) result += ", GLOBAL coordinate* RESTRICT sums";
        for_each_parameter([&](std::size_t, Interaction::Parameter const& parameter, std::string const& name) {
            result += ", GLOBAL const " + element_type(parameter) + "* RESTRICT " + name;
        });
        for (std::size_t k = 0; k < interactions_.size(); ++k)
            for (auto const& argument : interactions_[k]->arguments)
                result += ", " + argument.type + ' ' + prefix(k, 'a') + argument.name;
        return result + ") ";
    }
    std::string locals() const {
        std::string const channels = std::to_string(std::max<std::size_t>(channels_.size(), 1)),
                          size = "[64*PAIR_WARPS];\n";
        std::string result = "LOCAL real4 own" + size + "LOCAL real totals[TOTALS*PAIR_WARPS*" + channels + "];\n"
                             + "#ifndef SHUFFLE_FROM\nLOCAL real scratch[256*PAIR_WARPS*" + channels + "];\n#endif\n";
        if (any_names("atom1")) result += "LOCAL int own_atom" + size;
        if (names_posq()) result += "LOCAL real4 own_posq" + size;
        for_each_parameter([&](std::size_t, Interaction::Parameter const& parameter, std::string const& name) {
            result += "LOCAL " + parameter.type + " own_" + name + size;
        });
        return result;
    }
    std::string sums_begin() const {
        std::string result;
        for (std::size_t k = 0; wants_energies() && k < interactions_.size(); ++k)
            for (auto const& [name, of_pair, slot] : sums_of(k)) result += "coordinate " + name + " = 0;\n";
        return result;
    }
    std::string sums_end() const {
        if (!wants_energies()) return "";
        std::string result = "LOCAL coordinate group_scratch[32*PAIR_WARPS];\n";
        for (std::size_t k = 0; k < interactions_.size(); ++k)
            for (auto const& [name, of_pair, slot] : sums_of(k))
                if (slot >= 0)
                    result +=
                        "add_group_sum(" + name + ", group_scratch, sums + " + std::to_string(slot) + "*SUM_WIDTH);\n";
        return result;
    }
    // Sums over all pairs: name, what a pair adds to it, slot.
    struct Sum {
        std::string name, of_pair;
        int slot;
    };
    std::vector<Sum> sums_of(std::size_t k) const {
        std::vector<Sum> result{{"energy" + std::to_string(k), "tempEnergy", interactions_[k]->energy_slot}};
        for (auto const& total : interactions_[k]->totals)
            result.push_back({prefix(k, 't') + total.name, total.name, total.slot});
        return result;
    }
    // Parameters have elements for padding too.
    std::string load_own() const {
        std::string result;
        auto const twice = [](std::string const& name) { return name + "[my_own] = " + name + "[my_own + 8] = "; };
        if (any_names("atom1")) result += twice("own_atom") + "mine.w;\n";
        if (names_posq()) result += twice("own_posq") + posq("mine.w") + ";\n";
        for_each_parameter([&](std::size_t k, Interaction::Parameter const& parameter, std::string const& name) {
            result += parameter.type + " my_" + name + ";\n" + load(k, parameter, name, "mine.w", "my_" + name)
                      + twice("own_" + name) + "my_" + name + ";\n";
        });
        return result;
    }
    std::string posq(std::string const& atom) const {
        std::string charge = "0";
        for (std::size_t k = 0; k < interactions_.size(); ++k)
            if (auto const name = charge_of(k); !name.empty()) charge = name + '[' + atom + ']';
        return "make_real4((real) positions[" + atom + "].x, (real) positions[" + atom + "].y, (real) positions[" + atom
               + "].z, " + charge + ')';
    }
    std::string load_other() const {
        std::string result;
        if (any_names("atom2")) result += "const int atom2 = atom_j;\n";
        if (names_posq()) result += "const real4 posq2 = " + posq("atom_j") + ";\n";
        for_each_parameter([&](std::size_t k, Interaction::Parameter const& parameter, std::string const& name) {
            result += parameter.type + " other_" + name + ";\n" + load(k, parameter, name, "atom_j", "other_" + name);
        });
        for (auto const& channel : channels_) result += "real other_" + channel + " = 0;\n";
        return result;
    }
    std::string declare_octet() const {
        std::string result;
        for (auto const& channel : channels_) result += "real gets_" + channel + "[SLOTS];\n";
        return result;
    }
    std::string clear_octet() const {
        std::string result = "UNROLL\nfor (int k = 0; k < SLOTS; ++k) {\n";
        for (auto const& channel : channels_) result += "gets_" + channel + "[k] = 0;\n";
        return result + "}\n";
    }
    std::string slot_texts() const {
        std::string result;
        for (std::size_t k = 0; k < interactions_.size(); ++k) {
            auto const& interaction = *interactions_[k];
            std::string const counts = interaction.sees_excluded ? "is_met" : "!isExcluded";
            result += "#if SIMT_WIDTH < 32\nif (" + counts + ")\n#endif\n{\nreal tempEnergy = 0, dEdR = 0;\n";
            if (names(interaction.text, "atom1")) result += "const int atom1 = own_atom[i];\n";
            if (names(interaction.text, "posq1")) result += "const real4 posq1 = own_posq[i];\n";
            for (auto const& parameter : interaction.parameters) {
                std::string const name = prefix(k, 'p') + parameter.name;
                result += "const " + parameter.type + ' ' + parameter.name + "1 = own_" + name + "[i], "
                          + parameter.name + "2 = other_" + name + ";\n";
            }
            result += argument_names(k);
            for (auto const& sum : interaction.sums) result += "real " + sum.name + "1 = 0, " + sum.name + "2 = 0;\n";
            for (auto const& total : interaction.totals) result += "real " + total.name + " = 0;\n";
            result += "{\n" + interaction.text + "\n}\n";
            for (auto const& sum : sums_over_partners(k)) {
                std::string const channel = prefix(k, 's') + sum.name;
                result += "gets_" + channel + "[n] += " + counts + " ? " + sum.name + "1 : (real) 0;\nother_" + channel
                          + " += " + counts + " ? " + sum.name + "2 : (real) 0;\n";
            }
            if (wants_energies())
                for (auto const& [name, of_pair, slot] : sums_of(k))
                    result += name + " += " + counts + " ? " + of_pair + " : (real) 0;\n";
            if (has_forces_) result += "slope += " + counts + " ? dEdR*invR : (real) 0;\n";
            result += "}\n";
        }
        return result;
    }
    std::string after_slot() const {
        return has_forces_ ? R"(gets_x[n] -= delta.x*slope; gets_y[n] -= delta.y*slope; gets_z[n] -= delta.z*slope;
other_x += delta.x*slope; other_y += delta.y*slope; other_z += delta.z*slope;
)"
                           : "";
    }
    std::string reduce_octet() const {
        std::string in_registers, stores, sums;
        for (std::size_t c = 0; c < channels_.size(); ++c) {
            std::string const scratch = "scratch + 256*(PAIR_WARPS*" + std::to_string(c) + " + warp)";
            in_registers += "ADD_TO_TOTAL((" + totals(c) + "), octet, gets_" + channels_[c] + ")\n";
            stores +=
                "for (int k = 0; k < SLOTS; ++k) (" + scratch + ")[32*k + lane] = gets_" + channels_[c] + "[k];\n";
            sums += "(" + totals(c) + ")[8*octet + first_of_octet + lane/4] += octet_sum(" + scratch + ", lane/4);\n";
        }
        return "#ifdef SHUFFLE_FROM\n" + in_registers + "#else\n" + stores
               + "SYNC_WARPS\nif ((lane & 3) == 0 && lane/4 < SLOTS) {\n" + sums + "}\nSYNC_WARPS\n#endif\n";
    }
    static std::string totals(std::size_t channel) {
        return "totals + TOTALS*(PAIR_WARPS*" + std::to_string(channel) + " + warp)";
    }
    std::string add_sums(std::string const& atom, auto const& value) const {
        std::string result;
        std::size_t c = 0;
        if (has_forces_) {
            result +=
                "add_force(forces, " + atom + ", make_real3(" + value(0) + ", " + value(1) + ", " + value(2) + "));\n";
            c = 3;
        }
        for (int const number : sum_numbers_)
            result += "ATOMIC_ADD(&forces[PARTICLE_SUM(" + std::to_string(number) + ") + " + atom
                      + "], to_fixed_point(" + value(c++) + "));\n";
        return result;
    }
    std::string add_other() const {
        return "if (octets != 0) {\n" + add_sums("atom_j", [&](std::size_t c) { return "other_" + channels_[c]; })
               + "}\n";
    }
    // Where many items share a group, the zeros of other items' octets are left out.
    std::string add_own() const {
        return "if (mine.w < NUM_ATOMS && (SLOT_SPLITS == 1 || (first_octet <= lane/8 && lane/8 < end_octet))) {\n"
               + add_sums("mine.w", [&](std::size_t c) { return "total_of(" + totals(c) + ", lane, skipped_slots)"; })
               + "}\n";
    }

    std::vector<Interaction const*> interactions_;
    PairSums wants_;
    bool has_forces_ = false;
    std::vector<std::string> channels_;  // what is added up for each particle: forces, then sums
    std::vector<int> sum_numbers_;
};

}  // namespace trotter::device
