// Generates the pair loop for one or several interactions of one range.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/pairs/j_cluster_text.hpp>
#include <trotter/device/pairs/loop_parts.hpp>
#include <trotter/device/pairs/pair_text.hpp>
#include <trotter/kernels/j_clusters.hpp>

namespace trotter::device {
namespace {

class PairText {
public:
    PairText(std::vector<PairInteraction const*> interactions, PairSums wants)
        : parts_(std::move(interactions), wants) {}

    std::string text() const {
        return kernels::j_clusters + functions() + signature() + "{\n" + locals() + sums_begin() + R"(#if PAIR_WARPS > 1
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
const int parts = ITEM_SPLITS*list_parts;
for (int item = GROUP_ID*PAIR_WARPS + warp; item < ITEM_SPLITS*items; item += NUM_GROUPS*PAIR_WARPS) {
const int split = item/SLOT_SPLITS % splits, item_position = item/(SLOT_SPLITS*splits), group = item_position/parts, part = item_position - group*parts;
const int skipped_slots = item % SLOT_SPLITS*SLOTS;
#ifdef SHUFFLE_FROM
const int first_of_j_cluster = ((lane >> 2) + skipped_slots) & 7;
#else
const int first_of_j_cluster = skipped_slots;
#endif
const int my_own = 64*warp + 2*(lane & 24) + (lane & 7);
const int first_j_cluster = split*4/splits, end_j_cluster = (split + 1)*4/splits;
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
const real3 my_position = POSITION_FROM(origin, mine);
own[my_own] = own[my_own + 8] = make_real4(my_position.x, my_position.y, my_position.z, 0);
#if !defined(REAL_IS_DOUBLE) && !defined(USE_CUTOFF)
bool is_spread = ANY_LANE(is_far_off(my_position));
#else
bool is_spread = false;
#endif
)" + load_own() + "for (int n = lane; n < TOTALS; n += 32)\nfor (int c = 0; c < "
               + std::to_string(parts_.channels.size()) + "; ++c) totals[TOTALS*(PAIR_WARPS*c + warp) + n] = 0;\n"
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
const uint j_clusters = is_entry ? entry >> 28 & ((1u << end_j_cluster) - (1u << first_j_cluster)) : 0;
uint skipped = padding | (j/32 == group ? 0xffffffffu << (j & 31) : 0);
real3 position = POSITION_FROM(origin, other);
#if WARP_SIZE >= 32
#ifdef USE_CUTOFF
if (!is_entry) position.x = (real) 1e9;
const bool is_special = j_clusters != 0 && (skipped | excluded) != 0;
#else
const bool is_special = !is_entry || (skipped | excluded) != 0;
#endif
const bool is_plain = IS_COMPACT && !ANY_LANE(is_special);
if (!is_plain) {
    skipped = beginning_with(first_of_j_cluster, skipped);
    excluded = beginning_with(first_of_j_cluster, excluded);
}
#endif
)" + load_other()
               + R"(for (int j_cluster = first_j_cluster; j_cluster < end_j_cluster; ++j_cluster) {
const bool is_needed = (j_clusters >> j_cluster & 1) != 0;
if (!ANY_LANE(is_needed)) continue;
)" + JClusterText(parts_).text()
               + "}\n" + JClusterText(parts_).close_pairs() + add_other() + "}\nSYNC_WARPS\n" + add_own() + "}\n"
               + sums_end() + "}\n";
    }

