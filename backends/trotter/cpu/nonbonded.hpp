// Lennard-Jones and Coulomb pair interactions on the Cpu backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include <trotter/common/forces/nonbonded.hpp>
#include <trotter/cpu/engine.hpp>
#include <trotter/cpu/far_apart.hpp>
#include <trotter/cpu/pair_loops/nonbonded_pair.hpp>
#include <trotter/physics/nonbonded_parameters.hpp>
#include <trotter/reference/nonbonded.hpp>
#include <trotter/registration.hpp>

namespace trotter {

namespace cpu {

/// Makes r² - cutoff²/2 the variable of the polynomials, which saves a multiplication.
template <class Real> static void unroll_polynomials(PairConstants<Real>& c, double scale) {
    for (auto* polynomial : {&c.coulomb_force, &c.coulomb_energy, &c.dispersion_force, &c.dispersion_energy})
        polynomial->stretch(scale);
    c.scale = 1;
    c.middle = static_cast<Real>(1 / scale);
    c.is_unrolled = true;
}

/// Returns the constants of the pair loops for a force.
template <class Real>
static PairConstants<Real> pair_constants(DirectSpace const& space) {
    PairConstants<Real> c{};
    auto const& [stated_cutoff, field, switching, alpha, dispersion_alpha] = space;
    double const cutoff = std::min(stated_cutoff, 1e15);
    c.cutoff2 = static_cast<Real>(cutoff * cutoff);
    c.field_k = static_cast<Real>(field.k);
    c.minus_two_field_k = -2 * c.field_k;
    c.field_c = static_cast<Real>(field.c);
    if (switching) {
        c.dispersion = DispersionKind::switched;
        c.switching_start = static_cast<Real>(switching->start);
        c.switching_inverse_width = static_cast<Real>(switching->inverse_width);
    }
    if (alpha == 0) return c;
    c.coulomb = CoulombKind::ewald;
    double const scale = 2 / (cutoff * cutoff);
    c.scale = static_cast<Real>(scale);
    c.middle = 1;
    // Relative to the bare interaction at the cutoff.
    double const tolerance = sizeof(Real) == 4 ? 5e-7 : 1e-13;
    auto const mesh = fitted<Real>([alpha = alpha](double r2) { return mesh_coulomb(1, std::sqrt(r2), alpha).energy; }, cutoff,
                                   tolerance / cutoff);
    c.coulomb_energy = mesh.energy;
    c.coulomb_force = mesh.force_over_r;
    if (dispersion_alpha == 0) {
        if (mesh.force_over_r.degree == unrolled_degree<Real>) unroll_polynomials(c, scale);
        return c;
    }
    c.dispersion = DispersionKind::mesh;
    auto energy = [alpha = dispersion_alpha](double r2) { return mesh_dispersion(1.0, r2, alpha).energy; };
    double const inverse_cutoff6 = std::pow(cutoff, -6);
    auto const dispersion = fitted<Real>(energy, cutoff, tolerance * inverse_cutoff6);
    c.dispersion_energy = dispersion.energy;
    c.dispersion_force = dispersion.force_over_r;
    c.inverse_cutoff6 = static_cast<Real>(inverse_cutoff6);
    c.dispersion_at_cutoff = static_cast<Real>(energy(cutoff * cutoff));
    if (mesh.force_over_r.degree == unrolled_degree<Real> && dispersion.force_over_r.degree == unrolled_degree<Real>)
        unroll_polynomials(c, scale);
    return c;
}

}  // namespace cpu

/// Pair interactions by a buffered cluster list and SIMD (S. Páll and B. Hess, Comput. Phys. Commun. 184, 2641 (2013)).
template <class Arch, Precision P> class NonbondedPairLoop<Engine<BasicCpu<Arch>, P>> {
    using EngineType = Engine<BasicCpu<Arch>, P>;
    using Real = typename P::Real;

public:
    NonbondedPairLoop(NonbondedPairs const& pairs, EngineType& engine, Registration who)
        : pairs_(pairs),
          who_(who),
          list_(engine.pair_lists.of({pairs.cutoff(), pairs.force.is_periodic(), exclusions(pairs.force)}, true)),
          number_(list_.join(true)),
          constants_(cpu::pair_constants<Real>(pairs.space())) {
        if (pairs.force.uses_ewald()) list_.screen(who.index, pairs.force.exceptions_use_periodic);
        update(engine);
    }
    NonbondedPairLoop(NonbondedPairLoop const&) = delete;
    NonbondedPairLoop& operator=(NonbondedPairLoop const&) = delete;

    void update(EngineType&) {
        list_.set_without_lj(particles_without_sites());
        auto const& particles = pairs_.particles;
        types_ = {particles.size(), parameter_count, [&](std::size_t p, Real* numbers) {
                      LennardJonesSite const stated(particles[p]);
                      auto const site = cpu::loop_site<Real>(stated.half_sigma, stated.root);
                      numbers[0] = 0;  // charges are stored with coordinates
                      numbers[1] = site.half_length;
                      numbers[2] = site.root;
                  }};
        choose_loop();
        slot_filling_.invalidate();
    }

    double compute(EngineType& engine, Request const& request) {
        HostState& host = engine.host;
        if (!request.wants(who_.index, pairs_.force.force_group)) return 0;
        if (!pairs_.force.uses_cutoff() && cpu::are_too_far_apart<Arch>(host.positions))
            return by_reference(host, request);
        slot_filling_.run(list_.update(host), [&] { fill_slots(host.threads); });
        auto const profiled = host.threads.profile.part("pairs");
        std::vector<double> energies(static_cast<std::size_t>(list_.task_count()));
        list_.add(parameters_, host.threads, [&](int task, cpu::PairView<Real> const& view) {
            energies[static_cast<std::size_t>(task)] = cpu::loops<Arch, Real>().pairs(view, constants_, request.energy);
        });
        return std::accumulate(energies.begin(), energies.end(), 0.0);
    }

private:
    static constexpr std::size_t parameter_count = 3, stride = cpu::parameter_stride(parameter_count);

    /// Particles without a Lennard-Jones site, whatever the values of the global parameters.
    std::vector<char> particles_without_sites() const {
        std::vector<char> result;
        for (auto const& particle : pairs_.force.particles) result.push_back(particle.epsilon == 0);
        for (auto const& offset : pairs_.force.particle_offsets) result[static_cast<std::size_t>(offset.index)] = 0;
        return result;
    }
    void choose_loop() {
        choose_dispersion();
        if (pairs_.force.uses_ewald()) return;
        bool const has_charges = std::any_of(pairs_.particles.begin(), pairs_.particles.end(),
                                             [](auto const& particle) { return particle.charge != 0; });
        constants_.coulomb = has_charges ? cpu::CoulombKind::reaction_field : cpu::CoulombKind::none;
    }
    /// Particles without any interaction may coincide with others, which the plain loops do not support.
    void choose_dispersion() {
        using Kind = cpu::DispersionKind;
        if (constants_.dispersion == Kind::mesh || pairs_.space().switching) return;
        bool const has_any = std::any_of(pairs_.particles.begin(), pairs_.particles.end(), [](auto const& particle) {
            return particle.charge == 0 && particle.epsilon == 0;
        });
        constants_.dispersion = has_any ? Kind::switched : Kind::plain;
        constants_.switching_start = static_cast<Real>(std::sqrt(static_cast<double>(constants_.cutoff2)));
        constants_.switching_inverse_width = 0;
    }

    void fill_slots(Threads& threads) {
        auto const& clusters = list_.clusters();
        double const root_coulomb = std::sqrt(constants::coulomb);
        parameters_.records.assign(stride * clusters.slot_count(), Real(0));
        list_.set_types(number_, types_, parameters_, threads);
        clusters.for_each_slot(threads, [&](std::size_t slot, int particle) {
            if (particle < 0) return;
            auto const& p = pairs_.particles[static_cast<std::size_t>(particle)];
            Real* const to = parameters_.records.data() + stride * slot;
            to[0] = static_cast<Real>(root_coulomb * p.charge);
            list_.set_charge(slot, to[0]);
            LennardJonesSite const site(p);
            auto const in_loop = cpu::loop_site<Real>(site.half_sigma, site.root);
            to[1] = in_loop.half_length;
            to[2] = in_loop.root;
        });
    }

    double by_reference(HostState& host, Request const& request) const {
        return cpu::compute_by_reference<Arch>(host, request, [&](auto& reference) {
            return [&, loop = NonbondedPairLoop<Engine<Reference, Double>>(pairs_, reference, who_)]() mutable {
                return loop.compute(reference, request);
            };
        });
    }

    NonbondedPairs pairs_;
    Registration who_;
    cpu::SharedPairs<Arch, Real>& list_;
    int number_;  // of this sum among those over the list
    cpu::PairConstants<Real> constants_;
    cpu::AtomTypes<Arch, Real> types_;  // of Lennard-Jones sites
    cpu::SlotParameters<Arch, Real> parameters_;
    cpu::OncePerSort<Arch> slot_filling_;
};

}  // namespace trotter
