// Parameters of HIPPO on devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <trotter/amoeba/hippo_nonbonded.hpp>
#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/vectors.hpp>

namespace trotter::amoeba {

/// The partners in exceptions of each particle, ascending.
inline std::vector<std::vector<int>> partners_of(HippoNonbondedForce const& force) {
    std::vector<std::vector<int>> result(force.particles.size());
    for (auto const& exception : force.exceptions) {
        result[static_cast<std::size_t>(exception.particle1)].push_back(exception.particle2);
        result[static_cast<std::size_t>(exception.particle2)].push_back(exception.particle1);
    }
    for (auto& list : result) std::ranges::sort(list);
    return result;
}

/// Particles and exceptions, as `HippoText` names their numbers.
template <device::DeviceQueue Q> struct HippoParticles {
    using Numbers = device::NumberArray<Q>;

    std::array<Numbers, 3> site{}, own{};            ///< a, b and c in the axes of space, and in the particles' axes
    Numbers numbers{}, orbitals{};                   ///< d and e
    Numbers polarizability{};                        ///< [nm³]
    device::Array<Q, device::mm_int4> definition{};  ///< type of the axes and particles z, x, y, or -1
    device::Array<Q, device::mm_int2> pairs{};       ///< of exceptions
    Numbers scales{};                                ///< eight numbers for each exception

    HippoParticles(device::Engine<Q>& engine, HippoNonbondedForce const& force) { upload(engine, force); }
    HippoParticles(HippoParticles const&) = delete;
    HippoParticles& operator=(HippoParticles const&) = delete;

    /// The numbers of particles and exceptions stay the same.
    void upload(device::Engine<Q>& engine, HippoNonbondedForce const& force) {
        std::vector<double> a, b, c, d, e, alpha;
        std::vector<device::mm_int4> definitions;
        for (auto const& p : force.particles) {
            auto const& q = p.quadrupole;
            a.insert(a.end(), {p.charge, p.dipole.x, p.dipole.y, p.dipole.z});
            b.insert(b.end(), {q[0], q[1], q[2], q[4]});
            c.insert(c.end(), {q[5], q[8], p.alpha, p.core_charge});
            d.insert(d.end(), {p.epsilon, p.damping, p.c6, p.pauli_k});
            e.insert(e.end(), {p.pauli_q, p.pauli_alpha});
            alpha.push_back(p.polarizability);
            definitions.push_back(definition_of(p));
        }
        for (auto* const list : {&a, &b, &c, &d}) list->resize(4 * engine.padded);
        e.resize(2 * engine.padded), alpha.resize(engine.padded);
        std::array const moments{&a, &b, &c};
        for (std::size_t n = 0; n < 3; ++n) {
            set(engine, own[n], *moments[n]);
            set(engine, site[n], *moments[n]);  // for the padding
        }
        set(engine, numbers, d), set(engine, orbitals, e), set(engine, polarizability, alpha);
        definition.upload(engine.queue, definitions);
        upload_exceptions(engine, force.exceptions);
    }

private:
    static void set(device::Engine<Q>& engine, Numbers& array, std::vector<double> const& values) {
        if (array.size() == 0) array = Numbers(engine.queue, values.size(), engine.types.real_is_double);
        array.upload(engine.queue, values);
    }
    void upload_exceptions(device::Engine<Q>& engine, std::vector<HippoNonbondedForce::Exception> const& exceptions) {
        std::vector<double> factors;
        std::vector<device::mm_int2> particles;
        for (auto const& x : exceptions) {
            particles.push_back({x.particle1, x.particle2});
            factors.insert(factors.end(), {x.multipole_multipole_scale, x.dipole_multipole_scale, x.dipole_dipole_scale,
                                           x.dispersion_scale, x.repulsion_scale, x.charge_transfer_scale, 0, 0});
        }
        if (exceptions.empty()) particles.push_back({}), factors.resize(8);
        pairs.upload(engine.queue, particles);
        set(engine, scales, factors);
    }
    // Particles that do not define the axes are left out: a fourth one would make a center chiral.
    static device::mm_int4 definition_of(HippoNonbondedForce::Particle const& p) {
        using Type = HippoNonbondedForce::AxisType;
        bool const has_z = p.axis_type != Type::none, has_x = has_z && p.axis_type != Type::z_only,
                   has_y = p.axis_type == Type::z_bisect || p.axis_type == Type::three_fold;
        return {static_cast<std::int32_t>(p.axis_type), has_z ? p.axis_z : -1, has_x ? p.axis_x : -1,
                has_y ? p.axis_y : -1};
    }
};

}  // namespace trotter::amoeba
