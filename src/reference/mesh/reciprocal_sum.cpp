// Reciprocal-space sums, by PME or plain Ewald.
// SPDX-License-Identifier: MIT
#include <utility>
#include <variant>

#include <trotter/common/forces/box_virial.hpp>
#include <trotter/common/forces/excluded_pairs.hpp>
#include <trotter/parts/mesh/mesh_sizes.hpp>
#include <trotter/reference/mesh/ewald.hpp>
#include <trotter/reference/mesh/pme.hpp>
#include <trotter/reference/mesh/reciprocal_sum.hpp>
#include <trotter/reference/mesh/wave_virial.hpp>

namespace trotter::reference {

struct ReciprocalSum::Method {
    std::variant<ParticleMesh, EwaldSum> sum;

    explicit Method(ReciprocalCharges const& charges)
        : sum(std::visit([&](auto const& splitting) { return made(splitting, charges.kind); }, charges.method)) {}

private:
    using Sum = std::variant<ParticleMesh, EwaldSum>;
    static Sum made(MeshSettings const& mesh, MeshKind kind) { return ParticleMesh(mesh, kind); }
    static Sum made(EwaldSplitting const& splitting, MeshKind) { return EwaldSum(splitting); }
};


static ReciprocalCharges const& checked(ReciprocalCharges const& charges, HostState const& host) {
    check(charges, host.particles.count(), memory_of_machine());
    return charges;
}

ReciprocalSum::ReciprocalSum(ReciprocalCharges const& charges, HostState const& host, Registration who)
    : who_(who),
      charges_(checked(charges, host)),
      constant_(reciprocal_constant(charges)),
      method_(std::make_unique<Method>(charges)) {}
ReciprocalSum::~ReciprocalSum() = default;

double ReciprocalSum::compute(HostState& host, Request const& request) {
    double energy = 0;
    if (request.wants(who_.index, charges_.force_group)) energy += add_sum(host);
    if (request.wants(who_.index, charges_.direct_force_group)) energy += subtract_exclusions(host);
    return energy;
}

void ReciprocalSum::update(ReciprocalCharges const& charges, HostState const& host) {
    check_same_shape(charges_, checked(charges, host));
    set_charges(charges.charges);
}
void ReciprocalSum::set_charges(std::vector<double> charges) {
    charges_.charges = std::move(charges);
    constant_ = reciprocal_constant(charges_);
}

double ReciprocalSum::add_sum(HostState& host) {
    double const volume = host.box.volume();
    add_mean_energy(host, constant_.background / volume);
    return constant_.energy(volume)
           + std::visit([&](auto& sum) { return add_reciprocal(sum, charges_.charges, host); }, method_->sum);
}
double ReciprocalSum::subtract_exclusions(HostState& host) const {
    return subtract_excluded_pairs(charges_, charges_.exclusions, host);
}
std::vector<TermEnergy> ReciprocalSum::term_energies(HostState& host) {
    double const constant = constant_.energy(host.box.volume());
    std::vector<TermEnergy> result{{{}, add_sum(host) - constant, "reciprocal space"},
                                   {{}, constant, "self energy and background"}};
    if (!charges_.exclusions.empty())
        result.push_back({{}, subtract_exclusions(host), "excluded pairs of reciprocal space"});
    return result;
}
ParticleMesh& ReciprocalSum::mesh() { return std::get<ParticleMesh>(method_->sum); }

}  // namespace trotter::reference