    /// Of what `locals` and `sums_end` declare; the scratch memory of devices without shuffles is not counted.
    std::size_t local_bytes_per_warp(std::size_t real_size) const {
        std::size_t const channels = std::max<std::size_t>(parts_.channels.size(), 1);
        std::size_t own =
            4 * real_size + (parts_.any_names("atom1") ? sizeof(int) : 0) + (names_posq() ? 4 * real_size : 0);
        for_each_parameter([&](std::size_t, PairInteraction::Parameter const& parameter, std::string const&) {
            char const width = parameter.type.back();
            own += (parameter.type.starts_with("real") ? real_size : sizeof(int))
                   * (width == '4' || width == '3' ? 4
                      : width == '2'               ? 2
                                                   : 1);
        });
        std::size_t const most_totals = 128;  // of TOTALS
        return 64 * own + most_totals * real_size * channels + (parts_.wants_energies() ? 32 * sizeof(double) : 0);
    }

private:
    bool names_posq() const { return parts_.any_names("posq1") || parts_.any_names("posq2"); }
    template <class Visit> void for_each_parameter(Visit const& visit) const {
        for (std::size_t k = 0; k < parts_.interactions.size(); ++k)
            for (auto const& parameter : parts_.interactions[k]->parameters)
                visit(k, parameter, LoopParts::prefix(k, 'p') + parameter.name);
    }
    static std::string element_type(PairInteraction::Parameter const& parameter) {
        return parameter.stored.empty() ? parameter.type : parameter.stored;
    }
    // Assigns a particle's parameter to `to`.
    std::string load(std::size_t k, PairInteraction::Parameter const& parameter, std::string const& name,
                     std::string const& atom, std::string const& to) const {
        if (parameter.load.empty()) return to + " = " + name + '[' + atom + "];\n";
        return "{\nconst int atom = " + atom + ";\nGLOBAL const " + element_type(parameter) + "* " + parameter.name
               + " = " + name + ";\n" + parts_.argument_names(k) + to + " = " + parameter.load + ";\n}\n";
    }
    // Prefixed name of an interaction's charge parameter, or empty; prefixes let two interactions use the same names.
    std::string charge_of(std::size_t k) const {
        for (auto const& parameter : parts_.interactions[k]->parameters)
            if (parameter.name == "charge") return LoopParts::prefix(k, 'p') + "charge";
        return "";
    }

