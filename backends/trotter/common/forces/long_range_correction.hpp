// Long-range correction of pair forces for the cutoff and the switching function.
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

/// Energies and requested derivatives, summed over all pairs at a given distance, and over each particle with itself if
/// the settings say so. Particles with equal parameters form a type, and each pair of types is evaluated once.
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
    /// Updates the per-particle parameters; there are `copies` replicas that do not interact.
    template <HasPairs F> void update_particles(F const& force, int copies) {
        tables_ = Tables(tabulated_functions_of(force));
        count_kinds(particle_numbers(force), (force.*F::sites).size(), copies);
    }

    std::vector<std::string> const& global_names() const { return global_names_; }
    std::vector<std::string> const& derivative_names() const { return derivative_names_; }
    std::size_t outputs() const { return 1 + derivative_names_.size(); }

    /// Energy and derivatives, followed by the same sums of magnitudes.
    std::vector<double> at(double r, std::vector<double> const& globals, Threads& threads);

private:
    void set_evaluators(Evaluator<double> const& evaluator);
    void count_kinds(std::vector<std::vector<double>> const& numbers, std::size_t particles, int copies);
    /// Adds the pairs of particles of type `kind` with those of the same and of later types.
    void add_row(std::size_t kind, double r, std::vector<double> const& globals, Evaluator<double>& evaluate,
                 std::vector<double>& sums) const;

    double self_pairs_;                        // 1: n(n+1)/2 pairs within a type; -1: n(n-1)/2
    std::vector<expression::PairName> roles_;  // one per name in the formula
    std::vector<std::string> global_names_, derivative_names_;
    Tables tables_;
    std::vector<Evaluator<double>> evaluators_;  // one per task
    std::vector<std::vector<double>> columns_;   // parameters of the types
    std::vector<double> counts_;                 // particles of each type
};

/// Mean energy of the interactions omitted between nearest images, for a uniform distribution: E = 2 pi N²/V <∫ (1 -
/// S(r)) E(r) r² dr>, with S = 0 beyond the cutoff and the mean over N(N+1)/2 pairs (M. P. Allen and D. J. Tildesley,
/// Computer Simulation of Liquids, 2.8). It depends on positions through the volume alone.
class LongRangeCorrection {
public:
    /// Throws InputError if the energy decays too slowly.
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
    /// Returns the energy [kJ/mol]; adds requested derivatives to those of `host`.
    double energy(HostState& host, Request const& request);

private:
    void set_count(std::size_t particles);
    void update_global_parameters(HostState& host);

    PairSettings settings_;
    int copies_;
    std::optional<SummedPairs> pairs_;
    double scale_ = 0;
    std::optional<std::vector<double>> globals_;  // parameters of the current coefficients
    std::vector<double> coefficients_;            // of the energy and the derivatives [kJ/mol nm³]
};

}  // namespace trotter
