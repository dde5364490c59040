// Generates kernel source for many-body forces: CustomHbondForce and CustomManyParticleForce.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <string>

#include <trotter/device/sets/custom_hbond.hpp>
#include <trotter/device/sets/custom_many_particle.hpp>
#include <trotter/device/sets/near_lists.hpp>
#include <trotter/kernels/sets.hpp>

#include "set_text.hpp"

namespace trotter::device {

std::string hbond_text(CustomHbondForce const& force, RuntimeFormula const& formula, std::string const& suffix) {
    std::size_t const of_donor = force.donor_parameter_names.size(),
                      fields = of_donor + force.acceptor_parameter_names.size();
    std::string to_donor;
    auto const field = [&](std::size_t n) {
        return n < of_donor ? "donor_fields[" + std::to_string(n) + "*donor_count + donor]"
                            : "acceptor_fields[" + std::to_string(n - of_donor) + "*acceptor_count + acceptor]";
    };
    auto const add_force = [&](std::size_t p, std::string const& vector) {
        std::string const n = std::to_string(p + 1);
        if (p >= 3) return "add_fine_force(forces, atom" + n + ", " + vector + ");";
        to_donor += "add_fine_force(forces, atom" + n + ", force" + n + ");\n";
        return "force" + n + " = force" + n + " + " + vector + ';';
    };
    std::string const of_pair = set_text(formula, fields, force.is_periodic(), suffix, field, add_force);
    std::string donor, acceptor;
    for (int p = 0; p < 3; ++p) {
        auto const site = [p](int number, std::string const& kind) {
            std::string const n = std::to_string(number);
            return "const int atom" + n + " = " + kind + "s[" + kind + " + " + std::to_string(p) + '*' + kind
                   + "_count];\nconst coordinate3 x" + n + " = trimTo3(positions[atom" + n + "]);\n";
        };
        donor += site(p + 1, "donor") + "coordinate3 force" + std::to_string(p + 1) + " = make_coordinate3(0, 0, 0);\n";
        acceptor += site(p + 4, "acceptor");
    }
    return near_text(force.uses_cutoff(), false) + "#define ACCEPTORS " + std::to_string(acceptors_at_once(force))
           + hbond_head + R"(
    const Near near = NEAR_ARGUMENTS;
    const int donor_count = near_site_count, acceptor_count = near_other_count;
    coordinate energy = 0;
    for (int item = GLOBAL_ID; item < donor_count*shares; item += GLOBAL_SIZE) {
        const int donor = item % donor_count, count = near_count(near, donor);
        for (int begin = item/donor_count*ACCEPTORS; begin < count; begin += shares*ACCEPTORS) {
)" + donor + R"(
            for (int k = begin; k < min(begin + ACCEPTORS, count); ++k) {
                const int acceptor = near_other(near, donor, k);
                if (acceptor < 0) continue;
)" + acceptor
           + of_pair + R"(
            }
)" + to_donor
           + R"(
        }
    }
    if (has_sums) kept[GLOBAL_ID] = energy;
}
)";
}

namespace {

class ManyParticleText {
public:
    ManyParticleText(CustomManyParticleForce const& force, RuntimeFormula const& formula, std::string const& suffix)
        : force_(force), formula_(formula), suffix_(suffix), size_(force.particles_per_set) {
        for (auto const& filter : force.type_filters) has_filters_ = has_filters_ || !filter.empty();
    }

    std::string text() const {
        std::string text = near_text(force_.uses_cutoff(), !is_central()) + "#define SET_SIZE " + std::to_string(size_)
                           + "\n#define SET_FIXED " + std::to_string(is_central() ? 1 : 0) + '\n';
        if (has_filters_) text += kernels::set_orders;
        return text + many_particle_head + R"(
    const Near near = NEAR_ARGUMENTS;
    coordinate energy = 0;
    for (int item = GLOBAL_ID; item < near_site_count*shares; item += GLOBAL_SIZE) {
        const int site0 = item % near_site_count, atom0 = near_sites[site0];
)" + sets() + R"(
    }
    if (has_sums) kept[GLOBAL_ID] = energy;
}
)";
    }

private:
    bool is_central() const { return force_.permutations == CustomManyParticleForce::Permutations::unique_central; }
    // Number of particles of a set that the innermost loop leaves unchanged: forces on them are added at its end.
    int steady() const { return std::min(size_, has_filters_ ? (is_central() ? 1 : 0) : 2); }

    std::string sets() const {
        std::string before, after;
        for (int p = 0; p < steady(); ++p) {
            std::string const n = std::to_string(p);
            before += "coordinate3 force" + n + " = make_coordinate3(0, 0, 0);\n";
            after += "add_fine_force(forces, atom" + n + ", force" + n + ");\n";
        }
        if (size_ == 1) return before + one_set() + after;
        return "const int count = near_count(near, site0);\n"
               "for (int k1 = item/near_site_count; k1 < count; k1 += shares) {\n"
               + other(1) + before + others(2) + after + "}\n";
    }
    static std::string other(int p) {
        std::string const n = std::to_string(p);
        return "const int site" + n + " = near_other(near, site0, k" + n + ");\nif (site" + n
               + " < 0) continue;\nconst int atom" + n + " = near_others[site" + n + "];\n";
    }
    // Loops over the particles from the p-th on.
    std::string others(int p) const {
        if (p == size_) return one_set();
        std::string const n = std::to_string(p), before = std::to_string(p - 1);
        std::string text =
            "for (int k" + n + " = k" + before + " + 1; k" + n + " < count; ++k" + n + ") {\n" + other(p);
        for (int q = 1; q < p; ++q) {
            std::string const first = "atom" + std::to_string(q);
            text += "if (are_excluded(begins, excluded, " + first + ", atom" + n + ")) continue;\n";
            if (!is_central())
                text += "if (!are_near(trimTo3(positions[" + first + "]) - trimTo3(positions[atom" + n
                        + "]), box)) continue;\n";
        }
        return text + others(p + 1) + "}\n";
    }
    std::string one_set() const {
        std::size_t const names = force_.parameter_names.size(), particles = static_cast<std::size_t>(size_);
        std::string atoms, points;
        for (int p = 0; p < size_; ++p) {
            std::string const n = std::to_string(p);
            atoms += (p == 0 ? "atom" : ", atom") + n;
            points += "const coordinate3 x" + std::to_string(p + 1) + " = trimTo3(positions[set[" + n + "]]);\n";
        }
        auto const field = [&](std::size_t n) {
            return "fields[" + std::to_string(n % names) + "*NUM_ATOMS + set[" + std::to_string(n / names) + "]]";
        };
        auto const add_force = [&](std::size_t p, std::string const& vector) {
            std::string const n = std::to_string(p);
            return p < static_cast<std::size_t>(steady()) ? "force" + n + " = force" + n + " + " + vector + ';'
                                                          : "add_fine_force(forces, set[" + n + "], " + vector + ");";
        };
        return "{\nint set[SET_SIZE] = {" + atoms + "};\n" + (has_filters_ ? "if (arrange(set, allowed)) {\n" : "{\n")
               + points + set_text(formula_, names * particles, force_.is_periodic(), suffix_, field, add_force)
               + "}\n}\n";
    }

    CustomManyParticleForce const& force_;
    RuntimeFormula const& formula_;
    std::string suffix_;
    int size_;
    bool has_filters_ = false;
};

}  // namespace

std::string many_particle_text(CustomManyParticleForce const& force, RuntimeFormula const& formula,
                               std::string const& suffix) {
    return ManyParticleText(force, formula, suffix).text();
}

}  // namespace trotter::device
