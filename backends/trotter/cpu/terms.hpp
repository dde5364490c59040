// Forces that are sums of terms, in SIMD batches over threads.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include <trotter/forces/term_value.hpp>
#include <trotter/forces/terms_check.hpp>
#include <trotter/request.hpp>

#include <trotter/cpu/arch.hpp>
#include <trotter/cpu/pack_functions.hpp>
#include <trotter/cpu/term_forces.hpp>
#include <trotter/host/engine.hpp>

namespace trotter::cpu {

/// What terms are compiled for: the instruction set of the including file, unless the type names another.
template <class Arch> using TermArch = std::conditional_t<std::same_as<Arch, RuntimeArch>, xsimd::default_arch, Arch>;

template <class Formula, class T>
concept TakesBatches = std::same_as<Formula, RuntimeFormula> ||
    requires(Formula const& formula, std::array<T, Formula::names().size()> const& arguments) {
    formula.template energy_and_slopes<T>(arguments);
};

/// A number for each of several terms. Terms are few, and stiff ones amplify rounding: they are computed in double in
/// every precision.
template <class Arch, class Formula>
using TermNumber =
    std::conditional_t<TakesBatches<Formula, Pack<double, Arch, 1>>, Pack<double, Arch, 1>, double>;

template <class T> inline constexpr std::size_t lanes_of = [] {
    if constexpr (std::is_arithmetic_v<T>) return std::size_t{1};
    else return T::size;
}();

/// The terms of one force. A formula that takes no batches (a table) is evaluated term by term.
template <HasTerms F, class Arch> class Terms {
    using T = TermNumber<Arch, FormulaOf<F>>;
    static constexpr std::size_t lanes = lanes_of<T>, batches_per_task = 32;

public:
    [[gnu::cold]] Terms(F const& force, HostEngine& host, TermForces<Arch>& forces)
        : force_(force), formula_(checked_formula(force, host.particles.count())), index_(host.next_force),
          wanted_(wanted_derivatives(force, formula_)) {
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
        std::size_t const batches = (term_count() + lanes - 1) / lanes;
        auto const tasks = static_cast<int>((batches + batches_per_task - 1) / batches_per_task);
        auto const values = parameter_values<F>(formula_, host.parameters);
        auto parameters = zeros<FormulaParameters<F, T>>(values.size());
        for (std::size_t n = 0; n < values.size(); ++n) parameters[n] = T(values[n]);
        Sums const none{0, zeros<FormulaParameters<F, double>>(values.size())};
        sums_.assign(static_cast<std::size_t>(tasks), none);
        host.threads.run(tasks, [&](int task) {
            auto const begin = static_cast<std::size_t>(task) * batches_per_task;
            TermEvaluator<F, T> evaluate(formula_);
            Sums sums = none;
            for (std::size_t batch = begin; batch < std::min(begin + batches_per_task, batches); ++batch)
                compute_batch(batch, host, forces, evaluate, parameters, sums);
            sums_[static_cast<std::size_t>(task)] = sums;
        });
        return total(host, request);
    }

private:
    struct Sums {
        double energy = 0;
        FormulaParameters<F, double> slopes{};
    };

    [[gnu::cold]] void read_numbers() {
        particles_.clear();
        for (auto const& term : force_.*F::terms)
            for (int const particle : particles_of<F>(term)) particles_.push_back(particle);
        std::size_t const batches = (term_count() + lanes - 1) / lanes;
        numbers_.assign(batches * lanes * field_count(force_), 0);
        for (std::size_t n = 0; n < batches * lanes; ++n) {
            auto const fields = fields_of<F>((force_.*F::terms)[std::min(n, term_count() - 1)]);
            for (std::size_t field = 0; field < fields.size(); ++field)
                numbers_[(n / lanes * fields.size() + field) * lanes + n % lanes] = fields[field];
        }
    }

    std::size_t term_count() const { return (force_.*F::terms).size(); }
    std::size_t arity() const { return term_size(force_); }

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

    // Lanes beyond the last term repeat it; their results are not used.
    struct Geometry {
        HostEngine const& host;
        std::span<int const> particles;
        std::size_t terms, arity;
        bool is_periodic;

        Vec3<> const& at(std::size_t lane, int n) const {
            return host.positions[static_cast<std::size_t>(particles[std::min(lane, terms - 1) * arity + static_cast<std::size_t>(n)])];
        }
        template <class VectorOf> static Vec3<T> for_lanes(VectorOf const& vector_of) {
            std::array<double, lanes> x, y, z;
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                Vec3<> const v = vector_of(lane);
                x[lane] = v.x, y[lane] = v.y, z[lane] = v.z;
            }
            return {load(x.data()), load(y.data()), load(z.data())};
        }
        Vec3<T> position(int n) const {
            return for_lanes([&](std::size_t lane) { return at(lane, n); });
        }
        Vec3<T> nearest_image(Vec3<T> const& d) const {
            std::array<std::array<double, lanes>, 3> lane_of;
            store(d.x, lane_of[0].data()), store(d.y, lane_of[1].data()), store(d.z, lane_of[2].data());
            return for_lanes([&](std::size_t lane) {
                return host.box.minimum_image(Vec3<>{lane_of[0][lane], lane_of[1][lane], lane_of[2][lane]});
            });
        }
        Vec3<T> operator()(int i, int j) const {
            return for_lanes([&](std::size_t lane) {
                Vec3<> const d = at(lane, i) - at(lane, j);
                return is_periodic ? host.box.minimum_image(d) : d;
            });
        }
    };

