// Generates kernel source for a pair from the formula of its force.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <trotter/device/pairs/pair_forces.hpp>
#include <trotter/device/text/traced.hpp>
#include <trotter/expression/source.hpp>
#include <trotter/physics/pair_energies.hpp>

namespace trotter::device {

std::string pair_text(expression::PairUnits const& units, Tables const& tables, PairSettings const& settings,
                      ColumnPacking const& packing, std::string const& suffix) {
    using expression::Role;
    std::vector<std::string> arguments{"r", "invR", "r2"}, targets{"const real pairEnergy", "const real pairSlope"};
    for (auto const& leaf : units.leaves)
        arguments.push_back(leaf.role == Role::global ? "value" + std::to_string(leaf.index)
                                                      : packing.text(static_cast<std::size_t>(leaf.index),
                                                                     leaf.role == Role::particle1 ? '1' : '2'));
    std::size_t const derivatives = units.pair.outputs.size() - 2;
    for (std::size_t n = 0; n < derivatives; ++n) targets.push_back("const real bySlope" + std::to_string(n));
    auto const call = [&](int table, std::span<std::string const> operands) {
        return pair_table_call(tables.shape(static_cast<std::size_t>(table)), operands, packing);
    };
    std::string const text = expression::source({units.pair.code, units.pair.outputs, units.pair.calls}, arguments,
                                                targets, {.suffix = suffix}, "=", call);

    Statements s("switch", suffix);
    auto const name = [&](std::string const& of) { return Traced{s, of}; };
    auto const weighted = [&](PairValue<Traced> const& pair) {
        if (!settings.is_switched()) return pair;
        double const start = settings.switching_distance;
        return switched<Traced>(pair, name("r"), Traced(start), Traced(1 / (settings.cutoff_distance - start)));
    };
    auto const value = weighted({name("pairEnergy"), -name("pairSlope")});
    s.add("tempEnergy += " + value.energy.name(s) + ";\ndEdR -= " + (value.virial * name("invR")).name(s) + ';');
    for (std::size_t n = 0; n < derivatives; ++n)
        s.add("derivative" + std::to_string(n)
              + " += " + weighted({name("bySlope" + std::to_string(n)), 0}).energy.name(s) + ';');
    return text + s.text();
}

}  // namespace trotter::device
