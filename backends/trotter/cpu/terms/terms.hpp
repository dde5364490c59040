// Forces that are sums of terms, in SIMD batches and threads.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <trotter/core/request.hpp>
#include <trotter/parts/terms/terms_check.hpp>
#include <trotter/registration.hpp>

#include <trotter/common/host_state.hpp>
#include <trotter/cpu/terms/term_forces.hpp>
#include <trotter/cpu/terms/term_loop.hpp>

namespace trotter::cpu {

/// The terms of one force.
template <HasTerms F, class Arch> class Terms {
    static constexpr std::size_t terms_per_task = 128;  // a multiple of any number of lanes

public:
    [[gnu::cold]] Terms(F const& force, HostState& host, TermForces<Arch>& forces, Registration who)
        : force_(force),
          formula_(checked_formula(force, host.particles.count())),
          index_(who.index),
          wanted_(wanted_derivatives(force, formula_)) {
        declare_parameters(force, host.parameters, host.parameter_derivatives);
        std::vector<int> slots;
        for (auto const& term : force.*F::terms)
            for (int const particle : particles_of<F>(term)) slots.push_back(particle);
        list_ = forces.add_slots(slots, padded_count() * arity());
        read_numbers();
    }

    void update(F const& force, HostState const& host) {
        check_same_terms(force_, force);
        formula_ = checked_formula(force, host.particles.count());
        force_ = force;
        read_numbers();
    }

    /// Writes the forces of all terms to their slots; returns the energy.
    double compute(HostState& host, TermForces<Arch>& forces, Request const& request) {
        if (!request.wants(index_, force_.force_group)) return 0;
        auto const values = parameter_values<F>(formula_, host.parameters);
        TermView const view{
            host.positions.data(), host.box,          is_periodic(),   arity(),       field_count(force_),
            values.size(),         particles_.data(), numbers_.data(), values.data(), forces.write(list_)};
        std::size_t const tasks = (count() + terms_per_task - 1) / terms_per_task;
        energies_.assign(tasks, 0);
        slopes_.assign(tasks * values.size(), 0);
        host.threads.run(static_cast<int>(tasks), [&](int number) {
            auto const task = static_cast<std::size_t>(number);
            std::size_t const begin = task * terms_per_task, end = std::min(begin + terms_per_task, count());
            energies_[task] = loop_.run(formula_, view, begin, end, slopes_.data() + task * values.size());
        });
        if (request.parameter_derivatives) add_derivatives(host);
        return std::accumulate(energies_.begin(), energies_.end(), 0.0);
    }

private:
    [[gnu::cold]] void read_numbers() {
        std::size_t const lanes = loop_.lanes, fields = field_count(force_);
        particles_.resize(padded_count() * arity());
        numbers_.resize(padded_count() * fields);
        for (std::size_t n = 0; n < padded_count(); ++n) {
            auto const& term = (force_.*F::terms)[std::min(n, count() - 1)];
            std::size_t const batch = n / lanes, lane = n % lanes;
            auto const particles = particles_of<F>(term);
            for (std::size_t k = 0; k < arity(); ++k) particles_[(batch * arity() + k) * lanes + lane] = particles[k];
            auto const numbers = fields_of<F>(term);
            for (std::size_t k = 0; k < fields; ++k) numbers_[(batch * fields + k) * lanes + lane] = numbers[k];
        }
    }

    std::size_t count() const { return (force_.*F::terms).size(); }
    std::size_t padded_count() const { return (count() + loop_.lanes - 1) / loop_.lanes * loop_.lanes; }
    std::size_t arity() const { return term_size(force_); }

    bool is_periodic() const {
        if constexpr (requires { force_.periodic; })
            return force_.periodic;
        else
            return false;
    }

    void add_derivatives(HostState& host) const {
        for (std::size_t p = 0; p < wanted_.size(); ++p) {
            if (!wanted_[p]) continue;
            double& sum = host.parameter_derivatives[std::string(parameter_names<F>(formula_)[p])];
            for (std::size_t n = p; n < slopes_.size(); n += wanted_.size()) sum += slopes_[n];
        }
    }

    F force_;
    FormulaOf<F> formula_;
    int index_;
    std::vector<bool> wanted_;
    TermFunction<F> loop_ = TermLoop<F, Arch>::function();
    std::size_t list_ = 0;  // of slots
    std::vector<std::int32_t> particles_;  // [batch][index in the term][lane]
    std::vector<double> numbers_;          // [batch][field][lane]
    std::vector<double> energies_;         // by task
    std::vector<double> slopes_;           // [task][global parameter]
};

}  // namespace trotter::cpu
