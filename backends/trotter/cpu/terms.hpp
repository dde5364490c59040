// Forces that are sums of terms, in SIMD batches over threads.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <vector>

#include <xsimd/xsimd.hpp>

#include <trotter/forces/terms.hpp>
#include <trotter/request.hpp>

#include <trotter/cpu/arch.hpp>
#include <trotter/cpu/term_forces.hpp>
#include <trotter/host/engine.hpp>

namespace trotter::cpu {

/// What terms are compiled for: the instruction set of the including file, unless the type names another.
template <class Arch> using TermArch = std::conditional_t<std::same_as<Arch, RuntimeArch>, xsimd::default_arch, Arch>;

template <class Formula, class T>
concept TakesBatches = requires(Formula const& formula, std::array<T, Formula::names().size()> const& arguments) {
    formula.template energy_and_slopes<T>(arguments);
};

/// A number for each of several terms. Terms are few, and stiff ones amplify rounding: they are computed in double in
/// every precision.
template <class Arch, class Formula>
using TermNumber =
    std::conditional_t<TakesBatches<Formula, xsimd::batch<double, Arch>>, xsimd::batch<double, Arch>, double>;

template <class T> inline constexpr std::size_t lanes_of = [] {
    if constexpr (std::is_arithmetic_v<T>) return std::size_t{1};
    else return T::size;
}();

/// The terms of one force. A formula that takes no batches (a table) is evaluated term by term.
template <HasTerms F, class Arch> class Terms {
    using T = TermNumber<Arch, FormulaOf<F>>;
    static constexpr std::size_t lanes = lanes_of<T>, arity = particles_per_term<F>, batches_per_task = 32;

public:
    [[gnu::cold]] Terms(F const& force, HostEngine& host, TermForces<Arch>& forces)
        : force_(force), formula_(checked_formula(force, host.particles.count())), index_(host.next_force),
          wanted_(wanted_derivatives(force)) {
        declare_parameters(force, host.parameters, host.parameter_derivatives);
        std::vector<int> slots;
        for (auto const& term : force.*F::terms)
            for (int const particle : particles_of<F>(term)) slots.push_back(particle);
        first_slot_ = forces.add_slots(slots);
        read_numbers();
    }

    void update(F const& force, HostEngine const& host) {
        check_same_terms(force_, force);
        formula_ = checked_formula(force, host.particles.count());
        force_ = force;
        read_numbers();
    }

    /// Writes the forces of all terms to their slots; returns the energy.
    double compute(HostEngine& host, TermForces<Arch>& forces, Request const& request) {
        if (!request.wants(index_, force_.force_group)) return 0;
        std::size_t const batches = (particles_.size() + lanes - 1) / lanes;
        auto const tasks = static_cast<int>((batches + batches_per_task - 1) / batches_per_task);
        sums_.assign(static_cast<std::size_t>(tasks), Sums{});
        auto const parameters = parameter_values<F>(host.parameters);
        host.threads.run(tasks, [&](int task) {
            auto const begin = static_cast<std::size_t>(task) * batches_per_task;
            Sums sums;
            for (std::size_t batch = begin; batch < std::min(begin + batches_per_task, batches); ++batch)
                compute_batch(batch, host, forces, parameters, sums);
            sums_[static_cast<std::size_t>(task)] = sums;
        });
        return total(host, request);
    }

private:
    struct Sums {
        double energy = 0;
        std::array<double, parameters_per_force<F>> slopes{};
    };

    [[gnu::cold]] void read_numbers() {
        particles_.clear();
        for (auto const& term : force_.*F::terms) particles_.push_back(particles_of<F>(term));
        std::size_t const batches = (particles_.size() + lanes - 1) / lanes;
        numbers_.assign(batches * lanes * fields_per_term<F>, 0);
        for (std::size_t n = 0; n < batches * lanes; ++n) {
            auto const fields = fields_of<F>((force_.*F::terms)[std::min(n, particles_.size() - 1)]);
            for (std::size_t field = 0; field < fields.size(); ++field)
                numbers_[(n / lanes * fields.size() + field) * lanes + n % lanes] = fields[field];
        }
    }

    static T load(double const* lane) {
        if constexpr (lanes == 1) return *lane;
        else return T::load_unaligned(lane);
    }
    static void store(T const& value, double* lane) {
        if constexpr (lanes == 1) *lane = value;
        else value.store_unaligned(lane);
    }

    bool is_periodic() const {
        if constexpr (requires { force_.periodic; }) return force_.periodic;
        else return false;
    }

    void compute_batch(std::size_t batch, HostEngine const& host, TermForces<Arch>& forces,
                       std::array<double, parameters_per_force<F>> const& parameters, Sums& sums) const {
        std::size_t const first = batch * lanes, count = std::min(lanes, particles_.size() - first);
        // Lanes beyond the last term repeat it; their results are not used.
        auto term = [&](std::size_t lane) { return first + std::min(lane, count - 1); };
        auto difference = [&](int i, int j) {
            std::array<double, lanes> x, y, z;
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                auto const& particles = particles_[term(lane)];
                Vec3<> d = host.positions[static_cast<std::size_t>(particles[static_cast<std::size_t>(i)])]
                           - host.positions[static_cast<std::size_t>(particles[static_cast<std::size_t>(j)])];
                if (is_periodic()) d = host.box.minimum_image(d);
                x[lane] = d.x, y[lane] = d.y, z[lane] = d.z;
            }
            return Vec3<T>{load(x.data()), load(y.data()), load(z.data())};
        };
        std::array<T, fields_per_term<F>> fields;
        for (std::size_t field = 0; field < fields.size(); ++field)
            fields[field] = load(&numbers_[(batch * fields.size() + field) * lanes]);
        std::array<T, parameters_per_force<F>> broadcast;
        for (std::size_t n = 0; n < broadcast.size(); ++n) broadcast[n] = T(parameters[n]);
        auto const value = evaluate_term<F, T>(formula_, difference, fields, broadcast);

        auto each_lane = [&](T const& number, auto const& use) {
            std::array<double, lanes> lane;
            store(number, lane.data());
            for (std::size_t n = 0; n < count; ++n) use(n, lane[n]);
        };
        each_lane(value.energy, [&](std::size_t, double energy) { sums.energy += energy; });
        for (std::size_t p = 0; p < broadcast.size(); ++p)
            each_lane(value.parameter_slopes[p], [&](std::size_t, double slope) { sums.slopes[p] += slope; });
        for (std::size_t p = 0; p < arity; ++p) {
            Vec3<>* const slots = forces.slot(first_slot_ + first * arity + p);
            each_lane(value.gradient[p].x, [&](std::size_t n, double g) { slots[n * arity].x = -g; });
            each_lane(value.gradient[p].y, [&](std::size_t n, double g) { slots[n * arity].y = -g; });
            each_lane(value.gradient[p].z, [&](std::size_t n, double g) { slots[n * arity].z = -g; });
        }
    }

    double total(HostEngine& host, Request const& request) const {
        Sums all;
        for (auto const& sums : sums_) {
            all.energy += sums.energy;
            for (std::size_t p = 0; p < all.slopes.size(); ++p) all.slopes[p] += sums.slopes[p];
        }
        if (request.parameter_derivatives)
            for (std::size_t p = 0; p < all.slopes.size(); ++p)
                if (wanted_[p]) host.parameter_derivatives[std::string(parameter_names<F>()[p])] += all.slopes[p];
        return all.energy;
    }

    F force_;
    FormulaOf<F> formula_;
    int index_;
    std::array<bool, parameters_per_force<F>> wanted_;
    std::size_t first_slot_ = 0;
    std::vector<std::array<int, arity>> particles_;
    std::vector<double> numbers_;  // [batch][field][lane]
    std::vector<Sums> sums_;       // by task
};

}  // namespace trotter::cpu
