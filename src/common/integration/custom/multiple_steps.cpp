// Recognizes a sequence of kicks, drifts and noise in the formulas of a CustomIntegrator.
// SPDX-License-Identifier: MIT
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/number.hpp>
#include <trotter/common/integration/custom/multiple_steps.hpp>
#include <trotter/integrators/custom_language.hpp>

namespace trotter {
namespace {

using Kind = CustomIntegrator::Kind;

std::string without_blanks(std::string_view text) {
    std::string result;
    for (char const c : text)
        if (c != ' ') result += c;
    return result;
}

/// Returns the text matched by each # (number) and @ (name) of a pattern, if it matches.
std::optional<std::vector<std::string>> matched(std::string const& text, std::string_view pattern) {
    auto const is_part_of_name = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    auto const is_part_of_number = [](char c) { return (c >= '0' && c <= '9') || c == '.'; };
    std::vector<std::string> result;
    std::size_t at = 0;
    for (char const c : pattern) {
        if (c != '#' && c != '@') {
            if (at == text.size() || text[at++] != c) return {};
            continue;
        }
        auto const begin = at;
        while (at < text.size() && (c == '@' ? is_part_of_name(text[at]) : is_part_of_number(text[at]))) ++at;
        if (at == begin) return {};
        result.push_back(text.substr(begin, at - begin));
    }
    if (at != text.size()) return {};
    return result;
}

class Recognition {
public:
    explicit Recognition(CustomIntegrator const& integrator) : integrator_(integrator) {}

    std::optional<MultipleSteps> result() {
        auto const& list = integrator_.computations;
        std::size_t n = 0;
        result_.changes_state = !list.empty() && list[0].kind == Kind::update_context_state;
        if (result_.changes_state) ++n;
        while (n < list.size()) {
            std::size_t const taken = is_constraint(n) ? 3 : is_letter(list[n]) ? 1 : 0;
            if (taken == 0) return {};
            n += taken;
        }
        return sequence().count('V') > 0 && sequence().count('R') > 0 ? std::optional(result_) : std::nullopt;
    }

private:
    OperatorSequence& sequence() { return result_.sequence; }

    bool is_letter(CustomIntegrator::Computation const& computation) {
        if (computation.kind == Kind::constrain_velocities) return sequence().constrain_velocities(), true;
        if (computation.kind != Kind::compute_per_dof) return false;
        auto const text = without_blanks(computation.expression);
        if (computation.variable == "x") {
            auto const drift = matched(text, "x+(dt/#)*v");
            if (drift) sequence().add('R', 1 / expression::parse_number((*drift)[0]));
            return drift.has_value();
        }
        if (computation.variable != "v") return false;
        if (auto const kick = matched(text, "v+0.5*(dt/#)*@/m")) {
            auto const force = custom_integrator::force_name((*kick)[1]);
            if (!force.is_one) return false;
            auto const groups = force.group < 0 ? integrator_.force_groups : ForceGroups::only({force.group});
            sequence().add('V', 0.5 / expression::parse_number((*kick)[0]), sequence().set_of(groups));
            return true;
        }
        auto const noise = matched(text, "@*v+@*sqrt(@/m)*gaussian");
        return noise && is_noise(global((*noise)[0]), global((*noise)[1]), global((*noise)[2]));
    }
    bool is_noise(int decay, int spread, int thermal_energy) {
        if (decay < 0 || spread < 0 || thermal_energy < 0) return false;
        bool const is_first = result_.decay < 0;
        if (is_first) result_.decay = decay, result_.spread = spread, result_.thermal_energy = thermal_energy;
        sequence().add('O', 0);
        return result_.decay == decay && result_.spread == spread && result_.thermal_energy == thermal_energy;
    }
    /// Matches computations `n` to n+2 that store the positions, constrain them, and correct the velocities.
    bool is_constraint(std::size_t n) {
        auto const& list = integrator_.computations;
        if (n + 2 >= list.size() || list[n].kind != Kind::compute_per_dof || list[n + 1].kind != Kind::constrain_positions
            || list[n + 2].kind != Kind::compute_per_dof || list[n + 2].variable != "v"
            || without_blanks(list[n].expression) != "x")
            return false;
        auto const change = matched(without_blanks(list[n + 2].expression), "v+(x-@)/(dt/#)");
        int const kept = index(integrator_.per_dof, list[n].variable);
        if (!change || (*change)[0] != list[n].variable || kept < 0) return false;
        if (result_.unconstrained >= 0 && result_.unconstrained != kept) return false;
        result_.unconstrained = kept;
        sequence().constrain_positions(1 / expression::parse_number((*change)[1]));
        return true;
    }
    int global(std::string const& name) const { return index(integrator_.globals, name); }
    template <class List> static int index(List const& list, std::string const& name) {
        for (std::size_t n = 0; n < list.size(); ++n)
            if (list[n].name == name) return static_cast<int>(n);
        return -1;
    }

    CustomIntegrator const& integrator_;
    MultipleSteps result_;
};

}  // namespace

std::optional<MultipleSteps> recognize_multiple_steps(CustomIntegrator const& integrator) {
    return Recognition(integrator).result();
}

}  // namespace trotter
