// The mesh of multipoles on a device.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <trotter/amoeba/device/kernels/mesh.hpp>
#include <trotter/amoeba/device/kernels/sites.hpp>
#include <trotter/amoeba/device/multipole_text.hpp>
#include <trotter/amoeba/multipoles/splines.hpp>
#include <trotter/device/mesh/fft.hpp>
#include <trotter/device/mesh/mesh.hpp>
#include <trotter/device/mesh/mesh_text.hpp>
#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/kernels/mesh.hpp>

namespace trotter::amoeba {

/// Potentials on meshes of one size: of permanent moments, and of two sets of dipoles, which are transformed together,
/// if there are such sets.
template <device::DeviceQueue Q> class MultipoleMeshes {
    template <class T> using Array = device::Array<Q, T>;
    using Numbers = device::NumberArray<Q>;

    struct Lists : device::MeshLists {
        static constexpr char const* middle_parameters =
            "GLOBAL const real* RESTRICT moduli, GLOBAL const coordinate4* RESTRICT box";
    };
    using Transform = device::MeshTransform<Q, Lists>;

public:
    MultipoleMeshes(device::Engine<Q>& engine, MeshSettings const& mesh, MultipoleText const& text,
                    bool has_dipoles = true)
        : mesh_(mesh),
          permanent_(engine.queue, points(), engine.types.real_is_double),
          induced_(engine.queue, has_dipoles ? 2 * points() : 1, engine.types.real_is_double),
          of_moments_(engine.queue, 20 * engine.padded, engine.types.real_is_double),
          of_dipoles_(engine.queue, has_dipoles ? 40 * engine.padded : 1, engine.types.real_is_double) {
        std::vector<double> moduli;
        for (int const size : {mesh.nx, mesh.ny, mesh.nz})
            for (double const modulus : corrected_spline_moduli(size)) moduli.push_back(1 / modulus);
        moduli_ = Numbers(engine.queue, moduli, engine.types.real_is_double);
        charges_ = Array<std::uint64_t>(engine.queue, points());
        dipole_charges_ = Array<std::uint64_t>(engine.queue, has_dipoles ? 2 * points() : 1);
        compile(engine, text, has_dipoles);
    }

    /// Call before the first launch of an evaluation: launches leave the meshes clear, but after an exception they may not
    /// be.
    void make_clear(device::Engine<Q>& engine) {
        if (clear_for_ == engine.interruptions()) return;
        charges_.clear(engine.queue);
        dipole_charges_.clear(engine.queue);
        clear_for_ = engine.interruptions();
    }
    /// The potential of the sites' moments at these, with its derivatives: `kernels::mesh` explains the array.
    void find_of_moments(device::Engine<Q>& engine, Numbers const& a, Numbers const& b, Numbers const& c) {
        find_of_moments(engine, a, b, c, of_moments_);
    }
    /// The same, stored in another array of 20 numbers for each site.
    void find_of_moments(device::Engine<Q>& engine, Numbers const& a, Numbers const& b, Numbers const& c,
                         Numbers const& result) {
        device::launch<"multipole_spread">(engine.queue, kernels_, spread_grid(engine), charges_, engine.positions,
                                           engine.box, a, b, c, engine.pairs.order(engine));
        transform(engine, *transform_, charges_, permanent_);
        device::launch<"multipole_gather">(engine.queue, kernels_,
                                           device::grid_for(engine.queue.properties(), engine.host.size()), permanent_,
                                           engine.positions, engine.box, result, charges_, std::int32_t{1});
    }
    /// The potentials of two sets of dipoles.
    void find_of_dipoles(device::Engine<Q>& engine, Numbers const& d, Numbers const& p) {
        spread_dipoles(engine, d, p);
        device::launch<"multipole_gather">(
            engine.queue, kernels_, device::grid_for(engine.queue.properties(), 2 * engine.host.size()), induced_,
            engine.positions, engine.box, of_dipoles_, dipole_charges_, std::int32_t{2});
    }
    /// The gradients of these potentials alone.
    void find_gradients(device::Engine<Q>& engine, Numbers const& d, Numbers const& p, Numbers const& of_d,
                        Numbers const& of_p) {
        spread_dipoles(engine, d, p);
        device::launch<"dipole_gather">(engine.queue, kernels_,
                                        {std::clamp<std::size_t>((engine.host.size() + 31) / 32, 1, 65535), 160},
                                        induced_, engine.positions, engine.box, of_d, of_p, dipole_charges_);
    }
    Numbers const& of_moments() const { return of_moments_; }
    Numbers const& of_dipoles() const { return of_dipoles_; }

private:
    static constexpr std::int32_t exponent = 40;  // of fixed-point numbers on the mesh

    std::size_t points() const {
        return static_cast<std::size_t>(mesh_.nx) * static_cast<std::size_t>(mesh_.ny) * static_cast<std::size_t>(mesh_.nz);
    }
    static device::LaunchGrid spread_grid(device::Engine<Q>& engine) {
        return device::grid_for(engine.queue.properties(), 5 * engine.padded);
    }
    void spread_dipoles(device::Engine<Q>& engine, Numbers const& d, Numbers const& p) {
        device::launch<"dipole_spread">(engine.queue, kernels_, spread_grid(engine), dipole_charges_, engine.positions,
                                        engine.box, d, p, engine.pairs.order(engine));
        transform(engine, *transform_of_two_, dipole_charges_, induced_);
    }
    void transform(device::Engine<Q>& engine, Transform& transform, Array<std::uint64_t> const& charges,
                   Numbers const& potential) {
        transform.load(engine.queue, charges, exponent);
        transform.middle(engine.queue, moduli_, engine.box);
        transform.store(engine.queue, potential);
    }

    void compile(device::Engine<Q>& engine, MultipoleText const& text, bool has_dipoles) {
        std::string const suffix = engine.types.real_suffix();
        std::string numbers = trotter::kernels::box_maps;
        for (auto const& [name, value] :
             {std::pair{"BITS", 64}, {"X", mesh_.nx}, {"Y", mesh_.ny}, {"Z", mesh_.nz}})
            numbers += std::string("#define MESH_") + name + ' ' + std::to_string(value) + '\n';
        numbers += trotter::kernels::mesh_numbers;
        std::array const size{mesh_.nx, mesh_.ny, mesh_.nz};
        std::string const influence = numbers + device::influence_text(MeshKind::coulomb, mesh_.alpha, suffix)
                                      + trotter::kernels::mesh_influence;
        transform_.emplace(engine, size, hooks("at"), influence, 48 * 1024, 1);
        if (has_dipoles)  // the numbers of the two sets at a point stand side by side
            transform_of_two_.emplace(engine, size, hooks("2*((at) % (MESH_X*MESH_Y*MESH_Z)) + (at)/(MESH_X*MESH_Y*MESH_Z)"),
                                      influence, 48 * 1024, 2);
        auto program = engine.compile(numbers + "#define MESH_STEPS ldexp((real) 1, " + std::to_string(exponent) + ")\n"
                                      + text.splines() + kernels::sites + kernels::mesh);
        kernels_.take(program);
    }
    static device::FftHooks hooks(std::string const& at) {
        return {
            .load = "charge_at(mesh, " + at + ", exponent)",
            .before_middle = "const real volume = box_volume(box);\nreal along[6];\nreciprocal_vectors(box, along);\n",
            // The moduli of odd sizes are not symmetric; the real part of the potential has the mean of opposite waves.
            .middle = R"(
                    const int y = column/FFT_USED, z = column % FFT_USED;
                    real psi = mesh_influence(x, y, z, volume, along, moduli);
                    if (MESH_X % 2 != 0 || MESH_Y % 2 != 0 || MESH_Z % 2 != 0) {
                        const int u = x == 0 ? 0 : MESH_X - x, v = y == 0 ? 0 : MESH_Y - y, w = z == 0 ? 0 : MESH_Z - z;
                        psi *= (real) 0.5*(1 + moduli[u]*moduli[MESH_X + v]*moduli[MESH_X + MESH_Y + w]
                                                   /(moduli[x]*moduli[MESH_X + y]*moduli[MESH_X + MESH_Y + z]));
                    }
                    value = make_real2(value.x*psi, value.y*psi);
                )",
            .after_middle = "",
            .store = "potential[" + at + "] = value;"};
    }

    MeshSettings mesh_;
    Numbers permanent_, induced_, of_moments_, of_dipoles_, moduli_;
    Array<std::uint64_t> charges_, dipole_charges_;
    std::uint64_t clear_for_ = ~std::uint64_t{0};
    std::optional<Transform> transform_, transform_of_two_;
    device::SourceKernels<Q, kernels::mesh> kernels_;
};

}  // namespace trotter::amoeba
