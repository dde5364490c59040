// Generates kernel source from the statements of HIPPO.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/amoeba/hippo_nonbonded.hpp>
#include <trotter/device/runtime/numbers.hpp>

namespace trotter::amoeba {

/// Which formulas the pairs of some decays need: that for equal decays, the series for close ones with this many terms
/// if any, and that for different ones.
struct DecayCases {
    DecayCases(std::vector<double> decays, bool real_is_double);

    double most_close;  ///< of ε in `CloseDecays`; float has no digits for the formula of different decays below
    int terms = 0;      ///< of the series; 0: no decays are close
    bool are_different = false;  ///< whether there are decays that differ more
};

/// Source for pairs and particles. A particle's data are `site_a`, its charge and dipole; `site_b`, the elements xx,
/// xy, xz, yy of the quadrupole; `site_c`, its yz and zz, alpha and the core charge; `site_d`, epsilon, damping, C6
/// root and Pauli K; and `site_e`, Pauli Q and Pauli alpha. Names end in 1 and 2 for the particles of a pair, where
/// `delta` leads from particle 2 to particle 1. Induced dipoles of order n are at n*PADDED_NUM_ATOMS + atom of an
/// array, behind them are the partners of the orders but the last.
class HippoText {
public:
    /// Splitting parameters are 0 without meshes [1/nm].
    HippoText(HippoNonbondedForce const& force, double alpha, double dispersion_alpha,
              device::NumberTypes const& types);

    /// Adds the field of permanent moments to sums ex, ey, ez of each particle.
    std::string permanent_field() const { return permanent_field(false); }
    /// Adds the field of `dipole` to the same sums.
    std::string induced_field() const { return induced_field(false); }
    /// Adds forces to fx …, torques to tx …. Reads `all_site_d`, `all_site_e`, `all_induced` and `all_dipoles` for
    /// atom1 and atom2.
    std::string forces() const { return forces(false); }
    /// Adds all energies but that of induced dipoles. Reads `all_site_d` and `all_site_e`.
    std::string energies() const;
    /// Kernels special_field, special_induction and special_forces over pairs with scale factors, and their parameters.
    std::string special_pairs() const;
    static constexpr char const* special_parameters =
        "GLOBAL mm_ulong* RESTRICT forces, GLOBAL const coordinate4* RESTRICT positions, "
        "GLOBAL const coordinate4* RESTRICT box, GLOBAL const int2* RESTRICT pairs, "
        "GLOBAL const real4* RESTRICT all_scales, int count, GLOBAL const real4* RESTRICT all_site_a, "
        "GLOBAL const real4* RESTRICT all_site_b, GLOBAL const real4* RESTRICT all_site_c, "
        "GLOBAL const real4* RESTRICT all_site_d, GLOBAL const real2* RESTRICT all_site_e, "
        "GLOBAL const real4* RESTRICT all_induced, GLOBAL const real4* RESTRICT all_dipoles, int order, "
        "GLOBAL coordinate* RESTRICT energies, int slot, int with_energy";
    /// Functions that turn moments and torques: see `MultipoleText::frames`.
    std::string frames() const;
    /// A function that adds the orders of induced dipoles.
    std::string combine() const;

private:
    class Pair;

    // The number of orders whose dipoles act on each other.
    std::size_t pair_orders() const { return std::max<std::size_t>(force_.extrapolation_coefficients.size(), 1) - 1; }
    std::string permanent_field(bool is_special) const;
    std::string induced_field(bool is_special) const;
    std::string forces(bool is_special) const;
    std::string special_kernel(std::string const& name, std::string const& sums, std::string const& loads,
                               std::string const& pair) const;

    HippoNonbondedForce const& force_;
    double alpha_, dispersion_alpha_;
    device::NumberTypes types_;
    DecayCases electrons_, orbitals_;
};

}  // namespace trotter::amoeba
