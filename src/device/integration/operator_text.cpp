// Generates kernel source for kicks, drifts and Ornstein-Uhlenbeck steps, and for constraints of small clusters.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>

#include <trotter/device/constraints/cluster_text.hpp>
#include <trotter/device/integration/step_text.hpp>

namespace trotter::device {
namespace {

/// A share of the time step, stored after the thermostats' factors.
std::string share_text(StepSequence const& sequence, int share) {
    return "stored[" + std::to_string(numbers_of_step + sequence.thermostats + static_cast<std::size_t>(share)) + ']';
}
/// The size of a kick or drift.
std::string size_text(StepSequence const& sequence, std::size_t op) {
    if (!sequence.grouped.empty()) return share_text(sequence, sequence.grouped.operators[op].share);
    return sequence.operators[op] == 'V' ? "kick" : "drift";
}
/// The force of a V on particle `p`: new or stored.
std::string force_text(StepSequence const& sequence, std::size_t op, std::string const& p) {
    if (sequence.takes_new_forces(op)) return 'f' + p;
    return "force_on(kept + " + std::to_string(3 * sequence.grouped.operators[op].set) + "*PADDED_NUM_ATOMS, atom" + p
           + ')';
}

}  // namespace

void ClusterText::constrain_velocities() {
    if (kind_ == ClusterKind::triangle) {
        auto const relative = edges("v");
        return place("v", relative, rigid_motion(triangle(), edges("x"), relative));
    }
    star<1>([this]<std::size_t K>() { constrain_star_velocities<K>(); });
}
void ClusterText::constrain_positions() {
    if (kind_ == ClusterKind::triangle) {
        auto const moved = edges("x");
        return place("x", moved, settled(triangle(), edges("start"), moved));
    }
    star<1>([this]<std::size_t K>() { constrain_star_positions<K>(); });
}

std::string keep_text(StepSequence const& sequence, std::size_t first, std::size_t end, std::string const& p) {
    std::string result;
    for (std::size_t i = first; i < end && !sequence.grouped.empty(); ++i)
        for (int axis = 0; sequence.grouped.operators[i].keeps && axis < 3; ++axis)
            result += "kept[atom" + p + " + " + std::to_string(3 * sequence.grouped.operators[i].set + axis)
                      + "*PADDED_NUM_ATOMS] = forces[atom" + p + " + " + std::to_string(axis) + "*PADDED_NUM_ATOMS];\n";
    return result;
}

std::string operator_text(StepSequence const& sequence, std::size_t op, ClusterKind kind) {
    char const what = sequence.operators[op];
    return for_particles(kind, [&](std::string const& p) -> std::string {
        if (what == 'C') return "";
        if (what == 'V')
            return 'v' + p + " += " + force_text(sequence, op, p) + "*(" + size_text(sequence, op) + "*w" + p + ");";
        if (what == 'R') return 'x' + p + " += v" + p + '*' + size_text(sequence, op) + ';';
        if (what == 'S')
            return 'v' + p + " = v" + p + "*stored[" + std::to_string(numbers_of_step) + " + thermostats[atom" + p
                   + "]];";
        std::string const index = std::to_string(sequence.draws_before(op));
        return "{ const real3 normal = NORMALS(" + index + ", atom" + p
               + ");\nconst coordinate spread = NOISE_OF(atom" + p + ")*sqrt((real) w" + p + ");\nv" + p + " = v" + p
               + "*decay + make_coordinate3(spread*normal.x, spread*normal.y, spread*normal.z); }";
    });
}

std::string rate_text(StepSequence const& sequence, std::size_t op) {
    if (!sequence.grouped.empty())
        return "(1/" + share_text(sequence, sequence.grouped.operators[op].share_of_run) + ')';
    return "(1/(" + std::to_string(sequence.drifts_of_run(op)) + "*drift))";
}

std::string act_on_cluster(StepSequence const& sequence, ClusterKind kind, std::size_t first, std::size_t end) {
    ClusterText text(kind);
    auto const declare = [&](std::string const& name) {
        text.add("const coordinate3 "
                 + for_particles(
                     kind, [&](std::string const& p) { return name + p + " = x" + p; }, ", ")
                 + ';');
    };
    declare("start");
    for (std::size_t i = first; i < end; ++i) {
        text.add(operator_text(sequence, i, kind));
        if (numbers_of(kind) == 0) continue;
        if (sequence.constrain_velocities_after[i]) text.constrain_velocities();
        if (!sequence.constrain_positions_after[i]) continue;
        declare("free");
        text.constrain_positions();
        // Constraint forces on positions also change velocities.
        text.add(for_particles(kind, [&](std::string const& p) {
            return 'v' + p + " += (x" + p + " - free" + p + ")*" + rate_text(sequence, i) + ';';
        }));
    }
    return text.text();
}

}  // namespace trotter::device
