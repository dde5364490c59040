// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/force_field/assembly.hpp"
#include "script.hpp"

namespace trotter::app::force_field {
namespace {

struct Divisors {
    double coulomb, lennard_jones;
};
using PairDivisors = std::map<std::pair<int, int>, Divisors>;

// For each combination of types that occurs, the divisors that the tables have for it.
class Lookup {
public:
    Lookup(OneFourScales const& scales, AtomTypes const& types) : scales_(scales), types_(types) {}

    std::pair<std::optional<double>, std::optional<double>> operator()(std::array<int, 4> const& of_atoms) {
        auto const [found, is_new] = known_.try_emplace(of_atoms);
        if (is_new) {
            FourNames names;
            for (std::size_t i = 0; i < 4; ++i) names[i] = types_.name(of_atoms[i]);
            auto const look_up = [&](auto const& table) {
                auto const entry = table.find(names);
                return entry == table.end() ? std::nullopt : std::optional(entry->second);
            };
            found->second = {look_up(scales_.coulomb), look_up(scales_.lennard_jones)};
        }
        return found->second;
    }

private:
    OneFourScales const& scales_;
    AtomTypes const& types_;
    std::map<std::array<int, 4>, std::pair<std::optional<double>, std::optional<double>>> known_;
};

PairDivisors find_pairs(OneFourScales const& scales, Assembly const& assembly) {
    Lookup lookup(scales, assembly.types);
    PairDivisors result;
    for (auto const& atoms : assembly.propers) {
        auto const [coulomb, lennard_jones] = lookup(assembly.types_of(atoms));
        if (!coulomb && !lennard_jones) continue;
        Divisors const usual{scales.usual_coulomb, scales.usual_lennard_jones};
        auto& divisors = result.try_emplace(std::minmax(atoms[0], atoms[3]), usual).first->second;
        divisors = {coulomb.value_or(divisors.coulomb), lennard_jones.value_or(divisors.lennard_jones)};
    }
    return result;
}

}  // namespace

void OneFourScales::run(Assembly& assembly) const {
    auto const pairs = find_pairs(*this, assembly);
    for (auto& force : assembly.system.forces<NonbondedForce>())
        for (auto& [i, j, charge_product, sigma, epsilon] : force.exceptions) {
            auto const found = pairs.find(std::minmax(i, j));
            if (found == pairs.end() || (charge_product == 0 && epsilon == 0)) continue;
            auto const &a = at(force.particles, i), &b = at(force.particles, j);
            charge_product = a.charge * b.charge / found->second.coulomb;
            sigma = (a.sigma + b.sigma) / 2;
            epsilon = std::sqrt(a.epsilon * b.epsilon) / found->second.lennard_jones;
        }
}

}  // namespace trotter::app::force_field
