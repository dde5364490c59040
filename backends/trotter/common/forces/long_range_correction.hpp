// What the cutoff and the switching function of a force of pairs leave out, as a mean energy.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <trotter/common/host_state.hpp>
#include <trotter/core/request.hpp>
#include <trotter/expression/evaluator.hpp>
#include <trotter/parts/pairs/pairs.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter {

/// Energies and chosen derivatives, summed over all pairs of particles that are a given distance apart, and over each
/// particle with itself where the settings say so. Particles with the same numbers are of one kind, and pairs of kinds
/// are evaluated once.
class SummedPairs {
public:
    template <HasPairs F>
    explicit SummedPairs(F const& force) : self_pairs_(force.pairs.correction_counts_self ? 1 : -1) {
        auto const own = particle_names(force);
        auto const globals = trotter::global_names(force.energy.names(), own);
        for (std::string_view const name : force.energy.names()) roles_.push_back(pair_roles(globals, own)(name));
        global_names_.assign(globals.begin(), globals.end());
        for (int const n : wanted_pair_derivatives(force, globals))
            derivative_names_.push_back(global_names_[static_cast<std::size_t>(n)]);
        set_evaluators(Evaluator<double>(force.energy, derivative_names_));
    }
    /// Takes over the numbers of particles, of which there are so many copies that do not see each other.
    template <HasPairs F> void update_particles(F const& force, int copies) {
        tables_ = Tables(tabulated_functions_of(force));
        count_kinds(particle_numbers(force), (force.*F::sites).size(), copies);
    }

    std::vector<std::string> const& global_names() const { return global_names_; }
    std::vector<std::string> const& derivative_names() const { return derivative_names_; }
    std::size_t outputs() const { return 1 + derivative_names_.size(); }

    /// Energy and derivatives; behind them the same sums of magnitudes.
    std::vector<double> at(double r, std::vector<double> const& globals, Threads& threads);

private:
    void set_evaluators(Evaluator<double> const& evaluator);
    void count_kinds(std::vector<std::vector<double>> const& numbers, std::size_t particles, int copies);
    /// Pairs of particles of this kind with those of the same and of later ones.
    void add_row(std::size_t kind, double r, std::vector<double> const& globals, Evaluator<double>& evaluate,
                 std::vector<double>& sums) const;

    double self_pairs_;                        // n(n+1)/2 pairs within a kind with them, n(n-1)/2 without
    std::vector<expression::PairName> roles_;  // of the formula's names
    std::vector<std::string> global_names_, derivative_names_;
    Tables tables_;
    std::vector<Evaluator<double>> evaluators_;  // of tasks
    std::vector<std::vector<double>> columns_;   // numbers of kinds
    std::vector<double> counts_;                 // particles of each kind
};

/// The energy that stands for what is left out between nearest images where all distances are equally likely,
/// E = 2 pi N²/V <∫ (1 - S(r)) E(r) r² dr>, with S = 0 beyond the cutoff and the mean over N(N+1)/2 pairs (M. P. Allen
/// and D. J. Tildesley, Computer Simulation of Liquids, 2.8). It depends on positions through the volume alone.
class LongRangeCorrection {
public:
    /// Throws InputError where the energy falls off too slowly.
    template <HasPairs F>
    LongRangeCorrection(F const& force, HostState& host) : settings_(force.pairs), copies_(host.copies) {
        if (!settings_.has_long_range_correction()) return;
        pairs_.emplace(force);
        update_particles(force);
        update_global_parameters(host);
    }
    template <HasPairs F> void update_particles(F const& force) {
        if (!pairs_) return;
        pairs_->update_particles(force, copies_);
        set_count((force.*F::sites).size());
    }
    /// The energy [kJ/mol]; derivatives are added to the engine's where asked for.
    double energy(HostState& host, Request const& request);

private:
    void set_count(std::size_t particles);
    void update_global_parameters(HostState& host);

    PairSettings settings_;
    int copies_;
    std::optional<SummedPairs> pairs_;
    double scale_ = 0;
    std::optional<std::vector<double>> globals_;  // for which the coefficients are
    std::vector<double> coefficients_;            // [kJ/mol nm³], the energy's and the derivatives'
};

}  // namespace trotter
