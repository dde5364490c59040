// The reciprocal-space sum of smooth particle mesh Ewald on a device, for charges and dispersion.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/mesh/fft.hpp>
#include <trotter/device/mesh/mesh_text.hpp>
#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/changing_number.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/kernels/mesh.hpp>
#include <trotter/parts/mesh/mesh_settings.hpp>

namespace trotter::device {

/// Fixed-point format of mesh charges: integers of `bits` bits, in units of 2^-exponent.
struct MeshCounting {
    int bits = 64, exponent = 0;
};

/// Chooses 32 bits if the charges that can meet at a mesh point leave steps as fine as those of float sums, otherwise
/// 64, which hold all charges together. At most 400 particles per nm³ (four times those of water) plus eight are near a
/// point, assumed to have the largest charges of all. A weight is at most (115/192)³ < 0.22.
inline MeshCounting mesh_counting(std::span<double const> charges, MeshSettings const& mesh, Box const& box,
                                  bool real_is_double) {
    double const order = spline_order,
                 near_volume = box.volume() * order * order * order / (double(mesh.nx) * mesh.ny * mesh.nz);
    std::vector<double> sizes;
    for (double const charge : charges) sizes.push_back(std::abs(charge));
    std::size_t const near = std::min(sizes.size(), 8 + static_cast<std::size_t>(400 * near_volume));
    std::partial_sort(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(near), sizes.end(), std::greater<>());
    auto exponent = [&](double range, std::size_t count) {
        double const sum = std::accumulate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(count), 0.0);
        if (!(sum > 0) || !std::isfinite(sum)) return 0;
        return std::clamp(static_cast<int>(std::floor(std::log2(range / (0.22 * sum)))), -60, 60);
    };
    // The largest charge is 2^23 steps, as in a float sum with it.
    if (int const e = exponent(0x1p30, near); !real_is_double && near > 0 && std::ldexp(sizes[0], e) >= 0x1p23)
        return {32, e};
    return {64, exponent(0x1p62, sizes.size())};
}

/// Parameters of the transform's hooks.
struct MeshLists {
    static constexpr char const *load_parameters = "GLOBAL const mesh_integer* RESTRICT mesh, int exponent",
                                *middle_parameters =
                                    "GLOBAL const real* RESTRICT moduli, GLOBAL const coordinate4* RESTRICT box, "
                                    "GLOBAL coordinate* RESTRICT sums, int slot, int with_energy",
                                *store_parameters = "GLOBAL real* RESTRICT potential";
};