    void compute_batch(std::size_t batch, HostEngine const& host, TermForces<Arch>& forces,
                       TermEvaluator<F, T>& evaluate, FormulaParameters<F, T> const& parameters, Sums& sums) const {
        std::size_t const first = batch * lanes, count = std::min(lanes, term_count() - first), arity = this->arity();
        auto fields = zeros<TermFields<F, T>>(field_count(force_));
        for (std::size_t field = 0; field < fields.size(); ++field)
            fields[field] = load(&numbers_[(batch * fields.size() + field) * lanes]);
        Geometry const geometry{host, std::span(particles_).subspan(first * arity, count * arity), count, arity, is_periodic()};
        auto const& value = evaluate(geometry, fields, parameters);

        auto each_lane = [&](T const& number, auto const& use) {
            std::array<double, lanes> lane;
            store(number, lane.data());
            for (std::size_t n = 0; n < count; ++n) use(n, lane[n]);
        };
        each_lane(value.energy, [&](std::size_t, double energy) { sums.energy += energy; });
        for (std::size_t p = 0; p < parameters.size(); ++p)
            each_lane(value.parameter_slopes[p], [&](std::size_t, double slope) { sums.slopes[p] += slope; });
        for (std::size_t p = 0; p < arity; ++p) {
            Vec3<>* const slots = forces.slot(first_slot_ + first * arity + p);
            each_lane(value.gradient[p].x, [&](std::size_t n, double g) { slots[n * arity].x = -g; });
            each_lane(value.gradient[p].y, [&](std::size_t n, double g) { slots[n * arity].y = -g; });
            each_lane(value.gradient[p].z, [&](std::size_t n, double g) { slots[n * arity].z = -g; });
        }
    }

    double total(HostEngine& host, Request const& request) const {
        Sums all{0, zeros<FormulaParameters<F, double>>(wanted_.size())};
        for (auto const& sums : sums_) {
            all.energy += sums.energy;
            for (std::size_t p = 0; p < all.slopes.size(); ++p) all.slopes[p] += sums.slopes[p];
        }
        if (request.parameter_derivatives)
            for (std::size_t p = 0; p < all.slopes.size(); ++p)
                if (wanted_[p])
                    host.parameter_derivatives[std::string(parameter_names<F>(formula_)[p])] += all.slopes[p];
        return all.energy;
    }

    F force_;
    FormulaOf<F> formula_;
    int index_;
    std::vector<bool> wanted_;
    std::size_t first_slot_ = 0;
    std::vector<int> particles_;   // of term after term
    std::vector<double> numbers_;  // [batch][field][lane]
    std::vector<Sums> sums_;       // by task
};

}  // namespace trotter::cpu
