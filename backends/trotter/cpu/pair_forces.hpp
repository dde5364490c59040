// Forces that are sums over pairs, on the Cpu backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <trotter/cpu/far_apart.hpp>
#include <trotter/cpu/neighbors.hpp>
#include <trotter/cpu/pair_formula.hpp>
#include <trotter/cpu/pair_program.hpp>
#include <trotter/forces/pair_numbers.hpp>
#include <trotter/forces/pairs_check.hpp>
#include <trotter/host/engine.hpp>
#include <trotter/host/pair_tail.hpp>
#include <trotter/registration.hpp>

namespace trotter::cpu {

/// The pairs of one force, by a list of its own. They are evaluated by register programs, which become machine code when
/// the program runs; but a formula that the compiler knows becomes a loop in SIMD where the including file is compiled
/// for the backend's instruction set, unless derivatives by global parameters are wanted or roots of products of the
/// numbers cannot be split.
template <HasPairs F, class Arch, class Real> class PairForces {
    static constexpr bool has_loop = has_known_formula<F> && !std::same_as<Arch, RuntimeArch>;

public:
    PairForces(F const& force, HostEngine& host, ListBuffers const& buffers, Registration who)
        : force_(checked(force, host)),
          who_(who),
          system_box_(host.box),
          neighbors_(force.pairs.uses_cutoff() ? force.pairs.cutoff_distance : 0, force.pairs.is_periodic(),
                     {partners(force, host), false, false}, buffers),
          energy_{{force, host.parameters, false}},
          tail_(force, host) {
        if (!detail::derivative_names(force).empty()) derivatives_.emplace(Part{{force, host.parameters, true}});
    }

    void update(F const& force, HostEngine const& host) {
        check_pairs(force, host.particles.count(), system_box_);
        check_same_pairs(force_, force);
        force_ = force;
        for_each_part([&](Part& part) {
            part.numbers.take_particles(force, host.parameters);
            part.programs = {};
            part.kinds.reset();
        });
        tail_.take_particles(force);
        are_placed_ = false;
    }

    double compute(HostEngine& host, Request const& request) {
        if (!request.wants(who_.index, force_.force_group)) return 0;
        if (!force_.pairs.uses_cutoff() && are_too_far_apart<Arch>(host.positions))
            return compute_by_reference<Arch>(force_, who_, host, request);
        if (!energy_.numbers.is_up_to_date(host.parameters)) {
            for_each_part([&](Part& part) {
                part.numbers.take_parameters(host.parameters);
                part.programs = {};
                part.kinds.reset();
            });
            are_placed_ = false;
        }
        if (neighbors_.update(host.positions, host.box, host.threads) || !are_placed_) place(host.threads);
        double const energy = compute_pairs(host.threads, request.energy) + tail_.energy(host, request);
        neighbors_.add_forces(host.forces, host.threads);
        if (request.parameter_derivatives && derivatives_) add_derivatives(host);
        return energy;
    }

    template <class Archive> void save(Archive& archive) const { neighbors_.save(archive); }
    template <class Archive> void load(Archive& archive) {
        neighbors_.load(archive);
        are_placed_ = false;
    }

private:
    using Program = SweepProgram<Real, Arch>;
    /// Numbers, the columns of all places, and what evaluates pairs where that is no loop.
    struct Part {
        PairNumbers numbers;
        PlacedParameters<Arch, Real> columns{};
        std::optional<ParameterKinds<Arch, Real>> kinds{};  // of what stands in the columns
        std::array<std::optional<Program>, 2> programs{};   // without and with totals
    };

    static F const& checked(F const& force, HostEngine& host) {
        check_pairs(force, host.particles.count(), host.box);
        declare_parameters(force, host.parameters, host.parameter_derivatives);
        return force;
    }
    static std::vector<std::vector<int>> partners(F const& force, HostEngine const& host) {
        auto result = excluded_partners(force.pairs, host.size());
        result.resize(host.size());
        return result;
    }
    template <class Visit> void for_each_part(Visit const& visit) {
        visit(energy_);
        if (derivatives_) visit(*derivatives_);
    }
    bool is_loop() const { return has_loop && energy_.numbers.splits_roots(); }

    /// After particles were sorted or have other numbers.
    void place(Threads& threads) {
        for_each_part([&](Part& part) {
            auto const& columns = part.numbers.columns();
            auto const& particles = neighbors_.clusters.particles;
            auto const stride = static_cast<std::size_t>(parameter_stride(static_cast<int>(columns.size())));
            auto& records = part.columns.records;
            records.assign(stride * neighbors_.clusters.place_count(), Real(0));
            for (std::size_t place = 0; place < particles.size(); ++place)
                for (std::size_t c = 0; c < columns.size(); ++c)
                    if (particles[place] >= 0)
                        records[place * stride + c] =
                            static_cast<Real>(columns[c][static_cast<std::size_t>(particles[place])]);
        });
        // Derivatives are not for a loop that looks at kinds.
        auto const& columns = energy_.numbers.columns();
        if (!energy_.kinds)
            energy_.kinds.emplace(neighbors_.clusters.places.size(), columns.size(),
                                  [&](std::size_t particle, Real* numbers) {
                                      for (auto const& column : columns)
                                          *numbers++ = static_cast<Real>(column[particle]);
                                  });
        std::swap(neighbors_.clusters.parameters, energy_.columns);
        neighbors_.clusters.set_kinds(*energy_.kinds, threads);
        std::swap(neighbors_.clusters.parameters, energy_.columns);
        memory_.resize(static_cast<std::size_t>(neighbors_.task_count()));
        are_placed_ = true;
    }

    double compute_pairs(Threads& threads, bool with_energy) {
        auto const profiled = threads.profile.part("pairs");
        if constexpr (has_loop)
            if (is_loop()) {
                if (force_.pairs.is_switched())
                    return with_energy ? loop<true, true>(threads) : loop<true, false>(threads);
                return with_energy ? loop<false, true>(threads) : loop<false, false>(threads);
            }
        auto const totals = run(energy_, with_energy, threads);
        return with_energy ? totals[0] : 0;
    }
    template <bool is_switched, bool with_energy> double loop(Threads& threads) {
        if constexpr (has_loop) {
            using Pair = FormulaPair<F, Real, Arch, is_switched, with_energy>;
            Pair const pair(PairSwitch<Real, Arch>(force_.pairs), energy_.numbers.values().data());
            std::vector<double> energies(static_cast<std::size_t>(neighbors_.task_count()));
            std::swap(neighbors_.clusters.parameters, energy_.columns);
            threads.run(neighbors_.task_count(), [&](int task) {
                energies[static_cast<std::size_t>(task)] =
                    PairLoop<Real, Arch, Pair>::run(neighbors_.view(task), pair);
            });
            std::swap(neighbors_.clusters.parameters, energy_.columns);
            double energy = 0;
            for (double const part : energies) energy += part;
            return energy;
        }
        return 0;
    }
    /// Energy and derivatives, if they are wanted; forces go to the tasks' buffers.
    std::vector<double> run(Part& part, bool with_totals, Threads& threads) {
        auto& program = part.programs[with_totals ? 1 : 0];
        if (!program) program.emplace(pair_program<Real, Arch>(part.numbers.units(), force_.pairs, with_totals));
        for (auto& memory : memory_) memory.make_room(*program);
        std::vector<std::vector<double>> sums(static_cast<std::size_t>(neighbors_.task_count()));
        std::swap(neighbors_.clusters.parameters, part.columns);
        threads.run(neighbors_.task_count(), [&](int task) {
            auto const n = static_cast<std::size_t>(task);
            sums[n] = program->run(neighbors_.view(task), memory_[n], part.numbers.values(), part.numbers.tables());
        });
        std::swap(neighbors_.clusters.parameters, part.columns);
        std::vector<double> result(sums[0].size());
        for (auto const& of_task : sums)
            for (std::size_t k = 0; k < result.size(); ++k) result[k] += of_task[k];
        return result;
    }
    void add_derivatives(HostEngine& host) {
        auto const sums = run(*derivatives_, true, host.threads);
        auto const names = derivatives_->numbers.derivative_names();
        for (std::size_t n = 0; n < names.size(); ++n) host.parameter_derivatives[names[n]] += sums[n + 1];
    }
    F force_;
    Registration who_;
    Box system_box_;
    Neighbors<Arch, Real> neighbors_;
    Part energy_;
    std::optional<Part> derivatives_;
    std::vector<typename Program::Memory> memory_;  // of each task
    PairTail tail_;
    bool are_placed_ = false;
};

}  // namespace trotter::cpu
