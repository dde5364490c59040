// Charges of a reciprocal-space sum, as passed to engines.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <variant>
#include <vector>

#include <trotter/parts/mesh/particle_mesh.hpp>
#include <trotter/parts/pairs/pair_settings.hpp>

namespace trotter {

/// Parameters of a plain Ewald sum over wave vectors with |k| < `wave_limit` along each axis.
struct EwaldSplitting {
    double alpha = 0;  ///< [1/nm]
    std::array<int, 3> wave_limit{};  ///< along each box vector
};

/// A reciprocal-space sum: E = ½ Σ_m psi(m²)|S(m)|² (see `particle_mesh.hpp`), minus its contributions of each charge
/// with itself and of excluded pairs, with a neutralizing background for a net charge. The direct-space sum is a
/// separate part of a force.
struct ReciprocalCharges {
    MeshKind kind = MeshKind::coulomb;  ///< Coulomb, or dispersion
    std::variant<MeshSettings, EwaldSplitting> method{};  ///< on a mesh, or a plain Ewald sum, of charges alone
    bool may_be_finer = false;                            ///< a larger mesh may be used if it is faster
    std::vector<double> charges{};                        ///< of particles [e], or the root of C6 [(kJ/mol)^½ nm³]
    std::vector<PairSettings::Exclusion> exclusions{};    ///< pairs that do not interact
    bool exclusions_use_periodic = true;                  ///< take the nearest image of an excluded pair
    int force_group = 0;                                  ///< of the reciprocal-space sum
    int direct_force_group = 0;                           ///< of the corrections for excluded pairs

    /// Ewald splitting parameter [1/nm].
    double alpha() const {
        return std::visit([](auto const& splitting) { return splitting.alpha; }, method);
    }
    /// The mesh for messages and queries; of plain Ewald only alpha.
    MeshSettings mesh() const {
        auto const* const mesh = std::get_if<MeshSettings>(&method);
        return mesh ? *mesh : MeshSettings{.alpha = alpha()};
    }
    /// Always true.
    bool is_periodic() const { return true; }
};

/// Throws InputError for the first invalid parameter in a System of `particle_count` particles, and for a mesh whose
/// indices overflow or that exceeds `memory` [bytes].
void check(ReciprocalCharges const& charges, int particle_count, double memory);
/// Throws InputError unless `changed` differs from `charges` in the charges alone.
void check_same_shape(ReciprocalCharges const& charges, ReciprocalCharges const& changed);

/// Position-independent corrections of a reciprocal-space sum: each charge's self energy, and the neutralizing
/// background of a net charge. E = -k alpha/√π Σ q² - k pi (Σ q)²/(2 V alpha²) for charges, and E = alpha⁶/12 Σ C6_ii
/// for dispersion.
struct ReciprocalConstant {
    double own = 0;         ///< [kJ/mol]
    double background = 0;  ///< [kJ/mol nm³]

    /// Energy for a box volume [nm³], in kJ/mol.
    double energy(double volume) const { return own + background / volume; }
};
ReciprocalConstant reciprocal_constant(ReciprocalCharges const& charges);  ///< the constant of these charges

}  // namespace trotter
