// Generates kernel source for sequences of V, R and O operators on the particles of constraint networks.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>

#include <trotter/device/constraints/network_text.hpp>
#include <trotter/device/integration/step_text.hpp>

namespace trotter::device {
namespace {

class NetworkText {
public:
    NetworkText(StepSequence const& sequence, std::size_t first, std::size_t end)
        : sequence_(sequence), first_(first), end_(end) {}

    std::string text() const {
        std::string result = "find_directions(batch, pairs, squares, slots, positions, directions);\n";
        std::string rate;  // set once positions have been constrained
        for (std::size_t begin = first_, next = first_; begin < end_; begin = next) {
            while (!is_barrier(next)) ++next;
            ++next;
            bool const constrains_positions = sequence_.constrain_positions_after[next - 1];
            result += pass(load(begin == first_) + force(begin, next) + operators(begin, next) + keep());
            if (is_constrained(next - 1)) result += relax(constrains_positions);
            if (constrains_positions) rate = rate_text(sequence_, next - 1);
        }
        return result + pass(load(false) + (rate.empty() ? "" : moved(rate)) + stored);
    }

private:
    bool is_constrained(std::size_t i) const {
        return sequence_.constrain_positions_after[i] || sequence_.constrain_velocities_after[i];
    }
    bool is_barrier(std::size_t i) const { return i + 1 == end_ || is_constrained(i); }

    static std::string pass(std::string const& body) {
        return "FOR_SLOTS {\nconst int atom1 = slots[slot];\n" + body + "}\nSYNC_THREADS\n";
    }

    static std::string load(bool is_first) {
        return is_first ? "const mixed4 rate = velocities[atom1];\ncoordinate3 x1 = make_coordinate3(0, 0, 0), "
                          "v1 = make_coordinate3(rate.x, rate.y, rate.z);\nconst coordinate w1 = rate.w;\n"
                        : "const coordinate4 rate = rates[slot];\n"
                          "coordinate3 x1 = trimTo3(moves[slot]), v1 = trimTo3(rate);\nconst coordinate w1 = rate.w;\n";
    }
    // The last pass with a kick also clears the forces.
    std::string force(std::size_t begin, std::size_t end) const {
        std::size_t const kick = next_kick(begin);
        if (kick >= end) return "";
        std::string const loaded = "const coordinate3 f1 = force_on(forces, atom1);\n";
        if (next_kick(end) < end_) return loaded;
        return loaded + keep_text(sequence_, first_, end_, "1")
               + "clear_force(forces, atom1);\n";
    }
    std::size_t next_kick(std::size_t i) const {
        while (i < end_ && !sequence_.takes_new_forces(i)) ++i;
        return i;
    }
    std::string operators(std::size_t begin, std::size_t end) const {
        std::string result;
        for (std::size_t i = begin; i < end; ++i) result += operator_text(sequence_, i, ClusterKind::free) + '\n';
        return result;
    }
    static std::string keep() {
        return "rates[slot] = make_coordinate4(v1.x, v1.y, v1.z, w1);\nmoves[slot] = make_coordinate4(x1.x, x1.y, "
               "x1.z, w1);\n"
               "frees[slot] = moves[slot];\n";
    }
    static std::string relax(bool on_positions) {
        return std::string("relax(batch, pairs, color_ends, directions, slots, ")
               + (on_positions ? "moves, 0" : "rates, 1") + ", tolerance, marks, failures);\n";
    }
    // Constraint forces on positions also change velocities.
    static std::string moved(std::string const& rate) {
        return "const coordinate4 position = positions[atom1];\nv1 += (x1 - trimTo3(frees[slot]))*" + rate
               + ";\nx1 += trimTo3(position);\npositions[atom1] = make_coordinate4(x1.x, x1.y, x1.z, 0);\n"
                 "if (!(fabs(x1.x) + fabs(x1.y) + fabs(x1.z) < 1e30f)) failures[0] = atom1 + 1;\n";
    }
    static constexpr char const* stored =
        "velocities[atom1] = make_mixed4((mixed) v1.x, (mixed) v1.y, (mixed) v1.z, velocities[atom1].w);\n";

    StepSequence const& sequence_;
    std::size_t first_, end_;
};

}  // namespace

std::string act_on_network(StepSequence const& sequence, std::size_t first, std::size_t end) {
    return NetworkText(sequence, first, end).text();
}

}  // namespace trotter::device
