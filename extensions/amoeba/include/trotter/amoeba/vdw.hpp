// Van der Waals interactions of the AMOEBA force field.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/box.hpp>

namespace trotter {

/// Buffered 14-7 (T. A. Halgren, J. Am. Chem. Soc. 114, 7827 (1992)) or Lennard-Jones interactions of all pairs:
///
///     E = epsilon 1.07^7/(s + (x + 0.07)^7) (1.12/(s + x^7 + 0.12) - 2),    x = r/sigma
///     E = 4 epsilon ((sigma/r)^12 - (sigma/r)^6)
///
/// r is the distance of the sites of two particles. Each site is on the line from a parent to its particle. A pair is
/// softened in an alchemical change: with L the Context parameter `AmoebaVdwLambda`, epsilon is multiplied by
/// L^`softcore_power`, and s = `softcore_alpha` (1 - L)²; s = 0 for all other pairs (D. Jiao, P. A. Golubkov, T. A.
/// Darden, P. Ren, Proc. Natl. Acad. Sci. USA 105, 6290 (2008), eq. 2). The Lennard-Jones form has no s.
struct AmoebaVdwForce {
    static constexpr std::string_view name = "AmoebaVdwForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member
    static constexpr std::string_view lambda = "AmoebaVdwLambda";  ///< the Context parameter, 1 by default

    /// How distant pairs are treated.
    enum class Method {
        no_cutoff,       ///< all pairs, no periodic images
        cutoff_periodic  ///< nearest images of particles within the cutoff, switched off from 0.9 of the cutoff on
    };
    /// Form of the energy.
    enum class Potential { buffered_14_7, lennard_jones };
    /// Pairs that are softened.
    enum class Alchemy {
        none,       ///< no pair
        decouple,   ///< of an alchemical particle and another
        annihilate  ///< of an alchemical particle and any
    };
    /// sigma of two particles from their own: a + b, 2 sqrt(a b), or 2 (a³ + b³)/(a² + b²).
    enum class SigmaRule { arithmetic, geometric, cubic_mean };
    /// epsilon of two particles: (a + b)/2, sqrt(a b), 2 a b/(a + b), that of Waldman and Hagler, 4 a b/(√a + √b)².
    enum class EpsilonRule { arithmetic, geometric, harmonic, waldman_hagler, hhg };

    /// Site and parameters of a particle.
    struct Particle {
        int parent = 0;         ///< particle index; the particle itself for a site at the particle
        double sigma = 1;       ///< half of the minimum-energy distance, or of Lennard-Jones' sigma [nm]; without types
        double epsilon = 0;     ///< depth of the minimum [kJ/mol]; without types
        double reduction = 1;   ///< distance of the site from the parent, relative to the particle's; 0 is read as 1
        bool is_alchemical = false;  ///< subject to `alchemy`
        int type = -1;          ///< index into `types`, if types are used
        double scale = 1;       ///< factor of all interactions
        std::vector<int> exclusions{};  ///< particles it does not interact with
    };
    /// Parameters of all particles of a type.
    struct Type {
        double sigma = 1;    ///< as of a particle [nm]
        double epsilon = 0;  ///< [kJ/mol]
    };
    /// Replaces the combined parameters of two types.
    struct TypePair {
        int type1 = 0, type2 = 0;  ///< indices into `types`
        double sigma = 1;    ///< of the pair, not half of it [nm]
        double epsilon = 0;  ///< [kJ/mol]
    };
    std::vector<Particle> particles{};  ///< one for each particle of the System
    bool use_types = false;             ///< parameters of `types` instead of the particles' own
    std::vector<Type> types{};          ///< in any order
    std::vector<TypePair> type_pairs{};  ///< of one pair of types the last counts
    SigmaRule sigma_rule = SigmaRule::cubic_mean;  ///< combining rule
    EpsilonRule epsilon_rule = EpsilonRule::hhg;   ///< combining rule
    Potential potential = Potential::buffered_14_7;  ///< form of the energy
    Method method = Method::no_cutoff;  ///< how distant pairs are treated
    double cutoff_distance = 1e10;      ///< [nm]
    bool use_dispersion_correction = true;  ///< with a cutoff, adds the mean energy of the pairs that it leaves out
    Alchemy alchemy = Alchemy::none;  ///< pairs that are softened
    int softcore_power = 5;           ///< exponent of lambda
    double softcore_alpha = 0.7;      ///< dimensionless
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    /// Whether the force needs periodic box vectors.
    bool is_periodic() const { return method == Method::cutoff_periodic; }
};

/// Reads the Force element of an OpenMM System, version 1 to 5. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, AmoebaVdwForce& force, int particle_count);
/// As an OpenMM Force element, version 5. Throws InputError without dispersion correction, which has no attribute.
void write(XmlWriter& xml, AmoebaVdwForce const& force);

/// Throws InputError for the first invalid parameter of the force in a System of `particle_count` particles and
/// this box.
void check(AmoebaVdwForce const& force, int particle_count, Box const& box);

}  // namespace trotter
