// Generates kernel source from the statements of multipole physics.
// SPDX-License-Identifier: MIT
#pragma once
#include <set>
#include <string>

#include <trotter/amoeba/multipole.hpp>
#include <trotter/device/runtime/numbers.hpp>

namespace trotter::amoeba {

/// A constant of type `real`.
std::string number_text(double value);

/// Source for pairs and particles. A site's data are three vectors of four numbers: `site_a` has the charge and the
/// dipole, `site_b` the elements xx, xy, xz, yy of the quadrupole, `site_c` its yz and zz, the inverse cube of the damping
/// radius and Thole's parameter; `induced_d` and `induced_p` are the two sets of induced dipoles. Names end in 1 and 2
/// for the sites of a pair, where `delta` leads from site 2 to site 1.
class MultipoleText {
public:
    /// `alpha`: the splitting parameter of the Ewald sum [1/nm], 0 for Coulomb's law; then there is no cutoff [nm].
    MultipoleText(double alpha, device::NumberTypes const& types, double cutoff_distance = 0)
        : alpha_(alpha), cutoff_distance_(cutoff_distance), types_(types) {}

    /// Adds the field of permanent moments to sums ex, ey, ez of each site. `scales` names the factors of a special pair
    /// for permanent moments, the fields d and p and mutual induction; then there are sums dx … and px … instead.
    std::string permanent_field(std::string const& scales = "") const;
    /// Adds the fields of the two sets of dipoles to dx … and px ….
    std::string induced_field() const;
    /// Adds forces to fx …, torques to tx … and the energy of permanent moments. `are_mutual`: induced dipoles act on
    /// each other.
    std::string forces(bool are_mutual, std::string const& scales = "") const;

    /// Kernels special_field and special_forces over special pairs, the same for pairs with scale factors, and their
    /// parameters.
    std::string special_pairs(bool are_mutual, double cutoff) const;
    static constexpr char const* special_parameters =
        "GLOBAL mm_ulong* RESTRICT forces, GLOBAL const coordinate4* RESTRICT positions, "
        "GLOBAL const coordinate4* RESTRICT box, GLOBAL const int2* RESTRICT pairs, "
        "GLOBAL const real4* RESTRICT all_scales, int count, GLOBAL const real4* RESTRICT all_site_a, "
        "GLOBAL const real4* RESTRICT all_site_b, GLOBAL const real4* RESTRICT all_site_c, "
        "GLOBAL const real4* RESTRICT all_induced_d, GLOBAL const real4* RESTRICT all_induced_p, "
        "GLOBAL coordinate* RESTRICT energies, int slot, int with_energy";

    /// Functions that turn moments into the laboratory frame, and torques into forces on the particles of the frame, for
    /// the axes in use.
    std::string frames(std::set<AmoebaMultipoleForce::Axis> const& axes) const;
    /// A function spline_derivatives(w, values).
    std::string splines() const;

private:
    std::string special_kernel(std::string const& name, std::string const& sums, double cutoff, std::string const& pair) const;

    double alpha_, cutoff_distance_;
    device::NumberTypes types_;
};

}  // namespace trotter::amoeba
