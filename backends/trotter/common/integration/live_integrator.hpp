// Base of integrator kernels: an integrator whose parameters can change while it runs.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/common/integration/common.hpp>

namespace trotter {

template <class I>
concept HasTemperature = has_heat_bath<I> && requires(I& integrator) { integrator.temperature = 300.0; };
template <class I>
concept HasFriction = has_heat_bath<I> && requires(I& integrator) { integrator.friction = 1.0; };

/// Step size, temperature and friction can change between steps and are saved in checkpoints. All throw InputError for
/// an invalid value.
template <class I> class LiveIntegrator {
public:
    explicit LiveIntegrator(I const& integrator) : integrator_(integrator) { check_integrator(integrator); }

    I const& integrator() const { return integrator_; }
    void set_step_size(double step_size) { change("step size", integrator_.step_size, step_size); }
    void set_temperature(double temperature)
        requires HasTemperature<I>
    {
        change("temperature", integrator_.temperature, temperature);
    }
    void set_friction(double friction)
        requires HasFriction<I>
    {
        change("friction", integrator_.friction, friction);
    }

    template <class Archive> void save(Archive& archive) const {
        archive.put(integrator_.step_size);
        if constexpr (HasTemperature<I>) archive.put(integrator_.temperature);
        if constexpr (HasFriction<I>) archive.put(integrator_.friction);
    }
    template <class Archive> void load(Archive& archive) {
        integrator_.step_size = archive.template get<double>();
        if constexpr (HasTemperature<I>) integrator_.temperature = archive.template get<double>();
        if constexpr (HasFriction<I>) integrator_.friction = archive.template get<double>();
    }

protected:
    I integrator_;

private:
    static void change(char const* what, double& number, double value) {
        require_not_negative(I::name, what, value);
        number = value;
    }
};

}  // namespace trotter