    std::string functions() const {
        std::set<std::string> texts;
        for (auto const* interaction : parts_.interactions) texts.insert(interaction->functions);
        std::string result;
        for (auto const& text : texts) result += text;
        return result;
    }
    std::string signature() const {
        std::string result = std::string("KERNEL void PAIR_BOUNDS evaluate_pairs(") + loop_parameters
                             + "\n#ifdef USE_CUTOFF\n, " + list_parameters + "\n#else\n, " + exclusion_parameters
                             + "\n#endif\n";
        if (!parts_.channels.empty()) result += std::string(", ") + force_parameter;
        if (parts_.wants_energies()) result += std::string(", ") + sum_parameter;
        for_each_parameter([&](std::size_t, PairInteraction::Parameter const& parameter, std::string const& name) {
            result += ", GLOBAL const " + element_type(parameter) + "* RESTRICT " + name;
        });
        for (std::size_t k = 0; k < parts_.interactions.size(); ++k)
            for (auto const& argument : parts_.interactions[k]->arguments)
                result += ", " + argument.type + ' ' + LoopParts::prefix(k, 'a') + argument.name;
        return result + ") ";
    }
    std::string locals() const {
        std::string const channels = std::to_string(std::max<std::size_t>(parts_.channels.size(), 1)),
                          size = "[64*PAIR_WARPS];\n";
        std::string result = "LOCAL real4 own" + size + "LOCAL real totals[TOTALS*PAIR_WARPS*" + channels + "];\n"
                             + "#ifndef SHUFFLE_FROM\nLOCAL real scratch[256*PAIR_WARPS*" + channels + "];\n#endif\n";
        if (parts_.any_names("atom1")) result += "LOCAL int own_atom" + size;
        if (names_posq()) result += "LOCAL real4 own_posq" + size;
        for_each_parameter([&](std::size_t, PairInteraction::Parameter const& parameter, std::string const& name) {
            result += "LOCAL " + parameter.type + " own_" + name + size;
        });
        return result;
    }
    std::string sums_begin() const {
        std::string result;
        for (std::size_t k = 0; parts_.wants_energies() && k < parts_.interactions.size(); ++k)
            for (auto const& [name, of_pair, slot] : parts_.totals(k)) result += "coordinate " + name + " = 0;\n";
        return result;
    }
    std::string sums_end() const {
        if (!parts_.wants_energies()) return "";
        std::string result = "LOCAL coordinate group_scratch[32*PAIR_WARPS];\n";
        for (std::size_t k = 0; k < parts_.interactions.size(); ++k)
            for (auto const& [name, of_pair, slot] : parts_.totals(k))
                if (slot >= 0)
                    result +=
                        "add_group_sum(" + name + ", group_scratch, sums + " + std::to_string(slot) + "*SUM_WIDTH);\n";
        return result;
    }
    // Parameter arrays include padding.
    std::string load_own() const {
        std::string result;
        auto const twice = [](std::string const& name) { return name + "[my_own] = " + name + "[my_own + 8] = "; };
        if (parts_.any_names("atom1")) result += twice("own_atom") + "mine.w;\n";
        if (names_posq()) result += twice("own_posq") + posq("mine.w") + ";\n";
        for_each_parameter([&](std::size_t k, PairInteraction::Parameter const& parameter, std::string const& name) {
            result += parameter.type + " my_" + name + ";\n" + load(k, parameter, name, "mine.w", "my_" + name)
                      + twice("own_" + name) + "my_" + name + ";\n";
        });
        return result;
    }
    std::string posq(std::string const& atom) const {
        std::string charge = "0";
        for (std::size_t k = 0; k < parts_.interactions.size(); ++k)
            if (auto const name = charge_of(k); !name.empty()) charge = name + '[' + atom + ']';
        return "make_real4((real) positions[" + atom + "].x, (real) positions[" + atom + "].y, (real) positions[" + atom
               + "].z, " + charge + ')';
    }
    std::string load_other() const {
        std::string result;
        if (parts_.any_names("atom2")) result += "const int atom2 = atom_j;\n";
        if (names_posq()) result += "const real4 posq2 = " + posq("atom_j") + ";\n";
        for_each_parameter([&](std::size_t k, PairInteraction::Parameter const& parameter, std::string const& name) {
            result += parameter.type + " other_" + name + ";\n" + load(k, parameter, name, "atom_j", "other_" + name);
        });
        for (auto const& channel : parts_.channels) result += "real other_" + channel + " = 0;\n";
        return result;
    }
    std::string add_sums(std::string const& atom, auto const& value) const {
        std::string result;
        std::size_t c = 0;
        if (parts_.has_forces) {
            result +=
                "add_force(forces, " + atom + ", make_real3(" + value(0) + ", " + value(1) + ", " + value(2) + "));\n";
            c = 3;
        }
        for (auto const& sum : parts_.engine_sums) {
            std::string const factor = sum.finer == 1 ? "" : "(real) " + std::to_string(sum.finer) + '*';
            result += "add_sum(forces, PARTICLE_SUM(" + std::to_string(sum.number) + "), " + atom + ", " + factor
                      + value(c++) + ");\n";
        }
        return result;
    }
    std::string add_other() const {
        return "if (j_clusters != 0) {\n"
               + add_sums("atom_j", [&](std::size_t c) { return "other_" + parts_.channels[c]; }) + "}\n";
    }
    // If several items share a group, the j clusters of other items, whose sums are zero, are skipped.
    std::string add_own() const {
        // The possibly constant operand comes first: clang warns of one after &&.
        return "if ((SLOT_SPLITS == 1 || (first_j_cluster <= lane/8 && lane/8 < end_j_cluster)) && mine.w < NUM_ATOMS) "
               "{\n"
               + add_sums(
                   "mine.w",
                   [&](std::size_t c) { return "total_of(" + LoopParts::own_totals(c) + ", lane, skipped_slots)"; })
               + "}\n";
    }

    LoopParts parts_;
};

}  // namespace

std::string pair_text(std::vector<PairInteraction const*> interactions, PairSums wants) {
    return PairText(std::move(interactions), wants).text();
}

std::size_t local_bytes_per_warp(std::vector<PairInteraction const*> interactions, PairSums wants,
                                 std::size_t real_size) {
    return PairText(std::move(interactions), wants).local_bytes_per_warp(real_size);
}

}  // namespace trotter::device
