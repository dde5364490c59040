// Generates kernel source from a CustomIntegrator's formulas.
// SPDX-License-Identifier: MIT
#include <map>

#include <trotter/device/integration/custom/custom_text.hpp>
#include <trotter/device/text/table_text.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/expression/source.hpp>

namespace trotter::device {

CustomText::CustomText(Tables const& tables, NumberTypes const& types)
    : tables_(tables),
      style_{"coordinate", "temp", types.coordinate_suffix()},
      statements_(style_.prefix, style_.suffix, style_.real) {}
void CustomText::assign(VariableRef const& target, BoundFormula const& formula) {
    auto const value = value_of(formula);
    values_[key(target)] = value;
    assigned_.insert(key(target));
}
void CustomText::add_up(BoundFormula const& formula) {
    auto const value = value_of(formula);
    statements_.add("sums[atom] = " + value[0] + " + " + value[1] + " + " + value[2] + ';');
}
bool CustomText::assigns_variables() const {
    for (auto const& one : assigned_)
        if (one.first == VariableRef::Kind::per_dof) return true;
    return false;
}
std::string CustomText::kernel(std::string const& name) const {
    return "KERNEL void " + name + '(' + parameters
           + ") {\nif (GLOBAL_ID == 0 && forces[3*PADDED_NUM_ATOMS] != 0)\n"
             "failures[0] = (int) forces[3*PADDED_NUM_ATOMS];\n"
             "for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {\n"
             "const mixed4 stored = velocities[atom];\nif (stored.w == 0) continue;\n"
           + statements_.text() + stores() + "}\n}\n";
}
CustomText::Components CustomText::vector(std::string const& right_hand_side) {
    auto const& name = statements_.name(right_hand_side, "3");
    return {name + ".x", name + ".y", name + ".z"};
}
std::string CustomText::element(Key const& variable, std::size_t axis) {
    auto const row = 3 * static_cast<std::size_t>(variable.second) + axis;
    return "variables[" + std::to_string(row) + "*PADDED_NUM_ATOMS + atom]";
}
CustomText::Components CustomText::value_of(BoundFormula const& formula) {
    std::vector<Components> arguments;
    for (auto const& variable : formula.variables) arguments.push_back(value_at(variable));
    std::map<int, Components> results;
    auto const unit = formula.expression.unit();
    return result_of(unit.outputs[0], unit, arguments, results);
}
CustomText::Components CustomText::value_at(VariableRef const& variable) {
    using Kind = VariableRef::Kind;
    auto const draw = [this] { return "seed, stream, draw + " + std::to_string(draws_++) + ", atom)"; };
    if (variable.kind == Kind::uniform) return vector("uniforms(" + draw());
    if (variable.kind == Kind::gaussian) return vector("gaussians(" + draw());
    if (auto const known = values_.find(key(variable)); known != values_.end()) return known->second;
    switch (variable.kind) {
        case Kind::position:
            return vector("trimTo3(positions[atom])");
        case Kind::velocity:
            return vector("make_coordinate3(stored.x, stored.y, stored.z)");
        case Kind::mass:
            return same(statements_.name("masses[atom]"));
        case Kind::force:
            return vector(force(std::to_string(variable.index)));
        case Kind::per_dof:
            return {statements_.name(element(key(variable), 0)), statements_.name(element(key(variable), 1)),
                    statements_.name(element(key(variable), 2))};
        default:
            return same(number(variable));
    }
}
std::string CustomText::force(std::string const& set) {
    return "force_on(set_in_engine == " + set + " ? forces : kept + 3*" + set + "*PADDED_NUM_ATOMS, atom)";
}
std::string CustomText::number(VariableRef const& variable) {
    std::size_t n = 0;
    auto const is_same = [&](VariableRef const& other) {
        return key(other) == key(variable) && other.name == variable.name;
    };
    while (n < numbers_.size() && !is_same(numbers_[n])) ++n;
    if (n == numbers_.size()) numbers_.push_back(variable);
    return "numbers[" + std::to_string(n) + ']';
}
CustomText::Components CustomText::result_of(int instruction, expression::UnitView const& unit,
                                             std::vector<Components> const& arguments,
                                             std::map<int, Components>& results) {
    if (instruction < 0) return {};
    if (auto const known = results.find(instruction); known != results.end()) return known->second;
    using expression::Op;
    auto const& [op, a, b, c, value] = unit.code[static_cast<std::size_t>(instruction)];
    auto const at = [&](int other) { return result_of(other, unit, arguments, results); };
    Components result;
    if (op == Op::constant)
        result = same(statements_.constant(value));
    else if (op == Op::variable)
        result = arguments[static_cast<std::size_t>(a)];
    else if (op == Op::custom) {
        std::vector<Components> operands;
        for (int k = 0; k < c; ++k) operands.push_back(at(unit.calls[static_cast<std::size_t>(b + k)].operand));
        result = call(static_cast<std::size_t>(a), operands);
    } else {
        auto const x = at(a), y = at(b), z = at(c);
        for (std::size_t axis = 0; axis < 3; ++axis)
            result[axis] = statements_.name(expression::right_hand_side(op, x[axis], y[axis], z[axis], style_));
    }
    return results[instruction] = result;
}
CustomText::Components CustomText::call(std::size_t function, std::vector<Components> const& operands) {
    if (function >= tables_.count())
        return vector_call(static_cast<VectorFunction>(function - tables_.count()), operands);
    auto const& shape = tables_.shape(function);
    Components result;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<std::string> of_axis;
        for (auto const& operand : operands) of_axis.push_back(operand[axis]);
        result[axis] = statements_.name(table_call(shape, style_.real, "tables", of_axis), "4") + ".x";
    }
    return result;
}
CustomText::Components CustomText::vector_call(VectorFunction function, std::vector<Components> const& operands) {
    auto const& a = operands.front();
    auto const& b = operands[operands.size() > 1 ? 1 : 0];
    auto const crossed = [&](std::size_t k, std::size_t l) {
        return statements_.name(a[k] + '*' + b[l] + " - " + a[l] + '*' + b[k]);
    };
    switch (function) {
        case VectorFunction::cross:
            return {crossed(1, 2), crossed(2, 0), crossed(0, 1)};
        case VectorFunction::dot:
            return same(statements_.name(a[0] + '*' + b[0] + " + " + a[1] + '*' + b[1] + " + " + a[2] + '*' + b[2]));
        case VectorFunction::vector:
            return {a[0], b[1], operands[2][2]};
        case VectorFunction::x:
            return same(a[0]);
        case VectorFunction::y:
            return same(a[1]);
        case VectorFunction::z:
            return same(a[2]);
    }
    return {};
}
std::string CustomText::stores() const {
    std::string result;
    for (auto const& target : assigned_) {
        auto const& value = values_.at(target);
        std::string const list = value[0] + ", " + value[1] + ", " + value[2];
        if (target.first == VariableRef::Kind::position)
            result += "const coordinate4 moved = make_coordinate4(" + list + ", 0);\npositions[atom] = moved;\n"
                      "if (!(fabs(moved.x) + fabs(moved.y) + fabs(moved.z) < 1e30f)) failures[0] = atom + 1;\n";
        else if (target.first == VariableRef::Kind::velocity)
            result += "const coordinate3 v = make_coordinate3(" + list + ");\n"
                      "velocities[atom] = make_mixed4((mixed) v.x, (mixed) v.y, (mixed) v.z, stored.w);\n";
        else
            for (std::size_t axis = 0; axis < 3; ++axis) result += element(target, axis) + " = " + value[axis] + ";\n";
    }
    return result;
}

}  // namespace trotter::device
