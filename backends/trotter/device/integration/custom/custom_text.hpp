// Generates kernel source from a CustomIntegrator's formulas: consecutive per-DOF computations, particle by particle.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <trotter/common/integration/custom/custom_program.hpp>
#include <trotter/device/runtime/numbers.hpp>
#include <trotter/device/text/traced.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter::device {

/// The body of a loop over the particle `atom`, in single-assignment form: each computed value has its own name, and
/// variables are stored in memory at the end.
class CustomText {
    using VariableRef = custom_integrator::VariableRef;
    using BoundFormula = custom_integrator::BoundFormula;
    using VectorFunction = custom_integrator::VectorFunction;

public:
    CustomText(Tables const& tables, NumberTypes const& types);

    /// Parameters of all kernels: state, per-DOF variables, sums, global values, and random stream.
    static constexpr char const* parameters =
        "GLOBAL coordinate4* RESTRICT positions, GLOBAL mixed4* RESTRICT velocities, GLOBAL const mm_long* forces, "
        "GLOBAL const mm_long* kept, int set_in_engine, GLOBAL const coordinate* RESTRICT masses, "
        "GLOBAL coordinate* RESTRICT variables, GLOBAL coordinate* RESTRICT sums, "
        "GLOBAL const coordinate* RESTRICT numbers, GLOBAL const coordinate4* RESTRICT tables, "
        "GLOBAL int* RESTRICT failures, mm_ulong seed, uint stream, mm_ulong draw";

    void assign(VariableRef const& target, BoundFormula const& formula);
    /// Stores the sum of three components.
    void add_up(BoundFormula const& formula);

    /// Global values that the source reads from `numbers`, in order, and its number of random draws.
    std::vector<VariableRef> const& numbers() const { return numbers_; }
    std::uint64_t draws() const { return draws_; }
    bool moves() const { return assigned_.contains({VariableRef::Kind::position, 0}); }
    bool assigns_variables() const;

    std::string kernel(std::string const& name) const;

private:
    using Key = std::pair<VariableRef::Kind, int>;
    using Components = std::array<std::string, 3>;

    static Key key(VariableRef const& variable) { return {variable.kind, variable.index}; }
    static Components same(std::string const& text) { return {text, text, text}; }
    Components vector(std::string const& right_hand_side);
    static std::string element(Key const& variable, std::size_t axis);

    Components value_of(BoundFormula const& formula);
    Components value_at(VariableRef const& variable);
    static std::string force(std::string const& set);
    std::string number(VariableRef const& variable);

    /// Returns an instruction's result, writing all operands first. Results equal for all components are computed once,
    /// since `Statements` writes nothing twice.
    Components result_of(int instruction, expression::UnitView const& unit, std::vector<Components> const& arguments,
                         std::map<int, Components>& results);
    Components call(std::size_t function, std::vector<Components> const& operands);
    Components vector_call(VectorFunction function, std::vector<Components> const& operands);

    std::string stores() const;

    Tables const& tables_;
    expression::SourceStyle style_;
    Statements statements_;
    std::map<Key, Components> values_;  // of assigned variables
    std::set<Key> assigned_;
    std::vector<VariableRef> numbers_;
    std::uint64_t draws_ = 0;
};

}  // namespace trotter::device
