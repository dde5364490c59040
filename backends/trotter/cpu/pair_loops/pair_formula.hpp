// The interaction of a register of pairs by a compile-time formula.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <trotter/cpu/pair_loops/pair_loop.hpp>
#include <trotter/cpu/simd/pack_functions.hpp>
#include <trotter/expression/expression.hpp>
#include <trotter/parts/pairs/pair_units.hpp>
#include <trotter/parts/pairs/pairs.hpp>
#include <trotter/physics/pair_energies.hpp>

namespace trotter::cpu {

/// The per-pair part of a formula as a compile-time constant.
template <std::size_t capacity> struct FixedPairUnit {
    expression::FixedUnit<capacity> code;  ///< outputs: energy and slope
    std::array<expression::Leaf, expression::FixedUnit<capacity>::most_names> leaves{};
    std::size_t leaf_count = 0, column_count = 0, value_count = 0;
};

template <HasPairs F, std::size_t capacity> consteval FixedPairUnit<capacity> fixed_pair_unit() {
    using Formula = decltype(F::energy);
    constexpr auto own = detail::field_names(F::fields);
    auto const globals = global_names(Formula::names(), own);
    auto const units =
        expression::compile_pair(Formula::formula(), pair_roles(globals, own), static_cast<int>(own.size()), {}, true);
    FixedPairUnit<capacity> result;
    result.code.size = units.pair.code.size();
    result.code.name_count = units.leaves.size();
    if (!result.code.fits()) return result;
    for (std::size_t i = 0; i < units.pair.code.size(); ++i) result.code.code[i] = units.pair.code[i];
    for (std::size_t i = 0; i < units.pair.outputs.size(); ++i) result.code.outputs[i] = units.pair.outputs[i];
    for (std::size_t i = 0; i < units.leaves.size(); ++i) result.leaves[i] = units.leaves[i];
    result.leaf_count = units.leaves.size();
    result.column_count = units.columns.outputs.size();
    result.value_count = units.values.outputs.size();
    return result;
}
template <HasPairs F, std::size_t capacity = 64> consteval auto smallest_pair_unit() {
    constexpr auto unit = fixed_pair_unit<F, capacity>();
    if constexpr (unit.code.fits())
        return unit;
    else
        return smallest_pair_unit<F, 4 * capacity>();
}
template <HasPairs F> inline constexpr auto pair_unit_of = smallest_pair_unit<F>();
template <HasPairs F> inline constexpr auto pair_code_of = pair_unit_of<F>.code;  // a complete object for clang

/// The cutoff and the switching function of a force. `Arch` keeps symbols of different instruction sets apart.
template <class Real, class Arch> struct PairSwitch {
    Real cutoff2 = 0, start = 0, inverse_width = 0;

    explicit PairSwitch(PairSettings const& settings) {
        // Without a cutoff, still nearer than unused slots.
        double const cutoff = settings.uses_cutoff() ? settings.cutoff_distance : 1e14;
        cutoff2 = static_cast<Real>(cutoff * cutoff);
        if (!settings.is_switched()) return;
        start = static_cast<Real>(settings.switching_distance);
        inverse_width = static_cast<Real>(1 / (cutoff - settings.switching_distance));
    }
};

/// Per-particle parameters are the formula's columns.
template <HasPairs F, class Real, class Arch, bool is_switched, bool energies> struct FormulaPair {
    static constexpr auto const& unit = pair_unit_of<F>;
    static constexpr bool with_energy = energies, has_forces = true, has_sums = false, has_charges = false;
    static constexpr int parameter_count = static_cast<int>(unit.column_count);
    template <class T> struct Result { T force_over_r, energy; };

    PairSwitch<Real, Arch> switching;
    std::array<Real, unit.value_count + 1> values{};
    Real cutoff2;

    FormulaPair(PairSwitch<Real, Arch> const& s, double const* numbers) : switching(s), cutoff2(s.cutoff2) {
        for (std::size_t n = 0; n < unit.value_count; ++n) values[n] = static_cast<Real>(numbers[n]);
    }

    template <PairKind, class T, class M = typename T::M, int count>
    [[gnu::always_inline]] Result<T> evaluate(T const& r2, T const& inverse, PairParameters<T, count> const& i,
                                              PairParameters<T, count> const& j, M const& interacting, M const&) const {
        T arguments[expression::first_leaf_variable + unit.leaf_count + 1];
        arguments[expression::distance_variable] = r2 * inverse;
        arguments[expression::inverse_variable] = inverse;
        arguments[expression::square_variable] = r2;
        unroll<static_cast<int>(unit.leaf_count)>([&](auto n) __attribute__((always_inline)) {
            constexpr auto leaf = unit.leaves[static_cast<std::size_t>(n)];
            T& to = arguments[expression::first_leaf_variable + n];
            if constexpr (leaf.role == expression::Role::particle1)
                to = i.p[leaf.index];
            else if constexpr (leaf.role == expression::Role::particle2)
                to = j.p[leaf.index];
            else
                to = T(values[leaf.index]);
        });
        constexpr std::array outputs{unit.code.outputs[0], unit.code.outputs[1]};
        auto const [energy, slopes] = expression::UnitRunner<pair_code_of<F>>::template run<T, outputs>(arguments);
        PairValue<T> value{energy, -slopes[0]};
        if constexpr (is_switched)
            value = switched<T>(value, r2 * inverse, T(switching.start), T(switching.inverse_width));
        Result<T> result;
        if constexpr (with_energy) result.energy = keep(interacting, value.energy);
        result.force_over_r = keep(interacting, value.virial * (inverse * inverse));
        return result;
    }
};

}  // namespace trotter::cpu
