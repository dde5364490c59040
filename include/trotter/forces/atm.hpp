// Alchemical transfer: a formula of the energies of the same forces in two states.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/base/indirect.hpp>
#include <trotter/core/molecules.hpp>
#include <trotter/expression/runtime_statement.hpp>
#include <trotter/system.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// A constant displacement [nm].
struct FixedDisplacement {
    Vec3<> in_state1{}, in_state0{};  ///< by state [nm]
};
/// A displacement from one particle, the origin, to another, the destination; -1 and -1: none.
struct ParticleOffsetDisplacement {
    int destination1 = -1, origin1 = -1, destination0 = -1, origin0 = -1;  ///< particle indices by state; -1: none
};
/// How a particle is displaced in the two states.
using Displacement = std::variant<FixedDisplacement, ParticleOffsetDisplacement>;

/// Parameters of the soft-core alchemical transfer energy (E. Gallicchio et al., J. Chem. Inf. Model. 62, 309 (2022)),
/// for `BasicATMForce::standard`: with u = ±(u1 - u0), the energy is u0 or u1, by the direction, plus (lambda2 -
/// lambda1)/alpha ln(1 + exp(-alpha (usc - uh))) + lambda2 usc + w0, where usc is u up to ubcore and approaches umax
/// beyond.
struct AlchemicalTransfer {
    double lambda1 = 0, lambda2 = 0;  ///< slopes of the energy by the perturbation u below and above `uh`
    double alpha = 0;             ///< [mol/kJ]
    double uh = 0, w0 = 0;        ///< [kJ/mol]
    double umax = 0, ubcore = 0;  ///< [kJ/mol]
    double acore = 0;             ///< 0: no soft core
    double direction = 1;         ///< 1: from state 0 to state 1; -1: back
};
/// The formula of the parameters Lambda1, Lambda2, Alpha, Uh, W0, Umax, Ubcore, Acore and Direction.
RuntimeExpression alchemical_transfer_formula();
/// Throws InputError for the first invalid value.
std::vector<GlobalParameter> alchemical_transfer_parameters(AlchemicalTransfer const& transfer);

/// The alchemical transfer method: the energy is a formula of u0 and u1 [kJ/mol], the sums of the energies of the inner
/// forces with all particles displaced as in state 0 and as in state 1, and of Context parameters. The inner forces act
/// through the formula alone: their force groups are ignored; virtual sites and constraints are those of the System.
/// `Inner`, parameters and parameter derivatives are as for `BasicCustomCVForce`.
template <class Inner> struct BasicATMForce {
    static constexpr std::string_view name = "ATMForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member

    RuntimeExpression energy{};  ///< [kJ/mol]
    /// Context parameters that the formula may name, with their defaults.
    std::vector<GlobalParameter> global_parameters{};
    std::vector<std::string> energy_parameter_derivatives{};  ///< parameters by which derivatives are computed
    Indirect<Inner> forces{};  ///< forces of which u0 and u1 are the energies
    std::vector<Displacement> particles{};  ///< of each particle of the System
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    /// Throws InputError for the first invalid value.
    static BasicATMForce standard(AlchemicalTransfer const& transfer) {
        return {.energy = alchemical_transfer_formula(), .global_parameters = alchemical_transfer_parameters(transfer)};
    }
    /// Energies at the current positions, from `Context::ask` [kJ/mol].
    struct PerturbationEnergies {
        double u0 = 0, u1 = 0, energy = 0;  ///< energies of both states and of the formula [kJ/mol]
    };
    using Answer = PerturbationEnergies;  ///< of `Context::ask`

    /// Whether any inner force needs periodic box vectors.
    bool is_periodic() const { return trotter::is_periodic(*forces); }
    /// Calls `connect(i, j)` for particles that an inner force joins into one molecule.
    template <class Connect> void for_each_connection(Connect const& connect) const {
        trotter::for_each_connection(*forces, connect);
    }
};

}  // namespace trotter
