// Meshes and wave vectors of a NonbondedForce's reciprocal sums, and which of them are too many.
// SPDX-License-Identifier: MIT
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include <trotter/error.hpp>
#include <trotter/forces/nonbonded_parameters.hpp>

namespace trotter {

namespace {

constexpr double most_along_axis = 100'000, most_in_all = 0x1p30;  // padded and doubled they are numbered with 32 bits

using Sizes = std::array<double, 3>;

std::string text(double number) {
    std::array<char, 32> result{};
    std::snprintf(result.data(), result.size(), "%.10g", number);
    return result.data();
}
std::string text(Sizes const& sizes) { return text(sizes[0]) + " x " + text(sizes[1]) + " x " + text(sizes[2]); }
Sizes edges(Box const& box) { return {box.a.x, box.b.y, box.c.z}; }

/// Refuses what no backend can number and what takes more than `memory`; `what` has `sizes` and takes `bytes`.
void check_sizes(NonbondedForce const& force, Box const& box, std::string const& what, Sizes const& sizes, double bytes,
                 double memory) {
    bool const are_few = std::all_of(sizes.begin(), sizes.end(), [](double size) { return size <= most_along_axis; })
                         && sizes[0] * sizes[1] * sizes[2] <= most_in_all;
    if (are_few && bytes <= memory) return;
    throw InputError(what + " would be " + text(sizes) + " and take at least " + text(std::ceil(bytes / 1e6))
                     + " MB (Ewald error tolerance " + text(force.ewald_error_tolerance) + ", cutoff "
                     + text(force.cutoff_distance) + " nm, periodic box " + text(edges(box)) + " nm); expected at most "
                     + text(most_along_axis) + " along an axis, " + text(most_in_all) + " in all, and the "
                     + text(std::floor(memory / 1e6)) + " MB that there are");
}

/// `given` where it states alpha, otherwise OpenMM's choice for this cutoff, tolerance and box; `fineness` is 2 for
/// charges and 1 for dispersion.
MeshSettings mesh_of(NonbondedForce const& force, MeshSettings const& given, Box const& box,
                             int fineness, double memory) {
    double const tolerance = force.ewald_error_tolerance, alpha = chosen_alpha(force.cutoff_distance, tolerance);
    Sizes sizes{double(given.nx), double(given.ny), double(given.nz)};
    if (given.alpha == 0)
        for (std::size_t axis = 0; axis < 3; ++axis)
            sizes[axis] = std::max(6.0, std::ceil(fineness * alpha * edges(box)[axis] / (3 * std::pow(tolerance, 0.2))));
    // A number and half of a complex one in single precision.
    double const bytes = 8 * sizes[0] * sizes[1] * sizes[2];
    check_sizes(force, box, fineness == 2 ? "the mesh of charges" : "the mesh of dispersion", sizes, bytes, memory);
    if (given.alpha != 0) return given;
    return {alpha, static_cast<int>(sizes[0]), static_cast<int>(sizes[1]), static_cast<int>(sizes[2])};
}

}  // namespace

double memory_of_machine() {
    double const all = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return all;
    return std::min(all, static_cast<double>(limit.rlim_cur));
}

MeshSettings pme_mesh(NonbondedForce const& force, Box const& box, double memory) {
    return mesh_of(force, force.pme, box, 2, memory);
}
MeshSettings ljpme_mesh(NonbondedForce const& force, Box const& box, double memory) {
    return mesh_of(force, force.ljpme, box, 1, memory);
}

EwaldSplitting ewald_splitting(NonbondedForce const& force, Box const& box, double memory) {
    double const tolerance = force.ewald_error_tolerance, alpha = chosen_alpha(force.cutoff_distance, tolerance);
    auto const limit = [&](double edge) {
        double const scale = edge * alpha;
        auto const error = [&](double k) {
            double const x = std::numbers::pi * k / scale;
            return 0.05 * std::sqrt(scale) * k * std::exp(-x * x);
        };
        // k exp(-x²) grows up to x² = 1/2.
        double k = std::max(1.0, std::floor(scale / (std::numbers::pi * std::numbers::sqrt2)));
        while (k <= most_along_axis && error(k) >= tolerance) ++k;
        return std::fmod(k, 2) == 1 ? k : k + 1;
    };
    Sizes const limits{limit(box.a.x), limit(box.b.y), limit(box.c.z)};
    // Phases of each particle, complex in single precision.
    double const bytes = 8 * static_cast<double>(force.particles.size()) * (limits[0] + limits[1] + limits[2]);
    check_sizes(force, box, "the wave vectors of the Ewald sum", limits, bytes, memory);
    return {alpha, {static_cast<int>(limits[0]), static_cast<int>(limits[1]), static_cast<int>(limits[2])}};
}

}  // namespace trotter
