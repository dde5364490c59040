// Reciprocal-space sums, by PME or plain Ewald.
// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <vector>

#include <trotter/common/host_state.hpp>
#include <trotter/core/request.hpp>
#include <trotter/core/term_energy.hpp>
#include <trotter/parts/mesh/reciprocal_charges.hpp>
#include <trotter/registration.hpp>

namespace trotter::reference {

class ParticleMesh;

/// Sum over the charges of one force, or of a part of it.
class ReciprocalSum {
public:
    /// Throws InputError for invalid charges.
    ReciprocalSum(ReciprocalCharges const& charges, HostState const& host, Registration who);
    ~ReciprocalSum();
    ReciprocalSum(ReciprocalSum const&) = delete;
    ReciprocalSum& operator=(ReciprocalSum const&) = delete;

    double compute(HostState& host, Request const& request);
    /// Throws InputError if more than the charges has changed.
    void update(ReciprocalCharges const& charges, HostState const& host);
    void set_charges(std::vector<double> charges);

    ReciprocalCharges const& charges() const { return charges_; }
    /// The sum, its part of excluded pairs, and the terms independent of positions.
    std::vector<TermEnergy> term_energies(HostState& host);
    /// Access to the mesh for potentials, if the method is PME.
    ParticleMesh& mesh();

private:
    struct Method;
    double add_sum(HostState& host);
    double subtract_exclusions(HostState& host) const;

    Registration who_;
    ReciprocalCharges charges_;
    ReciprocalConstant constant_;
    std::unique_ptr<Method> method_;
};

}  // namespace trotter::reference
