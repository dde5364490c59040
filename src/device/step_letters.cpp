// Device text for products of kicks, drifts and Ornstein-Uhlenbeck steps, and for the constraints of small clusters.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>

#include <trotter/device/integration/cluster_text.hpp>
#include <trotter/device/integration/step_text.hpp>

namespace trotter::device {
namespace {

/// Where a share of the time step is stored: behind the numbers of the baths.
std::string share_text(Product const& product, int share) {
    return "stored[" + std::to_string(numbers_of_step + product.baths + static_cast<std::size_t>(share)) + ']';
}
/// The size of a kick or drift.
std::string size_text(Product const& product, std::size_t letter) {
    if (!product.grouped.empty()) return share_text(product, product.grouped.letters[letter].share);
    return product.letters[letter] == 'V' ? "kick" : "drift";
}
/// The force of a V on particle `p`, one of several.
std::string force_text(Product const& product, std::size_t letter, std::string const& p) {
    if (product.takes_new_forces(letter)) return 'f' + p;
    return "force_on(kept + " + std::to_string(3 * product.grouped.letters[letter].set) + "*PADDED_NUM_ATOMS, atom" + p + ')';
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

std::string keep_text(Product const& product, std::size_t first, std::size_t end, std::string const& p) {
    std::string result;
    for (std::size_t i = first; i < end && !product.grouped.empty(); ++i)
        for (int axis = 0; product.grouped.letters[i].keeps && axis < 3; ++axis)
            result += "kept[atom" + p + " + " + std::to_string(3 * product.grouped.letters[i].set + axis)
                      + "*PADDED_NUM_ATOMS] = forces[atom" + p + " + " + std::to_string(axis) + "*PADDED_NUM_ATOMS];\n";
    return result;
}

std::string letter_text(Product const& product, std::size_t letter, ClusterKind kind) {
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
               + ");\nconst coordinate spread = NOISE_OF(atom" + p + ")*sqrt((real) w" + p + ");\nv" + p + " = v" + p
               + "*decay + make_coordinate3(spread*normal.x, spread*normal.y, spread*normal.z); }";
    });
}

std::string rate_text(Product const& product, std::size_t letter) {
    if (!product.grouped.empty()) return "(1/" + share_text(product, product.grouped.letters[letter].share_of_run) + ')';
    return "(1/(" + std::to_string(product.drifts_of_run(letter)) + "*drift))";
}

std::string act_on_cluster(Product const& product, ClusterKind kind, std::size_t first, std::size_t end) {
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
