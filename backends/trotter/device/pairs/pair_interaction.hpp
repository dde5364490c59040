// An interaction of pairs as the pair loops take it: text, parameters, exclusions.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <string>
#include <vector>

#include <trotter/device/runtime/queue.hpp>

namespace trotter::device {

/// Which pairs meet: within a cutoff [nm] or, where it is 0, all; but the excluded ones are told apart.
struct PairRange {
    double cutoff = 0;
    bool is_periodic = false;
    std::vector<std::vector<int>> exclusions;  ///< for each particle its partners, ascending; or empty

    friend bool operator==(PairRange const&, PairRange const&) = default;
};

/// The text of an interaction finds `r`, `r2`, `invR`, `isExcluded` (true as well for padding), `atom1`, `atom2`, and
/// posq1, posq2 with positions and charges; of each parameter NAME1 and NAME2; and its arguments. It adds to
/// `tempEnergy`, and to `dEdR` the derivative of the energy by the distance; a sum over the partners of each particle
/// gets what it adds to NAME1 and NAME2. The macros NUM_ATOMS, PADDED_NUM_ATOMS, USE_CUTOFF, USE_PERIODIC, CUTOFF and
/// CUTOFF_SQUARED are as one expects. Pairs beyond the cutoff are left out; each other pair is met once, no particle
/// meets itself. Where lanes go in step the text is run for pairs that are left out as well, with isExcluded true, and
/// what it adds is dropped.
struct PairInteraction {
    /// An array in the order of the particles, padded; `array` says where it is when pairs are evaluated. Where the
    /// parameter is not the array's element but made from it, `stored` is the type of the elements, and `load` is text
    /// for the parameter of the particle `atom`, which finds the array and the arguments under their names.
    struct Parameter {
        std::string name{}, type{};
        std::function<Argument()> array{};
        std::string stored{}, load{};
    };
    /// For text: `type name`.
    struct ExtraArgument {
        std::string type, name;
        std::function<Argument()> value;
    };
    /// A sum of the engine's for each particle, that the interaction adds to; a number beyond the range of such sums
    /// becomes a force that is no number.
    struct ParticleSum {
        std::string name;
        int number;
        int finer = 1;  ///< the engine's is so many times what the text adds, for its sums have a fixed point
    };

    /// What r is at least, where `argument` is not empty: this times a number in text; of an interaction that is alone in
    /// its loop.
    struct LeastDistance {
        std::string argument{}, fraction{};
    };

    /// A sum over all pairs besides the energy, which the text adds to; it is made where energies are asked for.
    struct Total {
        std::string name;
        int slot;
    };

    int force = 0, group = 0;
    PairRange range{};
    std::string text{};
    LeastDistance least_distance{};
    int alternatives = 1;   ///< how many parts of about the same length the text has, of which a pair takes one
    std::string functions{};              ///< text of functions that it calls; of equal texts in one loop there is one
    std::vector<Parameter> parameters{};  ///< one named "charge", of type real, is the charge in posq
    std::vector<ExtraArgument> arguments{};
    std::vector<ParticleSum> sums{};
    std::vector<Total> totals{};
    bool has_forces = true;
    bool adds_to_particles() const { return has_forces || !sums.empty(); }
    bool sees_excluded = true;    ///< the text is run for excluded pairs too, with isExcluded true
    int energy_accumulator = -1;  ///< none where it is -1
};

/// Whether a name occurs in a text as a word.
inline bool names(std::string const& text, std::string const& name) {
    auto is_part = [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        std::size_t const end = at + name.size();
        if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) return true;
    }
    return false;
}

/// What a loop adds up. They are two loops, so that the bits of forces are the same whether or not energies are asked
/// for: a compiler fuses multiplications and additions in one way or another depending on what else is wanted.
enum class PairSums { forces, energies };

}  // namespace trotter::device
