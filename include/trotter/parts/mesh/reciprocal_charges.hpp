// Charges whose distant interaction is summed over wave vectors, as engines take them.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <variant>
#include <vector>

#include <trotter/parts/mesh/particle_mesh.hpp>
#include <trotter/parts/pairs/pair_settings.hpp>

namespace trotter {

/// What a plain Ewald sum sums: wave vectors with |k| < `wave_limit` along each axis.
struct EwaldSplitting {
    double alpha = 0;  ///< [1/nm]
    std::array<int, 3> wave_limit{};  ///< along each box vector
};

/// A sum over wave vectors: E = ½ Σ_m psi(m²)|S(m)|² (see `particle_mesh.hpp`), less what it has of each charge with
/// itself and of excluded pairs, with a uniform background where charges do not add up to zero. What pairs within a
/// cutoff add is another part of a force.
struct ReciprocalCharges {
    MeshKind kind = MeshKind::coulomb;  ///< Coulomb, or dispersion
    std::variant<MeshSettings, EwaldSplitting> method{};  ///< on a mesh, or a plain Ewald sum, of charges alone
    bool may_be_finer = false;                            ///< a larger mesh may take its place where that is faster
    std::vector<double> charges{};                        ///< of particles [e], or the root of C6 [(kJ/mol)^½ nm³]
    std::vector<PairSettings::Exclusion> exclusions{};    ///< pairs that do not interact
    bool exclusions_use_periodic = true;                  ///< take the nearest image of an excluded pair
    int force_group = 0;                                  ///< of the sum over wave vectors
    int direct_force_group = 0;                           ///< of what it has of excluded pairs

    /// Ewald splitting parameter [1/nm].
    double alpha() const {
        return std::visit([](auto const& splitting) { return splitting.alpha; }, method);
    }
    /// As a message or a query tells it.
    MeshSettings mesh() const {
        auto const* const mesh = std::get_if<MeshSettings>(&method);
        return mesh ? *mesh : MeshSettings{.alpha = alpha()};
    }
    /// Always true.
    bool is_periodic() const { return true; }
};

/// Throws InputError for the first invalid parameter in a System of `particle_count` particles, and for a mesh
/// that is too large to be numbered or for `memory` [bytes].
void check(ReciprocalCharges const& charges, int particle_count, double memory);
/// Throws InputError unless `changed` differs from `charges` in the charges alone.
void check_same_shape(ReciprocalCharges const& charges, ReciprocalCharges const& changed);

/// What a sum over wave vectors counts too much, whatever the positions: each charge's own cloud, and for a box with net
/// charge the missing neutralizing background. E = -k alpha/√π Σ q² - k pi (Σ q)²/(2 V alpha²) for charges, and
/// E = alpha⁶/12 Σ C6_ii for dispersion.
struct ReciprocalConstant {
    double own = 0;         ///< [kJ/mol]
    double background = 0;  ///< [kJ/mol nm³]

    /// Of a box of this volume [nm³], in kJ/mol.
    double energy(double volume) const { return own + background / volume; }
};
ReciprocalConstant reciprocal_constant(ReciprocalCharges const& charges);  ///< the constant of these charges

}  // namespace trotter
