// Compiles a CustomIntegrator: resolves names, matches blocks, and finds the forces that each computation needs.
// SPDX-License-Identifier: MIT
#include <trotter/common/integration/custom/custom_program.hpp>

#include <algorithm>

#include <trotter/error.hpp>
#include <trotter/expression/runtime_expression.hpp>

namespace trotter::custom_integrator {
namespace {

using Kind = CustomIntegrator::Kind;

template <class List> int find_name(List const& list, std::string const& name) {
    auto const found = std::find_if(list.begin(), list.end(), [&](auto const& one) { return one.name == name; });
    return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

std::string quoted(std::string const& text) { return '\'' + text + '\''; }

/// Describes a computation for messages.
std::string described(std::size_t number, CustomIntegrator::Computation const& computation) {
    std::string what;
    switch (computation.kind) {
    case Kind::if_block: what = "if " + computation.expression; break;
    case Kind::while_block: what = "while " + computation.expression; break;
    case Kind::end_block: what = "the end of a block"; break;
    case Kind::compute_sum: what = computation.variable + " = the sum of " + computation.expression; break;
    default: what = computation.variable + " = " + computation.expression;
    }
    return "computation " + std::to_string(number) + " (" + what + ")";
}

class Builder {
public:
    Builder(CustomIntegrator const& integrator, HostState const& host) : integrator_(integrator), host_(host) {}
    Program program();

private:
    void check_variables() const;
    Step step_of(CustomIntegrator::Computation const& computation);
    void match_blocks();
    void look_ahead();
    VariableRef target_of(CustomIntegrator::Computation const& computation) const;
    BoundFormula bound(std::string const& text, bool of_particles);
    VariableRef variable_of(std::string const& name, bool of_particles);
    int set_of(int group);
    std::vector<ForceQuantities> needs_of(BoundFormula const& formula) const;
    std::string known_globals() const;

    CustomIntegrator const& integrator_;
    HostState const& host_;
    Program result_;
    std::size_t formulas_ = 0;
};

Program Builder::program() {
    check_tables(integrator_.tabulated_functions);
    check_variables();
    for (std::size_t n = 0; n < integrator_.computations.size(); ++n) try {
            result_.steps.push_back(step_of(integrator_.computations[n]));
        } catch (InputError const& error) {
            throw InputError(described(n, integrator_.computations[n]) + ": " + error.what());
        }
    try {
        result_.kinetic_energy = bound(integrator_.kinetic_energy, true);
    } catch (InputError const& error) {
        throw InputError(std::string("the kinetic energy: ") + error.what());
    }
    match_blocks();
    for (auto& step : result_.steps) {
        step.needs = needs_of(step.formula);
        auto const right = needs_of(step.right);
        for (std::size_t s = 0; s < right.size(); ++s) step.needs[s] = step.needs[s] | right[s];
    }
    result_.needs_of_kinetic_energy = needs_of(result_.kinetic_energy);
    look_ahead();
    return std::move(result_);
}

void Builder::check_variables() const {
    std::vector<std::string> names;
    for (auto const& one : integrator_.globals) names.push_back(one.name);
    for (auto const& one : integrator_.per_dof) names.push_back(one.name);
    for (std::size_t n = 0; n < names.size(); ++n) {
        if (names[n].empty()) throw InputError("variable " + std::to_string(n) + " has no name");
        if (is_reserved(names[n]))
            throw InputError("a variable is called " + quoted(names[n]) + ", which means something else in formulas");
        if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(n), names[n])
            != names.begin() + static_cast<std::ptrdiff_t>(n))
            throw InputError("two variables have the same name " + quoted(names[n]));
        if (host_.parameters.has(names[n]))
            throw InputError("the variable " + quoted(names[n]) + " has the name of a parameter of the Context");
    }
    for (auto const& one : integrator_.per_dof)
        if (one.values.size() != 1 && one.values.size() != host_.size())
            throw InputError("the per-DOF variable " + quoted(one.name) + " has " + std::to_string(one.values.size())
                             + " values, expected one for each of the " + std::to_string(host_.size())
                             + " particles, or one for all");
}

Step Builder::step_of(CustomIntegrator::Computation const& computation) {
    Step step{.kind = computation.kind};
    switch (computation.kind) {
    case Kind::compute_global:
    case Kind::compute_per_dof:
    case Kind::compute_sum:
        step.target = target_of(computation);
        step.formula = bound(computation.expression, computation.kind != Kind::compute_global);
        break;
    case Kind::if_block:
    case Kind::while_block: {
        Condition const condition(computation.expression);
        step.formula = bound(condition.left, false);
        step.right = bound(condition.right, false);
        step.comparison = condition.comparison;
        break;
    }
    case Kind::constrain_positions: result_.constrains_positions = true; break;
    default: break;
    }
    return step;
}

VariableRef Builder::target_of(CustomIntegrator::Computation const& computation) const {
    auto const& name = computation.variable;
    if (computation.kind == Kind::compute_per_dof) {
        if (name == "x") return {VariableRef::Kind::position};
        if (name == "v") return {VariableRef::Kind::velocity};
        if (int const found = find_name(integrator_.per_dof, name); found >= 0)
            return {VariableRef::Kind::per_dof, found};
        std::string known;
        for (auto const& one : integrator_.per_dof) known += ", " + one.name;
        throw InputError("no value for each component can be assigned to " + quoted(name) + "; known: x, v" + known);
    }
    if (name == "dt") return {VariableRef::Kind::step_size};
    if (int const found = find_name(integrator_.globals, name); found >= 0) return {VariableRef::Kind::global, found};
    if (host_.parameters.has(name)) return {VariableRef::Kind::parameter, 0, name};
    throw InputError("no single value can be assigned to " + quoted(name) + "; known: dt" + known_globals());
}

std::string Builder::known_globals() const {
    std::string known;
    for (auto const& one : integrator_.globals) known += ", " + one.name;
    for (auto const& entry : host_.parameters.values()) known += ", " + entry.first;
    return known;
}

BoundFormula Builder::bound(std::string const& text, bool of_particles) {
    BoundFormula result;
    auto const& tables = integrator_.tabulated_functions;
    result.expression = RuntimeExpression(with_derivative_names(text), AnyName{}, functions_of(tables, of_particles));
    for (auto const& name : result.expression.names()) result.variables.push_back(variable_of(name, of_particles));
    for (auto const& instruction : result.expression.unit().code)
        result.sees_vectors = result.sees_vectors
                              || (instruction.op == expression::Op::custom
                                  && static_cast<std::size_t>(instruction.a) >= tables.size());
    result.number = formulas_++;
    return result;
}

VariableRef Builder::variable_of(std::string const& name, bool of_particles) {
    if (name == "dt") return {VariableRef::Kind::step_size};
    if (name == "uniform") return {VariableRef::Kind::uniform};
    if (name == "gaussian") return {VariableRef::Kind::gaussian};
    if (auto const energy = energy_name(name); energy.is_one) return {VariableRef::Kind::energy, set_of(energy.group)};
    if (DerivativeName::is_one(name)) {
        DerivativeName const call(name);
        auto const energy = energy_name(call.energy);
        if (!energy.is_one)
            throw InputError("deriv(" + call.energy + ", " + call.parameter
                             + ") expects energy, energy0, energy1 … as its first argument");
        if (!host_.parameters.has(call.parameter))
            throw InputError("deriv(" + call.energy + ", " + call.parameter
                             + ") expects a parameter of the Context as its second argument");
        return {VariableRef::Kind::derivative, set_of(energy.group), call.parameter};
    }
    if (of_particles) {
        if (name == "x") return {VariableRef::Kind::position};
        if (name == "v") return {VariableRef::Kind::velocity};
        if (name == "m") return {VariableRef::Kind::mass};
        if (auto const force = force_name(name); force.is_one) return {VariableRef::Kind::force, set_of(force.group)};
        if (int const found = find_name(integrator_.per_dof, name); found >= 0)
            return {VariableRef::Kind::per_dof, found};
    } else if (name == "x" || name == "v" || name == "m" || force_name(name).is_one
               || find_name(integrator_.per_dof, name) >= 0)
        throw InputError(quoted(name) + " has a value for each component of each particle, expected a single number here");
    if (int const found = find_name(integrator_.globals, name); found >= 0) return {VariableRef::Kind::global, found};
    if (host_.parameters.has(name)) return {VariableRef::Kind::parameter, 0, name};
    std::string per_dof;
    for (auto const& one : integrator_.per_dof) per_dof += ", " + one.name;
    throw InputError("unknown name " + quoted(name) + "; known: dt, energy, energy0, …, uniform, gaussian" + known_globals()
                     + (of_particles ? ", x, v, m, f, f0, …" + per_dof : ""));
}

int Builder::set_of(int group) {
    auto const wanted = group < 0 ? integrator_.force_groups : ForceGroups::only({group});
    auto const found = std::find(result_.sets.begin(), result_.sets.end(), wanted);
    if (found != result_.sets.end()) return static_cast<int>(found - result_.sets.begin());
    result_.sets.push_back(wanted);
    return static_cast<int>(result_.sets.size()) - 1;
}

void Builder::match_blocks() {
    std::vector<std::size_t> open;
    for (std::size_t n = 0; n < result_.steps.size(); ++n) {
        auto const kind = result_.steps[n].kind;
        if (kind == Kind::if_block || kind == Kind::while_block) open.push_back(n);
        if (kind != Kind::end_block) continue;
        if (open.empty()) throw InputError("computation " + std::to_string(n) + " ends a block, but none is open there");
        result_.steps[n].partner = open.back();
        result_.steps[n].repeats = result_.steps[open.back()].kind == Kind::while_block;
        result_.steps[open.back()].partner = n;
        open.pop_back();
    }
    if (!open.empty())
        throw InputError("the block that begins with " + described(open.back(), integrator_.computations[open.back()])
                         + " never ends");
}

std::vector<ForceQuantities> Builder::needs_of(BoundFormula const& formula) const {
    std::vector<ForceQuantities> needs(result_.sets.size());
    for (auto const& variable : formula.variables) {
        if (variable.kind == VariableRef::Kind::force) needs[static_cast<std::size_t>(variable.index)].forces = true;
        if (variable.kind == VariableRef::Kind::energy) needs[static_cast<std::size_t>(variable.index)].energy = true;
        if (variable.kind == VariableRef::Kind::derivative)
            needs[static_cast<std::size_t>(variable.index)].derivatives = true;
    }
    return needs;
}

/// Whether forces may change.
bool may_move(Step const& step) {
    if (step.kind == Kind::compute_per_dof) return step.target.kind == VariableRef::Kind::position;
    if (step.kind == Kind::compute_global || step.kind == Kind::compute_sum)
        return step.target.kind == VariableRef::Kind::parameter;
    return step.kind == Kind::constrain_positions || step.kind == Kind::update_context_state;
}

// Backward data-flow analysis: what a computation needs and, if it moves nothing, what all paths from there need.
// Because of loops, starts with everything and removes until nothing changes.
void Builder::look_ahead() {
    std::vector<ForceQuantities> const nothing(result_.sets.size()),
        everything(result_.sets.size(), ForceQuantities{true, true, true});
    for (auto& step : result_.steps) step.worth_computing = everything;
    auto const before = [&](std::size_t n) {
        return n < result_.steps.size() ? result_.steps[n].worth_computing : nothing;
    };
    for (bool changes = true; changes;) {
        changes = false;
        for (std::size_t n = result_.steps.size(); n-- > 0;) {
            auto& step = result_.steps[n];
            bool const branches = step.kind == Kind::if_block || step.kind == Kind::while_block;
            auto const next = before(step.repeats ? step.partner : n + 1);
            auto const other = branches ? before(step.partner + 1) : next;
            auto wanted = step.needs;
            if (!may_move(step))
                for (std::size_t s = 0; s < wanted.size(); ++s) wanted[s] = wanted[s] | (next[s] & other[s]);
            changes = changes || wanted != step.worth_computing;
            step.worth_computing = std::move(wanted);
        }
    }
}

}  // namespace

Program make_program(CustomIntegrator const& integrator, HostState const& host) {
    return Builder(integrator, host).program();
}

}  // namespace trotter::custom_integrator
