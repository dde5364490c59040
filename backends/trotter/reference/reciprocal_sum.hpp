// Sums over wave vectors, on a mesh or wave by wave.
// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <vector>

#include <trotter/forces/reciprocal_charges.hpp>
#include <trotter/host/engine.hpp>
#include <trotter/registration.hpp>
#include <trotter/request.hpp>

namespace trotter::reference {

class ParticleMesh;

/// The charges of one force, or of a part of it.
class ReciprocalSum {
public:
    /// Throws InputError for numbers that make no sense.
    ReciprocalSum(ReciprocalCharges const& charges, HostEngine const& host, Registration who);
    ~ReciprocalSum();
    ReciprocalSum(ReciprocalSum const&) = delete;
    ReciprocalSum& operator=(ReciprocalSum const&) = delete;

    double compute(HostEngine& host, Request const& request);
    /// Throws InputError where more than the charges has changed.
    void update(ReciprocalCharges const& charges, HostEngine const& host);
    void set_charges(std::vector<double> charges);

    ReciprocalCharges const& charges() const { return charges_; }
    /// The energy that does not depend on positions [kJ/mol].
    double constant_energy(double volume) const { return constant_.energy(volume); }
    /// The sum with that energy, and what it has of excluded pairs; both add forces.
    double add_sum(HostEngine& host);
    double take_out_exclusions(HostEngine& host) const;
    /// For potentials of the charges, where the sum is on a mesh.
    ParticleMesh& mesh();

private:
    struct Method;

    Registration who_;
    ReciprocalCharges charges_;
    ReciprocalConstant constant_;
    std::unique_ptr<Method> method_;
};

}  // namespace trotter::reference
