// Generalized Born solvent: its formulas as stages.
// SPDX-License-Identifier: MIT
#include <array>
#include <cstddef>
#include <vector>

#include <trotter/forces/gbsa_formula.hpp>

#include "stages.hpp"

namespace trotter::reference {

/// Value 0 is the Born integral, value 1 the Born radius.
class BornFormula {
public:
    enum class Kind { integral, radius, own_energy, pair_energy };

    BornFormula(Kind kind, GBSAOBCForce const& force) : kind_(kind), force_(force) {}

    bool is_of_pairs() const { return kind_ == Kind::integral || kind_ == Kind::pair_energy; }
    static bool sees_excluded() { return true; }

    double value(std::size_t i, std::size_t j, double r, StageNumbers const& numbers, std::vector<Vec3<>> const&) {
        auto const &first = force_.particles[i], &second = force_.particles[j];
        if (kind_ == Kind::integral) {
            auto const [value, slope] = of_neighbour(r, first.reduced_radius(), second.scaled_radius());
            return take(value / 2, {.by_distance = slope / 2});
        }
        if (kind_ == Kind::radius) {
            auto const [value, slope] = born_radius(numbers.values[0][i], first.radius);
            return take(value, {.by_integral = slope});
        }
        double const born = numbers.values[1][i], prefactor = force_.prefactor();
        if (kind_ == Kind::own_energy) {
            auto const [value, slope] =
                own_energy(prefactor, force_.surface_area_energy, first.charge, first.radius, born);
            return take(value, {.by_radius1 = slope});
        }
        double const born2 = numbers.values[1][j], product = prefactor * first.charge * second.charge,
                     shift = force_.uses_cutoff() ? 1 / force_.cutoff_distance : 0;
        auto const pair = born_pair(r * r, born * born2);
        return take(product * (pair.inverse - shift), {.by_distance = -product * pair.virial / r,
                                                       .by_radius1 = product * pair.radius_slope / born,
                                                       .by_radius2 = product * pair.radius_slope / born2});
    }
    double pass_on(double by_result, std::size_t i, std::size_t j, StageNumbers& numbers, std::vector<Vec3<>>&) const {
        if (kind_ == Kind::radius) numbers.by_value[0][i] += by_result * slopes_.by_integral;
        if (kind_ == Kind::own_energy || kind_ == Kind::pair_energy) {
            numbers.by_value[1][i] += by_result * slopes_.by_radius1;
            numbers.by_value[1][j] += by_result * slopes_.by_radius2;
        }
        return by_result * slopes_.by_distance;
    }

private:
    struct Slopes { double by_distance = 0, by_integral = 0, by_radius1 = 0, by_radius2 = 0; };

    static ValueAndSlope<double> of_neighbour(double r, double rho, double s) {
        auto const closed = descreening(r, 1 / r, rho, s);
        return central_ratio * r < s ? central_descreening(r, rho, s, closed) : closed;
    }
    double take(double value, Slopes const& slopes) {
        slopes_ = slopes;
        return value;
    }

    Kind kind_;
    GBSAOBCForce const& force_;
    Slopes slopes_;
};

struct BornFormulas {
    using Kind = BornFormula::Kind;
    std::array<BornFormula, 2> values, energies;

    explicit BornFormulas(GBSAOBCForce const& force)
        : values{{{Kind::integral, force}, {Kind::radius, force}}},
          energies{{{Kind::own_energy, force}, {Kind::pair_energy, force}}} {}
};

template <> class CompiledKernel<GBSAOBCForce>::Implementation : public Stages<GBSAOBCForce, BornFormulas> {
    using Stages::Stages;
};

template class CompiledKernel<GBSAOBCForce>;

}  // namespace trotter::reference
