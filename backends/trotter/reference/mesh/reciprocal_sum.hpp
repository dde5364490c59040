// Sums over wave vectors, on a mesh or wave by wave.
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

/// The charges of one force, or of a part of it.
class ReciprocalSum {
public:
    /// Throws InputError for numbers that make no sense.
    ReciprocalSum(ReciprocalCharges const& charges, HostState const& host, Registration who);
    ~ReciprocalSum();
    ReciprocalSum(ReciprocalSum const&) = delete;
    ReciprocalSum& operator=(ReciprocalSum const&) = delete;

    double compute(HostState& host, Request const& request);
    /// Throws InputError where more than the charges has changed.
    void update(ReciprocalCharges const& charges, HostState const& host);
    void set_charges(std::vector<double> charges);

    ReciprocalCharges const& charges() const { return charges_; }
    /// The sum, what it has of excluded pairs, and what does not depend on positions.
    std::vector<TermEnergy> term_energies(HostState& host);
    /// For potentials of the charges, where the sum is on a mesh.
    ParticleMesh& mesh();

private:
    struct Method;
    double add_sum(HostState& host);
    double take_out_exclusions(HostState& host) const;

    Registration who_;
    ReciprocalCharges charges_;
    ReciprocalConstant constant_;
    std::unique_ptr<Method> method_;
};

}  // namespace trotter::reference
