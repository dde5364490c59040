// The loop over terms of a force, in batches of as many as a register of doubles has lanes.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <trotter/box.hpp>
#include <trotter/parts/terms/term_value.hpp>

#include <trotter/cpu/arch.hpp>
#include <trotter/cpu/simd/pack_functions.hpp>

namespace trotter::cpu {

/// The loop's input, and the slots for the forces. The last batch is padded with copies of the last term, which have
/// their own slots.
struct TermView {
    Vec3<> const* positions;
    Box box;
    bool is_periodic;
    std::size_t arity, fields, parameter_count;
    std::int32_t const* particles;  ///< [batch][index in the term][lane]
    double const* numbers;          ///< [batch][field][lane]
    double const* parameters;       ///< global parameters of the formula
    Vec3<>* slots;                  ///< [term][index in the term]
};

/// The interface of a compiled term loop.
template <HasTerms F> struct TermFunction {
    std::size_t lanes;  ///< of its batches
    /// Writes the forces of the terms begin … end - 1; adds their derivatives by the global parameters to `slopes`;
    /// returns their energy. `begin` is the first term of a batch.
    double (*run)(FormulaOf<F> const&, TermView const&, std::size_t begin, std::size_t end, double* slopes);
};

template <class Formula, class T>
concept TakesBatches = std::same_as<Formula, RuntimeFormula> || requires(
    Formula const& formula, std::array<T, Formula::names().size()> const& arguments) {
    formula.template energy_and_slopes<T>(arguments);
};

/// Evaluates terms in double in every precision: they are few, and stiff ones amplify rounding. A formula that takes no
/// batches (a table) is evaluated term by term. For compile-time formulas no standard containers are used, as in
/// `Loops`.
template <HasTerms F, class Arch> class TermLoop {
    using P = Pack<double, Arch, 1>;
    using T = std::conditional_t<TakesBatches<FormulaOf<F>, P>, P, double>;
    static constexpr std::size_t lanes = sizeof(T) / sizeof(double);

public:
    static constexpr TermFunction<F> function() { return {lanes, &run}; }

private:
    static double run(FormulaOf<F> const& formula, TermView const& view, std::size_t begin, std::size_t end,
                      double* slopes) {
        TermEvaluator<F, T> evaluate(formula);
        auto parameters = zeros<FormulaParameters<F, T>>(view.parameter_count);
        for (std::size_t p = 0; p < parameters.size(); ++p) parameters[p] = T(view.parameters[p]);
        auto fields = zeros<TermFields<F, T>>(view.fields);
        double energy = 0;
        for (std::size_t first = begin; first < end; first += lanes) {
            double const* const numbers = view.numbers + first * fields.size();
            for (std::size_t n = 0; n < fields.size(); ++n) fields[n] = load(numbers + n * lanes);
            auto const& value = evaluate(Geometry(view, first), fields, parameters);
            std::size_t const count = end - first < lanes ? end - first : lanes;
            add(value.energy, count, energy);
            for (std::size_t p = 0; p < parameters.size(); ++p) add(value.parameter_slopes[p], count, slopes[p]);
            write_forces(value.gradient, view.slots + first * value.gradient.size());
        }
        return energy;
    }

    static T load(double const* numbers) {
        if constexpr (lanes == 1)
            return *numbers;
        else
            return T::load_unaligned(numbers);
    }
    static void store(T const& x, double* numbers) {
        if constexpr (lanes == 1)
            *numbers = x;
        else
            x.store_unaligned(numbers);
    }
    static void add(T const& x, std::size_t count, double& sum) {
        double numbers[lanes];
        store(x, numbers);
        for (std::size_t lane = 0; lane < count; ++lane) sum += numbers[lane];
    }
    /// `number(lane)` in each lane, put directly into the register, not through memory.
    template <class Number> [[gnu::always_inline]] static T each_lane(Number const& number) {
        return each_lane(number, std::make_index_sequence<lanes>{});
    }
    template <class Number, std::size_t... lane>
    [[gnu::always_inline]] static T each_lane(Number const& number, std::index_sequence<lane...>) {
        if constexpr (lanes == 1)
            return number(std::size_t{0});
        else
            return typename T::B(typename T::B::register_type{number(lane)...});
    }

    class Geometry {
    public:
        bool is_periodic;

        [[gnu::always_inline]] Geometry(TermView const& view, std::size_t first)
            : is_periodic(view.is_periodic), box_(view.box), positions_(zeros<ForTerm<F, Vec3<T>>>(view.arity)) {
            std::int32_t const* particles = view.particles + first * positions_.size();
            for (std::size_t n = 0; n < positions_.size(); ++n, particles += lanes) {
                positions_[n].x = each_lane([&](std::size_t lane) { return view.positions[particles[lane]].x; });
                positions_[n].y = each_lane([&](std::size_t lane) { return view.positions[particles[lane]].y; });
                positions_[n].z = each_lane([&](std::size_t lane) { return view.positions[particles[lane]].z; });
            }
        }
        Vec3<T> const& position(int n) const { return positions_[static_cast<std::size_t>(n)]; }
        Vec3<T> nearest_image(Vec3<T> const& d) const { return box_.minimum_image(d); }
        Vec3<T> operator()(int i, int j) const {
            Vec3<T> const d = position(i) - position(j);
            return is_periodic ? nearest_image(d) : d;
        }

    private:
        Box const& box_;
        ForTerm<F, Vec3<T>> positions_;
    };

    template <class Gradient> static void write_forces(Gradient const& gradient, Vec3<>* slots) {
        std::size_t const arity = gradient.size();
        for (std::size_t n = 0; n < arity; ++n) {
            double x[lanes], y[lanes], z[lanes];
            store(-gradient[n].x, x), store(-gradient[n].y, y), store(-gradient[n].z, z);
            for (std::size_t lane = 0; lane < lanes; ++lane) slots[lane * arity + n] = {x[lane], y[lane], z[lane]};
        }
    }
};

/// Compiled for the instruction set of the including file; the forces of a `TermTable` use the one chosen at run time.
template <HasTerms F> class TermLoop<F, DynamicDispatch> {
public:
    static constexpr TermFunction<F> function() { return TermLoop<F, FileArch<DynamicDispatch>>::function(); }
};

}  // namespace trotter::cpu