/// Spreads charges over a mesh, convolves it with the influence function, and adds the forces: five launches if a plane
/// of the mesh fits into local memory, otherwise seven. Uses the engine's box at each launch. Each copy of a System has
/// its own mesh.
template <DeviceQueue Q> class ParticleMesh {
public:
    ParticleMesh(Engine<Q>& engine, MeshSettings const& mesh, MeshKind kind)
        : mesh_(mesh),
          kind_(kind),
          copies_(engine.host.copies),
          exponent_(engine.queue.version()),
          potential_(engine.queue, checked_points(), engine.types.real_is_double) {
        std::vector<double> moduli;
        for (int const size : {mesh.nx, mesh.ny, mesh.nz})
            for (double const modulus : spline_moduli(size)) moduli.push_back(1 / modulus);
        moduli_ = NumberArray<Q>(engine.queue, moduli, engine.types.real_is_double);
    }

    MeshSettings const& mesh() const { return mesh_; }

    /// Call when charges have changed since the last launch: their magnitudes determine the fixed-point format.
    void charges_changed() { is_counting_ = false; }

    /// `charges` are `real` (see `MeshKind`), one per particle in particle order. Adds the forces; adds the energy to
    /// the accumulator if requested. `order` contains each particle once, and perhaps padding; fastest if adjacent
    /// entries are near each other in the box.
    void launch(Engine<Q>& engine, NumberArray<Q> const& charges, Array<Q, std::int32_t> const& order,
                int energy_accumulator, bool with_energy) {
        auto& queue = engine.queue;
        if (std::exchange(clear_for_, engine.interruptions()) != engine.interruptions()) integers_.clear(queue);
        std::size_t const atoms = engine.host.size();
        std::size_t const run = spread_particles(engine.padded);
        device::launch<"mesh_spread">(queue, kernels_,
                                      {std::clamp<std::size_t>((engine.padded + run - 1) / run, 1, 65535),
                                       std::max<std::size_t>(160, 5 * run / 2)},
                                      integers_, engine.positions, engine.box, charges, order, exponent_);
        transform_->load(queue, integers_, exponent_);
        transform_->middle(queue, moduli_, engine.box, engine.sums, static_cast<std::int32_t>(energy_accumulator),
                           static_cast<std::int32_t>(with_energy));
        transform_->store(queue, potential_);
        device::launch<"mesh_gather">(queue, kernels_, {std::clamp<std::size_t>((atoms + 31) / 32, 1, 65535), 160},
                                      potential_, engine.forces, engine.positions, engine.box, charges, integers_);
    }
    int launches() const { return transform_ ? 2 + transform_->launches() : 0; }
    MeshCounting const& counting() const { return counting_; }

    /// Call before a launch: chooses the format for changed charges and compiles if needed.
    void prepare(Engine<Q>& engine, std::vector<double> const& charges) {
        if (is_counting_) return;
        std::size_t const count = engine.host.size() / static_cast<std::size_t>(copies_);  // all copies have the same
        auto const counting = mesh_counting(std::span(charges).first(count), mesh_, engine.host.box,
                                            engine.types.real_is_double);
        bool const is_new = !transform_ || counting.bits != counting_.bits;
        counting_ = counting;
        exponent_ = counting.exponent;
        if (is_new) compile(engine);
        is_counting_ = true;
    }

private:
    std::size_t points() const {
        return static_cast<std::size_t>(copies_) * static_cast<std::size_t>(mesh_.nx)
               * static_cast<std::size_t>(mesh_.ny) * static_cast<std::size_t>(mesh_.nz);
    }
    // The device counts them with 32-bit integers.
    std::size_t checked_points() const {
        if (points() >= std::size_t(1) << 31)
            throw UnsupportedError("the meshes of " + std::to_string(copies_) + " replicas have "
                                   + std::to_string(points()) + " points together, more than a device can number");
        return points();
    }

    // Long runs add up more before writing to the mesh; short ones give more work-groups.
    static std::size_t spread_particles(std::size_t particles) {
        return particles < 16384 ? 32 : particles < 65536 ? 64 : 128;
    }

    void compile(Engine<Q>& engine) {
        transform_.reset();
        integers_ = Array<Q, std::uint32_t>(engine.queue, points() * static_cast<std::size_t>(counting_.bits / 32));
        integers_.clear(engine.queue);
        clear_for_ = engine.interruptions();
        std::string const suffix = engine.types.real_suffix();
        std::string text = kernels::box_maps;
        for (auto const& [name, value] :
             {std::pair{"BITS", counting_.bits}, {"X", mesh_.nx}, {"Y", mesh_.ny}, {"Z", mesh_.nz}})
            text += std::string("#define MESH_") + name + ' ' + std::to_string(value) + '\n';
        text += kernels::mesh_numbers;
        MeshTransform<Q, MeshLists> transform(
            engine, std::array{mesh_.nx, mesh_.ny, mesh_.nz}, hooks(),
            text + influence_text(kind_, mesh_.alpha, suffix) + kernels::mesh_influence, 48 * 1024, copies_);
        std::size_t const run = spread_particles(engine.padded);
        text += "#define SPREAD_PARTICLES " + std::to_string(run) + "\n#define BRICK_POINTS "
                + std::to_string(2048 + 40 * run) + '\n';
        auto program = engine.compile(text + spline_text(suffix) + kernels::mesh);
        kernels_.take(program);
        transform_ = std::move(transform);
    }

    /// E = ½ Σ psi |S|²; wave vectors with 0 < z < nz/2 also represent their opposites.
    static FftHooks hooks() {
        return {.load = "charge_at(mesh, at, exponent)",
                .before_middle = R"(
                    LOCAL coordinate scratch[FFT_GROUP];
                    coordinate energy = 0;
                    const real volume = box_volume(box);
                    real along[6];
                    reciprocal_vectors(box, along);
                )",
                .middle = R"(
                    const int z = column % FFT_USED;
                    const real psi = mesh_influence(x, column/FFT_USED, z, volume, along, moduli);
                    if (with_energy) energy += (z == 0 || 2*z == MESH_Z ? (real) 0.5 : 1)*psi*(value.x*value.x + value.y*value.y);
                    value = make_real2(value.x*psi, value.y*psi);
                )",
                .after_middle = "if (with_energy) add_group_sum(energy, scratch, sums + slot*SUM_WIDTH);\n",
                .store = "potential[at] = value;"};
    }

    MeshSettings mesh_;
    MeshKind kind_;
    int copies_;
    bool is_counting_ = false;
    MeshCounting counting_;
    ChangingNumber<std::int32_t> exponent_;
    std::optional<MeshTransform<Q, MeshLists>> transform_;
    SourceKernels<Q, kernels::mesh> kernels_;
    Array<Q, std::uint32_t> integers_;  // cleared by each launch after use
    std::uint64_t clear_for_ = 0;       // valid for this number of interruptions
    NumberArray<Q> potential_, moduli_;
};

}  // namespace trotter::device
