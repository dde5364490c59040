// Device text for products of kicks, drifts and Ornstein-Uhlenbeck steps.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/device/integration/cluster_text.hpp>

namespace trotter::device {

/// What a `Splitting` says of its letters. An S, which no `Splitting` has, scales velocities by the number of the bath
/// that the particle is in.
struct Product {
    std::string letters;
    std::vector<bool> constrain_positions_after, constrain_velocities_after, needs_new_forces;
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

/// What a letter does to the particles of a cluster: x1, v1, f1, w1 are position, velocity, force and inverse mass of
/// the first, and so on; NORMALS(n, atom) is what the n-th draw of the step has for a particle, `baths` has each
/// particle's bath.
inline std::string letter_text(Product const& product, std::size_t letter, ClusterKind kind) {
    return for_particles(kind, [&](std::string const& p) -> std::string {
        if (product.letters[letter] == 'V') return 'v' + p + " += f" + p + "*(kick*w" + p + ");";
        if (product.letters[letter] == 'R') return 'x' + p + " += v" + p + "*drift;";
        if (product.letters[letter] == 'S')
            return 'v' + p + " = v" + p + "*stored[" + std::to_string(numbers_of_step) + " + baths[atom" + p + "]];";
        std::string const index = std::to_string(product.draws_before(letter));
        return "{ const real3 normal = NORMALS(" + index + ", atom" + p
               + ");\nconst coordinate spread = noise*sqrt((real) w" + p + ");\nv" + p + " = v" + p
               + "*decay + make_coordinate3(spread*normal.x, spread*normal.y, spread*normal.z); }";
    });
}

/// By how much moving a particle back onto its constraints, after so many drifts, changes its velocity.
inline std::string rate_text(int drifts) { return "(1/(" + std::to_string(drifts) + "*drift))"; }

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
            return 'v' + p + " += (x" + p + " - free" + p + ")*" + rate_text(product.drifts_of_run(i)) + ';';
        }));
    }
    return text.text();
}

}  // namespace trotter::device
