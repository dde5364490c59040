// Chooses splitting and mesh for an accuracy, and limits the number of mesh points and wave vectors.
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
#include <trotter/parts/mesh/mesh_sizes.hpp>

namespace trotter {

namespace {

constexpr double most_along_axis = 100'000, most_in_all = 0x1p30;  // padded and doubled, indices fit 32 bits

using Sizes = std::array<double, 3>;

std::string text(double number) {
    std::array<char, 32> result{};
    std::snprintf(result.data(), result.size(), "%.10g", number);
    return result.data();
}
std::string text(Sizes const& sizes) { return text(sizes[0]) + " x " + text(sizes[1]) + " x " + text(sizes[2]); }
Sizes edges(Box const& box) { return {box.a.x, box.b.y, box.c.z}; }

/// Throws InputError for sizes whose indices overflow or that take more than `memory`; `what` has `sizes` and takes
/// `bytes`; `reason` is in parentheses.
void check_sizes(std::string const& what, Sizes const& sizes, double bytes, double memory, std::string const& reason) {
    bool const are_few = std::all_of(sizes.begin(), sizes.end(), [](double size) { return size <= most_along_axis; })
                         && sizes[0] * sizes[1] * sizes[2] <= most_in_all;
    if (are_few && bytes <= memory) return;
    throw InputError(what + " would be " + text(sizes) + " and take at least " + text(std::ceil(bytes / 1e6))
                     + " MB" + reason + "; expected at most "
                     + text(most_along_axis) + " along an axis, " + text(most_in_all) + " in all, and the "
                     + text(std::floor(memory / 1e6)) + " MB that there are");
}

std::string reason_for(EwaldAccuracy const& accuracy, Box const& box) {
    return " (Ewald error tolerance " + text(accuracy.tolerance) + ", cutoff " + text(accuracy.cutoff_distance)
           + " nm, periodic box " + text(edges(box)) + " nm)";
}
Sizes sizes_of(MeshSettings const& mesh) { return {double(mesh.nx), double(mesh.ny), double(mesh.nz)}; }
/// A real and half a complex number in single precision for each point.
double bytes_of_mesh(Sizes const& sizes) { return 8 * sizes[0] * sizes[1] * sizes[2]; }

}  // namespace

double memory_of_machine() {
    double const all = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return all;
    return std::min(all, static_cast<double>(limit.rlim_cur));
}

void check_mesh(MeshSettings const& mesh, std::string const& name) {
    if (!(std::isfinite(mesh.alpha) && mesh.alpha > 0))
        throw InputError(name + " alpha is " + std::to_string(mesh.alpha) + " per nm, expected a positive number");
    for (int size : {mesh.nx, mesh.ny, mesh.nz})
        if (size < 5)
            throw InputError("the " + name + " mesh is " + std::to_string(mesh.nx) + " x " + std::to_string(mesh.ny)
                             + " x " + std::to_string(mesh.nz)
                             + ", expected at least 5 points along each axis, the order of the splines");
}
void check_mesh_memory(MeshSettings const& mesh, std::string const& name, double memory) {
    auto const sizes = sizes_of(mesh);
    check_sizes("the " + name + " mesh", sizes, bytes_of_mesh(sizes), memory, "");
}

MeshSettings chosen_mesh(MeshKind kind, MeshSettings const& given, EwaldAccuracy const& accuracy, Box const& box,
                         double memory) {
    double const cutoff = accuracy.cutoff_distance, tolerance = accuracy.tolerance;
    double const alpha = chosen_alpha(cutoff, tolerance), fineness = kind == MeshKind::coulomb ? 2 : 1;
    Sizes sizes = sizes_of(given);
    if (given.alpha == 0)
        for (std::size_t axis = 0; axis < 3; ++axis)
            sizes[axis] = std::max(6.0, std::ceil(fineness * alpha * edges(box)[axis] / (3 * std::pow(tolerance, 0.2))));
    check_sizes(kind == MeshKind::coulomb ? "the mesh of charges" : "the mesh of dispersion", sizes, bytes_of_mesh(sizes),
                memory, reason_for(accuracy, box));
    if (given.alpha != 0) return given;
    return {alpha, static_cast<int>(sizes[0]), static_cast<int>(sizes[1]), static_cast<int>(sizes[2])};
}

EwaldSplitting chosen_waves(EwaldAccuracy const& accuracy, std::size_t particles, Box const& box, double memory) {
    double const cutoff = accuracy.cutoff_distance, tolerance = accuracy.tolerance;  // clang 14 captures no bindings
    double const alpha = chosen_alpha(cutoff, tolerance);
    auto const limit = [&](double edge) {
        double const scale = edge * alpha;
        auto const error = [&](double k) {
            double const x = std::numbers::pi * k / scale;
            return 0.05 * std::sqrt(scale) * k * std::exp(-x * x);
        };
        // k exp(-x²) increases up to x² = 1/2.
        double k = std::max(1.0, std::floor(scale / (std::numbers::pi * std::numbers::sqrt2)));
        while (k <= most_along_axis && error(k) >= tolerance) ++k;
        return std::fmod(k, 2) == 1 ? k : k + 1;
    };
    Sizes const limits{limit(box.a.x), limit(box.b.y), limit(box.c.z)};
    // Phases of each particle, complex in single precision.
    double const bytes = 8 * static_cast<double>(particles) * (limits[0] + limits[1] + limits[2]);
    check_sizes("the wave vectors of the Ewald sum", limits, bytes, memory, reason_for(accuracy, box));
    return {alpha, {static_cast<int>(limits[0]), static_cast<int>(limits[1]), static_cast<int>(limits[2])}};
}

}  // namespace trotter
