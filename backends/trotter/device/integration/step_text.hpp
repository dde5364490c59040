// Device text for products of kicks, drifts and Ornstein-Uhlenbeck steps.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/device/integration/cluster_text.hpp>
#include <trotter/force_groups.hpp>

namespace trotter::device {

/// What the letters of a product with forces of several groups have besides. The first V's of a step, before particles
/// move, take their forces from memory, where the last ones of the step before have kept them.
struct GroupedLetters {
    struct Letter {
        int set = 0;                ///< of a V
        int share = 0;              ///< which of `shares` a V or R stands for
        int share_of_run = 0;       ///< of an R after which positions are constrained: of all drifts since the last
        bool is_kept = false;       ///< a V that takes its forces from memory
        bool keeps = false;         ///< a V that keeps its forces
        bool begins_section = false;
    };
    std::vector<ForceGroups> sets{};
    std::vector<Letter> letters{};
    std::vector<double> shares{};  ///< of the time step

    bool empty() const { return letters.empty(); }
    static constexpr std::uint64_t draws_of_step = std::uint64_t{1} << 20;  ///< as on the host
};

/// What a `Splitting` says of its letters. A C does nothing before constraints act. An S, which no `Splitting` has, scales velocities by the number of the bath
/// that the particle is in.
struct Product {
    std::string letters;
    std::vector<bool> constrain_positions_after, constrain_velocities_after, needs_new_forces;
    GroupedLetters grouped;
    std::size_t gathers_before = no_letter;  ///< where something must be known of all particles

    static constexpr std::size_t no_letter = std::string::npos;

    Product() = default;

    template <class S> explicit Product(S const& splitting)
        : letters(splitting.letters.begin(), splitting.letters.end()) {
        for (std::size_t i = 0; i < letters.size(); ++i) {
            constrain_positions_after.push_back(splitting.constrain_positions_after(i));
            constrain_velocities_after.push_back(splitting.constrain_velocities_after(i));
            needs_new_forces.push_back(splitting.needs_new_forces(i));
        }
    }
    /// How many R's stand in the run of R and O that ends at `last`.
    int drifts_of_run(std::size_t last) const {
        int drifts = 0;
        for (std::size_t k = last + 1; k-- > 0 && letters[k] != 'V';) drifts += letters[k] == 'R';
        return drifts;
    }
    bool takes_new_forces(std::size_t i) const {
        return letters[i] == 'V' && (grouped.empty() || !grouped.letters[i].is_kept);
    }
    /// Letters before `i` that draw noise.
    int draws_before(std::size_t i) const {
        int draws = 0;
        for (std::size_t k = 0; k < i; ++k) draws += letters[k] == 'O';
        return draws;
    }
};

/// The numbers of a step, from where they are stored; behind them is one for each bath.
inline constexpr std::size_t numbers_of_step = 5;
inline constexpr char const* step_numbers_text =
    "const coordinate kick = stored[0], drift = stored[1], decay = stored[2], noise = stored[3];\n"
    "const coordinate tolerance = stored[4];\n";

/// Where a share of the time step is stored: behind the number of the only bath.
inline std::string share_text(int share) {
    return "stored[" + std::to_string(static_cast<int>(numbers_of_step) + 1 + share) + ']';
}
/// The size of a kick or drift.
inline std::string size_text(Product const& product, std::size_t letter) {
    if (!product.grouped.empty()) return share_text(product.grouped.letters[letter].share);
    return product.letters[letter] == 'V' ? "kick" : "drift";
}
/// The force of a V on particle `p`, one of several.
inline std::string force_text(Product const& product, std::size_t letter, std::string const& p) {
    if (product.takes_new_forces(letter)) return 'f' + p;
    return "force_on(kept + " + std::to_string(3 * product.grouped.letters[letter].set) + "*PADDED_NUM_ATOMS, atom" + p + ')';
}
/// Keeps the forces on particle `p` where a letter of the section says so.
inline std::string keep_text(Product const& product, std::size_t first, std::size_t end, std::string const& p) {
    std::string result;
    for (std::size_t i = first; i < end && !product.grouped.empty(); ++i)
        for (int axis = 0; product.grouped.letters[i].keeps && axis < 3; ++axis)
            result += "kept[atom" + p + " + " + std::to_string(3 * product.grouped.letters[i].set + axis)
                      + "*PADDED_NUM_ATOMS] = forces[atom" + p + " + " + std::to_string(axis) + "*PADDED_NUM_ATOMS];\n";
    return result;
}

/// What a letter does to the particles of a cluster: x1, v1, f1, w1 are position, velocity, force and inverse mass of
/// the first, and so on; NORMALS(n, atom) is what the n-th draw of the step has for a particle, `baths` has each
/// particle's bath.
inline std::string letter_text(Product const& product, std::size_t letter, ClusterKind kind) {
    char const what = product.letters[letter];
    return for_particles(kind, [&](std::string const& p) -> std::string {
        if (what == 'C') return "";
        if (what == 'V')
            return 'v' + p + " += " + force_text(product, letter, p) + "*(" + size_text(product, letter) + "*w" + p + ");";
        if (what == 'R') return 'x' + p + " += v" + p + '*' + size_text(product, letter) + ';';
        if (what == 'S')
            return 'v' + p + " = v" + p + "*stored[" + std::to_string(numbers_of_step) + " + baths[atom" + p + "]];";
        std::string const index = std::to_string(product.draws_before(letter));
        return "{ const real3 normal = NORMALS(" + index + ", atom" + p
               + ");\nconst coordinate spread = noise*sqrt((real) w" + p + ");\nv" + p + " = v" + p
               + "*decay + make_coordinate3(spread*normal.x, spread*normal.y, spread*normal.z); }";
    });
}

/// By how much moving a particle back onto its constraints after a letter changes its velocity.
inline std::string rate_text(Product const& product, std::size_t letter) {
    if (!product.grouped.empty()) return "(1/" + share_text(product.grouped.letters[letter].share_of_run) + ')';
    return "(1/(" + std::to_string(product.drifts_of_run(letter)) + "*drift))";
}

/// The letters from `first` up to `end` for the particles of a small cluster, with the constraints where they act:
/// those on positions end a section, as a V that follows them needs new forces.
inline std::string act_on_cluster(Product const& product, ClusterKind kind, std::size_t first, std::size_t end) {
    ClusterText text(kind);
    auto const declare = [&](std::string const& name) {
        text.add("const coordinate3 "
                 + for_particles(
                     kind, [&](std::string const& p) { return name + p + " = x" + p; }, ", ")
                 + ';');
    };
    declare("start");
    for (std::size_t i = first; i < end; ++i) {
        text.add(letter_text(product, i, kind));
        if (numbers_of(kind) == 0) continue;
        if (product.constrain_velocities_after[i]) text.constrain_velocities();
        if (!product.constrain_positions_after[i]) continue;
        declare("free");
        text.constrain_positions();
        // Moving the positions took an impulse: it also acts on the velocities.
        text.add(for_particles(kind, [&](std::string const& p) {
            return 'v' + p + " += (x" + p + " - free" + p + ")*" + rate_text(product, i) + ';';
        }));
    }
    return text.text();
}

}  // namespace trotter::device
