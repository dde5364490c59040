// Drude oscillators: polarizable particles as pairs of charges on springs.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/drude/parts.hpp>

namespace trotter {

/// Drude oscillators (G. Lamoureux, B. Roux, J. Chem. Phys. 119, 3025 (2003)): a Drude particle of charge q on a spring
/// to its parent gives the parent a polarizability α. The spring's stiffness is q²/(4 pi eps0 α a), with a factor a for
/// each of up to two axes, and 3 minus the two factors across them; an axis that does not exist counts as 1. Coulomb
/// interactions of the charges are those of a NonbondedForce, except for screened pairs of dipoles, which it excludes.
struct DrudeForce {
    static constexpr std::string_view name = "DrudeForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;            ///< a checkpoint compares every member

    /// A Drude particle.
    struct Particle {
        int drude = 0;                       ///< particle index, from 0
        int parent = 0;                      ///< particle that it is attached to
        int particle2 = -1;                  ///< the first axis is from here to the parent; -1: no such axis
        int particle3 = -1, particle4 = -1;  ///< the second axis is from the latter to the former; -1: no such axis
        double charge = 0;                   ///< [e]
        double polarizability = 0;           ///< mean of three directions [nm³]
        double anisotropy12 = 1;             ///< polarizability along the first axis, relative to the mean
        double anisotropy34 = 1;             ///< along the second axis

        /// Whether the polarizability differs along the first axis.
        bool has_first_axis() const { return particle2 != -1; }
        /// Whether the polarizability differs along the second axis.
        bool has_second_axis() const { return particle3 != -1 && particle4 != -1; }
    };
    /// Two dipoles that interact as if their charges were smeared.
    struct ScreenedPair {
        int particle1 = 0, particle2 = 0;  ///< indices in `particles`
        double thole = 0;                  ///< dimensionless width parameter
    };
    std::vector<Particle> particles{};           ///< in any order; no particle is in two of them
    std::vector<ScreenedPair> screened_pairs{};  ///< in any order, each pair once
    bool periodic = false;                       ///< take nearest images in screened pairs; springs never do
    int force_group = 0;                         ///< 0 or more
    std::string label{name};                     ///< name of this force in files and results

    /// Name in messages, attribute in XML, member and valid values of each parameter of a particle.
    static constexpr auto fields = std::array{
        Field{"charge", "charge", &Particle::charge},
        Field{"polarizability", "polarizability", &Particle::polarizability, Valid::positive},
        Field{"anisotropy12", "a12", &Particle::anisotropy12}, Field{"anisotropy34", "a34", &Particle::anisotropy34}};

    /// The sums over terms that it consists of. Throws InputError for invalid numbers, and for particles that are used
    /// twice.
    std::tuple<drude::Springs, drude::AxisSprings, drude::ScreenedPairs> parts() const;

    /// A Drude particle belongs to the molecule of its parent.
    template <class Connect> void for_each_connection(Connect const& connect) const {
        for (auto const& particle : particles) connect(particle.drude, particle.parent);
    }
};

/// Throws InputError for the first invalid number, or particle that is used twice. Whether particles exist is checked
/// by a Context.
void check(DrudeForce const& force);

/// The force in `copies` copies of a System of `particles` particles.
DrudeForce replicate(DrudeForce const& force, int particles, int copies);

class XmlNode;
class XmlWriter;
/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, DrudeForce& force, int particle_count);
void write(XmlWriter& xml, DrudeForce const& force);  ///< as an OpenMM Force element

}  // namespace trotter
