// Pair forces on the Cpu backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <trotter/common/forces/long_range_correction.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/cpu/far_apart.hpp>
#include <trotter/cpu/formulas/pair_program.hpp>
#include <trotter/cpu/neighbor_list/shared_pairs.hpp>
#include <trotter/cpu/pair_loops/pair_formula.hpp>
#include <trotter/parts/pairs/pair_parameter_values.hpp>
#include <trotter/parts/pairs/pairs_check.hpp>
#include <trotter/registration.hpp>

namespace trotter::cpu {

/// The pairs of one force, over a list that may be shared. They are evaluated by register programs, JIT-compiled where
/// possible. Compile-time formulas become SIMD loops if the including file is compiled for the backend's instruction
/// set, except for derivatives by global parameters and if roots of products of parameters cannot be factored.
template <HasPairs F, class Arch, class Real> class PairForces {
    static constexpr bool has_loop = has_known_formula<F> && !std::same_as<Arch, DynamicDispatch>;

public:
    PairForces(F const& force, HostState& host, PairLists<Arch, Real>& lists, Registration who)
        : force_(checked(force, host)),
          who_(who),
          system_box_(host.box),
          list_(lists.of(range(force.pairs, host))),
          number_(list_.join(false)),
          energy_{{force, host.parameters, false}},
          long_range_correction_(force, host) {
        if (!detail::derivative_names(force).empty()) derivatives_.emplace(Part{{force, host.parameters, true}});
    }

    void update(F const& force, HostState const& host) {
        check_pairs(force, host.particles.count(), system_box_);
        check_same_pairs(force_, force);
        force_ = force;
        for_each_part([&](Part& part) {
            part.numbers.update_particles(force, host.parameters);
            part.programs = {};
            part.types.reset();
        });
        long_range_correction_.update_particles(force);
        slot_filling_.invalidate();
    }

    double compute(HostState& host, Request const& request) {
        if (!request.wants(who_.index, force_.force_group)) return 0;
        if (!force_.pairs.uses_cutoff() && are_too_far_apart<Arch>(host.positions))
            return compute_by_reference<Arch>(host, request, [&](auto& engine) {
                return [&, pairs = engine.register_part(force_, who_)]() mutable {
                    return engine.compute_part(pairs, request);
                };
            });
        if (!energy_.numbers.is_up_to_date(host.parameters)) {
            for_each_part([&](Part& part) {
                part.numbers.update_global_parameters(host.parameters);
                part.programs = {};
                part.types.reset();
            });
            slot_filling_.invalidate();
        }
        slot_filling_.run(list_.update(host), [&] { fill_slots(host.threads); });
        double const energy =
            compute_pairs(host.threads, request.energy) + long_range_correction_.energy(host, request);
        if (request.parameter_derivatives && derivatives_) add_derivatives(host);
        return energy;
    }

private:
    using Program = PairKernelProgram<Real, Arch>;
    /// Parameter values, their columns for all slots, and programs that evaluate pairs without a SIMD loop.
    struct Part {
        PairParameterValues numbers;
        SlotParameters<Arch, Real> columns{};
        std::optional<AtomTypes<Arch, Real>> types{};      // of the columns
        std::array<std::optional<Program>, 3> programs{};  // for each of PairOutputs
    };

    static F const& checked(F const& force, HostState& host) {
        check_pairs(force, host.particles.count(), host.box);
        declare_parameters(force, host.parameters, host.parameter_derivatives);
        return force;
    }
    static PairRange<Arch> range(PairSettings const& settings, HostState const& host) {
        PairRange<Arch> result{settings.uses_cutoff() ? settings.cutoff_distance : 0, settings.is_periodic(),
                               excluded_partners(settings, host.size())};
        result.partners.resize(host.size());
        return result;
    }
    template <class Visit> void for_each_part(Visit const& visit) {
        visit(energy_);
        if (derivatives_) visit(*derivatives_);
    }
    bool is_loop() const { return has_loop && energy_.numbers.factors_roots(); }

    /// Fills slots after particles were sorted or have other parameters.
    void fill_slots(Threads& threads) {
        auto const& clusters = list_.clusters();
        for_each_part([&](Part& part) {
            auto const& columns = part.numbers.columns();
            auto const stride = static_cast<std::size_t>(parameter_stride(static_cast<int>(columns.size())));
            auto& records = part.columns.records;
            records.assign(stride * clusters.slot_count(), Real(0));
            clusters.for_each_slot(threads, [&](std::size_t slot, int particle) {
                for (std::size_t c = 0; particle >= 0 && c < columns.size(); ++c)
                    records[slot * stride + c] = static_cast<Real>(columns[c][static_cast<std::size_t>(particle)]);
            });
        });
        // Derivatives have no loop that uses types.
        auto const& columns = energy_.numbers.columns();
        if (!energy_.types)
            energy_.types.emplace(clusters.slots.size(), columns.size(), [&](std::size_t particle, Real* numbers) {
                for (auto const& column : columns) *numbers++ = static_cast<Real>(column[particle]);
            });
        list_.set_types(number_, *energy_.types, energy_.columns, threads);
        memory_.resize(static_cast<std::size_t>(list_.task_count()));
    }

    double compute_pairs(Threads& threads, bool with_energy) {
        auto const profiled = threads.profile.part("pairs");
        if constexpr (has_loop)
            if (is_loop()) {
                if (force_.pairs.is_switched())
                    return with_energy ? loop<true, true>(threads) : loop<true, false>(threads);
                return with_energy ? loop<false, true>(threads) : loop<false, false>(threads);
            }
        auto const totals = run(energy_, with_energy ? PairOutputs::forces_and_energy : PairOutputs::forces, threads);
        return with_energy ? totals[0] : 0;
    }
    template <bool is_switched, bool with_energy> double loop(Threads& threads) {
        if constexpr (has_loop) {
            using Pair = FormulaPair<F, Real, Arch, is_switched, with_energy>;
            Pair const pair(PairSwitch<Real, Arch>(force_.pairs), energy_.numbers.values().data());
            std::vector<double> energies(static_cast<std::size_t>(list_.task_count()));
            list_.add(energy_.columns, threads, [&](int task, PairView<Real> const& view) {
                energies[static_cast<std::size_t>(task)] = PairLoop<Real, Arch, Pair>::run(view, pair);
            });
            double energy = 0;
            for (double const part : energies) energy += part;
            return energy;
        }
        return 0;
    }
    /// Returns the totals of all pairs; adds forces, if wanted, to the tasks' buffers.
    std::vector<double> run(Part& part, PairOutputs wanted, Threads& threads) {
        auto& program = part.programs[static_cast<std::size_t>(wanted)];
        if (!program) program.emplace(pair_program<Real, Arch>(part.numbers.units(), force_.pairs, wanted));
        for (auto& memory : memory_) memory.make_room(*program);
        std::vector<std::vector<double>> sums(static_cast<std::size_t>(list_.task_count()));
        auto const sum = [&](int task, PairView<Real> const& view) {
            auto const n = static_cast<std::size_t>(task);
            sums[n] = program->run(view, memory_[n], part.numbers.values(), part.numbers.tables());
        };
        if (wanted == PairOutputs::totals)
            list_.look_at(part.columns, threads, sum);
        else
            list_.add(part.columns, threads, sum);
        std::vector<double> result(sums[0].size());
        for (auto const& of_task : sums)
            for (std::size_t k = 0; k < result.size(); ++k) result[k] += of_task[k];
        return result;
    }
    void add_derivatives(HostState& host) {
        auto const sums = run(*derivatives_, PairOutputs::totals, host.threads);
        auto const names = derivatives_->numbers.derivative_names();
        for (std::size_t n = 0; n < names.size(); ++n) host.parameter_derivatives[names[n]] += sums[n + 1];
    }

    F force_;
    Registration who_;
    Box system_box_;
    SharedPairs<Arch, Real>& list_;
    int number_;  // of this sum among those over the list
    Part energy_;
    std::optional<Part> derivatives_;
    std::vector<typename Program::Memory> memory_;  // of each task
    LongRangeCorrection long_range_correction_;
    OncePerSort<Arch> slot_filling_;
};

}  // namespace trotter::cpu
