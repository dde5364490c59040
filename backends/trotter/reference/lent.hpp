// What the other backends borrow from Reference.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>

#include <trotter/host/borrowed.hpp>
#include <trotter/reference/callback_force.hpp>
#include <trotter/reference/constant_potential.hpp>
#include <trotter/reference/custom_hbond.hpp>
#include <trotter/reference/custom_many_particle.hpp>
#include <trotter/reference/custom_volume.hpp>
#include <trotter/reference/gay_berne.hpp>
#include <trotter/reference/lcpo.hpp>
#include <trotter/reference/orientation_restraint.hpp>
#include <trotter/reference/rg.hpp>
#include <trotter/reference/rmsd.hpp>

namespace trotter {

/// Whether the backends without a kernel of their own for `F` borrow that of Reference.
template <class F> inline constexpr bool is_lent = false;
template <class Function> inline constexpr bool is_lent<CallbackForce<Function>> = true;
template <> inline constexpr bool is_lent<ConstantPotentialForce> = true;
template <> inline constexpr bool is_lent<CustomHbondForce> = true;
template <> inline constexpr bool is_lent<CustomManyParticleForce> = true;
template <> inline constexpr bool is_lent<CustomVolumeForce> = true;
template <> inline constexpr bool is_lent<GayBerneForce> = true;
template <> inline constexpr bool is_lent<LCPOForce> = true;
template <> inline constexpr bool is_lent<OrientationRestraintForce> = true;
template <> inline constexpr bool is_lent<RGForce> = true;
template <> inline constexpr bool is_lent<RMSDForce> = true;

template <class F> concept LentForce = Force<F> && is_lent<F>;

/// A specialization that names the force is more special than this one: the backends that have it do not borrow.
template <LentForce F, HostBackend B, Precision P> requires(!std::same_as<B, Reference>)
struct Kernel<F, B, P> : Borrowed<Kernel<F, Reference, Double>> {
    using Kernel::Borrowed::Borrowed;
};

}  // namespace trotter
