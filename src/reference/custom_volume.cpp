// CustomVolumeForce: an energy as a formula of the periodic box.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <trotter/common/forces/same_parameters.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/forces/custom_volume.hpp>

#include "define_kernel.hpp"

namespace trotter::reference {

/// Exerts no forces on particles; barostats use the energy.
template <> class CompiledKernel<CustomVolumeForce>::Implementation {
public:
    Implementation(CustomVolumeForce const& force, Engine<Reference, Double>& engine, Registration who)
        : index_(who.index), force_(force) {
        for (auto const& [name, value] : force.global_parameters) engine.host.parameters.declare(name, value);
        check(force);
    }
    /// Updates the formula. Throws InputError if global parameters differ.
    void update(CustomVolumeForce const& force, Engine<Reference, Double>&) {
        check_same_parameters(force_.global_parameters, force.global_parameters);
        check(force);
        force_ = force;
    }

    double compute(Engine<Reference, Double>& engine, Request const& request) {
        auto& host = engine.host;
        if (!request.wants(index_, force_.force_group)) return 0;
        Box const& box = host.box;
        std::array<double, CustomVolumeForce::variables.size()> const values{
            box.volume(), box.a.x, box.a.y, box.a.z, box.b.x, box.b.y, box.b.z, box.c.x, box.c.y, box.c.z};
        std::vector<double> arguments;
        for (auto const& name : force_.energy.names()) {
            auto const& known = CustomVolumeForce::variables;
            auto const place = static_cast<std::size_t>(std::find(known.begin(), known.end(), name) - known.begin());
            arguments.push_back(place < known.size() ? values[place] : host.parameters.value(name));
        }
        if (host.box_virial) *host.box_virial += virial(box, arguments);
        return force_.energy.evaluator<double>()(arguments.data()).energy;
    }

private:
    /// Computes strains with row ≤ column; the others rotate the box, which is then rotated back: the virial is
    /// symmetric.
    Tensor virial(Box const& box, std::vector<double> const& arguments) const {
        std::vector<double> slopes(arguments.size());
        force_.energy.energy_and_slopes<double>(arguments, slopes);
        std::array<Vec3<>, 3> const vectors{box.a, box.b, box.c};
        Tensor result;
        for (std::size_t n = 0; n < slopes.size(); ++n) {
            auto const& known = CustomVolumeForce::variables;
            auto const place = static_cast<std::size_t>(std::find(known.begin(), known.end(), force_.energy.names()[n])
                                                        - known.begin());
            if (place == 0) result += Tensor::diagonal(-slopes[n] * box.volume());
            if (place == 0 || place == known.size()) continue;
            auto const& vector = vectors[(place - 1) / 3];
            for (std::size_t row = (place - 1) % 3, column = row; column < 3; ++column)
                result[row][column] -= slopes[n] * vector[column];
        }
        for (std::size_t row = 1; row < 3; ++row)
            for (std::size_t column = 0; column < row; ++column) result[row][column] = result[column][row];
        return result;
    }
    static void check(CustomVolumeForce const& force) {
        auto const& known = CustomVolumeForce::variables;
        for (auto const& name : force.energy.names()) {
            auto const is_declared = std::any_of(force.global_parameters.begin(), force.global_parameters.end(),
                                                 [&](auto const& parameter) { return parameter.name == name; });
            if (std::find(known.begin(), known.end(), name) == known.end() && !is_declared)
                throw InputError(
                    "the formula has the name '" + name
                    + "', which is neither v, a component of a box vector nor a global parameter of the force");
        }
    }

    int index_;
    CustomVolumeForce force_;
};

template class CompiledKernel<CustomVolumeForce>;

}  // namespace trotter::reference
