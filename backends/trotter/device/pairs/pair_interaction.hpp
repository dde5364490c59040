// A pair interaction for the pair loops: source, parameters, exclusions.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <trotter/device/runtime/queue.hpp>

namespace trotter::device {

/// Which pairs interact: within a cutoff [nm], or all if it is 0; excluded ones are marked.
struct PairRange {
    double cutoff = 0;
    bool is_periodic = false;
    std::vector<std::vector<int>> exclusions;  ///< sorted partners of each particle; or empty

    friend bool operator==(PairRange const&, PairRange const&) = default;
};

/// The source of an interaction can use `r`, `r2`, `invR`, `isExcluded` (also true for padding), `atom1`, `atom2`,
/// posq1 and posq2 with positions and charges; NAME1 and NAME2 for each parameter; and its arguments. It adds to
/// `tempEnergy`, and to `dEdR` the derivative of the energy by the distance; per-particle sums receive what it adds to
/// NAME1 and NAME2. The macros NUM_ATOMS, PADDED_NUM_ATOMS, USE_CUTOFF, USE_PERIODIC, CUTOFF and CUTOFF_SQUARED are as
/// in OpenMM. Pairs beyond the cutoff are omitted; each other pair is evaluated once, without self-interactions. On
/// lockstep lanes the source also runs for omitted pairs, with isExcluded true and results discarded.
struct PairInteraction {
    /// A padded array in particle order; `array` returns it when pairs are evaluated. If the parameter is computed from
    /// elements, `stored` is their type, and `load` is an expression for the parameter of the particle `atom`, which
    /// may use the array and the arguments by name.
    struct Parameter {
        std::string name{}, type{};
        std::function<Argument()> array{};
        std::string stored{}, load{};
    };
    /// Kernel parameter `type name`.
    struct ExtraArgument {
        std::string type, name;
        std::function<Argument()> value;
    };
    /// A per-particle sum of the engine that the interaction adds to; an overflow makes the force NaN.
    struct ParticleSum {
        std::string name;
        int number;
        int finer = 1;  ///< fixed-point scale of the engine's sum, relative to the source's values
    };

    /// Lower bound of r, if `argument` is not empty: this times a factor in source; only for an interaction that is
    /// alone in its loop.
    struct LeastDistance {
        std::string argument{}, fraction{};
    };

    /// How its loop fills a multiprocessor.
    struct Occupancy {
        int item_splits = 1;  ///< divides the items of the list: more of them than run concurrently balance the load
        int groups = 0;  ///< work-groups of a multiprocessor, so many that each has the registers it needs; 0: the list's
    };

    /// A sum over all pairs besides the energy; computed when energies are requested.
    struct Total {
        std::string name;
        int slot;
    };

    int force = 0, group = 0;
    PairRange range{};
    std::string text{};
    LeastDistance least_distance{};
    int alternatives = 1;   ///< number of branches of about equal length in the source, one per pair
    Occupancy occupancy{};  ///< only for an interaction that is alone in its loop
    std::string functions{};              ///< functions it calls; equal ones in a loop are merged
    std::vector<Parameter> parameters{};  ///< one named "charge", of type real, is the charge in posq
    std::vector<ExtraArgument> arguments{};
    std::vector<ParticleSum> sums{};
    std::vector<Total> totals{};
    bool has_forces = true;
    bool adds_to_particles() const { return has_forces || !sums.empty(); }
    bool sees_excluded = true;    ///< runs also for excluded pairs, with isExcluded true
    int energy_accumulator = -1;  ///< -1 for none
};

/// Whether `text` contains `name` as a whole word.
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

/// What a loop sums. These are two loops, so that the bits of forces do not depend on whether energies are requested:
/// compilers fuse multiplications and additions depending on what else is computed.
enum class PairSums { forces, energies };

}  // namespace trotter::device
