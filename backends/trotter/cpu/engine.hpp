// The engine of the Cpu backend: state and arrays that the forces of one Context share.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/common/host_state.hpp>
#include <trotter/cpu/arch.hpp>
#include <trotter/cpu/loops.hpp>
#include <trotter/cpu/mesh/reciprocal_sum.hpp>
#include <trotter/cpu/neighbor_list/shared_pairs.hpp>
#include <trotter/cpu/pair_forces.hpp>
#include <trotter/cpu/terms/term_forces.hpp>
#include <trotter/cpu/terms/terms.hpp>
#include <trotter/error.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

/// State in host memory, as on Reference. Terms write forces to their own slots, pair and mesh sums to the slots of a
/// pair list, and `finish` sums both; other kernels add to `host.forces`, each particle from one task. The order of
/// sums is thus independent of the number of threads.
template <class Arch, Precision P> class Engine<BasicCpu<Arch>, P> {
    template <class F> using Terms = cpu::Terms<F, Arch>;
    template <class F> using Pairs = cpu::PairForces<F, Arch, typename P::Real>;
    using ReciprocalSum = cpu::ReciprocalSum<Arch, typename P::Real>;

public:
    Engine(BasicCpu<Arch> const& tag, Particles const& particles, Box const& box, std::uint64_t seed)
        : backend(tag),
          host(particles, box, tag.threads, seed, cpu::IntegrationTable::of<Arch>().constraints),
          pair_lists(backend, host.size()),
          term_forces_(host.size()) {
        auto const motion = cpu::IntegrationTable::of<Arch>();
        host.fill_normals = motion.fill_normals;
        host.motion = motion.motion;
    }

    BasicCpu<Arch> backend;
    HostState host;
    cpu::PairLists<Arch, typename P::Real> pair_lists;

    void begin(Request const&) {
        auto const part = host.threads.profile.part("clearing of forces");
        ++host.evaluations;
        host.threads.for_each(host.size(), [&](std::size_t i) { host.forces[i] = {}; });
        term_forces_.begin();
        pair_lists.begin();
    }
    /// Sums the forces of pairs and terms, and distributes those on virtual sites to their parent particles.
    void finish(Request const&) {
        pair_lists.finish(host);
        auto const part = host.threads.profile.part("sums over terms");
        term_forces_.add_to(host.forces, host.threads);
        if (!host.virtual_sites.empty())
            host.virtual_sites.distribute_forces(host.positions, host.forces, host.box, host.threads);
    }

    template <HasTerms F> Terms<F> register_part(F const& force, Registration who) { return {force, host, term_forces_, who}; }
    template <HasTerms F> double compute_part(Terms<F>& terms, Request const& request) {
        return terms.compute(host, term_forces_, request);
    }
    /// Throws InputError if more than the parameters of the terms has changed.
    template <HasTerms F> void update_part(Terms<F>& terms, F const& force) {
        terms.update(force, host);
    }
    /// Replaces the terms.
    template <HasTerms F> void replace_part(Terms<F>& terms, F const& force, Registration who) {
        terms = register_part(force, who);
    }

    template <HasPairs F> Pairs<F> register_part(F const& force, Registration who) { return {force, host, pair_lists, who}; }
    template <class F, class Real> double compute_part(cpu::PairForces<F, Arch, Real>& pairs, Request const& request) {
        return pairs.compute(host, request);
    }
    template <HasPairs F, class Real> void update_part(cpu::PairForces<F, Arch, Real>& pairs, F const& force) {
        pairs.update(force, host);
    }

    ReciprocalSum register_part(ReciprocalCharges const& charges, Registration who) {
        return {charges, host, pair_lists, who};
    }
    double compute_part(ReciprocalSum& sum, Request const& request) { return sum.compute(host, request); }
    void update_part(ReciprocalSum& sum, ReciprocalCharges const& charges) { sum.update(charges, host); }
    void update_part(ReciprocalSum& sum, std::vector<double> charges) { sum.set_charges(std::move(charges)); }

    std::string_view instruction_set() const { return cpu::Loops<Arch, double>::instruction_set(); }

    template <class Archive> void save(Archive& archive) const {
        host.save(archive);
        pair_lists.save(archive);
    }
    template <class Archive> void load(Archive& archive) {
        host.load(archive);
        pair_lists.load(archive);
    }

private:
    cpu::TermForces<Arch> term_forces_;
};

}  // namespace trotter
