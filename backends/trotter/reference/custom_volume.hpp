// An energy of the periodic box by a formula.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/expression/runtime_expression.hpp>
#include <trotter/forces/custom_volume.hpp>
#include <trotter/host/same_parameters.hpp>
#include <trotter/reference/engine.hpp>

namespace trotter {

/// No particle feels a force; barostats see the energy.
template <> class Kernel<CustomVolumeForce, Reference, Double> {
public:
    Kernel(CustomVolumeForce const& force, Engine<Reference, Double>& engine)
        : index_(engine.host.next_force), force_(force) {
        for (auto const& [name, value] : force.global_parameters) engine.host.parameters.declare(name, value);
        check(force);
    }
    /// Takes over another formula. Throws InputError for parameters that are not those of before.
    void update(CustomVolumeForce const& force, Engine<Reference, Double>&) {
        check_same_parameters(force_.global_parameters, force.global_parameters);
        check(force);
        force_ = force;
    }

    double compute(Engine<Reference, Double>& engine, Request const& request) {
        auto const& host = engine.host;
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
        return force_.energy.evaluator<double>()(arguments.data()).energy;
    }

private:
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

}  // namespace trotter
